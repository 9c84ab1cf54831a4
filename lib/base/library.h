/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Libraries that are loaded when something needs them.
 */
#ifndef LIBPMUCTL_LIBRARY_H
#define LIBPMUCTL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* A function of one, and the pointer that is to be set to it. */
struct library_function {
	const char *name;
	void *to;
};

/* It stays for as long as the process does.  False: it or one of its functions is not there. */
bool library_load(const char *soname, const struct library_function *functions, size_t count);

#endif
