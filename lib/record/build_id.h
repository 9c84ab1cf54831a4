/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Build-ids: by what a linked file is known, whatever its name.
 */
#ifndef LIBPMUCTL_BUILD_ID_H
#define LIBPMUCTL_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILD_ID_MAX 20

struct build_id {
	size_t size;		/* bytes; at most BUILD_ID_MAX */
	uint8_t bytes[BUILD_ID_MAX];
};

/* false: it has none, or cannot be read. */
bool build_id_of_file(const char *path, struct build_id *id);
bool build_id_of_kernel(struct build_id *id);

#endif
