// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies of stacks and the words at their top in a perf.data file.
 */
#include <asm/perf_regs.h>
#include <errno.h>

#include "tests/unit/lib/dump.h"

static void put_stack(uint16_t flags, uint64_t abi, uint64_t bytes)
{
	const struct pmuctl_user_regs regs = {
		.regs = { .ax = 2, .sp = 9, .ip = 0x401004, .flags = 1, .r8 = 20, .r15 = 27 },
		.cs = 0x33, .ss = 0x2b,
	};
	const unsigned char stack[32] = "a stack of some bytes";
	const uint64_t padded = (bytes + 7) / 8 * 8;
	struct pmuctl_sample head = sample_head(0, flags, 0x401000);

	head.record.size = (uint16_t)(sizeof(head) + 2 * 8 + (abi ? sizeof(regs) + 8 + padded : 0));
	put(&head, sizeof(head));
	put(&(uint64_t){ 0 }, 8);	/* a chain without an ip */
	put(&abi, 8);
	if (!abi)
		return;
	put(&regs, sizeof(regs));
	put(&bytes, 8);
	put(stack, padded);
}

static struct pmuctl_data *dump_stack(uint16_t flags, uint64_t abi, uint64_t bytes,
				      struct seen *seen)
{
	add_sampled("instructions:u", PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_STACK);
	assert_int_equal(open_dump(path), 0);
	put_stack(flags, abi, bytes);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	return read_back(seen);
}

/* As perf has them, and as many bytes as there are. */
static void stacks(void **state)
{
	struct pmuctl_dump_info info = { .size = sizeof(info) };
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	data = dump_stack(PMUCTL_RECORD_USER | PMUCTL_RECORD_MOVED, PMUCTL_USER_ABI_64, 21, &seen);
	assert_int_equal(seen.last.has & (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER),
			 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	assert_true(pmuctl_data_get_info(data)->stack_copies);
	assert_int_equal(seen.last.user_abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(seen.last.user_mask, 0xff0fff);
	assert_int_equal(seen.user_regs[PERF_REG_X86_AX], 2);
	assert_int_equal(seen.user_regs[PERF_REG_X86_SP], 9);
	assert_int_equal(seen.user_regs[PERF_REG_X86_IP], 0x401004);
	assert_int_equal(seen.user_regs[PERF_REG_X86_FLAGS], 1);
	assert_int_equal(seen.user_regs[PERF_REG_X86_CS], 0x33);
	assert_int_equal(seen.user_regs[PERF_REG_X86_SS], 0x2b);
	assert_int_equal(seen.user_regs[12], 20);
	assert_int_equal(seen.user_regs[19], 27);
	assert_int_equal(seen.last.stack_size, 21);
	assert_memory_equal(seen.stack, "a stack of some bytes", 21);
	assert_int_equal(pmuctl_dump_get_info(dump, &info), 0);
	assert_int_equal(info.moved, 1);
	pmuctl_data_close(data);
}

static void no_stacks(void **state)
{
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	data = dump_stack(0, PMUCTL_USER_ABI_NONE, 0, &seen);
	assert_int_equal(seen.samples, 1);
	assert_int_equal(seen.last.user_abi, PERF_SAMPLE_REGS_ABI_NONE);
	assert_int_equal(seen.last.user_mask, 0);
	assert_int_equal(seen.last.stack_size, 0);
	pmuctl_data_close(data);
}

/* Registers, and nothing of the stack could be read. */
static void empty_stacks(void **state)
{
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	data = dump_stack(PMUCTL_RECORD_USER, PMUCTL_USER_ABI_32, 0, &seen);
	assert_int_equal(seen.last.user_abi, PERF_SAMPLE_REGS_ABI_32);
	assert_int_equal(seen.user_regs[PERF_REG_X86_SP], 9);
	assert_int_equal(seen.last.stack_size, 0);
	pmuctl_data_close(data);
}

/* A record that promises more bytes than it has. */
static void short_stack(void **state)
{
	struct pmuctl_record head;

	(void)state;
	add_sampled("instructions:u", PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_STACK);
	assert_int_equal(open_dump(path), 0);
	put_stack(PMUCTL_RECORD_USER, PMUCTL_USER_ABI_64, 21);
	memcpy(&head, fake.records, sizeof(head));
	head.size -= 8;
	memcpy(fake.records, &head, sizeof(head));
	fake.records_size -= 8;
	assert_int_equal(pmuctl_dump_take(dump, true), -EBADMSG);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "shorter than what was asked for"));
}

static void words_at_the_top(void **state)
{
	const struct {
		struct pmuctl_sample head;
		uint64_t nr_chain, nr, word[2];
	} top = { sample_head(4 * 8, PMUCTL_RECORD_USER, 0x401000), 0, 2, { 0x402000, 7 } };
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	add_sampled("instructions:u", PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_TOP);
	assert_int_equal(open_dump(path), 0);
	put(&top, sizeof(top));
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	data = read_back(&seen);
	assert_false(seen.last.has & PERF_SAMPLE_REGS_USER);
	assert_false(pmuctl_data_get_info(data)->stack_copies);
	assert_int_equal(seen.last.stack_size, 16);
	assert_memory_equal(seen.stack, top.word, 16);
	pmuctl_data_close(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(stacks),
		TEST(no_stacks),
		TEST(empty_stacks),
		TEST(short_stack),
		TEST(words_at_the_top),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
