// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What Linux counts itself: its names, its tracepoints, and counting it, against a
 * perf_event_open() of paper.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/fake_kernel.h"
#include "tools/base/base.h"
#include "tools/run/events.h"
#include "tools/run/software.h"
#include "tools/run/software_count.h"
#include "tools/run/targets.h"
#include "tools/stat/stat.h"

/* ---- names ---------------------------------------------------------------------------------- */

static const struct {
	const char *text;
	int err;
	uint64_t config;
	bool no_user, no_kernel, clock;
	const char *words;		/* of the reason, or of the remark */
} names[] = {
	{ "task-clock", 0, PERF_COUNT_SW_TASK_CLOCK, false, true, true, NULL },
	{ "cpu-clock:uk", 0, PERF_COUNT_SW_CPU_CLOCK, false, true, true, NULL },
	{ "task-clock:u", 0, PERF_COUNT_SW_TASK_CLOCK, false, true, true, "of both rings" },
	{ "page-faults", 0, PERF_COUNT_SW_PAGE_FAULTS, false, false, false, NULL },
	{ "faults:u", 0, PERF_COUNT_SW_PAGE_FAULTS, false, true, false, NULL },
	{ "minor-faults:k", 0, PERF_COUNT_SW_PAGE_FAULTS_MIN, true, false, false, NULL },
	{ "major-faults:u:k", 0, PERF_COUNT_SW_PAGE_FAULTS_MAJ, false, false, false, NULL },
	{ "cs", 0, PERF_COUNT_SW_CONTEXT_SWITCHES, false, false, false, NULL },
	{ "context-switches:k", 0, PERF_COUNT_SW_CONTEXT_SWITCHES, false, false, false, NULL },
	{ "migrations", 0, PERF_COUNT_SW_CPU_MIGRATIONS, false, false, false, NULL },
	{ "cgroup-switches", 0, PERF_COUNT_SW_CGROUP_SWITCHES, false, false, false, NULL },
	{ "alignment-faults", 0, PERF_COUNT_SW_ALIGNMENT_FAULTS, false, false, false, "none on x86" },
	{ "emulation-faults", 0, PERF_COUNT_SW_EMULATION_FAULTS, false, false, false, "none on x86" },
	{ "cs:u", -EINVAL, .words = "':u': these happen in the kernel" },
	{ "cs:", -EINVAL, .words = "modifiers u and k alone" },
	{ "cs::u", -EINVAL, .words = "modifiers u and k alone" },
	{ "faults:up", -EINVAL, .words = "':up'" },
	{ "faults:D", -EINVAL, .words = "':D'" },
	{ "fault", -ENOENT, .words = NULL },
	{ "page-faults2", -ENOENT, .words = NULL },
	{ "CS", -ENOENT, .words = NULL },
	{ "cycles:u", -ENOENT, .words = NULL },
};

static void names_are_found(void **state)
{
	struct software_event e;
	const char *said;
	char why[256];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		int err = software_find(names[i].text, &e, why, sizeof(why));

		if (err != names[i].err)
			fail_msg("%s: %d", names[i].text, err);
		said = err == -EINVAL ? why : err ? NULL : e.remark;
		if (!names[i].words != !said || (said && !strstr(said, names[i].words)))
			fail_msg("%s: %s", names[i].text, said ? said : "nothing");
		if (err)
			continue;
		assert_int_equal(e.type, PERF_TYPE_SOFTWARE);
		assert_int_equal(e.config, names[i].config);
		assert_int_equal(e.no_user, names[i].no_user);
		assert_int_equal(e.no_kernel, names[i].no_kernel);
		assert_int_equal(e.clock, names[i].clock);
	}
}

static size_t listed;

static void take_name(void *data, const char *name, const char *text)
{
	struct software_event e;
	struct pmuctl_event *event;
	char why[256];

	listed++;
	assert_int_equal(software_find(name, &e, why, sizeof(why)), 0);
	assert_string_equal(e.text, text);
	/* Who cannot count it knows who can. */
	assert_int_equal(pmuctl_event_parse(data, name, &event), -ENOENT);
	assert_non_null(strstr(pmuctl_error(data), "`pmuctl stat -e` counts it"));
}

static void list_has_them(void **state)
{
	struct pmuctl *ctx;

	(void)state;
	fake_skylake();
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	software_list(NULL, take_name, ctx);
	assert_int_equal(listed, 13);
	listed = 0;
	software_list("FAULTS", take_name, ctx);
	assert_int_equal(listed, 6);
	listed = 0;
	software_list("*-clock", take_name, ctx);
	assert_int_equal(listed, 2);
	pmuctl_close(ctx);
}

/* ---- tracepoints ---------------------------------------------------------------------------- */

static char tracefs[] = "/tmp/pmuctl-test-XXXXXX";

static void put_file(const char *directory, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", tracefs, directory);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/%s", tracefs, directory, name);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/%s/id", tracefs, directory, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int tracepoint(const char *text, struct software_event *e, char *why, size_t size)
{
	return software_find_tracepoint_at(tracefs, text, e, why, size);
}

static void tracepoints_are_found(void **state)
{
	struct software_event e;
	char why[512], nowhere[64], remove[64];

	(void)state;
	assert_non_null(mkdtemp(tracefs));
	put_file("sched", "sched_switch", "317\n");
	put_file("sched", "sched_bad", "no number\n");
	assert_int_equal(tracepoint("sched:sched_switch", &e, why, sizeof(why)), 0);
	assert_int_equal(e.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(e.config, 317);
	assert_false(e.no_user || e.no_kernel || e.clock);
	assert_int_equal(tracepoint("sched:sched_switch:k", &e, why, sizeof(why)), 0);
	assert_int_equal(tracepoint("sched:sched_switch:u", &e, why, sizeof(why)), -EINVAL);
	assert_non_null(strstr(why, "tracepoints are in the kernel"));
	assert_int_equal(tracepoint("sched:sched_switch:pp", &e, why, sizeof(why)), -EINVAL);
	assert_int_equal(tracepoint("sched:sched_swich", &e, why, sizeof(why)), -ENOENT);
	assert_non_null(strstr(why, "no tracepoint 'sched_swich' in 'sched'"));
	assert_int_equal(tracepoint("sched:sched_bad", &e, why, sizeof(why)), -ENOENT);
	assert_non_null(strstr(why, "not to be seen here"));
	/* What looks like none, or may be an event's umask, is not said to be one. */
	assert_int_equal(tracepoint("l1d:replacement", &e, why, sizeof(why)), -ENOENT);
	assert_string_equal(why, "");
	assert_int_equal(tracepoint("../sched:sched_switch", &e, why, sizeof(why)), -ENOENT);
	assert_string_equal(why, "");
	assert_int_equal(tracepoint("sched:", &e, why, sizeof(why)), -ENOENT);
	assert_string_equal(why, "");
	snprintf(nowhere, sizeof(nowhere), "%s/none", tracefs);
	assert_int_equal(software_find_tracepoint_at(nowhere, "sched:sched_switch", &e, why,
						     sizeof(why)), -ENOENT);
	assert_non_null(strstr(why, "mount -t tracefs"));
	snprintf(remove, sizeof(remove), "rm -r %s", tracefs);
	assert_int_equal(system(remove), 0);
}

/* ---- counting, against a kernel of paper ----------------------------------------------------- */

#define FDS 512

/* What was opened; each reading is 24 bytes in a pipe. */
static struct {
	unsigned int opens, enables, disables;
	struct perf_event_attr attr[FDS];
	int pid[FDS], cpu[FDS], leader[FDS], fd[FDS];
	int fail_errno;			/* for events of this configuration, 0: for none */
	uint64_t fail_config;
	bool thread_comes;		/* while the first is opened */
	bool threads_come;		/* each time that all are gone through */
} kernel;

static void *wait_for_ever(void *data)
{
	pause();
	return data;
}

static void make_thread(void)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, wait_for_ever, NULL), 0);
	pthread_detach(thread);
}

static long open_of_paper(const struct perf_event_attr *attr, int pid, int cpu, int leader)
{
	const uint64_t reading[3] = { 10 * (attr->config + 1), 500, 400 };
	unsigned int i = kernel.opens;
	int fds[2];

	if (kernel.fail_errno && attr->config == kernel.fail_config) {
		errno = kernel.fail_errno;
		return -1;
	}
	if ((kernel.threads_come && pid == getpid()) || (kernel.thread_comes && !i))
		make_thread();
	assert_true(i < FDS);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], reading, sizeof(reading)), sizeof(reading));
	close(fds[1]);
	kernel.attr[i] = *attr;
	kernel.pid[i] = pid;
	kernel.cpu[i] = cpu;
	kernel.leader[i] = leader;
	kernel.fd[i] = fds[0];
	kernel.opens++;
	return fds[0];
}

/* In front of the C library's. */
long syscall(long number, ...)
{
	long a[6];
	va_list ap;
	size_t i;
	long ret;

	va_start(ap, number);
	for (i = 0; i < ARRAY_SIZE(a); i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open)
		return open_of_paper((const struct perf_event_attr *)a[0], (int)a[1], (int)a[2],
				     (int)a[3]);
	{
		register long r10 __asm__("r10") = a[3];
		register long r8 __asm__("r8") = a[4];
		register long r9 __asm__("r9") = a[5];

		__asm__ volatile("syscall" : "=a"(ret) : "a"(number), "D"(a[0]), "S"(a[1]),
				 "d"(a[2]), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	}
	if (ret >= 0 || ret < -4095)
		return ret;
	errno = (int)-ret;
	return -1;
}

int ioctl(int fd, unsigned long request, ...)
{
	kernel.enables += request == PERF_EVENT_IOC_ENABLE && fd == kernel.fd[0];
	kernel.disables += request == PERF_EVENT_IOC_DISABLE && fd == kernel.fd[0];
	return 0;
}

static struct events events;
static struct targets targets;
static struct software_options options;

static void add(const char *name)
{
	struct software_event e;
	char why[256];
	struct event *grown = reallocarray(events.list, events.count + 1, sizeof(*grown));

	assert_non_null(grown);
	events.list = grown;
	grown[events.count] = (struct event){ .name = strdup(name) };
	if (!software_find(name, &e, why, sizeof(why))) {
		grown[events.count].software = malloc(sizeof(e));
		*grown[events.count].software = e;
	}
	events.count++;
}

static int setup(void **state)
{
	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	memset(&events, 0, sizeof(events));
	memset(&targets, 0, sizeof(targets));
	options = (struct software_options){
		.cmd = "stat", .targets = &targets, .child = 4711, .inherit = true, .on_exec = true,
	};
	add("task-clock");
	add("cycles");
	add("cs");
	add("page-faults:u");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	events_free(&events);
	return 0;
}

static struct pmuctl_value got[16];
static size_t nr_got;

static int take_value(void *data, const struct pmuctl_value *value)
{
	assert_true(nr_got < ARRAY_SIZE(got));
	got[nr_got++] = *value;
	return data ? -ECANCELED : 0;
}

/* One group, whose leader starts it at the exec, and goes with what is forked. */
static void a_command(void **state)
{
	struct software *sw;
	unsigned int i;

	(void)state;
	assert_int_equal(software_open(&options, &events, &sw), 0);
	assert_int_equal(kernel.opens, 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(kernel.pid[i], 4711);
		assert_int_equal(kernel.cpu[i], -1);
		assert_int_equal(kernel.leader[i], i ? kernel.fd[0] : -1);
		assert_int_equal(kernel.attr[i].inherit, 1);
		assert_int_equal(kernel.attr[i].disabled, !i);
		assert_int_equal(kernel.attr[i].enable_on_exec, !i);
	}
	assert_int_equal(kernel.attr[2].exclude_kernel, 1);
	assert_int_equal(kernel.attr[1].exclude_kernel, 0);
	nr_got = 0;
	assert_int_equal(software_read(sw, false, take_value, NULL), 0);
	assert_int_equal(nr_got, 3);
	assert_int_equal(got[1].event, 2);
	assert_int_equal(got[1].value, 10 * (PERF_COUNT_SW_CONTEXT_SWITCHES + 1));
	assert_int_equal(got[1].enabled, 500);
	assert_int_equal(got[1].running, 400);
	assert_int_equal(got[1].cpu, -1);
	/* The pipes are empty: what cannot be read is no 0. */
	assert_int_equal(software_read(sw, false, take_value, NULL), -EIO);
	software_start(sw);
	software_stop(sw);
	assert_int_equal(kernel.enables, 1);
	assert_int_equal(kernel.disables, 1);
	software_close(sw);
}

static void of_cpus(void **state)
{
	unsigned int cpus[] = { 3, 1 };
	struct software *sw;

	(void)state;
	targets = (struct targets){ .kind = TARGET_CPUS, .cpus = cpus, .nr_cpus = 2 };
	options.on_exec = false;
	assert_int_equal(software_open(&options, &events, &sw), 0);
	assert_int_equal(kernel.opens, 6);
	assert_int_equal(kernel.pid[0], -1);
	assert_int_equal(kernel.cpu[0], 3);
	assert_int_equal(kernel.cpu[5], 1);
	assert_int_equal(kernel.leader[5], kernel.fd[3]);
	assert_int_equal(kernel.attr[0].inherit, 0);
	assert_int_equal(kernel.attr[0].enable_on_exec, 0);
	nr_got = 0;
	assert_int_equal(software_read(sw, true, take_value, NULL), 0);
	assert_int_equal(nr_got, 6);
	assert_int_equal(got[0].cpu, 3);
	assert_int_equal(got[1].cpu, 1);
	assert_int_equal(got[1].value, got[0].value);
	software_close(sw);
	assert_int_equal(software_open(&options, &events, &sw), 0);
	nr_got = 0;
	assert_int_equal(software_read(sw, false, take_value, NULL), 0);
	assert_int_equal(nr_got, 3);
	assert_int_equal(got[0].value, 2 * 10 * (PERF_COUNT_SW_TASK_CLOCK + 1));
	assert_int_equal(got[0].running, 800);
	software_close(sw);
}

/* What is refused is left out of the group, and says why; the others count. */
static void refused_ones(void **state)
{
	unsigned int cpus[] = { 0 };
	struct software *sw;

	(void)state;
	kernel.fail_errno = EACCES;
	kernel.fail_config = PERF_COUNT_SW_TASK_CLOCK;
	assert_int_equal(software_open(&options, &events, &sw), 0);
	assert_non_null(strstr(events.list[0].why_not, "kernel.perf_event_paranoid=2`"));
	assert_non_null(events.list[0].software);
	assert_int_equal(kernel.opens, 2);
	assert_int_equal(kernel.attr[0].config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_int_equal(kernel.attr[0].enable_on_exec, 1);
	software_close(sw);
	kernel.fail_errno = EINVAL;
	kernel.fail_config = PERF_COUNT_SW_PAGE_FAULTS;
	targets = (struct targets){ .kind = TARGET_CPUS, .cpus = cpus, .nr_cpus = 1 };
	assert_int_equal(software_open(&options, &events, &sw), 0);
	assert_non_null(strstr(events.list[3].why_not, "this kernel does not count it"));
	assert_null(events.list[3].software);
	software_close(sw);
	/* Of a CPU that is not there the kernel says the same. */
	targets = (struct targets){ .kind = TARGET_CPUS, .cpus = cpus, .nr_cpus = 1 };
	kernel.fail_config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	cpus[0] = 60000;
	assert_int_equal(software_open(&options, &events, &sw), EXIT_FAILED);
	assert_null(events.list[2].why_not);
	targets.kind = TARGET_COMMAND;
	kernel.fail_errno = EMFILE;
	kernel.fail_config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	assert_int_equal(software_open(&options, &events, &sw), 0);
	assert_non_null(strstr(events.list[2].why_not, "ulimit -n"));
	nr_got = 0;
	assert_int_equal(software_read(sw, false, take_value, NULL), 0);
	assert_int_equal(nr_got, 0);
	software_start(sw);
	software_close(sw);
}

static bool is_opened(unsigned int from, int pid)
{
	for (; from < kernel.opens; from++)
		if (kernel.pid[from] == pid)
			return true;
	return false;
}

/* A thread that comes while the threads are gone through may have a part of the group. */
static void a_thread_comes(void **state)
{
	pid_t pids[] = { getpid() };
	struct software *sw;

	(void)state;
	targets = (struct targets){
		.kind = TARGET_PROCESSES, .pids = pids, .nr_pids = 1, .text = "1",
	};
	kernel.thread_comes = true;
	assert_int_equal(software_open(&options, &events, &sw), 0);
	/* Three of the only thread, and then, all closed, of both. */
	assert_int_equal(kernel.opens, 9);
	assert_true(is_opened(3, getpid()));
	nr_got = 0;
	assert_int_equal(software_read(sw, false, take_value, NULL), 0);
	assert_int_equal(got[0].value, 2 * 10 * (PERF_COUNT_SW_TASK_CLOCK + 1));
	assert_int_equal(got[0].flags, 0);
	software_close(sw);
	/* Where they come faster than that, the counts say so. */
	kernel.threads_come = true;
	while (events.count > 1)
		events_drop(&events, events.count - 1);
	assert_int_equal(software_open(&options, &events, &sw), 0);
	nr_got = 0;
	assert_int_equal(software_read(sw, false, take_value, NULL), 0);
	assert_int_equal(got[0].flags, PMUCTL_VALUE_INCOMPLETE);
	software_close(sw);
}

static void nobody_there(void **state)
{
	pid_t pids[] = { 4194303 };
	struct software *sw;
	size_t i;

	(void)state;
	targets = (struct targets){
		.kind = TARGET_PROCESSES, .pids = pids, .nr_pids = 1, .text = "4194303",
	};
	assert_int_equal(software_open(&options, &events, &sw), EXIT_FAILED);
	assert_null(sw);
	targets.kind = TARGET_THREADS;
	kernel.fail_errno = ESRCH;
	kernel.fail_config = PERF_COUNT_SW_TASK_CLOCK;
	assert_int_equal(software_open(&options, &events, &sw), EXIT_FAILED);
	/* A list without them opens nothing. */
	for (i = 0; i < events.count; i++) {
		free(events.list[i].software);
		events.list[i].software = NULL;
	}
	assert_int_equal(software_open(&options, &events, &sw), 0);
	assert_null(sw);
	assert_int_equal(software_read(sw, false, take_value, NULL), 0);
	software_start(sw);
	software_close(sw);
}

/* ---- what stands beside a count -------------------------------------------------------------- */

static struct stat_count counts[3];
static struct stat_result result = { .counts = counts, .count = 3, .elapsed = 0.002 };

static void ratio_is(size_t line, const char *unit, double value)
{
	struct stat_ratio ratio;

	stat_find_ratio(&result, &counts[line], &ratio);
	if (!unit) {
		assert_null(ratio.unit);
		return;
	}
	assert_string_equal(ratio.unit, unit);
	if (ratio.value < value * 0.999999 || ratio.value > value * 1.000001)
		fail_msg("line %zu: %.9f", line, ratio.value);
}

static void rates(void **state)
{
	struct pmuctl *ctx;
	size_t i;

	(void)state;
	fake_skylake();
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	assert_int_equal(pmuctl_event_parse(ctx, "cycles", &events.list[1].event), 0);
	for (i = 0; i < 3; i++)
		counts[i] = (struct stat_count){
			.event = &events.list[i], .cpu = -1, .enabled = 1000000, .running = 1000000,
		};
	counts[0].value = 1000000;
	counts[1].value = 3100000;
	counts[2].value = 1;
	ratio_is(0, "CPUs utilized", 0.5);
	ratio_is(1, "GHz", 3.1);
	/* perf's border is 1000, which has no prefix yet. */
	ratio_is(2, "/sec", 1000);
	counts[2].value = 54321;
	ratio_is(2, "M/sec", 54.321);
	counts[2].value = 2;
	ratio_is(2, "K/sec", 2);
	/* Of a time of its own, and none without a clock of the same CPU. */
	counts[1].enabled = 2000000;
	ratio_is(1, "GHz", 1.55);
	counts[0].cpu = 1;
	ratio_is(1, NULL, 0);
	counts[0].cpu = -1;
	counts[0].why_not = "refused";
	ratio_is(0, NULL, 0);
	ratio_is(2, NULL, 0);
	/* Cycles of one ring are no frequency. */
	counts[0].why_not = NULL;
	pmuctl_event_free(events.list[1].event);
	assert_int_equal(pmuctl_event_parse(ctx, "cycles:u", &events.list[1].event), 0);
	ratio_is(1, "G/sec", 1.55);
	pmuctl_event_free(events.list[1].event);
	events.list[1].event = NULL;
	pmuctl_close(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found),
		cmocka_unit_test(list_has_them),
		cmocka_unit_test(tracepoints_are_found),
		cmocka_unit_test_setup_teardown(a_command, setup, teardown),
		cmocka_unit_test_setup_teardown(of_cpus, setup, teardown),
		cmocka_unit_test_setup_teardown(refused_ones, setup, teardown),
		cmocka_unit_test_setup_teardown(a_thread_comes, setup, teardown),
		cmocka_unit_test_setup_teardown(nobody_there, setup, teardown),
		cmocka_unit_test_setup_teardown(rates, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
