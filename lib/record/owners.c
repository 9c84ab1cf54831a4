// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Whose the processes are that run code of their own making: in /tmp anybody may leave symbols
 * for a process that is gone, and readers believe its own user's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "lib/code/perf_features.h"
#include "lib/record/dump.h"

/* As many as there may be processes at a time, by Linux's default. */
#define OWNERS_MAX 32768

void dump_owners_note(struct pmuctl_dump *d, uint32_t pid)
{
	struct dump_owners *o = &d->owners;
	struct owner *more;
	char path[32];
	struct stat st;
	size_t i;

	/* What a process maps it maps in a row. */
	for (i = o->count; i--;)
		if (o->list[i].pid == pid)
			return;
	snprintf(path, sizeof(path), "/proc/%u", pid);
	if (o->count == OWNERS_MAX || stat(path, &st))
		return;
	/* Without memory nobody knows. */
	more = reallocarray(o->list, o->count + 1, sizeof(*more));
	if (!more)
		return;
	o->list = more;
	o->list[o->count++] = (struct owner){ pid, st.st_uid };
}

void dump_owners_renew(struct pmuctl_dump *d,
		       bool (*lives)(const struct pmuctl_dump *d, uint32_t pid))
{
	struct dump_owners *o = &d->owners;
	size_t i, kept = 0;

	for (i = 0; i < o->count; i++)
		if (i >= o->old || lives(d, o->list[i].pid))
			o->list[kept++] = o->list[i];
	o->count = o->old = kept;
}

/* Behind the text, where perf does not look. */
int dump_put_version(struct pmuctl_dump *d, struct dump_buffer *to)
{
	const uint32_t count = (uint32_t)d->owners.count;

	return dump_append_text(to, PERF_FEATURE_PMUCTL PMUCTL_VERSION) ||
	       dump_append(to, &count, sizeof(count)) ||
	       dump_append(to, d->owners.list, count * sizeof(*d->owners.list)) ? -ENOMEM : 0;
}
