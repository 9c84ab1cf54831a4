/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a program and who tunes it tell each other of phases: over a socket of packets, one each
 * way a mark.
 */
#ifndef LIBPMUCTL_TALK_PHASE_H
#define LIBPMUCTL_TALK_PHASE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "lib/pmuctl-phase.h"

/* Where who tunes listens; the variable names another place, "@NAME" one without a file. */
#define PHASE_PATH "/run/pmuctl/phases"
#define PHASE_VARIABLE "PMUCTL_PHASES"

enum phase_mark {
	PHASE_BEGINS = 1,
	PHASE_ENDS,
};

/* A mark is answered with an int32_t: 0 or -errno. */
struct phase_message {
	uint32_t mark;
	char name[PMUCTL_PHASE_NAME_MAX + 1];
};

/* Returns the length of the address, 0 if the path is too long for one. */
static inline socklen_t phase_address(const char *path, struct sockaddr_un *address)
{
	size_t len = strlen(path);

	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	if (!len || len >= sizeof(address->sun_path))
		return 0;
	memcpy(address->sun_path, path, len);
	if (*path == '@')
		address->sun_path[0] = '\0';
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + (*path != '@'));
}

#endif
