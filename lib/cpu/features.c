// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Features of the processor by their names: which there are, what is asked of them, and holding
 * them.  Which register a feature is a field of, only the module knows.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kmod/uapi/pmuctl.h"
#include "lib/base/private.h"
#include "lib/pmuctl-feature.h"

#define GROUP "prefetch"
#define NO_KIND UINT32_MAX
#define FEATURES_MOST 64		/* of all kinds of cores together */

/* ---- names ---------------------------------------------------------------------------------- */

static const struct {
	uint32_t id;
	const char *name, *text;
} names[] = {
	{ PMUCTL_CPU_FEATURE_L2_STREAM, "l2-stream",
	  "prefetcher of the second level, of lines in a row (streamer)" },
	{ PMUCTL_CPU_FEATURE_L2_ADJACENT, "l2-adjacent",
	  "prefetcher of the second level, of the other line of a pair" },
	{ PMUCTL_CPU_FEATURE_L1_NEXT, "l1-next",
	  "prefetcher of the first level, of the next line (DCU)" },
	{ PMUCTL_CPU_FEATURE_L1_STRIDE, "l1-stride",
	  "prefetcher of the first level, by the loads of an instruction (IP)" },
	{ PMUCTL_CPU_FEATURE_L2_MULTIPATH, "l2-multipath",
	  "adaptive multipath prefetcher of the second level (AMP)" },
	{ PMUCTL_CPU_FEATURE_EARLY_MISS, "early-miss",
	  "early fetch of misses that the first level has no room to track (homeless)" },
	{ PMUCTL_CPU_FEATURE_LLC, "llc-prefetch", "prefetcher into the last level" },
	{ PMUCTL_CPU_FEATURE_LLC_PAGE, "llc-page", "page prefetcher of the last level (LLCPP)" },
	{ PMUCTL_CPU_FEATURE_L1_POINTERS, "l1-pointers", "prefetcher of arrays of pointers (AOP)" },
	{ PMUCTL_CPU_FEATURE_LLC_STREAM, "llc-stream", "stream prefetcher of the last level" },
	{ PMUCTL_CPU_FEATURE_L1_PAGE, "l1-page",
	  "prefetcher of the first level, of the next page (NPP)" },
	{ PMUCTL_CPU_FEATURE_L2_NEXT, "l2-next",
	  "prefetcher of the second level, of the next line (NLP)" },
	{ PMUCTL_CPU_FEATURE_L2_CODE, "l2-code",
	  "prefetcher of the second level, of lines of code in a row" },
	{ PMUCTL_CPU_FEATURE_L2_TUNING, "l2-tuning",
	  "the processor's own changes of how the second level's prefetchers are set (DPC)" },
};

/* What one would like to switch and cannot, on any processor. */
static const struct {
	const char *name, *text, *why;
} fixed[] = {
	{ "branch-predictor", "predictor of branches",
	  "no processor of Intel's has a documented switch of it; mispredictions are taken away by "
	  "another program (pmuctl cost --pair)" },
	{ "cache-size", "sizes of caches",
	  "they are fixed; of the last level a command may be given some ways where there is CAT "
	  "(pmuctl's l3-ways)" },
	{ "tlb", "translation caches",
	  "they have no switch; larger pages (madvise(2), hugetlbfs) take their misses away" },
	{ "execution-units", "units that execute, and how uops retire", "they have no switch" },
	{ "l3", "third level of a Pentium 4 (1A0H bit 6)",
	  "the cache has to be flushed and memory types set anew on all CPUs at once, which is for "
	  "firmware" },
	{ "l1-context", "how the threads of a Pentium 4 share the first level (1A0H bit 24)",
	  "it may only be written before the second thread runs, which is for firmware" },
	{ "turbo", "clocks above the nominal one (1A0H bit 38)",
	  "the kernel has it: /sys/devices/system/cpu/intel_pstate/no_turbo" },
};

static int name_index(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == len && !memcmp(names[i].name, name, len))
			return (int)i;
	return -1;
}

static int fixed_index(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fixed); i++)
		if (strlen(fixed[i].name) == len && !memcmp(fixed[i].name, name, len))
			return (int)i;
	return -1;
}

static bool is_group(const char *name, size_t len)
{
	return len == strlen(GROUP) && !memcmp(name, GROUP, len);
}

static const char *name_of(uint32_t id)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].id == id)
			return names[i].name;
	return "unnamed";
}

bool pmuctl_is_feature(const char *text)
{
	size_t len = text ? strcspn(text, "=") : 0;

	return is_group(text, len) || name_index(text, len) >= 0 || fixed_index(text, len) >= 0;
}

/* ---- what is asked for ------------------------------------------------------------------ */

/* One of "NAME=VALUE,NAME=VALUE". */
struct wish {
	const char *name;
	size_t len;
	bool word, off;			/* "on" or "off", and not a number */
	uint64_t number;
};

static int take_value(struct pmuctl *ctx, const char *value, size_t len, struct wish *wish)
{
	char *end;

	wish->word = true;
	wish->off = len == 3 && !memcmp(value, "off", 3);
	if (wish->off || (len == 2 && !memcmp(value, "on", 2)))
		return 0;
	wish->word = false;
	if (len && isdigit((unsigned char)*value)) {
		wish->number = strtoull(value, &end, 0);
		if (end == value + len)
			return 0;
	}
	return fail(ctx, -EINVAL, "feature '%.*s': '%.*s' is no value: it is on, off or a number",
		    (int)wish->len, wish->name, (int)len, value);
}

static int check_name(struct pmuctl *ctx, const struct wish *wish)
{
	int which = fixed_index(wish->name, wish->len);

	if (which >= 0)
		return fail(ctx, -EOPNOTSUPP, "feature '%s' cannot be switched: %s",
			    fixed[which].name, fixed[which].why);
	if (is_group(wish->name, wish->len) || name_index(wish->name, wish->len) >= 0)
		return 0;
	return fail(ctx, -ENOENT, "there is no feature '%.*s': `pmuctl features` has those that there "
		    "are, and " GROUP " is all of the manuals' prefetchers", (int)wish->len, wish->name);
}

/* The next one; *text is behind it then.  0 or -errno. */
static int take_wish(struct pmuctl *ctx, const char **text, struct wish *wish)
{
	size_t all = strcspn(*text, ","), value;
	int err;

	*wish = (struct wish){ .name = *text, .len = strcspn(*text, "=,") };
	if (!wish->len || wish->len == all)
		return fail(ctx, -EINVAL, "features '%s': each is NAME=VALUE, like " GROUP "=off", *text);
	value = wish->len + 1;
	err = check_name(ctx, wish);
	if (!err)
		err = take_value(ctx, *text + value, all - value, wish);
	*text += all;
	if (err || **text != ',')
		return err;
	++*text;
	if (!**text)
		return fail(ctx, -EINVAL, "features: there is nothing behind the last comma");
	return 0;
}

int pmuctl_check_features(struct pmuctl *ctx, const char *text)
{
	struct wish wish;
	int err = 0;

	if (!text)
		return is_null(ctx, "the features");
	if (!*text)
		return fail(ctx, -EINVAL, "features: none is named");
	while (!err && *text)
		err = take_wish(ctx, &text, &wish);
	return err;
}

/* ---- what there is -------------------------------------------------------------------------- */

struct known {
	struct pmuctl_feature_row row;
	uint32_t cores;			/* which kind's, NO_KIND: there is one */
	char *why_not;			/* NULL: it can be switched */
	struct pmuctl_feature_place *places;
	size_t nr_places;
};

struct all_known {
	struct pmuctl *ctx;
	struct known list[FEATURES_MOST];
	size_t count;
};

static void forget(struct all_known *all)
{
	size_t i, j;

	for (i = 0; i < all->count; i++) {
		for (j = 0; j < all->list[i].nr_places; j++)
			free((char *)all->list[i].places[j].holder_comm);
		free(all->list[i].places);
		free(all->list[i].why_not);
	}
}

/* Attributes are aligned to four bytes, structures want eight. */
static bool take_structure(struct nlattr *attr, void *to, size_t size)
{
	if (!attr || (size_t)nla_len(attr) != size)
		return false;
	memcpy(to, nla_data(attr), size);
	return true;
}

static struct known *known_of(struct all_known *all, const struct pmuctl_feature_row *row,
			      uint32_t cores)
{
	size_t i;

	for (i = 0; i < all->count; i++)
		if (all->list[i].row.id == row->id && all->list[i].cores == cores)
			return &all->list[i];
	if (all->count == ARRAY_SIZE(all->list))
		return NULL;
	all->list[all->count].row = *row;
	all->list[all->count].cores = cores;
	return &all->list[all->count++];
}

static int add_place(struct all_known *all, struct known *known,
		     const struct pmuctl_feature_state *state, struct nlattr **attrs)
{
	struct pmuctl_feature_place *grown;
	struct nlattr *comm = attrs[PMUCTL_A_SESSION_OWNER_COMM];

	grown = reallocarray(known->places, known->nr_places + 1, sizeof(*grown));
	if (!grown)
		return fail(all->ctx, -ENOMEM, "out of memory");
	known->places = grown;
	grown += known->nr_places;
	*grown = (struct pmuctl_feature_place){
		.cpu = state->cpu,
		.known = state->flags & PMUCTL_FEATURE_READ,
		.held = state->flags & (PMUCTL_FEATURE_HELD | PMUCTL_FEATURE_TASKS),
		.for_tasks = state->flags & PMUCTL_FEATURE_TASKS,
		.found = state->found, .wrote = state->wrote, .now = state->now,
		.holder = (pid_t)get_u32(attrs, PMUCTL_A_SESSION_OWNER_PID),
	};
	known->nr_places++;
	if (comm)
		grown->holder_comm = nla_strdup(comm);
	return comm && !grown->holder_comm ? fail(all->ctx, -ENOMEM, "out of memory") : 0;
}

static int take_known(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct all_known *all = data;
	struct pmuctl_feature_state state;
	struct pmuctl_feature_row row;
	struct known *known;

	(void)nlh;
	if (!take_structure(attrs[PMUCTL_A_SESSION_FEATURE], &row, sizeof(row)) ||
	    !take_structure(attrs[PMUCTL_A_SESSION_STATE], &state, sizeof(state)))
		return fail(all->ctx, -EBADMSG, "the module's answer has no feature in it");
	known = known_of(all, &row, attrs[PMUCTL_A_SESSION_KIND] ?
			 get_u32(attrs, PMUCTL_A_SESSION_KIND) : NO_KIND);
	if (!known)
		return fail(all->ctx, -EBADMSG, "the module's answer has too many features in it");
	if (attrs[PMUCTL_A_SESSION_REFUSAL] && !known->why_not)
		known->why_not = nla_strdup(attrs[PMUCTL_A_SESSION_REFUSAL]);
	return add_place(all, known, &state, attrs);
}

static int ask_known(struct pmuctl *ctx, struct all_known *all)
{
	const struct request req = {
		.cmd = PMUCTL_CMD_FEATURE_GET,
		.dump = true,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.fn = take_known,
		.data = all,
	};

	all->ctx = ctx;
	return talk(ctx, &req);
}

static const char *scope_text(uint32_t scope)
{
	switch (scope) {
	case PMUCTL_FEATURE_SCOPE_CORE: return "core";
	case PMUCTL_FEATURE_SCOPE_CLUSTER: return "module";
	case PMUCTL_FEATURE_SCOPE_PACKAGE: return "package";
	default: return "unknown";
	}
}

static int deliver(struct pmuctl *ctx, const struct known *known, pmuctl_feature_fn *fn,
		   void *data)
{
	const struct pmuctl_feature_row *row = &known->row;
	size_t i;
	const struct pmuctl_feature_info feature = {
		.name = name_of(row->id), .text = "newer than this library",
		.level = row->kind, .scope = scope_text(row->scope),
		.msr = row->msr, .shift = row->shift, .width = row->width, .off = row->off,
		.why_not = known->why_not,
		.places = known->places, .places_count = known->nr_places,
		.cores = kind_name(ctx->whole ? ctx->whole : ctx, known->cores),
	};
	struct pmuctl_feature_info named = feature;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].id == row->id)
			named.text = names[i].text;
	return fn(data, &named);
}

int pmuctl_list_features(struct pmuctl *ctx, pmuctl_feature_fn *fn, void *data)
{
	struct all_known all = { .count = 0 };
	size_t i;
	int err;

	if (!fn)
		return is_null(ctx, "the function for features");
	err = ask_known(ctx, &all);
	for (i = 0; !err && i < all.count; i++)
		err = deliver(ctx, &all.list[i], fn, data);
	for (i = 0; !err && i < ARRAY_SIZE(fixed); i++) {
		const struct pmuctl_feature_info feature = {
			.name = fixed[i].name, .text = fixed[i].text, .level = 3,
			.why_not = fixed[i].why,
		};

		err = fn(data, &feature);
	}
	forget(&all);
	return err;
}

/* ---- holding -------------------------------------------------------------------------------- */

struct pmuctl_hold {
	struct pmuctl *ctx;
	uint32_t id;
	unsigned int *also;
	size_t nr_also;
};

struct asking {
	struct pmuctl_hold *hold;
	const unsigned int *cpus;
	size_t nr_cpus;
	pid_t process;			/* 0: of CPUs */
	struct pmuctl_feature_value value[FEATURES_MOST];
	size_t nr_values;
};

/* The last one holds. */
static void set_value(struct asking *a, const struct pmuctl_feature_row *row,
		      const struct wish *wish)
{
	uint64_t value = !wish->word ? wish->number : wish->off ? row->off : !row->off;
	size_t i;

	for (i = 0; i < a->nr_values && a->value[i].id != row->id; i++)
		;
	a->value[i] = (struct pmuctl_feature_value){ .id = row->id, .value = value };
	a->nr_values += i == a->nr_values;
}

/* A core of the CPUs that are named has it. */
static bool is_there(struct pmuctl *ctx, const struct asking *a, const struct known *known)
{
	const struct kinds *kinds = kinds_of(ctx->whole ? ctx->whole : ctx);
	size_t i;

	if (!a->nr_cpus || !kinds || known->cores >= kinds->count)
		return true;
	for (i = 0; i < a->nr_cpus; i++)
		if (pmuctl_kind_has_cpu(&kinds->kind[known->cores], a->cpus[i]))
			return true;
	return false;
}

static bool is_meant(struct pmuctl *ctx, const struct asking *a, const struct wish *wish,
		     const struct known *known)
{
	const char *name = name_of(known->row.id);

	if (is_group(wish->name, wish->len))
		return known->row.kind == PMUCTL_FEATURE_KIND_DOCUMENTED &&
		       is_there(ctx, a, known);
	return strlen(name) == wish->len && !memcmp(name, wish->name, wish->len);
}

/* What several kinds of cores have is named once. */
static bool is_first(const struct all_known *all, size_t which)
{
	size_t i = 0;

	while (all->list[i].row.id != all->list[which].row.id)
		i++;
	return i == which;
}

static void say_known(const struct all_known *all, char *text, size_t size)
{
	size_t i, used = 0;

	text[0] = '\0';
	for (i = 0; i < all->count && used < size; i++)
		if (is_first(all, i))
			used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
						 name_of(all->list[i].row.id));
}

static int add_wish(struct pmuctl *ctx, const struct all_known *all, const struct wish *wish,
		    struct asking *a)
{
	char there[320];
	size_t i, before = a->nr_values;
	bool found = false;

	for (i = 0; i < all->count; i++) {
		if (!is_meant(ctx, a, wish, &all->list[i]))
			continue;
		found = true;
		if (!wish->word && wish->number >> all->list[i].row.width)
			return fail(ctx, -ERANGE, "feature '%s': %llu does not fit into its %u bit%s",
				    name_of(all->list[i].row.id), (unsigned long long)wish->number,
				    all->list[i].row.width, all->list[i].row.width == 1 ? "" : "s");
		set_value(a, &all->list[i].row, wish);
	}
	if (found || a->nr_values > before)
		return 0;
	say_known(all, there, sizeof(there));
	return fail(ctx, -ENOENT, "feature '%.*s': this processor has none; it has: %s", (int)wish->len,
		    wish->name, there);
}

static int add_wishes(struct pmuctl *ctx, const char *text, struct asking *a)
{
	struct all_known all = { .count = 0 };
	struct wish wish;
	int err = ask_known(ctx, &all);

	if (!err && !all.count)
		err = fail(ctx, -EOPNOTSUPP, "features of this processor cannot be switched yet: nothing "
			   "is known of its registers for them");
	while (!err && *text) {
		err = take_wish(ctx, &text, &wish);
		if (!err)
			err = add_wish(ctx, &all, &wish, a);
	}
	forget(&all);
	return err;
}

static int put_hold(struct nl_msg *msg, const void *data)
{
	const struct asking *a = data;
	size_t i;
	int err = nla_put(msg, PMUCTL_A_SESSION_FEATURES,
			  (int)(a->nr_values * sizeof(a->value[0])), a->value);

	for (i = 0; !err && i < a->nr_cpus; i++)
		err = nla_put_u32(msg, PMUCTL_A_SESSION_CPU, a->cpus[i]);
	if (!err && a->process)
		err = nla_put_u32(msg, PMUCTL_A_SESSION_PID, (uint32_t)a->process);
	return err;
}

static int take_hold(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct pmuctl_hold *hold = ((struct asking *)data)->hold;
	struct nlattr *attr;
	unsigned int *grown;
	int rem;

	hold->id = get_u32(attrs, PMUCTL_A_SESSION_HOLD);
	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem) {
		if (nla_type(attr) != PMUCTL_A_SESSION_CPU || nla_len(attr) < 4)
			continue;
		grown = reallocarray(hold->also, hold->nr_also + 1, sizeof(*grown));
		if (!grown)
			return fail(hold->ctx, -ENOMEM, "out of memory");
		hold->also = grown;
		grown[hold->nr_also++] = nla_get_u32(attr);
	}
	return 0;
}

/* The module knows features by their numbers; the rest of what it says stays as it is. */
static int refused(struct pmuctl *ctx, int err)
{
	char said[sizeof(ctx->error)];
	unsigned int id;
	int end = 0;

	if (sscanf(ctx->error, "feature %u%n", &id, &end) != 1 || !end)
		return err;
	snprintf(said, sizeof(said), "%s", ctx->error + end);
	return fail(ctx, err, "feature '%s'%s", name_of(id), said);
}

static int ask_hold(struct pmuctl *ctx, struct asking *a)
{
	const struct request req = {
		.cmd = PMUCTL_CMD_FEATURE_HOLD,
		.acked = true,
		.put = put_hold,
		.room = 24 + sizeof(a->value) + a->nr_cpus * 8,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.fn = take_hold,
		.data = a,
	};
	int err = talk(ctx, &req);

	if (!err && !a->hold->id)
		return fail(ctx, -EBADMSG, "the module's answer has no hold in it");
	return err ? refused(ctx, err) : 0;
}

static void hold_free(struct pmuctl_hold *hold)
{
	free(hold->also);
	free(hold);
}

static int hold_asked(struct pmuctl *ctx, const char *text, struct asking *a,
		      struct pmuctl_hold **hold)
{
	int err;

	if (!hold)
		return is_null(ctx, "where the hold goes");
	err = pmuctl_check_features(ctx, text);
	if (err)
		return err;
	a->hold = calloc(1, sizeof(*a->hold));
	if (!a->hold)
		return fail(ctx, -ENOMEM, "out of memory");
	a->hold->ctx = ctx;
	err = add_wishes(ctx, text, a);
	if (!err)
		err = ask_hold(ctx, a);
	if (err)
		hold_free(a->hold);
	else
		*hold = a->hold;
	return err;
}

int pmuctl_hold_features(struct pmuctl *ctx, const char *text, const unsigned int *cpus,
			 size_t count, struct pmuctl_hold **hold)
{
	struct asking a = { .cpus = cpus, .nr_cpus = count };

	return hold_asked(ctx, text, &a, hold);
}

int pmuctl_hold_features_for(struct pmuctl *ctx, const char *text, pid_t process,
			     struct pmuctl_hold **hold)
{
	struct asking a = { .process = process };
	const uint64_t both = PMUCTL_CAN_SWITCH | PMUCTL_CAN_SWITCH_TASK;
	const struct pmuctl_info *info;
	int err;

	if (process <= 0)
		return fail(ctx, -ESRCH, "there is no process %d", (int)process);
	err = info_get(ctx, &info);
	/* What it does not switch at all it says itself. */
	if (!err && (info->features & both) == PMUCTL_CAN_SWITCH)
		err = fail(ctx, -EOPNOTSUPP, "the loaded module switches no features with tasks; "
			   "install module and command of one version");
	return err ? err : hold_asked(ctx, text, &a, hold);
}

const unsigned int *pmuctl_hold_also(const struct pmuctl_hold *hold, size_t *count)
{
	*count = hold ? hold->nr_also : 0;
	return hold ? hold->also : NULL;
}

/* ---- releasing ------------------------------------------------------------------------------ */

struct releasing {
	struct pmuctl_hold *hold;
	pmuctl_left_fn *fn;
	void *data;
};

static int put_release(struct nl_msg *msg, const void *data)
{
	return nla_put_u32(msg, PMUCTL_A_SESSION_HOLD, ((const struct releasing *)data)->hold->id);
}

static int take_left(void *data, struct nlmsghdr *nlh, struct nlattr **attrs)
{
	struct releasing *r = data;
	struct nlattr *attr = attrs[PMUCTL_A_SESSION_LEFT];
	struct pmuctl_feature_left one;
	size_t i, n = attr ? (size_t)nla_len(attr) / sizeof(one) : 0;

	(void)nlh;
	for (i = 0; r->fn && i < n; i++) {
		memcpy(&one, (char *)nla_data(attr) + i * sizeof(one), sizeof(one));
		r->fn(r->data, &(struct pmuctl_left){
			.name = name_of(one.id), .cpu = one.cpu, .wrote = one.wrote,
			.now = one.now,
		});
	}
	return 0;
}

int pmuctl_hold_release(struct pmuctl_hold *hold, pmuctl_left_fn *fn, void *data)
{
	struct releasing r = { .hold = hold, .fn = fn, .data = data };
	const struct request req = {
		.cmd = PMUCTL_CMD_FEATURE_RELEASE,
		.acked = true,
		.put = put_release,
		.room = 16,
		.maxattr = PMUCTL_A_SESSION_MAX,
		.fn = take_left,
		.data = &r,
	};
	int err = hold ? talk(hold->ctx, &req) : 0;

	if (hold)
		hold_free(hold);
	return err;
}
