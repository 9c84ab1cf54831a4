// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl record as a whole against the kernel of paper: its options, what it
 * says, on a terminal and elsewhere, and its exit codes.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pty.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "tools/record/rotate.h"
#include "tools/run/signals.h"
#include "tests/unit/tools/run.h"

static char dir[] = "/tmp/pmuctl-record-XXXXXX";

/* In a directory of its own, where perf.data goes. */
static int begin(void **state)
{
	setup(state);
	fake_sampling(3);
	memcpy(dir + strlen(dir) - 6, "XXXXXX", 6);
	assert_non_null(mkdtemp(dir));
	return chdir(dir);
}

static int end(void **state)
{
	(void)state;
	unlink("perf.data");
	unlink("perf.data.old");
	return chdir("/") || rmdir(dir);
}

/* Three samples wait, and seven more were lost. */
static void lay_samples(void)
{
	struct pmuctl_sample s = {
		.record = { .type = PMUCTL_RECORD_SAMPLE, .size = sizeof(s),
			    .flags = PMUCTL_RECORD_USER },
		.ip = 0x401000, .period = 100,
	};
	const struct pmuctl_lost lost = {
		.record = { .type = PMUCTL_RECORD_LOST, .size = sizeof(lost) }, .samples = 7,
	};
	size_t i;

	for (i = 0; i < 3; i++)
		memcpy(fake.records + i * sizeof(s), &s, sizeof(s));
	memcpy(fake.records + 3 * sizeof(s), &lost, sizeof(lost));
	fake.records_size = 3 * sizeof(s) + sizeof(lost);
	fake.nr_ledger = 1;
	fake.ledger[0] = (struct pmuctl_ledger){ .produced = 10, .written = 3, .lost = 7 };
}

static void usage_errors(void **state)
{
	(void)state;
	RUN_HAS("record", 129, "nothing to record");
	RUN_HAS("record -c 0 true", 129, "-c '0'");
	RUN_HAS("record -c 1x true", 129, "-c '1x'");
	RUN_HAS("record -F 0 true", 129, "-F '0'");
	RUN_HAS("record -F maximal true", 129, "-F 'maximal'");
	RUN_HAS("record -c 1 -F 1 true", 129, "one of them");
	RUN_HAS("record --random 3 true", 129, "no -c");
	RUN_HAS("record --random 33 -c 9 true", 129, "--random '33'");
	RUN_HAS("record -c 8 --random 3 true", 129, "2^3");
	RUN_HAS("record --call-graph frames true", 129, "'fp'");
	RUN_HAS("record --call-graph lbr -b true", 129, "--call-graph fp goes with -b");
	RUN_HAS("record --call-graph dwarfs true", 129, "'dwarf[,BYTES]'");
	RUN_HAS("record --call-graph dwarf, true", 129, "a multiple of 8 from 1024 to 65528");
	RUN_HAS("record --call-graph dwarf,1016 true", 129, "a multiple of 8 from 1024 to 65528");
	RUN_HAS("record --call-graph dwarf,1028 true", 129, "a multiple of 8 from 1024 to 65528");
	RUN_HAS("record --call-graph dwarf,65536 true", 129, "a multiple of 8 from 1024 to 65528");
	RUN_HAS("record --call-graph dwarf,8192x true", 129, "a multiple of 8 from 1024 to 65528");
	RUN_HAS("record --off-cpu-min 5 true", 129, "there is no --off-cpu");
	RUN_HAS("record --off-cpu --off-cpu-min 0 true", 129, "--off-cpu-min '0'");
	RUN_HAS("record --off-cpu --off-cpu-min 5ms true", 129, "--off-cpu-min '5ms'");
	RUN_HAS("record -m 0 true", 129, "-m '0'");
	RUN_HAS("record -m 1Q true", 129, "-m '1Q'");
	RUN_HAS("record -m 3 true", 129, "power of two");
	RUN_HAS("record -m 32M true", 129, "power of two");
	RUN_HAS("record -e cycles, true", 129, "is empty");
	RUN_HAS("record -D 20 --timeout 10 true", 129, "before the delay");
	RUN_HAS("record -a -p 1 true", 129, "-a is for CPUs");
	RUN_HAS("record -e nosuch true", 129, "no such event");
	RUN_HAS("record -e cycles:pppp true", 129, "ppp");
	RUN_HAS("record -c 1 -e cycles:p true", 129, "2");
	RUN_HAS("record -e cache-misses:pp true", 255, "PEBS");
	RUN_HAS("record --zzz true", 129, "usage: pmuctl record");
	RUN_HAS("record --rotate 60 true", 129, "--rotate '60': another file begins after");
	RUN_HAS("record --rotate 99ms true", 129, "from 100ms to 1d");
	RUN_HAS("record --rotate 25h true", 129, "from 100ms to 1d");
	RUN_HAS("record --switch-output signal true", 129, "--switch-output 'signal'");
	RUN_HAS("record --rotate 1s -o - true", 129, "what goes to a pipe is one file");
	RUN_HAS("record --pprof . true", 129, "of one whole recording `pmuctl export --pprof` does");
	RUN_HAS("record --rotate 1s --pprof . -o x true", 129, "leave -o out");
	RUN_HAS("record --keep 3 true", 129, "files of --rotate, which is not given");
	RUN_HAS("record --keep-size 3M true", 129, "files of --rotate, which is not given");
	RUN_HAS("record --rotate 1s --keep-size 3X true", 129, "like 500M or 2G");
	RUN_HAS("record --rotate 1s --cpu-label true", 129, "perf.data has the CPU");
	RUN_HAS("record --rotate 1s -o ./ true", 255, "-o ./: that is a directory");
	RUN_HAS("record --rotate 1s --pprof nowhere true", 255, "--pprof nowhere: No such file");
	/* None of these made a file. */
	assert_int_equal(access("perf.data", F_OK), -1);
}

static void script(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(name, 0755), 0);
}

/* A short command is over before there is a file. */
#define WAIT "#!/bin/sh\nwhile [ ! -e perf.data ]; do sleep 0.01; done\n"

/* What is called its data is, or the exit code says that it is not. */
static void a_file_that_is_replaced(void **state)
{
	static const char *const made[] = {
		"moves", "removes", "links", "renames", "moved", "moved.old", "other",
	};
	struct stat st;
	size_t i;

	(void)state;
	script("moves", WAIT "mv perf.data moved\n: >perf.data\n");
	script("removes", WAIT "rm perf.data\n");
	script("links", WAIT "ln -f perf.data other\nrm perf.data\n");
	script("renames", WAIT "mv perf.data moved\n");
	RUN_HAS("record ./moves", 255, "perf.data was replaced while it was written: what was "
		"written is in ");
	assert_non_null(strstr(err, "/moved\n"));
	assert_null(strstr(err, "in perf.data ]"));
	assert_int_equal(stat("perf.data", &st), 0);
	assert_int_equal(st.st_size, 0);
	RUN_HAS("report -i moved", 0, "");
	/* The next one is to wait for its own. */
	unlink("perf.data");
	RUN_HAS("record ./renames", 255, "perf.data was removed or renamed while it was written: ");
	assert_non_null(strstr(err, "/moved\n"));
	RUN_HAS("record ./removes", 255, "what was written is gone with the file");
	assert_null(strstr(err, "in perf.data ]"));
	RUN_HAS("record ./links", 255, "which has another one now");
	RUN_HAS("record --quiet ./removes", 255, "what was written is gone");
	RUN_HAS("stat -o perf.data ./moves", 255, "perf.data was replaced while it was written");
	unlink("perf.data");
	RUN_HAS("stat -o perf.data ./removes", 255, "what was written is gone");
	RUN_HAS("stat -o perf.data true", 0, "");
	RUN_HAS("record true", 0, "in perf.data ]");
	for (i = 0; i < ARRAY_SIZE(made); i++)
		unlink(made[i]);
}

static void refusals(void **state)
{
	(void)state;
	RUN_HAS("record -o /nowhere/x true", 255, "/nowhere/x.new: No such file");
	RUN_HAS("record nosuchcommand", 255, "No such file");
	/* What was recorded before is there, and nothing else. */
	assert_int_equal(access("perf.data", F_OK), -1);
	assert_int_equal(access("perf.data.new", F_OK), -1);
	fake.pebs_refusal = "a virtual machine runs on this host";
	RUN_HAS("record -e cycles:pp true", 255, "a virtual machine runs on this host");
	fake.features = 0x1ff;
	RUN_HAS("record true", 255, "cannot sample");
	fake_sampling(3);
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EBUSY;
	fake.extack = "no counter is left";
	RUN_HAS("record true", 255, "no counter is left");
}

/* Records and nothing else go there: what the command prints does not. */
static void into_a_pipe(void **state)
{
	(void)state;
	lay_samples();
	RUN_HAS("record -c 100 -o - -e instructions:u -- echo hello", 0, "hello\n");
	assert_memory_equal(out, "PERFILE2\020\0\0\0\0\0\0\0", 16);
	assert_non_null(strstr(err, " in - ]"));
	assert_int_equal(access("perf.data", F_OK), -1);
	assert_int_equal(access("-", F_OK), -1);
}

static void samples_and_losses(void **state)
{
	struct stat st;

	(void)state;
	lay_samples();
	fake.counts[0].value = 2050;
	RUN_HAS("record -c 100 -e instructions:u -- true", 0,
		"[ pmuctl record: 3 samples, 7 lost, shortfall 10, ");
	assert_int_equal(stat("perf.data", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	RUN_HAS("record -c 100 --strict -e instructions:u -- true", 125,
		"--strict: 7 samples were lost");
	/* The first file is kept. */
	assert_int_equal(access("perf.data.old", F_OK), 0);
	/* What the kernel wrote and did not deliver is lost, too. */
	fake.ledger[0].written = 5;
	fake.ledger[0].throttled = 4;
	RUN_HAS("record -c 100 -e instructions:u -- true", 0, "3 samples, 9 lost");
	assert_non_null(strstr(err, "throttled: 4 samples"));
	/* Those that the hardware lost are in no figure. */
	fake.ledger[0].written = 3;
	fake.ledger[0].lost = 0;
	RUN_HAS("record -c 100 --strict -e instructions:u -- true", 0, "3 samples, 0 lost");
	fake.ledger[0].overruns = 2;
	RUN_HAS("record -c 100 -e instructions:u -- true", 0, "full 2 times");
	RUN_HAS("record -c 100 --strict -e instructions:u -- true", 125, "--strict: the PEBS buffer");
	fake.ledger[0].overruns = 0;
	RUN_HAS("record -q -c 100 -e instructions:u -- true", 0, "throttled");
	assert_null(strstr(err, "[ pmuctl record"));
}

/* What another recording writes to stays, by whatever name. */
static void taken_file(void **state)
{
	int fd = open("perf.data.new", O_RDWR | O_CREAT, 0600);

	(void)state;
	assert_int_equal(flock(fd, LOCK_EX), 0);
	RUN_HAS("record true", 255, "perf.data.new: another recording writes to it");
	assert_int_equal(unlink("perf.data.new"), 0);
	close(fd);
}

static void exit_codes(void **state)
{
	(void)state;
	fake.nr_ledger = 1;
	RUN_HAS("record -c 100 -- false", 1, "0 samples, 0 lost");
}

/* What comes from the terminal; at the first progress its reader ends the command's input. */
static void watch_terminal(int master, char *text, size_t size, const char *progress)
{
	bool ended = false;
	size_t at = 0;
	ssize_t got;

	while (at + 1 < size && (got = read(master, text + at, size - 1 - at)) > 0) {
		at += (size_t)got;
		text[at] = '\0';
		if (!ended && strstr(text, progress))
			ended = write(master, "\4", 1) == 1;
	}
}

/* As somebody sees it who sits in front of it. */
static void progress_on_a_terminal(void **state)
{
	const char *progress = "\r[ pmuctl record: 3 samples, 7 lost, ";
	char text[4096] = "", *argv[] = { "pmuctl", "record", "-c", "100", "--", "cat", NULL };
	uint64_t began = now_ns();
	unsigned int lines;
	int master;
	pid_t pid;

	(void)state;
	lay_samples();
	pid = forkpty(&master, NULL, NULL, NULL);
	if (!pid)
		exit(pmuctl_main(6, argv));
	watch_terminal(master, text, sizeof(text), progress);
	close(master);
	waitpid(pid, NULL, 0);
	/* Once a second at most, and the last line. */
	lines = count_text(text, progress);
	if (lines < 2 || (lines - 1) * 1000000000ull > now_ns() - began ||
	    count_text(text, " in perf.data ]") != 1)
		fail_msg("%s", text);
}

/* ---- a file an interval ------------------------------------------------------------------ */

static size_t count_files(const char *pattern)
{
	glob_t found;
	size_t count;

	if (glob(pattern, 0, NULL, &found))
		return 0;
	count = found.gl_pathc;
	globfree(&found);
	return count;
}

static void names_of_intervals(void **state)
{
	static const struct rotate_names names = { .base = "a.data" };
	char stamp[STAMP_SIZE];

	(void)state;
	/* A leap day, by `date -u -d @1709251199`. */
	rotate_stamp(stamp, 1709251199007999999ull, 12);
	assert_string_equal(stamp, "20240229T235959.007Z-000012");
	rotate_stamp(stamp, 1709251200000000000ull, 1234567);
	assert_string_equal(stamp, "20240301T000000.000Z-1234567");
	assert_true(rotate_is_named(&names, "", "a.data.20240229T235959.007Z-000012"));
	assert_true(rotate_is_named(&names, ".gz", "a.data.20240301T000000.000Z-1234567.gz"));
	/* What has another name, or is not whole, is nobody's to remove. */
	assert_false(rotate_is_named(&names, "", "a.data"));
	assert_false(rotate_is_named(&names, "", "a.data.old"));
	assert_false(rotate_is_named(&names, "", "a.data.20240229T235959.007Z-000012.tmp"));
	assert_false(rotate_is_named(&names, "", "a.data.20240229T235959.007Z-00012"));
	assert_false(rotate_is_named(&names, "", "b.data.20240229T235959.007Z-000012"));
	assert_false(rotate_is_named(&names, ".gz", "a.data.20240229T235959.007Z-000012"));
}

static const char *const aged[] = {
	"d.20240229T235959.007Z-000001", "d.20240229T235959.007Z-000002",
	"d.20240301T000000.000Z-000001", "d.20240301T000000.000Z-000002",
	"d.old",
};

/* Which of them are there; each has ten bytes, and what is newer is made first. */
static void check_pruned(uint64_t count, uint64_t bytes, int removed, const char *left)
{
	const struct rotate_names names = { .dir = ".", .base = "d", .suffix = "" };
	char there[8] = "";
	size_t i;

	for (i = 5; i-- > 0;)
		script(aged[i], "123456789\n");
	assert_int_equal(rotate_prune(&names, count, bytes), removed);
	for (i = 0; i < 5; i++)
		strcat(there, access(aged[i], F_OK) ? "-" : "x");
	assert_string_equal(there, left);
	for (i = 0; i < 5; i++)
		unlink(aged[i]);
}

static void the_oldest_go(void **state)
{
	struct rotate_names names = { .dir = "nowhere", .base = "d", .suffix = "" };

	(void)state;
	check_pruned(0, 0, 0, "xxxxx");
	check_pruned(4, 0, 0, "xxxxx");
	check_pruned(3, 0, 1, "-xxxx");
	check_pruned(1, 0, 3, "---xx");
	check_pruned(0, 40, 0, "xxxxx");
	check_pruned(0, 39, 1, "-xxxx");
	check_pruned(3, 20, 2, "--xxx");
	/* The newest stays, however large. */
	check_pruned(0, 1, 3, "---xx");
	assert_int_equal(rotate_prune(&names, 1, 0), -ENOENT);
}

static void a_file_an_interval(void **state)
{
	(void)state;
	lay_samples();
	RUN_HAS("record --rotate 100ms -c 100 -e instructions:u -- sleep 0.25", 0,
		"[ pmuctl record: 3 samples, 7 lost, ");
	assert_true(count_text(err, " files ./perf.data.* ]") == 1);
	assert_true(count_files("perf.data.*Z-000001") == 1 && count_files("perf.data.*Z-000002") == 1);
	assert_int_equal(count_files("perf.data.*.tmp"), 0);
	assert_int_equal(access("perf.data", F_OK), -1);
	RUN_HAS("record --rotate 100ms --keep 1 -c 100 -e instructions:u -- sleep 0.25", 0,
		"older files were removed (--keep)");
	assert_int_equal(count_files("perf.data.*"), 1);
	assert_int_equal(system("rm perf.data.*"), 0);
	/* What looks whole is: while it is written it has another name. */
	script("looks", "#!/bin/sh\nls >listed\n");
	RUN_HAS("record --rotate 10s -c 100 -e instructions:u -- ./looks", 0, " in 1 files ");
	assert_int_equal(system("grep -q 'Z-000001\\.tmp$' listed && ! grep -q 'Z-000001$' listed"), 0);
	assert_int_equal(system("rm looks listed"), 0);
	/* A mistyped command makes none, and takes none away. */
	RUN_HAS("record --rotate 1s --keep 1 -c 100 -e instructions:u -- nosuch", 255, "nosuch");
	assert_int_equal(count_files("perf.data.*"), 1);
	assert_int_equal(system("rm perf.data.*"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(usage_errors),
		TEST(a_file_that_is_replaced),
		TEST(refusals),
		TEST(samples_and_losses),
		TEST(into_a_pipe),
		TEST(taken_file),
		TEST(exit_codes),
		TEST(names_of_intervals),
		TEST(the_oldest_go),
		TEST(a_file_an_interval),
		TEST(progress_on_a_terminal),
	};

	/* libpfm4 goes by the CPU of this machine otherwise, which it may not know. */
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
