/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Regions of a program, counted by its threads themselves:
 *
 *	PMUCTL_REGION_BEGIN("sort");
 *	sort();
 *	PMUCTL_REGION_END("sort");
 *
 * Where nobody asks nothing is counted: `pmuctl stat --regions -e EVENTS -- PROGRAM` does, or the
 * environment's PMUCTL_REGIONS with the events.  A table of all threads' sums is written when the
 * program exits: to the file that PMUCTL_REGIONS_FILE names, or to stderr; and behind the signal
 * of the number in PMUCTL_REGIONS_SIGNAL with the next region that ends.  With
 * PMUCTL_REGIONS_SUBTRACT=1 what beginning and ending regions took is subtracted, as measured.
 *
 * A region's counts have those of the regions within it; one within itself counts once.  The last
 * that was begun ends first.
 *
 * The macros need no library: a program that is built without -lpmuctl has them cost a look at a
 * pointer, and is counted all the same, as stat --regions preloads the library.  (The pointer is a
 * weak symbol, which takes a program that is position-independent, as is the default, or
 * -Wl,-z,dynamic-undefined-weak.)  With PMUCTL_NO_REGIONS defined they are nothing.
 */
#ifndef LIBPMUCTL_REGION_H
#define LIBPMUCTL_REGION_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Bytes of a name at most, without its end. */
#define PMUCTL_REGION_NAME_MAX 63
/* Regions within each other, different ones in a thread, and events of them. */
#define PMUCTL_REGION_DEPTH_MAX 32
#define PMUCTL_REGION_COUNT_MAX 256
#define PMUCTL_REGION_EVENTS_MAX 16

/*
 * 0, also where nobody asks, and where it cannot be counted, which the table says; -EINVAL: the
 * name is NULL, empty, too long or has control characters, or (end) is not the last one that was
 * begun; -E2BIG: there are too many.  Not for signal handlers.
 */
int pmuctl_region_begin(const char *name) __attribute__((weak));
int pmuctl_region_end(const char *name) __attribute__((weak));

#ifdef PMUCTL_NO_REGIONS
#define PMUCTL_REGION_BEGIN(name) ((void)0)
#define PMUCTL_REGION_END(name) ((void)0)
#else
#define PMUCTL_REGION_BEGIN(name) \
	(pmuctl_region_begin ? (void)pmuctl_region_begin(name) : (void)0)
#define PMUCTL_REGION_END(name) (pmuctl_region_end ? (void)pmuctl_region_end(name) : (void)0)
#endif

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
