/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of several words was meant by one that is none of them.
 */
#ifndef PMUCTL_NEAR_H
#define PMUCTL_NEAR_H

struct near {
	const char *word;	/* that was written */
	const char *best;	/* the nearest so far; NULL: none is near */
	unsigned int distance;
};

/* Looks at one that there is; with best NULL before the first. */
void near_consider(struct near *n, const char *name);

#endif
