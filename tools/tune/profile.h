/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles: what was found to be best for a program, kept by its build-id, with the processor it
 * was found on and the evidence.
 */
#ifndef PMUCTL_TUNE_PROFILE_H
#define PMUCTL_TUNE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/build_id.h"

#define PROFILE_DIR "/var/lib/pmuctl/tune"

struct pmuctl;

/* Of a processor, as far as features may behave otherwise on another one. */
struct profile_cpu {
	uint32_t family, model, stepping;
	char microcode[24];	/* as /proc/cpuinfo has it; "": it has none */
};

/* How much a setting gains, by the runs that confirmed it. */
struct evidence {
	char *by;		/* "cycles", "time" */
	double ratio, low, high, level;	/* as it was by the setting */
	double energy;		/* the same of energy; 0: it was not asked for */
	uint64_t pairs, seed;
	char *date;		/* of the day */
};

struct profile_setting {
	char *phase;		/* NULL: all of the program */
	char *features;		/* "l2-stream=off,l1-next=off" */
	struct evidence evidence;
};

struct profile {
	char id[2 * BUILD_ID_MAX + 1];
	char *program;		/* its path */
	char *program_class;
	struct profile_cpu cpu;
	struct profile_setting *settings;
	size_t count;
};

/* Those of claim 6 of the patent. */
extern const char *const program_classes[];
/* Whether the word is one of them, and all of them as "a, b or c". */
bool is_program_class(const char *word);
void program_classes_text(char *text, size_t size);

/* Returns 0 or -errno. */
int profile_cpu_get(struct pmuctl *ctx, struct profile_cpu *cpu);
/* Why what was found on one is not applied on the other; NULL: it may be. */
const char *profile_stale(const struct profile_cpu *found, const struct profile_cpu *here);

/*
 * Why it is not applied here: by the processor, or by the file that its program is now.  NULL: it
 * fits, and *fd is that file, to be closed.
 */
const char *profile_misfit(const struct profile *p, const struct profile_cpu *here, int *fd);

/* All zero before; returns 0 or -errno, with what is wrong with the file in why. */
int profile_read(const char *path, struct profile *p, char *why, size_t size);
/* In one piece or not at all: whoever reads it has the one before or this one.  0 or -errno. */
int profile_write(const char *dir, const struct profile *p);
void profile_free(struct profile *p);
/* That of the phase (NULL: all of the program), made if there is none; NULL: no memory. */
struct profile_setting *profile_setting(struct profile *p, const char *phase);
/* Takes it out; false: there is none. */
bool profile_drop(struct profile *p, const char *phase);

/* Where it is kept; NULL: no memory. */
char *profile_path(const char *dir, const char *id);
/* Calls fn for each file of the folder, in the order of names, until it returns not 0. */
int profile_each(const char *dir, int (*fn)(void *data, const char *path), void *data);

#endif
