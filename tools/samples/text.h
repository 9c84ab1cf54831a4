/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What samples name, in words: places in programs, lines of sources, where data came from.
 */
#ifndef PMUCTL_SAMPLES_TEXT_H
#define PMUCTL_SAMPLES_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pmuctl_data;
struct pmuctl_insn;
struct pmuctl_place;
struct writer;

/*
 * What a DSO is called in a table for people, as perf shortens it: "libc.so.6", "[xfs]"; to be
 * freed, NULL: no memory.
 */
char *dso_text(struct pmuctl_data *data, uint32_t dso);
/* "main+0x24", or without a symbol "0x1139 in prog" */
void place_text(struct pmuctl_data *data, const struct pmuctl_place *place, char *text,
		size_t size);
/*
 * The instruction there, whose size field is set, as the file of its code has them; an error
 * if there is none, and text says why: "(no code here)".
 */
int place_insn(struct pmuctl_data *data, const struct pmuctl_place *place,
	       struct pmuctl_insn *insn);

/* Where in a source file the place is: "file" and "line", in text behind an instruction. */
void write_source_line(struct writer *w, struct pmuctl_data *data,
		       const struct pmuctl_place *place);

/*
 * Where a source file is: below prefix, without so many directories of its name, in path; without
 * a prefix (NULL) where it says.
 */
const char *source_path(const char *prefix, unsigned int strip, const char *file, char *path,
			size_t size);
/* Lines of source files, kept until sources_free(). */
struct sources;
/* NULL if there is no such line; valid as long as the sources. */
const char *source_line(struct sources **sources, const char *file, unsigned int line);
void sources_free(struct sources *sources);

/* Of union perf_mem_data_src */
uint64_t source_key(uint64_t data_src);
/* Not if it says of all that it is not available, as perf does of events without it. */
bool source_is_known(uint64_t data_src);
void source_text_of(uint64_t key, char *text, size_t size);
bool source_hit_l1(uint64_t data_src);

#endif
