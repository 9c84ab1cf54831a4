// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chains that end early, and why; the process that reads files of code; what is inlined.
 */
#include <errno.h>
#include <signal.h>

#include "tests/unit/lib/moment.h"

static void test_plain_samples_cost_nothing(void **state)
{
	(void)state;
	unwind_one(&(struct wish){ 0 });
	assert_int_equal(pmuctl_data_samples(data, take_chain, NULL), 0);
	assert_false(last.unwound);
	assert_int_equal(last.chain_count, 0);
}

static void test_short_copy(void **state)
{
	(void)state;
	unwind_one(&(struct wish){ .size = 1024 });
	expect_callers(2, 1);
	assert_true(last.chain_count < 2 + (size_t)now.truths - first_caller());
	expect_cut(PMUCTL_CUT_COPY, 1);
}

/* Of what was not copied nothing is told, whatever stands there. */
static void test_used_bytes(void **state)
{
	(void)state;
	unwind_one(&(struct wish){ .used = 1024 + 1 });
	expect_callers(2, 1);
	assert_true(last.chain_count < 2 + (size_t)now.truths - first_caller());
	expect_cut(PMUCTL_CUT_ABSENT, 1);
	unwind_one(&(struct wish){ .size = 1024, .used = UINT64_MAX });
	expect_callers(2, 1);
	expect_cut(PMUCTL_CUT_COPY, 1);
}

static void test_not_unwound(void **state)
{
	(void)state;
	unwind_one(&(struct wish){ .abi = PERF_SAMPLE_REGS_ABI_32 + 1 });
	assert_int_equal(last.chain_count, 0);
	expect_cut(PMUCTL_CUT_MACHINE, 1);
	unwind_one(&(struct wish){ .abi = PERF_SAMPLE_REGS_ABI_NONE + 1 });
	assert_false(last.unwound);
	expect_cut(PMUCTL_CUT_NONE, 0);
	unwind_one(&(struct wish){ .ip = 0x1234 });
	assert_int_equal(last.chain_count, 2);
	expect_cut(PMUCTL_CUT_UNMAPPED, 1);
}

static void test_missing_file(void **state)
{
	(void)state;
	middle(3);
	begin_moment();
	put_mmap(PID, 1, 0x10000, 0x1000, 0, "/no/such/program");
	put_stack_sample(&(struct wish){ .ip = 0x10010 });
	unwind_file();
	assert_int_equal(last.chain_count, 2);
	expect_cut(PMUCTL_CUT_FILE, 1);
	begin_moment();
	put_mmap(PID, 1, 0x10000, 0x1000, 0, "//anon");
	put_stack_sample(&(struct wish){ .ip = 0x10010 });
	unwind_file();
	expect_cut(PMUCTL_CUT_RULES, 1);
}

/* Mappings that lie over each other: the last one counts, and that is no code of ours. */
static void test_overlapping(void **state)
{
	(void)state;
	middle(3);
	begin_moment();
	put_mmap(PID, 1, 0, UINT64_MAX, 0, "/no/such/program");
	put_mmap(PID, 2, register_of(REG_RIP) & ~4095ull, 4096, 0, "/proc/self/exe");
	put_stack_sample(&(struct wish){ 0 });
	unwind_file();
	assert_true(last.chain_count <= 4);
	assert_true(last.cut);
}

static void test_size_beyond_record(void **state)
{
	size_t at;

	(void)state;
	middle(3);
	begin_moment();
	at = file.size;
	put_stack_sample(&(struct wish){ .size = 64 });
	memset(file.bytes + at + 72 + 8 * 20, 0xff, 2);
	end_file(&file);
	assert_int_equal(pmuctl_data_open(ctx, file.path, &data), -EBADMSG);
}

/* A file without copies is given as ever. */
static void test_without_copies(void **state)
{
	size_t count;

	(void)state;
	make_plain();
	end_file(&file);
	assert_int_equal(open_file(), 0);
	count = seen_count;
	assert_int_equal(count, 3);
	assert_int_equal(pmuctl_data_chains(data, see, NULL), 0);
	assert_int_equal(seen_count, 2 * count);
	assert_memory_equal(&seen[0], &seen[count], sizeof(seen[0]));
	assert_int_equal(pmuctl_data_chains(data, NULL, NULL), -EINVAL);
}

/* ---- the process that reads ---------------------------------------------------------------- */

static void test_reader_dies(void **state)
{
	struct rule_rows rows = { .count = 0 };
	enum pmuctl_cut cut = PMUCTL_CUT_NONE;
	struct pmuctl_place place, other;
	struct rule_row row;
	int err = 0;

	(void)state;
	unwind_one(&(struct wish){ 0 });
	pmuctl_data_place(data, PID, 10, register_of(REG_RIP), false, &place);
	pmuctl_data_place(data, PID, 10, (uintptr_t)getcontext, false, &other);
	assert_non_null(rule_rows_find(&rows, data, &place, &cut, &err));
	kill(rows.reader.pid, SIGSTOP);
	/* What is known is not asked again, so nobody need answer. */
	assert_non_null(rule_rows_find(&rows, data, &place, &cut, &err));
	kill(rows.reader.pid, SIGKILL);
	place.address++;
	assert_null(rule_rows_find(&rows, data, &place, &cut, &err));
	assert_int_equal(cut, PMUCTL_CUT_READER);
	assert_int_equal(err, 0);
	assert_int_equal(rows.reader.deaths, 1);
	/* That file is not asked for any more, others are. */
	assert_int_not_equal(place.dso, other.dso);
	assert_non_null(rule_rows_find(&rows, data, &other, &cut, &err));
	assert_null(rule_rows_find(&rows, data, &place, &cut, &err));
	assert_int_equal(rows.reader.deaths, 1);
	rows.reader.deaths = 4;
	assert_int_equal(rule_reader_ask(&rows.reader, data, other.dso, 1, false, &row), 0);
	rule_rows_free(&rows);
}

/* ---- inlined functions --------------------------------------------------------------------- */

static void test_inlined(void **state)
{
	const struct pmuctl_inlined *inlined, *again;
	struct pmuctl_place place;

	(void)state;
	unwind_one(&(struct wish){ 0 });
	pmuctl_data_place(data, PID, 10, (uintptr_t)has_inlined() - 1, false, &place);
	assert_int_equal(pmuctl_data_inlined(data, &place, &inlined), 2);
	assert_string_equal(inlined[0].name, "inner_part");
	assert_string_equal(inlined[1].name, "outer_part");
	assert_int_equal(inlined[0].line, inner_call);
	assert_int_equal(inlined[1].line, outer_call);
	assert_non_null(strstr(inlined[0].file, "own_code.h"));
	assert_int_equal(pmuctl_data_inlined(data, &place, &again), 2);
	assert_ptr_equal(inlined, again);
	pmuctl_data_place(data, PID, 10, (uintptr_t)where, false, &place);
	assert_int_equal(pmuctl_data_inlined(data, &place, &inlined), 0);
	place.dso = 0;
	assert_int_equal(pmuctl_data_inlined(data, &place, &inlined), -ENODATA);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(plain_samples_cost_nothing),
		TEST(short_copy), TEST(used_bytes), TEST(not_unwound), TEST(missing_file),
		TEST(overlapping), TEST(size_beyond_record), TEST(without_copies),
		TEST(reader_dies), TEST(inlined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
