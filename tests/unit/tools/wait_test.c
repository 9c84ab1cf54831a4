// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * While the command counts it hears of ends and signals, whoever reads its output and
 * however slowly.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "tools/base/outlet.h"
#include "tools/run/counting.h"
#include "tools/run/signals.h"
#include "tests/unit/tools/run.h"

/* Who is deaf is killed then, and the test fails. */
#define DEAF_SECONDS 30

/* ---- a wait whose deadline has passed ------------------------------------------------- */

static pid_t ended_process(void)
{
	pid_t pid = fork();
	siginfo_t info;

	if (!pid)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	return pid;
}

static void late_and_ended(void **state)
{
	pid_t pid = ended_process();
	struct waiter *w;

	(void)state;
	assert_int_equal(waiter_open(&w, &pid, 1), 0);
	assert_int_equal(waiter_wait(w, 1, 1), WAIT_ENDED);
	waiter_close(w);
	waitpid(pid, NULL, 0);
}

static int wait_with_signal(void)
{
	struct waiter *w;

	signals_catch(0);
	if (waiter_open(&w, NULL, 0) || waiter_wait(w, 1, 1) != WAIT_DEADLINE)
		return -1;
	raise(SIGINT);
	return waiter_wait(w, 1, 1);
}

/* In a process of its own: signals that were seen are never forgotten. */
static void late_and_signalled(void **state)
{
	pid_t pid = fork();

	(void)state;
	if (!pid)
		_exit(wait_with_signal());
	assert_int_equal(exit_of(pid), WAIT_SIGNAL);
}

/* What can always be read does not keep who waits from what is due: it is asked for in turn. */
static void late_and_ready(void **state)
{
	struct waiter *w;
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "", 1), 1);
	assert_int_equal(waiter_open(&w, NULL, 0), 0);
	waiter_watch(w, fds[0]);
	assert_int_equal(waiter_wait(w, 1, signals_seen() + 1), WAIT_READY);
	waiter_close(w);
	close(fds[0]);
	close(fds[1]);
}

/* ---- a counting -------------------------------------------------------------------- */

struct calls {
	unsigned int ready, ticks;
};

static int on_ready(void *data)
{
	struct calls *calls = data;

	calls->ready++;
	return 0;
}

static int slow_tick(void *data)
{
	struct calls *calls = data;

	calls->ticks++;
	nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	return 0;
}

/* What can always be read does not keep the time from being over, nor does a tick that is late. */
static void all_that_is_due(void **state)
{
	const struct targets nobody = { .kind = TARGET_ALL_CPUS };
	struct calls calls = { 0 };
	struct counting c = {
		.cmd = "stat", .targets = &nobody, .ready = on_ready, .tick = slow_tick,
		.data = &calls, .interval = 1, .timeout = 100,
	};
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "", 1), 1);
	c.fd = fds[0];
	assert_int_equal(counting_wait(&c), 0);
	assert_true(c.late);
	assert_true(calls.ready > 0);
	/* Of ten that are over in a tick one is its own. */
	assert_true(calls.ticks > 0);
	assert_true(c.missed >= (calls.ticks - 1) * 9ull);
	close(fds[0]);
	close(fds[1]);
}

/* ---- an outlet ------------------------------------------------------------------------ */

/* Of one page, which is what a pipe takes in one piece. */
static void small_pipe(int fds[2])
{
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(fcntl(fds[1], F_SETPIPE_SZ, 4096), 4096);
}

static size_t read_now(int fd, char *text, size_t size)
{
	int there;

	assert_int_equal(ioctl(fd, FIONREAD, &there), 0);
	assert_true((size_t)there < size);
	if (there)
		assert_int_equal(read(fd, text, (size_t)there), there);
	text[there] = '\0';
	return (size_t)there;
}

/* Lines are not cut, a full pipe is not waited for, and nothing is lost. */
static void whole_lines(void **state)
{
	char text[8192];
	struct outlet *o;
	int fds[2], i;
	size_t got;

	(void)state;
	small_pipe(fds);
	o = outlet_open(fds[1]);
	outlet_never_wait(o);
	for (i = 0; i < 60; i++)
		fprintf(outlet_stream(o), "%099d\n", i);
	assert_true(outlet_push(o));
	assert_true(outlet_waits_for(o) >= 0);
	got = read_now(fds[0], text, sizeof(text));
	assert_int_equal(got, 4000);
	assert_int_equal(atoi(text + 3900), 39);
	fprintf(outlet_stream(o), "more\n");
	assert_false(outlet_push(o));
	assert_int_equal(outlet_waits_for(o), -1);
	got = read_now(fds[0], text, sizeof(text));
	assert_int_equal(got, 2005);
	assert_int_equal(atoi(text), 40);
	assert_string_equal(text + 2000, "more\n");
	assert_int_equal(outlet_error(o), 0);
	outlet_close(o);
	close(fds[0]);
	close(fds[1]);
}

/* The command has the same descriptor, and may count on it to wait. */
static void others_still_wait(void **state)
{
	struct outlet *o;
	int fds[2];

	(void)state;
	small_pipe(fds);
	o = outlet_open(fds[1]);
	outlet_never_wait(o);
	assert_int_equal(fcntl(fds[1], F_GETFL) & O_NONBLOCK, 0);
	outlet_close(o);
	close(fds[0]);
	close(fds[1]);
}

/* A line longer than a pipe takes goes in pieces; an error is kept, and is not the end. */
static void long_line_and_error(void **state)
{
	char text[8192];
	struct outlet *o;
	int fds[2], full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	(void)state;
	small_pipe(fds);
	o = outlet_open(fds[1]);
	outlet_never_wait(o);
	fprintf(outlet_stream(o), "%05000d\n", 7);
	assert_true(outlet_push(o));
	assert_int_equal(read_now(fds[0], text, sizeof(text)), 4096);
	assert_false(outlet_push(o));
	assert_int_equal(read_now(fds[0], text, sizeof(text)), 905);
	outlet_close(o);
	close(fds[0]);
	close(fds[1]);

	o = outlet_open(full);
	fputs("text\n", outlet_stream(o));
	assert_false(outlet_push(o));
	assert_int_equal(outlet_error(o), -ENOSPC);
	assert_int_equal(wait_for_output(o), -ENOSPC);
	outlet_close(o);
	close(full);
}

/* ---- the whole command ---------------------------------------------------------------- */

/* Both outputs into one descriptor. */
static pid_t start_into(const char *line, int fd)
{
	struct words w;

	split(&w, line);
	return start_to(w.argc, w.argv, fd, fd);
}

static void pause_shortly(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
}

static char junk[4096];

/* Of nothing that anybody reads: whatever comes behind it waits. */
static void full_pipe(int fds[2])
{
	small_pipe(fds);
	memset(junk, '#', sizeof(junk));
	assert_int_equal(write(fds[1], junk, sizeof(junk)), sizeof(junk));
}

static unsigned long waits_of(pid_t pid)
{
	char path[64], line[128];
	unsigned long waits = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	status = fopen(path, "r");
	assert_non_null(status);
	while (fgets(line, sizeof(line), status))
		sscanf(line, "voluntary_ctxt_switches: %lu", &waits);
	fclose(status);
	return waits;
}

/* Each interval is a wait: it had many, of which the start is a few. */
static void wait_for_intervals(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	do {
		pause_shortly();
		waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
		assert_int_equal(info.si_pid, 0);
	} while (waits_of(pid) < 100);
}

static void wait_for_no_child(pid_t pid)
{
	char path[64], children[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	do {
		pause_shortly();
		fd = open(path, O_RDONLY | O_CLOEXEC);
		assert_true(fd >= 0);
		got = read(fd, children, sizeof(children));
		close(fd);
	} while (got > 0);
}

static const char *const into_a_full_pipe[] = {
	"stat -I 1 -e cycles -a",
	"stat -I 1 -j -e cycles -a",
	"stat -I 1 -x, -v -e cycles -a",
	"topdown -l 1 -I 1 -a",
	"topdown -l 1 -I 1 -j -a",
};

/* A signal is heard, and what nobody reads does not hold up the end. */
static void signal_with_stopped_reader(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM };
	size_t i;
	int fds[2];
	pid_t pid;

	(void)state;
	for (i = 0; i < sizeof(into_a_full_pipe) / sizeof(into_a_full_pipe[0]); i++) {
		full_pipe(fds);
		pid = start_into(into_a_full_pipe[i], fds[1]);
		wait_for_intervals(pid);
		kill(pid, signals[i % 2]);
		assert_int_equal(exit_of(pid), 255);
		close(fds[0]);
		close(fds[1]);
	}
}

/* As behind ^S: it takes what its buffer has room for, and then nothing. */
static void signal_with_stopped_terminal(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave, i;
	pid_t pid;

	(void)state;
	assert_int_equal(grantpt(master), 0);
	assert_int_equal(unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(slave >= 0);
	pid = start_into("stat -I 1 -j -e cycles -a", slave);
	while (poll(&(struct pollfd){ .fd = slave, .events = POLLOUT }, 1, 0) == 1)
		pause_shortly();
	for (i = 0; i < 10; i++)
		pause_shortly();
	kill(pid, SIGINT);
	assert_int_equal(exit_of(pid), 255);
	close(slave);
	close(master);
}

static size_t read_all(int fd, char *text, size_t size)
{
	size_t at = 0;
	ssize_t got;

	while ((got = read(fd, text + at, size - 1 - at)) > 0)
		at += (size_t)got;
	text[at] = '\0';
	return at;
}

/* Its intervals come late, but its end is heard, and the last rows are there. */
static void end_with_stopped_reader(void **state)
{
	char line[256], fifo[] = "/tmp/pmuctl-test-XXXXXX", *row, *note;
	int fds[2], gate;
	pid_t pid;

	(void)state;
	assert_non_null(mkdtemp(fifo));
	snprintf(line, sizeof(line), "%s/gate", fifo);
	assert_int_equal(mkfifo(line, 0600), 0);
	full_pipe(fds);
	snprintf(line, sizeof(line), "stat -I 1 -j -e cycles cat %s/gate", fifo);
	pid = start_into(line, fds[1]);
	snprintf(line, sizeof(line), "%s/gate", fifo);
	gate = open(line, O_WRONLY | O_CLOEXEC);
	close(fds[1]);
	wait_for_intervals(pid);
	/* The command ends by that, which is seen though nobody reads. */
	close(gate);
	wait_for_no_child(pid);
	read_all(fds[0], out, sizeof(out));
	assert_int_equal(exit_of(pid), 0);
	assert_non_null(strstr(out, "intervals were left out"));
	/* Of all that time there is the first row, which waited, and the last one. */
	row = strrchr(out, '{');
	assert_non_null(row);
	note = strstr(row, "\"note\": \"nothing of it ran; of ");
	assert_non_null(note);
	assert_true(atoi(note + strlen("\"note\": \"nothing of it ran; of ")) >= 50);
	close(fds[0]);
	unlink(line);
	rmdir(fifo);
}

/* A row is a write, and so is a line of complaint. */
static void few_writes(void **state)
{
	char text[65536];
	int fds[2], left;
	size_t got;
	pid_t pid;

	(void)state;
	/* Each write to it is a message that is read by itself. */
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	pid = start_into("stat -e cycles,instructions,branches true", fds[1]);
	got = (size_t)read(fds[0], text, sizeof(text) - 1);
	text[got] = '\0';
	assert_non_null(strstr(text, "Performance counter stats"));
	assert_non_null(strstr(text, "seconds sys\n"));
	assert_int_equal(exit_of(pid), 0);
	assert_int_equal(ioctl(fds[0], FIONREAD, &left), 0);
	assert_int_equal(left, 0);
	pid = start_into("stat -e nosuch true", fds[1]);
	got = (size_t)read(fds[0], text, sizeof(text) - 1);
	assert_true(got > 20 && text[got - 1] == '\n');
	assert_memory_equal(text, "pmuctl stat: ", 13);
	assert_int_equal(exit_of(pid), 129);
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(late_and_ended),
		cmocka_unit_test(late_and_signalled),
		cmocka_unit_test(late_and_ready),
		cmocka_unit_test(all_that_is_due),
		cmocka_unit_test(whole_lines),
		cmocka_unit_test(others_still_wait),
		cmocka_unit_test(long_line_and_error),
		cmocka_unit_test_setup(signal_with_stopped_reader, setup),
		cmocka_unit_test_setup(signal_with_stopped_terminal, setup),
		cmocka_unit_test_setup(end_with_stopped_reader, setup),
		cmocka_unit_test_setup(few_writes, setup),
	};

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	/* Who is deaf would not end; this takes part in a fork of ours, but not in an exec. */
	alarm(DEAF_SECONDS);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
