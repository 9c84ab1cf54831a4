/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session of the fake kernel, and a look at what went out to make it.
 */
#ifndef LIB_SESSION_H
#define LIB_SESSION_H

#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <string.h>

#include "lib/pmuctl.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/fake_kernel.h"

struct fixture {
	struct pmuctl *ctx;
	struct pmuctl_session *session;
};

static struct fixture fixture;

static inline void begin(void)
{
	assert_int_equal(pmuctl_open(NULL, &fixture.ctx), 0);
	assert_int_equal(pmuctl_session_new(fixture.ctx, &fixture.session), 0);
}

static inline int teardown(void **state)
{
	(void)state;
	pmuctl_session_free(fixture.session);
	pmuctl_close(fixture.ctx);
	memset(&fixture, 0, sizeof(fixture));
	return 0;
}

static inline struct pmuctl_event *parsed(const char *name)
{
	struct pmuctl_event *event;
	int err = pmuctl_event_parse(fixture.ctx, name, &event);

	if (err)
		fail_msg("%s: %d %s", name, err, pmuctl_error(fixture.ctx));
	return event;
}

static inline void add(const char *name)
{
	struct pmuctl_event *event = parsed(name);

	assert_int_equal(pmuctl_session_add_event(fixture.session, event), 0);
	pmuctl_event_free(event);
}

/* NULL ends the names. */
static inline int add_group(const char *const *names)
{
	struct pmuctl_event *events[64] = { NULL };
	size_t count = 0, i;
	int err;

	while (names[count]) {
		events[count] = parsed(names[count]);
		count++;
	}
	err = pmuctl_session_add_group(fixture.session, events, count);
	for (i = 0; i < count; i++)
		pmuctl_event_free(events[i]);
	return err;
}

/* The attribute number `which` (from 0) of this type in the request. */
static inline struct nlattr *sent(int type, int which)
{
	struct nlattr *attr;
	int rem;

	nlmsg_for_each_attr(attr, (struct nlmsghdr *)(void *)fake.last_new, GENL_HDRLEN, rem)
		if (nla_type(attr) == type && !which--)
			return attr;
	return NULL;
}

struct sent_event {
	uint64_t flags, counters;
	uint32_t set, group;
	struct pmuctl_reg reg[4];
	size_t nr_regs;
};

static inline struct sent_event sent_event(int which)
{
	struct nlattr *attrs[PMUCTL_A_EVENT_MAX + 1], *nest = sent(PMUCTL_A_SESSION_EVENT, which);
	struct sent_event e = { 0 };

	assert_non_null(nest);
	assert_int_equal(nla_parse_nested(attrs, PMUCTL_A_EVENT_MAX, nest, NULL), 0);
	e.flags = nla_get_u64(attrs[PMUCTL_A_EVENT_FLAGS]);
	e.counters = nla_get_u64(attrs[PMUCTL_A_EVENT_COUNTERS]);
	e.nr_regs = (size_t)nla_len(attrs[PMUCTL_A_EVENT_REGS]) / sizeof(e.reg[0]);
	assert_true(e.nr_regs && e.nr_regs <= 4);
	memcpy(e.reg, nla_data(attrs[PMUCTL_A_EVENT_REGS]), e.nr_regs * sizeof(e.reg[0]));
	if (attrs[PMUCTL_A_EVENT_SET])
		e.set = nla_get_u32(attrs[PMUCTL_A_EVENT_SET]);
	if (attrs[PMUCTL_A_EVENT_GROUP])
		e.group = nla_get_u32(attrs[PMUCTL_A_EVENT_GROUP]);
	return e;
}

static inline int nr_sent(void)
{
	int n = 0;

	while (sent(PMUCTL_A_SESSION_EVENT, n))
		n++;
	return n;
}

static inline int create(uint64_t options)
{
	return pmuctl_session_create(fixture.session, options);
}

#endif
