/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the files are that a perf.data file names: options of all that show one, and opening
 * it with them.
 */
#ifndef PMUCTL_WHERE_H
#define PMUCTL_WHERE_H

#include "tools/base/options.h"

struct pmuctl;
struct pmuctl_data;

struct where_args {
	const char *symfs, *kallsyms, *vmlinux;
	bool download;
};

/* Rows of them; the command's structure has a struct where_args `where`. */
#define OPTIONS_WHERE(type)								\
	{ 0, "symfs", "DIR", take_text, offsetof(type, where.symfs), .what = "the directory",	\
	  .help = "files of code are below it, as on the machine that was recorded" },	\
	{ 0, "kallsyms", "FILE", take_text, offsetof(type, where.kallsyms),		\
	  .help = "the kernel's symbols: a copy of its /proc/kallsyms" },		\
	{ 0, "vmlinux", "FILE", take_text, offsetof(type, where.vmlinux), .place = PLACE_OR,	\
	  .help = "the kernel as an ELF file, for its symbols, lines and code" },	\
	{ 0, "debuginfod", NULL, take_flag, offsetof(type, where.download),		\
	  .help = "fetch files that are not here from DEBUGINFOD_URLS" }

/* Opens it; 0, or the exit code after a complaint. */
int open_data(const char *cmd, struct pmuctl *ctx, const char *input,
	      const struct where_args *where, struct pmuctl_data **data);

#endif
