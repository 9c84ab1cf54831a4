// SPDX-License-Identifier: GPL-2.0-only
/*
 * protocol-fuzz SEED MESSAGES: so many messages to the module, most of which could be meant
 * and a third of which is spoilt, from two processes with several sockets each, while tasks
 * come, exec and go and CPUs are taken away and given back.  How much of that there is goes
 * by the messages, not by the time that they take: most of it would be that on a slow kernel.
 * Says how often what was answered, and ends with 1 if a sender failed or no session came to
 * be: what is left in the module, and what the kernel said, is for its caller to look at.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz-message.h"

#define SENDERS 2
#define SOCKETS 4
#define TASKS 12
#define CGROUPS "/sys/fs/cgroup"
#define FDS 8
#define ERRORS 134
/* Messages to each task that comes, and to each CPU that goes, on an average. */
#define PER_TASK 16
#define PER_UNPLUGGED 400

/* What a task is called behind its exec: of this program, which is small and static. */
#define GONE "gone"

static struct shared {
	uint32_t task[TASKS];
	sem_t tasks_due, unplugs_due;
	uint64_t answered[SENDERS][ERRORS];	/* by errno */
	uint64_t bytes[SENDERS];		/* of replies */
	uint64_t sessions[SENDERS];		/* that came to be */
} *shared;

static int family;

static void die(const char *what)
{
	fprintf(stderr, "protocol-fuzz: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* ---- tasks and CPUs ---------------------------------------------------------- */

static pid_t child(uint64_t seed)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dice = seed;
	return 0;
}

/* Runs a while, in user mode and in the kernel, and may exec or have children. */
static void live(void)
{
	volatile unsigned int turns = draw(30000);
	unsigned int calls = draw(200);

	while (turns)
		turns--;
	usleep(draw(1000000));
	while (calls--)
		getppid();
	if (once_in(3) && !fork())
		_exit(0);
	if (once_in(4))
		execl("/proc/self/exe", GONE, (char *)NULL);
	_exit(0);
}

static void await(sem_t *due)
{
	while (sem_wait(due))
		if (errno != EINTR)
			die("sem_wait");
}

static void gone(pid_t pid)
{
	unsigned int i;

	for (i = 0; i < TASKS; i++)
		if (shared->task[i] == (uint32_t)pid)
			shared->task[i] = 0;
}

/* Into either group, or out of both; it may have ended. */
static void move(uint32_t pid)
{
	static const char *const paths[] = {
		CGROUPS "/cgroup.procs", CGROUPS "/fuzz/cgroup.procs",
		CGROUPS "/fuzz/in/cgroup.procs",
	};
	char text[16];
	int fd = open(ONE_OF(paths), O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		die("cgroup.procs");
	snprintf(text, sizeof(text), "%u", pid);
	if (pid && write(fd, text, strlen(text)) < 0 && errno != ESRCH)
		die("moving a task");
	close(fd);
}

static void make_groups(void)
{
	static const char *const paths[] = { CGROUPS "/fuzz", CGROUPS "/fuzz/in" };
	int i;

	for (i = 0; i < 2; i++) {
		world.groups[i] = mkdir(paths[i], 0755) && errno != EEXIST ? -1 :
				  open(paths[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (world.groups[i] < 0)
			die(paths[i]);
	}
}

static void churn(void)
{
	unsigned int i = 0;
	pid_t pid;

	for (;; i = (i + 1) % TASKS) {
		await(&shared->tasks_due);
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			gone(pid);
		if (shared->task[i] && once_in(2))
			kill((pid_t)shared->task[i], SIGKILL);
		pid = fork();
		if (!pid) {
			dice ^= (uint64_t)getpid() << 32;
			live();
		}
		if (pid > 0)
			shared->task[i] = (uint32_t)pid;
		move(shared->task[draw(TASKS)]);
	}
}

static void set_online(unsigned int cpu, const char *how)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, how, 1) != 1)
		perror(path);
	if (fd >= 0)
		close(fd);
}

static void hotplug(void)
{
	unsigned int cpu;

	for (;;) {
		await(&shared->unplugs_due);
		cpu = 1 + draw(world.nr_cpus - 1);
		set_online(cpu, "0");
		usleep(draw(100000));
		set_online(cpu, "1");
	}
}

/* ---- sockets --------------------------------------------------------------------- */

static int open_socket(void)
{
	int sock = generic_socket();

	if (sock < 0)
		die("socket");
	return sock;
}

static uint32_t number(const struct nlmsghdr *nl, int type)
{
	const void *data;
	uint32_t value = 0;
	int len;

	data = find(nl, GENL_HDRLEN, type, &len);
	if (data)
		memcpy(&value, data, len < 4 ? len : 4);
	return value;
}

struct sender {
	unsigned int number;
	int sock[SOCKETS];
	int fd[FDS];
};

static void use_fd(struct sender *s, int fd)
{
	static char bytes[65536];
	unsigned int i = draw(FDS);

	if (fd) {
		if (s->fd[i])
			close(s->fd[i]);
		s->fd[i] = fd;
	}
	if (s->fd[i] && pread(s->fd[i], bytes, draw(sizeof(bytes)), draw(3)) > 0)
		shared->bytes[s->number]++;
}

static void hear(struct sender *s, const struct nlmsghdr *nl)
{
	const struct genlmsghdr *genl = NLMSG_DATA(nl);
	int error = 0;

	if (nl->nlmsg_type == NLMSG_ERROR || nl->nlmsg_type == NLMSG_DONE) {
		memcpy(&error, NLMSG_DATA(nl), sizeof(error));
		shared->answered[s->number][-error < ERRORS ? -error : ERRORS - 1]++;
		return;
	}
	if (nl->nlmsg_type != family || genl->cmd != PMUCTL_CMD_SESSION_NEW)
		return;
	if (number(nl, PMUCTL_A_SESSION_ID)) {
		world.id[world.sock][world.which] = number(nl, PMUCTL_A_SESSION_ID);
		shared->sessions[s->number]++;
	}
	if (find(nl, GENL_HDRLEN, PMUCTL_A_SESSION_FD, NULL))
		use_fd(s, (int)number(nl, PMUCTL_A_SESSION_FD));
}

/* All that is there; a dump goes on while it is read. */
static void hear_all(struct sender *s, int sock)
{
	static char buffer[65536] __attribute__((aligned(8)));
	const struct nlmsghdr *nl;
	ssize_t got;
	int len;

	while ((got = recv(sock, buffer, sizeof(buffer), MSG_DONTWAIT)) > 0) {
		shared->bytes[s->number] += (uint64_t)got;
		len = (int)got;
		for (nl = (const void *)buffer; NLMSG_OK(nl, len); nl = NLMSG_NEXT(nl, len))
			hear(s, nl);
	}
}

static void talk(struct sender *s, unsigned long messages)
{
	unsigned long i;
	unsigned int k;

	for (k = 0; k < SOCKETS; k++)
		s->sock[k] = open_socket();
	for (i = 0; i < messages; i++) {
		k = world.sock = draw(SOCKETS);
		if (once_in(300)) {
			close(s->sock[k]);
			s->sock[k] = open_socket();
		}
		make_message(family, (uint32_t)i);
		if (send(s->sock[k], &msg, msg.nl.nlmsg_len, MSG_DONTWAIT) < 0)
			shared->answered[s->number][errno < ERRORS ? errno : ERRORS - 1]++;
		/* Now and then a reply waits until its socket is full, or closed. */
		if (!once_in(20))
			hear_all(s, s->sock[k]);
		if (once_in(5))
			use_fd(s, 0);
		if (once_in(PER_TASK))
			sem_post(&shared->tasks_due);
		if (once_in(PER_UNPLUGGED))
			sem_post(&shared->unplugs_due);
		if (s->number == 0 && i % 50000 == 0)
			printf("%lu messages of each sender\n", i);
	}
}

/* ---- all of it --------------------------------------------------------------------- */

/* One request without a name or with one, and its reply; NULL: refused. */
static const struct nlmsghdr *ask(int type, int cmd, const char *name)
{
	static char buffer[8192] __attribute__((aligned(8)));
	const struct nlmsghdr *nl = (const void *)buffer;
	int sock = open_socket();

	begin_message(type, cmd, 0, 0);
	if (name)
		put(CTRL_ATTR_FAMILY_NAME, name, strlen(name) + 1);
	if (send(sock, &msg, msg.nl.nlmsg_len, 0) < 0 ||
	    recv(sock, buffer, sizeof(buffer), 0) < 0)
		die("generic netlink");
	close(sock);
	return nl->nlmsg_type == NLMSG_ERROR ? NULL : nl;
}

/* The family's number, and what PMU there is. */
static void look(void)
{
	const struct nlmsghdr *nl = ask(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, PMUCTL_FAMILY_NAME);
	const void *counters;
	const char *backend;

	if (!nl) {
		fprintf(stderr, "protocol-fuzz: the module is not loaded\n");
		exit(2);
	}
	family = (int)number(nl, CTRL_ATTR_FAMILY_ID);
	nl = ask(family, PMUCTL_CMD_INFO_GET, NULL);
	counters = nl ? find(nl, GENL_HDRLEN, PMUCTL_A_INFO_COUNTERS, NULL) : NULL;
	if (!counters) {
		fprintf(stderr, "protocol-fuzz: the module does not say which counters there are\n");
		exit(2);
	}
	memcpy(&world.counters, counters, sizeof(world.counters));
	backend = find(nl, GENL_HDRLEN, PMUCTL_A_INFO_BACKEND, NULL);
	world.is_p4 = backend && !strcmp(backend, "p4");
}

/* Whether any session was made. */
static int summary(unsigned long messages)
{
	uint64_t n, bytes = 0, sessions = 0;
	unsigned int i, k;

	printf("%lu messages; answers:", messages * SENDERS);
	for (i = 0; i < ERRORS; i++) {
		for (n = 0, k = 0; k < SENDERS; k++)
			n += shared->answered[k][i];
		if (n)
			printf(" %s %llu", i ? strerrorname_np((int)i) : "ok",
			       (unsigned long long)n);
	}
	for (k = 0; k < SENDERS; k++) {
		bytes += shared->bytes[k];
		sessions += shared->sessions[k];
	}
	printf("; %llu sessions, %llu bytes of replies\n", (unsigned long long)sessions,
	       (unsigned long long)bytes);
	return sessions != 0;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 2 ? strtoull(argv[1], NULL, 0) : 0;
	unsigned long messages = argc > 2 ? strtoul(argv[2], NULL, 0) / SENDERS : 0;
	pid_t others[2], senders[SENDERS];
	int status, failed = 0;
	unsigned int i;

	if (argc && !strcmp(argv[0], GONE))
		return 0;
	if (!seed || !messages) {
		fprintf(stderr, "usage: protocol-fuzz SEED MESSAGES, neither of them 0\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGPIPE, SIG_IGN);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		die("mmap");
	if (sem_init(&shared->tasks_due, 1, 0) || sem_init(&shared->unplugs_due, 1, 0))
		die("sem_init");
	world.tasks = shared->task;
	world.nr_tasks = TASKS;
	world.nr_cpus = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	make_groups();
	look();
	others[0] = child(seed * 0x9e3779b97f4a7c15);
	if (!others[0])
		churn();
	others[1] = child(seed * 0xbf58476d1ce4e5b9);
	if (!others[1])
		hotplug();
	for (i = 0; i < SENDERS; i++) {
		struct sender sender = { .number = i };

		senders[i] = child(seed * 0x94d049bb133111eb + i);
		if (!senders[i]) {
			talk(&sender, messages);
			return 0;
		}
	}
	for (i = 0; i < SENDERS; i++)
		if (waitpid(senders[i], &status, 0) < 0 || status) {
			printf("sender %u ended with status %x\n", i, status);
			failed = 1;
		}
	for (i = 0; i < 2; i++) {
		kill(others[i], SIGKILL);
		waitpid(others[i], NULL, 0);
	}
	for (i = 1; i < world.nr_cpus; i++)
		set_online(i, "1");
	return !summary(messages) || failed;
}
