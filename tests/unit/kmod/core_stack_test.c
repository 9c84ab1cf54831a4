// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples with the program's registers and a copy of its stack: what can be read, from where the
 * sample was, and each in the ledger.
 */
#include "tests/unit/kmod/core_whole.h"

#include "kmod/sample/pebs_drain.h"

#define STACK 2048u
#define CS64 0x33

struct copy {
	struct pmuctl_sample sample;
	u64 abi;
	struct pmuctl_user_regs user;
	u64 bytes;
	u8 stack[STACK];
};

static void sample_stacks(u64 content, bool precise)
{
	unsigned int i;

	for (i = 0; i < CORE_USER_SIZE; i++)
		core_user[i] = (u8)(i * 7 + i / 256);
	session_of(10, precise, false);
	of.session.privileged = true;
	of.event[0].content = content;
	of.event[0].stack = content & PMUCTL_CONTENT_STACK ? STACK : 0;
	of.event[0].room = pmuctl_sample_room(content, of.event[0].stack);
	a.regs = (struct pt_regs){ .sp = CORE_USER_AT + 0x1000, .bp = 5, .r15 = 15, .cs = CS64,
				   .ss = 0x2b };
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
}

static const struct copy *one_at(u64 sp)
{
	a.regs.sp = sp;
	drain();
	happen(10);
	return (const void *)first_sample();
}

static void from_the_pointer_upwards(void **state)
{
	const struct copy *copy;

	sample_stacks(PMUCTL_CONTENT_STACK, false);
	copy = one_at(CORE_USER_AT + 0x123);
	assert_int_equal(copy->abi, PMUCTL_USER_ABI_64);
	assert_int_equal(copy->user.regs.sp, CORE_USER_AT + 0x123);
	assert_int_equal(copy->user.regs.ip, place());
	assert_int_equal(copy->user.regs.r15, 15);
	assert_int_equal(copy->user.ss, 0x2b);
	assert_int_equal(copy->bytes, STACK);
	assert_memory_equal(copy->stack, core_user + 0x123, STACK);
	assert_int_equal(copy->sample.record.size, sizeof(*copy));
	assert_int_equal(sizeof(*copy), of.event[0].room);
	assert_false(copy->sample.record.flags & PMUCTL_RECORD_MOVED);
	a.regs.cs = __USER32_CS;
	assert_int_equal(one_at(CORE_USER_AT)->abi, PMUCTL_USER_ABI_32);
}

/* What is behind the last byte is zeroes up to the next record, never the ring's old bytes. */
static void what_cannot_be_read_ends_it(void **state)
{
	static const struct {
		u64 sp;
		u32 bytes;
	} cases[] = {
		{ CORE_USER_AT + CORE_USER_SIZE - 1, 1 },
		{ CORE_USER_AT + CORE_USER_SIZE - 1001, 1001 },
		{ CORE_USER_AT + CORE_USER_SIZE, 0 },
		{ CORE_USER_AT - 8, 0 },
		{ TASK_SIZE - 1, 0 },
		{ TASK_SIZE, 0 },
		{ 0x8000000000000000ull, 0 },
		{ 0xffff888000000000ull, 0 },
		{ 0, 0 },
		{ ~0ull, 0 },
	};
	static const u8 zero[8];
	const struct copy *copy;
	unsigned int i;
	u32 whole;

	sample_stacks(PMUCTL_CONTENT_STACK, false);
	memset(ring->data, 0xff, ring->size);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		copy = one_at(cases[i].sp);
		whole = round_up(cases[i].bytes, 8u);
		assert_int_equal(copy->bytes, cases[i].bytes);
		assert_int_equal(copy->sample.record.size,
				 offsetof(struct copy, stack) + whole);
		assert_memory_equal(copy->stack + cases[i].bytes, zero, whole - cases[i].bytes);
	}
}

static void without_a_program_there_is_none(void **state)
{
	const struct copy *copy;

	sample_stacks(PMUCTL_CONTENT_STACK | PMUCTL_CONTENT_TOP, false);
	a.mm = NULL;
	copy = one_at(CORE_USER_AT);
	assert_int_equal(copy->abi, PMUCTL_USER_ABI_NONE);
	/* The next word is the number of those at the top. */
	assert_int_equal(*(const u64 *)&copy->user, 0);
	assert_int_equal(copy->sample.record.size, sizeof(copy->sample) + 2 * sizeof(u64));
}

/* By interrupt every sample is read at once; a record's pointer may have moved on. */
static void a_record_whose_pointer_moved_on_says_so(void **state)
{
	const struct copy *copy;
	u64 before = CORE_USER_AT + 0x800;

	sample_stacks(PMUCTL_CONTENT_STACK, true);
	drain();
	a.regs.sp = before;
	happen(11);
	copy = (const void *)first_sample();
	assert_int_equal(copy->bytes, STACK);
	assert_false(copy->sample.record.flags & PMUCTL_RECORD_MOVED);
	drain();
	/* One is armed at ten and written with the eleventh; here it waits until somebody looks. */
	area.pebs_interrupt_threshold = area.pebs_absolute_maximum;
	happen(11);
	a.regs.sp = before + 0x40;
	pmuctl_pebs_drain(pmuctl_cpus, pmuctl_pebs_look());
	copy = (const void *)first_sample();
	assert_int_equal(copy->user.regs.sp, before);
	assert_memory_equal(copy->stack, core_user + 0x800, STACK);
	assert_true(copy->sample.record.flags & PMUCTL_RECORD_MOVED);
}

/* The registers behind a system call are the kernel's: the program's are those it entered with. */
static void a_record_in_a_system_call_has_the_entry(void **state)
{
	const struct copy *copy;

	sample_stacks(PMUCTL_CONTENT_STACK, true);
	a.regs.ip = 0x4444;
	behind = 0xffffffff81c00000;
	happen(11);
	copy = (const void *)first_sample();
	assert_int_equal(copy->abi, PMUCTL_USER_ABI_64);
	assert_int_equal(copy->user.regs.r15, 15);
	assert_true(copy->user.regs.ip < TASK_SIZE);
	assert_int_equal(copy->bytes, STACK);
	assert_false(copy->sample.record.flags & PMUCTL_RECORD_MOVED);
}

static void the_top_has_two_words(void **state)
{
	const struct {
		struct pmuctl_sample sample;
		u64 n, word[2];
	} *top;

	sample_stacks(PMUCTL_CONTENT_TOP, false);
	top = (const void *)one_at(CORE_USER_AT + 0x100);
	assert_int_equal(top->n, 2);
	assert_memory_equal(top->word, core_user + 0x100, 16);
	assert_int_equal(top->sample.record.size, sizeof(*top));
	/* Half a word is none. */
	top = (const void *)one_at(CORE_USER_AT + CORE_USER_SIZE - 12);
	assert_int_equal(top->n, 1);
	top = (const void *)one_at(0);
	assert_int_equal(top->n, 0);
	a.regs.cs = __USER32_CS;
	top = (const void *)one_at(CORE_USER_AT + 0x100);
	assert_int_equal(top->n, 0);
}

/* Large ones and small ones: what was produced is what was written and what was lost. */
static void each_is_in_the_ledger(void **state)
{
	u64 samples = 0, told = 0;
	unsigned int round;

	another_ring(16384);
	/* No throttle. */
	from_one_to_the_next = 100 * NS;
	sample_stacks(PMUCTL_CONTENT_STACK, false);
	for (round = 1; round < 60; round++) {
		a.regs.sp = CORE_USER_AT + CORE_USER_SIZE - 50 * round;
		happen(10 * round);
		assert_true(pmuctl_ring_used(ring) <= ring->size);
		drain();
		samples += got.of[PMUCTL_RECORD_SAMPLE];
		told += got.lost;
	}
	pmuctl_cpu_tell_lost(&of.session, 0);
	drain();
	told += got.lost;
	assert_int_equal(ring->tally->produced, 59 * 60 / 2);
	assert_int_equal(ring->tally->written, samples);
	assert_int_equal(ring->tally->lost, told);
	assert_int_equal(samples + told, 59 * 60 / 2);
	assert_true(samples && told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WHOLE(from_the_pointer_upwards),
		WHOLE(what_cannot_be_read_ends_it),
		WHOLE(without_a_program_there_is_none),
		WHOLE(a_record_whose_pointer_moved_on_says_so),
		WHOLE(a_record_in_a_system_call_has_the_entry),
		WHOLE(the_top_has_two_words),
		WHOLE(each_is_in_the_ledger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
