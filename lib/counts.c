// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading the counts of a session.
 */
#include <errno.h>
#include <netlink/attr.h>
#include <string.h>

#include "../kmod/uapi/pmuctl.h"
#include "private.h"
#include "session.h"

struct count_walk {
	struct pmuctl_session *session;
	pmuctl_value_fn *fn;
	void *data;
	size_t seen;
};

static int take_count(struct count_walk *walk, const struct pmuctl_count *count)
{
	const struct pmuctl_value value = {
		.event = count->event,
		.cpu = count->cpu == PMUCTL_CPU_ALL ? -1 : (int32_t)count->cpu,
		.flags = (count->flags & PMUCTL_COUNT_INCOMPLETE ? PMUCTL_VALUE_INCOMPLETE : 0) |
			 (count->flags & PMUCTL_COUNT_DISTURBED ? PMUCTL_VALUE_DISTURBED : 0),
		.value = count->value,
		.enabled = count->enabled,
		.running = count->running,
	};

	if (count->event >= walk->session->nr_events)
		return fail(walk->session->ctx, -EBADMSG,
			    "the module's answer counts event %u of %zu", count->event,
			    walk->session->nr_events);
	walk->seen++;
	return walk->fn(walk->data, &value);
}

static int take_counts(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct nlattr *attr = attrs[PMUCTL_A_SESSION_COUNTS];
	struct count_walk *walk = data;
	struct pmuctl_count count;
	int at, err = 0;

	(void)nlh;
	if (!attr || nla_len(attr) % (int)sizeof(count))
		return fail(walk->session->ctx, -EBADMSG, "the module's answer has counts of %d bytes",
			    attr ? nla_len(attr) : 0);
	for (at = 0; !err && at < nla_len(attr); at += (int)sizeof(count)) {
		/* Attributes are aligned to four bytes, counts want eight. */
		memcpy(&count, (char *)nla_data(attr) + at, sizeof(count));
		err = take_count(walk, &count);
	}
	return err;
}

static int read_counts(struct pmuctl_session *s, bool each, pmuctl_value_fn *fn, void *data)
{
	struct count_walk walk = { .session = s, .fn = fn, .data = data };
	const struct request req = {
		.cmd = PMUCTL_CMD_COUNT_GET,
		.dump = each,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.fn = take_counts,
		.data = &walk,
	};
	int err = session_ask(s, &req);

	if (!err && walk.seen < s->nr_events)
		return fail(s->ctx, -EBADMSG, "the module's answer has %zu counts for %zu events",
			    walk.seen, s->nr_events);
	return err;
}

int pmuctl_session_read(struct pmuctl_session *s, pmuctl_value_fn *fn, void *data)
{
	return read_counts(s, false, fn, data);
}

int pmuctl_session_read_each(struct pmuctl_session *s, pmuctl_value_fn *fn, void *data)
{
	return read_counts(s, true, fn, data);
}
