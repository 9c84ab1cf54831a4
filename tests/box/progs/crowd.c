// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * crowd KIND N: a user without privilege dies who has N sessions, while root, who has one as
 * well, makes sessions, ends them, reads counts and asks for what there is.  Says how long the
 * slowest of root's requests took, alone and meanwhile, how long the death took, and how many of
 * the user's sessions were left behind it.
 *
 * KIND: socket (one has all), sockets (one each), processes (one each, killed at once), tasks
 * (one session follows N tasks), rings (one socket, samples).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../kmod/uapi/pmuctl.h"
#include "message.h"

#define USER 1000
#define N_MAX 4096

static int family;
static const char *kind;
static int n, ready[2];

static void die(const char *what)
{
	fprintf(stderr, "crowd: %s: %s\n", what, strerror(errno));
	kill(0, SIGKILL);
	exit(1);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* Sends msg; the attribute of the reply as a number, or 0.  A refusal is the end. */
static uint32_t ask(int fd, int type)
{
	static char buffer[65536];
	uint32_t value = 0;

	if (send(fd, &msg, msg.nl.nlmsg_len, 0) < 0)
		die("send");
	for (;;) {
		int size, len = recv(fd, buffer, sizeof(buffer), 0);
		struct nlmsghdr *nl = (void *)buffer;

		if (len < 0)
			die("recv");
		for (; NLMSG_OK(nl, len); nl = NLMSG_NEXT(nl, len)) {
			const void *data = find(nl, GENL_HDRLEN, type, &size);

			if (nl->nlmsg_type == NLMSG_ERROR) {
				errno = -((struct nlmsgerr *)NLMSG_DATA(nl))->error;
				if (errno)
					die("request");
				return value;
			}
			if (data)
				memcpy(&value, data, size < 4 ? size : 4);
		}
	}
}

static void begin(int cmd)
{
	static uint32_t seq;

	begin_message(family, cmd, NLM_F_ACK, ++seq);
}

static void find_family(int fd)
{
	begin_message(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK, 0);
	put(CTRL_ATTR_FAMILY_NAME, PMUCTL_FAMILY_NAME, sizeof(PMUCTL_FAMILY_NAME));
	family = ask(fd, CTRL_ATTR_FAMILY_ID);
}

static void put_event(uint64_t counter, bool sampled)
{
	struct nlattr *nest = put(PMUCTL_A_SESSION_EVENT | NLA_F_NESTED, NULL, 0);
	struct pmuctl_reg reg = { .reg = PMUCTL_REG_EVTSEL, .value = 0xc0 };

	put_u64(PMUCTL_A_EVENT_FLAGS, PMUCTL_EVENT_USER);
	put(PMUCTL_A_EVENT_REGS, &reg, sizeof(reg));
	put_u64(PMUCTL_A_EVENT_COUNTERS, counter);
	if (sampled)
		put_u64(PMUCTL_A_EVENT_PERIOD, 100000);
	end_nest(nest);
}

static void put_targets(const pid_t *pids, int count)
{
	while (count--)
		put_u32(PMUCTL_A_SESSION_PID, *pids++);
}

static uint32_t make(int fd, const pid_t *pids, int count, uint64_t counter, bool sampled)
{
	begin(PMUCTL_CMD_SESSION_NEW);
	put_u64(PMUCTL_A_SESSION_FLAGS, PMUCTL_SESSION_INHERIT);
	put_targets(pids, count);
	if (sampled)
		put_u32(PMUCTL_A_SESSION_RING, 16384);
	put_event(counter, sampled);
	return ask(fd, PMUCTL_A_SESSION_ID);
}

static uint32_t by_id(int fd, int cmd, uint32_t id)
{
	begin(cmd);
	put_u32(PMUCTL_A_SESSION_ID, id);
	return ask(fd, 0);
}

static uint32_t sessions(int fd)
{
	begin(PMUCTL_CMD_INFO_GET);
	return ask(fd, PMUCTL_A_INFO_SESSIONS);
}

/* ---- the user --------------------------------------------------------------------------- */

/* They go on when the user has died, so that each session is still on its task. */
static pid_t victim(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid)
		for (;;)
			pause();
	return pid;
}

static void become_user(void)
{
	if (setgroups(0, NULL) || setresgid(USER, USER, USER) || setresuid(USER, USER, USER) ||
	    prctl(PR_SET_DUMPABLE, 1))
		die("become");
}

static void have_many(void)
{
	pid_t pids[N_MAX];
	int fd, i;

	for (i = 0; i < n; i++)
		pids[i] = victim();
	fd = generic_socket();
	if (!strcmp(kind, "tasks")) {
		make(fd, pids, n, 1, false);
		return;
	}
	for (i = 0; i < n; i++) {
		if (i && !strcmp(kind, "sockets"))
			fd = generic_socket();
		by_id(fd, PMUCTL_CMD_SESSION_START,
		      make(fd, &pids[i], 1, 1, !strcmp(kind, "rings")));
	}
}

static void have_one(void)
{
	pid_t pid = victim();
	int fd = generic_socket();

	by_id(fd, PMUCTL_CMD_SESSION_START, make(fd, &pid, 1, 1, false));
}

static void user(bool all)
{
	become_user();
	if (all)
		have_many();
	else
		have_one();
	if (write(ready[1], "", 1) != 1)
		die("ready");
	for (;;)
		pause();
}

static int start_users(pid_t *users)
{
	int i, count = strcmp(kind, "processes") ? 1 : n;
	char byte;

	for (i = 0; i < count; i++) {
		users[i] = fork();
		if (!users[i])
			user(count == 1);
		if (users[i] < 0 || read(ready[0], &byte, 1) != 1)
			die("user");
	}
	return count;
}

/* ---- root ------------------------------------------------------------------------------- */

static void slower(double began, double *slowest)
{
	double took = now_ms() - began;

	if (took > *slowest)
		*slowest = took;
}

static void round_of_requests(int fd, uint32_t own, double *slowest)
{
	pid_t me = getpid();
	double began = now_ms();
	uint32_t id = make(fd, &me, 1, 2, false);

	slower(began, slowest);
	began = now_ms();
	by_id(fd, PMUCTL_CMD_SESSION_DEL, id);
	slower(began, slowest);
	began = now_ms();
	by_id(fd, PMUCTL_CMD_COUNT_GET, own);
	slower(began, slowest);
	began = now_ms();
	sessions(fd);
	slower(began, slowest);
}

static void root(pid_t *users, int count)
{
	double alone = 0, meanwhile = 0, began;
	int i, fd = generic_socket(), left = count;
	pid_t me = getpid();
	uint32_t own = make(fd, &me, 1, 4, false);

	by_id(fd, PMUCTL_CMD_SESSION_START, own);
	/* Who dies takes the CPU as well, and that is not what is asked here. */
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ 1 }))
		die("sched_setscheduler");
	for (i = 0; i < 50; i++)
		round_of_requests(fd, own, &alone);
	began = now_ms();
	for (i = 0; i < count; i++)
		kill(users[i], SIGKILL);
	while (left) {
		/* Who never sleeps with such a priority is stopped for a while. */
		usleep(1000);
		round_of_requests(fd, own, &meanwhile);
		while (left && waitpid(-1, NULL, WNOHANG) > 0)
			left--;
	}
	printf("%s %d: alone %.2f ms, meanwhile %.2f ms, death %.0f ms, left %u\n", kind, n, alone,
	       meanwhile, now_ms() - began, sessions(fd) - 1);
	for (i = 0; i < 50; i++)
		round_of_requests(fd, own, &meanwhile);
	if (meanwhile > 10)
		printf("%s: somebody waited %.2f ms\n", kind, meanwhile);
}

int main(int argc, char **argv)
{
	const struct rlimit many = { 8192, 8192 };
	pid_t users[N_MAX];

	if (argc != 3 || atoi(argv[2]) < 1 || atoi(argv[2]) > N_MAX) {
		fprintf(stderr, "usage: crowd KIND N\n");
		return 2;
	}
	kind = argv[1];
	n = atoi(argv[2]);
	setpgid(0, 0);
	setrlimit(RLIMIT_NOFILE, &many);
	find_family(generic_socket());
	if (pipe(ready))
		die("pipe");
	root(users, start_users(users));
	fflush(stdout);
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	return 0;
}
