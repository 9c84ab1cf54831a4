// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU model's architectural branch records: LBR_CTL and LBR_DEPTH, entry 0 the
 * latest, what is wanted, what INFO says, freezing, the call stack.
 */
#include "tests/unit/model/host.h"

#define FREEZE_LBR (1u << 11)
#define LBR_FRZ (UINT64_C(1) << 58)
#define MISPREDICTED (UINT64_C(1) << 63)
#define CYCLES_VALID (UINT64_C(1) << 60)
#define TYPE_OF(info) ((unsigned int)((info) >> 56) & 0xf)
#define KERNEL_IP UINT64_C(0xffffffff81000000)

#define ON 1u
#define KERNEL 2u
#define USER 4u
#define CALL_STACK 8u
#define KIND(n) (1u << (16 + (n)))
#define KINDS (KIND(7) - KIND(0))
#define EVERYTHING (ON | KERNEL | USER | KINDS)
#define CALLS (ON | USER | CALL_STACK | KIND(3) | KIND(4) | KIND(5))

enum { MSR_CTL = 0x14ce, MSR_DEPTH = 0x14cf, MSR_FROM = 0x1500, MSR_TO = 0x1600,
       MSR_INFO = 0x1200 };

static const struct {
	const char *name;
	uint32_t leaf;
} profiles[] = {
	{ "sapphirerapids", 0x4000000b }, { "graniterapids", 0x4000000b },
	{ "alderlake", 0x4000000b }, { "alderlake-p", 0x4000000b },
	{ "alderlake-e", 0xc000000b }, { "alderlake-n", 0xc000000b },
	{ "sierraforest", 0xc000000b }, { "meteorlake", 0x4000000b },
	{ "meteorlake-e", 0xc000000b }, { "arrowlake-h", 0x4000000b },
	{ "arrowlake-h-e", 0xc000000b }, { "arrowlake-h-l", 0xc000000b },
	{ "lunarlake", 0x4000000b }, { "lunarlake-e", 0xc000000b },
	{ "pantherlake", 0x4000000b }, { "pantherlake-e", 0xc000000b },
	{ "perfmon6", 0x4000000b },
};

#define EACH(i) for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++)

static void lbr_host(struct host *h, const char *profile, uint64_t ctl)
{
	user_host(h, profile, 0);
	host_wrmsr(h, MSR_CTL, ctl);
}

static void jumps(struct host *h, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		host_branch_kind(h, 0x1000 + UINT64_C(16) * i, 0x900000, PMU_JMP);
}

static uint64_t from(struct host *h, uint32_t i)
{
	return host_peek(h, MSR_FROM + i);
}

static void what_cpuid_says(void **state)
{
	(void)state;
	EACH(i) {
		uint32_t seven[4] = { 0 }, leaf[4] = { 1, 2, 3, 4 }, behind[4] = { 1, 2, 3, 4 };
		struct host h;

		host_new(&h, profiles[i].name, 0);
		pmu_cpuid(h.pmu, 7, 0, seven);
		assert_true(seven[3] & 1u << 19);
		pmu_cpuid(h.pmu, 0x1c, 0, leaf);
		assert_int_equal(leaf[0], profiles[i].leaf);
		assert_int_equal(leaf[1], 7);
		assert_int_equal(leaf[2], 7);
		assert_int_equal(leaf[3], 0);
		pmu_cpuid(h.pmu, 0x1c, 1, behind);
		assert_int_equal(behind[0] | behind[1] | behind[2] | behind[3], 0);
		assert_int_equal(host_peek(&h, MSR_CAPABILITIES) & 0x3f, 0x3f);
		host_free(&h);
	}
}

static void registers(void **state)
{
	(void)state;
	EACH(i) {
		struct host h;
		uint64_t value;

		host_new(&h, profiles[i].name, 0);
		assert_int_equal(host_peek(&h, MSR_CTL), 0);
		assert_int_equal(host_peek(&h, MSR_DEPTH), 32);
		host_wrmsr(&h, MSR_CTL, 0x7f000f);
		assert_int_equal(host_peek(&h, MSR_CTL), 0x7f000f);
		for (unsigned int bit = 0; bit < 64; bit++)
			assert_int_equal(host_try_wrmsr(&h, MSR_CTL, UINT64_C(1) << bit),
					 UINT64_C(0x7f000f) >> bit & 1 ? PMU_DONE : PMU_FAULT);
		host_wrmsr(&h, MSR_CTL, 0);
		for (uint32_t n = 0; n < 32; n++) {
			host_wrmsr(&h, MSR_FROM + n, KERNEL_IP + n);
			host_wrmsr(&h, MSR_TO + n, n + 1);
			host_wrmsr(&h, MSR_INFO + n, n + 2);
		}
		for (uint32_t n = 0; n < 32; n++) {
			assert_int_equal(from(&h, n), KERNEL_IP + n);
			assert_int_equal(host_peek(&h, MSR_TO + n), n + 1);
			assert_int_equal(host_peek(&h, MSR_INFO + n), n + 2);
		}
		/* The old ones are not there, and their bit of DEBUGCTL means nothing. */
		assert_int_equal(host_try_rdmsr(&h, 0x680, &value), PMU_FAULT);
		assert_int_equal(host_try_rdmsr(&h, 0x1c8, &value), PMU_FAULT);
		assert_int_equal(host_try_rdmsr(&h, 0x1c9, &value), PMU_FAULT);
		host_wrmsr(&h, MSR_DEBUGCTL, FREEZE_LBR | 1);
		assert_int_equal(host_peek(&h, MSR_DEBUGCTL), FREEZE_LBR);
		pmu_reset(h.pmu);
		assert_int_equal(from(&h, 0), 0);
		assert_int_equal(host_peek(&h, MSR_DEPTH), 32);
		host_free(&h);
	}
}

static void note_changed(void *data, uint32_t msr, uint64_t value)
{
	uint64_t *changed = data;

	assert_in_range(msr, MSR_CTL, MSR_DEPTH);
	changed[msr - MSR_CTL] = value;
}

static void a_mark_shows_how_they_are_set(void **state)
{
	uint64_t changed[2] = { 0 };
	struct host h;

	(void)state;
	host_new(&h, "sapphirerapids", 0);
	pmu_each_changed_msr(h.pmu, note_changed, changed);
	assert_int_equal(changed[0] | changed[1], 0);
	host_wrmsr(&h, MSR_CTL, EVERYTHING);
	host_wrmsr(&h, MSR_DEPTH, 16);
	pmu_each_changed_msr(h.pmu, note_changed, changed);
	assert_int_equal(changed[0], EVERYTHING);
	assert_int_equal(changed[1], 16);
	host_free(&h);
}

static void depths(void **state)
{
	(void)state;
	EACH(i) {
		struct host h;
		uint64_t value;

		lbr_host(&h, profiles[i].name, EVERYTHING);
		for (unsigned int depth = 8; depth <= 32; depth *= 2) {
			host_wrmsr(&h, MSR_DEPTH, depth);
			for (uint32_t n = 0; n < depth; n++)
				assert_int_equal(from(&h, n) | host_peek(&h, MSR_TO + n) |
						 host_peek(&h, MSR_INFO + n), 0);
			jumps(&h, depth - 1);
			assert_int_equal(from(&h, depth - 1), 0);
			jumps(&h, 100);
			for (uint32_t n = 0; n < depth; n++)
				assert_int_equal(from(&h, n), 0x1000 + 16 * (99 - n));
			assert_int_equal(host_try_rdmsr(&h, MSR_FROM + depth, &value), PMU_FAULT);
			assert_int_equal(host_try_wrmsr(&h, MSR_TO + depth, 0), PMU_FAULT);
			assert_int_equal(host_try_rdmsr(&h, MSR_INFO + depth, &value), PMU_FAULT);
		}
		for (unsigned int depth = 0; depth <= 80; depth++)
			if (depth != 8 && depth != 16 && depth != 32)
				assert_int_equal(host_try_wrmsr(&h, MSR_DEPTH, depth), PMU_FAULT);
		assert_int_equal(host_try_wrmsr(&h, MSR_DEPTH, UINT64_C(32) << 32 | 32), PMU_FAULT);
		/* What has been refused has changed nothing. */
		assert_int_equal(from(&h, 31), 0x1000 + 16 * 68);
		/* Off, they stay as they are. */
		host_wrmsr(&h, MSR_CTL, EVERYTHING & ~ON);
		jumps(&h, 1);
		assert_int_equal(from(&h, 0), 0x1000 + 16 * 99);
		host_free(&h);
	}
}

static void kinds(void **state)
{
	/* By the bits of LBR_CTL from 16 on. */
	static const enum pmu_branch_kind order[] = {
		PMU_JCC, PMU_JMP, PMU_JMP_INDIRECT, PMU_CALL, PMU_CALL_INDIRECT, PMU_RET, PMU_FAR,
	};
	static const unsigned int types[] = { 0, 2, 1, 4, 3, 5, 8 };
	struct host h;

	(void)state;
	lbr_host(&h, "alderlake-n", 0);
	for (unsigned int n = 0; n < 7; n++) {
		host_wrmsr(&h, MSR_DEPTH, 32);
		host_wrmsr(&h, MSR_CTL, EVERYTHING & ~KIND(n));
		host_branch_kind(&h, 0x1000, 0x2000, order[n]);
		assert_int_equal(from(&h, 0), 0);
		host_wrmsr(&h, MSR_CTL, ON | USER | KIND(n));
		for (unsigned int other = 0; other < 7; other++)
			host_branch_kind(&h, 0x1000 + UINT64_C(16) * other, 0x2000, order[other]);
		assert_int_equal(from(&h, 0), 0x1000 + 16 * n);
		assert_int_equal(TYPE_OF(host_peek(&h, MSR_INFO)), types[n]);
		assert_int_equal(from(&h, 1), 0);
	}
	/* What is not taken leaves none. */
	host_wrmsr(&h, MSR_CTL, EVERYTHING);
	host_wrmsr(&h, MSR_DEPTH, 32);
	host_branch(&h, 0x1000, false, 0x2000);
	assert_int_equal(from(&h, 0), 0);
	host_free(&h);
}

/* The ring is that of the target, as with LBR_SELECT; without any nothing is wanted. */
static void rings(void **state)
{
	const struct pmu_branch out = { .from = 0x1000, .to = KERNEL_IP, .fall = 0x1002,
					.kind = PMU_FAR, .cls = PMU_KERNEL };
	struct host h;

	(void)state;
	lbr_host(&h, "sapphirerapids", EVERYTHING & ~KERNEL);
	pmu_branch(h.pmu, &out);
	pmu_interrupt(h.pmu, 0x3000, KERNEL_IP, PMU_KERNEL);
	assert_int_equal(from(&h, 0), 0);
	jumps(&h, 1);
	assert_int_equal(from(&h, 0), 0x1000);
	host_wrmsr(&h, MSR_CTL, EVERYTHING & ~USER);
	host_wrmsr(&h, MSR_DEPTH, 32);
	jumps(&h, 1);
	assert_int_equal(from(&h, 0), 0);
	pmu_branch(h.pmu, &out);
	pmu_interrupt(h.pmu, 0x3000, KERNEL_IP, PMU_KERNEL);
	assert_int_equal(from(&h, 0), 0x3000);
	assert_int_equal(host_peek(&h, MSR_TO), KERNEL_IP);
	assert_int_equal(TYPE_OF(host_peek(&h, MSR_INFO)), 8);
	assert_int_equal(from(&h, 1), 0x1000);
	host_wrmsr(&h, MSR_CTL, ON | KINDS);
	jumps(&h, 1);
	pmu_branch(h.pmu, &out);
	assert_int_equal(from(&h, 0), 0x3000);
	host_free(&h);
}

static void info(void **state)
{
	struct host h;

	(void)state;
	lbr_host(&h, "alderlake-n", EVERYTHING);
	for (int n = 0; n < 100; n++) {
		host_run(&h, 39);
		host_branch_kind(&h, 0x1000, 0x2000, PMU_JMP);
	}
	/* Forty instructions, four a cycle. */
	assert_int_equal(host_peek(&h, MSR_INFO), CYCLES_VALID | UINT64_C(2) << 56 | 10);
	host_run(&h, 1000000);
	host_branch_kind(&h, 0x1000, 0x2000, PMU_JMP);
	assert_int_equal(host_peek(&h, MSR_INFO) & 0xffffffff, 0xffff);
	assert_int_equal(host_peek(&h, MSR_INFO) & MISPREDICTED, 0);
	/* An indirect jump that goes where none has gone. */
	host_branch_kind(&h, 0x1000, 0x3000, PMU_JMP_INDIRECT);
	assert_int_equal(host_peek(&h, MSR_INFO) & MISPREDICTED, MISPREDICTED);
	assert_int_equal(TYPE_OF(host_peek(&h, MSR_INFO)), 1);
	assert_int_equal(from(&h, 0), 0x1000);
	host_free(&h);
}

static void asks_for_branches_only_while_on(void **state)
{
	struct host h;

	(void)state;
	lbr_host(&h, "sapphirerapids", EVERYTHING & ~ON);
	assert_false(h.hot.active);
	host_wrmsr(&h, MSR_CTL, EVERYTHING);
	assert_int_equal(h.hot.needs[PMU_USER], PMU_NEED_ALL | PMU_NEED_KIND);
	host_wrmsr(&h, MSR_CTL, 0);
	assert_false(h.hot.active);
	host_free(&h);
}

static void freeze_on_pmi(void **state)
{
	(void)state;
	EACH(i) {
		struct host h;

		lbr_host(&h, profiles[i].name, EVERYTHING);
		host_wrmsr(&h, MSR_DEBUGCTL, FREEZE_LBR);
		host_wrmsr(&h, MSR_EVTSEL0, SEL_INSN | INT);
		host_wrmsr(&h, MSR_PMC0, (uint32_t)-50);
		jumps(&h, 60);
		assert_int_equal(h.pmis, 1);
		assert_int_equal(from(&h, 0), 0x1000 + 16 * 49);
		assert_int_equal(host_peek(&h, MSR_STATUS), LBR_FRZ | 1);
		assert_int_equal(host_peek(&h, MSR_CTL), EVERYTHING);
		host_wrmsr(&h, MSR_STATUS_RESET, LBR_FRZ);
		host_branch_kind(&h, 0x77770, 0x88880, PMU_JMP);
		assert_int_equal(from(&h, 0), 0x77770);
		assert_int_equal(from(&h, 1), 0x1000 + 16 * 49);
		host_free(&h);
	}
}

/* What a return takes back is gone, and those below come up. */
static void call_stack(void **state)
{
	struct host h;

	(void)state;
	lbr_host(&h, "sierraforest", CALLS);
	host_wrmsr(&h, MSR_DEPTH, 8);
	host_branch_kind(&h, 0x1000, 0x2000, PMU_CALL);
	host_branch_kind(&h, 0x2000, 0x3000, PMU_CALL_INDIRECT);
	host_branch_kind(&h, 0x3000, 0x3002, PMU_CALL);	/* to learn its own address */
	host_branch_kind(&h, 0x3010, 0x3020, PMU_JMP);
	host_branch_kind(&h, 0x3020, 0x4000, PMU_CALL);
	assert_int_equal(from(&h, 0), 0x3020);
	assert_int_equal(from(&h, 2), 0x1000);
	host_branch_kind(&h, 0x4000, 0x3022, PMU_RET);
	assert_int_equal(from(&h, 0), 0x2000);
	assert_int_equal(host_peek(&h, MSR_TO), 0x3000);
	assert_int_equal(from(&h, 1), 0x1000);
	for (uint32_t n = 2; n < 8; n++)
		assert_int_equal(from(&h, n), 0);
	/* Returns too many find nothing. */
	for (int n = 0; n < 5; n++)
		host_branch_kind(&h, 0x3000, 0x2002, PMU_RET);
	assert_int_equal(from(&h, 0) | from(&h, 1), 0);
	/* Of more calls than there are entries the latest stay. */
	for (uint64_t n = 1; n <= 20; n++)
		host_branch_kind(&h, 0x1000 * n, 0x1000 * (n + 1), PMU_CALL);
	for (int n = 0; n < 7; n++)
		host_branch_kind(&h, 0x90000, 0x1002, PMU_RET);
	assert_int_equal(from(&h, 0), 0xd000);
	assert_int_equal(from(&h, 1), 0);
	host_free(&h);
}

/* They can be read while they are on; of writes nobody knows. */
static void while_on(void **state)
{
	char why[200];
	struct host h;

	(void)state;
	for (unsigned int unwritten = 0; unwritten < 2; unwritten++) {
		lbr_host(&h, "sapphirerapids", EVERYTHING);
		assert_true(!unwritten || pmu_silicon(h.pmu, "lbr-unwritten", why, sizeof(why)));
		jumps(&h, 3);
		assert_int_equal(from(&h, 0), 0x1020);
		host_wrmsr(&h, MSR_FROM, 0x77);
		assert_int_equal(from(&h, 0), unwritten ? 0x1020 : 0x77);
		host_wrmsr(&h, MSR_DEPTH, 8);
		assert_int_equal(host_peek(&h, MSR_DEPTH), unwritten ? 32 : 8);
		assert_int_equal(from(&h, 1), unwritten ? 0x1010 : 0);
		assert_int_equal(host_try_wrmsr(&h, MSR_DEPTH, 9), PMU_FAULT);
		/* Off, all that is written is there. */
		host_wrmsr(&h, MSR_CTL, 0);
		host_wrmsr(&h, MSR_DEPTH, 16);
		assert_int_equal(from(&h, 1), 0);
		host_wrmsr(&h, MSR_TO, 0x88);
		assert_int_equal(host_peek(&h, MSR_TO), 0x88);
		host_free(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cpuid_says),
		cmocka_unit_test(registers),
		cmocka_unit_test(a_mark_shows_how_they_are_set),
		cmocka_unit_test(depths),
		cmocka_unit_test(kinds),
		cmocka_unit_test(rings),
		cmocka_unit_test(info),
		cmocka_unit_test(asks_for_branches_only_while_on),
		cmocka_unit_test(freeze_on_pmi),
		cmocka_unit_test(call_stack),
		cmocka_unit_test(while_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
