// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies of this program's stack are unwound to the callers that the C library finds: from
 * within a call, behind the kernel, in a signal's handler, in a function's last instructions.
 */
#include <setjmp.h>
#include <signal.h>

#include "tests/unit/lib/moment.h"

/* Of so many calls no chain has all. */
__attribute__((noinline)) static int deep(int depth)
{
	int got = depth ? deep(depth - 1) : innermost(0);

	return got + 1;
}

static jmp_buf back;

__attribute__((noinline, noreturn)) static void never_returns(void)
{
	take_moment();
	longjmp(back, 1);
}

/* The call is all that stands at its end: behind it another function begins. */
__attribute__((noinline)) static void ends_in_call(int depth)
{
	volatile int kept[100];

	kept[depth] = depth;
	if (kept[depth])
		never_returns();
	never_returns();
}

/* Of the moment in which it was stopped. */
static void on_trap(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	now.truths = backtrace(now.truth, FRAMES);
	memcpy(&now.context, context, sizeof(now.context));
	copy_stack();
}

/* It stops in its last instructions, where RBP is back, and its CFI does not say so. */
void leaves(void);
extern const char left_here[];
__asm__(".text\n"
	"leaves:\n"
	"	.cfi_startproc\n"
	"	push %rbx\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset rbx, -16\n"
	"	push %rbp\n"
	"	.cfi_def_cfa_offset 24\n"
	"	.cfi_offset rbp, -24\n"
	"	xor %ebp, %ebp\n"
	"	pop %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	int3\n"
	"left_here:\n"
	"	pop %rbx\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n");

/* What has room on the stack as it needs it is found by way of RBP. */
__attribute__((noinline)) static int has_base(size_t size)
{
	volatile char *room = __builtin_alloca(size);

	room[0] = 1;
	leaves();
	return room[0];
}

static void on_fault(int number)
{
	(void)number;
	take_moment();
	longjmp(back, 1);
}

/* A function that a signal interrupts in front of all of it; what is before has no rules. */
void faults(void);
__asm__(".text\n"
	"	nop; nop; nop; nop\n"
	"faults:\n"
	"	.cfi_startproc\n"
	"	ud2\n"
	"	.cfi_endproc\n");

static void test_own_stack(void **state)
{
	(void)state;
	unwind_one(&(struct wish){ 0 });
	assert_true(last.unwound);
	assert_int_equal(chain[0], PERF_CONTEXT_USER);
	assert_int_equal(chain[1], register_of(REG_RIP));
	expect_callers(2, 8);
	assert_int_equal(last.chain_count, 2 + (size_t)now.truths - first_caller());
	expect_cut(PMUCTL_CUT_NONE, 1);
}

/* What the kernel's part is stays before it. */
static void test_behind_kernel(void **state)
{
	(void)state;
	unwind_one(&(struct wish){ .kernel = true });
	assert_int_equal(chain[0], PERF_CONTEXT_KERNEL);
	assert_int_equal(chain[1], KERNEL_IP);
	assert_int_equal(chain[2], PERF_CONTEXT_USER);
	assert_int_equal(chain[3], register_of(REG_RIP));
	expect_callers(4, 8);
}

/* From the caller of the innermost on, without what says where a context was left. */
static void expect_truth(void)
{
	size_t i, callers = first_caller();

	begin_moment();
	put_stack_sample(&(struct wish){ 0 });
	unwind_file();
	for (i = 2; i < last.chain_count; i++)
		if (chain[i] != PERF_CONTEXT_USER)
			assert_int_equal(chain[i], (uintptr_t)now.truth[callers++]);
	assert_int_equal(callers, now.truths);
	expect_cut(PMUCTL_CUT_NONE, 1);
}

static void test_call_at_end(void **state)
{
	(void)state;
	if (!setjmp(back))
		ends_in_call(3);
	expect_truth();
}

static void test_interrupted(void **state)
{
	struct sigaction on = { .sa_handler = on_fault, .sa_flags = SA_NODEFER }, old;

	(void)state;
	sigaction(SIGILL, &on, &old);
	if (!setjmp(back))
		faults();
	sigaction(SIGILL, &old, NULL);
	expect_truth();
	/* Both what the handler returns to and what was interrupted are where they are. */
	assert_int_equal(chain[3], PERF_CONTEXT_USER);
	assert_int_equal(chain[5], PERF_CONTEXT_USER);
	assert_int_equal(chain[6], (uintptr_t)faults);
}

static void test_leaving(void **state)
{
	struct sigaction on = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO }, old;
	size_t i;

	(void)state;
	sigaction(SIGTRAP, &on, &old);
	has_base(100);
	sigaction(SIGTRAP, &old, NULL);
	for (i = 0; (uintptr_t)now.truth[i] != (uintptr_t)left_here; i++)
		assert_true(i < 8);
	now.returns = (uintptr_t)now.truth[i + 1];
	memmove(now.truth, now.truth + i, (FRAMES - i) * sizeof(now.truth[0]));
	now.truths -= (int)i;
	expect_truth();
	assert_int_equal(chain[1], (uintptr_t)left_here);
}

static void test_depth(void **state)
{
	(void)state;
	deep(UNWIND_FRAMES + 20);
	begin_moment();
	put_stack_sample(&(struct wish){ 0 });
	unwind_file();
	assert_int_equal(last.chain_count, 1 + UNWIND_FRAMES);
	expect_cut(PMUCTL_CUT_DEPTH, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(own_stack), TEST(behind_kernel), TEST(call_at_end), TEST(interrupted),
		TEST(leaving), TEST(depth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
