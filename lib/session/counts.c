// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading the counts of a session, and what those of sets that took turns
 * stand for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/session/session.h"

struct reading {
	struct pmuctl_session *s;
	size_t count;
};

static int make_room(struct pmuctl_session *s, size_t count)
{
	struct pmuctl_count *grown;

	if (count <= s->counts_room)
		return 0;
	grown = reallocarray(s->counts, count, sizeof(*grown));
	if (!grown)
		return fail(s->ctx, -ENOMEM, "out of memory");
	s->counts = grown;
	s->counts_room = count;
	return 0;
}

static int take_counts(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct nlattr *attr = attrs[PMUCTL_A_SESSION_COUNTS];
	struct reading *r = data;
	struct pmuctl_session *s = r->s;
	size_t count;
	int err;

	(void)nlh;
	if (!attr || nla_len(attr) % (int)sizeof(s->counts[0]))
		return fail(s->ctx, -EBADMSG, "the module's answer has counts of %d bytes",
			    attr ? nla_len(attr) : 0);
	count = (size_t)nla_len(attr) / sizeof(s->counts[0]);
	err = make_room(s, r->count + count);
	if (err)
		return err;
	memcpy(&s->counts[r->count], nla_data(attr), (size_t)nla_len(attr));
	r->count += count;
	return 0;
}

/* The same number for each event, as they have the same targets. */
static int check_counts(struct pmuctl_session *s, size_t count)
{
	size_t i, events = all_events(s);

	for (i = 0; i < count; i++)
		if (s->counts[i].event >= events)
			return fail(s->ctx, -EBADMSG,
				    "the module's answer counts event %u of %zu",
				    s->counts[i].event, events);
	if (!events || count < events || count % events)
		return fail(s->ctx, -EBADMSG, "the module's answer has %zu counts for %zu events",
			    count, events);
	return 0;
}

/* ---- estimates --------------------------------------------------------- */

/* Cycles of the set, where and while `like` was counted; 0: unknown. */
static uint64_t set_cycles(const struct pmuctl_session *s, size_t places, uint32_t set,
			   const struct pmuctl_count *like)
{
	size_t place = (size_t)(like - s->counts) % places;
	const struct pmuctl_count *c = &s->counts[s->yardstick[set] * places + place];

	return c->event == s->yardstick[set] && c->cpu == like->cpu ? c->value : 0;
}

static uint64_t scale(uint64_t value, uint64_t by, uint64_t of)
{
	unsigned __int128 scaled = ((unsigned __int128)value * by + of / 2) / of;

	return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}

static uint64_t by_cycles(const struct pmuctl_session *s, size_t places,
			  const struct pmuctl_count *c)
{
	uint64_t own = set_cycles(s, places, s->events[c->event].set, c), all = 0;
	uint32_t set;

	for (set = s->first_rotating; own && set < s->nr_sets; set++)
		all += set_cycles(s, places, set, c);
	return own ? scale(c->value, all, own) : 0;
}

static uint64_t estimate(const struct pmuctl_session *s, size_t places,
			 const struct pmuctl_count *c)
{
	uint64_t by = 0;

	if (!set_rotates(s, s->events[c->event].set) || c->running >= c->enabled || !c->running)
		return c->value;
	if (s->measured)
		by = by_cycles(s, places, c);
	return by || !c->value ? by : scale(c->value, c->enabled, c->running);
}

/* ---- delivery ---------------------------------------------------------- */

static const struct {
	uint32_t kernel, ours;
} flags[] = {
	{ PMUCTL_COUNT_INCOMPLETE, PMUCTL_VALUE_INCOMPLETE },
	{ PMUCTL_COUNT_DISTURBED, PMUCTL_VALUE_DISTURBED },
	{ PMUCTL_COUNT_DETACHED, PMUCTL_VALUE_DETACHED },
	{ PMUCTL_COUNT_GUESTS, PMUCTL_VALUE_GUESTS },
	{ PMUCTL_COUNT_LOST, PMUCTL_VALUE_LOST },
};

static uint32_t value_flags(const struct pmuctl_session *s, const struct pmuctl_count *c)
{
	uint32_t value = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++)
		if (c->flags & flags[i].kernel)
			value |= flags[i].ours;
	if (set_rotates(s, s->events[c->event].set) && c->running < c->enabled)
		value |= PMUCTL_VALUE_ESTIMATE;
	return value;
}

static void note_disturbed(struct pmuctl *ctx, uint32_t msr)
{
	if (msr && !ctx->disturbed[0])
		msr_name(msr, ctx->disturbed, sizeof(ctx->disturbed));
}

static int deliver(struct pmuctl_session *s, size_t count, pmuctl_value_fn *fn, void *data)
{
	size_t i, places = count / all_events(s);
	const struct pmuctl_count *c;
	struct pmuctl_value value;
	int err = 0;

	for (i = 0; !err && i < count; i++) {
		c = &s->counts[i];
		if (c->event >= s->nr_events)
			continue;
		note_disturbed(s->ctx, c->disturbed);
		value = (struct pmuctl_value){
			.event = c->event,
			.cpu = c->cpu == PMUCTL_CPU_ALL ? -1 : (int32_t)c->cpu,
			.flags = value_flags(s, c),
			.value = c->value,
			.estimate = estimate(s, places, c),
			.enabled = c->enabled,
			.running = c->running,
		};
		err = fn(data, &value);
	}
	return err;
}

/* ---- reading ------------------------------------------------------------ */

/* Offsets of the descriptor that stand for COUNT_GET's two forms. */
enum { OFFSET_SUM, OFFSET_EACH };

/* The number of counts, or negative: a message will say why. */
static ssize_t read_fd(struct pmuctl_session *s, bool each)
{
	size_t places = each && s->target_kind == PMUCTL_A_SESSION_CPU ? s->nr_targets : 1;
	size_t one = sizeof(s->counts[0]);
	ssize_t got;

	if (s->fd < 0 || make_room(s, places * all_events(s)))
		return -1;
	got = wire_read(s->fd, s->counts, s->counts_room * one, each ? OFFSET_EACH : OFFSET_SUM);
	return got < 0 || (size_t)got % one ? -1 : got / (ssize_t)one;
}

static int read_by_message(struct pmuctl_session *s, bool each, size_t *count)
{
	struct reading r = { .s = s };
	const struct request req = {
		.cmd = PMUCTL_CMD_COUNT_GET,
		.dump = each,
		.session = s->id,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.fn = take_counts,
		.data = &r,
	};
	int err = session_ask(s, &req);

	*count = r.count;
	return err;
}

int session_read(struct pmuctl_session *s, bool each, pmuctl_value_fn *fn, void *data)
{
	size_t count;
	ssize_t got;
	int err = 0;

	if (!fn)
		return is_null(s->ctx, "the function for values");
	got = read_fd(s, each);
	count = (size_t)got;
	if (got < 0)
		err = read_by_message(s, each, &count);
	if (!err)
		err = check_counts(s, count);
	return err ? err : deliver(s, count, fn, data);
}
