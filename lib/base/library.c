// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Loading a library by its name, and finding its functions.
 */
#include <dlfcn.h>
#include <string.h>

#include "lib/base/library.h"

/* ISO C has no cast from an object to a function. */
static bool find(void *handle, const struct library_function *function)
{
	void *address = dlsym(handle, function->name);

	memcpy(function->to, &address, sizeof(address));
	return address;
}

bool library_load(const char *soname, const struct library_function *functions, size_t count)
{
	void *handle = dlopen(soname, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	size_t i;

	for (i = 0; handle && i < count; i++)
		if (!find(handle, &functions[i]))
			return false;
	return handle;
}
