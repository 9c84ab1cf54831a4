// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the module says of itself.
 */
#include <errno.h>
#include <string.h>

#include "kmod/uapi/pmuctl.h"
#include "lib/base/private.h"

uint32_t get_u32(struct nlattr **attrs, int id)
{
	return attrs[id] && nla_len(attrs[id]) >= 4 ? nla_get_u32(attrs[id]) : 0;
}

uint64_t get_u64(struct nlattr **attrs, int id)
{
	return attrs[id] && nla_len(attrs[id]) >= 8 ? nla_get_u64(attrs[id]) : 0;
}

static void take_limits(struct pmuctl_info *info, struct nlattr **attrs)
{
	info->unprivileged = get_u32(attrs, PMUCTL_A_INFO_UNPRIVILEGED);
	info->interval = get_u64(attrs, PMUCTL_A_INFO_INTERVAL);
	info->sessions_max = get_u32(attrs, PMUCTL_A_INFO_SESSIONS_MAX);
	info->events_max = get_u32(attrs, PMUCTL_A_INFO_EVENTS_MAX);
	info->tasks_max = get_u32(attrs, PMUCTL_A_INFO_TASKS_MAX);
	info->memory_max = get_u64(attrs, PMUCTL_A_INFO_MEMORY_MAX);
}

/* Without a format there is no PEBS, as without the feature. */
static void take_sampling(struct pmuctl_info *info, struct nlattr **attrs)
{
	info->pebs_format = attrs[PMUCTL_A_INFO_PEBS_FORMAT] ?
			    (int32_t)get_u32(attrs, PMUCTL_A_INFO_PEBS_FORMAT) : -1;
	info->lbr_depth = get_u32(attrs, PMUCTL_A_INFO_LBR_DEPTH);
	info->rate_max = get_u32(attrs, PMUCTL_A_INFO_RATE_MAX);
	if (attrs[PMUCTL_A_INFO_PEBS_REFUSAL])
		nla_strlcpy(info->pebs_refusal, attrs[PMUCTL_A_INFO_PEBS_REFUSAL],
			    sizeof(info->pebs_refusal));
}

/* What differs between kinds of cores. */
static void take_counters(struct pmuctl_info *info, struct nlattr **attrs)
{
	info->counters = get_u64(attrs, PMUCTL_A_INFO_COUNTERS);
	info->counters_used = get_u64(attrs, PMUCTL_A_INFO_COUNTERS_USED);
	info->arch_events = get_u32(attrs, PMUCTL_A_INFO_ARCH_EVENTS);
	info->capabilities = get_u64(attrs, PMUCTL_A_INFO_CAPABILITIES);
	info->errata = get_u64(attrs, PMUCTL_A_INFO_ERRATA);
	info->errata_open = get_u64(attrs, PMUCTL_A_INFO_ERRATA_OPEN);
	info->arch_only = get_u32(attrs, PMUCTL_A_INFO_ARCH_ONLY);
	/* A module that does not say so lets it be set where versions have it. */
	info->any = attrs[PMUCTL_A_INFO_ANY] ? get_u32(attrs, PMUCTL_A_INFO_ANY) :
		    info->version == 3 || info->version == 4;
}

struct asking {
	const struct pmuctl *ctx;
	struct pmuctl_info *info;
};

/* What not every kind has; the whole's are those of any. */
#define OF_KINDS ((uint64_t)PMUCTL_CAN_RETIRE)

/* Of a context of one kind: over what is the first one's, or that of any. */
static void take_kind(const struct asking *asking, struct nlmsghdr *nlh)
{
	struct nlattr *attrs[PMUCTL_A_INFO_MAX + 1], *attr;
	unsigned int number = 0;
	int rem;

	for_each_kind_attr(attr, nlh, rem)
		if (number++ == asking->ctx->kind &&
		    nla_parse_nested(attrs, PMUCTL_A_INFO_MAX, attr, NULL) >= 0) {
			take_counters(asking->info, attrs);
			asking->info->features &= ~OF_KINDS |
						  get_u64(attrs, PMUCTL_A_INFO_FEATURES);
		}
	asking->info->features &= ~(uint64_t)PMUCTL_CAN_KINDS;
}

static int take_info(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	const struct asking *asking = data;
	struct pmuctl_info *info = asking->info;

	info->abi = get_u32(attrs, PMUCTL_A_INFO_ABI);
	info->holder = get_u32(attrs, PMUCTL_A_INFO_STATE);
	info->features = get_u64(attrs, PMUCTL_A_INFO_FEATURES);
	if (attrs[PMUCTL_A_INFO_BACKEND])
		nla_strlcpy(info->backend, attrs[PMUCTL_A_INFO_BACKEND], sizeof(info->backend));
	info->signature = get_u32(attrs, PMUCTL_A_INFO_SIGNATURE);
	info->version = get_u32(attrs, PMUCTL_A_INFO_VERSION);
	info->gp_width = get_u32(attrs, PMUCTL_A_INFO_GP_WIDTH);
	info->fixed_width = get_u32(attrs, PMUCTL_A_INFO_FIXED_WIDTH);
	info->sessions = get_u32(attrs, PMUCTL_A_INFO_SESSIONS);
	take_limits(info, attrs);
	take_sampling(info, attrs);
	take_counters(info, attrs);
	if (asking->ctx->whole)
		take_kind(asking, nlh);
	return 0;
}

static int check_info(struct pmuctl *ctx, const struct pmuctl_info *info)
{
	if (!info->abi)
		return fail(ctx, -EBADMSG, "the module's answer has no ABI number in it");
	if (info->abi != PMUCTL_ABI)
		return fail(ctx, -EPROTO,
			    "the loaded module speaks ABI %u, this library speaks ABI %u; "
			    "install module and command of one version, then "
			    "`pmuctl unload` and `pmuctl load`",
			    info->abi, PMUCTL_ABI);
	if (!info->counters)
		return fail(ctx, -EBADMSG, "the module's answer has no counters in it");
	return 0;
}

int info_ask(struct pmuctl *ctx, reply_fn *fn, void *data)
{
	const struct request req = {
		.cmd = PMUCTL_CMD_INFO_GET,
		.maxattr = PMUCTL_A_INFO_MAX,
		.fn = fn,
		.data = data,
	};

	return talk(ctx, &req);
}

static int ask(struct pmuctl *ctx, struct pmuctl_info *info)
{
	struct asking asking = { ctx, info };
	int err = info_ask(ctx, take_info, &asking);

	return err ? err : check_info(ctx, info);
}

int pmuctl_get_info(struct pmuctl *ctx, struct pmuctl_info *info)
{
	struct pmuctl_info own = { .size = sizeof(own) };
	int err = check_sized(ctx, info);

	if (err)
		return err;
	/* Of an ABI that is not ours the number is there, too. */
	err = ask(ctx, &own);
	give_sized(ctx, info, &own, sizeof(own));
	return err;
}

int info_get(struct pmuctl *ctx, const struct pmuctl_info **info)
{
	struct pmuctl_info own = { .size = sizeof(own) };
	int err;

	if (!ctx->info_known) {
		err = ask(ctx, &own);
		if (err)
			return err;
		ctx->info = own;
		ctx->info_known = true;
	}
	*info = &ctx->info;
	return 0;
}
