// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Structures of the caller's, which start with their size, so that programs of older and
 * newer headers than the library's do.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/private.h"

/* No structure of ours will ever be as large: what is larger was never set. */
#define SIZED_MAX 4096

static size_t size_of(const void *structure)
{
	size_t size;

	memcpy(&size, structure, sizeof(size));
	return size;
}

int is_null(struct pmuctl *ctx, const char *what)
{
	return fail(ctx, -EINVAL, "the pointer to %s is NULL", what);
}

int check_sized(struct pmuctl *ctx, const void *structure)
{
	size_t size = structure ? size_of(structure) : 0;

	/* Its first member aligns it, so that no sizeof is anything but a multiple. */
	if (size >= sizeof(size) && size <= SIZED_MAX && !(size % sizeof(size)))
		return 0;
	if (!ctx)
		return -EINVAL;
	if (!structure)
		return is_null(ctx, "a structure");
	return fail(ctx, -EINVAL, "a structure's size cannot be %zu; set .size to its sizeof", size);
}

/* The part of it that both sides know; its size stays what its owner said. */
static void copy_rest(void *to, const void *from, size_t have, size_t size)
{
	size_t common = have < size ? have : size;

	memcpy((char *)to + sizeof(size), (const char *)from + sizeof(size),
	       common - sizeof(size));
}

int take_sized(struct pmuctl *ctx, void *own, const void *from, size_t size)
{
	int err = check_sized(ctx, from);

	if (!err)
		copy_rest(own, from, size_of(from), size);
	return err;
}

int give_sized(struct pmuctl *ctx, void *to, const void *own, size_t size)
{
	int err = check_sized(ctx, to);

	if (!err)
		copy_rest(to, own, size_of(to), size);
	return err;
}
