// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What reading any part of a perf.data file needs: its bytes, and words for what is wrong
 * with it.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/private.h"
#include "lib/perfdata/perfdata.h"

int data_bad(struct pmuctl_data *data, uint64_t offset, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return fail(data->ctx, -EBADMSG, "%s: %s (at byte %llu)", data->path, text,
		    (unsigned long long)offset);
}

int data_refuse(struct pmuctl_data *data, const char *why)
{
	return fail(data->ctx, -EOPNOTSUPP, "%s: cannot be read: %s", data->path, why);
}

int data_no_memory(struct pmuctl_data *data)
{
	return fail(data->ctx, -ENOMEM, "%s: out of memory", data->path);
}

int data_pread(struct pmuctl_data *data, void *to, size_t size, uint64_t offset)
{
	uint8_t *at = to;
	ssize_t got;

	while (size) {
		if (offset > INT64_MAX)
			got = 0;
		else
			got = pread(data->fd, at, size, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return data_bad(data, offset, "the file ends too early");
		at += got;
		offset += (uint64_t)got;
		size -= (size_t)got;
	}
	return 0;
}

void *data_grow(void *array, size_t *room, size_t count, size_t size)
{
	size_t more = *room ? *room * 2 : 32;

	if (count < *room)
		return array;
	array = reallocarray(array, more, size);
	if (array)
		*room = more;
	return array;
}
