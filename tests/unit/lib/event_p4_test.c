// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event names of the Pentium 4: what ESCR and CCCR they become, on which
 * counters, and what tags for them; every event and mask against the figures, and
 * every name of libpfm4.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/lib/figures.h"
#include "tests/unit/lib/event_p4.h"

#define P PMUCTL_SOURCE_PORTABLE
#define R PMUCTL_SOURCE_RAW
#define L PMUCTL_SOURCE_LIBPFM4
#define I PMUCTL_SOURCE_INTEL

#define BPU 0x0000dull		/* without counter 1 */
#define MS 0x000f0ull
#define FLAME 0x00f00ull
#define IQ 0x3f000ull

#define COMPARE 0x40000u
#define COMPLEMENT 0x80000u
#define THRESHOLD(n) ((uint32_t)(n) << 20)
#define EDGE 0x1000000u

struct p4_expected {
	const char *name;
	int err;
	uint32_t escr, cccr;
	uint64_t counters;
	enum pmuctl_source source;
	const char *upstream;	/* of the first: its name; NULL: none */
	uint32_t upstream_escr;
	uint32_t replay, matrix;
	const char *text;	/* part of the error or the note */
};

static const struct p4_expected table[] = {
	{ "cycles", 0, ESCR(0x13, 1), CCCR(6), BPU, P, .text = "global_power_events:RUNNING" },
	{ "instructions:u", 0, ESCR(0x02, 3), CCCR(4), IQ, P },
	{ "branches", 0, ESCR(0x06, 15), CCCR(5), IQ, P },
	{ "branch-misses", 0, ESCR(0x03, 1), CCCR(4), IQ, P },
	{ "cache-misses", 0, ESCR(0x0c, 0x500), CCCR(7), BPU, P, .text = "erratum" },
	{ "l1d-load-misses", 0, ESCR(0x09, 1), CCCR(5), IQ, P, .replay = 1, .matrix = 1 },
	{ "L1-dcache-loads", 0, ESCR(0x08, 1), CCCR(5), IQ, P, "uops_type", ESCR(2, 2) },
	{ "itlb-misses", 0, ESCR(0x18, 2), CCCR(3), BPU, P },
	/* Names, in any case, as libpfm4 has them. */
	{ "instr_retired:NBOGUSNTAG:NBOGUSTAG", 0, ESCR(2, 3), CCCR(4), IQ, L },
	{ "INSTR_RETIRED:bogusntag", 0, ESCR(2, 4), CCCR(4), IQ, L },
	{ "instr_retired", 0, ESCR(2, 3), CCCR(4), IQ, L },
	{ "instr_retired:bogus", 0, ESCR(2, 12), CCCR(4), IQ, L },
	{ "instr_retired.NBOGUSTAG", 0, ESCR(2, 2), CCCR(4), IQ, L },
	{ "netburst_p::uops_retired:NBOGUS:u=1:k=0", 0, ESCR(1, 1), CCCR(4), IQ, L },
	{ "TC_deliver_mode:DD:DB:u", 0, ESCR(1, 3), CCCR(1), MS, L },
	{ "resource_stall", 0, ESCR(1, 0x20), CCCR(1), IQ, L },
	{ "uop_type:TAGLOADS", 0, ESCR(2, 2), CCCR(2), IQ, L },
	{ "IOQ_active_entries:ALL_READ:OWN", 0, ESCR(0x1a, 0x2020), CCCR(6), 0xc, L },
	{ "BSQ_allocation:REQ_TYPE0", 0, ESCR(5, 1), CCCR(7), 0x1, L },
	{ "x87_SIMD_moves_uop", 0, ESCR(0x2e, 0x18), CCCR(1), FLAME, L },
	{ "instr_completed:NBOGUS", 0, ESCR(7, 1), CCCR(4), IQ, L },
	{ "packed_SP_uop:ALL:TAG1", 0, ESCR(8, 0x8000) | 0x50, CCCR(1), FLAME, L },
	/* Where libpfm4 is wrong. */
	{ "mispred_branch_retired:BOGUS", 0, ESCR(3, 1), CCCR(4), IQ, L, .text = "NBOGUS" },
	{ "b2b_cycles:BIT6", 0, ESCR(0x16, 0x40), CCCR(6), BPU, L, .text = "libpfm4" },
	/* Modifiers. */
	{ "uops_retired:threshold=2", 0, ESCR(1, 1), CCCR(4) | COMPARE | THRESHOLD(2), IQ, L },
	{ "uops_retired:thr=0", 0, ESCR(1, 1), CCCR(4) | COMPARE, IQ, L },
	{ "uops_retired:threshold=15:complement", 0, ESCR(1, 1),
	  CCCR(4) | COMPARE | COMPLEMENT | THRESHOLD(15), IQ, L },
	{ "machine_clear:edge", 0, ESCR(2, 1), CCCR(5) | COMPARE | EDGE, IQ, L },
	{ "machine_clear:edge:e:edge=1:k:kk", 0, ESCR(0x02, 1), CCCR(5) | COMPARE | EDGE, IQ, L },
	{ "uops_retired:threshold=2:thr=2", 0, ESCR(1, 1), CCCR(4) | COMPARE | THRESHOLD(2), IQ, L },
	{ "cpu/escr=0x04000600,cccr=0x248000/:threshold=2", 0, ESCR(2, 3), 0x248000, IQ, R },
	{ "cycles:thread=single", 0, ESCR(0x13, 1), CCCR(6) | 0x10000, BPU, P },
	{ "cycles:thread=any", 0, ESCR(0x13, 1), CCCR(6) | 0x30000, BPU, P },
	{ "instr_retired:t0usr:t1os", 0, ESCR(2, 3) | 0x6, CCCR(4), IQ, L },
	/* Tags. */
	{ "1stL_cache_load_miss_retired", 0, ESCR(9, 1), CCCR(5), IQ, I, .replay = 1, .matrix = 1 },
	{ "DTLB_all_miss_retired:bogus", 0, ESCR(9, 2), CCCR(5), IQ, I, .replay = 4, .matrix = 3 },
	{ "replay_event:L2_LD_MISS", 0, ESCR(9, 1), CCCR(5), IQ, L, .replay = 2, .matrix = 1 },
	{ "replay_event:BR_MSP:nbogus:bogus", 0, ESCR(9, 3), CCCR(5), IQ, L, .replay = 0x18000,
	  .matrix = 0x10 },
	{ "MOB_load_replay_retired", 0, ESCR(9, 1), CCCR(5), IQ, I, "MOB_load_replay",
	  ESCR(3, 0x30), 0x200, 1 },
	{ "split_load_retired", 0, ESCR(9, 1), CCCR(5), IQ, I, "load_port_replay", ESCR(4, 2),
	  0x400, 1 },
	{ "memory_stores", 0, ESCR(8, 1), CCCR(5), IQ, I, "uops_type", ESCR(2, 4) },
	{ "front_end_event:tag=loads:tag=TAGSTORES", 0, ESCR(8, 1), CCCR(5), IQ, L, "uops_type",
	  ESCR(2, 6) },
	{ "packed_SP_retired", 0, ESCR(0xc, 1), CCCR(5), IQ, I, "packed_SP_uop",
	  ESCR(8, 0x8000) | 0x30 },
	{ "packed_SP_uop_retired:bogus", 0, ESCR(0xc, 0x10), CCCR(5), IQ, I, "packed_SP_uop",
	  ESCR(8, 0x8000) | 0x30 },
	{ "execution_event:NBOGUS2:tag=scalar_DP_uop", 0, ESCR(0xc, 4), CCCR(5), IQ, L,
	  "scalar_DP_uop", ESCR(0xe, 0x8000) | 0x90 },
	{ "execution_event:tag3=x87_FP_uop:nbogus:bogus", 0, ESCR(0xc, 0x88), CCCR(5), IQ, L,
	  "x87_FP_uop", ESCR(4, 0x8000) | 0x110 },
	/* Registers. */
	{ "cpu/escr=0x04000600,cccr=0x8000/u", 0, ESCR(2, 3), CCCR(4), IQ, R },
	{ "cpu/escr=0x02000200,cccr=0x2000,group=ms/", 0, ESCR(1, 1), CCCR(1), MS, R },
	{ "cpu/escr=0x12000200,cccr=0xa000,replay=1,matrix=1,name=misses/", 0, ESCR(9, 1), CCCR(5),
	  IQ, R, .replay = 1, .matrix = 1 },
	/* What is refused. */
	{ "ITLB_reference", -EINVAL, .text = "HIT_UC" },
	{ "ITLB_reference:HITS", -EINVAL, .text = "'HITS' is no modifier and no mask" },
	{ "instr_retird", -ENOENT, .text = "instr_retired" },
	{ "bus-cycles", -EOPNOTSUPP, .text = "no event for bus-cycles" },
	{ "cycles:RUNNING", -EINVAL, .text = "no modifier" },
	{ "cycles:cmask=2", -EINVAL, .text = ":threshold" },
	{ "cycles:any", -EINVAL, .text = ":t0usr" },
	{ "cycles:threshold=16", -EINVAL, .text = "0 to 15" },
	{ "cycles:edge:e=0", -EINVAL, .text = "'e=0' contradicts" },
	{ "cycles:threshold=2:thr=3", -EINVAL, .text = "'thr=3' contradicts" },
	{ "cycles:thread=any:active=both", -EINVAL, .text = "contradicts" },
	{ "cycles:u:u=0", -EINVAL, .text = "contradicts" },
	{ "cycles:u=0:k=0", -EINVAL, .text = "counts nothing" },
	{ "cpu/escr=0x04000600,cccr=0x248000/:threshold=3", -EINVAL,
	  .text = "has threshold 2 itself, and with 3 it would be another event: leave threshold "
		  "away, or write cccr=0x348000" },
	{ "sched:sched_switch", -ENOENT, .text = "a tracepoint of Linux" },
	{ "context-switches", -ENOENT, .text = "Linux's software" },
	{ "cycles:thread=none", -EINVAL, .text = "would be 0" },
	{ "cycles:u:t0os", -EINVAL, .text = ":u and :k" },
	{ "replay_event:NBOGUS", -EINVAL, .text = "L1_LD_MISS" },
	{ "replay_event:L1_LD_MISS:L2_LD_MISS", -EINVAL, .text = "one cause" },
	{ "execution_event:NBOGUS0:NBOGUS1:tag=packed_SP_uop", -EINVAL, .text = "tag0=" },
	{ "execution_event:NBOGUS0:tag1=packed_SP_uop", -EINVAL, .text = "do not count" },
	{ "execution_event:tag=instr_retired", -EINVAL, .text = "cannot tag" },
	{ "instr_retired:tag=packed_SP_uop", -EINVAL, .text = "takes no such tag" },
	{ "cpu/escr=0x02000200,cccr=0x2000/", -EINVAL, .text = "group=" },
	{ "cpu/escr=0x04000600/", -EINVAL, .text = "both registers" },
	{ "cpu/escr=0x04000600,cccr=0x9000/", -EINVAL, .text = "not the kernel's" },
	{ "cpu/escr=0x7e000600,cccr=0x8000/", -EINVAL, .text = "no event 0x3f" },
	{ "cpu/escr=1", -EINVAL, .text = "second '/'" },
};

static void check_error(struct pmuctl *ctx, const struct p4_expected *x)
{
	if (x->text && !strstr(pmuctl_error(ctx), x->text))
		fail_msg("%s: '%s' is not in '%s'", x->name, x->text, pmuctl_error(ctx));
}

static void check_registers(const struct p4_expected *x, const struct pmuctl_event_info *info)
{
	if (info->registers[0].value != x->escr || info->registers[1].value != x->cccr ||
	    info->counters != x->counters)
		fail_msg("%s: ESCR %#llx CCCR %#llx counters %#llx", x->name,
			 (unsigned long long)info->registers[0].value,
			 (unsigned long long)info->registers[1].value,
			 (unsigned long long)info->counters);
	assert_int_equal(info->registers[0].kind, PMUCTL_REGISTER_ESCR);
	assert_int_equal(info->registers[1].kind, PMUCTL_REGISTER_CCCR);
	assert_int_equal(info->registers_count, x->replay ? 4 : 2);
	if (!x->replay)
		return;
	assert_int_equal(info->registers[2].kind, PMUCTL_REGISTER_REPLAY);
	assert_int_equal(info->registers[2].value, x->replay);
	assert_int_equal(info->registers[3].kind, PMUCTL_REGISTER_MATRIX_VERT);
	assert_int_equal(info->registers[3].value, x->matrix);
}

static void check_upstream(const struct p4_expected *x, const struct pmuctl_event_info *info)
{
	assert_int_equal(info->upstreams_count, x->upstream ? 1 : 0);
	if (!x->upstream)
		return;
	assert_string_equal(info->upstreams[0].name, x->upstream);
	assert_int_equal(info->upstreams[0].registers[0].value, x->upstream_escr);
}

static void p4_parses_as(struct pmuctl *ctx, const struct p4_expected *x)
{
	const struct pmuctl_event_info *info;
	struct pmuctl_event *event = NULL;
	int err = pmuctl_event_parse(ctx, x->name, &event);

	if (err != x->err)
		fail_msg("%s: %d %s", x->name, err, pmuctl_error(ctx));
	if (err) {
		check_error(ctx, x);
		return;
	}
	info = pmuctl_event_get_info(event);
	check_registers(x, info);
	check_upstream(x, info);
	assert_int_equal(info->source, x->source);
	if (x->text && !strstr(info->note, x->text))
		fail_msg("%s: '%s' is not in '%s'", x->name, x->text, info->note);
	pmuctl_event_free(event);
}

static void names(void **state)
{
	struct pmuctl *ctx;
	size_t i;

	(void)state;
	fake_p4(FAKE_PRESCOTT);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		p4_parses_as(ctx, &table[i]);
	pmuctl_close(ctx);
}

static uint64_t counters_of(struct pmuctl *ctx, const char *name, int expect)
{
	struct pmuctl_event *event;
	uint64_t counters;
	int err = pmuctl_event_parse(ctx, name, &event);

	assert_int_equal(err, expect);
	if (err)
		return 0;
	counters = pmuctl_event_get_info(event)->counters;
	pmuctl_event_free(event);
	return counters;
}

/* Northwood lacks instr_completed, and before 0F27h IOQ_allocation has one ESCR. */
static void models(void **state)
{
	struct pmuctl *ctx;

	(void)state;
	fake_p4(FAKE_NORTHWOOD);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	counters_of(ctx, "instr_completed:NBOGUS", -EOPNOTSUPP);
	assert_int_equal(counters_of(ctx, "IOQ_allocation:ALL_READ", 0), BPU);
	pmuctl_close(ctx);
	fake_p4(0xf24);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	assert_int_equal(counters_of(ctx, "IOQ_allocation:ALL_READ", 0), 0x1);
	pmuctl_close(ctx);
	fake_p4(FAKE_PRESCOTT);
	fake.counters = 0x3ffff;
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	assert_int_equal(counters_of(ctx, "cycles", 0), 0xf);
	pmuctl_close(ctx);
}

/* ---- the figures ---------------------------------------------------------------------- */

enum { KIND, NAME, SELECT, EVENT, ESCRS, COUNTERS, BIT = 2 };

struct facts {
	struct pmuctl *ctx;
	uint32_t escr, cccr;
	uint64_t counters;
	unsigned int masks;
};

static void check_mask(struct facts *facts, char **f)
{
	struct pmuctl_event *event;
	const struct pmuctl_event_info *info;
	uint32_t bit = ESCR(0, 1u << strtoul(f[BIT], NULL, 0));

	if (pmuctl_event_parse(facts->ctx, f[NAME], &event))
		fail_msg("%s: %s", f[NAME], pmuctl_error(facts->ctx));
	info = pmuctl_event_get_info(event);
	if (info->registers[0].value != (facts->escr | bit) ||
	    info->registers[1].value != facts->cccr || info->counters != facts->counters)
		fail_msg("%s: ESCR %#llx, CCCR %#llx, counters %#llx", f[NAME],
			 (unsigned long long)info->registers[0].value,
			 (unsigned long long)info->registers[1].value,
			 (unsigned long long)info->counters);
	pmuctl_event_free(event);
	facts->masks++;
}

static void check_row(char **f, void *data)
{
	struct facts *facts = data;

	if (!strcmp(f[KIND], "event")) {
		facts->escr = ESCR(strtoul(f[EVENT], NULL, 0), 0);
		facts->cccr = CCCR(strtoul(f[SELECT], NULL, 0));
		/* Counter 1, whose enable bit is broken, is never used. */
		facts->counters = strtoull(f[COUNTERS], NULL, 16) & fake.counters;
	}
	/* A replay without a cause is refused. */
	if (!strcmp(f[KIND], "mask") && strncmp(f[NAME], "replay_event", 12) != 0)
		check_mask(facts, f);
}

static void figures(void **state)
{
	struct facts facts = { .masks = 0 };

	(void)state;
	fake_p4(FAKE_PRESCOTT);
	assert_int_equal(pmuctl_open(NULL, &facts.ctx), 0);
	figures_read("p4.csv", check_row, &facts);
	pmuctl_close(facts.ctx);
	print_message("%u masks compared\n", facts.masks);
	assert_in_range(facts.masks, 165, 200);
}

/* ---- libpfm4's names ----------------------------------------------------------------- */

static int parse_listed(void *data, const struct pmuctl_event_desc *desc)
{
	struct pmuctl_event *event;
	struct pmuctl *ctx = ((void **)data)[0];
	unsigned int *listed = ((void **)data)[1];

	if (desc->source != PMUCTL_SOURCE_LIBPFM4 || !desc->event ||
	    !strncmp(desc->name, "replay_event:", 13))
		return 0;
	if (pmuctl_event_parse(ctx, desc->name, &event))
		fail_msg("%s: %s", desc->name, pmuctl_error(ctx));
	pmuctl_event_free(event);
	++*listed;
	return 0;
}

/* One context lists, another parses: callbacks do not nest in one. */
static void listed(void **state)
{
	unsigned int count = 0;
	void *data[2] = { NULL, &count };
	struct pmuctl *ctx, *lister;

	(void)state;
	fake_p4(FAKE_PRESCOTT);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	assert_int_equal(pmuctl_open(NULL, &lister), 0);
	/* Asked before the walk, so that no talk is within another. */
	counters_of(ctx, "cycles", 0);
	data[0] = ctx;
	assert_int_equal(pmuctl_list_events(lister, NULL, parse_listed, data), 0);
	assert_in_range(count, 180, 230);
	pmuctl_close(lister);
	pmuctl_close(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(models),
		cmocka_unit_test(figures),
		cmocka_unit_test(listed),
	};

	setenv("LIBPFM_FORCE_PMU", "netburst_p", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
