/* SPDX-License-Identifier: GPL-2.0-only */
/* Macros that kernel code takes for granted, in user space. */
#ifndef SHIM_KERNEL_H
#define SHIM_KERNEL_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))

/* What is in the text now, not what there was no room for. */
__attribute__((format(printf, 3, 4)))
static inline size_t scnprintf(char *text, size_t size, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, size, format, args);
	va_end(args);
	return (size_t)length < size ? (size_t)length : size - 1;
}

#endif
