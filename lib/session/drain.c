// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Taking the records of a session out of the kernel's rings, and the ledger
 * that says what became of all of them.
 */
#include <errno.h>
#include <string.h>

#include "lib/session/session.h"

int pmuctl_session_set_ring(struct pmuctl_session *s, size_t bytes, size_t watermark)
{
	if (s->id)
		return fail(s->ctx, -EINVAL, "the session exists already");
	if (bytes && (bytes < PMUCTL_RING_MIN || bytes > PMUCTL_RING_MAX ||
		      bytes & (bytes - 1)))
		return fail(s->ctx, -EINVAL, "a ring of %zu bytes: it is a power of two from 16 "
			    "KiB to 16 MiB", bytes);
	if (watermark > (bytes ? bytes : PMUCTL_RING_MAX) / 2)
		return fail(s->ctx, -EINVAL, "a watermark of %zu bytes is more than half of the "
			    "ring", watermark);
	s->ring = (uint32_t)bytes;
	s->watermark = (uint32_t)watermark;
	return 0;
}

int pmuctl_session_fd(const struct pmuctl_session *s)
{
	return s->fd >= 0 ? s->fd :
			    fail(s->ctx, -EINVAL, "the session has no descriptor to wait on");
}

/* ---- the rings ---------------------------------------------------------------- */

struct draining {
	struct pmuctl *ctx;
	int cpu;
	bool flush;
	pmuctl_records_fn *fn;
	void *data;
};

static int put_draining(struct nl_msg *msg, const void *data)
{
	const struct draining *d = data;

	if ((d->cpu >= 0 && nla_put_u32(msg, PMUCTL_A_SESSION_CPU, (uint32_t)d->cpu)) ||
	    (d->flush && nla_put_u32(msg, PMUCTL_A_SESSION_FLUSH, 1)))
		return -ENOMEM;
	return 0;
}

static int take_records(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct nlattr *records = attrs[PMUCTL_A_SESSION_RECORDS];
	const struct draining *d = data;

	(void)nlh;
	if (!records || !attrs[PMUCTL_A_SESSION_CPU] || nla_len(records) % 8)
		return fail(d->ctx, -EBADMSG, "the module's answer has records of %d bytes",
			    records ? nla_len(records) : 0);
	return d->fn(d->data, get_u32(attrs, PMUCTL_A_SESSION_CPU), nla_data(records),
		     (size_t)nla_len(records));
}

int session_drain(struct pmuctl *ctx, const struct pmuctl_session *s, int cpu, bool flush,
		  pmuctl_records_fn *fn, void *data)
{
	struct draining d = { .ctx = ctx, .cpu = cpu, .flush = flush, .fn = fn, .data = data };
	const struct request req = {
		.cmd = PMUCTL_CMD_SAMPLE_GET,
		.dump = true,
		.session = s->id,
		.put = put_draining,
		.room = 32,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.fn = take_records,
		.data = &d,
	};

	if (!fn)
		return is_null(ctx, "the function for records");
	if (!s->id)
		return fail(ctx, -EINVAL, "the session was not created");
	return talk(ctx, &req);
}

/* ---- the ledger ---------------------------------------------------------------- */

struct ledger_reading {
	struct pmuctl_session *s;
	pmuctl_ledger_fn *fn;
	void *data;
};

static int take_entry(const struct ledger_reading *r, const struct pmuctl_ledger *l)
{
	const struct pmuctl_ledger_entry entry = {
		.event = l->event,
		.cpu = l->cpu,
		.produced = l->produced,
		.written = l->written,
		.lost = l->lost,
		.collisions = l->collisions,
		.throttled = l->throttled,
		.uncertain = l->uncertain,
		.overruns = l->overruns,
		.stalled = l->stalled,
	};

	if (l->event >= all_events(r->s))
		return fail(r->s->ctx, -EBADMSG, "the module's ledger has event %u of %zu",
			    l->event, all_events(r->s));
	return l->event < r->s->nr_events ? r->fn(r->data, &entry) : 0;
}

static int take_ledger(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct nlattr *attr = attrs[PMUCTL_A_SESSION_LEDGER];
	const struct ledger_reading *r = data;
	struct pmuctl_ledger l;
	int err = 0, at;

	(void)nlh;
	if (!attr || nla_len(attr) % (int)sizeof(l))
		return fail(r->s->ctx, -EBADMSG, "the module's answer has a ledger of %d bytes",
			    attr ? nla_len(attr) : 0);
	for (at = 0; !err && at < nla_len(attr); at += (int)sizeof(l)) {
		memcpy(&l, (char *)nla_data(attr) + at, sizeof(l));
		err = take_entry(r, &l);
	}
	return err;
}

int session_ledger(struct pmuctl_session *s, pmuctl_ledger_fn *fn, void *data)
{
	struct ledger_reading r = { .s = s, .fn = fn, .data = data };
	const struct request req = {
		.cmd = PMUCTL_CMD_LEDGER_GET,
		.dump = true,
		.session = s->id,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.fn = take_ledger,
		.data = &r,
	};

	return fn ? session_ask(s, &req) : is_null(s->ctx, "the function for the ledger");
}
