/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of a host in which a DS area is.  A program each includes it, behind its
 * DS (the address) and MEMORY_SIZE.
 */
#ifndef DS_HOST_H
#define DS_HOST_H

#include <string.h>

static uint8_t memory[MEMORY_SIZE];
static uint64_t hole;			/* the page at this address is not there */

static inline bool there(uint64_t addr, unsigned int size)
{
	uint64_t page = UINT64_C(0xfff);

	return addr >= DS && addr + size <= DS + MEMORY_SIZE && (addr & ~page) != hole &&
	       ((addr + size - 1) & ~page) != hole;
}

static inline bool memory_read(void *data, uint64_t addr, uint64_t *word)
{
	(void)data;
	if (!there(addr, sizeof(*word)))
		return false;
	memcpy(word, memory + (addr - DS), sizeof(*word));
	return true;
}

static inline bool memory_writable(void *data, uint64_t addr, unsigned int size)
{
	(void)data;
	return there(addr, size);
}

static inline void memory_write(void *data, uint64_t addr, uint64_t word)
{
	(void)data;
	assert_true(there(addr, sizeof(word)));
	memcpy(memory + (addr - DS), &word, sizeof(word));
}

static const struct pmu_memory memory_ops = {
	.read = memory_read, .writable = memory_writable, .write = memory_write,
};

#endif
