/* SPDX-License-Identifier: GPL-2.0-only */
/* Single bits and runs of them, in user space. */
#ifndef SHIM_BITS_H
#define SHIM_BITS_H

#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define GENMASK(high, low) ((~0UL << (low)) & (~0UL >> (63 - (high))))
#define GENMASK_ULL(high, low) ((~0ULL << (low)) & (~0ULL >> (63 - (high))))

#endif
