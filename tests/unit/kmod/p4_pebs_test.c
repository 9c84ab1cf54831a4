// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS and cascades of the Pentium 4 backend against the model.
 */
#include "tests/unit/kmod/p4_host.h"

#include "kmod/pmu/pebs_records.h"

#define DS UINT64_C(0x10000000)
#define BUFFER (DS + 0x100)
#define MEMORY_SIZE 0x4000
#define PEBS_MSR 0x3f1
#define MATRIX_MSR 0x3f2

#include "tests/unit/kmod/ds_host.h"

static bool long_mode;
static unsigned int written;
static uint64_t instruction;		/* that is in front of the CPU */

static void record(struct host *h)
{
	struct pmu_cpu in_front = {
		.long_mode = long_mode, .ip = 0x1000 + instruction, .flags = 0x246,
	};

	for (unsigned int i = 0; i < 16; i++)
		in_front.gpr[i] = 0x100 + i;
	written += pmu_record(h->pmu, &in_front, &memory_ops).written;
}

static void put(unsigned int offset, unsigned int size, uint64_t value)
{
	memcpy(memory + offset, &value, size);
}

/* The area of the thread that runs, by words of so many bytes. */
static void set_ds(unsigned int size, uint64_t period)
{
	memset(memory, 0, sizeof(memory));
	put(4 * size, size, BUFFER);
	put(5 * size, size, BUFFER);
	put(6 * size, size, BUFFER + 0x3000);
	put(7 * size, size, BUFFER + 0x3000);
	put(8 * size, 8, -(period - 1) & P4_MASK);
	long_mode = size == 8;
	written = 0;
	hw_wrmsr(MSR_P4_DS_AREA, DS);
	cpu.t[me].record = record;
	regs[me].pebs_area = DS;
}

/* Loads that miss the first level, as they are replayed. */
static struct pmuctl_event misses(unsigned int precise, u64 period)
{
	struct pmuctl_event event = event_of(GROUP_IQ, 5, 9, 1, PMUCTL_EVENT_USER);

	event.nr_extra = 2;
	event.extra[0] = (struct pmuctl_reg){ .reg = PMUCTL_REG_REPLAY, .value = 1 };
	event.extra[1] = (struct pmuctl_reg){ .reg = PMUCTL_REG_MATRIX_VERT, .value = 1 };
	event.precise = precise;
	event.period = period;
	event.sampled = period;
	return event;
}

static void user_misses(unsigned int thread, unsigned int n)
{
	static uint64_t line;

	on(thread);
	host_ring(&cpu.t[me], PMU_USER);
	for (; n; n--) {
		host_boundary(&cpu.t[me]);
		instruction++;
		p4_access(&cpu.t[me], FAR_LINE(1000 + line++), 8, false);
		host_boundary(&cpu.t[me]);
	}
	host_ring(&cpu.t[me], PMU_KERNEL);
}

static void seated(struct pmuctl_event *event, unsigned int n)
{
	enum pmuctl_p4_sharing sharing;

	assert_int_equal(seat(event, n, &nobody, &sharing), -1);
}

/* --- PEBS: facts, refusals --- */

static void facts(void **state)
{
	(void)state;
	assert_true(pmuctl_caps.has_pebs);
	assert_int_equal(pmuctl_caps.pebs_format, PMUCTL_PEBS_FORMAT_P4);
	assert_int_equal(pmuctl_caps.pebs_counters, pmuctl_caps.threads > 1 ? 0x30000 : 0x10000);
	assert_int_equal(pmuctl_caps.late, 1);
}

static void refused(struct pmuctl_event event, const char *reason)
{
	said[0] = '\0';
	assert_true(p4->validate(&event, NULL) < 0);
	assert_non_null(strstr(said, reason));
}

static void what_pebs_does_not_record(void **state)
{
	struct pmuctl_event event = misses(1, 100);

	(void)state;
	assert_int_equal(p4->validate(&event, NULL), 0);
	assert_int_equal(event.allowed, 0x30000);
	event = misses(1, 1);
	refused(event, "2 to");
	event = misses(1, 100);
	event.cccr |= BIT_ULL(18);
	refused(event, "nothing sensible");
	event = misses(1, 100);
	event.evtsel |= T0_USR;
	refused(event, "leave [3:0] 0");
	event = misses(1, 100);
	event.allowed = 0x3000;
	refused(event, "gp12-13: PEBS is there on gp16-17;");
	event = misses(1, 100);
	event.content = PMUCTL_CONTENT_ADDR;
	refused(event, "registers only");
	event = INSTRUCTIONS(PMUCTL_EVENT_USER);
	event.precise = 1;
	event.period = 100;
	refused(event, "execution, front-end and replay");
	pmuctl_caps.has_pebs = false;
	refused(misses(1, 100), "has no PEBS");
}

/* --- PEBS: registers --- */

static void each_thread_records_its_own(void **state)
{
	struct pmuctl_event event = misses(1, 100);

	(void)state;
	take();
	seated(&event, 1);
	assert_int_equal(event.seat[0].counter, 16);
	assert_int_equal(event.seat[1].counter, 17);
	assert_int_equal(event.pebs, 1 << 16);
	for (unsigned int t = 0; t < 2; t++) {
		on(t);
		regs[t].pebs_area = DS;
		events_on(&event, 1);
		assert_int_equal(regs[t].pebs, 1 << 16);
		assert_false(hw_rdmsr(MSR_P4_CCCR + 16 + t) &
			     (CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1));
		assert_int_equal(hw_rdmsr(PEBS_MSR), t ? 7u << 24 | 1 : 3u << 24 | 1);
		assert_int_equal(hw_rdmsr(MATRIX_MSR), 1);
	}
	/* The second stops: the first goes on, which the second sees as the other. */
	events_off(&event, 1);
	assert_int_equal(hw_rdmsr(PEBS_MSR), 5u << 24 | 1);
	on(0);
	assert_int_equal(hw_rdmsr(PEBS_MSR), 3u << 24 | 1);
	p4->pebs_pause(&regs[0]);
	assert_int_equal(hw_rdmsr(PEBS_MSR), 1u << 24 | 1);
	p4->pebs_resume(&regs[0]);
	assert_int_equal(hw_rdmsr(PEBS_MSR), 3u << 24 | 1);
	events_off(&event, 1);
	assert_int_equal(hw_rdmsr(PEBS_MSR), 0);
}

/* Nothing is recorded where there is no area, nor by another event. */
static void only_with_an_area(void **state)
{
	struct pmuctl_event event = misses(1, 100), other = misses(0, 0);

	(void)state;
	take();
	seated(&event, 1);
	events_on(&event, 1);
	assert_int_equal(hw_rdmsr(PEBS_MSR), 1u << 24 | 1);
	events_off(&event, 1);
	regs[0].pebs_area = DS;
	events_on(&event, 1);
	assert_int_equal(regs[0].pebs, 1 << 16);
	events_off(&event, 1);
	other.allowed = 1 << 16;
	seated(&other, 1);
	events_on(&other, 1);
	assert_int_equal(regs[0].pebs, 0);
	assert_int_equal(hw_rdmsr(PEBS_MSR), 1u << 24 | 1);
}

/* --- PEBS: records --- */

/* What the module does with each that it drains. */
static u64 counted(const struct pmuctl_event *event, u64 last, u64 period)
{
	return (p4->read(event->slot) - last + written * period) & P4_MASK;
}

static void a_record_each_period(void **state)
{
	struct pmuctl_event event = misses(1, 10);
	struct pmuctl_pebs_record record;
	u64 last;

	(void)state;
	take();
	seated(&event, 1);
	set_ds(8, 10);
	p4->program(&regs[0], &event);
	last = p4->arm(event.slot, 10);
	p4->enable(&regs[0], BIT_ULL(event.slot));
	instruction = 0;
	user_misses(0, 9);
	assert_int_equal(written, 0);
	user_misses(0, 1);
	assert_int_equal(written, 1);
	user_misses(0, 90);
	assert_int_equal(written, 10);
	user_misses(0, 7);
	p4->enable(&regs[0], 0);
	assert_int_equal(counted(&event, last, 10), 107);
	assert_int_equal(cpu.t[0].pmis, 0);
	assert_int_equal(p4->overflows(0) & ~regs[0].pebs, 0);
	for (unsigned int i = 0; i < 10; i++) {
		assert_true(pmuctl_pebs_decode(PMUCTL_PEBS_FORMAT_P4, memory + 0x100 + 0x90 * i,
					       0x90, &record));
		assert_int_equal(record.size, 0x90);
		assert_true(record.exact);
		assert_int_equal(record.ip, 0x1000 + 10 * (i + 1));
		assert_int_equal(record.regs->flags, 0x246);
		assert_int_equal(record.regs->cx, 0x101);
		assert_int_equal(record.regs->sp, 0x104);
		assert_int_equal(record.regs->r15, 0x10f);
	}
}

/* Stopped by somebody else's interrupt when the next event was to be recorded. */
static void stopped_when_it_was_ready(void **state)
{
	struct pmuctl_event event = misses(1, 10);
	u64 last;

	(void)state;
	take();
	seated(&event, 1);
	set_ds(8, 10);
	p4->program(&regs[0], &event);
	last = p4->arm(event.slot, 10);
	p4->enable(&regs[0], BIT_ULL(event.slot));
	user_misses(0, 9);
	p4->enable(&regs[0], 0);
	assert_int_equal(counted(&event, last, 10), 9);
	p4->enable(&regs[0], BIT_ULL(event.slot));
	user_misses(0, 1);
	assert_int_equal(written, 0);
	user_misses(0, 1);
	assert_int_equal(written, 1);
	user_misses(0, 10);
	assert_int_equal(written, 2);
	p4->enable(&regs[0], 0);
	assert_int_equal(counted(&event, last, 10), 21);
}

static void records_of_32_bits(void **state)
{
	struct pmuctl_event event = misses(1, 4);
	struct pmuctl_pebs_record record;

	(void)state;
	take();
	seated(&event, 1);
	set_ds(4, 4);
	p4->program(&regs[0], &event);
	p4->arm(event.slot, 4);
	p4->enable(&regs[0], BIT_ULL(event.slot));
	instruction = 0;
	user_misses(0, 8);
	p4->enable(&regs[0], 0);
	assert_int_equal(written, 2);
	assert_false(pmuctl_pebs_decode(PEBS_FORMAT_P4_NARROW, memory + 0x100, 39, &record));
	assert_true(pmuctl_pebs_decode(PEBS_FORMAT_P4_NARROW, memory + 0x100 + 40, 40, &record));
	assert_int_equal(record.size, 40);
	assert_true(record.exact);
	assert_int_equal(record.ip, 0x1008);
	assert_int_equal(record.regs->ip, 0x1008);
	assert_int_equal(record.regs->flags, 0x246);
	assert_int_equal(record.regs->ax, 0x100);
	assert_int_equal(record.regs->bx, 0x103);
	assert_int_equal(record.regs->sp, 0x104);
	assert_int_equal(record.regs->r8, 0);
}

/* --- cascades --- */

static void who_starts_whom(void **state)
{
	/* From the manual's list: by bit 30, and by bit 11 of the CCCR. */
	static const u8 plain[][2] = {
		{ 0, 2 }, { 1, 3 }, { 2, 0 }, { 3, 1 }, { 4, 6 }, { 5, 7 }, { 6, 4 }, { 7, 5 },
		{ 8, 10 }, { 9, 11 }, { 10, 8 }, { 11, 9 }, { 12, 14 }, { 13, 15 }, { 14, 12 },
		{ 15, 13 }, { 14, 16 }, { 15, 17 },
	};
	unsigned int from, to, i;
	u32 bit;

	(void)state;
	for (from = 0; from < 18; from++)
		for (to = 0; to < 18; to++) {
			for (bit = 0, i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
				if (plain[i][0] == from && plain[i][1] == to)
					bit = 1u << 30;
			if ((from == 16 && (to == 12 || to == 17)) ||
			    (from == 17 && (to == 15 || to == 16)))
				bit = 1u << 11;
			assert_int_equal(pmuctl_p4_cascade_bit(from, to), bit);
		}
	pmuctl_caps.signature = 0xf12;
	assert_int_equal(pmuctl_p4_cascade_bit(16, 12), 0);
	assert_int_equal(pmuctl_p4_cascade_bit(0, 2), 1u << 30);
}

/* event[1] is to count after so many of event[0]. */
static void cascade(struct pmuctl_event *event, u64 after)
{
	event[0].after = after;
	event[0].starts = true;
	event[1].cascaded = true;
	event[1].starter = &event[0];
}

static void only_partners_are_seated(void **state)
{
	struct pmuctl_event event[2] = { INSTRUCTIONS(UK), BRANCHES(UK) };
	enum pmuctl_p4_sharing sharing;
	struct pmuctl_reg reg[2];

	(void)state;
	cascade(event, 100);
	assert_int_equal(pmuctl_p4_cascades_check(event, 2, NULL), 0);
	assert_int_equal(seat(event, 2, &nobody, &sharing), -1);
	assert_int_equal(sharing, P4_WHOLE);
	for (unsigned int t = 0; t < 2; t++)
		assert_true(pmuctl_p4_cascade_bit(event[0].seat[t].counter,
						  event[1].seat[t].counter));
	p4->encode(&event[1], reg);
	assert_false(reg[1].value & CCCR_ENABLE);
	assert_true(reg[1].value & BIT_ULL(30));
	/* The other way round: who is started is named first. */
	event[0] = BRANCHES(UK);
	event[1] = INSTRUCTIONS(UK);
	event[1].after = 100;
	event[1].starts = true;
	event[0].cascaded = true;
	event[0].starter = &event[1];
	assert_int_equal(seat(event, 2, &nobody, &sharing), -1);
	assert_true(pmuctl_p4_cascade_bit(event[1].seat[0].counter, event[0].seat[0].counter));
	/* No partners at all. */
	event[0] = INSTRUCTIONS(UK);
	event[1] = CYCLES(UK);
	cascade(event, 100);
	assert_int_equal(pmuctl_p4_cascades_check(event, 2, NULL), -EINVAL);
	assert_non_null(strstr(said, "cannot start event"));
	event[1] = INSTRUCTIONS(UK);
	event[0].allowed = 1 << 12;
	event[1].allowed = 1 << 13;
	cascade(event, 100);
	assert_int_equal(pmuctl_p4_cascades_check(event, 2, NULL), -EINVAL);
	event[1].allowed = 3 << 14;
	assert_int_equal(pmuctl_p4_cascades_check(event, 2, NULL), 0);
	assert_int_equal(seat(event, 2, &nobody, &sharing), -1);
	assert_int_equal(event[1].seat[0].counter, 14);
}

/* As the module puts them on: the one that waits first. */
static void cascade_on(struct pmuctl_event *event, u64 last[2])
{
	p4->program(&regs[0], &event[0]);
	p4->program(&regs[0], &event[1]);
	last[0] = p4->arm(event[0].slot, event[0].after + pmuctl_caps.late);
	last[1] = p4->read(event[1].slot);
	p4->cascade(&event[1], true);
	p4->enable(&regs[0], slots_of(event, 2));
}

static u64 since(const struct pmuctl_event *event, u64 last)
{
	return (p4->read(event->slot) - last) & P4_MASK;
}

static void starts_behind(u32 first, u32 second)
{
	struct pmuctl_event event[2] = {
		INSTRUCTIONS(PMUCTL_EVENT_USER), INSTRUCTIONS(PMUCTL_EVENT_USER),
	};
	u64 last[2], pmis;

	event[0].allowed = first;
	event[1].allowed = second;
	cascade(event, 1000);
	seated(event, 2);
	cascade_on(event, last);
	pmis = cpu.t[0].pmis;
	user_runs(0, 1000);
	assert_int_equal(since(&event[0], last[0]), 1000);
	assert_int_equal(since(&event[1], last[1]), 0);
	user_runs(0, 17);
	assert_int_equal(since(&event[1], last[1]), 17);
	assert_int_equal(cpu.t[0].pmis, pmis + 1);
	/* The interrupt: from here on it counts by itself. */
	p4->enable(&regs[0], 0);
	assert_int_equal(p4->overflows(0), BIT_ULL(event[0].slot));
	p4->rearm(event[0].slot);
	p4->cascade(&event[1], false);
	p4->enable(&regs[0], slots_of(event, 2));
	user_runs(0, 100);
	p4->enable(&regs[0], 0);
	assert_int_equal(since(&event[1], last[1]), 117);
	assert_int_equal(p4->overflows(0), 0);
	/* Off and on before it is started: an old overflow starts nobody. */
	cascade_on(event, last);
	user_runs(0, 999);
	p4->enable(&regs[0], 0);
	p4->enable(&regs[0], slots_of(event, 2));
	assert_int_equal(since(&event[1], last[1]), 0);
	user_runs(0, 2);
	p4->enable(&regs[0], 0);
	/* Added up: whoever has the counter next knows that it overflowed. */
	assert_int_equal(since(&event[0], last[0]), 1001);
	assert_int_equal(since(&event[1], last[1]), 1);
}

static void starts_exactly_behind_it(void **state)
{
	(void)state;
	take();
	starts_behind(1 << 12, 1 << 14);
	starts_behind(1 << 15, 1 << 13);
	starts_behind(1 << 14, 1 << 16);
	starts_behind(1 << 15, 1 << 17);
	starts_behind(1 << 16, 1 << 12);
	starts_behind(1 << 16, 1 << 17);
	starts_behind(1 << 17, 1 << 15);
	starts_behind(1 << 17, 1 << 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON(facts, prescott), ON(facts, northwood), ON(facts, no_threads),
		ON(what_pebs_does_not_record, prescott),
		ON(each_thread_records_its_own, prescott),
		ON(only_with_an_area, prescott),
		ON(a_record_each_period, prescott), ON(a_record_each_period, northwood),
		ON(stopped_when_it_was_ready, prescott),
		ON(records_of_32_bits, northwood),
		ON(who_starts_whom, prescott),
		ON(only_partners_are_seated, prescott), ON(starts_exactly_behind_it, prescott),
		ON(starts_exactly_behind_it, northwood),
	};

	return cmocka_run_group_tests_name("p4_pebs", tests, NULL, NULL);
}
