// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unloads the module and loads it again, ROUNDS times: reload MODULE.ko ROUNDS.
 * Every fourth time it holds a session meanwhile, and must be told that it is in use.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pmuctl.h>

#define TRIES		5000
#define PAUSE_US	2000
#define MAX_STAY_US	10000

static int unload(void)
{
	return syscall(SYS_delete_module, "pmuctl", O_NONBLOCK) ? -errno : 0;
}

/* Others let go of it some time. */
static int unload_patiently(void)
{
	int err = -EBUSY;

	for (int i = 0; err && i < TRIES; i++) {
		err = unload();
		if (err && err != -EBUSY && err != -EAGAIN)
			return err;
		if (err)
			usleep(PAUSE_US);
	}
	return err;
}

static int load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		err = -errno;
	close(fd);
	return err;
}

/* Somebody else may have all counters just then: that is no failure here. */
static int in_use(void)
{
	struct pmuctl_session *session = NULL;
	struct pmuctl_event *event;
	struct pmuctl *ctx;
	int err;

	if (pmuctl_open(NULL, &ctx))
		return -ENOMEM;
	if (!pmuctl_session_new(ctx, &session) && !pmuctl_event_parse(ctx, "branches:u", &event)) {
		pmuctl_session_add_event(session, event);
		pmuctl_event_free(event);
		pmuctl_session_add_process(session, getpid());
	}
	err = pmuctl_session_create(session, 0);
	if (!err && (err = unload()) == 0)
		err = -EIO;	/* unloaded under a session */
	else
		err = 0;
	pmuctl_session_free(session);
	pmuctl_close(ctx);
	return err;
}

static int one_round(const char *path, int round)
{
	int err = unload_patiently();

	if (!err)
		err = load(path);
	if (err)
		return err;
	usleep(rand() % MAX_STAY_US);
	return round % 4 ? 0 : in_use();
}

int main(int argc, char **argv)
{
	int err = 0, round;

	if (argc != 3)
		return 2;
	for (round = 1; !err && round <= atoi(argv[2]); round++) {
		err = one_round(argv[1], round);
		if (err)
			fprintf(stderr, "reload: round %d: %s\n", round, strerror(-err));
	}
	return err ? 1 : 0;
}
