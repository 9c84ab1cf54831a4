// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting samples whose functions have no names, and saying so.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/samples/missing.h"

/* Objects that a line has room for; the heaviest. */
#define NAMED 3

void missing_add(struct missing *m, uint32_t dso, const char *name, uint64_t samples)
{
	size_t room = m->room ? m->room : 64;
	uint64_t *more;

	m->all += samples;
	if (name)
		return;
	while (room <= dso)
		room *= 2;
	if (room > m->room) {
		more = reallocarray(m->samples, room, sizeof(*more));
		/* Then it is not counted, which costs a remark. */
		if (!more)
			return;
		memset(more + m->room, 0, (room - m->room) * sizeof(*more));
		m->samples = more;
		m->room = room;
	}
	m->samples[dso] += samples;
}

/* What has a name and a function without one is as it is; only what is not here counts. */
static size_t drop_others(struct missing *m, struct pmuctl_data *data, uint64_t *sum)
{
	size_t dso, count = 0;

	*sum = 0;
	for (dso = 0; dso < m->room; dso++) {
		if (!m->samples[dso] || !pmuctl_data_missing(data, (uint32_t)dso))
			m->samples[dso] = 0;
		*sum += m->samples[dso];
		count += !!m->samples[dso];
	}
	return count;
}

static size_t heaviest(const struct missing *m)
{
	size_t dso, best = 0;

	for (dso = 0; dso < m->room; dso++)
		if (m->samples[dso] > m->samples[best])
			best = dso;
	return best;
}

/* Code that a program made has no file of its own. */
static void put_dso(struct pmuctl_data *data, uint32_t dso, FILE *f)
{
	const char *name = pmuctl_data_dso(data, dso);
	int pid;

	if (is_made_code(name, &pid))
		fprintf(f, "[JIT] tid %d", pid);
	else
		fputs(name, f);
}

static void list(struct missing *m, struct pmuctl_data *data, size_t count, FILE *f)
{
	size_t i, dso;

	for (i = 0; i < count && i < NAMED; i++) {
		dso = heaviest(m);
		fprintf(f, "%s%" PRIu64 " in ", i ? ", " : "", m->samples[dso]);
		put_dso(data, (uint32_t)dso, f);
		fprintf(f, " (%s)", pmuctl_data_missing(data, (uint32_t)dso));
		m->samples[dso] = 0;
	}
	if (count > NAMED)
		fprintf(f, " and others in %zu objects more", count - NAMED);
}

void missing_complain(const char *cmd, struct missing *m, struct pmuctl_data *data)
{
	uint64_t sum = 0;
	size_t count = m->room ? drop_others(m, data, &sum) : 0, size;
	char *text = NULL;
	FILE *f = count ? open_memstream(&text, &size) : NULL;

	if (f) {
		list(m, data, count, f);
		fclose(f);
		complain(cmd, 0, "%" PRIu64 " of %" PRIu64 " samples have no function's name: %s; files "
			 "come with --symfs, --kallsyms and `pmuctl archive`, names with debug packages "
			 "and DEBUGINFOD_URLS", sum, m->all, text ? text : "");
	}
	free(text);
}

void missing_free(struct missing *m)
{
	free(m->samples);
}
