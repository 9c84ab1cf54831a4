// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What is known of costs on this processor, out of the tables.
 */
#include <errno.h>
#include <string.h>

#include "lib/cost/cost.h"
#include "lib/pmuctl-cost.h"

/* What processor it is, for the tables. */
struct core {
	uint8_t generation;
	uint8_t part;		/* whose rows go before its generation's; or the same */
	bool tagged;		/* its records may tell how long retirement stood still */
};

#define HOLDS(row, number) ((row)->first <= (number) && (number) <= (row)->last)

/* The first row of a table that holds for the generation, and is of this class. */
#define FIND_OF(table, generation, class)					\
	({									\
		const typeof((table)[0]) *row_ = (table);				\
		while (row_ < (table) + table##_count &&				\
		       (!HOLDS(row_, generation) || strcmp(row_->name, (class)) != 0))	\
			row_++;							\
		row_ < (table) + table##_count ? row_ : NULL;			\
	})

#define FIND(table, core, class)						\
	({									\
		const typeof((table)[0]) *found_ = FIND_OF(table, (core)->part, class);	\
		found_ ? found_ : FIND_OF(table, (core)->generation, class);		\
	})

static bool is_small(uint8_t generation)
{
	return generation >= GEN_GLM && generation <= GEN_DKT;
}

static int find_core(struct pmuctl *ctx, struct core *core)
{
	struct pmu_facts facts;
	int err = facts_get(ctx, &facts);

	if (err)
		return err;
	core->generation = facts.backend == BACKEND_P4 ? GEN_P4 : (uint8_t)generation_of(&facts);
	core->part = core->generation == GEN_SKT && is_lunar_lake(&facts) ? GEN_SKT_ALONE :
		     core->generation;
	core->tagged = core->generation > GEN_ADL || is_redwood_cove(&facts);
	if (!facts.arch_only && core->generation != GEN_UNKNOWN)
		return 0;
	return fail(ctx, -EOPNOTSUPP, "nothing is known of what events cost on this processor (family "
		    "%u, model %u): it is none of the big cores from P6 and Core 2 to Granite Rapids "
		    "and Panther Lake, none of the small ones from Goldmont to Darkmont, and no "
		    "Pentium 4",
		    signature_family(facts.signature), signature_model(facts.signature));
}

static const char *why_no_duration(const struct core *core, const struct cost_class *class)
{
	const struct cost_reason *reason = FIND(cost_reasons, core, class->name);

	if (class->flags & COST_WATCHED)
		return "it is watched only";
	if (reason)
		return reason->reason;
	if (!strcmp(class->name, "branch-misses"))
		return "no processor counts how long a misprediction lasts";
	if (!strcmp(class->name, "prefixes"))
		return "the event counts cycles already";
	if (core->generation == GEN_P4)
		return "a Pentium 4 counts how long requests to the bus take (bus-requests), and of "
		       "nothing else";
	if (core->generation == GEN_P6)
		return "P6 counts how long the queue to the bus (bus-requests) and the divider "
		       "(divisions) are busy, and of nothing else";
	return "this processor has no counter of how long it lasts";
}

static void fill(const struct core *core, const struct cost_class *class, struct pmuctl_cost *cost)
{
	const struct cost_tag *tag = core->tagged ? FIND(cost_tags, core, class->name) : NULL;
	const struct cost_figure *figure = FIND(cost_figures, core, class->name);
	const struct cost_duration *duration = FIND(cost_durations, core, class->name);

	*cost = (struct pmuctl_cost){
		.name = class->name, .text = class->text,
		.node = is_small(core->generation) ? class->small_node : class->node,
		.covers = class->flags & COST_COVERS, .behind = class->flags & COST_BEHIND,
		.watched = class->flags & COST_WATCHED,
	};
	if (tag) {
		cost->tag = tag->tag;
		cost->otherwise = tag->otherwise;
		cost->against = tag->against;
	}
	if (figure) {
		cost->cycles = figure->cycles;
		cost->source = figure->source;
	}
	if (!duration) {
		cost->why_not = why_no_duration(core, class);
		return;
	}
	cost->duration = duration->duration;
	cost->periods = duration->periods;
	cost->meaning = duration->meaning;
}

int pmuctl_list_costs(struct pmuctl *ctx, pmuctl_cost_fn *fn, void *data)
{
	const struct cost_class *class;
	const struct cost_event *event;
	struct pmuctl_cost cost;
	struct core core;
	int err;

	if (!fn)
		return is_null(ctx, "the function that is to be called");
	err = find_core(ctx, &core);
	for (class = cost_classes; !err && class < cost_classes + cost_classes_count; class++) {
		event = FIND(cost_events, &core, class->name);
		if (!event || !event->event)
			continue;
		fill(&core, class, &cost);
		cost.event = event->event;
		err = fn(data, &cost);
	}
	return err;
}

int pmuctl_cost_get_floor(struct pmuctl *ctx, struct pmuctl_cost_floor *lowest)
{
	struct pmuctl_cost_floor own = { .size = sizeof(own) };
	const struct cost_width *row;
	struct core core;
	int err = find_core(ctx, &core);

	if (err)
		return err;
	for (row = cost_widths; row < cost_widths + cost_widths_count; row++)
		if (HOLDS(row, core.generation)) {
			own.width = row->width;
			own.event = row->event;
			own.load = row->load;
			break;
		}
	return give_sized(ctx, lowest, &own, sizeof(own));
}
