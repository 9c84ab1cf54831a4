// SPDX-License-Identifier: GPL-2.0-only
/*
 * Architectural PEBS in the PMU model: registers, where records go and what they hold, what
 * happens at the threshold and where there is no room, and the readings of what the manual
 * leaves open.
 */
#include <inttypes.h>
#include <string.h>

#include "tests/unit/model/host.h"

enum {
	MSR_BASE = 0x3f4,
	MSR_INDEX = 0x3f5,
	MSR_LATENCY = 0x3f6,
	GP0 = 0x1903,			/* CFG_C; four numbers to the next */
	FX0 = 0x1983,
};

#define BIT(n) (UINT64_C(1) << (n))
#define RELOAD UINT64_C(0xffffffff)
#define ALLOW BIT(35)
#define GP BIT(36)
#define FIXED BIT(37)
#define METRICS BIT(38)
#define LBR_8 (UINT64_C(1) << 40)
#define LBR_16 (UINT64_C(2) << 40)
#define LBR_ALL (UINT64_C(3) << 40)
#define XMM BIT(49)
#define YMMH BIT(50)
#define GPR BIT(61)
#define AUX BIT(62)
#define PEBS BIT(63)
#define FULL BIT(31)
#define ON BIT(32)
#define THRESH(bytes) ((uint64_t)(bytes) << 32)
#define STATUS BIT(54)
#define BASIC BIT(63)
#define CONTINUES BIT(31)
#define WIDE BIT(30)

#define BUFFER UINT64_C(0x12345000)	/* physical */
#define PAGES 4

static uint64_t memory[PAGES * 512];
static bool none;			/* there is no memory */
static unsigned int written, lost;
static struct pmu_written last;

static bool there(uint64_t addr, unsigned int size)
{
	return !none && addr >= BUFFER && addr + size <= BUFFER + sizeof(memory);
}

static bool physical_writable(void *data, uint64_t addr, unsigned int size)
{
	(void)data;
	return there(addr, size);
}

static void physical_write(void *data, uint64_t addr, uint64_t word)
{
	(void)data;
	assert_true(there(addr, 8));
	memory[(addr - BUFFER) / 8] = word;
}

static const struct pmu_memory memory_ops = {
	.physical_writable = physical_writable, .physical_write = physical_write,
};

static uint64_t ip_of(uint64_t instruction)
{
	return 0x400000 + 4 * instruction;
}

static void record(struct host *h)
{
	struct pmu_cpu cpu = {
		.long_mode = true, .wide = true, .ip = ip_of(h->retired),
		.eventing_ip = ip_of(h->step), .flags = 0x246, .tsc = 0x75c,
	};

	for (unsigned int i = 0; i < 16; i++) {
		cpu.gpr[i] = 0x100 + i;
		for (unsigned int half = 0; half < 2; half++) {
			cpu.xmm[i][half] = 0x200 + 2 * i + half;
			cpu.ymmh[i][half] = 0x300 + 2 * i + half;
		}
	}
	last = pmu_record(h->pmu, &cpu, &memory_ops);
	written += last.written;
	lost += !last.written;
}

static void arch_host_as(struct host *h, const char *readings)
{
	char why[200];

	memset(memory, 0, sizeof(memory));
	none = false;
	written = 0;
	lost = 0;
	host_new(h, "pantherlake", 0);
	assert_true(!readings || pmu_silicon(h->pmu, readings, why, sizeof(why)));
	h->record = record;
	host_wrmsr(h, MSR_BASE, BUFFER | 2);
	host_wrmsr(h, MSR_INDEX, ON | THRESH(sizeof(memory)));
	host_ring(h, PMU_USER);
}

static void arch_host(struct host *h)
{
	arch_host_as(h, NULL);
}

/* Counter i, with a record every period events. */
static void start(struct host *h, unsigned int i, uint64_t sel, uint64_t cfg_c, uint32_t period)
{
	host_wrmsr(h, MSR_EVTSEL0 + i, 0);
	host_wrmsr(h, MSR_PMC0_FULL + i, -(uint64_t)(period - 1) & WIDTH48);
	host_wrmsr(h, GP0 + 4 * i, PEBS | cfg_c | (-(period - 1) & RELOAD));
	host_ring(h, PMU_KERNEL);
	host_wrmsr(h, MSR_EVTSEL0 + i, sel);
	host_ring(h, PMU_USER);
}

static uint64_t byte(unsigned int offset)
{
	return memory[offset / 8];
}

static uint64_t end_of(struct host *h)
{
	return host_peek(h, MSR_INDEX) & 0x7fffff0;
}

static void registers(void **state)
{
	static const struct {
		uint32_t msr;
		uint64_t value;
		bool taken;
	} rows[] = {
		{ MSR_BASE, 0xffffffffff00f, true },
		{ MSR_BASE, 0x1010, false },		/* as much as no index can name */
		{ MSR_BASE, 0x1020, false },
		{ MSR_BASE, BIT(52), false },
		{ MSR_INDEX, 0x7ffffff187fffff0, false },
		{ MSR_INDEX, 0x07fffff187fffff0, true },
		{ MSR_INDEX, 0x8, false },
		{ MSR_INDEX, BIT(27), false },
		{ MSR_INDEX, BIT(33), false },
		{ GP0, 0xe0060378ffffffff, true },
		{ GP0 + 36, 0xe0060378ffffffff, true },
		{ GP0 + 40, 0, false },
		{ FX0, 0xe0060378ffffffff, true },
		{ FX0 + 12, 0xe0060378ffffffff, true },
		{ FX0 + 16, 0, false },
		{ GP0, BIT(32), false },
		{ GP0, BIT(53), false },		/* no vectors of 512 bits */
		{ GP0 - 1, 0, false },			/* no counter reloads another */
		{ 0x3f1, 0, false },
		{ 0x3f2, 0, false },
		{ MSR_STATUS_SET, STATUS, true },
		{ MSR_STATUS_RESET, STATUS, true },
		{ MSR_EVTSEL0 + 9, SEL_INSN, true },
		{ MSR_EVTSEL0 + 10, SEL_INSN, false },
		{ 0x1925, SEL_INSN, true },
		{ MSR_EVTSEL0, BIT(34), true },
		{ MSR_EVTSEL0, BIT(35), false },	/* branch records have no events */
	};
	struct host h;

	(void)state;
	host_new(&h, "pantherlake", 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum pmu_access access = host_try_wrmsr(&h, rows[i].msr, rows[i].value);

		if ((access == PMU_DONE) != rows[i].taken)
			print_error("%x = %" PRIx64 "\n", rows[i].msr, rows[i].value);
		assert_int_equal(access == PMU_DONE, rows[i].taken);
		if (rows[i].taken && rows[i].msr != MSR_STATUS_RESET &&
		    rows[i].msr != MSR_STATUS_SET)
			assert_int_equal(host_peek(&h, rows[i].msr), rows[i].value);
	}
	pmu_reset(h.pmu);
	assert_int_equal(host_peek(&h, MSR_BASE) | host_peek(&h, MSR_INDEX), 0);
	assert_int_equal(host_peek(&h, GP0), 0);
	host_free(&h);
	/* Elsewhere they are not. */
	host_new(&h, "lunarlake", 0);
	assert_int_equal(host_try_wrmsr(&h, MSR_BASE, 0), PMU_FAULT);
	assert_int_equal(host_try_wrmsr(&h, GP0, 0), PMU_FAULT);
	host_free(&h);
}

static void leaves(void **state)
{
	static const struct {
		const char *profile;
		uint32_t leaf, subleaf, regs[4];
	} rows[] = {
		{ "pantherlake", 0xa, 0, { 0x0d300806, 0x280, 0x7, 0x8603 } },
		{ "pantherlake", 0x1a, 0, { 0x40000004, 0, 0, 0 } },
		{ "pantherlake", 0x23, 0, { 0x3b, 3, 0, 0 } },
		{ "pantherlake", 0x23, 1, { 0x3ff, 0xf, 0, 0 } },
		{ "pantherlake", 0x23, 2, { 0, 0, 0, 0 } },
		{ "pantherlake", 0x23, 3, { 0x1dff, 0, 0, 0 } },
		{ "pantherlake", 0x23, 4, { 0, 0x60060378, 0, 0 } },
		{ "pantherlake", 0x23, 5, { 0x3ff, 0x3, 0xf, 0x1 } },
		{ "pantherlake-e", 0x1a, 0, { 0x20000004, 0, 0, 0 } },
		{ "pantherlake-e", 0x23, 4, { 0, 0x60060338, 0, 0 } },
		{ "pantherlake-e", 0x23, 5, { 0xff, 0x3, 0x77, 0x1 } },
		{ "lunarlake", 0xa, 0, { 0x0d300806, 0x280, 0x7, 0x8603 } },
		{ "lunarlake", 0x1a, 0, { 0x40000003, 0, 0, 0 } },
		{ "lunarlake", 0x23, 0, { 0xb, 3, 0, 0 } },
		{ "lunarlake", 0x23, 1, { 0x3ff, 0xf, 0, 0 } },
		{ "lunarlake", 0x23, 3, { 0x1dff, 0, 0, 0 } },
		{ "lunarlake", 0x23, 4, { 0, 0, 0, 0 } },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t regs[4] = { 0 };

		host_new(&h, rows[i].profile, 0);
		pmu_cpuid(h.pmu, rows[i].leaf, rows[i].subleaf, regs);
		assert_memory_equal(regs, rows[i].regs, sizeof(regs));
		host_free(&h);
	}
	host_new(&h, "pantherlake", 0);
	assert_int_equal(host_peek(&h, MSR_CAPABILITIES) >> 8 & 0xf, 0xf);
	host_free(&h);
}

/* At the very events, behind which the counter starts anew; on each counter. */
static void one_record_every_period(void **state)
{
	static const unsigned int counters[] = { 0, 1, 7, 9 };
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		arch_host(&h);
		start(&h, counters[i], SEL_INSN, 0, 10);
		for (unsigned int n = 0; n < 25; n++) {
			uint64_t before = h.retired;

			host_run(&h, 10);
			host_boundary(&h);
			assert_int_equal(written, n + 1);
			assert_int_equal(end_of(&h), (n + 1) * 0x40);
			assert_int_equal(byte(n * 0x40), BASIC | WIDE | 0x40);
			assert_int_equal(byte(n * 0x40 + 8), 0);
			assert_int_equal(byte(n * 0x40 + 0x10), ip_of(before + 9));
			assert_int_equal(byte(n * 0x40 + 0x18), BIT(counters[i]));
			assert_int_equal(byte(n * 0x40 + 0x20), 0x75c);
			assert_int_equal(byte(n * 0x40 + 0x28) & ~UINT64_C(0xffff), BIT(16));
			assert_int_equal(byte(n * 0x40 + 0x30) | byte(n * 0x40 + 0x38), 0);
		}
		assert_int_equal(h.pmis, 0);
		assert_int_equal(host_peek(&h, MSR_STATUS), 0);
		host_free(&h);
	}
}

static void fixed_counters(void **state)
{
	struct host h;

	(void)state;
	arch_host(&h);
	host_wrmsr(&h, FX0, PEBS | (-9 & RELOAD));
	host_wrmsr(&h, MSR_FIXED0, -UINT64_C(9) & WIDTH48);
	host_ring(&h, PMU_KERNEL);
	host_wrmsr(&h, MSR_FIXED_CTRL, 2);
	host_wrmsr(&h, MSR_GLOBAL_CTRL, FIXED_BIT(0));
	host_ring(&h, PMU_USER);
	host_run(&h, 30);
	host_boundary(&h);
	assert_int_equal(written, 3);
	assert_int_equal(byte(0x18), FIXED_BIT(0));
	/* It does not tell what its instruction took. */
	assert_int_equal(byte(0x28), 0);
	host_free(&h);
}

/* Where groups are, in the order in which they come. */
static void groups(void **state)
{
	/* basic, AUX, GPR, vectors, 8 branch records, counters */
	enum {
		AT_AUX = 0x40, AT_GPR = AT_AUX + 0x40, AT_XER = AT_GPR + 0xa0,
		AT_LBR = AT_XER + 0x210, AT_CNTR = AT_LBR + 0x30 + 8 * 0x18,
		SIZE = AT_CNTR + 0x10 + 3 * 8 + 8,
	};
	struct host h;
	uint64_t first;

	(void)state;
	arch_host(&h);
	host_wrmsr(&h, MSR_LATENCY, 30);
	host_wrmsr(&h, 0x14cf, 16);
	host_wrmsr(&h, 0x14ce, 0x7f0007);
	for (uint64_t n = 0; n < 20; n++)
		host_branch(&h, 0x1000 * n, true, 0x100000);
	host_wrmsr(&h, 0x14ce, 0);
	/* Two counters let themselves be recorded, of each kind one; a third does not. */
	host_wrmsr(&h, MSR_PMC0_FULL + 8, 1000);
	host_wrmsr(&h, GP0 + 32, ALLOW);
	host_wrmsr(&h, MSR_PMC0_FULL + 1, 77);
	host_wrmsr(&h, GP0 + 4, PEBS | GPR);
	host_wrmsr(&h, MSR_FIXED0 + 2, 3000);
	host_wrmsr(&h, FX0 + 8, ALLOW);
	start(&h, 3, EN | USR | 0x01cd,
	      ALLOW | AUX | GPR | XMM | YMMH | LBR_8 | GP | FIXED, 2);
	host_load(&h, 0x10000000);
	first = h.retired;
	host_load(&h, 0x20000000);
	host_boundary(&h);
	assert_int_equal(written, 1);
	assert_int_equal(end_of(&h), SIZE);
	assert_int_equal(byte(0), SIZE | WIDE | BASIC | AUX | GPR | XMM | YMMH | LBR_8 | GP |
			 FIXED);
	assert_int_equal(byte(0x10), ip_of(first));
	assert_int_equal(byte(0x18), BIT(3));
	assert_int_equal(byte(AT_AUX), 0x20000000);
	assert_int_equal(byte(AT_AUX + 0x28), 0x11);		/* memory */
	assert_int_equal(byte(AT_AUX + 0x30), UINT64_C(264) << 32 | 264);
	assert_int_equal(byte(AT_AUX + 0x38), 0);
	assert_int_equal(byte(AT_GPR), 0x246);
	assert_int_equal(byte(AT_GPR + 8), ip_of(first + 1));
	for (unsigned int i = 0; i < 16; i++)
		assert_int_equal(byte(AT_GPR + 0x10 + 8 * i), 0x100 + i);
	assert_int_equal(byte(AT_XER), 6);
	for (unsigned int i = 0; i < 32; i++) {
		assert_int_equal(byte(AT_XER + 0x10 + 8 * i), 0x200 + i);
		assert_int_equal(byte(AT_XER + 0x110 + 8 * i), 0x300 + i);
	}
	assert_int_equal(byte(AT_LBR), 0);
	assert_int_equal(byte(AT_LBR + 0x08), 0);
	assert_int_equal(byte(AT_LBR + 0x10), 16);
	for (unsigned int i = 0; i < 8; i++) {
		assert_int_equal(byte(AT_LBR + 0x30 + 0x18 * i), 0x1000 * (19 - i));
		assert_int_equal(byte(AT_LBR + 0x38 + 0x18 * i), 0x100000);
		assert_int_equal(byte(AT_LBR + 0x40 + 0x18 * i), host_peek(&h, 0x1200 + i));
	}
	assert_int_equal(byte(AT_CNTR), BIT(3) | BIT(8) | UINT64_C(4) << 32);
	assert_int_equal(byte(AT_CNTR + 8), 0);
	/* Its own is from before it starts anew. */
	assert_int_equal(byte(AT_CNTR + 0x10), 1);
	assert_int_equal(byte(AT_CNTR + 0x18), 1000);
	assert_int_equal(byte(AT_CNTR + 0x20), 3000);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 3), -UINT64_C(1) & WIDTH48);
	host_free(&h);
}

static void branches_as_many_as_asked_for(void **state)
{
	static const struct {
		uint64_t cfg_c;
		unsigned int depth, nr;
	} rows[] = {
		{ LBR_8, 32, 8 }, { LBR_16, 32, 16 }, { LBR_ALL, 32, 32 }, { LBR_ALL, 8, 8 },
		{ LBR_16, 8, 16 },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		arch_host(&h);
		host_wrmsr(&h, 0x14cf, rows[i].depth);
		start(&h, 0, SEL_INSN, rows[i].cfg_c, 10);
		host_run(&h, 10);
		host_boundary(&h);
		assert_int_equal(end_of(&h), 0x40 + 0x30 + 0x18 * rows[i].nr);
		assert_int_equal(byte(0x40 + 0x10), rows[i].depth);
		host_free(&h);
	}
}

/* Slots and PERF_METRICS; reading them empties them where FIXED_CTR_CTRL says so. */
static void metrics(void **state)
{
	struct host h;

	(void)state;
	for (uint64_t clear = 0; clear < 2; clear++) {
		arch_host(&h);
		host_wrmsr(&h, MSR_FIXED0 + 3, 2550);
		host_wrmsr(&h, 0x329, 0x20406090);
		host_wrmsr(&h, MSR_FIXED_CTRL, clear << 14);
		start(&h, 0, SEL_INSN, METRICS, 10);
		host_run(&h, 10);
		host_boundary(&h);
		assert_int_equal(end_of(&h), 0x40 + 0x20);
		assert_int_equal(byte(0), 0x60 | WIDE | BASIC | METRICS);
		assert_int_equal(byte(0x40), 0);
		assert_int_equal(byte(0x48), 3);
		assert_int_equal(byte(0x50), 2550);
		assert_int_not_equal(byte(0x58), 0);
		assert_int_equal(host_peek(&h, MSR_FIXED0 + 3), clear ? 0 : 2550);
		assert_int_equal(host_peek(&h, 0x329) != 0, !clear);
		host_free(&h);
	}
}

/* Groups are the counter's own; of two that overflow at once the record has both. */
static void groups_of_each_counter(void **state)
{
	struct host h;

	(void)state;
	arch_host(&h);
	start(&h, 0, SEL_INSN, GPR, 10);
	start(&h, 2, SEL_BRANCHES, AUX, 3);
	host_wrmsr(&h, MSR_PMC0_FULL, -UINT64_C(9) & WIDTH48);
	host_run(&h, 7);
	for (unsigned int n = 0; n < 3; n++)
		host_branch(&h, 0x1000, true, 0x2000);
	host_boundary(&h);
	assert_int_equal(written, 1);
	assert_int_equal(byte(0), 0x120 | WIDE | BASIC | GPR | AUX);
	assert_int_equal(byte(0x18), 5);
	assert_int_equal(host_peek(&h, MSR_PMC0), -UINT64_C(9) & WIDTH48);
	assert_int_equal(host_peek(&h, MSR_PMC0 + 2), -UINT64_C(2) & WIDTH48);
	for (unsigned int n = 0; n < 3; n++)
		host_branch(&h, 0x1000, true, 0x2000);
	host_run(&h, 7);
	host_boundary(&h);
	assert_int_equal(written, 3);
	assert_int_equal(byte(0x120), 0x80 | WIDE | BASIC | AUX);
	assert_int_equal(byte(0x120 + 0x18), 4);
	assert_int_equal(byte(0x1a0), 0xe0 | WIDE | BASIC | GPR);
	assert_int_equal(byte(0x1a0 + 0x18), 1);
	host_free(&h);
	/* By another reading it is a record each. */
	arch_host_as(&h, "record-each");
	start(&h, 0, SEL_INSN, GPR, 10);
	start(&h, 2, SEL_BRANCHES, AUX, 3);
	host_wrmsr(&h, MSR_PMC0_FULL, -UINT64_C(9) & WIDTH48);
	host_run(&h, 7);
	for (unsigned int n = 0; n < 3; n++)
		host_branch(&h, 0x1000, true, 0x2000);
	host_boundary(&h);
	assert_int_equal(end_of(&h), 0xe0 + 0x80);
	assert_int_equal(byte(0), 0xe0 | WIDE | BASIC | GPR);
	assert_int_equal(byte(0x18), 1);
	assert_int_equal(byte(0xe0), 0x80 | WIDE | BASIC | AUX);
	assert_int_equal(byte(0xe0 + 0x18), 4);
	assert_int_equal(last.counters, 5);
	host_free(&h);
}

static void threshold_interrupts_at_once(void **state)
{
	struct host h;
	uint64_t first;

	(void)state;
	arch_host(&h);
	host_wrmsr(&h, MSR_INDEX, ON | THRESH(0xc0));
	start(&h, 0, SEL_INSN, 0, 10);
	first = h.retired;
	host_run(&h, 31);
	assert_int_equal(h.pmis, 1);
	assert_int_equal(h.pmi_at, first + 30);
	assert_int_equal(host_peek(&h, MSR_STATUS), STATUS);
	assert_int_equal(pmu_overflowed(h.pmu), STATUS);
	/* So does each record from there on. */
	host_run(&h, 10);
	assert_int_equal(h.pmis, 2);
	host_wrmsr(&h, MSR_STATUS_RESET, STATUS);
	assert_int_equal(host_peek(&h, MSR_STATUS), 0);
	/* Software begins anew. */
	host_wrmsr(&h, MSR_INDEX, ON | THRESH(0xc0));
	host_run(&h, 18);
	host_boundary(&h);
	assert_int_equal(h.pmis, 2);
	assert_int_equal(end_of(&h), 0x80);
	host_free(&h);
}

/* What has no room is lost and says so; the counter goes on all the time. */
static void a_full_buffer(void **state)
{
	static const struct {
		const char *readings;
		bool stops, interrupts;
	} rows[] = {
		{ NULL, false, false }, { "full-stops", true, false },
		{ "full-interrupts", false, true }, { "full-stops,full-interrupts", true, true },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t index = ON | THRESH(0x10000);

		arch_host_as(&h, rows[i].readings);
		host_wrmsr(&h, MSR_BASE, BUFFER);
		host_wrmsr(&h, MSR_INDEX, index | 0xf80);
		start(&h, 0, SEL_INSN, 0, 10);
		host_run(&h, 25);
		host_boundary(&h);
		assert_int_equal(written, 2);
		assert_int_equal(host_peek(&h, MSR_INDEX), index | 0x1000);
		host_run(&h, 20);
		host_boundary(&h);
		assert_int_equal(written, 2);
		assert_int_equal(lost, 2);
		assert_int_equal(last.counters, 1);
		assert_int_equal(host_peek(&h, MSR_INDEX),
				 (rows[i].stops ? index & ~ON : index) | FULL | 0x1000);
		assert_int_equal(h.pmis, rows[i].interrupts);
		assert_int_equal(host_peek(&h, MSR_STATUS), rows[i].interrupts ? STATUS : 0);
		assert_int_equal(byte(0x1000), 0);
		/* Room alone is not enough. */
		host_wrmsr(&h, MSR_INDEX, index | FULL);
		host_run(&h, 10);
		host_boundary(&h);
		assert_int_equal(written, 2);
		host_wrmsr(&h, MSR_INDEX, index);
		host_run(&h, 10);
		host_boundary(&h);
		assert_int_equal(written, 3);
		assert_int_equal(end_of(&h), 0x40);
		host_free(&h);
	}
}

/* A record is in the buffer as a whole or not at all. */
static void no_part_of_a_record(void **state)
{
	struct host h;

	(void)state;
	arch_host(&h);
	host_wrmsr(&h, MSR_BASE, BUFFER);
	host_wrmsr(&h, MSR_INDEX, ON | THRESH(0x10000) | 0xfb0);
	start(&h, 0, SEL_INSN, AUX, 10);
	host_run(&h, 15);
	host_boundary(&h);
	assert_int_equal(lost, 1);
	for (unsigned int at = 0xfb0; at < 0x1040; at += 8)
		assert_int_equal(byte(at), 0);
	/* Nor is it where there is no memory, which is not full. */
	host_wrmsr(&h, MSR_INDEX, ON | THRESH(0x10000));
	none = true;
	host_run(&h, 10);
	host_boundary(&h);
	assert_int_equal(lost, 2);
	assert_int_equal(host_peek(&h, MSR_INDEX), ON | THRESH(0x10000));
	host_free(&h);
}

static void the_buffer_is_off(void **state)
{
	struct host h;

	(void)state;
	for (unsigned int overflows = 0; overflows < 2; overflows++) {
		arch_host_as(&h, overflows ? "off-overflows" : NULL);
		host_wrmsr(&h, MSR_INDEX, THRESH(0x40));
		start(&h, 0, SEL_INSN | INT, 0, 10);
		host_run(&h, 25);
		host_boundary(&h);
		assert_int_equal(written, 0);
		assert_int_equal(end_of(&h), 0);
		assert_int_equal(lost, overflows ? 0 : 2);
		assert_int_equal(h.pmis, overflows);
		assert_int_equal(host_peek(&h, MSR_STATUS), overflows);
		host_wrmsr(&h, MSR_INDEX, ON | THRESH(0x4000));
		host_wrmsr(&h, MSR_PMC0_FULL, -UINT64_C(9) & WIDTH48);
		host_run(&h, 10);
		host_boundary(&h);
		assert_int_equal(written, 1);
		host_free(&h);
	}
}

/* 32 bits of a value that has 48. */
static void reload_values(void **state)
{
	static const struct {
		const char *readings;
		uint32_t reload;
		uint64_t value;
	} rows[] = {
		{ NULL, 0xfffffff0, 0xfffffffffff0 }, { NULL, 0x80000000, 0xffff80000000 },
		{ NULL, 0x7fffffff, 0x7fffffff }, { NULL, 0, 0 },
		{ "reload-ones", 0xfffffff0, 0xfffffffffff0 },
		{ "reload-ones", 0x7fffffff, 0xffff7fffffff }, { "reload-ones", 0, 0 },
		{ "counts-recorded", 0xfffffff0, 0xfffffffffff1 },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		arch_host_as(&h, rows[i].readings);
		start(&h, 0, SEL_INSN, 0, 10);
		host_wrmsr(&h, GP0, PEBS | rows[i].reload);
		host_wrmsr(&h, MSR_PMC0_FULL, -UINT64_C(5) & WIDTH48);
		host_run(&h, 6);
		host_boundary(&h);
		assert_int_equal(written, 1);
		assert_int_equal(host_peek(&h, MSR_PMC0), rows[i].value);
		host_free(&h);
	}
}

/* A record in parts that name themselves; a null one names nothing, and is no end. */
static void fragments(void **state)
{
	static const struct {
		const char *readings;
		unsigned int nr;
		uint64_t header[8];
	} rows[] = {
		{ NULL, 1, { 0x120 | WIDE | BASIC | AUX | GPR } },
		{ "fragments", 3, { 0x40 | WIDE | CONTINUES | BASIC, 0x50 | WIDE | CONTINUES | AUX,
				    0xb0 | WIDE | GPR } },
		{ "null-fragments", 3, { 0x40 | WIDE | CONTINUES | BASIC, 0x10,
					 0xf0 | WIDE | AUX | GPR } },
		{ "fragments,null-fragments", 5,
		  { 0x40 | WIDE | CONTINUES | BASIC, 0x10, 0x50 | WIDE | CONTINUES | AUX, 0x10,
		    0xb0 | WIDE | GPR } },
	};
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned int at = 0;

		arch_host_as(&h, rows[i].readings);
		start(&h, 0, SEL_INSN, AUX | GPR, 10);
		host_run(&h, 15);
		host_boundary(&h);
		assert_int_equal(written, 1);
		for (unsigned int n = 0; n < rows[i].nr; n++) {
			assert_int_equal(byte(at), rows[i].header[n]);
			if (byte(at) & GPR)
				assert_int_equal(byte(at + (byte(at) & 0xffff) - 0x18), 0x100 + 15);
			at += byte(at) & 0xffff;
		}
		assert_int_equal(end_of(&h), at);
		/* What is basic alone is in one. */
		host_wrmsr(&h, GP0, PEBS | RELOAD);
		host_run(&h, 10);
		host_boundary(&h);
		assert_int_equal(byte(at), 0x40 | WIDE | BASIC);
		host_free(&h);
	}
}

static void no_baseline(void **state)
{
	struct host h;

	(void)state;
	arch_host_as(&h, "no-baseline");
	assert_int_equal(host_peek(&h, MSR_CAPABILITIES) & BIT(14), 0);
	assert_int_equal(host_try_wrmsr(&h, MSR_EVTSEL0, BIT(34)), PMU_FAULT);
	assert_int_equal(host_try_wrmsr(&h, MSR_FIXED_CTRL, BIT(32)), PMU_FAULT);
	start(&h, 0, SEL_INSN, GPR, 10);
	host_run(&h, 10);
	host_boundary(&h);
	assert_int_equal(written, 1);
	host_free(&h);
	/* It is of architectural PEBS. */
	host_new(&h, "lunarlake", 0);
	assert_int_equal(host_peek(&h, MSR_CAPABILITIES) & BIT(14), BIT(14));
	host_free(&h);
}

/* Codes that the tables do not have with UMASK2 or EQ are other events, and count nothing. */
static void umask2_and_eq(void **state)
{
	static const struct {
		uint64_t bits;
		bool counts;
	} rows[] = { { 0, true }, { BIT(36), false }, { BIT(40), false }, { BIT(47), false } };
	struct host h;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		user_host(&h, "pantherlake", 0);
		host_wrmsr(&h, 0x1901, SEL_INSN | rows[i].bits);
		host_run(&h, 100);
		assert_int_equal(host_peek(&h, 0x1900) != 0, rows[i].counts);
		host_free(&h);
	}
}

/* Of ten counters not each counts everything; branch records are an event. */
static void events_on_ten_counters(void **state)
{
	static const struct {
		uint32_t code;
		unsigned int counters;
	} rows[] = {
		{ 0x00c0, 0x3ff }, { 0x01cd, 0x3fc }, { 0x02cd, 0x3 }, { 0x81d0, 0xf },
		{ 0x87d0, 0x3ff }, { 0x01e4, 0x3ff },
	};
	struct host h;

	(void)state;
	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		user_host(&h, "lunarlake", 0);
		host_wrmsr(&h, 0x14ce, 0x7f0007);
		for (unsigned int i = 0; i < 10; i++)
			host_wrmsr(&h, 0x1901 + 4 * i, EN | USR | rows[r].code);
		for (unsigned int n = 0; n < 10; n++) {
			host_load(&h, 0x10000000 + 0x100000 * n);
			host_store(&h, 0x20000000 + 0x100000 * n);
			host_branch(&h, 0x1000, true, 0x2000);
		}
		for (unsigned int i = 0; i < 10; i++)
			assert_int_equal(host_peek(&h, 0x1900 + 4 * i) != 0,
					 rows[r].counters >> i & 1);
		if (rows[r].code == 0x01e4)
			assert_int_equal(host_peek(&h, MSR_PMC0 + 9), 10);
		host_free(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers),
		cmocka_unit_test(leaves),
		cmocka_unit_test(one_record_every_period),
		cmocka_unit_test(fixed_counters),
		cmocka_unit_test(groups),
		cmocka_unit_test(branches_as_many_as_asked_for),
		cmocka_unit_test(metrics),
		cmocka_unit_test(groups_of_each_counter),
		cmocka_unit_test(threshold_interrupts_at_once),
		cmocka_unit_test(a_full_buffer),
		cmocka_unit_test(no_part_of_a_record),
		cmocka_unit_test(the_buffer_is_off),
		cmocka_unit_test(reload_values),
		cmocka_unit_test(fragments),
		cmocka_unit_test(no_baseline),
		cmocka_unit_test(umask2_and_eq),
		cmocka_unit_test(events_on_ten_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
