// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which of the ways a processor has, and what it says of those that it has not.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/pushout/pushout.h"
#include "tools/run/context.h"

/* IA32_PERF_CAPABILITIES[5:0]: branch records with cycles. */
#define LBR_FORMAT(capabilities) ((capabilities) & 0x3f)
#define LBR_INFO 5
#define LBR_TIME 7
#define LBR_ARCHITECTURAL 0x3f

/* MSR_PEBS_FRONTEND: so many bubbles in each of so many cycles. */
#define LATE 0x06
#define BUBBLES_SHIFT 20
/* There is room for 7; of Lion Cove's eight slots Intel's lists take six for all. */
#define BUBBLES_MOST 6

static const char *const spelled[WAYS] = {
	[WAY_PAIRS] = "--pairs", [WAY_TAG] = "--tag", [WAY_BLOCKS] = "--blocks",
	[WAY_LOADS] = "--loads", [WAY_FRONT_END] = "--front-end",
};

const char *pushout_spelled(enum pushout_way way)
{
	return spelled[way];
}

/* ---- events --------------------------------------------------------------------------------- */

static bool is_event(struct pmuctl *ctx, const char *text)
{
	struct pmuctl_event *event = NULL;
	bool is = !pmuctl_event_parse(ctx, text, &event);

	pmuctl_event_free(event);
	return is;
}

bool pushout_same_event(struct pmuctl *ctx, const char *a, const char *b)
{
	const struct pmuctl_event_info *x, *y;
	struct pmuctl_event *one = NULL, *other = NULL;
	bool same = false;

	if (!pmuctl_event_parse(ctx, a, &one) && !pmuctl_event_parse(ctx, b, &other)) {
		x = pmuctl_event_get_info(one);
		y = pmuctl_event_get_info(other);
		same = x->registers_count == 1 && y->registers_count == 1 &&
		       x->registers[0].value == y->registers[0].value;
	}
	pmuctl_event_free(one);
	pmuctl_event_free(other);
	return same;
}

/* Of the generations by which Intel changed the code; NULL: it has none. */
static const char *find_event(struct pmuctl *ctx, const char *const *texts, size_t count,
			      uint64_t value)
{
	char text[64];
	size_t i;

	for (i = 0; i < count; i++) {
		snprintf(text, sizeof(text), texts[i], (unsigned long long)value);
		if (is_event(ctx, text))
			return texts[i];
	}
	return NULL;
}

static const char *find_loads(struct pmuctl *ctx)
{
	/*
	 * MEM_TRANS_RETIRED.LOAD_LATENCY, MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD, and
	 * MEM_UOPS_RETIRED.LOAD_LATENCY of small cores.
	 */
	static const char *const texts[] = {
		"r01cd:ldlat=%llu", "r100b:ldlat=%llu", "r05d0:ldlat=%llu",
	};

	return find_event(ctx, texts, ARRAY_SIZE(texts), 3);
}

/* FRONTEND_RETIRED.LATENCY_GE_n: cycles in which nothing at all was delivered. */
static void find_front_end(struct pmuctl *ctx, char *text, size_t size)
{
	static const char *const texts[] = { "r01c6:frontend=%llu", "r03c6:frontend=%llu" };
	struct pmuctl_cost_floor lowest = { .size = sizeof(lowest) };
	const char *found;
	uint32_t bubbles;

	*text = '\0';
	if (pmuctl_cost_get_floor(ctx, &lowest) || !lowest.width)
		return;
	bubbles = lowest.width < BUBBLES_MOST ? lowest.width : BUBBLES_MOST;
	found = find_event(ctx, texts, ARRAY_SIZE(texts),
			   (uint64_t)bubbles << BUBBLES_SHIFT | 1 << 8 | LATE);
	if (found)
		snprintf(text, size, "%.6sfrontend=0x%x%%03llx%02x", found, bubbles, LATE);
}

static int take_behind(void *data, const struct pmuctl_cost *cost)
{
	if (!strcmp(cost->name, "branch-misses"))
		*(const char **)data = cost->tag;
	return 0;
}

/* What a misprediction holds up has an event of its own on big cores; NULL: it has none. */
static const char *find_behind(struct pmuctl *ctx)
{
	const char *tag = NULL;

	return pmuctl_list_costs(ctx, take_behind, &tag) ? NULL : tag;
}

/* ---- what there is not ---------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void lacks(struct pushout_here *here,
							enum pushout_way way, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(here->why_not[way], sizeof(here->why_not[way]), fmt, ap);
	va_end(ap);
}

static void lacks_all(struct pushout_here *here, const char *why)
{
	size_t way;

	for (way = 0; way < WAYS; way++)
		lacks(here, way, "%s", why);
}

#define NO_RETIRE_LATENCY							\
	"these cores' PEBS records have no retire latency: Granite Rapids, the big cores of "		\
	"Meteor Lake and later ones have it (IA32_PERF_CAPABILITIES bit 17), and no event of "	\
	"Intel's counts consecutive cycles without retirement"

static bool have_cycles(uint64_t format)
{
	return format == LBR_INFO || format == LBR_TIME || format == LBR_ARCHITECTURAL;
}

static const char *why_no_blocks(const struct pmuctl_info *info)
{
	if (!info->lbr_depth)
		return "this processor has no branch records that pmuctl can read";
	if (!have_cycles(LBR_FORMAT(info->capabilities)))
		return "this processor's branch records have no cycles: Skylake was the first that "
		       "had them";
	return "this processor has no event of taken branches, by which it would be told how much "
	       "its blocks come to";
}

static void look_at_perfmon(struct pmuctl *ctx, const struct pmuctl_info *info,
			    struct pushout_here *here)
{
	bool pebs = info->features & PMUCTL_CAN_PEBS && info->pebs_format >= 0 &&
		    !info->pebs_refusal[0];
	const char *no_latency = info->pebs_refusal[0] ? info->pebs_refusal : NO_RETIRE_LATENCY;

	here->has[WAY_PAIRS] = here->has[WAY_TAG] = pebs && info->features & PMUCTL_CAN_RETIRE;
	here->taken = is_event(ctx, "taken-branches") ? "taken-branches" : NULL;
	here->has[WAY_BLOCKS] = info->lbr_depth && have_cycles(LBR_FORMAT(info->capabilities)) &&
				here->taken;
	here->loads = find_loads(ctx);
	here->has[WAY_LOADS] = pebs && here->loads;
	find_front_end(ctx, here->front_end, sizeof(here->front_end));
	here->has[WAY_FRONT_END] = here->front_end[0];
	lacks(here, WAY_PAIRS, "%s", no_latency);
	lacks(here, WAY_TAG, "%s", no_latency);
	lacks(here, WAY_BLOCKS, "%s", why_no_blocks(info));
	lacks(here, WAY_LOADS, "%s", !here->loads ? "this processor has no event of load latency: "
	      "Nehalem was the first that had one, and Gracemont of the small cores" :
	      "it is counted by PEBS, and there is none here");
	lacks(here, WAY_FRONT_END, "this processor has no event of front-end latency: Skylake was the "
	      "first that had one, and small cores have none");
	here->behind = here->has[WAY_TAG] ? find_behind(ctx) : NULL;
	here->misses = here->behind ? "branch-misses" : NULL;
}

/* What can be had instead is said with each refusal. */
static void name_others(struct pushout_here *here)
{
	char others[128] = "";
	size_t way, used = 0, len;

	for (way = 0; way < WAYS; way++)
		if (here->has[way])
			used += (size_t)snprintf(others + used, sizeof(others) - used, "%s%s",
						 used ? ", " : "", spelled[way]);
	for (way = 0; way < WAYS; way++) {
		len = strlen(here->why_not[way]);
		snprintf(here->why_not[way] + len, sizeof(here->why_not[way]) - len, "; %s%s", used ?
			 "`pmuctl pushout` has here " : "what events last is shown by `pmuctl cost`",
			 others);
	}
}

int pushout_look(struct pmuctl *ctx, struct pushout_here *here)
{
	struct pmuctl_info info = { .size = sizeof(info) };
	int err = pmuctl_get_info(ctx, &info);

	*here = (struct pushout_here){ .loads = NULL };
	if (err)
		return err;
	if (!strcmp(info.backend, "p4"))
		lacks_all(here, "a Pentium 4 does not tell how long retirement stood still: NetBurst's "
			  "retirement counter was never public");
	else if (!strcmp(info.backend, "p6"))
		lacks_all(here, "a processor of the P6 family has neither PEBS nor cycles in its branch "
			  "records");
	else if (user_mode_only(ctx))
		lacks_all(here, "samples by PEBS, branch records and registers of thresholds need "
			  "CAP_PERFMON");
	else
		look_at_perfmon(ctx, &info, here);
	name_others(here);
	return 0;
}
