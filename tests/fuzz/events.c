// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer over what -e takes: the first byte says on which CPU, the rest is the text.
 *
 * What is no event is refused with a reason; what is one is whole, and the same each time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/private.h"
#include "tools/run/events.h"

static const struct pmu_facts cpus[] = {
	{ .signature = 0x506e3, .version = 4, .counters = 0x70000000f, .arch_events = 0x7f,
	  .any = true, .threads = true },
	{ .signature = 0x706e5, .version = 5, .counters = 0xf000000ff, .arch_events = 0xff },
	{ .signature = 0x6fb, .version = 2, .counters = 0x700000003, .arch_events = 0x7f },
	{ .signature = 0xb0671, .version = 5, .counters = 0x7000000ff, .arch_events = 0x7f,
	  .arch_only = true },
	{ .signature = 0xf41, .counters = 0x3fffd, .threads = true, .backend = BACKEND_P4 },
	{ .signature = 0xf29, .counters = 0x3ffff, .backend = BACKEND_P4 },
	{ .signature = 0x673, .counters = 0x3, .backend = BACKEND_P6 },
};

static void check(bool good)
{
	if (!good)
		abort();
}

static void check_event(const struct pmuctl_event *event)
{
	const struct pmuctl_event_info *info = pmuctl_event_get_info(event);

	check(info->name && *info->name && info->full_name && *info->full_name && info->note);
	check(info->registers_count >= 1 && info->registers_count <= EVENT_REGISTERS);
	check(info->counters && (info->user || info->kernel) && info->precise <= 3);
	check(info->upstreams_count <= UPSTREAMS);
}

static void check_same(const struct pmuctl_event *a, const struct pmuctl_event *b)
{
	const struct pmuctl_event_info *one = pmuctl_event_get_info(a);
	const struct pmuctl_event_info *two = pmuctl_event_get_info(b);

	check(!strcmp(one->full_name, two->full_name) && one->counters == two->counters);
	check(one->registers_count == two->registers_count &&
	      !memcmp(one->registers, two->registers,
		      one->registers_count * sizeof(*one->registers)));
}

static int parse(struct pmuctl *ctx, const char *name, struct pmuctl_event **event)
{
	int err = pmuctl_event_parse(ctx, name, event);

	if (err)
		check((err == -EINVAL || err == -ENOENT || err == -EOPNOTSUPP) && *ctx->error);
	else
		check_event(*event);
	return err;
}

static int try(void *data, const struct event_part *part)
{
	struct pmuctl_event *event = NULL, *again = NULL;
	struct pmuctl *ctx = data;
	char *name = malloc(part->len + part->modifiers_len + 1);

	memcpy(name, part->name, part->len);
	memcpy(name + part->len, part->modifiers, part->modifiers_len);
	name[part->len + part->modifiers_len] = '\0';
	if (!parse(ctx, name, &event)) {
		check(!parse(ctx, name, &again));
		check_same(event, again);
	}
	pmuctl_event_free(event);
	pmuctl_event_free(again);
	free(name);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct pmuctl ctx = { .facts_known = true };
	const char *why = NULL;
	char *text;
	int err;

	if (!size)
		return 0;
	/* libpfm4 has one CPU for all of a process. */
	setenv("LIBPFM_FORCE_PMU", "skl", 0);
	ctx.facts = cpus[*bytes % ARRAY_SIZE(cpus)];
	text = strndup((const char *)bytes + 1, size - 1);
	err = event_text_walk(text, try, &ctx, &why);
	check(!err || (err == -EINVAL && why && *why));
	free(text);
	return 0;
}
