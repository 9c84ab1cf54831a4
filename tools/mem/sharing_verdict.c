// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether threads that touch one line of the cache share its bytes, or the line alone.
 *
 * Threads, bytes and writes decide; that loads found the line modified elsewhere is no part
 * of it.  A thread that was seen seldom (that which begins and ends the others has a look at
 * all of their data) decides nothing, nor do bytes that a thread seldom touched.
 */
#include <errno.h>
#include <stdlib.h>

#include "tools/mem/sharing.h"

/* Samples that a thread, or a thread's bytes, must have, and of what they are a part per cent. */
#define LEAST		2
#define LEAST_PERCENT	1
/* And a line, of all threads that count. */
#define LINE_LEAST	10
/* Of a line's samples: one thread has nearly all of them. */
#define ALONE_PERCENT	90

static bool is_enough(uint64_t samples, uint64_t of)
{
	return samples >= LEAST && samples * 100 >= of * LEAST_PERCENT;
}

/* ---- threads that count ---------------------------------------------------------------------- */

static size_t count_frequent(struct toucher *touchers, size_t count)
{
	uint64_t samples = 0;
	size_t i, found = 0;

	for (i = 0; i < count; i++)
		samples += touchers[i].samples;
	for (i = 0; i < count; i++) {
		touchers[i].counts = is_enough(touchers[i].samples, samples);
		found += touchers[i].counts;
	}
	return found;
}

static int by_first(const void *x, const void *y)
{
	const struct toucher *a = *(struct toucher *const *)x, *b = *(struct toucher *const *)y;

	return a->first < b->first ? -1 : a->first > b->first;
}

/*
 * Of a buffer that was drained once all samples have one time, where the hardware has none of
 * its own: then it is not known when they were.
 */
static bool has_times(const struct toucher *t)
{
	return t->first < t->last;
}

static size_t keep_overlapping(struct toucher **order, size_t count)
{
	struct toucher *latest = NULL;
	size_t i, found = 0;

	for (i = 0; i < count; i++) {
		if (!has_times(order[i])) {
			for (i = 0; i < count; i++)
				order[i]->counts = true;
			return count;
		}
		if (latest && order[i]->first <= latest->last)
			order[i]->counts = latest->counts = true;
		if (!latest || order[i]->last > latest->last)
			latest = order[i];
	}
	for (i = 0; i < count; i++)
		found += order[i]->counts;
	return found;
}

/* Of those that count, the ones that were there while another was; how many, or -ENOMEM. */
static int count_at_once(struct toucher *touchers, size_t count)
{
	struct toucher **order = calloc(count, sizeof(struct toucher *));
	size_t i, n = 0;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		if (touchers[i].counts)
			order[n++] = &touchers[i];
		touchers[i].counts = false;
	}
	qsort(order, n, sizeof(struct toucher *), by_first);
	n = keep_overlapping(order, n);
	free(order);
	return (int)n;
}

static int by_number(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return a < b ? -1 : a > b;
}

/* Different cores of those that count, 0 if it is not known of all, or -ENOMEM. */
static int count_cores(const struct toucher *touchers, size_t count)
{
	size_t i, k, n = 0, all = 0;
	uint32_t *cores;
	int found = 0;

	for (i = 0; i < count; i++)
		all += touchers[i].cores_count;
	cores = calloc(all + 1, sizeof(*cores));
	if (!cores)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		for (k = 0; touchers[i].counts && k < touchers[i].cores_count; k++)
			cores[n++] = touchers[i].cores[k];
	qsort(cores, n, sizeof(*cores), by_number);
	for (i = 0; i < n && cores[n - 1] != UINT32_MAX; i++)
		found += !i || cores[i] != cores[i - 1];
	free(cores);
	return found;
}

/* ---- their bytes ----------------------------------------------------------------------------- */

static void add_bytes(struct toucher *touchers, const struct part *parts, size_t count)
{
	struct toucher *t;
	size_t i;

	for (i = 0; i < count; i++) {
		t = &touchers[parts[i].toucher];
		if (!t->counts || !is_enough(parts[i].samples, t->samples))
			continue;
		t->reads |= parts[i].reads ? parts[i].bytes : 0;
		t->writes |= parts[i].writes ? parts[i].bytes : 0;
	}
}

/* Contested bytes, and those that are accessed with one of them at once. */
static uint64_t with_neighbours(const struct toucher *touchers, const struct part *parts,
				size_t count, uint64_t contested)
{
	uint64_t all = contested;
	size_t i;

	for (i = 0; i < count; i++)
		if (touchers[parts[i].toucher].counts && parts[i].bytes & contested)
			all |= parts[i].bytes;
	return all;
}

static uint64_t touched_by(const struct toucher *t)
{
	return t->reads | t->writes;
}

/* Whether two threads, one of which writes, have no byte in common. */
static bool are_apart(const struct toucher *touchers, size_t count)
{
	size_t i, k;

	for (i = 0; i < count; i++)
		for (k = 0; touchers[i].writes && k < count; k++)
			if (touched_by(&touchers[k]) &&
			    !(touched_by(&touchers[i]) & touched_by(&touchers[k])))
				return true;
	return false;
}

/* Where bytes are contested: whether there is more on the line that somebody writes. */
static bool has_more(const struct toucher *touchers, size_t count, uint64_t contested,
		     struct finding *f)
{
	unsigned int outside = 0;
	uint64_t touched, beside = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		touched = touched_by(&touchers[i]);
		f->aside += touched && !(touched & contested);
		outside += (touched & ~contested) != 0;
		beside |= touchers[i].writes & ~contested;
	}
	f->apart = are_apart(touchers, count);
	return f->aside || f->apart || (beside && outside > 1);
}

/* The verdict by bytes alone. */
static enum verdict judge_bytes(const struct toucher *touchers, size_t count,
				const struct part *parts, size_t parts_count, struct finding *f)
{
	uint64_t once = 0, twice = 0, written = 0, touched;
	size_t i;

	for (i = 0; i < count; i++) {
		touched = touched_by(&touchers[i]);
		twice |= once & touched;
		once |= touched;
		written |= touchers[i].writes;
		f->writers += touchers[i].writes != 0;
	}
	if (!written)
		return VERDICT_NO_WRITER;
	f->contested = twice & written;
	if (!f->contested)
		return VERDICT_FALSE;
	touched = with_neighbours(touchers, parts, parts_count, f->contested);
	return has_more(touchers, count, touched, f) ? VERDICT_BOTH : VERDICT_TRUE;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

/* Of a line with fewer than two threads that count. */
static enum verdict judge_lonely(const struct toucher *touchers, size_t count)
{
	uint64_t samples = 0, most = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		samples += touchers[i].samples;
		most = touchers[i].samples > most ? touchers[i].samples : most;
	}
	return samples >= LINE_LEAST && most * 100 >= samples * ALONE_PERCENT ?
	       VERDICT_ONE_THREAD : VERDICT_TOO_FEW;
}

int sharing_judge(struct toucher *touchers, size_t touchers_count, const struct part *parts,
		  size_t parts_count, struct finding *f)
{
	int threads, cores;
	size_t i;

	*f = (struct finding){ .verdict = VERDICT_TOO_FEW };
	if (count_frequent(touchers, touchers_count) < 2) {
		f->verdict = judge_lonely(touchers, touchers_count);
		return 0;
	}
	cores = count_cores(touchers, touchers_count);
	if (cores == 1) {
		f->verdict = VERDICT_ONE_CORE;
		return 0;
	}
	threads = count_at_once(touchers, touchers_count);
	if (cores >= 0)
		cores = count_cores(touchers, touchers_count);
	if (threads < 0 || cores < 0)
		return -ENOMEM;
	f->threads = (unsigned int)threads;
	f->cores = (unsigned int)cores;
	for (i = 0; i < touchers_count; i++)
		f->samples += touchers[i].counts ? touchers[i].samples : 0;
	add_bytes(touchers, parts, parts_count);
	if (f->threads < 2)
		f->verdict = VERDICT_IN_TURN;
	else if (f->samples < LINE_LEAST)
		f->verdict = VERDICT_TOO_FEW;
	else if (f->cores == 1)
		f->verdict = VERDICT_ONE_CORE;
	else
		f->verdict = judge_bytes(touchers, touchers_count, parts, parts_count, f);
	return 0;
}

const char *verdict_text(enum verdict verdict)
{
	static const char *const texts[VERDICTS] = {
		[VERDICT_FALSE] = "false sharing",
		[VERDICT_BOTH] = "true and false sharing",
		[VERDICT_TRUE] = "true sharing",
		[VERDICT_ONE_CORE] = "by threads of one core alone",
		[VERDICT_IN_TURN] = "by one thread after the other",
		[VERDICT_ONE_THREAD] = "nearly always by one thread",
		[VERDICT_NO_WRITER] = "seldom written",
		[VERDICT_TOO_FEW] = "with too few samples to judge",
	};

	return texts[verdict];
}
