/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine with cores of two kinds, or of three, for tests of what is made for each.
 */
#ifndef TESTS_KINDS_H
#define TESTS_KINDS_H

#include <errno.h>

#include "tests/unit/lib/session.h"

static inline int setup(void **state)
{
	(void)state;
	fake_hybrid();
	begin();
	return 0;
}

static inline int setup_three(void **state)
{
	(void)state;
	fake_three_kinds();
	begin();
	return 0;
}

static inline int setup_three_sampling(void **state)
{
	setup_three(state);
	fake.features |= PMUCTL_FEATURE_SAMPLE;
	return 0;
}

static inline int setup_sampling(void **state)
{
	setup(state);
	fake.features |= PMUCTL_FEATURE_SAMPLE;
	return 0;
}

static inline int create_on_process(uint64_t options)
{
	assert_int_equal(pmuctl_session_add_process(fixture.session, 17), 0);
	return create(options);
}

static inline int refused(const char *name)
{
	struct pmuctl_event *event;

	return pmuctl_event_parse(fixture.ctx, name, &event);
}

/* What a session there was asked for: the event select of its event number `which`. */
static inline bool sent_to(unsigned int kind, int which, struct pmuctl_reg *reg, uint64_t *counters)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)(void *)fake.kinds[kind].last_new;
	struct nlattr *attrs[PMUCTL_A_EVENT_MAX + 1], *attr;
	int rem;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem) {
		if (nla_type(attr) != PMUCTL_A_SESSION_EVENT || which--)
			continue;
		assert_int_equal(nla_parse_nested(attrs, PMUCTL_A_EVENT_MAX, attr, NULL), 0);
		memcpy(reg, nla_data(attrs[PMUCTL_A_EVENT_REGS]), sizeof(*reg));
		*counters = nla_get_u64(attrs[PMUCTL_A_EVENT_COUNTERS]);
		return true;
	}
	return false;
}

static inline uint32_t kinds_that_have(const char *name)
{
	struct pmuctl_event *event = parsed(name);
	uint32_t mask = 0;
	unsigned int k;

	for (k = 0; k < PMUCTL_KINDS_MAX; k++)
		mask |= (uint32_t)!!pmuctl_event_of_kind(event, k) << k;
	assert_string_equal(pmuctl_event_get_info(event)->name, name);
	pmuctl_event_free(event);
	return mask;
}

static inline void check_kind(unsigned int number, const char *name, const char *pmu)
{
	struct pmuctl_kind kind = { .size = sizeof(kind) };

	assert_int_equal(pmuctl_kind_get(fixture.ctx, number, &kind), 0);
	assert_string_equal(kind.name, name);
	assert_string_equal(kind.pmu, pmu);
}

#endif
