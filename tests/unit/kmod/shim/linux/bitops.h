/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding bits, in user space. */
#ifndef SHIM_BITOPS_H
#define SHIM_BITOPS_H

#include <linux/bits.h>
#include <linux/types.h>

static inline unsigned int hweight64(u64 x)
{
	return __builtin_popcountll(x);
}

static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static inline unsigned int hweight32(u32 x)
{
	return __builtin_popcount(x);
}

static inline unsigned long hweight_long(unsigned long x)
{
	return __builtin_popcountl(x);
}

#endif
