/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which instruction of a function is which in another build of it.
 */
#ifndef PMUCTL_DIFF_ALIGN_H
#define PMUCTL_DIFF_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALIGN_NONE UINT64_MAX

/* Code of a function; bits: as pmuctl_data_bits() has them. */
struct align_code {
	const uint8_t *bytes;
	size_t size;
	unsigned int bits;
};

/* Instructions by where they begin in the function, in order of both. */
struct align_pair {
	uint32_t a, b;
};

struct alignment {
	struct align_pair *pairs;
	size_t count;
};

/*
 * Pairs up as many instructions as can be without crossing, which do the same with whatever
 * registers and constants; fills *made, which align_free() frees.  Of those that differ in
 * thousands of places only the first and the last are paired.  0 or -ENOMEM.
 */
int align_make(const struct align_code *a, const struct align_code *b, struct alignment *made);
void align_free(struct alignment *made);
/* Where on the other side the instruction is that is here on that side; ALIGN_NONE: nowhere. */
uint64_t align_other(const struct alignment *made, unsigned int side, uint64_t offset);

#endif
