// SPDX-License-Identifier: GPL-2.0-only
/*
 * Links of tasks and sessions: which are in each other's way, and which a switch need not look
 * at.
 */
#include "tests/unit/cmocka_all.h"

#include "kmod/access/limits.h"
#include "kmod/session/links.h"
#include "kmod/session/session.h"

struct pmuctl_caps pmuctl_caps;
static unsigned int charged;
static u64 memory;

bool pmuctl_try_charge(const struct pmuctl_payer *payer, enum pmuctl_limit limit, u64 n)
{
	charged += limit == PMUCTL_LIMIT_TASKS;
	memory += limit == PMUCTL_LIMIT_MEMORY ? n : 0;
	return true;
}

void pmuctl_uncharge(const struct pmuctl_payer *payer, enum pmuctl_limit limit, u64 n)
{
	charged -= limit == PMUCTL_LIMIT_TASKS;
	memory -= limit == PMUCTL_LIMIT_MEMORY ? n : 0;
}

static struct task_struct task, other_task;
static struct pmuctl_session sessions[4];

static int start(void **state)
{
	unsigned int i;

	memset(sessions, 0, sizeof(sessions));
	for (i = 0; i < 4; i++) {
		sessions[i].links.next = sessions[i].links.prev = &sessions[i].links;
		sessions[i].privileged = true;
		sessions[i].on_task = true;
		sessions[i].counters = 3;
	}
	return 0;
}

static int stop(void **state)
{
	struct link *link;
	unsigned long flags;

	raw_spin_lock_irqsave(&pmuctl_links_lock, flags);
	while (pmuctl_links[0].first) {
		link = core_entry(pmuctl_links[0].first, link, node);
		pmuctl_link_remove(link);
	}
	raw_spin_unlock_irqrestore(&pmuctl_links_lock, flags);
	pmuctl_links_bury();
	assert_int_equal(charged, 0);
	assert_int_equal(memory, 0);
	return 0;
}

static struct link *link_of(unsigned int i, struct task_struct *to, enum pmuctl_add wanted)
{
	struct link *link;
	enum pmuctl_add result;

	assert_int_equal(pmuctl_link_new(&sessions[i], to, &link), PMUCTL_ADDED);
	result = pmuctl_link_add(link, NULL);
	assert_int_equal(result, wanted);
	if (result == PMUCTL_ADDED)
		return link;
	pmuctl_link_free(link);
	return NULL;
}

static void unlink_it(struct link *link)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&pmuctl_links_lock, flags);
	pmuctl_link_remove(link);
	raw_spin_unlock_irqrestore(&pmuctl_links_lock, flags);
}

static void same_counters_are_in_the_way(void **state)
{
	link_of(0, &task, PMUCTL_ADDED);
	link_of(0, &task, PMUCTL_PRESENT);
	link_of(1, &task, PMUCTL_IN_THE_WAY);
	link_of(1, &other_task, PMUCTL_ADDED);
	sessions[2].counters = 4;
	link_of(2, &task, PMUCTL_ADDED);
}

/* They never meet on a CPU. */
static void other_kinds_are_not(void **state)
{
	sessions[1].kind = 1;
	sessions[2].kind = 1;
	link_of(0, &task, PMUCTL_ADDED);
	link_of(1, &task, PMUCTL_ADDED);
	link_of(2, &task, PMUCTL_IN_THE_WAY);
}

/* A switch looks at the flag and at nothing else where the link is the only one of its kind. */
static void plain_is_the_only_one_of_its_kind(void **state)
{
	struct link *first, *second, *third;

	sessions[1].kind = 1;
	sessions[2].counters = 4;
	first = link_of(0, &task, PMUCTL_ADDED);
	assert_true(first->plain);
	assert_true(task.flags);
	second = link_of(1, &task, PMUCTL_ADDED);
	assert_true(first->plain && second->plain);
	/* Another of the first one's kind. */
	third = link_of(2, &task, PMUCTL_ADDED);
	assert_false(first->plain || third->plain);
	assert_true(second->plain);
	/* Of another task: nothing to do with these. */
	link_of(3, &other_task, PMUCTL_ADDED);
	assert_true(second->plain);
	unlink_it(first);
	assert_true(third->plain);
	unlink_it(third);
	unlink_it(second);
	assert_false(task.flags);
}

static void plain_goes_and_is_not_watched(void **state)
{
	struct link *first, *second;

	sessions[1].kind = 1;
	sessions[1].privileged = false;
	first = link_of(0, &task, PMUCTL_ADDED);
	second = link_of(1, &task, PMUCTL_ADDED);
	assert_true(first->plain);
	assert_false(second->plain);
	first->armed = WAITS_FOR_EXEC;
	pmuctl_links_look_at(&task);
	assert_false(first->plain);
	first->armed = GO;
	pmuctl_links_look_at(&task);
	assert_true(first->plain);
}

/* Of a session for another kind of core: one phase of the task's, whoever counts it. */
static void phases_are_those_beside(void **state)
{
	struct link *first, *second;

	sessions[1].kind = 1;
	sessions[0].nr_phases = sessions[1].nr_phases = 2;
	sessions[1].phases_beside = true;
	sessions[1].beside = &sessions[0];
	second = link_of(1, &task, PMUCTL_ADDED);
	/* Of a task that the first one does not count nobody keeps it. */
	assert_null(pmuctl_phases_beside(&task, &sessions[1]));
	/* The second one has no room for any. */
	assert_int_equal(memory, sizeof(struct link));
	first = link_of(0, &task, PMUCTL_ADDED);
	assert_int_equal(memory, 2 * sizeof(struct link) + 2 * sizeof(struct pmuctl_phase));
	assert_ptr_equal(pmuctl_phases_beside(&task, &sessions[1]), first->phase);
	assert_null(pmuctl_phases_beside(&other_task, &sessions[1]));
	unlink_it(first);
	assert_null(pmuctl_phases_beside(&task, &sessions[1]));
	/* The first one has ended. */
	link_of(0, &task, PMUCTL_ADDED);
	sessions[1].beside = NULL;
	assert_null(pmuctl_phases_beside(&task, &sessions[1]));
	unlink_it(second);
}

#define LINKS(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LINKS(same_counters_are_in_the_way),
		LINKS(other_kinds_are_not),
		LINKS(plain_is_the_only_one_of_its_kind),
		LINKS(plain_goes_and_is_not_watched),
		LINKS(phases_are_those_beside),
	};

	return cmocka_run_group_tests_name("links", tests, NULL, NULL);
}
