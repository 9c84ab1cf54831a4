// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plans of Top-Down: one, or where cores are of several kinds one of each.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/topdown/run.h"

/* Of CPUs that are all alike. */
static int plan_all(struct topdown_run *r, const struct pmuctl_topdown_options *options)
{
	int err = pmuctl_topdown_new(r->c.ctx, options, &r->parts[0].plan);

	r->nr_parts = !err;
	if (!err)
		return 0;
	r->parts[0].plan = NULL;
	complain(r->c.cmd, 0, "%s", err == -ENOMEM ? "out of memory" : pmuctl_error(r->c.ctx));
	if (err == -ENOENT || err == -EINVAL)
		return EXIT_USAGE;
	if (err != -EOPNOTSUPP && err != -ENOSPC)
		diagnose(r->c.ctx, err, stderr);
	return EXIT_FAILED;
}

static int out_of_memory(const struct topdown_run *r)
{
	return complain(r->c.cmd, EXIT_FAILED, "out of memory");
}

/* ---- what is counted on a kind without a plan: the time there ------------------------ */

size_t topdown_part_sets(const struct topdown_part *part)
{
	return part->plan ? pmuctl_topdown_sets(part->plan) : 1;
}

const struct pmuctl_topdown_set *topdown_part_set(const struct topdown_part *part, size_t number)
{
	return part->plan ? pmuctl_topdown_get_set(part->plan, number) : &part->time;
}

static int go_without(struct topdown_part *part, const char *ring, const char *why)
{
	part->plan = NULL;
	part->cycles = !ring || !*ring ? "cycles" : *ring == 'u' ? "cycles:u" : "cycles:k";
	part->time = (struct pmuctl_topdown_set){ &part->cycles, 1 };
	part->why_not = strdup(why);
	return part->why_not ? 0 : -ENOMEM;
}

/* ---- a plan for each kind ------------------------------------------------------------- */

size_t topdown_node_named(const struct pmuctl_topdown *plan, const char *name)
{
	size_t i, count = pmuctl_topdown_nodes(plan);

	for (i = 0; i < count; i++)
		if (!strcasecmp(pmuctl_topdown_get_node(plan, i)->name, name))
			break;
	return i;
}

/* Of the nodes asked for those of its tree, to `own`; none is left where it has no tree. */
static size_t known_nodes(const struct topdown_part *part,
			  const struct pmuctl_topdown_options *options, const char **own)
{
	struct pmuctl_topdown_options all = *options;
	struct pmuctl_topdown *plan;
	size_t i, count = 0;

	all.nodes = NULL;
	all.nodes_count = 0;
	all.levels = 0;
	if (pmuctl_topdown_new(part->kind->ctx, &all, &plan))
		return 0;
	for (i = 0; i < options->nodes_count; i++)
		if (topdown_node_named(plan, options->nodes[i]) < pmuctl_topdown_nodes(plan))
			own[count++] = options->nodes[i];
	pmuctl_topdown_free(plan);
	return count;
}

/* own: room for as many nodes as were asked for. */
static int plan_part(struct topdown_part *part, const struct pmuctl_topdown_options *options,
		     const char **own)
{
	struct pmuctl_topdown_options of_kind = *options;
	int err;

	if (options->nodes_count) {
		of_kind.nodes = own;
		of_kind.nodes_count = known_nodes(part, options, own);
	}
	/* A name that is nobody's is the library's to refuse. */
	if (options->nodes_count && !of_kind.nodes_count)
		of_kind = *options;
	err = pmuctl_topdown_new(part->kind->ctx, &of_kind, &part->plan);
	if (err == -ENOENT || err == -EOPNOTSUPP || err == -ENOSPC)
		return go_without(part, options->ring, pmuctl_error(part->kind->ctx));
	return err;
}

static bool is_among(const struct targets *t, const struct pmuctl_kind *kind)
{
	size_t i;

	for (i = 0; i < t->nr_cpus; i++)
		if (pmuctl_kind_has_cpu(kind, t->cpus[i]))
			return true;
	return targets_are_tasks(t);
}

/* Each that was asked for is in a tree, or it is no node. */
static const char *unknown_node(const struct topdown_run *r,
				const struct pmuctl_topdown_options *options)
{
	const struct topdown_part *part;
	bool known;
	size_t i;

	for (i = 0; i < options->nodes_count; i++) {
		known = false;
		for (part = r->parts; part < r->parts + r->nr_parts; part++)
			known |= part->plan && topdown_node_named(part->plan, options->nodes[i]) <
					       pmuctl_topdown_nodes(part->plan);
		if (!known)
			return options->nodes[i];
	}
	return NULL;
}

static int check_parts(const struct topdown_run *r, const struct pmuctl_topdown_options *options)
{
	const char *unknown = unknown_node(r, options);
	unsigned int p;

	for (p = 0; !unknown && p < r->nr_parts; p++)
		if (r->parts[p].plan)
			return 0;
	if (!r->nr_parts)
		return complain(r->c.cmd, EXIT_FAILED, "none of these CPUs is of a kind of cores that "
				"is counted here; `pmuctl info` has the kinds");
	for (p = 0; p < r->nr_parts; p++)
		if (r->parts[p].why_not)
			complain(r->c.cmd, 0, "%s: %s", r->parts[p].kind->name, r->parts[p].why_not);
	if (!unknown)
		return EXIT_FAILED;
	return complain(r->c.cmd, EXIT_USAGE, "'%s' is no node of Top-Down here", unknown);
}

static int plan_kinds(struct topdown_run *r, const struct pmuctl_topdown_options *options,
		      const char **own)
{
	struct topdown_part *part;
	unsigned int k;
	int err;

	for (k = 0; k < r->kinds.count; k++) {
		if (!is_among(r->c.targets, &r->kinds.list[k]))
			continue;
		part = &r->parts[r->nr_parts++];
		part->kind = &r->kinds.list[k];
		part->number = k;
		err = plan_part(part, options, own);
		if (err == -ENOMEM)
			return out_of_memory(r);
		if (err) {
			complain(r->c.cmd, 0, "%s: %s", part->kind->name,
				 pmuctl_error(part->kind->ctx));
			diagnose(part->kind->ctx, err, stderr);
			return err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
		}
	}
	return check_parts(r, options);
}

int topdown_make_plans(struct topdown_run *r, const struct pmuctl_topdown_options *options)
{
	const char **own;
	int code;

	kinds_find(r->c.ctx, &r->kinds);
	if (!r->kinds.count)
		return plan_all(r, options);
	own = calloc(options->nodes_count + 1, sizeof(*own));
	code = own ? plan_kinds(r, options, own) : out_of_memory(r);
	free(own);
	return code;
}

void topdown_parts_free(struct topdown_run *r)
{
	unsigned int p;

	for (p = 0; p < r->nr_parts; p++) {
		pmuctl_topdown_free(r->parts[p].plan);
		free(r->parts[p].why_not);
	}
	r->nr_parts = 0;
}

/* ---- where the time went ----------------------------------------------------------------- */

double topdown_cycles(const struct topdown_run *r, const struct topdown_watch *watch,
		      unsigned int part)
{
	const struct pmuctl_topdown_count *first = watch->history.sums + r->parts[part].first;

	if (r->parts[part].plan)
		return pmuctl_topdown_cycles(watch->tally[part]);
	return (double)counting_estimate(first->value, first->enabled, first->running);
}

/* ns of tasks, cycles of CPUs. */
static double time_of(const struct topdown_run *r, const struct topdown_watch *watch,
		      unsigned int part)
{
	if (r->per_task || targets_are_tasks(r->c.targets))
		return (double)watch->history.sums[r->parts[part].first].enabled;
	return topdown_cycles(r, watch, part);
}

double topdown_time_share(const struct topdown_run *r, const struct topdown_watch *watch,
			  unsigned int part)
{
	double all = 0;
	unsigned int p;

	for (p = 0; p < r->nr_parts; p++)
		all += time_of(r, watch, p);
	return all > 0 ? 100 * time_of(r, watch, part) / all : -1;
}
