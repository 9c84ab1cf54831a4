// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command as a whole, against the kernel of paper: exit codes, errors,
 * and that the counted command runs as it would alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../tools/tool.h"
#include "cmocka_all.h"
#include "fake_kernel.h"

#define ARGS_MAX 16

int pmuctl_main(int argc, char **argv);

static char out[65536], err[65536];

static void slurp(int fd, char *text, size_t size)
{
	ssize_t len;

	lseek(fd, 0, SEEK_SET);
	len = read(fd, text, size - 1);
	text[len < 0 ? 0 : len] = '\0';
	close(fd);
}

static int temporary(void)
{
	char name[] = "/tmp/pmuctl-test-XXXXXX";
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	unlink(name);
	return fd;
}

static pid_t start(const char *line, int fds[2])
{
	char copy[1024], *argv[ARGS_MAX + 1], *rest = copy;
	int argc = 0;
	pid_t pid;

	snprintf(copy, sizeof(copy), "pmuctl %s", line);
	while ((argv[argc] = strsep(&rest, " ")))
		argc += argc < ARGS_MAX;
	fds[0] = temporary();
	fds[1] = temporary();
	pid = fork();
	if (!pid) {
		dup2(fds[0], STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		close_range(STDERR_FILENO + 1, ~0u, 0);
		exit(pmuctl_main(argc, argv));
	}
	return pid;
}

/* The exit code as a shell has it; out and err have what was printed. */
static int finish(pid_t pid, int fds[2])
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	slurp(fds[0], out, sizeof(out));
	slurp(fds[1], err, sizeof(err));
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run(const char *line)
{
	int fds[2];
	pid_t pid = start(line, fds);

	return finish(pid, fds);
}

#define RUN_HAS(line, code, text)                                                        \
	do {                                                                             \
		int got_ = run(line);                                                    \
		if (got_ != (code) || !strstr(err, text))                                \
			print_message("%s: %d\n%s%s", line, got_, out, err);             \
		assert_int_equal(got_, code);                                            \
		assert_non_null(strstr(err, text));                                      \
	} while (0)

static int setup(void **state)
{
	size_t i;

	(void)state;
	fake_skylake();
	for (i = 0; i < sizeof(fake.counts) / sizeof(fake.counts[0]); i++) {
		fake.counts[i].value = 1000 * (i + 1);
		fake.counts[i].enabled = fake.counts[i].running = 5000;
	}
	return 0;
}

static void usage_is_129(void **state)
{
	(void)state;
	RUN_HAS("", 129, "stat ");
	RUN_HAS("nonsense", 129, "there is no command 'nonsense'");
	RUN_HAS("sta true", 129, "there is no command 'sta'");
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
	RUN_HAS("explain", 129, "usage: pmuctl explain");
	RUN_HAS("info more", 129, "usage: pmuctl info");
	RUN_HAS("help nonsense", 129, "nonsense");
	RUN_HAS("load -x", 129, "usage: pmuctl load");
	RUN_HAS("unload all", 129, "usage: pmuctl unload");
}

static void help_and_version(void **state)
{
	(void)state;
	RUN_HAS("--help", 0, "");
	assert_non_null(strstr(out, "explain"));
	RUN_HAS("--version", 0, "");
	assert_non_null(strstr(out, "ABI 1"));
	RUN_HAS("help stat", 0, "");
	assert_non_null(strstr(out, "usage: pmuctl stat"));
	RUN_HAS("stat --help", 0, "");
	assert_non_null(strstr(out, "usage: pmuctl stat"));
}

static void bad_events(void **state)
{
	(void)state;
	RUN_HAS("stat -e foo true", 129, "pmuctl stat: event 'foo': no such event");
	RUN_HAS("stat -e cycels true", 129, "nearest: cycles");
	RUN_HAS("stat -e cycles, true", 129, "event ''");
	RUN_HAS("stat -e  true", 129, "event ''");
	RUN_HAS("stat -e cycles:z true", 129, "':z' is no modifier");
	RUN_HAS("stat -e r5300c0 true", 129, "write rc0");
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
	pid_t pid;

	snprintf(copy, sizeof(copy), "%s", options);
	while (*options && (argv[argc] = strsep(&rest, " ")))
		argc++;
	argv[argc++] = "sh";
	argv[argc++] = "-c";
	argv[argc++] = (char *)(uintptr_t)script;
	fds[0] = temporary();
	fds[1] = temporary();
	pid = fork();
	if (!pid) {
		dup2(fds[0], STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		close_range(STDERR_FILENO + 1, ~0u, 0);
		exit(pmuctl_main(argc, argv));
	}
	return finish(pid, fds);
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
	RUN_HAS("stat -o /dev/full -e cycles true", 255, "/dev/full");
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
	fake.extack = "asked for 5 counters, free are gp0-3";
	RUN_HAS("stat true", 255, "pmuctl stat: cannot count: asked for 5 counters, free are gp0-3");
	assert_non_null(strstr(err, "session 3 of process 1234 (somebody) holds gp0, fixed0"));
	fake.state = PMUCTL_STATE_FOREIGN;
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
}

static void default_events_make_room(void **state)
{
	(void)state;
	fake.counters = 0x3;
	assert_int_equal(run("stat -x, true"), 0);
	assert_non_null(strstr(err, "1000,,cycles"));
	assert_non_null(strstr(err, "2000,,instructions"));
	assert_non_null(strstr(err, "<not counted>,,branches,0,0.00,,,no counter left"));
}

static void interrupted(int signo, const char *line, int expected)
{
	int fds[2];
	pid_t pid = start(line, fds);
	int code;

	usleep(300000);
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

static void ends_with_its_processes(void **state)
{
	char line[64];
	int fds[2];
	pid_t pid, watched = fork();

	(void)state;
	if (!watched) {
		usleep(300000);
		_exit(0);
	}
	snprintf(line, sizeof(line), "stat -p %d", (int)watched);
	pid = start(line, fds);
	waitpid(watched, NULL, 0);
	assert_int_equal(finish(pid, fds), 0);
	snprintf(line, sizeof(line), "process id '%d'", (int)watched);
	assert_non_null(strstr(err, line));
}

static void info_and_explain(void **state)
{
	(void)state;
	assert_int_equal(run("info"), 0);
	assert_non_null(strstr(out, "gp0-3, fixed0-2, 48 bits"));
	assert_non_null(strstr(out, "session 3 of process 1234 (somebody): gp0, fixed0, running"));
	assert_int_equal(run("info -j"), 0);
	assert_non_null(strstr(out, "\"abi\": 1, \"backend\": \"perfmon\""));
	fake.abi = 5;
	assert_int_equal(run("info"), 1);
	fake.abi = 1;
	fake.state = PMUCTL_STATE_FOREIGN;
	assert_int_equal(run("info"), 1);
	assert_non_null(strstr(out, "NMI watchdog"));
	assert_int_equal(run("explain instructions:u"), 0);
	assert_non_null(strstr(out, "allowed    gp0-3, fixed0"));
	assert_non_null(strstr(out, "assigned   gp0"));
	assert_non_null(strstr(out, "IA32_PERFEVTSEL0 = 0x4300c0"));
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EPERM;
	RUN_HAS("explain -j cycles", 1, "the kernel's half");
	assert_non_null(strstr(out, "\"counter\": null"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(usage_is_129, setup),
		cmocka_unit_test_setup(help_and_version, setup),
		cmocka_unit_test_setup(bad_events, setup),
		cmocka_unit_test_setup(commands_exit_code, setup),
		cmocka_unit_test_setup(command_runs_as_alone, setup),
		cmocka_unit_test_setup(counts_are_printed, setup),
		cmocka_unit_test_setup(closed_streams, setup),
		cmocka_unit_test_setup(output_file, setup),
		cmocka_unit_test_setup(nothing_counted, setup),
		cmocka_unit_test_setup(scaling, setup),
		cmocka_unit_test_setup(module_trouble, setup),
		cmocka_unit_test_setup(default_events_make_room, setup),
		cmocka_unit_test_setup(interrupt_prints, setup),
		cmocka_unit_test_setup(ends_with_its_processes, setup),
		cmocka_unit_test_setup(info_and_explain, setup),
	};

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	setenv("LC_ALL", "C", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
