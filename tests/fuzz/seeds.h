/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What seeds are made of: bytes that are put behind each other, and saved.
 */
#ifndef FUZZ_SEEDS_H
#define FUZZ_SEEDS_H

#include <stddef.h>
#include <stdint.h>

extern unsigned char bytes[1 << 16];
extern size_t used;

void put(const void *from, size_t size);
void put_u64(uint64_t value);
void put_u32(uint32_t value);
/* Padded with zeros to a multiple of 8. */
void put_text(const char *text);
/* So many entries of so many words, behind their number. */
void put_list(uint64_t count, unsigned int words);
/* As PERF_SAMPLE_CALLCHAIN. */
void put_chain(void);
void set_u64(size_t at, uint64_t value);
/* All of the bytes, as a file of that name. */
void save(const char *directory, const char *name);

/* seeds_perfdata.c */
void seeds_of_perfdata(const char *directory);

#endif
