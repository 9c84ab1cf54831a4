// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What is known of costs on this processor, out of the tables.
 */
#include <errno.h>
#include <string.h>

#include "lib/cost/cost.h"
#include "lib/pmuctl-cost.h"

/* The first row of a table that holds for the generation, and is of this class if one is named. */
#define FIND(table, generation, class)						\
	({									\
		const typeof((table)[0]) *row_ = (table);				\
		while (row_ < (table) + table##_count &&				\
		       (row_->first > (generation) || row_->last < (generation) ||	\
			strcmp(row_->name, (class)) != 0))				\
			row_++;							\
		row_ < (table) + table##_count ? row_ : NULL;			\
	})

static int find_generation(struct pmuctl *ctx, uint8_t *generation, bool *tagged)
{
	struct pmu_facts facts;
	int err = facts_get(ctx, &facts);

	if (err)
		return err;
	*generation = facts.backend == BACKEND_P4 ? GEN_P4 : (uint8_t)generation_of(&facts);
	*tagged = is_granite_rapids(&facts);
	if (!facts.arch_only && (*generation == GEN_P4 || has_costs(*generation)))
		return 0;
	return fail(ctx, -EOPNOTSUPP, "nothing is known of what events cost on this processor (family "
		    "%u, model %u): it is none of the big cores from P6 and Core 2 to Granite "
		    "Rapids and Meteor Lake, and no Pentium 4",
		    signature_family(facts.signature), signature_model(facts.signature));
}

static const char *why_no_duration(uint8_t generation, const struct cost_class *class)
{
	if (class->flags & COST_WATCHED)
		return "it is watched only";
	if (!strcmp(class->name, "branch-misses"))
		return "no processor counts how long a misprediction lasts";
	if (!strcmp(class->name, "prefixes"))
		return "the event counts cycles already";
	if (generation == GEN_P4)
		return "a Pentium 4 counts how long requests to the bus take (bus-requests), and of "
		       "nothing else";
	if (generation == GEN_P6)
		return "P6 counts how long the queue to the bus (bus-requests) and the divider "
		       "(divisions) are busy, and of nothing else";
	return "this processor has no counter of how long it lasts";
}

static void fill(uint8_t generation, bool tagged, const struct cost_class *class,
		 struct pmuctl_cost *cost)
{
	const struct cost_tag *tag = tagged ? FIND(cost_tags, generation, class->name) : NULL;
	const struct cost_figure *figure = FIND(cost_figures, generation, class->name);
	const struct cost_duration *duration = FIND(cost_durations, generation, class->name);

	*cost = (struct pmuctl_cost){
		.name = class->name, .text = class->text, .node = class->node,
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
		cost->why_not = why_no_duration(generation, class);
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
	uint8_t generation;
	bool tagged;
	int err;

	if (!fn)
		return is_null(ctx, "the function that is to be called");
	err = find_generation(ctx, &generation, &tagged);
	for (class = cost_classes; !err && class < cost_classes + cost_classes_count; class++) {
		event = FIND(cost_events, generation, class->name);
		if (!event)
			continue;
		fill(generation, tagged, class, &cost);
		cost.event = event->event;
		err = fn(data, &cost);
	}
	return err;
}

int pmuctl_cost_get_floor(struct pmuctl *ctx, struct pmuctl_cost_floor *lowest)
{
	struct pmuctl_cost_floor own = { .size = sizeof(own) };
	const struct cost_width *row;
	uint8_t generation;
	bool tagged;
	int err = find_generation(ctx, &generation, &tagged);

	if (err)
		return err;
	for (row = cost_widths; row < cost_widths + cost_widths_count; row++)
		if (row->first <= generation && generation <= row->last) {
			own.width = row->width;
			own.event = row->event;
			own.load = row->load;
			break;
		}
	return give_sized(ctx, lowest, &own, sizeof(own));
}
