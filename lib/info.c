// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the module says of itself, and of every session in it.
 */
#include <errno.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <string.h>

#include "../kmod/uapi/pmuctl.h"
#include "private.h"

static uint32_t get_u32(struct nlattr **attrs, int id)
{
	return attrs[id] && nla_len(attrs[id]) >= 4 ? nla_get_u32(attrs[id]) : 0;
}

static uint64_t get_u64(struct nlattr **attrs, int id)
{
	return attrs[id] && nla_len(attrs[id]) >= 8 ? nla_get_u64(attrs[id]) : 0;
}

static int take_info(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct pmuctl_info *info = data;

	(void)nlh;
	info->abi = get_u32(attrs, PMUCTL_A_INFO_ABI);
	info->holder = get_u32(attrs, PMUCTL_A_INFO_STATE);
	info->features = get_u64(attrs, PMUCTL_A_INFO_FEATURES);
	if (attrs[PMUCTL_A_INFO_BACKEND])
		nla_strlcpy(info->backend, attrs[PMUCTL_A_INFO_BACKEND], sizeof(info->backend));
	info->signature = get_u32(attrs, PMUCTL_A_INFO_SIGNATURE);
	info->version = get_u32(attrs, PMUCTL_A_INFO_VERSION);
	info->counters = get_u64(attrs, PMUCTL_A_INFO_COUNTERS);
	info->counters_used = get_u64(attrs, PMUCTL_A_INFO_COUNTERS_USED);
	info->gp_width = get_u32(attrs, PMUCTL_A_INFO_GP_WIDTH);
	info->fixed_width = get_u32(attrs, PMUCTL_A_INFO_FIXED_WIDTH);
	info->arch_events = get_u32(attrs, PMUCTL_A_INFO_ARCH_EVENTS);
	info->capabilities = get_u64(attrs, PMUCTL_A_INFO_CAPABILITIES);
	info->sessions = get_u32(attrs, PMUCTL_A_INFO_SESSIONS);
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

static int ask(struct pmuctl *ctx, struct pmuctl_info *info)
{
	const struct request req = {
		.cmd = PMUCTL_CMD_INFO_GET,
		.maxattr = PMUCTL_A_INFO_MAX,
		.fn = take_info,
		.data = info,
	};
	struct nl_msg *msg;
	int err = talk_message(ctx, &req, &msg);

	if (!err)
		err = talk(ctx, &req, msg);
	if (!err)
		err = check_info(ctx, info);
	return err;
}

int pmuctl_get_info(struct pmuctl *ctx, struct pmuctl_info *info)
{
	struct pmuctl_info own = { .size = sizeof(own) };
	int err = ask(ctx, &own);
	int bad = copy_sized(ctx, info, &own, sizeof(own));

	return err ? err : bad;
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

struct session_walk {
	pmuctl_session_fn *fn;
	void *data;
};

static int take_session(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct session_walk *walk = data;
	struct pmuctl_session_info session = {
		.id = get_u32(attrs, PMUCTL_A_SESSION_ID),
		.running = get_u32(attrs, PMUCTL_A_SESSION_RUNNING),
		.flags = get_u64(attrs, PMUCTL_A_SESSION_FLAGS),
		.counters = get_u64(attrs, PMUCTL_A_SESSION_COUNTERS),
		.owner_pid = (pid_t)get_u32(attrs, PMUCTL_A_SESSION_OWNER_PID),
	};
	char comm[32] = "";

	(void)nlh;
	if (attrs[PMUCTL_A_SESSION_OWNER_COMM])
		nla_strlcpy(comm, attrs[PMUCTL_A_SESSION_OWNER_COMM], sizeof(comm));
	session.owner_comm = comm;
	return walk->fn(walk->data, &session);
}

int pmuctl_list_sessions(struct pmuctl *ctx, pmuctl_session_fn *fn, void *data)
{
	struct session_walk walk = { .fn = fn, .data = data };
	const struct request req = {
		.cmd = PMUCTL_CMD_SESSION_GET,
		.dump = true,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.fn = take_session,
		.data = &walk,
	};
	struct nl_msg *msg;
	int err = talk_message(ctx, &req, &msg);

	return err ? err : talk(ctx, &req, msg);
}
