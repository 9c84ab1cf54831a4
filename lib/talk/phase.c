// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Marks of phases: told to who tunes this program, if somebody does.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "lib/talk/phase.h"

/* So long nobody is looked for once nobody was there, and an answer is waited for. */
#define PAUSE_NS 1000000000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sock = -1;
static pid_t owner;		/* of the socket: a child of it has none */
static uint64_t quiet_until;	/* ns of CLOCK_MONOTONIC */

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void hang_up(void)
{
	close(sock);
	sock = -1;
}

static int connect_to(const char *path)
{
	struct timeval patience = { .tv_sec = PAUSE_NS / 1000000000 };
	struct sockaddr_un address;
	socklen_t len = phase_address(path, &address);
	int fd = len ? socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0) : -1;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (!connect(fd, (const struct sockaddr *)&address, len))
		return fd;
	close(fd);
	return -1;
}

static bool is_heard(void)
{
	const char *path = secure_getenv(PHASE_VARIABLE);

	if (sock >= 0 && owner == getpid())
		return true;
	if (sock >= 0)
		hang_up();
	else if (quiet_until && now() < quiet_until)
		return false;
	sock = connect_to(path ? path : PHASE_PATH);
	owner = getpid();
	quiet_until = sock < 0 ? now() + PAUSE_NS : 0;
	return sock >= 0;
}

static int tell(const struct phase_message *message)
{
	int32_t answer = 0;
	ssize_t done;

	do
		done = send(sock, message, sizeof(*message), MSG_NOSIGNAL);
	while (done < 0 && errno == EINTR);
	/* Under the lock, as the socket waits for so long only. */
	if (done > 0) {
		do
			/* NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection) */
			done = recv(sock, &answer, sizeof(answer), 0);
		while (done < 0 && errno == EINTR);
		if (done == sizeof(answer))
			return answer;
	}
	/* Who tuned has ended, which is nobody's error; or is stuck. */
	answer = done < 0 && errno == EAGAIN ? -ETIMEDOUT : 0;
	hang_up();
	quiet_until = now() + PAUSE_NS;
	return answer;
}

static int mark(enum phase_mark which, const char *name)
{
	struct phase_message message = { .mark = which };
	size_t len = name ? strlen(name) : 0;
	int err;

	if (!len || len > PMUCTL_PHASE_NAME_MAX)
		return -EINVAL;
	memcpy(message.name, name, len);
	pthread_mutex_lock(&mutex);
	err = is_heard() ? tell(&message) : 0;
	pthread_mutex_unlock(&mutex);
	return err;
}

int pmuctl_phase_begin(const char *name)
{
	return mark(PHASE_BEGINS, name);
}

int pmuctl_phase_end(const char *name)
{
	return mark(PHASE_ENDS, name);
}
