/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Build-ids: by what a linked file is known, whatever its name.
 */
#ifndef LIBPMUCTL_BUILD_ID_H
#define LIBPMUCTL_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* perf.data has no room for more: longer ones are cut there. */
#define BUILD_ID_MAX 20

struct build_id {
	uint8_t size;		/* 0: not known */
	uint8_t bytes[BUILD_ID_MAX];	/* 0 behind the size */
};

/* One of any length, cut to what a file has of it. */
void build_id_set(struct build_id *id, const void *bytes, size_t size);
/*
 * Whether the two may be one file's: perf fills a short id with zeros, to 4 bytes or to all 20
 * (before 5.10 it did not say how long one is).
 */
bool build_id_same(const struct build_id *a, const struct build_id *b);
/* Its digits, without zeros at the end if `bare`; text has 2 * BUILD_ID_MAX + 1 bytes. */
void build_id_text(const struct build_id *id, bool bare, char *text);

/* false: there is none, or it cannot be read. */
bool build_id_in_notes(const void *notes, size_t size, struct build_id *id);
bool build_id_of_fd(int fd, struct build_id *id);
bool build_id_of_kernel(struct build_id *id);

#endif
