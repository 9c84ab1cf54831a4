// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pipeline's event codes by generation: a counter counts the signal that its code,
 * CMASK, INV and E ask for, if it is one that can.  PERF_METRICS and FRONTEND_RETIRED
 * against what the model attributes.
 */
#include "tests/unit/model/host.h"

#define E (1u << 18)
#define INV (1u << 23)
#define C(n) ((uint32_t)(n) << 24)
#define ALL 0xff
#define LOW 0xf
#define PMC0 0x1
#define PMC2 0x4
#define S(name) PMU_SIG_##name
#define MSR_SLOTS (MSR_FIXED0 + 3)
#define MSR_METRICS 0x329
#define MSR_FRONTEND 0x3f7
#define METRICS_BIT (UINT64_C(1) << 48)

static const struct row {
	const char *profile;
	uint32_t code;
	uint8_t counters;
	unsigned int total;
} rows[] = {
	{ "sandybridge", 0x010e, ALL, S(UOPS_ISSUED) },
	{ "sandybridge", 0x010e | C(1), ALL, S(ISSUED_GE1) },
	{ "sandybridge", 0x010e | C(4), ALL, S(ISSUED_GE4) },
	{ "sandybridge", 0x02c2, ALL, S(UOPS_RETIRED) },
	{ "sandybridge", 0x02c2 | C(2), ALL, S(RETIRED_GE2) },
	{ "sandybridge", 0x01b1, ALL, S(UOPS_EXECUTED) },
	{ "sandybridge", 0x01b1 | C(3), ALL, S(EXECUTED_GE3) },
	{ "sandybridge", 0x019c, LOW, S(NOT_DELIVERED) },
	{ "sandybridge", 0x019c | C(4), LOW, S(DELIVERED_0) },
	{ "sandybridge", 0x019c | C(1), LOW, S(DELIVERED_LE3) },
	{ "sandybridge", 0x030d | C(1), ALL, S(RECOVERY_CYCLES) },
	{ "sandybridge", 0x06a3 | C(6), PMC2, S(EXE_STALLS_L1D) },
	{ "sandybridge", 0x04a3 | C(4), LOW, S(EXE_STALLS) },
	{ "sandybridge", 0x05a3 | C(5), LOW, S(EXE_STALLS_L2) },
	{ "sandybridge", 0x0479, ALL, S(MITE_UOPS) },
	{ "sandybridge", 0x0879, ALL, S(DSB_UOPS) },
	{ "sandybridge", 0x3079, ALL, S(MS_UOPS) },
	{ "sandybridge", 0x3079 | C(1) | E, ALL, S(MS_SWITCHES) },
	{ "sandybridge", 0x0280, ALL, S(ICACHE_MISSES) },
	{ "sandybridge", 0x1085, ALL, S(ITLB_STLB_HITS) },
	{ "sandybridge", 0x0408, ALL, S(DTLB_LOAD_WALK_CYCLES) },
	{ "sandybridge", 0x0187, ALL, S(LCP_CYCLES) },
	{ "sandybridge", 0x02ab, ALL, S(DSB_SWITCH_CYCLES) },
	{ "sandybridge", 0x0114, ALL, S(DIVIDER_CYCLES) },
	{ "sandybridge", 0x01a2, ALL, S(STALLS_ANY) },
	{ "sandybridge", 0x10a2, ALL, S(STALLS_ROB) },
	{ "sandybridge", 0x1fe6, ALL, S(BACLEARS) },
	{ "sandybridge", 0x015e, ALL, S(RS_EMPTY_CYCLES) },
	{ "sandybridge", 0x015e | C(1) | INV | E, ALL, S(RS_EMPTY_END) },
	{ "sandybridge", 0x0860, ALL, S(OFFCORE_PENDING) },
	{ "sandybridge", 0x30a1, ALL, S(PORT_3) },
	{ "haswell", 0x40a1, ALL, S(PORT_6) },
	{ "skylake", 0x10a1, LOW, S(PORT_4) },
	{ "icelake", 0x01a1, ALL, S(PORT_0) },
	{ "sapphirerapids", 0x40b2, ALL, S(PORT_6) },
	{ "icelake", 0x019c | C(1), ALL, S(DELIVERED_LE4) },
	{ "sapphirerapids", 0x019c | C(1), ALL, S(DELIVERED_LE5) },
	{ "ivybridge", 0x06a3 | C(6), LOW, S(EXE_STALLS_MEM) },
	{ "ivybridge", 0x0ca3 | C(12), PMC2, S(EXE_STALLS_L1D) },
	{ "ivybridge", 0x8408, ALL, S(DTLB_LOAD_WALK_CYCLES) },
	{ "ivybridge", 0x045f, ALL, S(DTLB_LOAD_STLB_HITS) },
	{ "ivybridge", 0x1879 | C(4), ALL, S(DSB_CYCLES_OK) },
	{ "ivybridge", 0x2479 | C(1), ALL, S(MITE_CYCLES_ANY) },
	{ "ivybridge", 0x0460 | C(1), ALL, S(RFO_CYCLES) },
	{ "sapphirerapids", 0x0420 | C(1), LOW, S(RFO_CYCLES) },
	{ "ivybridge", 0x0148, PMC2, S(L1D_PENDING) },
	{ "haswell", 0x0214, ALL, S(DIVIDER_UOPS) },
	{ "haswell", 0x02b1 | C(1), ALL, S(EXECUTED_GE1) },
	{ "haswell", 0x6008, ALL, S(DTLB_LOAD_STLB_HITS) },
	{ "haswell", 0x1085, ALL, S(ITLB_WALK_CYCLES) },
	{ "haswell", 0x0480, ALL, S(ICACHE_STALL_CYCLES) },
	{ "skylake", 0x010d, LOW, S(RECOVERY_CYCLES) },
	{ "skylake", 0x010d | C(1) | E, LOW, S(CLEARS_COUNT) },
	{ "skylake", 0x800d, LOW, S(CLEAR_RESTEER_CYCLES) },
	{ "skylake", 0x14a3 | C(20), LOW, S(EXE_STALLS_MEM) },
	{ "skylake", 0x0ca3 | C(12), LOW, S(EXE_STALLS_L1D) },
	{ "skylake", 0x05a3 | C(5), LOW, S(EXE_STALLS_L2) },
	{ "skylake", 0x06a3 | C(6), LOW, S(EXE_STALLS_L3) },
	{ "skylake", 0x02a6, LOW, S(PORTS_1) },
	{ "skylake", 0x01a6, LOW, S(BOUND_0_PORTS) },
	{ "skylake", 0x0114 | C(1), LOW, S(DIVIDER_CYCLES) },
	{ "skylake", 0x04c2, LOW, S(MACRO_FUSED) },
	{ "skylake", 0x0480 | C(1) | E, LOW, S(ICACHE_STALLS) },
	{ "skylake", 0x40d1, LOW, S(FB_HITS) },
	{ "skylake", 0x1008 | C(1), LOW, S(DTLB_LOAD_WALK_CYCLES) },
	{ "icelake", 0x02a4, ALL, S(METRIC_BACK_END) },
	{ "icelake", 0x019c | C(5), ALL, S(DELIVERED_0) },
	{ "icelake", 0x0879 | C(5), LOW, S(DSB_CYCLES_OK) },
	{ "icelake", 0x0479 | C(1), LOW, S(MITE_CYCLES_ANY) },
	{ "icelake", 0x0156, LOW, S(DEC0_UOPS) },
	{ "icelake", 0x0156 | C(1), LOW, S(DEC0_CYCLES) },
	{ "icelake", 0x0914 | C(1), ALL, S(DIVIDER_CYCLES) },
	{ "sapphirerapids", 0x01ae, ALL, S(UOPS_ISSUED) },
	{ "sapphirerapids", 0x04a4, PMC0, S(METRIC_BAD_SPECULATION) },
	{ "sapphirerapids", 0x08a4, PMC0, S(METRIC_MISPREDICTS) },
	{ "sapphirerapids", 0x10a4, ALL, S(METRIC_MEMORY) },
	{ "sapphirerapids", 0x01c2, ALL, S(UOPS_HEAVY) },
	{ "sapphirerapids", 0x019c | C(6), ALL, S(DELIVERED_0) },
	{ "sapphirerapids", 0x0347 | C(3), LOW, S(EXE_STALLS_L1D) },
	{ "sapphirerapids", 0x0947 | C(9), LOW, S(EXE_STALLS_L3) },
	{ "sapphirerapids", 0x21a6 | C(5), ALL, S(BOUND_ON_LOADS) },
	{ "sapphirerapids", 0x09b0 | C(1), ALL, S(DIVIDER_CYCLES) },
	{ "sapphirerapids", 0x80ad, ALL, S(CLEAR_RESTEER_CYCLES) },
	{ "sapphirerapids", 0x2012, LOW, S(DTLB_LOAD_STLB_HITS) },
	{ "sapphirerapids", 0x0261, LOW, S(DSB_SWITCH_CYCLES) },
	{ "sapphirerapids", 0x10c0, ALL, S(MACRO_FUSED) },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* --- a program --- */

enum { ALU, LOAD, CHAIN, STORE, DIV, JCC, COMPARE, MICRO, WIDE, PREFIX, FENCE, NOP, JMP, CODES };

static const struct pmu_code code[CODES] = {
	[ALU] = { .length = 4, .uops = 1, .kind = PMU_CODE_ALU, .bits = 64,
		  .reads = 0x3, .writes = 0x1 },
	[LOAD] = { .length = 4, .uops = 1, .kind = PMU_CODE_NONE, .bits = 64,
		   .flags = PMU_CODE_LOADS, .address_regs = 0x10, .writes = 0x2 },
	[CHAIN] = { .length = 4, .uops = 1, .kind = PMU_CODE_NONE, .bits = 64,
		    .flags = PMU_CODE_LOADS, .address_regs = 0x2, .writes = 0x2 },
	[STORE] = { .length = 4, .uops = 1, .kind = PMU_CODE_NONE, .bits = 64,
		    .flags = PMU_CODE_STORES, .address_regs = 0x10, .reads = 0x2 },
	[DIV] = { .length = 3, .uops = 4, .kind = PMU_CODE_DIV, .bits = 32,
		  .reads = 0x7, .writes = 0x5 },
	[JCC] = { .length = 2, .uops = 1, .kind = PMU_CODE_JCC,
		  .reads = UINT64_C(1) << PMU_REG_FLAGS },
	[COMPARE] = { .length = 3, .uops = 1, .kind = PMU_CODE_ALU, .bits = 64,
		      .flags = PMU_CODE_FUSES, .reads = 0x3,
		      .writes = UINT64_C(1) << PMU_REG_FLAGS },
	[MICRO] = { .length = 3, .uops = 20, .kind = PMU_CODE_SYSTEM, .flags = PMU_CODE_MICROCODE },
	[WIDE] = { .length = 4, .uops = 2, .kind = PMU_CODE_ALU, .bits = 64, .writes = 0x8 },
	[PREFIX] = { .length = 5, .uops = 1, .kind = PMU_CODE_ALU, .bits = 16,
		     .flags = PMU_CODE_LCP, .writes = 0x8 },
	[FENCE] = { .length = 3, .uops = 4, .kind = PMU_CODE_SYSTEM,
		    .flags = PMU_CODE_SERIALIZING },
	[JMP] = { .length = 2, .uops = 1, .kind = PMU_CODE_JMP },
	[NOP] = { .length = 1, .uops = 1, .kind = PMU_CODE_NOP },
};

struct program {
	struct host h;
	uint64_t ip;
	uint64_t seed;
	uint64_t data;			/* loaded last */
};

static uint32_t random_to(struct program *p, uint32_t n)
{
	p->seed ^= p->seed << 13;
	p->seed ^= p->seed >> 7;
	p->seed ^= p->seed << 17;
	return (uint32_t)(p->seed >> 16) % n;
}

/* Some right behind another one of their line. */
static uint64_t load_from(struct program *p)
{
	if (random_to(p, 4))
		p->data = 0x10000000 + 64 * (uint64_t)random_to(p, 1 << random_to(p, 19));
	else
		p->data ^= 8;
	return p->data;
}

static void run(struct program *p, int kind)
{
	host_start(&p->h);
	if (p->h.hot.needs[p->h.hot.cls] & PMU_NEED_KIND)
		pmu_code_run(p->h.pmu, p->ip, &code[kind]);
	if (code[kind].flags & PMU_CODE_LOADS)
		host_mem(&p->h, load_from(p), 8, false);
	if (code[kind].flags & PMU_CODE_STORES)
		host_mem(&p->h, 0x20000000 + 8 * random_to(p, 1 << random_to(p, 12)), 8, true);
	p->h.retired++;
	p->ip += code[kind].length;
}

static void jump(struct program *p, int kind, uint64_t to, bool taken)
{
	uint64_t from = p->ip;
	struct pmu_branch b = { .from = from, .to = taken ? to : from + 2, .fall = from + 2,
				.kind = kind == JCC ? PMU_JCC : PMU_JMP,
				.cls = (enum pmu_class)p->h.hot.cls };

	run(p, kind);
	if (p->h.hot.needs[p->h.hot.cls] & PMU_NEED_BRANCH)
		pmu_branch(p->h.pmu, &b);
	p->ip = b.to;
}

/* Blocks of code, hot and cold, with everything in them that stalls. */
static void run_mix(struct program *p, int blocks)
{
	static const int weights[] = { ALU, ALU, ALU, NOP, LOAD, LOAD, CHAIN, STORE, WIDE, ALU };

	for (int i = 0; i < blocks; i++) {
		uint32_t block = random_to(p, 4) ? random_to(p, 16) : random_to(p, 1024);

		p->ip = 0x400000 + 1024 * (uint64_t)block;
		for (int n = 0; n < 16; n++)
			run(p, weights[(block * 7 + (uint32_t)n * 3) % 10]);
		if (block % 8 == 1)
			run(p, DIV);
		if (block % 8 == 2)
			run(p, MICRO);
		if (block % 8 == 3)
			run(p, PREFIX);
		if (block % 64 == 5)
			run(p, FENCE);
		run(p, COMPARE);
		jump(p, JCC, p->ip + 64, random_to(p, 2));
		jump(p, JMP, 0x400000, true);
	}
}

static void new_program(struct program *p, const char *profile)
{
	*p = (struct program) { .ip = 0x400000, .seed = 7 };
	user_host(&p->h, profile, 0);
	host_wrmsr(&p->h, MSR_GLOBAL_CTRL, 0);
	pmu_force(p->h.pmu, PMU_NEED_ALL | PMU_NEED_KIND);
	run_mix(p, 20);
}

static uint64_t total(struct program *p, unsigned int what)
{
	return host_total(&p->h, PMU_USER, (enum pmu_total)what);
}

static unsigned int counters_of(struct program *p)
{
	uint32_t regs[4] = { 0 };

	pmu_cpuid(p->h.pmu, 0xa, 0, regs);
	return regs[0] >> 8 & 0xff;
}

/* The host writes registers in the kernel, where nothing is counted. */
static void globally(struct program *p, uint64_t bits)
{
	host_ring(&p->h, PMU_KERNEL);
	host_wrmsr(&p->h, MSR_GLOBAL_CTRL, bits);
	host_ring(&p->h, PMU_USER);
}

/* --- codes --- */

static void signals_count_on_their_counters(void **state)
{
	(void)state;
	for (size_t r = 0; r < ROWS; r++) {
		struct program p;
		uint64_t before, passed;

		new_program(&p, rows[r].profile);
		for (uint32_t i = 0; i < counters_of(&p); i++)
			host_wrmsr(&p.h, MSR_EVTSEL0 + i, EN | USR | rows[r].code);
		globally(&p, (1u << counters_of(&p)) - 1);
		before = total(&p, rows[r].total);
		run_mix(&p, 600);
		globally(&p, 0);
		passed = total(&p, rows[r].total) - before;
		if (!passed)
			print_message("%s %x: nothing\n", rows[r].profile, rows[r].code);
		assert_true(passed > 0);
		for (uint32_t i = 0; i < counters_of(&p); i++)
			assert_int_equal(host_peek(&p.h, MSR_PMC0 + i),
					 rows[r].counters >> i & 1 ? passed : 0);
		host_free(&p.h);
	}
}

/* Each uop begins on one port, and has one code. */
static void ports_add_up(void **state)
{
	static const struct {
		const char *profile;
		uint32_t event;
		uint16_t umask[8];
	} cores[] = {
		{ "sandybridge", 0xa1, { 0x1, 0x2, 0xc, 0x30, 0x40, 0x80 } },
		{ "skylake", 0xa1, { 0x1, 0x2, 0x4, 0x8 } },
		{ "icelake", 0xa1, { 0x1, 0x2, 0x4, 0x10, 0x20, 0x40, 0x80 } },
		{ "sapphirerapids", 0xb2, { 0x1, 0x2, 0x4, 0x10, 0x20, 0x40, 0x80 } },
	};
	struct program p;

	(void)state;
	for (size_t c = 0; c < sizeof(cores) / sizeof(cores[0]); c++) {
		uint64_t before, executed, sum = 0;
		unsigned int counters;

		new_program(&p, cores[c].profile);
		counters = counters_of(&p);
		for (uint32_t i = 0; i < counters; i++)
			host_wrmsr(&p.h, MSR_EVTSEL0 + i, EN | USR | cores[c].event |
				   (uint32_t)cores[c].umask[i] << 8);
		globally(&p, (1u << counters) - 1);
		before = total(&p, S(UOPS_EXECUTED));
		run_mix(&p, 300);
		executed = total(&p, S(UOPS_EXECUTED)) - before;
		for (uint32_t i = 0; i < counters; i++)
			sum += host_peek(&p.h, MSR_PMC0 + i);
		/* Skylake's four counters see half of its ports. */
		assert_in_range(sum, counters > 4 ? executed : executed / 4, executed);
		host_free(&p.h);
	}
}

/* INV of cycles is the other cycles. */
static void inverted_signals(void **state)
{
	static const struct {
		const char *profile;
		uint32_t code;
	} pairs[] = {
		{ "sandybridge", 0x010e | C(1) }, { "haswell", 0x02c2 | C(3) },
		{ "skylake", 0x01b1 | C(2) }, { "icelake", 0x019c | C(5) },
		{ "sapphirerapids", 0x02c2 | C(1) },
	};
	struct program p;

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		new_program(&p, pairs[i].profile);
		host_wrmsr(&p.h, MSR_EVTSEL0, EN | USR | pairs[i].code);
		host_wrmsr(&p.h, MSR_EVTSEL0 + 1, EN | USR | INV | pairs[i].code);
		host_wrmsr(&p.h, MSR_EVTSEL0 + 2, EN | USR | 0x3c);
		host_wrmsr(&p.h, MSR_EVTSEL0 + 3, EN | USR | INV | C(16) | 0x02c2);
		globally(&p, 0xf);
		run_mix(&p, 300);
		globally(&p, 0);
		assert_in_range(host_peek(&p.h, MSR_PMC0) + host_peek(&p.h, MSR_PMC0 + 1),
				host_peek(&p.h, MSR_PMC0 + 2), host_peek(&p.h, MSR_PMC0 + 2) + 300);
		assert_int_equal(host_peek(&p.h, MSR_PMC0 + 3), host_peek(&p.h, MSR_PMC0 + 2));
		host_free(&p.h);
	}
}

/* One that asks for the register's help counts nothing without it. */
static void two_want_the_frontend_register(void **state)
{
	static const struct {
		uint32_t code;
		uint64_t frontend;
		unsigned int total;
	} codes[] = {
		{ 0x04c2, 8, S(UOPS_MS) }, { 0x40ad, 7, S(UNKNOWN_BRANCH_CYCLES) },
		{ 0x04c2 | C(1) | E, 8, S(MS_SWITCHES) },
	};
	struct program p;

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		for (int with = 0; with < 2; with++) {
			uint64_t before;

			new_program(&p, "sapphirerapids");
			host_wrmsr(&p.h, MSR_FRONTEND, with ? codes[i].frontend : 0x11);
			host_wrmsr(&p.h, MSR_EVTSEL0, EN | USR | codes[i].code);
			globally(&p, 1);
			before = total(&p, codes[i].total);
			run_mix(&p, 300);
			assert_true(total(&p, codes[i].total) > before);
			assert_int_equal(host_peek(&p.h, MSR_PMC0),
					 with ? total(&p, codes[i].total) - before : 0);
			host_free(&p.h);
		}
	}
}

/* --- PERF_METRICS --- */

static void metrics_are_shares_of_slots(void **state)
{
	static const struct {
		const char *profile;
		unsigned int fields, width;
	} cores[] = { { "icelake", 4, 5 }, { "sapphirerapids", 8, 6 }, { "arrowlake-h", 8, 8 } };
	static const unsigned int fields[8] = {
		S(UOPS_RETIRED), S(METRIC_BAD_SPECULATION), S(NOT_DELIVERED), S(METRIC_BACK_END),
		S(UOPS_HEAVY), S(METRIC_MISPREDICTS), S(METRIC_FETCH_LATENCY), S(METRIC_MEMORY),
	};
	struct program p;

	(void)state;
	for (size_t c = 0; c < sizeof(cores) / sizeof(cores[0]); c++) {
		uint64_t before[8], slots, metrics, cycles;

		new_program(&p, cores[c].profile);
		host_wrmsr(&p.h, MSR_FIXED_CTRL, 0x2000);
		host_wrmsr(&p.h, MSR_SLOTS, 0);
		host_wrmsr(&p.h, MSR_METRICS, 0);
		globally(&p, FIXED_BIT(3) | METRICS_BIT);
		cycles = total(&p, PMU_CYCLES);
		for (int f = 0; f < 8; f++)
			before[f] = total(&p, fields[f]);
		run_mix(&p, 500);
		/* All has retired where the class changes. */
		host_ring(&p.h, PMU_KERNEL);
		host_ring(&p.h, PMU_USER);
		slots = host_peek(&p.h, MSR_SLOTS);
		metrics = host_peek(&p.h, MSR_METRICS);
		assert_in_range(slots, cores[c].width * (total(&p, PMU_CYCLES) - cycles) - 8,
				cores[c].width * (total(&p, PMU_CYCLES) - cycles) + 8);
		for (unsigned int f = 0; f < 8; f++) {
			uint64_t part = 255 * (total(&p, fields[f]) - before[f]) / slots;

			assert_true(f >= 4 || part > 2 || cores[c].width == 8);
			assert_in_range((metrics >> 8 * f & 0xff) + 1,
					f < cores[c].fields ? part : 1,
					f < cores[c].fields ? part + 2 : 1);
		}
		host_free(&p.h);
	}
}

/* Neither moves while it is off, in the other ring, or frozen. */
static void metrics_stop(void **state)
{
	static const struct {
		uint64_t global, status;
		enum pmu_class cls;
	} off[] = {
		{ FIXED_BIT(3), 0, PMU_USER }, { METRICS_BIT, 0, PMU_USER },
		{ METRICS_BIT | FIXED_BIT(3), 0, PMU_KERNEL },
		{ METRICS_BIT | FIXED_BIT(3), UINT64_C(1) << 59, PMU_USER },
	};
	struct program p;

	(void)state;
	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		new_program(&p, "icelake");
		host_wrmsr(&p.h, MSR_FIXED_CTRL, 0x2000);
		host_wrmsr(&p.h, MSR_STATUS_SET, off[i].status);
		globally(&p, off[i].global);
		host_ring(&p.h, off[i].cls);
		run_mix(&p, 50);
		assert_int_equal(host_peek(&p.h, MSR_METRICS), 0);
		host_free(&p.h);
	}
}

/* --- FRONTEND_RETIRED --- */

static uint64_t count_frontend(const char *profile, uint64_t msr, void (*work)(struct program *p))
{
	struct program p;
	uint64_t n;

	new_program(&p, profile);
	host_wrmsr(&p.h, MSR_FRONTEND, msr);
	host_wrmsr(&p.h, MSR_EVTSEL0, EN | USR | 0x01c6);
	globally(&p, 1);
	work(&p);
	n = host_peek(&p.h, MSR_PMC0);
	host_free(&p.h);
	return n;
}

/* 512 blocks of two lines, each in its own half page, in turns: none stays anywhere. */
static void far_apart(struct program *p)
{
	for (uint64_t i = 0; i < 2048; i++) {
		p->ip = 0x800000 + i % 2048 * 2048;
		for (int n = 0; n < 8; n++)
			run(p, ALU);
	}
}

static void one_loop(struct program *p)
{
	for (int i = 0; i < 2000; i++) {
		p->ip = 0x800000;
		for (int n = 0; n < 8; n++)
			run(p, ALU);
	}
}

static void frontend_events(void **state)
{
	static const uint64_t missed[] = { 0x11, 0x12, 0x13, 0x14 };

	(void)state;
	for (size_t i = 0; i < sizeof(missed) / sizeof(missed[0]); i++) {
		assert_in_range(count_frontend("skylake", missed[i], far_apart), 900, 16384);
		assert_in_range(count_frontend("skylake", missed[i], one_loop), 0, 16);
	}
	assert_int_equal(count_frontend("skylake", 0, far_apart), 0);
}

/* More cycles are fewer instructions. */
static void frontend_latency(void **state)
{
	static const struct {
		const char *profile;
		uint64_t all_bubbles;
	} cores[] = {
		{ "skylake", 0x400006 }, { "icelake", 0x500006 }, { "sapphirerapids", 0x600006 },
	};

	(void)state;
	for (size_t c = 0; c < 3; c++) {
		uint64_t last = UINT64_MAX, n = 0;

		for (unsigned int cycles = 2; cycles <= 512; cycles *= 2) {
			n = count_frontend(cores[c].profile, cores[c].all_bubbles | cycles << 8,
					   far_apart);
			assert_true(n <= last);
			last = n;
			if (cycles <= 8)
				assert_in_range(n, 2000, 5000);
		}
		assert_int_equal(n, 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(signals_count_on_their_counters),
		cmocka_unit_test(ports_add_up),
		cmocka_unit_test(inverted_signals),
		cmocka_unit_test(two_want_the_frontend_register),
		cmocka_unit_test(metrics_are_shares_of_slots),
		cmocka_unit_test(metrics_stop),
		cmocka_unit_test(frontend_events),
		cmocka_unit_test(frontend_latency),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
