// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of C++, Rust and D as people write them.
 */
#include <libiberty/demangle.h>
#include <stddef.h>

#include "lib/code/code.h"

char *demangle(const char *name)
{
	/* "_Z", "_R" and "_D"; most names are C's. */
	if (name[0] != '_' || !name[1])
		return NULL;
	return cplus_demangle(name, DMGL_AUTO);
}
