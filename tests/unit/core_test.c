// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's core on one CPU, with a backend whose registers the test writes: fields
 * of PERF_METRICS, interrupts that come at a bad time, PEBS around guests and without
 * an area.
 */
#include "core_host.h"

/* --- PERF_METRICS --- */

static void fields_share_the_slots(void **state)
{
	with_metrics(1);
	run_on();
	/* From 0, wherever the counter was before. */
	assert_int_equal(hw.clears, 1);
	hold(1000, 0x00403f80);
	pmuctl_run_off(&pmuctl_cpu, &of.run, 10);
	assert_int_equal(values()[0], 1000);
	assert_int_equal(values()[1], 1000 * 0x80 / 255);
	assert_int_equal(values()[2], 1000 * 0x3f / 255);
	assert_int_equal(values()[3], 1000 * 0x40 / 255);
	assert_int_equal(values()[4], 0);
	/* One reading, one pair of writes; and on again there is nothing to write. */
	assert_int_equal(hw.reads_of_fields, 1);
	assert_int_equal(hw.clears, 2);
	assert_int_equal(hw.enables, 0);
	run_on();
	assert_int_equal(hw.clears, 2);
}

static void what_is_left_over_counts_later(void **state)
{
	unsigned int i;

	with_metrics(1);
	run_on();
	for (i = 0; i < 255; i++) {
		hold(1, 0x55aa0001);
		pmuctl_run_fold(&pmuctl_cpu, &of.run, 0);
	}
	assert_int_equal(values()[0], 255);
	assert_int_equal(values()[1], 1);
	assert_int_equal(values()[2], 0);
	assert_int_equal(values()[3], 0xaa);
	assert_int_equal(values()[4], 0x55);
}

static void nothing_is_read_of_no_slots(void **state)
{
	with_metrics(1);
	run_on();
	pmuctl_run_off(&pmuctl_cpu, &of.run, 0);
	assert_int_equal(hw.reads_of_fields, 0);
	assert_int_equal(hw.clears, 1);
}

/* A group's counters stand still while it is read, and go on. */
static void stopped_while_read(void **state)
{
	with_metrics(1);
	run_on();
	pmuctl_cpu.regs.enabled = of.run.counters | 1;
	hold(1000, 0xff);
	pmuctl_run_fold(&pmuctl_cpu, &of.run, 0);
	assert_int_equal(hw.enables, 2);
	assert_true(hw.enabled[0] == 1);
	assert_true(hw.enabled[1] == (of.run.counters | 1));
	assert_int_equal(values()[1], 1000);
}

static void sets_that_take_turns(void **state)
{
	unsigned int turn;

	with_metrics(2);
	run_on();
	for (turn = 0; turn < 6; turn++) {
		hold(255 * 10, 0x40403f40);
		pmuctl_run_turn(&pmuctl_cpu, &of.run, 100 * (turn + 1));
		assert_true(of.run.counters == UINT64_C(0x1000800000000));
	}
	assert_int_equal(values()[0], 3 * 2550);
	assert_int_equal(values()[1], 3 * 640);
	assert_int_equal(values()[5], 3 * 2550);
	assert_int_equal(values()[7], 3 * 630);
	/* Each time another event's slots come on. */
	assert_int_equal(hw.clears, 1 + 2 * 6);
}

/* What was kept of the last branches would be the next turn's. */
static void a_set_without_branches_drops_them(void **state)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		of.set[i] = (struct pmuctl_set){
			.first = i, .nr = 1, .counted = 1, .counters = 1,
		};
		add_event(i, 1, false, 0);
	}
	of.event[0].lbr = 1;
	of.session.nr_sets = 2;
	of.session.rotates = true;
	of.on.counts.left = 1;
	run_on();
	assert_int_equal(pmuctl_cpu.regs.lbr, 1);
	pmuctl_run_turn(&pmuctl_cpu, &of.run, 100);
	assert_int_equal(pmuctl_cpu.regs.lbr, 0);
	assert_int_equal(hw.drops, 1);
	pmuctl_run_turn(&pmuctl_cpu, &of.run, 200);
	assert_int_equal(pmuctl_cpu.regs.lbr, 1);
	assert_int_equal(hw.drops, 1);
}

static void a_round_of_the_counter_is_not_lost(void **state)
{
	u64 round = MASK + 1, all;

	with_metrics(1);
	run_on();
	pmuctl_cpu.regs.enabled = of.run.counters;
	hw.status = UINT64_C(1) << SLOTS;
	hold(255, 0x000000ff);
	assert_int_equal(pmuctl_cpu_overflow(&pmuctl_cpu, NULL, false), 1);
	all = round + 255;
	assert_true(values()[0] == all);
	assert_true(values()[1] == all);
	assert_int_equal(hw.rearmed, 0);
	/* The register's own overflow: it is read in time. */
	hw.status = UINT64_C(1) << 48;
	hold(510, 0x0000ff00);
	assert_int_equal(pmuctl_cpu_overflow(&pmuctl_cpu, NULL, false), 1);
	assert_true(values()[0] == all + 510);
	assert_true(values()[2] == 510);
	assert_true(hw.counter[SLOTS_SLOT] == 0);
}

/* A session of slots alone: the counter begins in the middle. */
static void slots_alone_are_like_any_counter(void **state)
{
	of.set[0] = (struct pmuctl_set){ .nr = 1, .counters = UINT64_C(1) << SLOTS };
	add_event(0, UINT64_C(1) << SLOTS, false, SLOTS);
	of.session.nr_sets = 1;
	assert_int_equal(pmuctl_metrics_build(&of.session, NULL), 0);
	assert_false(of.session.odd);
	pmuctl_cpu.slot[SLOTS_SLOT].last = START;
	run_on();
	hw.status = UINT64_C(1) << SLOTS;
	hw.counter[SLOTS_SLOT] = 5;
	assert_int_equal(pmuctl_cpu_overflow(&pmuctl_cpu, NULL, false), 1);
	assert_true(values()[0] == START + 5);
	assert_int_equal(hw.rearmed, 1);
	assert_int_equal(hw.clears, 0);
	assert_int_equal(hw.reads_of_fields, 0);
}

static bool says_disturbed(u64 slots, u64 fields)
{
	of.session.trouble.counter = 0;
	hold(slots, fields);
	pmuctl_run_fold(&pmuctl_cpu, &of.run, 0);
	return of.session.trouble.counter & PMUCTL_COUNT_DISTURBED;
}

static void tells_who_wrote_the_fields(void **state)
{
	with_metrics(1);
	run_on();
	assert_false(says_disturbed(1000000, 0x40403f40));
	/* Rounded each by itself. */
	assert_false(says_disturbed(1000000, 0x40404040));
	assert_true(says_disturbed(1000000, 0));
	assert_true(says_disturbed(1000000, 0x80808080));
	/* Of a few slots the fields say little. */
	assert_false(says_disturbed(10, 0));
}

/* --- interrupts at a bad time --- */

static void sampled(unsigned int slot, u64 period, u32 precise)
{
	struct pmuctl_slot *s = &pmuctl_cpu.slot[slot];

	of.session.ring_size = 1;
	of.session.nr_phases = 1;
	add_event(0, 1ull << slot, false, slot);
	of.event[0].sampled = true;
	of.event[0].period = period;
	of.event[0].precise = precise;
	of.event[0].flags = PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL;
	s->event = &of.event[0];
	s->value = values();
	s->phase = (struct pmuctl_phase){ .left = period, .period = period };
	s->last = arm(slot, period);
	pmuctl_cpu.regs.enabled = 1ull << slot;
}

static void nmi(u64 ip)
{
	struct pt_regs regs = { .ip = ip, .cs = 3 };

	core_lvtpc = APIC_DM_NMI | APIC_LVT_MASKED;
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_HANDLED);
}

/* Ours mask it when they are delivered. */
static void somebody_elses_nmi(int answer)
{
	struct pt_regs regs = { .ip = 0x4444 };

	assert_int_equal(core_nmi(NMI_LOCAL, &regs), answer);
}

static void the_first_of_two_while_busy_says_where(void **state)
{
	pmuctl_pmi_register();
	sampled(0, 100, 0);
	hw.counter[0] = 3;
	hw.status = 1;
	pmuctl_busy_begin(&pmuctl_cpu);
	nmi(0x1111);
	somebody_elses_nmi(NMI_DONE);
	assert_int_equal(taken.n, 0);
	pmuctl_busy_end(&pmuctl_cpu);
	assert_int_equal(taken.n, 1);
	assert_int_equal(taken.ip[0], 0x1111);
	assert_false(pmuctl_cpu.missed);
	assert_false(pmuctl_cpu.busy);
}

/* An event that interrupts with each instruction would let none of those be that are busy. */
static void no_second_one_while_busy(void **state)
{
	pmuctl_pmi_register();
	sampled(0, 100, 0);
	hw.counter[0] = 3;
	hw.status = 1;
	pmuctl_busy_begin(&pmuctl_cpu);
	nmi(0x1111);
	assert_int_equal(core_lvtpc, APIC_DM_NMI | APIC_LVT_MASKED);
	pmuctl_busy_end(&pmuctl_cpu);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
	/* When not busy, whoever handles it lets the next one through. */
	hw.counter[0] = 3;
	hw.status = 1;
	nmi(0x2222);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
	assert_int_equal(taken.n, 2);
	somebody_elses_nmi(NMI_DONE);
}

/* That an earlier one is masked says nothing of who sent this one. */
static void not_ours_while_busy(void **state)
{
	pmuctl_pmi_register();
	sampled(0, 100, 0);
	pmuctl_busy_begin(&pmuctl_cpu);
	somebody_elses_nmi(NMI_DONE);
	nmi(0x1111);
	assert_int_equal(pmuctl_cpu.missed_at.ip, 0x1111);
	somebody_elses_nmi(NMI_DONE);
	pmuctl_pmi_expect(&pmuctl_cpu, 1);
	somebody_elses_nmi(NMI_HANDLED);
	somebody_elses_nmi(NMI_DONE);
	pmuctl_busy_end(&pmuctl_cpu);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
	/* And the next time the mask says again that it is ours. */
	pmuctl_busy_begin(&pmuctl_cpu);
	nmi(0x1111);
	pmuctl_busy_end(&pmuctl_cpu);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
}

/* Between the end of a busy one and its going on. */
static void somebody_elses_at_the_end(void **state)
{
	pmuctl_pmi_register();
	sampled(0, 100, 0);
	pmuctl_busy_begin(&pmuctl_cpu);
	nmi(0x1111);
	pmuctl_cpu.busy = false;
	somebody_elses_nmi(NMI_DONE);
	pmuctl_busy_missed(&pmuctl_cpu);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
}

/* P6: nothing tells one from another's, and each may come. */
static void all_are_ours_where_none_need_mask(void **state)
{
	pmuctl_caps.lvtpc_stays = true;
	pmuctl_pmi_register();
	sampled(0, 100, 0);
	hw.counter[0] = 3;
	hw.status = 1;
	pmuctl_busy_begin(&pmuctl_cpu);
	somebody_elses_nmi(NMI_HANDLED);
	nmi(0x1111);
	somebody_elses_nmi(NMI_HANDLED);
	pmuctl_busy_end(&pmuctl_cpu);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
	assert_int_equal(taken.n, 1);
}

static void wrap(void)
{
	hw.during = NULL;
	hw.counter[0] = 1;
}

static void one_more(void)
{
	hw.during = wrap;
	nmi(0x3333);
	hw.status = 1;
}

/*
 * One that comes while a missed one is handled has a place of its own.  Only another's
 * lets one through then.
 */
static void one_that_comes_while_one_is_handled(void **state)
{
	pmuctl_pmi_register();
	sampled(0, 100, 0);
	hw.counter[0] = 3;
	hw.status = 1;
	pmuctl_busy_begin(&pmuctl_cpu);
	somebody_elses_nmi(NMI_DONE);
	hw.during = one_more;
	pmuctl_busy_end(&pmuctl_cpu);
	assert_false(pmuctl_cpu.missed);
	assert_int_equal(pmuctl_cpu.at ? 1 : 0, 0);
	assert_int_equal(taken.n, 2);
	assert_int_equal(taken.ip[0], 0x4444);
	assert_int_equal(taken.ip[1], 0x3333);
	/* Nothing is left that nobody looks at. */
	assert_int_equal(hw.status, 0);
}

static void nothing_of_ours_is_left_to_others(void **state)
{
	struct pt_regs regs = { .ip = 1 };

	pmuctl_pmi_register();
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_DONE);
	pmuctl_cpu.held = false;
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_DONE);
	/* Just given back: one may be on its way. */
	pmuctl_pmi_expect(&pmuctl_cpu, 1);
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_HANDLED);
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_DONE);
}

/* An NMI that finds nothing within a moment of what it was for, and after. */
static void what_comes_much_later_is_somebody_elses(void **state)
{
	struct pt_regs regs = { .ip = 1 };

	pmuctl_pmi_register();
	pmuctl_pmi_expect(&pmuctl_cpu, 2);
	core_ns += 900000;
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_HANDLED);
	core_ns += 200000;
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_DONE);
	/* And so is the next one, even if time stood still. */
	core_ns -= 200000;
	assert_int_equal(core_nmi(NMI_LOCAL, &regs), NMI_DONE);
}

/* --- PEBS --- */

#define RECORD 200			/* format 3 */
#define RECORDS 16

static u64 buffer[RECORDS * RECORD / sizeof(u64)];

static void with_area(void)
{
	ds = (struct pmuctl_ds){ .area = &area, .records = buffer, .size = sizeof(buffer) };
	area.pebs_buffer_base = 0x1000;
	area.pebs_index = 0x1000;
}

static void record(u64 ip)
{
	u64 *at = (void *)((char *)buffer + (area.pebs_index - area.pebs_buffer_base));

	memset(at, 0, RECORD);
	at[0x90 / 8] = 1;		/* counter 0 */
	at[0xb0 / 8] = ip;
	area.pebs_index += RECORD;
}

static void precise(u64 period)
{
	with_area();
	sampled(0, period, 2);
	pmuctl_cpu.regs.pebs = 1;
	pmuctl_cpu.slot[0].last = pmuctl_pebs_arm(&pmuctl_cpu, 0);
}

/* It overflowed in a guest: without a new start it would never record again. */
static void armed_anew_behind_a_guest(void **state)
{
	precise(1000);
	pmuctl_cpu.regs.pebs_paused = true;
	hw.counter[0] = 500;
	pmuctl_cpu_resume_pebs(&pmuctl_cpu);
	assert_true(hw.resumed);
	assert_false(pmuctl_cpu.regs.pebs_paused);
	/* 1499 events have passed: 501 are left, of which the last is recorded. */
	assert_true(hw.counter[0] == (-UINT64_C(500) & MASK));
	assert_int_equal(pmuctl_cpu.slot[0].phase.left, 501);
	assert_int_equal(values()[0], 1499);
	assert_int_equal(taken.n, 0);
	assert_true(pmuctl_cpu.regs.enabled == 1);
	assert_int_equal(hw.enables, 2);
	assert_true(hw.enabled[0] == 0);
}

static void goes_on_behind_a_guest(void **state)
{
	precise(1000);
	pmuctl_cpu.regs.pebs_paused = true;
	hw.counter[0] = -UINT64_C(400) & MASK;
	pmuctl_cpu_resume_pebs(&pmuctl_cpu);
	assert_int_equal(hw.resumed, 1);
	assert_true(hw.counter[0] == (-UINT64_C(400) & MASK));
	assert_int_equal(hw.enables, 0);
}

/* A CPU came back from sleep without its area: counted, said, not recorded. */
static void incomplete_without_an_area(void **state)
{
	sampled(0, 1000, 2);
	assert_true(pmuctl_pebs_arm(&pmuctl_cpu, 0) == START);
	assert_int_equal(hw.rearmed, 1);
	assert_true(of.session.trouble.counter & PMUCTL_COUNT_INCOMPLETE);
	assert_false(pmuctl_pebs_pending());
}

/* The last room is taken: the hardware may have lost what came then. */
static void a_full_buffer_is_an_overrun(void **state)
{
	const unsigned int room = 4;
	unsigned int i;

	precise(1000);
	ds.size = room * RECORD;
	for (i = 1; i < room; i++)
		record(0x401000);
	hw.counter[0] = -UINT64_C(999) & MASK;
	pmuctl_cpu_drain(&pmuctl_cpu);
	assert_int_equal(overruns, 0);
	assert_false(of.session.trouble.counter);
	for (i = 0; i < room; i++)
		record(0x401000);
	pmuctl_cpu_drain(&pmuctl_cpu);
	assert_int_equal(overruns, 1);
	assert_true(of.session.trouble.counter & PMUCTL_COUNT_INCOMPLETE);
}

static void records_are_samples(void **state)
{
	precise(1000);
	record(0x401000);
	record(0x402000);
	hw.counter[0] = -UINT64_C(999) & MASK;
	pmuctl_cpu_drain(&pmuctl_cpu);
	assert_int_equal(taken.n, 2);
	assert_int_equal(taken.ip[1], 0x402000);
	assert_int_equal(taken.period[0], 1000);
	assert_true(area.pebs_index == area.pebs_buffer_base);
	pmuctl_fold_slot(&pmuctl_cpu.slot[0], 0);
	assert_int_equal(values()[0], 2000);
	assert_int_equal(pmuctl_cpu.slot[0].phase.left, 1000);
}

/* Not every Pentium 4 has LSTAR: it is read for records that may name what is behind. */
static void system_calls_are_told_apart_where_records_are_late(void **state)
{
	precise(1000);
	record(0x401000);
	pmuctl_cpu_drain(&pmuctl_cpu);
	assert_int_equal(taken.n, 1);
	assert_int_equal(hw.reads_of_lstar, 0);
	pmuctl_caps.pebs_format = 1;
	record(0x401000);
	pmuctl_cpu_drain(&pmuctl_cpu);
	assert_int_equal(taken.n, 2);
	assert_int_equal(hw.reads_of_lstar, 1);
}

/* By frequency the hardware repeats no short period: it is written each time. */
static void short_periods_are_not_repeated(void **state)
{
	precise(64);
	of.event[0].period = 0;
	of.event[0].freq = 1000;
	pmuctl_cpu.slot[0].last = pmuctl_pebs_arm(&pmuctl_cpu, 0);
	assert_true(hw.counter[0] == (-UINT64_C(63) & MASK));
	assert_true(area.pebs_event_reset[0] == (-UINT64_C(4095) & MASK));
	assert_true(area.pebs_interrupt_threshold == area.pebs_buffer_base + RECORD);
	/* 64 events took a second: 1 would have been right. */
	core_ns += NSEC_PER_SEC;
	record(0x401000);
	hw.counter[0] = -UINT64_C(4095) & MASK;
	pmuctl_cpu_drain(&pmuctl_cpu);
	assert_int_equal(taken.period[0], 64);
	assert_int_equal(values()[0], 64);
	assert_true(area.pebs_event_reset[0] == (-UINT64_C(4095) & MASK));
	assert_in_range(pmuctl_cpu.slot[0].phase.period, 1, 63);
	assert_true(hw.counter[0] > (-UINT64_C(63) & MASK));
	assert_int_equal(hw.counter[0], pmuctl_cpu.slot[0].last);
	/* And from there by the counter alone: what was promised is what comes. */
	assert_int_equal(pmuctl_cpu.slot[0].phase.left, pmuctl_cpu.slot[0].phase.period);
}

/* An event a nanosecond, for so long of each 10 ms: the samples of the next `all` ns. */
static unsigned int samples_of_bursts(u64 burst, u64 all)
{
	struct pmuctl_slot *slot = &pmuctl_cpu.slot[0];
	u64 end = core_ns + all, left, in, step;
	unsigned int n = 0;

	while (core_ns < end) {
		for (left = slot->phase.period; left; left -= step) {
			in = core_ns % (10 * NSEC_PER_MSEC);
			step = in < burst ? min(left, burst - in) : 0;
			core_ns += step ? step : 10 * NSEC_PER_MSEC - in;
		}
		slot->phase.period = pmuctl_period_next(&pmuctl_cpu, 0, slot->phase.period);
		n++;
	}
	return n;
}

/* Whether events come evenly or not; and what was long ago does not last. */
static void frequencies_are_kept(void **state)
{
	static const u64 bursts[] = { 10 * NSEC_PER_MSEC, 5 * NSEC_PER_MSEC, NSEC_PER_MSEC };
	static const u32 freqs[] = { 100, 1000, 4000, 50000 };
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(freqs); i++) {
		precise(64);
		of.event[0].period = 0;
		of.event[0].freq = freqs[i];
		for (k = 0; k < ARRAY_SIZE(bursts); k++) {
			samples_of_bursts(bursts[k], NSEC_PER_SEC);
			assert_in_range(samples_of_bursts(bursts[k], NSEC_PER_SEC),
					freqs[i] * 0.95, freqs[i] * 1.05);
		}
		/* Ten times as many from one moment to the next. */
		assert_in_range(samples_of_bursts(10 * NSEC_PER_MSEC, NSEC_PER_SEC),
				freqs[i] * 0.95, freqs[i] * 1.1 + 40);
	}
}

/* What was lately goes with the task: a new one has nothing of who was on the slot before. */
static void a_frequency_begins_anew(void **state)
{
	struct pmuctl_slot *slot = &pmuctl_cpu.slot[0];
	struct pmuctl_phase left = { 0 };

	precise(64);
	of.event[0].period = 0;
	of.event[0].freq = 1000;
	samples_of_bursts(10 * NSEC_PER_MSEC, NSEC_PER_SEC);
	pmuctl_period_off(&pmuctl_cpu, 0, &left, core_ns);
	pmuctl_period_on(&pmuctl_cpu, 0, NULL, core_ns);
	assert_int_equal(slot->phase.period, 64);
	core_ns += NSEC_PER_SEC;
	assert_int_equal(pmuctl_period_next(&pmuctl_cpu, 0, 64), 1);
	/* And whoever comes back goes on. */
	pmuctl_period_on(&pmuctl_cpu, 0, &left, core_ns);
	core_ns += NSEC_PER_MSEC;
	assert_in_range(pmuctl_period_next(&pmuctl_cpu, 0, 1000000), 990000, 1010000);
}

/* Room for what comes until the interrupt of a record is handled. */
static void room_behind_the_threshold(void **state)
{
	u64 record_at;

	precise(10007);
	record_at = (area.pebs_interrupt_threshold - area.pebs_buffer_base) / RECORD;
	assert_int_equal(record_at, RECORDS - RECORDS / 16 - 2);
	pmuctl_cpu.slot[0].phase = (struct pmuctl_phase){ .left = 1000, .period = 1000 };
	pmuctl_pebs_arm(&pmuctl_cpu, 0);
	record_at = (area.pebs_interrupt_threshold - area.pebs_buffer_base) / RECORD;
	assert_int_equal(record_at, RECORDS - RECORDS / 16 - 2 - 4);
	pmuctl_cpu.slot[0].phase = (struct pmuctl_phase){ .left = 10, .period = 10 };
	pmuctl_pebs_arm(&pmuctl_cpu, 0);
	record_at = (area.pebs_interrupt_threshold - area.pebs_buffer_base) / RECORD;
	assert_int_equal(record_at, 1);
}

#define TEST(name) cmocka_unit_test_setup(name, start)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(fields_share_the_slots),
		TEST(what_is_left_over_counts_later),
		TEST(nothing_is_read_of_no_slots),
		TEST(stopped_while_read),
		TEST(sets_that_take_turns),
		TEST(a_set_without_branches_drops_them),
		TEST(a_round_of_the_counter_is_not_lost),
		TEST(slots_alone_are_like_any_counter),
		TEST(tells_who_wrote_the_fields),
		TEST(the_first_of_two_while_busy_says_where),
		TEST(no_second_one_while_busy),
		TEST(not_ours_while_busy),
		TEST(somebody_elses_at_the_end),
		TEST(all_are_ours_where_none_need_mask),
		TEST(one_that_comes_while_one_is_handled),
		TEST(nothing_of_ours_is_left_to_others),
		TEST(what_comes_much_later_is_somebody_elses),
		TEST(armed_anew_behind_a_guest),
		TEST(goes_on_behind_a_guest),
		TEST(incomplete_without_an_area),
		TEST(a_full_buffer_is_an_overrun),
		TEST(records_are_samples),
		TEST(system_calls_are_told_apart_where_records_are_late),
		TEST(short_periods_are_not_repeated),
		TEST(frequencies_are_kept),
		TEST(a_frequency_begins_anew),
		TEST(room_behind_the_threshold),
	};

	return cmocka_run_group_tests_name("core", tests, NULL, NULL);
}
