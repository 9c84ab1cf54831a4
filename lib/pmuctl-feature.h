/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Features of the processor: prefetchers that are switched off for a while, and on again.
 */
#ifndef LIBPMUCTL_FEATURE_H
#define LIBPMUCTL_FEATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct pmuctl;
struct pmuctl_hold;

/* A part of the machine that has a feature by itself. */
struct pmuctl_feature_place {
	uint32_t cpu;		/* the first one that is online there */
	bool known;		/* there is such a register, and its value is `now` */
	bool held;		/* somebody holds it, at `wrote`; before that it was `found` */
	bool for_tasks;		/* of `held`: while they run there; `now` may be either */
	uint64_t found, wrote, now;
	pid_t holder;		/* of `held` */
	const char *holder_comm;
};

struct pmuctl_feature_info {
	const char *name;	/* the same on all processors: "l1-next" */
	const char *text;	/* what it does */
	/*
	 * 1: in Intel's manuals; 2: a tool of Intel's says so; 3: it cannot be switched at all, and
	 * there is no field of it.
	 */
	uint32_t level;
	const char *scope;	/* what has one by itself: "core"; NULL of level 3 */
	uint32_t msr, shift, width;
	uint64_t off;		/* the value that switches it off */
	const char *why_not;	/* why it cannot be switched now; NULL: it can */
	const struct pmuctl_feature_place *places;
	size_t places_count;
	/*
	 * Which kind of cores has it, as pmuctl_kind_get() names it; NULL where there is one kind.
	 * What several kinds have comes once for each.
	 */
	const char *cores;
};

/* What it is returned ends the walk if not 0, and is returned. */
typedef int pmuctl_feature_fn(void *data, const struct pmuctl_feature_info *feature);

/* Those that this processor has, and then, with the reason, those that none lets be switched. */
int pmuctl_list_features(struct pmuctl *ctx, pmuctl_feature_fn *fn, void *data);

/*
 * "NAME=VALUE[,...]" with the names of features, or "prefetch" for all of the manuals', and on, off
 * or a number; of several for one feature the last holds.  Only how it is written is looked at, and
 * whether there are such names, with no module: -EINVAL, -ENOENT; -EOPNOTSUPP: one cannot be
 * switched at all.
 */
int pmuctl_check_features(struct pmuctl *ctx, const char *text);
/* Whether the word, up to a '=', is the name of a feature, or "prefetch". */
bool pmuctl_is_feature(const char *text);

/*
 * Features have these values until the hold is released or the context closed, or the process
 * ends in whatever way; then what was found is back.  On these CPUs and what shares cores with
 * them, or (count 0) on all.  -EPERM: no CAP_SYS_ADMIN, no CAP_SYS_RAWIO, or lockdown;
 * -EOPNOTSUPP: the module does not switch it here; -EBUSY: somebody else holds another value;
 * -EIO: the machine does not take it.  Of a feature that several kinds of cores have, those of
 * these CPUs; -ENOENT: no core of them has it.
 */
int pmuctl_hold_features(struct pmuctl *ctx, const char *text, const unsigned int *cpus,
			 size_t count, struct pmuctl_hold **hold);
/*
 * The same wherever threads of a process run, those that it has and what they start from then on,
 * and only while they do: what was found is there while others run.  -EOPNOTSUPP also where cores
 * have two threads, and for features of which a core has none of its own; -ESRCH: there is no such
 * process.
 */
int pmuctl_hold_features_for(struct pmuctl *ctx, const char *text, pid_t process,
			     struct pmuctl_hold **hold);
/* CPUs that have them as well since they share something with those that were named. */
const unsigned int *pmuctl_hold_also(const struct pmuctl_hold *hold, size_t *count);

/* What somebody else wrote meanwhile, which was left so. */
struct pmuctl_left {
	const char *name;
	uint32_t cpu;
	uint64_t wrote;		/* while it was held */
	uint64_t now;
};

typedef void pmuctl_left_fn(void *data, const struct pmuctl_left *left);

/* fn: for each that was left, may be NULL.  The hold is freed in any case; NULL is none. */
int pmuctl_hold_release(struct pmuctl_hold *hold, pmuctl_left_fn *fn, void *data);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
