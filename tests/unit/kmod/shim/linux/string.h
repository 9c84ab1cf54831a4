/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's string functions are the C library's. */
#ifndef SHIM_STRING_H
#define SHIM_STRING_H

#include <string.h>

#endif
