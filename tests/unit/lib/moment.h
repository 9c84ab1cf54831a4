/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of unwinding share: a moment of this very program, of which the C library's
 * unwinder tells the callers as well, and a file with samples of it.  A program each includes it.
 */
#ifndef MOMENT_H
#define MOMENT_H

#include <execinfo.h>
#include <ucontext.h>

#include "lib/unwind/unwind.h"
#include "tests/unit/lib/data.h"
#include "tests/unit/lib/own_code.h"

#define PID		7
#define STACK_TYPE	(TYPE | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | \
			 PERF_SAMPLE_STACK_USER)
/* As perf records them: all but the segments of data. */
#define REGISTERS	0xff0fffull
#define COPY_MAX	32768
#define FRAMES		64
#define KERNEL_IP	0xffffffff81000010

/* A moment of this program, and what the C library says of it. */
static struct moment {
	ucontext_t context;
	uint8_t stack[COPY_MAX];
	size_t size;
	void *truth[FRAMES];
	int truths;
	uint64_t returns;	/* where taking it did */
} now;

static uint64_t register_of(int number)
{
	return (uint64_t)now.context.uc_mcontext.gregs[number];
}

/* All of the stack is there, so that a copy may end where that does. */
static uint64_t end_of_stack(void)
{
	unsigned long long start, end = 0;
	char line[512];
	FILE *f = fopen("/proc/self/maps", "re");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (strstr(line, "[stack]"))
			assert_int_equal(sscanf(line, "%llx-%llx", &start, &end), 2);
	fclose(f);
	assert_true(end);
	return end;
}

/* The copy is made by hand: a sanitizer has opinions on what may be read of a stack. */
__attribute__((no_sanitize_address)) static void copy_stack(void)
{
	const volatile uint8_t *from = (const uint8_t *)(uintptr_t)register_of(REG_RSP);
	uint64_t whole = end_of_stack() - register_of(REG_RSP);
	size_t i;

	now.size = whole < COPY_MAX ? (size_t)whole : COPY_MAX;
	for (i = 0; i < now.size; i++)
		now.stack[i] = from[i];
}

__attribute__((noinline)) static void take_moment(void)
{
	now.returns = (uintptr_t)__builtin_return_address(0);
	now.truths = backtrace(now.truth, FRAMES);
	assert_int_equal(getcontext(&now.context), 0);
	copy_stack();
}

__attribute__((noinline)) static int innermost(int depth)
{
	take_moment();
	return depth + 1;
}

__attribute__((noinline)) static int middle(int depth)
{
	volatile int kept[100];

	kept[depth] = depth ? middle(depth - 1) : innermost(0);
	return kept[depth] + 1;
}

/* ---- a file of it -------------------------------------------------------------------------- */

static const int gregs[24] = {
	REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP, REG_EFL,
	REG_CSGSFS, REG_CSGSFS, 0, 0, 0, 0, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13,
	REG_R14, REG_R15,
};

/* How a sample is to be; all zero: as this program was. */
struct wish {
	uint64_t ip;
	uint64_t abi;		/* + 1 */
	size_t size;		/* of the stack */
	uint64_t used;		/* + 1: bytes of it, as the sample says */
	bool kernel;
};

static void put_registers(const struct wish *wish)
{
	uint64_t abi = wish->abi ? wish->abi - 1 : PERF_SAMPLE_REGS_ABI_64;
	unsigned int i;

	put_u64(&file, abi);
	for (i = 0; abi && i < 24; i++)
		if (REGISTERS >> i & 1)
			put_u64(&file, i == 8 && wish->ip ? wish->ip : register_of(gregs[i]));
}

static void put_stack(const struct wish *wish)
{
	size_t size = wish->size ? wish->size : now.size;

	put_u64(&file, size);
	put(&file, now.stack, size);
	put_u64(&file, wish->used ? wish->used - 1 : size);
}

static void put_stack_sample(const struct wish *wish)
{
	size_t at = begin_record(&file, PERF_RECORD_SAMPLE, wish->kernel ?
				 PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);

	put_u64(&file, 100);
	put_u64(&file, wish->kernel ? KERNEL_IP : wish->ip ? wish->ip : register_of(REG_RIP));
	put_u64(&file, PID | (uint64_t)PID << 32);
	put_u64(&file, 10);
	put_u64(&file, 0);
	put_u64(&file, 1000);
	put_u64(&file, wish->kernel ? 2 : 0);
	if (wish->kernel) {
		put_u64(&file, PERF_CONTEXT_KERNEL);
		put_u64(&file, KERNEL_IP);
	}
	put_registers(wish);
	put_stack(wish);
	end_record(&file, at);
}

static void put_own_mmap(uint64_t start, uint64_t size, uint64_t offset, const char *name)
{
	put_mmap(PID, 0, start, size, offset, name);
}

/* Of the moment that was taken last. */
static void begin_moment(void)
{
	struct perf_event_attr attr = plain[0];

	attr.sample_type = STACK_TYPE;
	attr.sample_regs_user = REGISTERS;
	attr.sample_stack_user = COPY_MAX;
	attr.exclude_callchain_user = 1;
	begin_file(&file, &attr, 1);
	each_own_code(put_own_mmap);
}

static uint64_t chain[2 * FRAMES];
static struct pmuctl_data_sample last;

static int take_chain(void *unused, const struct pmuctl_data_sample *sample)
{
	(void)unused;
	last = *sample;
	assert_true(sample->chain_count <= 2 * FRAMES);
	memcpy(chain, sample->chain, sample->chain_count * sizeof(*chain));
	return 0;
}

static void unwind_file(void)
{
	end_file(&file);
	pmuctl_data_close(data);
	data = NULL;
	assert_int_equal(pmuctl_data_open(ctx, file.path, &data), 0);
	assert_int_equal(pmuctl_data_chains(data, take_chain, NULL), 0);
}

static void unwind_one(const struct wish *wish)
{
	middle(3);
	begin_moment();
	put_stack_sample(wish);
	unwind_file();
}

static void expect_cut(enum pmuctl_cut why, uint64_t of)
{
	const struct pmuctl_data_cut *cuts;
	uint64_t chains;
	size_t count;

	cuts = pmuctl_data_get_cuts(data, &count, &chains);
	assert_int_equal(chains, of);
	assert_int_equal(count, why != PMUCTL_CUT_NONE);
	assert_int_equal(last.cut, why);
	if (count) {
		assert_int_equal(cuts->why, why);
		assert_int_equal(cuts->chains, 1);
	}
}

/* Of the truth: a sanitizer may have put itself between us and backtrace(). */
static size_t first_caller(void)
{
	size_t i = 0;

	while (i < 3 && (uintptr_t)now.truth[i] != now.returns)
		i++;
	assert_true(i < 3);
	return i;
}

/* From the `first` of its entries on the chain is that of the truth, as far as it goes. */
static void expect_callers(size_t first, size_t least)
{
	size_t i, callers = first_caller();

	assert_true(last.chain_count >= first + least);
	assert_true(last.chain_count - first <= (size_t)now.truths - callers);
	for (i = first; i < last.chain_count; i++)
		assert_int_equal(chain[i], (uintptr_t)now.truth[callers + i - first]);
}

#endif
