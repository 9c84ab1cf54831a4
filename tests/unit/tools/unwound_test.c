// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What report and script say of chains that end early, and of functions that were inlined: on
 * samples of this very program.
 */
#include "tests/unit/lib/data_file.h"
#include "tests/unit/lib/own_code.h"
#include "tests/unit/tools/run.h"

#define TASK (7 | 7ULL << 32)
#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)

/* As in symbols_test.c: libdw's thread-local variables may kill the sanitizer of GCC 12. */
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
	return "use_tls=0";
}

static struct data_file file;

static void put_mmap(uint64_t start, uint64_t size, uint64_t offset, const char *name)
{
	size_t at = begin_record(&file, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);

	put_u64(&file, TASK);
	put_u64(&file, start);
	put_u64(&file, size);
	put_u64(&file, offset);
	put_text(&file, name);
	end_record(&file, at);
}

static void begin_samples(uint64_t type)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = 100, .sample_type = type,
		.sample_regs_user = 1u << 7 | 1u << 8,
	};

	begin_file(&file, &attr, 1);
}

static size_t begin_sample(uint64_t ip)
{
	size_t at = begin_record(&file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	put_u64(&file, ip);
	put_u64(&file, TASK);
	put_u64(&file, 5);
	return at;
}

/* One in where(), which was called in what is inlined. */
static void make_inlined(void)
{
	const uint64_t chain[] = {
		PERF_CONTEXT_USER, (uintptr_t)where, (uintptr_t)has_inlined(),
	};
	size_t at;

	begin_samples(TYPE);
	each_own_code(put_mmap);
	at = begin_sample(chain[1]);
	put_u64(&file, 3);
	put(&file, chain, sizeof(chain));
	end_record(&file, at);
	/* Within the call itself. */
	at = begin_sample(chain[2] - 1);
	put_u64(&file, 0);
	end_record(&file, at);
	end_file(&file);
}

static void put_copy(uint64_t abi, uint64_t ip)
{
	size_t at = begin_sample(ip);

	put_u64(&file, 0);
	put_u64(&file, abi);
	if (abi) {
		put_u64(&file, 0x7ffc0000);
		put_u64(&file, ip);
	}
	put_u64(&file, 8);
	put_u64(&file, 0);
	put_u64(&file, 8);
	end_record(&file, at);
}

static void make_cut(void)
{
	begin_samples(TYPE | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	put_mmap(0x400000, 0x1000, 0, "/no/such/program");
	put_copy(PERF_SAMPLE_REGS_ABI_64, 0x400010);
	put_copy(PERF_SAMPLE_REGS_ABI_64, 0x400020);
	put_copy(PERF_SAMPLE_REGS_ABI_64, 0x900000);
	put_copy(PERF_SAMPLE_REGS_ABI_32, 0x400010);
	put_copy(PERF_SAMPLE_REGS_ABI_NONE, 0x400010);
	end_file(&file);
}

/* ---- what is said -------------------------------------------------------------------------- */

static int teardown(void **state)
{
	(void)state;
	remove_file(&file);
	return 0;
}

static int run_on_file(const char *before)
{
	char line[256], path[64] = "/tmp/pmuctl-unwound-XXXXXX";
	int fd = mkstemp(path), code;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, file.bytes, file.size), file.size);
	close(fd);
	snprintf(line, sizeof(line), "%s -i %s", before, path);
	code = run(line);
	unlink(path);
	return code;
}

static void expect(const char *where_it_is, const char *text)
{
	if (!strstr(where_it_is, text))
		fail_msg("no '%s' in:\n%s", text, where_it_is);
}

static void test_cut(void **state)
{
	static const char *const commands[] = {
		"report -g", "report", "script -F ip,callchain", "export --folded", "export --speedscope",
		"report --svg /dev/null",
	};
	size_t i;

	(void)state;
	make_cut();
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		assert_int_equal(run_on_file(commands[i]), 0);
		expect(err, "4 of 4 stacks of /tmp/pmuctl-unwound-");
		expect(err, "are unwound in part, and lack their outermost callers: 2 in "
			    "/no/such/program (No such file or directory; --symfs");
		expect(err, "1 (nothing was mapped there)");
		expect(err, "1 (code of 32 bits or of another machine is not unwound");
	}
}

static void test_cut_in_lines(void **state)
{
	(void)state;
	make_cut();
	assert_int_equal(run_on_file("script -F ip,callchain"), 0);
	expect(out, "          900000 0x900000 <- ... (nothing was mapped there)\n");
	expect(out, "          400010 0x400010 <- ... (the file of code is not here)\n");
	expect(out, "          400010 0x400010\n");
}

/* Who does not look at callers pays nothing for them, and hears nothing of them. */
static void test_no_chains(void **state)
{
	(void)state;
	make_cut();
	assert_int_equal(run_on_file("report --no-children"), 0);
	assert_null(strstr(err, "unwound"));
	assert_int_equal(run_on_file("script"), 0);
	assert_null(strstr(err, "unwound"));
}

static void test_inlined_rows(void **state)
{
	(void)state;
	make_inlined();
	assert_int_equal(run_on_file("report --inline --no-children -s symbol -n"), 0);
	expect(out, "    50.00%             1  [.] inner_part (inlined)\n");
	expect(out, "    50.00%             1  [.] where\n");
	assert_null(strstr(out, "has_inlined"));
	assert_int_equal(run_on_file("report --inline -s symbol -x ,"), 0);
	expect(out, "inner_part (inlined)");
	expect(out, "outer_part (inlined)");
	expect(out, "has_inlined");
	assert_int_equal(run_on_file("report --no-children -s symbol"), 0);
	assert_null(strstr(out, "inlined)"));
	expect(out, "[.] has_inlined\n");
	assert_int_equal(run_on_file("report --inline --no-children -S inner_part -s symbol"), 0);
	expect(out, "inner_part (inlined)");
}

/* In each function the line from which the next one goes on. */
static void test_inlined_lines(void **state)
{
	char want[128];

	(void)state;
	make_inlined();
	assert_int_equal(run_on_file("report --inline -s symbol,line -x ,"), 0);
	snprintf(want, sizeof(want), "outer_part (inlined),./tests/unit/lib/own_code.h:%d\n",
		 inner_call);
	expect(out, want);
	snprintf(want, sizeof(want), "has_inlined,./tests/unit/lib/own_code.h:%d\n", outer_call);
	expect(out, want);
}

static void test_inlined_callers(void **state)
{
	(void)state;
	make_inlined();
	assert_int_equal(run_on_file("report --inline --no-children -g -S where -s symbol"), 0);
	expect(out, "              <- 50.00%  inner_part (inlined)\n"
		    "                <- 50.00%  outer_part (inlined)\n"
		    "                  <- 50.00%  has_inlined\n");
	assert_int_equal(run_on_file("script --inline -F callchain"), 0);
	expect(out, "where+0x0 <- inner_part (inlined) <- outer_part (inlined) <- has_inlined+0x");
	assert_int_equal(run_on_file("export --inline --folded"), 0);
	expect(out, ";has_inlined;outer_part (inlined);inner_part (inlined);where 100\n");
}

static void test_inlined_unknown(void **state)
{
	(void)state;
	make_cut();
	assert_int_equal(run_on_file("report --inline"), 0);
	expect(err, "--inline: nothing that was sampled has debugging information here");
	make_inlined();
	assert_int_equal(run_on_file("report --inline"), 0);
	assert_null(strstr(err, "--inline"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(cut), TEST(cut_in_lines), TEST(no_chains), TEST(inlined_rows),
		TEST(inlined_lines), TEST(inlined_callers), TEST(inlined_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
