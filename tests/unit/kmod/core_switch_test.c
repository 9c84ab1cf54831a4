// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose samples, records and branches are as tasks and sessions come and go on a CPU.
 */
#include "tests/unit/kmod/core_whole.h"

/* --- whose it is --- */

/* Records wait in the buffer: those of the one that goes are still its own. */
static void samples_of_a_cpu_are_of_who_was_there(bool precise)
{
	session_of(100, precise, false);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	happen(550);
	switch_to(&b, false, false);
	happen(330);
	/* By interrupt there is one as soon as it is due, of records none yet. */
	drain();
	assert_int_equal(got.samples[0], 5);
	assert_int_equal(got.samples[1], precise ? 0 : 3);
	switch_to(&a, false, false);
	happen(250);
	switch_to(&b, false, false);
	happen(90);
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	drain();
	assert_int_equal(got.strangers, 0);
	assert_int_equal(got.samples[0], 3);
	assert_int_equal(got.samples[1], precise ? 3 + 1 : 1);
	assert_int_equal(values()[0], 1220);
}

static void samples_of_a_cpu(void **state)
{
	samples_of_a_cpu_are_of_who_was_there(false);
}

static void records_of_a_cpu(void **state)
{
	samples_of_a_cpu_are_of_who_was_there(true);
}

/* Each of them has a sample every so many events of its own. */
static void samples_of_tasks_are_by_task(bool precise)
{
	session_of(100, precise, true);
	want(&a, true, false);
	/* Each switch has to be looked at. */
	assert_null(pmuctl_lasting);
	happen(550);
	switch_to(&b, true, false);
	happen(330);
	switch_to(&a, true, false);
	happen(270);
	/* Nobody's, and nobody counts it. */
	switch_to(&b, false, false);
	happen(10000);
	happened[1] -= 10000;
	switch_to(&b, true, false);
	happen(90);
	switch_to(&a, false, false);
	drain();
	assert_int_equal(got.strangers, 0);
	assert_int_equal(got.samples[0], happened[0] / 100);
	assert_int_equal(got.samples[1], happened[1] / 100);
	assert_int_equal(values()[0], happened[0] + happened[1]);
	assert_int_equal(phases[0][0].left, 80);
	assert_int_equal(phases[1][0].left, 80);
}

static void samples_of_tasks(void **state)
{
	samples_of_tasks_are_by_task(false);
}

static void records_of_tasks(void **state)
{
	samples_of_tasks_are_by_task(true);
}

/* A session follows one of them, a second one its CPU, by records as well. */
static void a_task_beside_a_cpu(void **state)
{
	session_of(100, true, false);
	another(70, true, true);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	want(&a, false, true);
	happen(550);
	switch_to(&b, false, false);
	happen(550);
	switch_to(&a, false, true);
	happen(550);
	switch_to(&b, false, false);
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	drain();
	assert_int_equal(got.strangers, 0);
	assert_int_equal(got.events[0], 16);
	assert_int_equal(got.events[1], 1100 / 70);
	assert_int_equal(values()[0], 1650);
	assert_int_equal(others_value()[0], 1100);
	/* Each in its own time. */
	assert_int_equal(of.on.counts.cell[0], 1650 * NS);
	assert_int_equal(other.on.counts.cell[0], 1100 * NS);
}

/* Threads of one program: nothing is done between them, and nothing is missing. */
static void between_two_of_one_session_nothing_is_done(void **state)
{
	session_of(0, false, true);
	want(&a, true, false);
	hw.enables = 0;
	happen(100);
	switch_to(&b, true, false);
	happen(100);
	assert_int_equal(hw.enables, 0);
	assert_ptr_equal(pmuctl_lasting, &of.session);
	switch_to(&a, false, false);
	assert_null(pmuctl_lasting);
	happen(100);
	assert_int_equal(values()[0], 200);
	assert_int_equal(of.on.counts.cell[0], 200 * NS);
}

/* Each by the numbers that its owner knows. */
static void as_the_owners_namespace_has_them(void **state)
{
	const struct pmuctl_sample *sample;

	session_of(10, false, false);
	of.session.in_init_ns = false;
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	happen(10);
	sample = first_sample();
	assert_int_equal(sample->pid, 1010);
	assert_int_equal(sample->tid, 1011);
}

/* --- whose branches --- */

static void branches_wanted(struct pmuctl_event *event)
{
	event->content = PMUCTL_CONTENT_BRANCHES;
	event->lbr = PMUCTL_EVENT_USER;
	event->room = pmuctl_sample_room(event->content, 0);
}

struct with_branches {
	struct pmuctl_sample sample;
	u64 n;
	struct pmuctl_branch branch[PMUCTL_LBR_MAX];
};

/* The only sample's: so many, all of them there. */
static void branches_are(unsigned int n, u64 from)
{
	const struct with_branches *at = (const void *)first_sample();
	unsigned int i;

	assert_int_equal(at->sample.record.type, PMUCTL_RECORD_SAMPLE);
	assert_int_equal(at->n, n);
	for (i = 0; i < n; i++)
		assert_int_equal(at->branch[i].from, from);
	assert_int_equal(at->sample.record.size,
			 sizeof(at->sample) + 8 + n * sizeof(at->branch[0]));
	ring->tail += at->sample.record.size;
	assert_int_equal(ring->tail, ring->head);
}

static void branch_often(unsigned int n)
{
	while (n--)
		branch_at(place());
}

static void branches_behind_a_switch(bool on_task, bool precise)
{
	session_of(10, precise, on_task);
	branches_wanted(&of.event[0]);
	/* Before anybody recorded them. */
	branch_often(3);
	if (on_task)
		want(&a, true, false);
	else
		pmuctl_cpu_add(pmuctl_cpus, &of.session);
	branch_often(5);
	/* The record of an event waits for the next: nothing branches in between. */
	happen(10);
	branches_are(5, 0x1000 * a.pid);
	/* What was before its last sample is its own as well. */
	branch_often(2);
	switch_to(&b, on_task, false);
	branch_often(2);
	happen(10);
	branches_are(2, 0x1000 * b.pid);
	switch_to(&a, on_task, false);
	happen(10);
	branches_are(0, 0);
}

static void branches_of_a_cpus_tasks(void **state)
{
	branches_behind_a_switch(false, false);
}

static void branches_of_tasks(void **state)
{
	branches_behind_a_switch(true, false);
}

static void branches_of_a_cpus_records(void **state)
{
	pmuctl_caps.pebs_format = 3;
	branches_behind_a_switch(false, true);
}

static void branches_of_tasks_records(void **state)
{
	branches_behind_a_switch(true, true);
}

/* Another session has them on already: those of one that comes begin with it. */
static void branches_begin_with_the_session(void **state)
{
	session_of(1000, false, false);
	branches_wanted(&of.event[0]);
	another(10, false, false);
	branches_wanted(&other.event);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	branch_often(5);
	pmuctl_cpu_add(pmuctl_cpus, &other.session);
	branch_often(1);
	happen(10);
	branches_are(1, 0x1000 * a.pid);
}

/* Two that overflow at once have the same; the next interrupt has new ones. */
static void branches_are_read_once_an_interrupt(void **state)
{
	session_of(10, false, false);
	branches_wanted(&of.event[0]);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	branch_often(2);
	happen(10);
	branches_are(2, 0x1000 * a.pid);
	branch_often(1);
	happen(10);
	branches_are(3, 0x1000 * a.pid);
}

/* --- asked while it runs, taken off, forgotten --- */

/* Records that wait are in what is added up, and nothing is added twice. */
static void asked_while_it_runs(bool precise)
{
	unsigned int i;

	session_of(100, precise, false);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	for (i = 1; i <= 20; i++) {
		happen(130);
		pmuctl_cpu_fold(&of.session);
		assert_int_equal(values()[0], 130 * i);
		assert_int_equal(of.on.counts.cell[0], 130 * i * NS);
		assert_true(pmuctl_cpus->regs.enabled == 1);
	}
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], 26);
	assert_int_equal(got.periods[0], 2600);
}

static void counts_while_it_runs(void **state)
{
	asked_while_it_runs(false);
}

static void records_while_it_runs(void **state)
{
	asked_while_it_runs(true);
}

/* One goes from the midst of several: the others stay. */
static void others_stay_when_one_goes(void **state)
{
	two_on_this_cpu();
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	happen(10);
	assert_int_equal(pmuctl_cpus->nr_cpu, 1);
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	assert_int_equal(pmuctl_cpus->nr_cpu, 1);
	pmuctl_cpu_remove(pmuctl_cpus, &other.session);
	assert_int_equal(pmuctl_cpus->nr_cpu, 0);
	assert_true(pmuctl_cpus->regs.enabled == 0);
	assert_int_equal(values()[0], 10);
	assert_int_equal(others_value()[0], 20);
}

/* Its counter is another's then, from where it stands. */
static void nothing_is_left_of_what_is_forgotten(void **state)
{
	LIST_HEAD(gone);

	session_of(0, false, false);
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	happen(10);
	pmuctl_cpu_remove(pmuctl_cpus, &of.session);
	list_add_tail(&of.session.node, &gone);
	pmuctl_cpu_forget(&gone);
	assert_null(pmuctl_cpus->slot[0].event);
	assert_null(pmuctl_cpus->slot[0].value);
	another(0, false, false);
	other.event.slot = other.event.counter = 0;
	other.set.counters = 1;
	pmuctl_cpu_add(pmuctl_cpus, &other.session);
	happen(7);
	pmuctl_cpu_remove(pmuctl_cpus, &other.session);
	assert_int_equal(others_value()[0], 7);
	assert_int_equal(values()[0], 10);
}

/* The CPU goes: tasks' and its own, all off and added up. */
static void cleared(void **state)
{
	session_of(0, false, true);
	another(0, false, false);
	want(&a, true, false);
	pmuctl_cpu_add(pmuctl_cpus, &other.session);
	happen(10);
	pmuctl_cpu_clear(pmuctl_cpus);
	assert_int_equal(pmuctl_cpus->nr_task + pmuctl_cpus->nr_cpu, 0);
	assert_true(pmuctl_cpus->regs.enabled == 0);
	assert_int_equal(values()[0], 10);
	assert_int_equal(others_value()[0], 10);
	assert_int_equal(pmuctl_cpus->timer_at, 0);
}

/* Whoever comes when nothing is held is told. */
static void incomplete_where_it_is_not_held(void **state)
{
	session_of(0, false, false);
	pmuctl_cpus->held = false;
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	assert_true(of.session.trouble.counter & PMUCTL_COUNT_INCOMPLETE);
	assert_int_equal(pmuctl_cpus->nr_cpu, 0);
}

/* The CPU has come back as one of other cores than the session is for. */
static void incomplete_on_another_kind(void **state)
{
	session_of(0, false, false);
	of.session.kind = 1;
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	assert_true(of.session.trouble.counter & PMUCTL_COUNT_INCOMPLETE);
	assert_int_equal(pmuctl_cpus->nr_cpu, 0);
	pmuctl_kind_of_cpu = 1;
	of.session.trouble.counter = 0;
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	assert_false(of.session.trouble.counter & PMUCTL_COUNT_INCOMPLETE);
	assert_int_equal(pmuctl_cpus->nr_cpu, 1);
	pmuctl_kind_of_cpu = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WHOLE(samples_of_a_cpu),
		WHOLE(records_of_a_cpu),
		WHOLE(samples_of_tasks),
		WHOLE(records_of_tasks),
		WHOLE(a_task_beside_a_cpu),
		WHOLE(between_two_of_one_session_nothing_is_done),
		WHOLE(as_the_owners_namespace_has_them),
		WHOLE(branches_of_a_cpus_tasks),
		WHOLE(branches_of_tasks),
		WHOLE(branches_of_a_cpus_records),
		WHOLE(branches_of_tasks_records),
		WHOLE(branches_begin_with_the_session),
		WHOLE(branches_are_read_once_an_interrupt),
		WHOLE(counts_while_it_runs),
		WHOLE(records_while_it_runs),
		WHOLE(others_stay_when_one_goes),
		WHOLE(nothing_is_left_of_what_is_forgotten),
		WHOLE(cleared),
		WHOLE(incomplete_where_it_is_not_held),
		WHOLE(incomplete_on_another_kind),
	};

	return cmocka_run_group_tests_name("core switches", tests, NULL, NULL);
}
