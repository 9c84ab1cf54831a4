// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Event names of libpfm4.
 *
 * The library is loaded when the first name needs it and not before: its
 * tables cost 40 thousand relocations, more than all the rest of a short run.
 */
#include <dlfcn.h>
#include <errno.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpu/named.h"

#define PFM_SONAME "libpfm.so.4"
/* Of the architectural events, which every CPU has. */
#define ARCH_PMU "ix86arch"
/* Granite Rapids and clients have nearly all events of this one, which it has known for longer. */
#define SERVER_PMU "spr"

struct pfm {
	void *handle;
	const char *pmu;	/* "skl" */
	int first_event;
	bool of_server;		/* pmu is a server's, and this is a client */
	pfm_err_t (*initialize)(void);
	const char *(*strerror)(int code);
	pfm_err_t (*get_pmu_info)(pfm_pmu_t pmu, pfm_pmu_info_t *info);
	pfm_err_t (*get_event_info)(int idx, pfm_os_t os, pfm_event_info_t *info);
	int (*get_event_next)(int idx);
	pfm_err_t (*get_event_attr_info)(int eidx, int aidx, pfm_os_t os,
					 pfm_event_attr_info_t *info);
	pfm_err_t (*encode)(const char *str, int dfl_plm, pfm_os_t os, void *args);
};

static bool load_symbols(struct pfm *pfm)
{
	return LOAD(pfm->handle, pfm->initialize, "pfm_initialize") &&
	       LOAD(pfm->handle, pfm->strerror, "pfm_strerror") &&
	       LOAD(pfm->handle, pfm->get_pmu_info, "pfm_get_pmu_info") &&
	       LOAD(pfm->handle, pfm->get_event_info, "pfm_get_event_info") &&
	       LOAD(pfm->handle, pfm->get_event_next, "pfm_get_event_next") &&
	       LOAD(pfm->handle, pfm->get_event_attr_info, "pfm_get_event_attr_info") &&
	       LOAD(pfm->handle, pfm->encode, "pfm_get_os_event_encoding");
}

/* Where cores are of several kinds it detects a PMU of each: "adl_glc", "adl_grt". */
static bool is_of_other_kind(const char *name, uint32_t kind)
{
	static const struct {
		const char *end;
		uint32_t kind;
	} ends[] = {
		{ "_glc", CORE_BIG }, { "_rwc", CORE_BIG }, { "_lnc", CORE_BIG },
		{ "_cgc", CORE_BIG }, { "_grt", CORE_SMALL }, { "_cmt", CORE_SMALL },
		{ "_skt", CORE_SMALL }, { "_dkt", CORE_SMALL },
	};
	size_t i, len = strlen(name);

	if (!strcmp(name, SERVER_PMU))
		return kind == CORE_SMALL;
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		if (len > 4 && !strcmp(name + len - 4, ends[i].end))
			return kind && kind != ends[i].kind;
	return false;
}

/* The core PMU that libpfm4 detected, rather the model's own than "ix86arch". */
static bool find_pmu(struct pfm *pfm, uint32_t kind)
{
	pfm_pmu_t id;

	for (id = PFM_PMU_NONE; id < PFM_PMU_MAX; id++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm->get_pmu_info(id, &info) != PFM_SUCCESS || !info.is_present ||
		    info.type != PFM_PMU_TYPE_CORE)
			continue;
		if ((pfm->pmu && !strcmp(info.name, ARCH_PMU)) ||
		    is_of_other_kind(info.name, kind))
			continue;
		pfm->pmu = info.name;
		pfm->first_event = info.first_event;
	}
	return pfm->pmu;
}

/* What somebody set is somebody's wish; returns whether it was us. */
static bool set_ours(const char *name, const char *value, bool wanted)
{
	return wanted && !getenv(name) && !setenv(name, value, 0);
}

/* like_pmu: what to take this CPU's for, NULL: it is detected; others: it tells of all it knows. */
static pfm_err_t initialize(const struct pmuctl *ctx, const struct pfm *pfm, const char *like_pmu,
			    bool others)
{
	bool alone = set_ours("LIBPFM_DISABLED_PMUS", "perf", ctx->alone);
	bool like = set_ours("LIBPFM_FORCE_PMU", like_pmu, like_pmu);
	bool inactive = set_ours("LIBPFM_ENCODE_INACTIVE", "1", others);
	pfm_err_t err = pfm->initialize();

	if (alone)
		unsetenv("LIBPFM_DISABLED_PMUS");
	if (like)
		unsetenv("LIBPFM_FORCE_PMU");
	if (inactive)
		unsetenv("LIBPFM_ENCODE_INACTIVE");
	return err;
}

static const char *pmu_like(const struct pmuctl *ctx)
{
	if (ctx->planned)
		return ctx->planned->pfm;
	return is_granite_rapids(&ctx->facts) ? SERVER_PMU : NULL;
}

/* A client with the server's core, which it does not know: it tells codes of others as well. */
static void take_servers(struct pfm *pfm)
{
	pfm_pmu_t id;

	for (id = PFM_PMU_NONE; id < PFM_PMU_MAX; id++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm->get_pmu_info(id, &info) != PFM_SUCCESS ||
		    strcmp(info.name, SERVER_PMU) != 0)
			continue;
		pfm->pmu = info.name;
		pfm->first_event = info.first_event;
		pfm->of_server = true;
		return;
	}
}

static int start(struct pmuctl *ctx, struct pfm *pfm)
{
	enum generation generation = generation_of(&ctx->facts);
	int err;

	if (ctx->planned && !ctx->planned->pfm)
		return fail(ctx, -ENOENT, "no portable name, and libpfm4 knows no processor like %s; "
			    "Intel's files have its events (--events-dir)", ctx->planned->name);
	/* It stays: what it allocates belongs to the process, and other contexts may use it. */
	pfm->handle = dlopen(PFM_SONAME, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	if (!pfm->handle || !load_symbols(pfm))
		return fail(ctx, -ENOENT,
			    "no portable name, and libpfm4 (%s) cannot be loaded; install it "
			    "(Debian: libpfm4)",
			    PFM_SONAME);
	err = initialize(ctx, pfm, pmu_like(ctx), generation >= GEN_ADL);
	if (err != PFM_SUCCESS)
		return fail(ctx, -ENOENT, "libpfm4: %s", pfm->strerror(err));
	find_pmu(pfm, core_kind(&ctx->facts));
	if (generation == GEN_ADL && (!pfm->pmu || !strcmp(pfm->pmu, ARCH_PMU)))
		take_servers(pfm);
	if (!pfm->pmu && ctx->planned)
		return fail(ctx, -ENOENT, "no portable name, and this libpfm4 does not know %s (%s); "
			    "Intel's files have its events (--events-dir)", ctx->planned->name,
			    ctx->planned->pfm);
	if (!pfm->pmu)
		return fail(ctx, -ENOENT,
			    "no portable name, and libpfm4 does not know this CPU");
	return 0;
}

static int pfm_open(struct pmuctl *ctx)
{
	struct pmu_facts facts;
	struct pfm *pfm;
	int err;

	if (ctx->pfm)
		return 0;
	/* Whether it knows the processor is seen below. */
	facts_get(ctx, &facts);
	pfm = calloc(1, sizeof(*pfm));
	if (!pfm)
		return fail(ctx, -ENOMEM, "out of memory");
	ctx->pfm = pfm;
	err = start(ctx, pfm);
	if (err)
		pfm_close(ctx);
	return err;
}

void pfm_close(struct pmuctl *ctx)
{
	if (ctx->pfm && ctx->pfm->handle)
		dlclose(ctx->pfm->handle);
	free(ctx->pfm);
	ctx->pfm = NULL;
}

/* "skl::EVENT:UMASK:k=1:u=1:e=0": modifiers are ours to show. */
static void take_name(const char *full, struct encoding *enc)
{
	const char *value = strchr(full, '=');
	size_t len = strlen(full);

	if (value)
		for (len = (size_t)(value - full); len && full[len] != ':'; len--)
			;
	snprintf(enc->full_name, sizeof(enc->full_name), "%.*s", (int)len, full);
}

/* A second code is the value of a register beside the event select. */
static void take_codes(const struct pmuctl *ctx, const pfm_pmu_encode_arg_t *arg,
		       struct encoding *enc)
{
	enc->evtsel = arg->codes[0] & ~EVTSEL_KERNEL;
	if (is_redwood_cove(&ctx->facts) && (enc->evtsel & EVTSEL_CODE) == FRONTEND_RETIRED)
		enc->evtsel |= FRONTEND_RETIRED_RWC;
	enc->extra = arg->count > 1 ? arg->codes[1] : 0;
	enc->extra_given = enc->extra;
	take_name(*arg->fstr, enc);
}

/* Whether it is "PMU::", for the cores' own or for what all have. */
static bool is_core(const struct pfm *pfm, const char *name, size_t len)
{
	return (strlen(pfm->pmu) == len && !strncasecmp(name, pfm->pmu, len)) ||
	       (len == strlen(ARCH_PMU) && !strncasecmp(name, ARCH_PMU, len));
}

/* libpfm4 has uncore PMUs, RAPL and the kernel's own counts as well, under such names. */
static int other_pmu(struct pmuctl *ctx, const char *name, size_t len)
{
	return fail(ctx, -ENOENT, "'%.*s' is libpfm4's name of another PMU than this CPU's cores "
		    "have, and pmuctl counts theirs alone: %s::EVENT, or without a prefix", (int)len,
		    name, ctx->pfm->pmu);
}

/* What the server's list has and a client's has not, or has with other values. */
static bool is_of_servers(const char *name)
{
	static const struct {
		const char *event, *umask;	/* how it begins */
	} alone[] = {
		{ "CORE_SNOOP_RESPONSE", "" }, { "EXE", "" }, { "FP_ARITH_INST_RETIRED", "512B" },
		{ "FP_ARITH_INST_RETIRED", "8_FLOPS" }, { "FP_ARITH_INST_RETIRED2", "" },
		{ "HW_INTERRUPTS", "" }, { "INT_MISC", "MBA" },
		{ "MEM_LOAD_L3_MISS_RETIRED", "REMOTE" }, { "MEM_LOAD_RETIRED", "LOCAL_PMM" },
		{ "OCR", "" }, { "RTM_RETIRED", "" }, { "TX_MEM", "" },
	};
	size_t i, len = strcspn(name, ":.");
	const char *umask = name + len + (name[len] != '\0');

	for (i = 0; i < ARRAY_SIZE(alone); i++)
		if (strlen(alone[i].event) == len && !strncasecmp(name, alone[i].event, len) &&
		    !strncasecmp(umask, alone[i].umask, strlen(alone[i].umask)))
			return true;
	return false;
}

static int encode_as(struct pmuctl *ctx, const char *name, struct encoding *enc)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	const char *prefixed = strstr(name, "::");
	char text[320], *full = NULL;
	int code, err = 0;

	if (prefixed && !is_core(ctx->pfm, name, (size_t)(prefixed - name)))
		return other_pmu(ctx, name, (size_t)(prefixed - name));
	if (ctx->pfm->of_server && is_of_servers(prefixed ? prefixed + 2 : name))
		return fail(ctx, -ENOENT, "it is an event of servers with this core; clients have it not, "
			    "or otherwise: Intel's files have theirs (--events-dir)");
	/* The prefix keeps uncore and software events of one name out. */
	snprintf(text, sizeof(text), "%s%s%s", prefixed ? "" : ctx->pfm->pmu, prefixed ? "" : "::",
		 name);
	arg.fstr = &full;
	code = ctx->pfm->encode(text, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg);
	if (code == PFM_SUCCESS)
		take_codes(ctx, &arg, enc);
	else if (code == PFM_ERR_NOTFOUND || code == PFM_ERR_INVAL)
		err = -ENOENT;
	else if (code == PFM_ERR_ATTR || code == PFM_ERR_UMASK)
		err = fail(ctx, -ENOENT, "%.*s has no such umask or modifier",
			   (int)strcspn(name, ":."), name);
	else
		err = fail(ctx, -EINVAL, "libpfm4: %s", ctx->pfm->strerror(code));
	free(arg.codes);
	free(full);
	return err;
}

/* Intel's manuals write EVENT.UMASK, libpfm4 EVENT:UMASK. */
static int encode_dotted(struct pmuctl *ctx, const char *name, struct encoding *enc)
{
	char text[sizeof(((struct event_text *)NULL)->name)];
	int err = encode_as(ctx, name, enc);
	char *dot;

	if (err != -ENOENT || !strchr(name, '.'))
		return err;
	snprintf(text, sizeof(text), "%s", name);
	dot = strchr(text, '.');
	*dot = ':';
	return encode_as(ctx, text, enc);
}

int pfm_encode(struct pmuctl *ctx, struct event_text *t, struct encoding *enc)
{
	int err = pfm_open(ctx);

	return err ? err : encode_with_umasks(ctx, t, encode_dotted, enc);
}

struct listing {
	struct pmuctl *ctx;
	const char *pattern;
	pmuctl_event_fn *fn;
	void *data;
};

static int list_umask(const struct listing *l, const pfm_event_info_t *event, int index, bool all)
{
	pfm_event_attr_info_t attr = { .size = sizeof(attr) };
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_LIBPFM4, .event = event->name };
	char name[160];

	if (l->ctx->pfm->get_event_attr_info(event->idx, index, PFM_OS_NONE, &attr) !=
		    PFM_SUCCESS || attr.type != PFM_ATTR_UMASK)
		return 0;
	snprintf(name, sizeof(name), "%s:%s", event->name, attr.name);
	if (l->ctx->pfm->of_server && is_of_servers(name))
		return 0;
	if (!all && !pattern_matches(l->pattern, name))
		return 0;
	desc.name = name;
	desc.text = attr.desc;
	return l->fn(l->data, &desc);
}

static int list_event(const struct listing *l, int index)
{
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_LIBPFM4 };
	pfm_event_info_t event = { .size = sizeof(event) };
	int i, err = 0;
	bool all;

	if (l->ctx->pfm->get_event_info(index, PFM_OS_NONE, &event) != PFM_SUCCESS)
		return 0;
	if (l->ctx->pfm->of_server && is_of_servers(event.name))
		return 0;
	all = pattern_matches(l->pattern, event.name);
	desc.name = event.name;
	desc.text = event.desc;
	if (all)
		err = l->fn(l->data, &desc);
	for (i = 0; !err && i < event.nattrs; i++)
		err = list_umask(l, &event, i, all);
	return err;
}

int pfm_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	const struct listing l = { .ctx = ctx, .pattern = pattern, .fn = fn, .data = data };
	int i, err = pfm_open(ctx);

	if (err)
		return err;
	for (i = ctx->pfm->first_event; !err && i != -1; i = ctx->pfm->get_event_next(i))
		err = list_event(&l, i);
	return err;
}
