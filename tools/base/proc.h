/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What /proc says of the processes and threads that are there.
 */
#ifndef PMUCTL_PROC_H
#define PMUCTL_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The first line of a file, without its end; false: there is none. */
bool read_line(const char *path, char *line, size_t size);

typedef int task_fn(void *data, pid_t number);

/*
 * Calls fn for each until it returns another than 0: that, or -errno if they cannot be listed;
 * -ESRCH: there is no such process.
 */
int each_process(task_fn *fn, void *data);
int each_thread(pid_t pid, task_fn *fn, void *data);
/* What a process or thread is called; false: it is gone, and the name is as before. */
bool task_name(pid_t number, char *name, size_t size);

#endif
