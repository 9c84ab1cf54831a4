// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which file's variables are at an address.  Zeroed data has no mapping of the file's:
 * it follows the last one, and without records of data mappings only code tells where
 * a file was loaded.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/private.h"
#include "lib/code/code.h"

#define PAGE		4096u
/* Mappings between data and its file; pages of which nothing is known at all. */
#define MAPS_MAX	4096u
#define PAGES_MAX	256u

static bool is_file(const struct pmuctl_data *data, const struct map *map)
{
	const char *name = dsos_name(data->dsos, map->dso);

	return !map->as_it_is && name[0] == '/';
}

/* At the address, or below it with nothing between but memory of no file. */
static const struct map *file_below(const struct pmuctl_data *data, uint32_t pid, uint64_t time,
				    uint64_t address)
{
	unsigned int maps = 0, pages = 0;
	const struct map *map;

	while (maps < MAPS_MAX && pages < PAGES_MAX) {
		map = maps_find(data->maps, pid, time, address);
		if (map && is_file(data, map))
			return map;
		if ((map ? map->start : address) < PAGE)
			return NULL;
		maps += !!map;
		pages += !map;
		address = map ? map->start - 1 : address - PAGE;
	}
	return NULL;
}

/* Two parts of a file may share a page of it; the lowest is the first. */
static const struct map *lowest(const struct pmuctl_data *data, uint32_t pid, uint64_t time,
				const struct map *map)
{
	const struct map *below;
	unsigned int i;

	for (i = 0; i < MAPS_MAX && map->start; i++) {
		below = maps_find(data->maps, pid, time, map->start - 1);
		if (!below || below->dso != map->dso || below->offset > map->offset)
			break;
		map = below;
	}
	return map;
}

/* By how much addresses in the process are higher than in the file's symbol table. */
static uint64_t bias_of(const struct dso *dso, const struct map *map)
{
	const uint64_t in_page = PAGE - 1;
	const struct segment *s;
	size_t i;

	for (i = 0; i < dso->segments_count; i++) {
		s = &dso->segments[i];
		if (s->size && (s->offset & ~in_page) == map->offset)
			return map->start - (s->address & ~in_page);
	}
	for (i = 0; i < dso->segments_count; i++) {
		s = &dso->segments[i];
		if (map->offset - s->offset < s->size)
			return map->start - (s->address + map->offset - s->offset);
	}
	return map->start - map->offset;
}

/* Whether one of its segments has a byte in that page.  Of a file that is not here: maybe. */
static bool has_page(const struct dso *dso, uint64_t page)
{
	const struct segment *s;
	size_t i;

	for (i = 0; i < dso->segments_count; i++) {
		s = &dso->segments[i];
		if (page + PAGE > s->address && page < s->address + s->memory)
			return true;
	}
	return !dso->segments_count;
}

uint32_t pmuctl_data_image(const struct pmuctl_data *data, uint32_t pid, uint64_t time)
{
	return maps_image(data->maps, pid, time);
}

void pmuctl_data_mapped(const struct pmuctl_data *data, uint32_t pid, uint64_t time,
			uint64_t address, struct pmuctl_mapping *mapping)
{
	const struct map *map = maps_find_first(data->maps, pid, time, address);

	*mapping = (struct pmuctl_mapping){ .dso = 0 };
	if (map)
		*mapping = (struct pmuctl_mapping){ map->dso, map->start };
}

int pmuctl_data_loaded(struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t address,
		       uint32_t *dso, uint64_t *bias)
{
	const struct map *map = file_below(data, pid, time, address);
	const struct dso *file;

	if (!map)
		return -ENOENT;
	file = dsos_get(data->dsos, map->dso);
	*dso = map->dso;
	*bias = bias_of(file, lowest(data, pid, time, map));
	return has_page(file, (address - *bias) & ~(uint64_t)(PAGE - 1)) ? 0 : -ENOENT;
}
