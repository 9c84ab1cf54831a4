// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event names of the first Pentium, with MMX and without: names of the manual, portable ones,
 * codes, what CESR has no field for, and what of them can be counted at the same time.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/lib/event.h"

#define P PMUCTL_SOURCE_PORTABLE
#define R PMUCTL_SOURCE_RAW
#define I PMUCTL_SOURCE_INTEL

static const struct expected table[] = {
	{ "DATA_READ", 0, 0x00, 0x3, true, true, I },
	{ "data_write:u", 0, 0x01, 0x3, true, false, I },
	{ "BRANCHES:k", 0, 0x12, 0x3, false, true, I },
	{ "INSTRUCTIONS_EXECUTED:uk", 0, 0x16, 0x3, true, true, I },
	{ "FLOPS:D", 0, 0x22, 0x3, true, true, I, .pinned = true },
	{ "INSTRUCTIONS_EXECUTED:pin", 0, 0x216, 0x3, true, true, I },
	/* What lasts is counted in clocks. */
	{ "BUS_CYCLE_DURATION", 0, 0x118, 0x3, true, true, I },
	{ "BUS_CYCLE_DURATION:clocks:u", 0, 0x118, 0x3, true, false, I },
	{ "BUS_CYCLE_DURATION:clocks=0", 0, 0x18, 0x3, true, true, I, .note = "no manual says" },
	{ "PIPELINE_AGI_STALLS", 0, 0x1f, 0x3, true, true, I },
	{ "PIPELINE_AGI_STALLS:clocks", 0, 0x11f, 0x3, true, true, I },
	{ "DATA_READ:clocks", -EINVAL, .error = "DATA_READ happens, and does not last" },
	{ "DATA_READ:clocks=2", -EINVAL, .error = "1 or 0" },
	{ "BUS_CYCLE_DURATION:clocks:clocks=0", -EINVAL, .error = "contradicts" },
	/* Portable names. */
	{ "instructions:u", 0, 0x16, 0x3, true, false, P, .note = "INSTRUCTIONS_EXECUTED" },
	{ "branch-instructions", 0, 0x12, 0x3, true, true, P, .note = "BRANCHES" },
	{ "L1-dcache-loads", 0, 0x00, 0x3, true, true, P, .note = "DATA_READ" },
	{ "cache-misses", 0, 0x29, 0x3, true, true, P,
	  .note = "DATA_READ_MISS_OR_WRITE_MISS; of its data cache" },
	{ "cycles", -EOPNOTSUPP, .error = "without MMX has no event for cycles" },
	{ "cpu-cycles", -EOPNOTSUPP, .error = "without MMX has no event for cycles" },
	{ "branch-misses", -EOPNOTSUPP, .error = "no event for branch-misses" },
	{ "slots", -EOPNOTSUPP, .error = "no event for slots" },
	/* Of others. */
	{ "TAKEN_BRANCHES", -EOPNOTSUPP, .error = "TAKEN_BRANCHES came with MMX" },
	{ "r30", -EOPNOTSUPP, .error = "r30 came with MMX" },
	{ "DATA_REED", -ENOENT, .error = "nearest: DATA_READ" },
	{ "INST_RETIRED", -ENOENT, .error = "no such event" },
	/* Codes. */
	{ "r16", 0, 0x16, 0x3, true, true, R },
	{ "r116:u", 0, 0x116, 0x3, true, false, R },
	{ "r10", 0, 0x10, 0x3, true, true, R, .note = "reserved" },
	{ "cpu/event=0x16/", 0, 0x16, 0x3, true, true, R },
	{ "cpu/event=0x16,clocks,pin,counter=1/u", 0, 0x316, 0x2, true, false, R },
	{ "cpu/cesr=0x312,name=me/:k", 0, 0x312, 0x3, false, true, R },
	{ "cpu/event=0x16/:clocks", 0, 0x116, 0x3, true, true, R },
	{ "r40", -EINVAL, .error = "an event has six bits" },
	{ "r96", -EINVAL, .error = "write 0x16, and :u or :k" },
	{ "rc0", -EINVAL, .error = "an event has six bits" },
	{ "r10016", -EINVAL, .error = "0x33f is the most" },
	{ "r16x", -EINVAL, .error = "no code" },
	{ "cpu/event=0xc0/", -EINVAL, .error = "six bits, up to 0x3f" },
	{ "cpu/event=0x16,counter=2/", -EINVAL, .error = "0 or 1" },
	{ "cpu/umask=1/", -EINVAL, .error = "is no term" },
	{ "cpu/pin/", -EINVAL, .error = "say which event" },
	{ "cpu/event=0x16", -EINVAL, .error = "second '/'" },
	/* What CESR does not have. */
	{ "DATA_READ:e", -EINVAL, .error = "'edge': a Pentium's CESR has no such field" },
	{ "DATA_READ:edge=1", -EINVAL, .error = "'edge'" },
	{ "DATA_READ:i", -EINVAL, .error = "'inv'" },
	{ "DATA_READ:any", -EINVAL, .error = "'any'" },
	{ "DATA_READ:cmask=2", -EINVAL, .error = "'cmask'" },
	{ "DATA_READ:umask=2", -EINVAL, .error = "'umask'" },
	{ "DATA_READ:ldlat=30", -EINVAL, .error = "no such field" },
	{ "DATA_READ:intx", -EINVAL, .error = "'intx'" },
	{ "DATA_READ:MESI", -EINVAL, .error = "'MESI' is no modifier" },
	{ "instructions:pp", -EOPNOTSUPP, .error = "no PEBS" },
	{ "instructions:u=0:k=0", -EINVAL, .error = "counts nothing" },
};

static const struct expected with_mmx[] = {
	{ "cycles:u", 0, 0x130, 0x1, true, false, P,
	  .note = "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE" },
	{ "ref-cycles", 0, 0x130, 0x1, true, true, P, .note = "its clock is the TSC's" },
	{ "branch-misses", 0, 0x35, 0x1, true, true, P, .note = "PIPELINE_FLUSHES_DUE_TO" },
	{ "taken-branches", 0, 0x32, 0x2, true, true, P, .note = "TAKEN_BRANCHES" },
	{ "TAKEN_BRANCHES", 0, 0x32, 0x2, true, true, I },
	{ "FLOATING_POINT_STALLS_DURATION", 0, 0x132, 0x1, true, true, I },
	{ "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE:clocks=0", 0, 0x30, 0x1, true, true, I,
	  .note = "no manual says" },
	{ "RETURNS", 0, 0x39, 0x1, true, true, I },
	{ "r39", 0, 0x39, 0x1, true, true, R },
	{ "r32", -EINVAL, .error = "FLOATING_POINT_STALLS_DURATION on counter 0 and "
				   "TAKEN_BRANCHES on counter 1" },
	{ "cpu/event=0x32,counter=1/", 0, 0x32, 0x2, true, true, R },
	{ "cpu/event=0x32,clocks,counter=0/", 0, 0x132, 0x1, true, true, R },
	{ "cpu/event=0x39,counter=1/", -EINVAL, .error = "RETURNS, on counter 0 alone" },
	{ "DATA_READ", 0, 0x00, 0x3, true, true, I },
};

static void fake_p5(uint32_t signature)
{
	fake_cpu(signature, 0, 0x3);
	fake.backend = "p5";
	fake.arch_events = 0;
}

static void names(void **state)
{
	(void)state;
	fake_p5(0x52c);
	all_parse_as(table, sizeof(table) / sizeof(table[0]));
}

static void names_with_mmx(void **state)
{
	(void)state;
	fake_p5(0x543);
	all_parse_as(with_mmx, sizeof(with_mmx) / sizeof(with_mmx[0]));
	fake_p5(0x581);
	all_parse_as(with_mmx, 1);
}

/* What the kernel takes: reserved codes are its own to refuse, pairs want a counter. */
static void codes(void **state)
{
	struct pmuctl_event *event;
	struct pmuctl *ctx;
	char name[8];

	(void)state;
	fake_p5(0x543);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	for (unsigned int code = 0; code < 0x40; code++) {
		bool reserved = code == 0x10 || code == 0x11 || code == 0x20 || code == 0x21 ||
				code > 0x3b;
		bool pair = code > 0x29 && code < 0x3c && code != 0x39;
		const struct pmuctl_event_info *info;

		snprintf(name, sizeof(name), "r%02x", code);
		assert_int_equal(pmuctl_event_parse(ctx, name, &event), pair ? -EINVAL : 0);
		if (pair)
			continue;
		info = pmuctl_event_get_info(event);
		assert_int_equal(!!strstr(info->note, "reserved"), reserved);
		assert_int_equal(info->counters, code == 0x39 ? 1 : 3);
		pmuctl_event_free(event);
	}
	pmuctl_close(ctx);
}

static int count_listed(void *data, const struct pmuctl_event_desc *desc)
{
	unsigned int *listed = data;
	struct pmuctl_event *event;
	struct pmuctl *ctx;

	/* Each of them can be counted, under that name. */
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	if (pmuctl_event_parse(ctx, desc->name, &event))
		fail_msg("%s: %s", desc->name, pmuctl_error(ctx));
	assert_int_equal(pmuctl_event_get_info(event)->registers[0].kind, PMUCTL_REGISTER_CESR);
	assert_string_equal(pmuctl_event_get_info(event)->full_name, desc->name);
	pmuctl_event_free(event);
	pmuctl_close(ctx);
	listed[desc->source == PMUCTL_SOURCE_PORTABLE]++;
	return 0;
}

/* The manual's table: 38 events, and 35 of Pentiums with MMX. */
static void lists(void **state)
{
	static const struct {
		uint32_t signature;
		unsigned int manual, portable;
	} rows[] = { { 0x52c, 38, 11 }, { 0x543, 73, 15 } };
	struct pmuctl *ctx;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned int listed[2] = { 0 };

		fake_p5(rows[i].signature);
		assert_int_equal(pmuctl_open(NULL, &ctx), 0);
		assert_int_equal(pmuctl_list_events(ctx, "*", count_listed, listed), 0);
		assert_int_equal(listed[0], rows[i].manual);
		assert_int_equal(listed[1], rows[i].portable);
		pmuctl_close(ctx);
	}
}

/* What fits at once; what takes turns; what a group can never be. */
static int session_of(uint64_t options, bool group, const char *const *events, size_t *sets)
{
	struct pmuctl_assignment a = { .size = sizeof(a) };
	struct pmuctl_event *event[4];
	struct pmuctl_session *s;
	struct pmuctl *ctx;
	unsigned int n = 0;
	int err;

	*sets = 0;
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	assert_int_equal(pmuctl_session_new(ctx, &s), 0);
	for (; events[n]; n++) {
		assert_int_equal(pmuctl_event_parse(ctx, events[n], &event[n]), 0);
		if (!group)
			assert_int_equal(pmuctl_session_add_event(s, event[n]), 0);
	}
	if (group)
		assert_int_equal(pmuctl_session_add_group(s, event, n), 0);
	assert_int_equal(pmuctl_session_add_process(s, 1), 0);
	err = pmuctl_session_create(s, options);
	for (unsigned int i = 0; !err && i < n; i++)
		if (!pmuctl_session_assignment(s, i, &a) && a.set >= *sets)
			*sets = a.set + 1;
	while (n--)
		pmuctl_event_free(event[n]);
	pmuctl_session_free(s);
	pmuctl_close(ctx);
	return err;
}

#define EVENTS(...) (const char *const[]){ __VA_ARGS__, NULL }

static void schedule(void **state)
{
	size_t sets;

	(void)state;
	fake_p5(0x543);
	assert_int_equal(session_of(0, true, EVENTS("cycles", "TAKEN_BRANCHES"), &sets), 0);
	assert_int_equal(session_of(0, true, EVENTS("TAKEN_BRANCHES", "cycles"), &sets), 0);
	/* Both are counter 0's. */
	assert_int_equal(session_of(0, true, EVENTS("cycles", "branch-misses"), &sets), -ENOSPC);
	assert_int_equal(session_of(PMUCTL_MULTIPLEX, false, EVENTS("cycles", "branch-misses"),
				    &sets), 0);
	assert_int_equal(sets, 2);
	fake_p5(0x52c);
	assert_int_equal(session_of(0, true, EVENTS("branches", "instructions", "FLOPS"), &sets),
			 -ENOSPC);
	assert_int_equal(session_of(PMUCTL_MULTIPLEX, false,
				    EVENTS("branches", "instructions", "FLOPS"), &sets), 0);
	assert_int_equal(sets, 2);
}

static void no_samples(void **state)
{
	const struct pmuctl_sampling sampling = { .size = sizeof(sampling), .period = 1000 };
	struct pmuctl_event *event;
	struct pmuctl *ctx;

	(void)state;
	fake_p5(0x543);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	assert_int_equal(pmuctl_event_parse(ctx, "cycles", &event), 0);
	assert_int_equal(pmuctl_event_sample(event, &sampling), -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(ctx), "raises no interrupt"));
	pmuctl_event_free(event);
	pmuctl_close(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names), cmocka_unit_test(names_with_mmx),
		cmocka_unit_test(codes), cmocka_unit_test(lists), cmocka_unit_test(schedule),
		cmocka_unit_test(no_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
