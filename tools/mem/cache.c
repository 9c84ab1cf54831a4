// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first-level cache that pmuctl mem goes by.
 */
#include "tools/mem/mem.h"

bool mem_find_cache(struct mem *m)
{
	m->cache_recorded = m->info->l1d.sets;
	m->cache = m->info->l1d;
	m->cache.size = sizeof(m->cache);
	return m->cache_recorded || !pmuctl_get_l1d(m->ctx, &m->cache);
}
