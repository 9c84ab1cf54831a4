// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS: records of a played area, around guests and without one; periods by frequency.
 */
#include "tests/unit/kmod/core_host.h"

#include "kmod/hold/pebs_hold.h"
#include "kmod/sample/pebs_drain.h"

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
	pmuctl_cpus->regs.pebs = 1;
	pmuctl_cpus->slot[0].last = pmuctl_pebs_arm(pmuctl_cpus, 0);
}

/* It overflowed in a guest: without a new start it would never record again. */
static void armed_anew_behind_a_guest(void **state)
{
	precise(1000);
	pmuctl_cpus->regs.pebs_paused = true;
	hw.counter[0] = 500;
	pmuctl_cpu_resume_pebs(pmuctl_cpus);
	assert_true(hw.resumed);
	assert_false(pmuctl_cpus->regs.pebs_paused);
	/* 1499 events have passed: 501 are left, of which the last is recorded. */
	assert_true(hw.counter[0] == (-UINT64_C(500) & MASK));
	assert_int_equal(pmuctl_cpus->slot[0].phase.left, 501);
	assert_int_equal(values()[0], 1499);
	assert_int_equal(taken.n, 0);
	assert_true(pmuctl_cpus->regs.enabled == 1);
	assert_int_equal(hw.enables, 2);
	assert_true(hw.enabled[0] == 0);
}

static void goes_on_behind_a_guest(void **state)
{
	precise(1000);
	pmuctl_cpus->regs.pebs_paused = true;
	hw.counter[0] = -UINT64_C(400) & MASK;
	pmuctl_cpu_resume_pebs(pmuctl_cpus);
	assert_int_equal(hw.resumed, 1);
	assert_true(hw.counter[0] == (-UINT64_C(400) & MASK));
	assert_int_equal(hw.enables, 0);
}

/* A CPU came back from sleep without its area: counted, said, not recorded. */
static void incomplete_without_an_area(void **state)
{
	sampled(0, 1000, 2);
	assert_true(pmuctl_pebs_arm(pmuctl_cpus, 0) == START);
	assert_int_equal(hw.rearmed, 1);
	assert_true(of.session.trouble.counter & PMUCTL_COUNT_INCOMPLETE);
	assert_false(pmuctl_pebs_look().bytes);
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
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(overruns, 0);
	assert_false(of.session.trouble.counter);
	for (i = 0; i < room; i++)
		record(0x401000);
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(overruns, 1);
	assert_true(of.session.trouble.counter & PMUCTL_COUNT_INCOMPLETE);
}

static void records_are_samples(void **state)
{
	precise(1000);
	record(0x401000);
	record(0x402000);
	hw.counter[0] = -UINT64_C(999) & MASK;
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(taken.n, 2);
	assert_int_equal(taken.ip[1], 0x402000);
	assert_int_equal(taken.period[0], 1000);
	assert_true(area.pebs_index == area.pebs_buffer_base);
	pmuctl_fold_slot(&pmuctl_cpus->slot[0], 0);
	assert_int_equal(values()[0], 2000);
	assert_int_equal(pmuctl_cpus->slot[0].phase.left, 1000);
}

/* Of formats 1 and 2: the bits of GLOBAL_STATUS. */
static void record_names(u64 counters)
{
	u64 *at = (void *)((char *)buffer + (area.pebs_index - area.pebs_buffer_base));
	const unsigned int size = 0xb0;

	memset(at, 0, size);
	at[0x90 / 8] = counters;
	at[1] = 0x401000;
	area.pebs_index += size;
}

static void two_precise(void)
{
	struct pmuctl_slot *s = &pmuctl_cpus->slot[1];

	pmuctl_caps.pebs_format = 1;
	precise(10000);
	add_event(0, 2, false, 1);
	of.event[1].sampled = true;
	of.event[1].period = 10000;
	of.event[1].precise = 2;
	*s = pmuctl_cpus->slot[0];
	s->event = &of.event[1];
	s->value = values() + 1;
	pmuctl_cpus->regs.pebs = 3;
	s->last = pmuctl_pebs_arm(pmuctl_cpus, 1);
}

static void fold_both(void)
{
	pmuctl_fold_slot(&pmuctl_cpus->slot[0], 0);
	pmuctl_fold_slot(&pmuctl_cpus->slot[1], 1);
}

/* ... also of a counter without a record of its own there, which was set back to more. */
static void what_was_lost_takes_nothing_away(void **state)
{
	two_precise();
	pmuctl_caps.pebs_format = 3;
	ds.size = RECORD;
	pmuctl_cpus->slot[1].last = -UINT64_C(300) & MASK;
	hw.counter[1] = -UINT64_C(9900) & MASK;
	hw.counter[0] = pmuctl_cpus->slot[0].last;
	record(0x401000);
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(overruns, 2);
	fold_both();
	assert_int_equal(values()[1], 400);
	assert_int_equal(values()[0], 10000);
}

/* --- a buffer that is no debug store area --- */

static struct pmuctl_filled filled;
static unsigned int looks, empties;
static u32 limit, reload;

static struct pmuctl_filled look(const struct pmuctl_ds *unused)
{
	looks++;
	return filled;
}

static void empty(const struct pmuctl_ds *unused)
{
	empties++;
	filled = (struct pmuctl_filled){ };
}

static void set_limit(struct pmuctl_regs *regs, struct pmuctl_ds *unused, u32 bytes)
{
	limit = bytes;
}

static void set_reload(struct pmuctl_regs *regs, unsigned int slot, u32 value)
{
	reload = value;
}

static void by_index(u64 period)
{
	static const struct pmuctl_buffer buffer_verbs = {
		.look = look, .empty = empty, .limit = set_limit, .reload = set_reload,
	};
	static struct pmuctl_backend indexed;

	indexed = backend;
	indexed.buffer = &buffer_verbs;
	pmuctl_backend = &indexed;
	filled = (struct pmuctl_filled){ };
	looks = 0;
	empties = 0;
	pmuctl_caps.pebs_format = PEBS_ARCHITECTURAL;
	pmuctl_caps.pebs_most = BIT_ULL(31);
	ds = (struct pmuctl_ds){ .records = buffer, .size = sizeof(buffer) };
	sampled(0, period, 2);
	pmuctl_cpus->regs.pebs = 1;
	pmuctl_cpus->slot[0].last = pmuctl_pebs_arm(pmuctl_cpus, 0);
}

static void index_record(u64 ip)
{
	u64 *at = (void *)((char *)buffer + filled.bytes);

	memset(at, 0, 64);
	at[0] = BIT_ULL(63) | 64;
	at[2] = ip;
	at[3] = 1;
	filled.bytes += 64;
}

static void records_by_index_are_samples(void **state)
{
	by_index(1000);
	assert_true(reload == (u32)-999);
	assert_in_range(limit, 1, sizeof(buffer) - 1);
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(looks, 1);
	assert_int_equal(empties, 0);
	index_record(0x401000);
	index_record(0x402000);
	hw.counter[0] = -UINT64_C(999) & MASK;
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(empties, 1);
	assert_int_equal(taken.n, 2);
	assert_int_equal(taken.ip[1], 0x402000);
	assert_false(of.session.trouble.counter);
	pmuctl_fold_slot(&pmuctl_cpus->slot[0], 0);
	assert_int_equal(values()[0], 2000);
	/* What needs each record at once is due with the first byte. */
	of.event[0].random = 4;
	pmuctl_pebs_arm(pmuctl_cpus, 0);
	assert_int_equal(limit, 1);
	pmuctl_backend = &backend;
}

/* Behind a record is what is none: nobody knows what that was. */
static void what_is_no_record_is_told(void **state)
{
	by_index(1000);
	index_record(0x401000);
	filled.bytes += 16;
	hw.counter[0] = -UINT64_C(999) & MASK;
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(taken.n, 1);
	assert_int_equal(overruns, 1);
	assert_true(of.session.trouble.counter & PMUCTL_COUNT_INCOMPLETE);
	pmuctl_backend = &backend;
}

/* A full one stopped PEBS, and the counter went on without being set back. */
static void armed_anew_behind_a_full_buffer(void **state)
{
	by_index(1000);
	index_record(0x401000);
	filled.stopped = true;
	hw.counter[0] = 499;
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(overruns, 1);
	assert_true(of.session.trouble.counter & PMUCTL_COUNT_INCOMPLETE);
	/* 1000 by the record, 1498 behind it, of which 502 are left to a sample. */
	assert_int_equal(values()[0], 2498);
	assert_int_equal(pmuctl_cpus->slot[0].phase.left, 502);
	assert_true(hw.counter[0] == (-UINT64_C(501) & MASK));
	pmuctl_backend = &backend;
}

/* What the register cannot say is set by hand, behind each record. */
static void long_periods_by_index(void **state)
{
	by_index(1000);
	of.event[0].freq = 1;
	pmuctl_cpus->slot[0].phase.period = BIT_ULL(33);
	pmuctl_cpus->slot[0].phase.left = BIT_ULL(33);
	pmuctl_cpus->slot[0].last = pmuctl_pebs_arm(pmuctl_cpus, 0);
	assert_true(reload == (u32)-(BIT_ULL(31) - 1));
	assert_true(hw.counter[0] == (-(BIT_ULL(33) - 1) & MASK));
	pmuctl_backend = &backend;
}

/* Whose it is nobody knows, and both were set back. */
static void a_record_that_names_two_is_dropped(void **state)
{
	two_precise();
	record_names(3);
	record_names(1);
	hw.counter[0] = -UINT64_C(9999) & MASK;
	hw.counter[1] = -UINT64_C(9999) & MASK;
	pmuctl_cpu_drain(pmuctl_cpus);
	fold_both();
	assert_int_equal(taken.n, 1);
	assert_int_equal(collisions, 2);
	assert_int_equal(values()[0], 20000);
	assert_int_equal(values()[1], 10000);
}

/* Where a name may be that of one that is ready, it is not set back while it stands so... */
static void what_is_only_ready_was_not_set_back(void **state)
{
	pmuctl_tried.pebs_names_ready = true;
	two_precise();
	record_names(3);
	hw.counter[0] = -UINT64_C(9999) & MASK;
	hw.counter[1] = 0;
	pmuctl_cpu_drain(pmuctl_cpus);
	fold_both();
	assert_int_equal(taken.n, 0);
	assert_int_equal(collisions, 1);
	assert_int_equal(values()[0], 10000);
	assert_int_equal(values()[1], 9999);
}

/* ... and the next record that names it is its own. */
static void the_next_record_is_its_own(void **state)
{
	pmuctl_tried.pebs_names_ready = true;
	two_precise();
	record_names(3);
	record_names(2);
	hw.counter[0] = -UINT64_C(9999) & MASK;
	hw.counter[1] = -UINT64_C(9999) & MASK;
	pmuctl_cpu_drain(pmuctl_cpus);
	fold_both();
	assert_int_equal(taken.n, 1);
	assert_int_equal(collisions, 1);
	assert_int_equal(values()[0], 10000);
	assert_int_equal(values()[1], 10000);
}

/* Where the recorded event counts, the reset value is one more below zero. */
static void set_back_by_what_was_tried(void **state)
{
	precise(1000);
	assert_true(area.pebs_event_reset[0] == (-UINT64_C(999) & MASK));
	pmuctl_tried.pebs_counts_recorded = true;
	pmuctl_pebs_arm(pmuctl_cpus, 0);
	assert_true(area.pebs_event_reset[0] == (-UINT64_C(1000) & MASK));
	/* The first one is as far as it was. */
	assert_true(hw.counter[0] == (-UINT64_C(999) & MASK));
}

/* Not every Pentium 4 has LSTAR: it is read for records that may name what is behind. */
static void system_calls_are_told_apart_where_records_are_late(void **state)
{
	precise(1000);
	record(0x401000);
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(taken.n, 1);
	assert_int_equal(hw.reads_of_lstar, 0);
	pmuctl_caps.pebs_format = 1;
	record(0x401000);
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(taken.n, 2);
	assert_int_equal(hw.reads_of_lstar, 1);
}

/* They were taken until the interrupt of the first: another one came in its handler. */
static void branches_are_those_of_the_first_record(void **state)
{
	precise(1000);
	pmuctl_caps.pebs_format = 1;
	of.event[0].lbr = PMUCTL_EVENT_USER;
	of.event[0].flags = PMUCTL_EVENT_USER;
	branched = (struct pmuctl_branch){ .from = 0x402100, .to = 0x401000 };
	record_names(1);
	record_names(1);
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(taken.n, 2);
	assert_int_equal(taken.nr_branches[0], 1);
	assert_int_equal(taken.nr_branches[1], 0);
	record_names(1);
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(taken.nr_branches[2], 1);
}

/* By frequency the hardware repeats no short period: it is written each time. */
static void short_periods_are_not_repeated(void **state)
{
	precise(64);
	of.event[0].period = 0;
	of.event[0].freq = 1000;
	pmuctl_cpus->slot[0].last = pmuctl_pebs_arm(pmuctl_cpus, 0);
	assert_true(hw.counter[0] == (-UINT64_C(63) & MASK));
	assert_true(area.pebs_event_reset[0] == (-UINT64_C(4095) & MASK));
	assert_true(area.pebs_interrupt_threshold == area.pebs_buffer_base + RECORD);
	/* 64 events took a second: 1 would have been right. */
	core_ns += NSEC_PER_SEC;
	record(0x401000);
	hw.counter[0] = -UINT64_C(4095) & MASK;
	pmuctl_cpu_drain(pmuctl_cpus);
	assert_int_equal(taken.period[0], 64);
	assert_int_equal(values()[0], 64);
	assert_true(area.pebs_event_reset[0] == (-UINT64_C(4095) & MASK));
	assert_in_range(pmuctl_cpus->slot[0].phase.period, 1, 63);
	assert_true(hw.counter[0] > (-UINT64_C(63) & MASK));
	assert_int_equal(hw.counter[0], pmuctl_cpus->slot[0].last);
	/* And from there by the counter alone: what was promised is what comes. */
	assert_int_equal(pmuctl_cpus->slot[0].phase.left, pmuctl_cpus->slot[0].phase.period);
}

/* An event a nanosecond, for so long of each 10 ms: the samples of the next `all` ns. */
static unsigned int samples_of_bursts(u64 burst, u64 all)
{
	struct pmuctl_slot *slot = &pmuctl_cpus->slot[0];
	u64 end = core_ns + all, left, in, step;
	unsigned int n = 0;

	while (core_ns < end) {
		for (left = slot->phase.period; left; left -= step) {
			in = core_ns % (10 * NSEC_PER_MSEC);
			step = in < burst ? min(left, burst - in) : 0;
			core_ns += step ? step : 10 * NSEC_PER_MSEC - in;
		}
		slot->phase.period = pmuctl_period_next(pmuctl_cpus, 0, slot->phase.period);
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
	struct pmuctl_slot *slot = &pmuctl_cpus->slot[0];
	struct pmuctl_phase left = { 0 };

	precise(64);
	of.event[0].period = 0;
	of.event[0].freq = 1000;
	samples_of_bursts(10 * NSEC_PER_MSEC, NSEC_PER_SEC);
	pmuctl_period_off(pmuctl_cpus, 0, &left, core_ns);
	pmuctl_period_on(pmuctl_cpus, 0, NULL, core_ns);
	assert_int_equal(slot->phase.period, 64);
	core_ns += NSEC_PER_SEC;
	assert_int_equal(pmuctl_period_next(pmuctl_cpus, 0, 64), 1);
	/* And whoever comes back goes on. */
	pmuctl_period_on(pmuctl_cpus, 0, &left, core_ns);
	core_ns += NSEC_PER_MSEC;
	assert_in_range(pmuctl_period_next(pmuctl_cpus, 0, 1000000), 990000, 1010000);
}

/* Room for what comes until the interrupt of a record is handled. */
static void room_behind_the_threshold(void **state)
{
	u64 record_at;

	precise(10007);
	record_at = (area.pebs_interrupt_threshold - area.pebs_buffer_base) / RECORD;
	assert_int_equal(record_at, RECORDS - RECORDS / 16 - 2);
	pmuctl_cpus->slot[0].phase = (struct pmuctl_phase){ .left = 1000, .period = 1000 };
	pmuctl_pebs_arm(pmuctl_cpus, 0);
	record_at = (area.pebs_interrupt_threshold - area.pebs_buffer_base) / RECORD;
	assert_int_equal(record_at, RECORDS - RECORDS / 16 - 2 - 4);
	pmuctl_cpus->slot[0].phase = (struct pmuctl_phase){ .left = 10, .period = 10 };
	pmuctl_pebs_arm(pmuctl_cpus, 0);
	record_at = (area.pebs_interrupt_threshold - area.pebs_buffer_base) / RECORD;
	assert_int_equal(record_at, 1);
}

static unsigned int tries;

/* The second one that is tried does otherwise. */
static void play_try(struct pmuctl_regs *regs, const struct pmuctl_ds *tried_ds)
{
	pmuctl_tried.pebs_counts_recorded = ++tries == 2;
}

/* Each kind of core is asked, once, and what is not as the first is not taken for it. */
static void each_kind_is_tried(void **state)
{
	const struct pmuctl_backend *played = pmuctl_backend;
	struct pmuctl_backend trying = backend;

	sampled(0, 1000, 2);
	trying.pebs_try = play_try;
	pmuctl_backend = &trying;
	pmuctl_nr_kinds = 3;
	pmuctl_kinds[0].cpus.bits[0] = 1;
	pmuctl_kinds[1].cpus.bits[0] = 2;
	of.session.kind = 0;
	assert_int_equal(pmuctl_pebs_hold(&of.session, NULL), 0);
	assert_int_equal(tries, 2);
	assert_false(pmuctl_tried.pebs_counts_recorded);
	of.session.kind = 1;
	assert_int_equal(pmuctl_pebs_hold(&of.session, NULL), -EOPNOTSUPP);
	assert_int_equal(tries, 2);
	/* All of whose CPUs were away. */
	pmuctl_kinds[2].cpus.bits[0] = 4;
	of.session.kind = 2;
	assert_int_equal(pmuctl_pebs_hold(&of.session, NULL), 0);
	assert_int_equal(tries, 3);
	pmuctl_backend = played;
	pmuctl_nr_kinds = 1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(armed_anew_behind_a_guest),
		TEST(goes_on_behind_a_guest),
		TEST(incomplete_without_an_area),
		TEST(a_full_buffer_is_an_overrun),
		TEST(what_was_lost_takes_nothing_away),
		TEST(records_by_index_are_samples),
		TEST(what_is_no_record_is_told),
		TEST(armed_anew_behind_a_full_buffer),
		TEST(long_periods_by_index),
		TEST(records_are_samples),
		TEST(a_record_that_names_two_is_dropped),
		TEST(what_is_only_ready_was_not_set_back),
		TEST(the_next_record_is_its_own),
		TEST(set_back_by_what_was_tried),
		TEST(system_calls_are_told_apart_where_records_are_late),
		TEST(branches_are_those_of_the_first_record),
		TEST(short_periods_are_not_repeated),
		TEST(frequencies_are_kept),
		TEST(a_frequency_begins_anew),
		TEST(room_behind_the_threshold),
		TEST(each_kind_is_tried),
	};

	return cmocka_run_group_tests_name("core PEBS", tests, NULL, NULL);
}
