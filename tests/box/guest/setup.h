/* SPDX-License-Identifier: GPL-2.0-only */
/* What the guest's init prepares before the command and clears up after it. */
#ifndef BOX_SETUP_H
#define BOX_SETUP_H

/* Mounts the kernel's file systems. */
void setup_mounts(void);
/* Loads those of the modules listed in the file, one path a string, that are not there. */
void setup_modules(const char *list);
/* Unloads pmuctl, which nobody may be using any more. */
void setup_unload(void);
/* On the debug kernel: reports what leaked, the module unloaded or not. */
void setup_find_leaks(void);
/* Ends every process but init, and waits for them. */
void setup_end_processes(void);
/* The NUL-separated strings of a file as a NULL-terminated vector; NULL without the file. */
char **setup_strings(const char *path);

#endif
