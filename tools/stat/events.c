// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which events pmuctl stat counts.
 */
#include "tools/base/base.h"
#include "tools/run/privilege.h"
#include "tools/stat/stat.h"

/* What each -d adds, as far as the CPU has it. */
static const struct {
	unsigned int detail;
	const char *name;
} details[] = {
	{ 1, "l1d-loads" },
	{ 1, "l1d-load-misses" },
	{ 1, "llc-loads" },
	{ 1, "llc-load-misses" },
	{ 2, "l1i-misses" },
	{ 2, "dtlb-load-misses" },
	{ 2, "dtlb-store-misses" },
	{ 2, "itlb-misses" },
	{ 3, "l1d-stores" },
	{ 3, "cache-references" },
	{ 3, "cache-misses" },
	{ 3, "ref-cycles" },
};

static bool named(const struct stat_args *args)
{
	return args->events.count || args->cascades.count || args->metrics.count;
}

static int add_details(struct pmuctl *ctx, const struct stat_args *args, struct events *events)
{
	/* Of events that nobody asked for by name. */
	const char *modifier = user_mode_only(ctx) ? ":u" : "";
	char name[64];
	size_t i;
	int code = 0;

	for (i = 0; !code && i < ARRAY_SIZE(details); i++) {
		snprintf(name, sizeof(name), "%s%s", details[i].name, modifier);
		if (details[i].detail <= args->detail)
			code = events_try(ctx, "stat", name, events);
	}
	return code;
}

int stat_add_events(struct pmuctl *ctx, const struct stat_args *args, struct events *events)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < args->events.count; i++)
		code = events_add(ctx, "stat", args->events.texts[i], events);
	if (!code)
		code = stat_add_cascades(ctx, args, events);
	if (!code && !named(args))
		code = events_add_usual(ctx, "stat", events);
	return code ? code : add_details(ctx, args, events);
}
