// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl compare as a whole against the kernel of paper.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "tests/unit/tools/run.h"

static void command(void **state)
{
	(void)state;
	/* 1000 cycles each time, and what the time of true is nobody knows. */
	assert_int_equal(run("compare -e cycles -r 7 -- true -- true"), 0);
	assert_non_null(strstr(err, "\n Comparison of A with B:\n"));
	assert_non_null(strstr(err, "             1000             1000  1.000 identical in all pairs\n"));
	assert_non_null(strstr(err, " identical in all pairs: no noise seen, not a proof\n"));
	assert_non_null(strstr(err, "\n 7 pairs, seed 1; intervals of "));
	assert_int_equal(run("compare -e cycles,instructions -M IPC -r 8 -x; -o - -- true -- true"), 0);
	assert_int_equal(count_text(out, "\n"), 4);
	assert_memory_equal(out, "cycles;;1000;1000;1.000000;1.000000;1.000000;", 45);
	assert_non_null(strstr(out, "\nIPC;;0.750000000;0.750000000;1.000000;"));
	assert_non_null(strstr(out, "\nseconds elapsed;;0."));
	assert_string_equal(err, "");
	assert_int_equal(run("compare -e cycles -r 7 --svg - -- true -- true"), 0);
	assert_memory_equal(out, "<?xml ", 6);
	assert_memory_equal(out + strlen(out) - 7, "</svg>\n", 7);
	/* The usual ones, and as many pairs as by default. */
	assert_int_equal(run("compare -x; true -- true"), 0);
	assert_int_equal(count_text(err, ";12;\n"), 5);
	/* More comparisons than 12 pairs are enough for take as many as are needed. */
	assert_int_equal(run("compare -x; -M TopdownL1,TopdownL2,TopdownL3,Summary,Memory true -- true"),
			 0);
}

/* On a counter for half of its time, and with something that is said of stat's counts, too. */
static void flagged(void **state)
{
	(void)state;
	fake.counts[0].running = 2500;
	fake.counts[0].flags = PMUCTL_COUNT_INCOMPLETE;
	assert_int_equal(run("compare -e cycles,instructions -r 8 -x; -o - -- true -- true"), 0);
	assert_memory_equal(out, "cycles;;2000;2000;1.000000;", 27);
	assert_non_null(strstr(out, ";8;\"estimates: it took turns; incomplete: a child was not followed\""
				    "\ninstructions;"));
	assert_non_null(strstr(err, "pmuctl compare: warning: incomplete: at least one child"));
	assert_int_equal(run("compare -e instructions,cycles -M IPC -r 8 -j -o - -- true -- true"), 0);
	assert_int_equal(count_text(out, "\"estimate\": true"), 1);
	assert_int_equal(run("compare -e cycles,instructions -r 8 -- true -- true"), 0);
	assert_non_null(strstr(err, "\n events took turns: their counts are estimates; "));
	assert_non_null(strstr(strstr(err, "Comparison"), "warning: incomplete"));
	fake.counts[0].running = 0;
	assert_int_equal(run("compare -e cycles,instructions -r 8 -x; -o - -- true -- true"), 0);
	assert_non_null(strstr(out, ";no ratio;8;\"not counted in pair 1 of A: no ratio; incomplete"));
}

/* Counts grow from run to run: B's are above A's in one pair and below in the next one. */
static void interleaved(void **state)
{
	(void)state;
	fake.growth = 10;
	assert_int_equal(run("compare -e cycles -r 8 -x; -o - -- true -- true"), 0);
	assert_memory_equal(out, "cycles;;", 8);
	assert_memory_equal(strchr(out, '\n') - 18, ";not told apart;8;", 18);
}

/* 16 runs and two for warming up, by turns, each with what its mode says. */
static void modes_of_one(void **state)
{
	static const char *line = "compare -e cycles -r 7 --mode a=env:PMUCTL_X=1 "
				  "--mode b=env:PMUCTL_X=2 -- printenv PMUCTL_X";
	const char *c;
	int i;

	(void)state;
	setenv("PMUCTL_X", "3", 1);
	assert_int_equal(run(line), 0);
	unsetenv("PMUCTL_X");
	assert_int_equal(count_text(out, "1\n"), 8);
	assert_int_equal(count_text(out, "2\n"), 8);
	assert_null(strstr(out, "3"));
	/* Of pair 1 and 2, 3 and 4, ... each is the other way round. */
	for (i = 1; i < 7; i += 2) {
		c = out + 4 * i;
		assert_int_equal(c[0], c[6]);
		assert_int_equal(c[2], c[4]);
		assert_int_not_equal(c[0], c[2]);
	}
	assert_non_null(strstr(err, "\n A: 'printenv PMUCTL_X' in mode a\n"));
	assert_non_null(strstr(err, "\n B: 'printenv PMUCTL_X' in mode b\n"));
	/* Two programs under two modes are two contests. */
	assert_int_equal(run("compare -e cycles -r 8 --mode a --mode b=env:X=2 true -- true"), 0);
	assert_non_null(strstr(err, "\n  A / B "));
	assert_non_null(strstr(err, " Wilcoxon on log ratios; 4 comparisons"));
}

/* What was counted can be compared again, without a kernel, and says the same. */
static void from_a_file(void **state)
{
	char counts[] = "/tmp/pmuctl-compare-XXXXXX", line[256], before[4096];
	const char *c;
	int fd = mkstemp(counts), i;

	(void)state;
	assert_true(fd >= 0);
	fake.growth = 10;
	snprintf(line, sizeof(line), "compare -e cycles,cpu/event=0x3c,umask=0/ --mode m -r 8 -x; "
		 "-o - --counts %s true -- true", counts);
	assert_int_equal(run(line), 0);
	memcpy(before, out, sizeof(before));
	fake.missing = true;
	snprintf(line, sizeof(line), "compare --from %s -x; -o -", counts);
	assert_int_equal(run(line), 0);
	assert_string_equal(out, before);
	assert_int_equal(count_text(out, "\n"), 3);
	assert_non_null(strstr(out, "cpu/event=0x3c,umask=0/;m;"));
	snprintf(line, sizeof(line), "compare --from %s", counts);
	assert_int_equal(run(line), 0);
	assert_non_null(strstr(err, "\n Comparison of A with B, by the counts in /tmp/pmuctl-compare-"));
	assert_non_null(strstr(err, "\n 8 pairs; intervals of "));
	slurp(fd, before, sizeof(before));
	assert_memory_equal(before, "mode,event,pair,a,b\nm,cycles,1,10", 33);
	for (c = before, i = 0; (c = strstr(c, "\nm,cycles,")); c++)
		i++;
	assert_int_equal(i, 8);
	unlink(counts);
}

/* A file of these lines behind the head. */
static int run_from(const char *text)
{
	char counts[] = "/tmp/pmuctl-compare-XXXXXX", line[256];
	int fd = mkstemp(counts), code;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	snprintf(line, sizeof(line), "compare -x; -o - --from %s", counts);
	code = run(line);
	unlink(counts);
	return code;
}

#define HEAD "mode,event,pair,a,b\n"
#define SIX_OF(mode, event) mode event ",1,11,10\n" mode event ",2,12,10\n" mode event ",3,13,10\n" \
	mode event ",4,14,10\n" mode event ",6,16,10\n" mode event ",5,15,10\n"

static void files(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "", ": there are no counts in it" },
		{ HEAD, ": there are no counts in it" },
		{ "mode,event\n", ": line 1: it is not 'mode,event,pair,a,b'" },
		{ HEAD ",x,1,2\n", ": line 2: there have to be the columns" },
		{ HEAD ",x,1,2,3,4\n", ": line 2: there have to be the columns" },
		{ HEAD ",x,1,2,3\n,x,0,2,3\n", ": line 3: the third column is the pair" },
		{ HEAD ",x,1,2,y\n", ": line 2: a count is no number" },
		{ HEAD ",x,1,inf,1\n", ": line 2: a count is no number" },
		{ HEAD ",x,1,1,2\n,x,3,1,2\n", ": there is no pair 2 of 'x'\n" },
		{ HEAD SIX_OF("a,", "x") "b,x,1,1,1\n", ": there is no pair 2 of 'x' in mode 'b'\n" },
		{ HEAD ",x,1,1,2\n", "no interval: 6 pairs are the least for 1 comparison (-r 6)" },
		{ HEAD SIX_OF(",", "x") SIX_OF(",", "y"), "7 pairs are the least for 2 comparisons" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(run_from(bad[i].text), EXIT_USAGE);
		if (!strstr(err, bad[i].why))
			print_message("%s: %s", bad[i].text, err);
		assert_non_null(strstr(err, bad[i].why));
	}
	assert_int_equal(run_from(HEAD SIX_OF("\"m,\"\"n\"\"\",", "x")), 0);
	assert_memory_equal(out, "x;\"m,\"\"n\"\"\";14;10;1.341641;1.100000;1.600000;0.968750;"
			    "0.031250000;told apart;6;\n", 70);
	assert_int_equal(run_from(HEAD ",x,1,,1\n" SIX_OF(",", "x") ",x,2,,10\n"), 0);
	assert_non_null(strstr(out, ";no ratio;6;not counted in pair 2 of A: no ratio\n"));
	/* Joules are no counts, even if they are whole. */
	assert_int_equal(run_from(HEAD SIX_OF(",", "energy (J)")), 0);
	assert_memory_equal(out, "energy (J);;13.500000000;10.000000000;1.341641;", 47);
	RUN_HAS("compare --from /no/such/file", EXIT_FAILED, "--from /no/such/file: No such file");
	RUN_HAS("compare --from /etc", EXIT_FAILED, "--from /etc: Is a directory");
	RUN_HAS("compare --from x true -- true", EXIT_USAGE, "--from runs nothing");
	RUN_HAS("compare --from x -r 7", EXIT_USAGE, "--from runs nothing");
	RUN_HAS("compare --from x --svg x", EXIT_USAGE, "need files of their own");
	RUN_HAS("compare --from x --energy", EXIT_USAGE, "--from runs nothing");
}

static void padding(void **state)
{
	(void)state;
	assert_int_equal(run("compare -e cycles -r 7 -- printenv PMUCTL_PADDING -- true"), 0);
	assert_int_equal(count_text(out, "\n"), 8);
	assert_true(strlen(out) > 4096);
	assert_int_equal(run("compare --no-shuffle -e cycles -r 7 -- printenv PMUCTL_PADDING -- true"),
			 EXIT_FAILED);
}

static void on_cpus(void **state)
{
	(void)state;
	assert_int_equal(run("compare -e cycles -r 7 -C 0 -- taskset -cp 0 -- true"), EXIT_FAILED);
	assert_int_equal(run("compare -e cycles -r 7 -C 0 -- grep Cpus_allowed_list "
			     "/proc/self/status -- true"), 0);
	assert_int_equal(count_text(out, ":\t0\n"), 8);
	RUN_HAS("compare -C 1000 true -- true", EXIT_USAGE, "-C: CPU 1000 is not online");
	RUN_HAS("compare -C 99999 true -- true", EXIT_USAGE, "-C '99999': ");
	RUN_HAS("compare -C x true -- true", EXIT_USAGE, "-C 'x': ");
	RUN_HAS("compare --mode a=cpu=777 true -- true", EXIT_USAGE,
		"--mode cpu: CPU 777 is not online");
}

static void refused(void **state)
{
	(void)state;
	RUN_HAS("compare -r 7 -- true -- true", EXIT_USAGE,
		"no interval: 8 pairs are the least for 5 comparisons (-r 8)");
	RUN_HAS("compare -e cycles -r 6 -- touch /nowhere/at/all -- true", EXIT_USAGE,
		"no interval: 7 pairs are the least for 2 comparisons (-r 7)");
	RUN_HAS("compare -e cycles -r 7 --mode a --mode b -- true -- true", EXIT_USAGE,
		"no interval: 8 pairs are the least for 4 comparisons (-r 8)");
	RUN_HAS("compare", EXIT_USAGE, "nothing to compare");
	RUN_HAS("compare true", EXIT_USAGE, "one program under no mode is nothing to compare");
	RUN_HAS("compare --mode a true", EXIT_USAGE, "one program under one mode is nothing");
	RUN_HAS("compare true -- true -- true", EXIT_USAGE, "more than two programs");
	RUN_HAS("compare true --", EXIT_USAGE, "there is no program behind '--'");
	RUN_HAS("compare -- -- true", EXIT_USAGE, "there is no program before '--'");
	RUN_HAS("compare --mode a=b true -- true", EXIT_USAGE,
		"'b' is no setting: there are env:VAR=VALUE, cpu=LIST and features of the "
		"processor, like prefetch=off or l3-ways=4 (`pmuctl features`)");
	RUN_HAS("compare --mode a=prefetch=none true -- true", EXIT_USAGE,
		"--mode 'prefetch=none': feature 'prefetch': 'none' is no value: it is on, off or a");
	RUN_HAS("compare --mode a=env:X true -- true", EXIT_USAGE, "is env:VAR=VALUE");
	RUN_HAS("compare --mode a=env:=1 true -- true", EXIT_USAGE, "is env:VAR=VALUE");
	RUN_HAS("compare --mode =env:X=1 true -- true", EXIT_USAGE, "the mode has no name");
	RUN_HAS("compare --part x true -- true", EXIT_USAGE, "--part 'x': it is NAME=SHARE");
	RUN_HAS("compare --part x= true -- true", EXIT_USAGE, "NAME=SHARE");
	RUN_HAS("compare --part =1 true -- true", EXIT_USAGE, "NAME=SHARE");
	RUN_HAS("compare --part x=100% true -- true", EXIT_USAGE, "NAME=SHARE");
	RUN_HAS("compare --part x=nan true -- true", EXIT_USAGE, "NAME=SHARE");
	RUN_HAS("compare -e none-such true -- true", EXIT_USAGE, "event 'none-such'");
	RUN_HAS("compare -M none-such true -- true", EXIT_USAGE, "compare: -M 'none-such'");
	RUN_HAS("compare -r 1001 true -- true", EXIT_USAGE, "not a number from 1 to 1000");
	RUN_HAS("compare -o /nowhere/at/all true -- true", EXIT_FAILED, "-o /nowhere/at/all: No such");
	RUN_HAS("compare --svg /nowhere/at/all true -- true", EXIT_FAILED,
		"--svg /nowhere/at/all: No such");
	RUN_HAS("compare --svg x -o x true -- true", EXIT_USAGE, "-o, --svg, --counts and --from need files");
}

static void failing(void **state)
{
	(void)state;
	RUN_HAS("compare -e cycles -- true -- false", EXIT_FAILED,
		"warm-up, B 'false': it ended with exit code 1, and what fails is not compared");
	RUN_HAS("compare -e cycles -- true -- /no/such/program", EXIT_FAILED,
		"command '/no/such/program': No such file");
	fake.missing = true;
	RUN_HAS("compare -e cycles -- true -- true", EXIT_FAILED, "pmuctl compare: ");
}

static void part_of_all(void **state)
{
	(void)state;
	assert_int_equal(run("compare --part parse=60% -e cycles -r 7 -- true -- true"), 0);
	assert_non_null(strstr(err, " part parse takes 60 % of A: if it took no time, A would be "));
	assert_non_null(strstr(err, "B is "));
}

/* Who looks at a terminal sees how far it is, and then the table alone. */
static void progress(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave, output = temporary();
	size_t at = 0;
	struct words w;
	ssize_t got;
	pid_t pid;

	(void)state;
	assert_true(master >= 0);
	assert_int_equal(grantpt(master) || unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(slave >= 0);
	split(&w, "compare -e cycles -r 7 -- true -- true");
	pid = start_to(w.argc, w.argv, output, slave);
	close(slave);
	while ((got = read(master, err + at, sizeof(err) - 1 - at)) > 0)
		at += (size_t)got;
	err[at] = '\0';
	assert_int_equal(exit_of(pid), 0);
	close(master);
	close(output);
	assert_int_equal(count_text(err, "\r[ pmuctl compare: warming up"), 2);
	assert_int_equal(count_text(err, "\r[ pmuctl compare: pair 7 of 7, about "), 2);
	assert_int_equal(count_text(err, "s left ]"), 15);
	assert_non_null(strstr(err, "  \r\r\n Comparison of A with B:"));
}

/* A program that sends us this signal in the run of that number, and counts its runs in a file. */
static void write_counter(char path[], const char *runs, int number, const char *signal_name)
{
	int fd = mkstemp(path);
	FILE *to = fdopen(fd, "w");

	assert_non_null(to);
	fprintf(to, "#!/bin/sh\necho >>%s\n[ $(wc -l <%s) -lt %d ] || kill -%s $PPID\n", runs, runs,
		number, signal_name);
	assert_int_equal(fchmod(fd, 0700), 0);
	assert_int_equal(fclose(to), 0);
}

static int run_until(int number, const char *signal_name)
{
	char path[] = "/tmp/pmuctl-compare-XXXXXX", runs[64], line[256];
	int code;

	snprintf(runs, sizeof(runs), "/tmp/pmuctl-compare-runs.%d", (int)getpid());
	write_counter(path, runs, number, signal_name);
	snprintf(line, sizeof(line), "compare -e cycles -r 900 -x; -o - -- %s -- %s", path, path);
	code = run(line);
	unlink(path);
	unlink(runs);
	return code;
}

/*
 * A signal in the midst: with enough pairs there is a table, otherwise a reason.  In the 17th run
 * 7 pairs are complete, besides the one for warming up; in the 16th there are 6.
 */
static void signalled(void **state)
{
	(void)state;
	assert_int_equal(run_until(17, "INT"), 128 + SIGINT);
	assert_non_null(strstr(err, "pmuctl compare: ended by a signal after 7 of 900 pairs\n"));
	assert_non_null(strstr(out, "cycles;;1000;1000;1.000000;"));
	assert_int_equal(run_until(16, "TERM"), 128 + SIGTERM);
	assert_non_null(strstr(err, "ended by a signal after 6 of 900 pairs: no interval: 7 pairs are the "
				    "least for 2 comparisons (-r 7)"));
	assert_string_equal(out, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(command, setup),
		cmocka_unit_test_setup(flagged, setup),
		cmocka_unit_test_setup(interleaved, setup),
		cmocka_unit_test_setup(modes_of_one, setup),
		cmocka_unit_test_setup(from_a_file, setup),
		cmocka_unit_test_setup(files, setup),
		cmocka_unit_test_setup(padding, setup),
		cmocka_unit_test_setup(on_cpus, setup),
		cmocka_unit_test_setup(refused, setup),
		cmocka_unit_test_setup(failing, setup),
		cmocka_unit_test_setup(part_of_all, setup),
		cmocka_unit_test_setup(progress, setup),
		cmocka_unit_test_setup(signalled, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
