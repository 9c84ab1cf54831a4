// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reuse ROUNDS: a socket that owns a session is closed on CPU 0, while a thread on
 * CPU 1 takes its port ID as soon as it is free and makes a session of its own under
 * it.  At a moment that differs each time a third thread, of real-time priority, wakes
 * up on CPU 0 and keeps the close from going on until that session is there.  Says how
 * many sessions were there before the close had returned, and how many of those were
 * gone behind it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../../../kmod/uapi/pmuctl.h"
#include "message.h"
#include "pin.h"

/* Far from what the kernel gives by itself, which is the process ID first. */
#define PORT_ID 0x70000001

/* The close takes less. */
#define LATEST_NS 20000
/* And the other's session less than this. */
#define HOLD_NS 1000000

static int family;
static char new_session[4096];
static atomic_bool waits, closed, made;
static sem_t begins, closes, ends;
static unsigned long early, lost;

static void die(const char *what)
{
	fprintf(stderr, "reuse: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Sends; what an attribute of the reply holds, or 0.  *err is the error, or 0. */
static uint32_t ask(int fd, const void *request, int type, int *err)
{
	const struct nlmsghdr *nl = request;
	char buffer[8192];
	uint32_t value = 0;

	if (send(fd, request, nl->nlmsg_len, 0) < 0)
		die("send");
	for (;;) {
		int len = recv(fd, buffer, sizeof(buffer), 0);

		if (len < 0)
			die("recv");
		for (nl = (void *)buffer; NLMSG_OK(nl, len); nl = NLMSG_NEXT(nl, len)) {
			const void *data;
			int size;

			if (nl->nlmsg_type == NLMSG_ERROR) {
				*err = -*(const int *)NLMSG_DATA(nl);
				return value;
			}
			data = find(nl, GENL_HDRLEN, type, &size);
			if (data)
				memcpy(&value, data, size < 4 ? size : 4);
		}
	}
}

static uint32_t make_session(int fd)
{
	int err;
	uint32_t id = ask(fd, new_session, PMUCTL_A_SESSION_ID, &err);

	errno = err;
	if (err)
		die("new session");
	return id;
}

static bool is_there(int fd, uint32_t id)
{
	int err;

	begin_message(family, PMUCTL_CMD_COUNT_GET, NLM_F_ACK, 1);
	put_u32(PMUCTL_A_SESSION_ID, id);
	ask(fd, &msg, PMUCTL_A_SESSION_COUNTS, &err);
	errno = err;
	if (err && err != ENOENT)
		die("count");
	return !err;
}

static void wait_for(sem_t *what)
{
	while (sem_wait(what))
		;
}

static int new_socket(void)
{
	int fd = generic_socket();

	if (fd < 0)
		die("socket");
	return fd;
}

static void bind_soon(int fd)
{
	struct sockaddr_nl port = { .nl_family = AF_NETLINK, .nl_pid = PORT_ID };

	while (bind(fd, (struct sockaddr *)&port, sizeof(port)))
		if (errno != EADDRINUSE)
			die("bind");
}

static void reuse(void)
{
	int fd = new_socket();
	bool in_time;
	uint32_t id;

	waits = true;
	bind_soon(fd);
	id = make_session(fd);
	in_time = !closed;
	made = true;
	while (!closed)
		;
	early += in_time;
	lost += in_time && !is_there(fd, id);
	close(fd);
}

static void *reuse_often(void *rounds)
{
	if (pin(1))
		die("CPU 1");
	for (unsigned long n = *(unsigned long *)rounds; n--;) {
		wait_for(&begins);
		reuse();
		sem_post(&ends);
	}
	return NULL;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * UINT64_C(1000000000) + time.tv_nsec;
}

static void *hold_often(void *rounds)
{
	struct sched_param param = { .sched_priority = 1 };

	errno = pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
	if (errno || pin(0))
		die("real-time priority on CPU 0");
	for (unsigned long n = *(unsigned long *)rounds; n--;) {
		struct timespec soon = { .tv_nsec = rand() % LATEST_NS };
		uint64_t end;

		wait_for(&closes);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &soon, NULL);
		for (end = now() + HOLD_NS; !made && now() < end;)
			;
	}
	return NULL;
}

static void close_under(unsigned long rounds)
{
	while (rounds--) {
		int fd = new_socket();

		bind_soon(fd);
		make_session(fd);
		closed = made = waits = false;
		sem_post(&begins);
		while (!waits)
			;
		sem_post(&closes);
		close(fd);
		closed = true;
		wait_for(&ends);
	}
}

/* Instructions of CPU 1. */
static void prepare_new_session(void)
{
	struct pmuctl_reg select = { .reg = PMUCTL_REG_EVTSEL, .value = 0xc0 };
	struct nlattr *nest;

	begin_message(family, PMUCTL_CMD_SESSION_NEW, NLM_F_ACK, 1);
	put_u64(PMUCTL_A_SESSION_FLAGS, 0);
	put_u32(PMUCTL_A_SESSION_CPU, 1);
	nest = put(PMUCTL_A_SESSION_EVENT | NLA_F_NESTED, NULL, 0);
	put_u64(PMUCTL_A_EVENT_FLAGS, PMUCTL_EVENT_USER);
	put(PMUCTL_A_EVENT_REGS, &select, sizeof(select));
	put_u64(PMUCTL_A_EVENT_COUNTERS, 0xf);
	end_nest(nest);
	memcpy(new_session, &msg, msg.nl.nlmsg_len);
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	pthread_t reuser, holder;
	int err, fd = new_socket();

	begin_message(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK, 1);
	put(CTRL_ATTR_FAMILY_NAME, PMUCTL_FAMILY_NAME, sizeof(PMUCTL_FAMILY_NAME));
	family = ask(fd, &msg, CTRL_ATTR_FAMILY_ID, &err);
	errno = err;
	sem_init(&begins, 0, 0);
	sem_init(&closes, 0, 0);
	sem_init(&ends, 0, 0);
	if (err || pin(0))
		die("family, CPU 0");
	prepare_new_session();
	/* One that stays, so that the PMU is not taken and given back each time. */
	make_session(fd);
	if (pthread_create(&reuser, NULL, reuse_often, &rounds) ||
	    pthread_create(&holder, NULL, hold_often, &rounds))
		die("thread");
	close_under(rounds);
	pthread_join(reuser, NULL);
	pthread_join(holder, NULL);
	printf("%lu early %lu lost\n", early, lost);
	return 0;
}
