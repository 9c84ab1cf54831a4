/* SPDX-License-Identifier: GPL-2.0-only */
/* Sorting, in user space. */
#ifndef SHIM_SORT_H
#define SHIM_SORT_H

#include <stdlib.h>

#define sort(base, n, size, compare, swap) qsort(base, n, size, compare)

#endif
