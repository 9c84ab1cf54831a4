// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Every session that is in the module, whoever owns it.
 */
#include <errno.h>
#include <stdlib.h>

#include "kmod/uapi/pmuctl.h"
#include "lib/base/private.h"

struct found {
	struct pmuctl_session_info info;
	char comm[32];
	char *cgroup;
	uint32_t *cpus;
	uint32_t kind;		/* PMUCTL_KINDS_MAX: all CPUs are alike */
};

/* Gathered first, as the caller's function may well talk to the module, too. */
struct finds {
	struct pmuctl *ctx;
	struct found *list;
	size_t count;
};

/* A CPU each, all under one attribute number. */
static int take_cpus(struct pmuctl *ctx, struct found *f, struct nlmsghdr *nlh)
{
	struct nlattr *attr;
	uint32_t *grown;
	int rem;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem) {
		if (nla_type(attr) != PMUCTL_A_SESSION_CPU || nla_len(attr) < 4)
			continue;
		grown = reallocarray(f->cpus, f->info.cpus_count + 1, sizeof(*grown));
		if (!grown)
			return fail(ctx, -ENOMEM, "out of memory");
		f->cpus = grown;
		f->cpus[f->info.cpus_count++] = nla_get_u32(attr);
	}
	return 0;
}

static int take_session(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct finds *finds = data;
	struct found *grown, *f;

	grown = reallocarray(finds->list, finds->count + 1, sizeof(*grown));
	if (!grown)
		return fail(finds->ctx, -ENOMEM, "out of memory");
	finds->list = grown;
	f = &grown[finds->count++];
	*f = (struct found){
		.info = {
			.id = get_u32(attrs, PMUCTL_A_SESSION_ID),
			.running = get_u32(attrs, PMUCTL_A_SESSION_RUNNING),
			.flags = get_u64(attrs, PMUCTL_A_SESSION_FLAGS),
			.counters = get_u64(attrs, PMUCTL_A_SESSION_COUNTERS),
			.owner_pid = (pid_t)get_u32(attrs, PMUCTL_A_SESSION_OWNER_PID),
			.events = get_u32(attrs, PMUCTL_A_SESSION_EVENTS),
			.sets = get_u32(attrs, PMUCTL_A_SESSION_SETS),
			.tasks = get_u32(attrs, PMUCTL_A_SESSION_TASKS),
			.inode = get_u64(attrs, PMUCTL_A_SESSION_INODE),
			.owner_uid = get_u32(attrs, PMUCTL_A_SESSION_OWNER_UID),
			.privileged = get_u32(attrs, PMUCTL_A_SESSION_PRIVILEGED),
			.lost = get_u32(attrs, PMUCTL_A_SESSION_LOST),
		},
		.kind = attrs[PMUCTL_A_SESSION_KIND] ? get_u32(attrs, PMUCTL_A_SESSION_KIND) :
						       PMUCTL_KINDS_MAX,
	};
	if (attrs[PMUCTL_A_SESSION_OWNER_COMM])
		nla_strlcpy(f->comm, attrs[PMUCTL_A_SESSION_OWNER_COMM], sizeof(f->comm));
	if (attrs[PMUCTL_A_SESSION_CGROUP_PATH]) {
		f->cgroup = nla_strdup(attrs[PMUCTL_A_SESSION_CGROUP_PATH]);
		if (!f->cgroup)
			return fail(finds->ctx, -ENOMEM, "out of memory");
	}
	return take_cpus(finds->ctx, f, nlh);
}

static int deliver(struct finds *finds, pmuctl_session_fn *fn, void *data)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < finds->count; i++) {
		finds->list[i].info.owner_comm = finds->list[i].comm;
		finds->list[i].info.cgroup = finds->list[i].cgroup;
		finds->list[i].info.cpus = finds->list[i].cpus;
		finds->list[i].info.kind = kind_name(finds->ctx, finds->list[i].kind);
		err = fn(data, &finds->list[i].info);
	}
	return err;
}

int pmuctl_list_sessions(struct pmuctl *ctx, pmuctl_session_fn *fn, void *data)
{
	struct finds finds = { .ctx = ctx };
	const struct request req = {
		.cmd = PMUCTL_CMD_SESSION_GET,
		.dump = true,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.fn = take_session,
		.data = &finds,
	};
	size_t i;
	int err = fn ? talk(ctx, &req) : is_null(ctx, "the function for sessions");

	if (!err)
		err = deliver(&finds, fn, data);
	for (i = 0; i < finds.count; i++) {
		free(finds.list[i].cgroup);
		free(finds.list[i].cpus);
	}
	free(finds.list);
	return err;
}

int pmuctl_end_session(struct pmuctl *ctx, uint32_t id)
{
	const struct pmuctl_info *info;
	const struct request req = {
		.cmd = PMUCTL_CMD_SESSION_END,
		.acked = true,
		.session = id,
		.maxattr = PMUCTL_A_SESSION_MAX,
	};
	int err = info_get(ctx, &info);

	if (!err && !(info->features & PMUCTL_CAN_END))
		err = fail(ctx, -EOPNOTSUPP, "the loaded module ends no session of others; install "
			   "module and command of one version");
	if (!err && !id)
		err = fail(ctx, -ENOENT, "there is no session 0: they are numbered from 1 on");
	return err ? err : talk(ctx, &req);
}
