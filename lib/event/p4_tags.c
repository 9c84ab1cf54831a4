// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What tags the uops that an event of the Pentium 4 counts: another event
 * upstream, a cause of replay, or both.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/cpu/p4.h"

#define UOPS_TYPE "uops_type"
#define EXECUTION_TAGS 4

static struct upstream *find_upstream(struct p4_code *code, const char *name)
{
	size_t i;

	for (i = 0; i < code->nr_upstreams; i++)
		if (!strcmp(code->upstream[i].name, name))
			return &code->upstream[i];
	return NULL;
}

/* Of a name of ours: all of the tables' names fit. */
static int add_upstream(struct pmuctl *ctx, const struct pmu_facts *facts, struct p4_code *code,
			const struct p4_event *e, uint16_t mask, uint8_t escrs)
{
	struct upstream *u;

	if (code->nr_upstreams == UPSTREAMS)
		return fail(ctx, -EINVAL, "there are %d tags, and this wants more", UPSTREAMS);
	u = &code->upstream[code->nr_upstreams++];
	snprintf(u->name, sizeof(u->name), "%s", e->name);
	u->reg[0] = (struct pmuctl_register){ PMUCTL_REGISTER_ESCR, 0, p4_escr(e, mask) };
	u->reg[1] = (struct pmuctl_register){ PMUCTL_REGISTER_CCCR, 0, p4_cccr(e) };
	u->counters = p4_counters(facts, e, escrs);
	return 0;
}

static void set_tag(struct upstream *u, unsigned int tag)
{
	u->reg[0].value |= P4_ESCR_TAG_ENABLE | 1u << (P4_ESCR_TAG_SHIFT + tag);
}

static unsigned int tag_of(const struct upstream *u)
{
	uint64_t tags = (u->reg[0].value & P4_ESCR_TAGS) >> P4_ESCR_TAG_SHIFT;

	return tags ? (unsigned int)__builtin_ctzll(tags) : EXECUTION_TAGS;
}

/* ---- metrics, and libpfm4's names of causes ----------------------------------- */

int p4_take_metric(struct pmuctl *ctx, const struct pmu_facts *facts, struct p4_code *code,
		   const struct p4_metric *m)
{
	if (m->tagged == P4_REPLAY) {
		if (code->replayed)
			return fail(ctx, -EINVAL, "a replay has one cause; count %s in an event of "
				    "its own", m->name);
		code->replayed = true;
		code->replay = m->replay;
		code->matrix = m->matrix;
	}
	code->tag_free = m->tagged == P4_EXECUTION;
	return m->upstream ? add_upstream(ctx, facts, code, p4_find_event(m->upstream), m->mask,
					  m->escrs) : 0;
}

/* ---- tag=UPSTREAM ---------------------------------------------------------------- */

static const struct {
	const char *name;
	uint16_t mask;
} front_tags[] = {
	{ "TAGLOADS", 0x2 }, { "loads", 0x2 }, { "TAGSTORES", 0x4 }, { "stores", 0x4 },
};

static int take_front(struct pmuctl *ctx, const struct pmu_facts *facts, struct p4_code *code,
		      const char *name)
{
	struct upstream *u = find_upstream(code, UOPS_TYPE);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(front_tags) && strcasecmp(front_tags[i].name, name) != 0;
	     i++)
		;
	if (i == ARRAY_SIZE(front_tags))
		return fail(ctx, -EINVAL, "'%s' tags nothing at the front end; tag=TAGLOADS and "
			    "tag=TAGSTORES do", name);
	if (u) {
		u->reg[0].value |= (uint64_t)front_tags[i].mask << P4_ESCR_MASK_SHIFT;
		return 1;
	}
	i = (size_t)add_upstream(ctx, facts, code, p4_find_event(UOPS_TYPE), front_tags[i].mask, 3);
	return i ? (int)i : 1;
}

static int take_execution(struct pmuctl *ctx, const struct pmu_facts *facts,
			  struct p4_code *code, const char *name, int tag)
{
	const struct p4_event *e = p4_find_event(name);
	int err;

	if (!e || !e->tags)
		return fail(ctx, -EINVAL, "'%s' cannot tag uops; packed_SP_uop, packed_DP_uop, "
			    "scalar_SP_uop, scalar_DP_uop, 64bit_MMX_uop, 128bit_MMX_uop, x87_FP_uop "
			    "and x87_SIMD_moves_uop can", name);
	err = add_upstream(ctx, facts, code, e, e->usual, 3);
	if (err)
		return err;
	if (tag >= 0)
		set_tag(&code->upstream[code->nr_upstreams - 1], (unsigned int)tag);
	return 1;
}

/* "tag=NAME", "tag2=NAME". */
int p4_take_upstream(struct pmuctl *ctx, const struct pmu_facts *facts, struct p4_code *code,
		     const char *word)
{
	int tag = isdigit((unsigned char)word[3]) ? word[3] - '0' : -1;
	const char *value = word + 3 + (tag >= 0);

	if (*value != '=')
		return 0;
	if (tag >= EXECUTION_TAGS)
		return fail(ctx, -EINVAL, "'%s': tags are 0 to 3", word);
	if (code->event->tagged == P4_FRONT && tag < 0)
		return take_front(ctx, facts, code, value + 1);
	if (code->event->tagged == P4_EXECUTION)
		return take_execution(ctx, facts, code, value + 1, tag);
	return fail(ctx, -EINVAL, "'%s': %s takes no such tag; execution_event (tag=, tag0= to "
		    "tag3=) and front_end_event (tag=) do", word, code->event->name);
}

/* ---- all words are known ------------------------------------------------------------ */

/* NBOGUS0 to 3 and BOGUS0 to 3, and in one number. */
static uint32_t tags_counted(const struct p4_code *code)
{
	uint32_t mask = code->escr >> P4_ESCR_MASK_SHIFT & 0xff;

	return (mask | mask >> 4) & 0xf;
}

static void count_tag(struct p4_code *code, unsigned int tag)
{
	if (code->nbogus || !code->bogus)
		code->escr |= 1u << (P4_ESCR_MASK_SHIFT + tag);
	if (code->bogus)
		code->escr |= 1u << (P4_ESCR_MASK_SHIFT + EXECUTION_TAGS + tag);
}

/* The only upstream without a number gets that of the mask, or any. */
static int number_upstream(struct pmuctl *ctx, struct p4_code *code, struct upstream *u)
{
	uint32_t tags = tags_counted(code);

	if (code->nr_upstreams > 1)
		return fail(ctx, -EINVAL, "with several upstream events say which tag each sets: "
			    "tag0=%s", u->name);
	if (tags & (tags - 1))
		return fail(ctx, -EINVAL, "the masks count several tags: say which one %s sets, "
			    "as tag0=%s", u->name, u->name);
	code->tag_free = !tags;
	set_tag(u, tags ? (unsigned int)__builtin_ctz(tags) : 0);
	return 0;
}

/* The mask may be left out where upstream events say it. */
static int finish_execution(struct pmuctl *ctx, struct p4_code *code)
{
	bool masked = tags_counted(code);
	struct upstream *u;
	int err = 0;

	for (u = code->upstream; !err && u < code->upstream + code->nr_upstreams; u++) {
		if (tag_of(u) == EXECUTION_TAGS)
			err = number_upstream(ctx, code, u);
		if (!err && !masked)
			count_tag(code, tag_of(u));
		if (!err && !(tags_counted(code) >> tag_of(u) & 1))
			err = fail(ctx, -EINVAL, "%s sets tag %u, which the masks do not count",
				   u->name, tag_of(u));
	}
	return err;
}

/* NBOGUS is bit 0, BOGUS bit 1. */
static void finish_bogus(struct p4_code *code)
{
	if (code->nbogus)
		code->escr |= 1u << P4_ESCR_MASK_SHIFT;
	if (code->bogus)
		code->escr |= 2u << P4_ESCR_MASK_SHIFT;
}

int p4_finish_tags(struct pmuctl *ctx, struct p4_code *code)
{
	if (code->event->tagged == P4_EXECUTION)
		return finish_execution(ctx, code);
	if (code->event->tagged == P4_NO_TAG)
		return 0;
	finish_bogus(code);
	if (code->event->tagged == P4_REPLAY && !code->replayed)
		return fail(ctx, -EINVAL, "replay_event counts uops that a cause tags: name one of "
			    "L1_LD_MISS, L2_LD_MISS, DTLB_LD_MISS, DTLB_ST_MISS, DTLB_ALL_MISS, "
			    "BR_MSP, MOB_LD_REPLAY, SP_LD_RET, SP_ST_RET, or a metric like "
			    "1stL_cache_load_miss_retired");
	return 0;
}
