/* SPDX-License-Identifier: GPL-2.0-only */
/* Macros that kernel code takes for granted, in user space. */
#ifndef SHIM_KERNEL_H
#define SHIM_KERNEL_H

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))

#endif
