/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's resource control (resctrl) as a tree of files: what of the last-level cache can be
 * given, what other groups have, and a group of ours.
 */
#ifndef PMUCTL_RESCTRL_H
#define PMUCTL_RESCTRL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* "L3", or apart for code and data where it is mounted so. */
#define RESCTRL_RESOURCES	2
#define RESCTRL_CACHES		64

struct resctrl_cache {
	unsigned int id;
	uint64_t mask;
};

/* What a group fills of one resource, cache by cache. */
struct resctrl_masks {
	struct resctrl_cache caches[RESCTRL_CACHES];
	size_t count;
};

struct resctrl_l3 {
	const char *names[RESCTRL_RESOURCES];
	size_t count;
	unsigned int ways, least;	/* of a mask: bits that it has, and that have to be set */
	unsigned int classes;		/* of service */
};

/* Returns false if the last-level cache cannot be divided there. */
bool resctrl_read_l3(const char *root, struct resctrl_l3 *l3);
/* The lowest so many bits. */
uint64_t resctrl_lowest(unsigned int ways);
/* The masks of a resource in what a file `schemata` says; false if it is not in it. */
bool resctrl_parse(const char *schemata, const char *resource, struct resctrl_masks *masks);
/* "L3:0=f;1=f", and a line each for code and data: this mask for each cache; false: no room. */
bool resctrl_schemata(const struct resctrl_l3 *l3, const char *schemata, uint64_t mask, char *text,
		      size_t size);
/* group: "" is the default one.  The file as it is, or "" where there is none. */
void resctrl_read(const char *root, const char *group, const char *file, char *text, size_t size);
/* 0 or -errno. */
int resctrl_write(const char *root, const char *group, const char *file, const char *text);
/*
 * The first group but `but` whose mode is exclusive or pseudo-locked and that has one of these
 * ways: true, its name ("the default group") and mode.
 */
bool resctrl_finds_owner(const char *root, const struct resctrl_l3 *l3, uint64_t mask,
			 const char *but, char *name, size_t size, const char **mode);
/* Are there any groups, to be counted or monitored, beside the default one? */
bool resctrl_has_groups(const char *root);

#endif
