/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where rows go while something is counted.  They are gathered in memory and leave it in
 * whole lines, one write for all that is there if a pipe takes it at once; and who does
 * not take them (a stopped reader, a slow terminal) holds up nobody.
 */
#ifndef PMUCTL_OUTLET_H
#define PMUCTL_OUTLET_H

#include <stdbool.h>
#include <stdio.h>

struct outlet;

/* fd stays the caller's.  NULL: there is no memory. */
struct outlet *outlet_open(int fd);
/* What is not written by then is gone. */
void outlet_close(struct outlet *o);
/* Its text; outlet_push() sends it on its way. */
FILE *outlet_stream(const struct outlet *o);

/*
 * From now on no write waits, whoever else writes there: the descriptor is opened once
 * more for ourselves.  (O_NONBLOCK on what we were given would be the command's, too.)
 */
void outlet_never_wait(struct outlet *o);
/* Writes what is taken now.  Whether anything is left that was not. */
bool outlet_push(struct outlet *o);
/* The descriptor that tells when more is taken; -1: nothing is left. */
int outlet_waits_for(const struct outlet *o);
/* The first error of all writes as a negative errno, or 0. */
int outlet_error(const struct outlet *o);
/* What is left goes, and is an error; nor does standard error wait for that reader any more. */
void outlet_give_up(struct outlet *o);

#endif
