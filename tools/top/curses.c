// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loading ncurses.
 */
#include <dlfcn.h>
#include <stdint.h>

#include "tools/top/curses.h"

#define SONAME "libncursesw.so.6"

bool curses_load(struct curses *c)
{
	/* It stays: what it allocates belongs to the process. */
	void *handle = dlopen(SONAME, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	bool all = handle;

#define LOAD(name)								\
	all = all && (c->name = (__typeof__(c->name))(uintptr_t)dlsym(handle, #name));
	CURSES_FUNCTIONS(LOAD)
#undef LOAD
	return all && (c->window = dlsym(handle, "stdscr"));
}
