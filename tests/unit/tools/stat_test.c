// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl stat as a whole, against the kernel of paper: exit codes, errors,
 * and that the counted command runs as it would alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/tools/run.h"

static void usage_is_129(void **state)
{
	(void)state;
	RUN_HAS("stat", 129, "nothing to count");
	RUN_HAS("stat -e", 129, "usage: pmuctl stat");
	RUN_HAS("stat -Q true", 129, "usage: pmuctl stat");
	RUN_HAS("stat -C 0- true", 129, "-C '0-'");
	RUN_HAS("stat -p 0 true", 129, "-p '0'");
	RUN_HAS("stat -p 1,x true", 129, "-p '1,x'");
	RUN_HAS("stat -p 1 -C 0", 129, "at a time");
	RUN_HAS("stat -a -p 1", 129, "at a time");
	RUN_HAS("stat -x  true", 129, "separator is empty");
	RUN_HAS("stat -o  true", 129, "file name is empty");
	RUN_HAS("stat -x, -j true", 129, "not both");
	RUN_HAS("stat -j -x, true", 129, "not both");
	RUN_HAS("stat -p 7,8,7", 129, "7 is in it twice");
	RUN_HAS("stat -r 0", 129, "there is none");
	RUN_HAS("stat -r -3 true", 129, "-r '-3'");
	RUN_HAS("stat -r 3x true", 129, "-r '3x'");
	RUN_HAS("stat -r 3 -a", 129, "there is none");
	RUN_HAS("stat -I 0 true", 129, "-I '0': not a number from 1");
	RUN_HAS("stat -I 99999999999999999999 true", 129, "-I '99999999999999999999'");
	RUN_HAS("stat -I  true", 129, "-I ''");
	RUN_HAS("stat -D -1 true", 129, "-D '-1': not a number from 0");
	RUN_HAS("stat -D soon true", 129, "-D 'soon'");
	RUN_HAS("stat --timeout 0 true", 129, "--timeout '0'");
	RUN_HAS("stat --timeout 5 -D 5 true", 129, "over before the delay");
	RUN_HAS("stat --append true", 129, "there is no -o");
	RUN_HAS("stat --nmi-watchdog=on true", 129, "'off' only");
	RUN_HAS("stat --nmi-watchdog true", 129, "'off' only");
	RUN_HAS("stat --events-dir  true", 129, "file name is empty");
	RUN_HAS("stat -A true", 129, "goes with -a or -C");
	RUN_HAS("stat -A -p 1", 129, "goes with -a or -C");
}

static void bad_events(void **state)
{
	(void)state;
	RUN_HAS("stat -e foo true", 129, "pmuctl stat: event 'foo': no such event");
	RUN_HAS("stat -e cycels true", 129, "nearest: cycles");
	RUN_HAS("stat -e cycles, true", 129, "the name of an event is empty");
	RUN_HAS("stat -e  true", 129, "the name of an event is empty");
	RUN_HAS("stat -e cycles:z true", 129, "':z' is no modifier");
	RUN_HAS("stat -e r5300c0 true", 129, "write rc0");
	RUN_HAS("stat -e {} true", 129, "'{}': a group without an event");
	RUN_HAS("stat -e {cycles,instructions true", 129, "brace is not closed");
	RUN_HAS("stat -e cycles} true", 129, "without an opening one");
	RUN_HAS("stat -e {cycles,{instructions}} true", 129, "group within a group");
	RUN_HAS("stat -e {cycles,instrutions}:u true", 129, "event 'instrutions:u'");
	RUN_HAS("explain cycles foo", 129, "event 'foo'");
}

static void commands_exit_code(void **state)
{
	(void)state;
	assert_int_equal(run("stat true"), 0);
	assert_int_equal(run("stat false"), 1);
	RUN_HAS("stat /no/such/command", 255, "command '/no/such/command': No such file");
	RUN_HAS("stat /etc/passwd", 255, "Permission denied");
	assert_null(strstr(err, "Performance counter stats"));
	RUN_HAS("stat -o /no/such/file true", 255, "-o /no/such/file: No such file");
}

static int run_shell(const char *options, const char *script)
{
	char *argv[ARGS_MAX] = { "pmuctl", "stat" };
	char copy[256], *rest = copy;
	int argc = 2, fds[2];

	snprintf(copy, sizeof(copy), "%s", options);
	while (*options && (argv[argc] = strsep(&rest, " ")))
		argc++;
	argv[argc++] = "sh";
	argv[argc++] = "-c";
	argv[argc++] = (char *)(uintptr_t)script;
	return finish(start_argv(argc, argv, fds), fds);
}

static void command_runs_as_alone(void **state)
{
	(void)state;
	assert_int_equal(run_shell("", "exit 42"), 42);
	assert_int_equal(run_shell("", "kill -9 $$"), 137);
	assert_int_equal(run_shell("", "kill -SEGV $$"), 128 + SIGSEGV);
	assert_non_null(strstr(err, "Performance counter stats"));
	/* Its output is its own, and no descriptor of ours is open in it. */
	assert_int_equal(run_shell("-x,", "echo hello; ls /proc/self/fd | wc -l >&2"), 0);
	assert_string_equal(out, "hello\n");
	assert_int_equal(atoi(err), 4);
	/* Nor a signal of ours ignored or blocked. */
	assert_int_equal(run_shell("-x,", "grep -E 'Sig(Blk|Ign|Cgt)' /proc/self/status"), 0);
	assert_non_null(strstr(out, "SigBlk:\t0000000000000000"));
	assert_non_null(strstr(out, "SigIgn:\t"));
	/* GNU make hands down glibc's own 32 and 33 ignored, to us as to everybody. */
	assert_int_equal(strtoull(strstr(out, "SigIgn:\t") + 8, NULL, 16) & ~(3ull << 31), 0);
}

static void counts_are_printed(void **state)
{
	(void)state;
	assert_int_equal(run("stat true"), 0);
	assert_non_null(strstr(err, "Performance counter stats for 'true':"));
	assert_non_null(strstr(err, "              1000      cycles"));
	assert_non_null(strstr(err, "   2.00  insn per cycle"));
	assert_non_null(strstr(err, "of all branches"));
	assert_non_null(strstr(err, "seconds time elapsed"));
	assert_int_equal(run("stat -x; -e instructions:u true"), 0);
	assert_memory_equal(err, "1000;;instructions:u;5000;100.00;;;;", 36);
	assert_int_equal(run("stat -j -e rc0 true"), 0);
	assert_non_null(strstr(err, "\"counter-value\": 1000,"));
	assert_string_equal(out, "");
}

/* Started with streams closed: no count may land in a socket. */
static void closed_streams(void **state)
{
	int fds[2], fd;
	pid_t pid;

	(void)state;
	fds[0] = temporary();
	fds[1] = temporary();
	pid = fork();
	if (!pid) {
		char *argv[] = { "pmuctl", "stat", "-e", "cycles", "true", NULL };

		for (fd = 0; fd < 3; fd++)
			close(fd);
		exit(pmuctl_main(5, argv));
	}
	assert_int_equal(finish(pid, fds), 0);
	assert_string_equal(out, "");
	assert_string_equal(err, "");
}

/* The counts are 1000, 2000, 3000 ... in the order in which they are asked for. */
static void ratios(void **state)
{
	(void)state;
	assert_int_equal(run("stat -x; -e cycles,instructions,branches,branch-misses,"
			     "cache-references,cache-misses,l1d-loads,l1d-load-misses,llc-loads,"
			     "llc-load-misses true"), 0);
	assert_non_null(strstr(err, ";2.00;insn per cycle;"));
	assert_non_null(strstr(err, ";133.33;of all branches;"));
	assert_non_null(strstr(err, ";120.00;of all cache refs;"));
	assert_non_null(strstr(err, ";114.29;of all L1-dcache loads;"));
	assert_non_null(strstr(err, ";111.11;of all LL-cache loads;"));
	/* Cycles with modifiers are other ones, and those of other rings none to divide by. */
	assert_int_equal(run("stat -x; -e cycles:cmask=1,instructions true"), 0);
	assert_null(strstr(err, "insn per cycle"));
	assert_int_equal(run("stat -x; -e cycles:i:cmask=1,instructions true"), 0);
	assert_null(strstr(err, "insn per cycle"));
	assert_int_equal(run("stat -x; -e cycles:k,instructions:u true"), 0);
	assert_null(strstr(err, "insn per cycle"));
	assert_int_equal(run("stat -x; -e cycles,instructions:u true"), 0);
	assert_null(strstr(err, "insn per cycle"));
	assert_int_equal(run("stat -x; -e cycles:k,instructions true"), 0);
	assert_null(strstr(err, "insn per cycle"));
	assert_int_equal(run("stat -x; -e cycles:u,instructions:u true"), 0);
	assert_non_null(strstr(err, ";2.00;insn per cycle;"));
	assert_int_equal(run("stat -x; -e instructions,branch-misses true"), 0);
	assert_null(strstr(err, "of all"));
}

/* Of two CPUs, in the order in which they were asked for: 1000 and 2000, then 3000 and 4000. */
static void each_cpu(void **state)
{
	(void)state;
	fake.cpus = 2;
	assert_int_equal(run("stat -x; -A -C 1,0 -e cycles,instructions --timeout 5"), 0);
	assert_non_null(strstr(err, "CPU1;2000;;cycles;"));
	assert_non_null(strstr(err, "CPU0;1000;;cycles;"));
	assert_non_null(strstr(err, "CPU1;4000;;instructions;5000;100.00;2.00;insn per cycle;"));
	assert_non_null(strstr(err, "CPU0;3000;;instructions;5000;100.00;3.00;insn per cycle;"));
	assert_int_equal(run("stat -x; -A -C 0,1 -M IPC --timeout 5"), 0);
	assert_non_null(strstr(err, "CPU0;;;IPC;5000;100.00;0.333333;"));
	assert_non_null(strstr(err, "CPU1;;;IPC;5000;100.00;0.500000;"));
}

/* A metric was measured as long as the event of it that was on least. */
static void shortest_event(void **state)
{
	(void)state;
	fake.counts[1].running = 2500;
	assert_int_equal(run("stat -x; -M IPC true"), 0);
	assert_non_null(strstr(err, ";;IPC;2500;50.00;"));
	fake.counts[1].running = 5000;
	fake.counts[0].running = 1250;
	assert_int_equal(run("stat -x; -M IPC true"), 0);
	assert_non_null(strstr(err, ";;IPC;1250;25.00;"));
}

/* Of a task other events than of CPUs, where its core runs another thread beside it. */
static void metrics_of_shared_cores(void **state)
{
	(void)state;
	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	fake.info_new = true;
	fake.any = true;
	fake.threads = true;
	assert_int_equal(run("stat -x, -M Retiring true"), 0);
	assert_non_null(strstr(err, ",CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE,"));
	assert_null(strstr(err, "THREAD_ANY"));
	assert_int_equal(run("stat -x, -M Retiring -a --timeout 5"), 0);
	assert_non_null(strstr(err, ",CPU_CLK_UNHALTED.THREAD_ANY,"));
}

/* What this CPU has nothing of is a line with the reason, and alone nothing to count. */
static void groups_without_metrics(void **state)
{
	(void)state;
	fake_cpu(0x306c3, 3, 0x70000000full);
	fake.threads = true;
	RUN_HAS("stat -M ExecuteWidth true", 129, "one thread of a core executes");
	RUN_HAS("stat -x, -M IPC,ExecuteWidth true", 0, "one thread of a core executes");
	assert_non_null(strstr(err, ",ExecuteWidth,"));
	RUN_HAS("stat -M ExecuteWidt true", 129, "-M 'ExecuteWidt': no such metric");
}

static void names(void **state)
{
	(void)state;
	assert_int_equal(run("stat -x, -e cpu/event=0xc4,name=foo/u true"), 0);
	assert_non_null(strstr(err, ",,foo,"));
	assert_int_equal(run("stat -x; -e cpu/event=0xc4,umask=1/u true"), 0);
	assert_non_null(strstr(err, ";;cpu/event=0xc4,umask=1/u;"));
	RUN_HAS("compare -e task-clock -- true -- true", 129, "an event of Linux's software");
	RUN_HAS("stat -e duration_time true", 129, "an event of Linux's software");
	RUN_HAS("stat -e \xc3\xbc true", 129, "beyond ASCII");
}

static void intervals(void **state)
{
	(void)state;
	/* The command goes when it sees two of them, and the end makes another. */
	assert_int_equal(run_shell("-I 50 -x, -e cycles",
				   "until [ $(wc -l </proc/$$/fd/2) -ge 2 ]; do sleep 0.01; done"),
			 0);
	assert_true(count_text(err, ",cycles,") >= 3);
	/* The same figures again and again: after the first there is nothing new. */
	assert_int_equal(count_text(err, ",1000,,cycles,5000,100.00,"), 1);
	assert_int_equal(count_text(err, "<not counted>"), count_text(err, ",cycles,") - 1);
	/* As perf has them: toplev takes a line for an interval's by what it begins with. */
	assert_int_equal(run("stat -I 100000 -x; -e cycles true"), 0);
	assert_int_equal(err[0], ' ');
	assert_int_equal(run("stat -I 100000 -e cycles true"), 0);
	assert_memory_equal(err, "#           time             counts unit events\n", 48);
	assert_int_equal(count_text(err, " cycles\n"), 1);
	assert_null(strstr(err, "elapsed"));
	assert_int_equal(run("stat -I 50 --timeout 200 -a -e cycles"), 0);
	assert_true(count_text(err, "cycles") >= 2);
}

static void delay_and_timeout(void **state)
{
	(void)state;
	/* However late we are, what is delayed starts before what ends it. */
	assert_int_equal(run("stat -D 50 --timeout 100 -e cycles sleep 100"), 143);
	assert_non_null(strstr(err, "1000      cycles"));
	/* The command ends before anything is counted. */
	assert_int_equal(run("stat -D 100000 -e cycles true"), 0);
	assert_non_null(strstr(err, "cycles"));
	assert_non_null(strstr(err, "\n      0.000000000 seconds time elapsed\n"));
	assert_int_equal(run("stat -D 100000 -I 10000 -x; -e cycles true"), 0);
	assert_non_null(strstr(err, ";0.000000000;"));
	assert_int_equal(run("stat --timeout 100 -e cycles sleep 100"), 143);
	assert_non_null(strstr(err, "seconds time elapsed"));
	assert_non_null(strstr(err, "sleep: Terminated"));
	assert_int_equal(run("stat --timeout 100 -a -e cycles"), 0);
	assert_non_null(strstr(err, "seconds time elapsed"));
}

static void verbose(void **state)
{
	(void)state;
	assert_int_equal(run("stat -v -e instructions:u true"), 0);
	assert_non_null(strstr(err, "instructions:u: code 0xc0, counter gp0, set 0, "
				    "IA32_PERFEVTSEL0 = 0x4300c0"));
	assert_non_null(strstr(err, "instructions:u: 1000 5000 5000"));
}

static void groups(void **state)
{
	(void)state;
	assert_int_equal(run("stat -x, -e {cycles,instructions}:u,branches true"), 0);
	assert_non_null(strstr(err, "1000,,cycles:u,"));
	assert_non_null(strstr(err, "2000,,instructions:u,"));
	assert_non_null(strstr(err, "3000,,branches,"));
}

static void warnings(void **state)
{
	(void)state;
	fake.counts[0].flags = PMUCTL_COUNT_INCOMPLETE | PMUCTL_COUNT_GUESTS;
	fake.counts[1].flags = PMUCTL_COUNT_INCOMPLETE | PMUCTL_COUNT_DETACHED;
	assert_int_equal(run("stat -x, -e cycles,instructions true"), 0);
	assert_int_equal(count_text(err, "pmuctl stat: warning: incomplete: "), 1);
	assert_int_equal(count_text(err, "pmuctl stat: warning: detached: "), 1);
	assert_int_equal(count_text(err, "pmuctl stat: warning: guests: "), 1);
	assert_int_equal(count_text(err, "warning: disturbed"), 0);
	assert_non_null(strstr(err, "incomplete: a child was not followed; includes guests"));
}

static void append(void **state)
{
	char name[] = "/tmp/pmuctl-test-XXXXXX", line[96], text[512];
	int fd = mkstemp(name), i;

	(void)state;
	assert_true(fd >= 0);
	for (i = 0; i < 2; i++) {
		snprintf(line, sizeof(line), "stat -x, --append -o %s -e cycles true", name);
		assert_int_equal(run(line), 0);
	}
	slurp(fd, text, sizeof(text));
	unlink(name);
	assert_int_equal(count_text(text, "1000,,cycles,5000,"), 2);
}

static void output_file(void **state)
{
	char name[] = "/tmp/pmuctl-test-XXXXXX", line[64], text[256];
	int fd = mkstemp(name);

	(void)state;
	assert_true(fd >= 0);
	snprintf(line, sizeof(line), "stat -x, -o %s -e cycles true", name);
	assert_int_equal(run(line), 0);
	assert_string_equal(err, "");
	slurp(fd, text, sizeof(text));
	unlink(name);
	assert_memory_equal(text, "1000,,cycles,5000,", 18);
	RUN_HAS("stat -o /dev/full -e cycles true", 255,
		"/dev/full: cannot write: No space left on device");
	RUN_HAS("stat -o /dev/full -x ; -e cycles true", 255,
		"/dev/full: cannot write: No space left on device");
}

/* A typing error costs nothing, and "-" is no file. */
static void old_results_and_standard_output(void **state)
{
	char name[] = "/tmp/pmuctl-test-XXXXXX", line[64], text[256];
	int fd = mkstemp(name);

	(void)state;
	assert_int_equal(write(fd, "old results\n", 12), 12);
	snprintf(line, sizeof(line), "stat -o %s -e instrutions true", name);
	RUN_HAS(line, 129, "instrutions");
	slurp(fd, text, sizeof(text));
	unlink(name);
	assert_string_equal(text, "old results\n");
	RUN_HAS(line, 129, "instrutions");
	assert_int_equal(access(name, F_OK), -1);
	assert_int_equal(run("stat -x, -o - -e cycles true"), 0);
	assert_memory_equal(out, "1000,,cycles,5000,", 18);
	assert_string_equal(err, "");
	assert_int_equal(run("stat -o - --append -e cycles true"), 0);
	assert_non_null(strstr(out, "Performance counter stats for 'true':"));
	assert_int_equal(access("-", F_OK), -1);
}

static void nothing_counted(void **state)
{
	(void)state;
	fake.counts[0].enabled = fake.counts[0].running = 0;
	assert_int_equal(run("stat -x, -e cycles true"), 0);
	assert_non_null(strstr(err, "<not counted>,,cycles,0,0.00,,,nothing of it ran"));
	fake.arch_events = 0x3f;
	assert_int_equal(run("stat -x, true"), 0);
	assert_non_null(strstr(err, "<not supported>,,branch-misses"));
	RUN_HAS("stat -e branch-misses true", 129, "architectural event 6");
}

static void scaling(void **state)
{
	(void)state;
	fake.counts[0].running = 2500;
	assert_int_equal(run("stat -x, -e cycles true"), 0);
	assert_memory_equal(err, "2000,,cycles,2500,50.00,", 24);
}

static void module_trouble(void **state)
{
	(void)state;
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EBUSY;
	fake.state = PMUCTL_STATE_HELD;
	fake.extack = "asked for 5 counters, free are gp0-3";
	RUN_HAS("stat true", 255, "pmuctl stat: cannot count: asked for 5 counters, free are gp0-3");
	assert_non_null(strstr(err, "session 3 of process 1234 (somebody) holds gp0, fixed0"));
	fake.state = PMUCTL_STATE_FOREIGN;
	RUN_HAS("stat true", 255, "asked for 5 counters");
	assert_null(strstr(err, "session 3"));
	/* Who does not run at the moment is not seen, and has it all the same. */
	fake.state = PMUCTL_STATE_FREE;
	RUN_HAS("stat true", 255, "asked for 5 counters");
	assert_null(strstr(err, "session 3"));
	fake.fail_errno = -EPERM;
	fake.extack = NULL;
	RUN_HAS("stat true", 255, "CAP_PERFMON");
	fake.fail_errno = -ESRCH;
	fake.extack = "no process 999999";
	RUN_HAS("stat -p 999999", 255, "no process 999999");
	fake.fail_cmd = PMUCTL_CMD_COUNT_GET;
	RUN_HAS("stat true", 255, "cannot read the counts");
	fake.fail_cmd = 0;
	fake.abi = PMUCTL_ABI + 1;
	/* What the machine itself says of its PMU comes first, and differs. */
	assert_int_equal(run("stat true"), 255);
	assert_null(strstr(err, "Performance counter"));
	assert_int_equal(run("info"), 1);
	assert_non_null(strstr(out, "ABI"));
}

/* What does not fit at once takes turns. */
static void too_many_events(void **state)
{
	(void)state;
	fake.counters = 0x3;
	assert_int_equal(run("stat -x, true"), 0);
	assert_non_null(strstr(err, ",,cycles,"));
	assert_non_null(strstr(err, ",,branch-misses,"));
	RUN_HAS("stat -e {cycles,branches,branch-misses} true", 255, "too many events in a group");
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -ENOSPC;
	RUN_HAS("stat --no-multiplex true", 255, "without --no-multiplex what does not fit");
	/* The kernel counts events, we have their names, and it is known who is in the way. */
	fake.fail_errno = -EBUSY;
	fake.state = PMUCTL_STATE_HELD;
	fake.extack = "event 2 of 2 (0x00c4) finds no counter: it may use gp0-3; free are none; pid 1234 (somebody) holds gp0";
	RUN_HAS("stat -e cycles,branches:u true", 255,
		"cannot count: 'branches:u': event 2 of 2 (0x00c4) finds no counter");
	assert_non_null(strstr(err, "session 3 of process 1234 (somebody) holds gp0, fixed0\n"));
	fake.extack = "events 1 and 2 both need offcore response register 0";
	RUN_HAS("stat -e cycles,branches:u true", 255,
		"cannot count: 'cycles' and 'branches:u': events 1 and 2 both need");
	fake.extack = "event 3 of 2 finds no counter";
	RUN_HAS("stat -e cycles,branches:u true", 255, "cannot count: event 3 of 2 finds");
	fake.extack = "event 0x00c4 exists on counter 0 only";
	RUN_HAS("stat -e cycles,branches:u true", 255, "cannot count: event 0x00c4 exists");
}

static const char *line_of_status(pid_t pid, const char *name)
{
	static char text[8192];
	const char *line;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	slurp(fd, text, sizeof(text));
	assert_null(strstr(text, "State:\tZ"));
	line = strstr(text, name);
	assert_non_null(line);
	return line + strlen(name);
}

/* Until it has its handlers, and sleeps: from then on only what it waits for wakes it. */
static void until_it_waits(pid_t pid)
{
	while (!(strtoull(line_of_status(pid, "SigCgt:\t"), NULL, 16) >> (SIGTERM - 1) & 1))
		usleep(1000);
	while (*line_of_status(pid, "State:\t") != 'S')
		usleep(1000);
}

static void interrupted(int signo, const char *line, int expected)
{
	int fds[2];
	pid_t pid = start(line, fds);
	int code;

	until_it_waits(pid);
	kill(pid, signo);
	code = finish(pid, fds);
	if (code != expected)
		print_message("%s: %d\n%s", line, code, err);
	assert_int_equal(code, expected);
	assert_non_null(strstr(err, "seconds time elapsed"));
}

static void interrupt_prints(void **state)
{
	(void)state;
	/* The command gets it too, and its end is what we return. */
	interrupted(SIGINT, "stat sleep 100", 130);
	interrupted(SIGTERM, "stat sleep 100", 143);
	interrupted(SIGINT, "stat -C 0", 130);
	interrupted(SIGINT, "stat -p 1", 130);
}

/* What minds no signal is left running by the second one, of which we die. */
static void interrupted_twice(void **state)
{
	char *argv[] = { "pmuctl", "stat", "sh", "-c", "trap '' INT; echo; exec sleep 2", NULL };
	struct stat printed = { .st_size = 0 };
	siginfo_t info = { .si_pid = 0 };
	int fds[2];
	pid_t pid = start_argv(5, argv, fds);

	(void)state;
	until_it_waits(pid);
	while (!printed.st_size && !fstat(fds[0], &printed))
		usleep(1000);
	/* Two at once would be one. */
	while (!info.si_pid && !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT)) {
		kill(pid, SIGINT);
		usleep(10000);
	}
	assert_int_equal(finish(pid, fds), 128 + SIGINT);
	assert_non_null(strstr(err, "seconds time elapsed"));
	assert_null(strstr(err, "sh: "));
}

static void ends_with_its_processes(void **state)
{
	char line[64];
	int fds[2];
	pid_t pid, watched = fork();

	(void)state;
	if (!watched)
		for (;;)
			pause();
	snprintf(line, sizeof(line), "stat -p %d", (int)watched);
	pid = start(line, fds);
	until_it_waits(pid);
	kill(watched, SIGKILL);
	waitpid(watched, NULL, 0);
	assert_int_equal(finish(pid, fds), 0);
	snprintf(line, sizeof(line), "process id '%d'", (int)watched);
	assert_non_null(strstr(err, line));
}

/* Who is not root cannot turn it off, and nothing is counted then. */
static void watchdog_needs_root(void **state)
{
	(void)state;
	if (!access("/proc/sys/kernel/nmi_watchdog", W_OK))
		skip();
	assert_int_equal(run("stat --nmi-watchdog=off true"), 255);
	assert_non_null(strstr(err, "--nmi-watchdog=off: /proc/sys/kernel/nmi_watchdog: "));
	assert_null(strstr(err, "Performance counter"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(usage_is_129, setup),
		cmocka_unit_test_setup(bad_events, setup),
		cmocka_unit_test_setup(commands_exit_code, setup),
		cmocka_unit_test_setup(command_runs_as_alone, setup),
		cmocka_unit_test_setup(counts_are_printed, setup),
		cmocka_unit_test_setup(closed_streams, setup),
		cmocka_unit_test_setup(ratios, setup),
		cmocka_unit_test_setup(each_cpu, setup),
		cmocka_unit_test_setup(shortest_event, setup),
		cmocka_unit_test_setup(intervals, setup),
		cmocka_unit_test_setup(metrics_of_shared_cores, setup),
		cmocka_unit_test_setup(groups_without_metrics, setup),
		cmocka_unit_test_setup(names, setup),
		cmocka_unit_test_setup(delay_and_timeout, setup),
		cmocka_unit_test_setup(verbose, setup),
		cmocka_unit_test_setup(groups, setup),
		cmocka_unit_test_setup(warnings, setup),
		cmocka_unit_test_setup(append, setup),
		cmocka_unit_test_setup(output_file, setup),
		cmocka_unit_test_setup(old_results_and_standard_output, setup),
		cmocka_unit_test_setup(nothing_counted, setup),
		cmocka_unit_test_setup(scaling, setup),
		cmocka_unit_test_setup(module_trouble, setup),
		cmocka_unit_test_setup(too_many_events, setup),
		cmocka_unit_test_setup(interrupt_prints, setup),
		cmocka_unit_test_setup(interrupted_twice, setup),
		cmocka_unit_test_setup(ends_with_its_processes, setup),
		cmocka_unit_test_setup(watchdog_needs_root, setup),
	};

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	setenv("LC_ALL", "C", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
