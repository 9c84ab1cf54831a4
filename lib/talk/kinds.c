// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kinds of cores that the module counts on, each with a context of its own.
 *
 * A context of one kind is like that of a machine whose CPUs are all alike.  That of the whole
 * machine has no facts of its own: what it does is made of what its kinds do, and what nobody has
 * made of them yet is refused by facts_get().
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kmod/uapi/pmuctl.h"
#include "lib/base/private.h"

enum { NAME_P, NAME_E, NAME_LOW_POWER, NAMES };

/* As Linux has them, in the order of the module: the big ones first. */
static const struct {
	const char *name, *pmu;
} names[NAMES] = {
	{ "p cores", "cpu_core" }, { "e cores", "cpu_atom" }, { "lp-e cores", "cpu_lowpower" },
};

/*
 * As Linux, which goes by the make of a small core on an Arrow Lake H alone: its low-power cores
 * are that also while no other small one is there.
 */
static bool is_low_power(const struct pmuctl_info *info, uint32_t core)
{
	static const uint32_t arrowlake_h = 0xc5, crestmont = 2;

	return signature_family(info->signature) == 6 &&
	       signature_model(info->signature) == arrowlake_h &&
	       core == ((uint32_t)CORE_SMALL << 24 | crestmont);
}

static const char *name_of(const struct kinds *kinds, const struct pmuctl_info *info,
			   unsigned int number, const char **pmu)
{
	unsigned int first = kinds->kind[0].core >> 24 == CORE_BIG ? NAME_P : NAME_E;
	unsigned int at = is_low_power(info, kinds->kind[number].core) ? NAME_LOW_POWER :
			  number + first;

	if (at >= NAMES)
		at = NAMES - 1;
	*pmu = names[at].pmu;
	return names[at].name;
}

static int take_cpus(struct pmuctl *ctx, struct pmuctl_kind *kind, struct nlattr *attr)
{
	size_t bytes = attr ? (size_t)nla_len(attr) : 0;
	uint32_t *cpus;

	if (!bytes || bytes % sizeof(*cpus))
		return fail(ctx, -EBADMSG, "the module's answer has a kind of core without CPUs");
	cpus = malloc(bytes);
	if (!cpus)
		return fail(ctx, -ENOMEM, "out of memory");
	memcpy(cpus, nla_data(attr), bytes);
	kind->cpus = cpus;
	kind->cpus_count = bytes / sizeof(*cpus);
	return 0;
}

static int take_kind(struct pmuctl *ctx, struct kinds *kinds, struct nlattr *nest)
{
	struct nlattr *attrs[PMUCTL_A_INFO_MAX + 1];
	struct pmuctl_kind *kind = &kinds->kind[kinds->count];

	if (kinds->count == PMUCTL_KINDS_MAX)
		return fail(ctx, -EBADMSG, "the module's answer has more than %u kinds of cores",
			    PMUCTL_KINDS_MAX);
	if (nla_parse_nested(attrs, PMUCTL_A_INFO_MAX, nest, NULL) < 0)
		return fail(ctx, -EBADMSG, "the module's answer has a kind of core that is none");
	kind->size = sizeof(*kind);
	kind->core = get_u32(attrs, PMUCTL_A_INFO_CORE);
	kinds->count++;
	return take_cpus(ctx, kind, attrs[PMUCTL_A_INFO_CPUS]);
}

struct asking {
	struct pmuctl *ctx;
	struct kinds *kinds;
};

static int take_kinds(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct asking *asking = data;
	struct nlattr *attr;
	int rem, err = 0;

	(void)attrs;
	for_each_kind_attr(attr, nlh, rem) {
		err = take_kind(asking->ctx, asking->kinds, attr);
		if (err)
			return err;
	}
	return 0;
}

static int open_kind(struct pmuctl *ctx, struct kinds *kinds, const struct pmuctl_info *info,
		     unsigned int number)
{
	const struct pmuctl_options options = {
		.size = sizeof(options), .log = ctx->log, .log_data = ctx->log_data,
		.events_dir = ctx->events_dir ? ctx->events_dir : "", .alone = ctx->alone,
	};
	struct pmuctl_kind *kind = &kinds->kind[number];
	int err = pmuctl_open(&options, &kind->ctx);

	if (err)
		return fail(ctx, err, "out of memory");
	kind->name = name_of(kinds, info, number, &kind->pmu);
	kind->ctx->whole = ctx;
	kind->ctx->kind = number;
	kind->ctx->core = kind->core;
	kind->ctx->metric_target = ctx->metric_target;
	return 0;
}

/* Of contexts of which nothing has been asked yet. */
static void forget_kinds(struct kinds *kinds)
{
	unsigned int i;

	for (i = 0; i < PMUCTL_KINDS_MAX; i++) {
		if (kinds->kind[i].ctx)
			free(kinds->kind[i].ctx->events_dir);
		free(kinds->kind[i].ctx);
		free((uint32_t *)kinds->kind[i].cpus);
	}
	free(kinds);
}

static int find_kinds(struct pmuctl *ctx, const struct pmuctl_info *info)
{
	struct kinds *kinds = calloc(1, sizeof(*kinds));
	struct asking asking = { ctx, kinds };
	unsigned int i;
	int err = 0;

	if (!kinds)
		return fail(ctx, -ENOMEM, "out of memory");
	if (info->features & PMUCTL_CAN_KINDS)
		err = info_ask(ctx, take_kinds, &asking);
	for (i = 0; !err && i < kinds->count; i++)
		err = open_kind(ctx, kinds, info, i);
	if (err)
		forget_kinds(kinds);
	else
		ctx->kinds = kinds;
	return err;
}

/* Without a module nobody tells them; facts are of cores that are alike. */
const struct kinds *kinds_of(struct pmuctl *ctx)
{
	const struct pmuctl_info *info;
	char error[sizeof(ctx->error)];

	if (ctx->kinds || ctx->whole || ctx->facts_known)
		return ctx->kinds && ctx->kinds->count ? ctx->kinds : NULL;
	memcpy(error, ctx->error, sizeof(error));
	if (!info_get(ctx, &info) && !find_kinds(ctx, info))
		return kinds_of(ctx);
	memcpy(ctx->error, error, sizeof(error));
	return NULL;
}

const char *kind_name(struct pmuctl *ctx, uint32_t number)
{
	const struct kinds *kinds = kinds_of(ctx);

	return kinds && number < kinds->count ? kinds->kind[number].name : NULL;
}

int kind_failed(struct pmuctl *ctx, unsigned int kind, int err)
{
	return fail(ctx, err, "%s: %s", ctx->kinds->kind[kind].name,
		    ctx->kinds->kind[kind].ctx->error);
}

/* ---- for callers -------------------------------------------------------- */

int pmuctl_kinds(struct pmuctl *ctx)
{
	const struct kinds *kinds = kinds_of(ctx);

	return kinds ? (int)kinds->count : 0;
}

int pmuctl_kind_get(struct pmuctl *ctx, unsigned int number, struct pmuctl_kind *kind)
{
	const struct kinds *kinds = kinds_of(ctx);

	if (!kinds || number >= kinds->count)
		return fail(ctx, -ENOENT, "there is no kind %u of cores", number);
	return give_sized(ctx, kind, &kinds->kind[number], sizeof(*kind));
}

int pmuctl_narrow(struct pmuctl **ctx, unsigned int number)
{
	const struct kinds *kinds = kinds_of(*ctx);

	if (!kinds || number >= kinds->count)
		return fail(*ctx, -ENOENT, "there is no kind %u of cores", number);
	*ctx = kinds->kind[number].ctx;
	(*ctx)->owns_whole = true;
	return 0;
}

bool pmuctl_kind_has_cpu(const struct pmuctl_kind *kind, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < kind->cpus_count; i++)
		if (kind->cpus[i] == cpu)
			return true;
	return false;
}

int pmuctl_one_kind(struct pmuctl *ctx)
{
	const struct kinds *kinds = kinds_of(ctx);
	char list[64] = "";
	unsigned int i;

	if (!kinds)
		return 0;
	for (i = 0; i < kinds->count; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
			 i ? ", " : "", kinds->kind[i].name);
	return fail(ctx, -EOPNOTSUPP, "not yet where cores are of several kinds, as here (%s); "
		    "`pmuctl stat` counts on all of them", list);
}
