/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Phases of a program, marked by itself, for `pmuctl tune`: a collection of garbage may want
 * other features of the processor than what is around it.
 *
 *	pmuctl_phase_begin("gc");
 *	collect();
 *	pmuctl_phase_end("gc");
 *
 * Where nobody tunes, either is a look at the clock.  Where somebody does, the phase has its
 * features when pmuctl_phase_begin() returns, and they are gone when pmuctl_phase_end() does.
 * Threads may be in a phase at the same time: it lasts until the last one has ended it.  The
 * marks are of the process; a child of fork() begins without phases.
 */
#ifndef LIBPMUCTL_PHASE_H
#define LIBPMUCTL_PHASE_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Bytes of a name at most, without its end. */
#define PMUCTL_PHASE_NAME_MAX 63

/*
 * 0, also where nobody tunes; -EINVAL: the name is NULL, empty or too long, or (end) who tunes has
 * heard of no such phase; -EBUSY: somebody else holds a feature at another value, so the phase goes
 * on without; -ETIMEDOUT: who tunes did not answer within a second, and is asked no more for as
 * long.  Not for signal handlers.
 */
int pmuctl_phase_begin(const char *name);
int pmuctl_phase_end(const char *name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
