// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names that mean the same on every CPU, and raw codes.
 *
 * The portable names are the architectural events (Intel SDM vol. 3, chapter
 * "Performance Monitoring", pre-defined architectural performance events).
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"

struct portable {
	const char *name;
	uint64_t evtsel;
	unsigned int arch;	/* its bit in CPUID.0AH:EBX */
	const char *text;
};

/*
 * ref-cycles is the fixed counter that runs at the rate of the TSC; event 3C
 * umask 01 counts the bus clock, which is something else.  Code 00 umask 03
 * is how Intel's own event lists write it; no general-purpose counter has it.
 */
static const struct portable portables[] = {
	{ "cycles", 0x003c, 0, "core clock cycles while not halted" },
	{ "instructions", 0x00c0, 1, "instructions retired" },
	{ "ref-cycles", 0x0300, 2, "cycles while not halted, at the constant rate of the TSC" },
	{ "bus-cycles", 0x013c, 2, "reference (bus) clock cycles while not halted" },
	{ "cache-references", 0x4f2e, 3, "references to the last-level cache" },
	{ "cache-misses", 0x412e, 4, "misses of the last-level cache" },
	{ "branches", 0x00c4, 5, "branch instructions retired" },
	{ "branch-misses", 0x00c5, 6, "mispredicted branch instructions retired" },
};

/* u, k, uk, ku; false if there is anything else or one of them twice. */
static bool take_modifiers(const char *text, struct encoding *enc)
{
	bool user = false, kernel = false;

	if (!*text)
		return false;
	for (; *text; text++) {
		bool *flag = *text == 'u' ? &user : *text == 'k' ? &kernel : NULL;

		if (!flag || *flag)
			return false;
		*flag = true;
	}
	enc->user = user;
	enc->kernel = kernel;
	return true;
}

/* The part after NAME[:MODIFIERS]; text points behind the name. */
static int finish(struct pmuctl *ctx, const char *text, struct encoding *enc)
{
	if (!*text || take_modifiers(text + 1, enc))
		return 0;
	return fail(ctx, -EINVAL, "'%s' is no modifier; there are :u (user), :k (kernel), :uk",
		    text);
}

static const struct portable *find_portable(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(portables); i++)
		if (strlen(portables[i].name) == len && !memcmp(portables[i].name, name, len))
			return &portables[i];
	return NULL;
}

int portable_encode(struct pmuctl *ctx, const char *name, struct encoding *enc)
{
	size_t len = strcspn(name, ":");
	const struct portable *p = find_portable(name, len);
	struct pmu_facts facts;
	int err;

	if (!p)
		return -ENOENT;
	err = facts_get(ctx, &facts);
	if (err)
		return err;
	if (!(facts.arch_events >> p->arch & 1))
		return fail(ctx, -EOPNOTSUPP,
			    "this CPU does not have architectural event %u (CPUID leaf 0AH)",
			    p->arch);
	enc->evtsel = p->evtsel;
	snprintf(enc->full_name, sizeof(enc->full_name), "%s", p->name);
	return finish(ctx, name + len, enc);
}

int portable_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	struct pmuctl_event_desc desc = { .source = PMUCTL_SOURCE_PORTABLE };
	struct pmu_facts facts;
	size_t i;
	int err = facts_get(ctx, &facts);

	for (i = 0; !err && i < ARRAY_SIZE(portables); i++) {
		desc.name = portables[i].name;
		desc.text = portables[i].text;
		if ((facts.arch_events >> portables[i].arch & 1) &&
		    pattern_matches(pattern, desc.name))
			err = fn(data, &desc);
	}
	return err;
}

/* Who copies a code out of a register dump has these set. */
static int check_raw(struct pmuctl *ctx, uint64_t code)
{
	if (code >> 32)
		return fail(ctx, -EINVAL, "a raw code has at most 32 bits");
	if (code & EVTSEL_KERNEL)
		return fail(ctx, -EINVAL,
			    "the kernel sets bits 16, 17, 19, 20 and 22 (USR, OS, PC, INT, EN) "
			    "itself; write r%llx, and :u or :k for the ring",
			    (unsigned long long)(code & ~EVTSEL_KERNEL));
	return 0;
}

int raw_encode(struct pmuctl *ctx, const char *name, struct encoding *enc)
{
	char *end;
	int err;

	if (name[0] != 'r' || !isxdigit((unsigned char)name[1]))
		return -ENOENT;
	errno = 0;
	enc->evtsel = strtoull(name + 1, &end, 16);
	if (*end && *end != ':')
		return -ENOENT;
	err = errno ? fail(ctx, -EINVAL, "a raw code has at most 32 bits") :
		      check_raw(ctx, enc->evtsel);
	if (err)
		return err;
	snprintf(enc->full_name, sizeof(enc->full_name), "r%llx", (unsigned long long)enc->evtsel);
	return finish(ctx, end, enc);
}
