// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock of retirement of the PMU model: cycles, as counters and branch records see them,
 * belong to the instruction that retirement waits for.
 */
#include "tests/unit/model/pebs_host.h"
#include "tests/unit/model/pipeline_host.h"

#define MSR_TOP 0x1c9
#define MSR_INFO 0xdc0
#define LBR_ON 1
#define ADDITIONS 100
#define LINES (UINT64_C(1) << 22)	/* more than any cache holds */
#define SKYLAKE_WIDTH 4

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

static const char *const profiles[] = {
	"sandybridge", "ivybridge", "haswell", "skylake", "icelake", "sapphirerapids",
};

/*
 * One round of two blocks: a load from memory that the next round's needs, and additions
 * that need nothing of it.
 */
static void load_block(struct program *p, uint64_t to)
{
	run_access(p, &code_chase, DATA_BASE + p->at * LINE, false);
	p->at = (p->at * 5 + 12345) % LINES;
	run_branch(p, &code_jmp, true, to);
}

static void addition_block(struct program *p, uint64_t to)
{
	for (unsigned int i = 0; i < ADDITIONS; i++)
		run(p, &code_add[3 + i % 12]);
	run_branch(p, &code_jmp, true, to);
}

static uint64_t last_block(struct program *p)
{
	return host_peek(&p->h, MSR_INFO + (uint32_t)host_peek(&p->h, MSR_TOP)) & 0xffff;
}

/*
 * The additions have long been executed when the load's line comes, and retire as fast as
 * the core can; so the rest of a round is the block's that has the load.
 */
static void a_block_that_waits_has_the_cycles(void **state)
{
	static const char *const with_info[] = { "skylake", "icelake" };
	static const unsigned int retire[] = { 4, 8 };

	(void)state;
	for (size_t i = 0; i < ROWS(with_info); i++) {
		uint64_t cycles, loads = 0, additions = 0, fastest;
		const unsigned int rounds = 1000;
		struct program p;

		program_new(&p, with_info[i]);
		host_wrmsr(&p.h, MSR_DEBUGCTL, LBR_ON);
		for (unsigned int n = 0; n < 2 * rounds; n++) {
			if (n == rounds) {
				cycles = total(&p, PMU_CYCLES);
				loads = additions = 0;
			}
			p.ip = CODE_BASE;
			load_block(&p, CODE_BASE + 0x1000);
			loads += last_block(&p);
			addition_block(&p, CODE_BASE);
			additions += last_block(&p);
		}
		cycles = total(&p, PMU_CYCLES) - cycles;
		assert_int_equal(loads + additions, cycles);
		fastest = (ADDITIONS + 1) / retire[i];
		assert_in_range(additions / rounds, fastest - 2, fastest + 2);
		assert_in_range(loads / rounds, cycles / rounds - fastest - 2,
				cycles / rounds - fastest + 2);
		program_end(&p);
	}
}

/* A block that begins behind a misprediction has what that costs. */
static void a_misprediction_is_paid_by_the_next_block(void **state)
{
	struct program p;
	uint64_t usual, missed;

	(void)state;
	program_new(&p, "skylake");
	host_wrmsr(&p.h, MSR_DEBUGCTL, LBR_ON);
	for (unsigned int i = 0; i < 200; i++) {
		p.ip = CODE_BASE;
		run(&p, &code_test);
		run_branch(&p, &code_jcc, true, CODE_BASE + 0x100);
		run_branch(&p, &code_jmp, true, CODE_BASE);
		usual = last_block(&p);
	}
	run(&p, &code_test);
	run_branch(&p, &code_jcc, false, CODE_BASE + 0x100);
	run_branch(&p, &code_jmp, true, CODE_BASE);
	missed = last_block(&p);
	assert_true(usual <= 3);
	/* Seven cycles of recovery, nine until it is fetched, and the length of the pipeline. */
	assert_in_range(missed, 16, 32);
	program_end(&p);
}

/* --- where counters overflow --- */

/* Of a thousand interrupts by a counter those behind the load, and in front of what it delays. */
static unsigned int interrupts_at_loads(uint32_t select, int fixed, uint64_t period)
{
	uint32_t counter = fixed < 0 ? MSR_PMC0_FULL : MSR_FIXED0 + (uint32_t)fixed;
	unsigned int n = 0, at_loads = 0;
	struct program p;

	program_new(&p, "skylake");
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, fixed < 0 ? 1 : FIXED_BIT(fixed));
	host_wrmsr(&p.h, counter, WIDTH48 + 1 - period);
	if (fixed < 0)
		host_wrmsr(&p.h, MSR_EVTSEL0, EN | USR | INT | select);
	else
		host_wrmsr(&p.h, MSR_FIXED_CTRL, UINT64_C(0xa) << 4 * fixed);
	while (n < 1000 && p.instructions < 100000000) {
		uint64_t pmis = p.h.pmis;

		p.ip = CODE_BASE;
		load_block(&p, CODE_BASE + 0x1000);
		/* At the boundary behind the load is where the jump begins. */
		at_loads += p.h.pmis != pmis;
		addition_block(&p, CODE_BASE);
		if (p.h.pmis == pmis)
			continue;
		n++;
		/* Not always in the same part of a round. */
		host_wrmsr(&p.h, counter, WIDTH48 + 1 - period - next_random(&p) % period);
	}
	program_end(&p);
	return at_loads;
}

static void clocks_overflow_where_retirement_waits(void **state)
{
	static const struct {
		uint32_t select;
		int fixed;		/* -1: a general-purpose counter */
	} rows[] = {
		{ 0x003c, -1 }, { 0x013c, -1 }, { 0, 1 }, { 0, 2 },
		/* As Linux has it for cycles:pp. */
		{ 0x108000c0, -1 },
	};
	static const uint64_t periods[] = { 1009, 10007 };

	(void)state;
	for (size_t i = 0; i < ROWS(rows); i++)
		for (size_t n = 0; n < ROWS(periods); n++) {
			uint64_t period = rows[i].select == 0x013c ? periods[n] / 16 : periods[n];
			unsigned int at = interrupts_at_loads(rows[i].select, rows[i].fixed,
							      period);

			/* 26 cycles of some 217 are the additions'. */
			if (at < 830 || at > 930)
				fail_msg("select %x, fixed %d, period %u: %u", rows[i].select,
					 rows[i].fixed, (unsigned int)period, at);
		}
}

#define EVENTING_IP 0xb0	/* in a record of format 3 */

/* PEBS names the load, but where its last cycle overflows: that of 217 which the jump follows. */
static void records_name_what_retirement_waits_for(void **state)
{
	unsigned int at_loads = 0, records = 0;
	struct program p;

	(void)state;
	program_new(&p, "skylake");
	p.h.record = record;
	written = 0;
	set_ds(0x2000, 0x2000, -(uint64_t)5002);
	host_wrmsr(&p.h, MSR_DS_AREA, DS);
	host_wrmsr(&p.h, MSR_PEBS_ENABLE, 1);
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, 1);
	host_wrmsr(&p.h, MSR_EVTSEL0, EN | USR | 0x108000c0);
	host_wrmsr(&p.h, MSR_PMC0, (uint32_t)-5002);
	while (records < 1000 && p.instructions < 100000000) {
		unsigned int before = written;
		uint64_t load = p.h.retired;

		*word_at(DS + 0x28) = BUFFER;
		p.ip = CODE_BASE;
		load_block(&p, CODE_BASE + 0x1000);
		addition_block(&p, CODE_BASE);
		if (written == before)
			continue;
		records++;
		at_loads += *word_at(BUFFER + EVENTING_IP) == ip_of(load);
	}
	/* 26 cycles of some 217 are the additions', and one is the last of the load's. */
	assert_in_range(at_loads, 830, 930);
	program_end(&p);
}

/* Interrupts are behind the load. */
static void a_chase_has_its_interrupts_at_the_load(void **state)
{
	unsigned int at_loads = 0;
	struct program p;

	(void)state;
	program_new(&p, "skylake");
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, 1);
	host_wrmsr(&p.h, MSR_EVTSEL0, SEL_CYCLES | INT);
	host_wrmsr(&p.h, MSR_PMC0, (uint32_t)-5003);
	for (unsigned int n = 0; n < 1000;) {
		uint64_t pmis = p.h.pmis;

		p.ip = CODE_BASE;
		run_chase(&p, p.instructions + 1, LINES);
		if (p.h.pmis == pmis)
			continue;
		n++;
		/* One round: the load and the end of the loop. */
		at_loads += p.h.retired - p.h.pmi_at == 2;
		host_wrmsr(&p.h, MSR_PMC0, (uint32_t)-5003);
	}
	assert_true(at_loads > 990);
	program_end(&p);
}

/* --- both clocks --- */

static uint64_t all_slots(struct program *p, enum pmu_class cls)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < SLOT_CAUSE_COUNT; i++)
		sum += host_total(&p->h, cls, (enum pmu_total)(PMU_SLOTS + i));
	return sum;
}

/* In each class, whenever it ends, slots are cycles by width. */
static void both_clocks_meet_where_the_class_changes(void **state)
{
	static const unsigned int widths[] = { 4, 4, 4, 4, 5, 6 };

	(void)state;
	for (size_t i = 0; i < ROWS(profiles); i++) {
		struct program p;

		program_new(&p, profiles[i]);
		for (unsigned int n = 0; n < 400; n++) {
			enum pmu_class cls = n % 2 ? PMU_KERNEL : PMU_USER;

			host_ring(&p.h, cls);
			run_random(&p, p.instructions + 1 + next_random(&p) % 60);
			if (n % 7 == 0)
				pmu_interrupt(p.h.pmu, p.ip, p.ip, cls);
			host_ring(&p.h, cls == PMU_USER ? PMU_KERNEL : PMU_USER);
			assert_int_equal(all_slots(&p, cls),
					 widths[i] * host_total(&p.h, cls, PMU_CYCLES));
		}
		program_end(&p);
	}
}

/* A PMI freezes all counters where what is in front of it has retired. */
static void a_pmi_finds_both_clocks_at_one_cycle(void **state)
{
	struct program p;
	uint64_t cycles;

	(void)state;
	program_new(&p, "icelake");
	run_dense(&p, 100);
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, 0);
	host_wrmsr(&p.h, MSR_DEBUGCTL, 1 << 12);
	host_wrmsr(&p.h, MSR_FIXED_CTRL, 0x2020);
	host_wrmsr(&p.h, MSR_EVTSEL0, SEL_INSN | INT);
	host_wrmsr(&p.h, MSR_PMC0, (uint32_t)-3001);
	enter_kernel(&p);
	host_wrmsr(&p.h, MSR_GLOBAL_CTRL, 1 | FIXED_BIT(1) | FIXED_BIT(3));
	host_wrmsr(&p.h, MSR_FIXED0 + 1, 0);
	host_wrmsr(&p.h, MSR_FIXED0 + 3, 0);
	while (!p.h.pmis)
		run_random(&p, p.instructions + 1);
	cycles = host_peek(&p.h, MSR_FIXED0 + 1);
	assert_true(cycles > 3000);
	assert_int_equal(host_peek(&p.h, MSR_FIXED0 + 3), 5 * cycles);
	program_end(&p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_that_waits_has_the_cycles),
		cmocka_unit_test(a_misprediction_is_paid_by_the_next_block),
		cmocka_unit_test(clocks_overflow_where_retirement_waits),
		cmocka_unit_test(records_name_what_retirement_waits_for),
		cmocka_unit_test(a_chase_has_its_interrupts_at_the_load),
		cmocka_unit_test(both_clocks_meet_where_the_class_changes),
		cmocka_unit_test(a_pmi_finds_both_clocks_at_one_cycle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
