// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sampled events: what the modifiers mean, what can be recorded by PEBS, what
 * the kernel is asked for, and what comes back out of its rings.
 */
#include <errno.h>

#include "tests/unit/lib/session.h"

/* Rows leave out the text where there is none. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define FIXED_ALL (~0ull << PMUCTL_COUNTER_FIXED)

static int skylake(void **state)
{
	(void)state;
	fake_skylake();
	fake_sampling(3);
	fake.lbr_depth = 32;
	begin();
	return 0;
}

static int unsafe_skylake(void **state)
{
	(void)state;
	fake_skylake();
	fake_sampling(3);
	fake.pebs_refusal = "of the microcode";
	begin();
	return 0;
}

static int core2(void **state)
{
	(void)state;
	fake_core2();
	fake_sampling(0);
	begin();
	return 0;
}

static int sandybridge(void **state)
{
	(void)state;
	fake_cpu(0x206a7, 3, 0x70000000full);
	fake_sampling(1);
	begin();
	return 0;
}

static int ivybridge(void **state)
{
	(void)state;
	fake_cpu(0x306a9, 3, 0x70000000full);
	fake_sampling(1);
	begin();
	return 0;
}

static int icelake(void **state)
{
	(void)state;
	fake_cpu(0x706e5, 5, 0xf000000ffull);
	fake_sampling(4);
	begin();
	return 0;
}

static int sapphirerapids(void **state)
{
	(void)state;
	fake_cpu(0x806f8, 5, 0xf000000ffull);
	fake_sampling(4);
	begin();
	return 0;
}

static int sample(struct pmuctl_event *event, struct pmuctl_sampling sampling)
{
	sampling.size = sizeof(sampling);
	return pmuctl_event_sample(event, &sampling);
}

/* ---- modifiers and what stands in ------------------------------------------------- */

static const struct precise_row {
	const char *name;
	uint32_t precise;
	uint64_t value;
	uint64_t counters;	/* once it is sampled; 0: refused */
	bool address;
	const char *text;	/* part of the note or the error; NULL: any */
} skylake_rows[] = {
	{ "instructions", 0, 0x00c0, 0x10000000full, false },
	{ "instructions:p", 1, 0x00c0, 0xf, false },
	{ "instructions:upp", 2, 0x00c0, 0xf, false },
	{ "instructions:u:ppp", 3, 0x00c0, 0xf, false, ":ppp is as :pp" },
	{ "r1c0:ppp", 3, 0x01c0, 0x2, false },
	{ "cycles:pp", 2, 0x108000c0, 0xf, false },
	{ "cycles:ppp", 3, 0x108000c0, 0xf, false, ":ppp is as :pp" },
	{ "branches:pp", 2, 0x04c4, 0xf, false },
	{ "branch-misses:pp", 2, 0x04c5, 0xf, false },
	{ "l1d-load-misses:pp", 2, 0x08d1, 0xf, true },
	{ "r1cd:ldlat=30:pp", 2, 0x01cd, 0xf, true },
	{ "rc4:pp", 2, 0x00c4, 0, false },
	{ "cache-misses:pp", 2, 0x412e, 0, false },
	{ "ref-cycles:pp", 2, 0x0300, 0, false },
	{ "r8d1:any:pp", 2, 0x2008d1, 0, true },
	{ "cycles:P", 2, 0x108000c0, 0xf, false, "stands in for 0x003c" },
	{ "l1d-load-misses:uP", 2, 0x08d1, 0xf, true },
	{ "instructions:Pppp", 3, 0x00c0, 0xf, false },
	{ "cache-misses:P", 0, 0x412e, 0xf, false, "not by PEBS: event 'cache-misses:P' (code" },
	{ "r8d1:any:P", 0, 0x2008d1, 0xf, true, "not by PEBS: " },
}, core2_rows[] = {
	{ "instructions:pp", 2, 0x00c0, 0x1, false },
	{ "cycles:p", 1, 0x108000c0, 0x1, false },
	{ "l1d-load-misses:pp", 2, 0x01cb, 0x1, false },
	{ "branch-misses:pp", 2, 0x00c5, 0x1, false },
	{ "branches:pp", 2, 0x00c4, 0, false },
	/* Linux refuses it, too. */
	{ "instructions:ppp", 3, 0x00c0, 0, false, "it has :pp" },
	{ "cycles:P", 0, 0x003c, 0x200000003ull, false, "not by PEBS: PEBS of this CPU has the" },
}, sandybridge_rows[] = {
	{ "cycles:pp", 2, 0x108001c2, 0xf, false },
	{ "cycles:ppp", 3, 0x108001c2, 0, false, "spread evenly, and this CPU has none" },
}, ivybridge_rows[] = {
	{ "cycles:pp", 2, 0x108001c2, 0xf, false },
	{ "cycles:ppp", 3, 0x108001c2, 0xf, false, ":ppp is as :pp" },
	{ "l1d-load-misses:pp", 2, 0x08d1, 0xf, false },
	{ "r1cd:pp", 2, 0x01cd, 0x8, true },
}, icelake_rows[] = {
	{ "instructions:pp", 2, 0x00c0, 0x1000000ffull, false },
	{ "cycles:pp", 2, 0x003c, 0x2000000ffull, false },
	{ "branches:pp", 2, 0x00c4, 0xff, false },
	{ "l1d-load-misses:pp", 2, 0x08d1, 0xf, true },
	{ "cache-misses:pp", 2, 0x412e, 0, false },
	/* Instructions are fixed counter 0's; of other events it is no more than pp. */
	{ "instructions:ppp", 3, 0x00c0, 0x100000000ull, false },
	{ "r0100:ppp", 3, 0x00c0, 0x100000000ull, false, "fixed counter 0's" },
	{ "r01c0:p", 1, 0x00c0, 0x100000000ull, false },
	{ "cycles:ppp", 3, 0x003c, 0x2000000ffull, false, ":ppp is more than :pp for instructions" },
	{ "l1d-load-misses:ppp", 3, 0x08d1, 0xf, true, ":ppp is more than :pp" },
}, sapphirerapids_rows[] = {
	{ "instructions:pp", 2, 0x00c0, 0x1000000feull, false },
	{ "instructions:ppp", 3, 0x00c0, 0x100000000ull, false },
	{ "cycles:ppp", 3, 0x003c, 0x1, false },
	{ "cycles:P", 2, 0x003c, 0x2000000ffull, false },
	{ "l1d-load-misses:ppp", 3, 0x08d1, 0x1, true },
	{ "r01cd:ppp", 3, 0x01cd, 0, true, "on counter 0 of this CPU alone" },
	{ "r10c0:ppp", 3, 0x10c0, 0, false, "on counter 0 of this CPU alone" },
};

static void check_row(const struct precise_row *row)
{
	struct pmuctl_event *event = parsed(row->name);
	const struct pmuctl_event_info *info = pmuctl_event_get_info(event);
	int err = sample(event, (struct pmuctl_sampling){ .period = 1000 });

	if (info->precise != row->precise || info->registers[0].value != row->value ||
	    err != (row->counters ? 0 : -EOPNOTSUPP) ||
	    (row->counters && info->counters != row->counters))
		fail_msg("%s: %d %s, precise %u, %#llx on %#llx", row->name, err,
			 pmuctl_error(fixture.ctx), info->precise,
			 (unsigned long long)info->registers[0].value,
			 (unsigned long long)info->counters);
	assert_int_equal(info->gives_address, row->address && info->pebs);
	if (row->text && !strstr(err ? pmuctl_error(fixture.ctx) : info->note, row->text))
		fail_msg("%s: '%s', '%s'", row->name, info->note, pmuctl_error(fixture.ctx));
	pmuctl_event_free(event);
}

#define ROWS_TEST(cpu)                                                          \
	static void rows_of_##cpu(void **state)                                 \
	{                                                                       \
		size_t i;                                                       \
		(void)state;                                                    \
		for (i = 0; i < sizeof(cpu##_rows) / sizeof(cpu##_rows[0]); i++)\
			check_row(&cpu##_rows[i]);                              \
	}

ROWS_TEST(skylake)
ROWS_TEST(core2)
ROWS_TEST(sandybridge)
ROWS_TEST(ivybridge)
ROWS_TEST(icelake)
ROWS_TEST(sapphirerapids)

/* Linux makes shorter ones so long; to be told is better. */
static void short_periods(void **state)
{
	struct pmuctl_event *event = parsed("cycles:ppp");

	(void)state;
	assert_int_equal(sample(event, (struct pmuctl_sampling){ .period = 127 }), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "with :ppp the shortest period of this "
							  "CPU is 128"));
	assert_int_equal(sample(event, (struct pmuctl_sampling){ .period = 128 }), 0);
	pmuctl_event_free(event);
}

static void too_precise(void **state)
{
	struct pmuctl_event *event;

	(void)state;
	assert_int_equal(pmuctl_event_parse(fixture.ctx, "cycles:pppp", &event), -EINVAL);
	assert_int_equal(pmuctl_event_parse(fixture.ctx, "cycles:pp:pp", &event), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "ppp"));
}

static void refused(const char *name, struct pmuctl_sampling sampling, int want, const char *why)
{
	struct pmuctl_event *event = parsed(name);
	int err = sample(event, sampling);

	if (err != want || !strstr(pmuctl_error(fixture.ctx), why))
		fail_msg("%s: %d %s", name, err, pmuctl_error(fixture.ctx));
	pmuctl_event_free(event);
}

/* Where PEBS does not have what is asked for, P leaves the event as it was. */
static void most_precise(void **state)
{
	struct pmuctl_event *event = parsed("cycles:P");
	const struct pmuctl_event_info *info = pmuctl_event_get_info(event);

	(void)state;
	assert_int_equal(sample(event, (struct pmuctl_sampling){ .period = 1 }), 0);
	assert_int_equal(info->precise, 0);
	assert_int_equal(info->registers[0].value, 0x003c);
	assert_string_equal(info->note, "not by PEBS: event 'cycles:P': by PEBS the shortest period "
					"is 2");
	pmuctl_event_free(event);
	event = parsed("cycles:P");
	assert_int_equal(sample(event, (struct pmuctl_sampling){
		.period = 1000, .content = PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_STACK,
	}), 0);
	assert_int_equal(pmuctl_event_get_info(event)->precise, 0);
	pmuctl_event_free(event);
	refused("cycles:P", (struct pmuctl_sampling){ 0 }, -EINVAL, "neither");
	/* What it was has nothing to do with what it became. */
	event = parsed("cycles:P");
	assert_int_equal(pmuctl_event_get_info(event)->registers[0].value, 0x003c);
	pmuctl_event_free(event);
}

static void pebs_is_unsafe(void **state)
{
	struct pmuctl_event *event;

	(void)state;
	event = parsed("cycles:P");
	assert_int_equal(sample(event, (struct pmuctl_sampling){ .period = 1000 }), 0);
	assert_int_equal(pmuctl_event_get_info(event)->precise, 0);
	assert_non_null(strstr(pmuctl_event_get_info(event)->note, "of the microcode"));
	pmuctl_event_free(event);
}

/* ---- what is no sampling ------------------------------------------------------------ */

static void bad_samplings(void **state)
{
	(void)state;
	refused("cycles", (struct pmuctl_sampling){ 0 }, -EINVAL, "neither");
	refused("cycles", (struct pmuctl_sampling){ .period = 5, .frequency = 5 }, -EINVAL, "both");
	refused("cycles", (struct pmuctl_sampling){ .period = (1ull << 47) + 1 }, -EINVAL, "2^47");
	refused("cycles", (struct pmuctl_sampling){ .period = 16, .random_bits = 4 }, -EINVAL,
		"random");
	refused("cycles", (struct pmuctl_sampling){ .period = 16, .content = 1 << 20 }, -EINVAL,
		"contents");
	refused("cycles", (struct pmuctl_sampling){ .period = 16, .stack = 1024 }, -EINVAL,
		"no copy of it");
	refused("cycles", (struct pmuctl_sampling){ .period = 16, .content = PMUCTL_SAMPLE_STACK,
		.stack = 1016 }, -EINVAL, "multiple of 8 from 1024");
	refused("cycles", (struct pmuctl_sampling){ .period = 16, .content = PMUCTL_SAMPLE_STACK,
		.stack = 1028 }, -EINVAL, "multiple of 8 from 1024");
	refused("cycles", (struct pmuctl_sampling){ .period = 16, .content = PMUCTL_SAMPLE_STACK,
		.stack = 65528 }, -EINVAL, "multiple of 8 from 1024");
	refused("cycles:p", (struct pmuctl_sampling){ .period = 1 }, -EINVAL, "2");
}

static void no_pebs_here(void **state)
{
	(void)state;
	fake.pebs_refusal = "a virtual machine runs on this host";
	refused("cycles:pp", (struct pmuctl_sampling){ .period = 100 }, -EOPNOTSUPP,
		"a virtual machine runs on this host");
}

static void no_format_no_pebs(void **state)
{
	(void)state;
	fake.pebs_format = -1;
	refused("cycles:pp", (struct pmuctl_sampling){ .period = 100 }, -EOPNOTSUPP,
		"this CPU does not have it");
}

static void module_does_not_sample(void **state)
{
	(void)state;
	fake.features &= ~(uint64_t)PMUCTL_FEATURE_SAMPLE;
	refused("cycles", (struct pmuctl_sampling){ .period = 100 }, -EOPNOTSUPP, "cannot sample");
}

static void module_without_counts(void **state)
{
	(void)state;
	fake.features &= ~(uint64_t)PMUCTL_FEATURE_COUNTS;
	refused("cycles", (struct pmuctl_sampling){ .period = 100, .content = PMUCTL_SAMPLE_COUNTS },
		-EOPNOTSUPP, "(:S); install module and command of one version");
}

/* ---- the request ---------------------------------------------------------------------- */

static void add_sampled(const char *name, struct pmuctl_sampling sampling)
{
	struct pmuctl_event *event = parsed(name);

	assert_int_equal(sample(event, sampling), 0);
	assert_int_equal(pmuctl_session_add_event(fixture.session, event), 0);
	pmuctl_event_free(event);
}

static struct nlattr *sent_of_event(int which, int type)
{
	struct nlattr *nest = sent(PMUCTL_A_SESSION_EVENT, which);

	assert_non_null(nest);
	return nla_find(nla_data(nest), nla_len(nest), type);
}

static void request_has_it(void **state)
{
	(void)state;
	add_sampled("l1d-load-misses:upp", (struct pmuctl_sampling){
		.period = 10007, .random_bits = 5,
		.content = PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_CHAIN,
	});
	add_sampled("cycles", (struct pmuctl_sampling){ .frequency = 4000 });
	add("branches");
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 0), 0);
	assert_int_equal(pmuctl_session_set_ring(fixture.session, 65536, 4096), 0);
	assert_int_equal(create(0), 0);
	assert_int_equal(nla_get_u32(sent(PMUCTL_A_SESSION_RING, 0)), 65536);
	assert_int_equal(nla_get_u32(sent(PMUCTL_A_SESSION_WATERMARK, 0)), 4096);
	assert_int_equal(nla_get_u64(sent_of_event(0, PMUCTL_A_EVENT_PERIOD)), 10007);
	assert_int_equal(nla_get_u32(sent_of_event(0, PMUCTL_A_EVENT_RANDOM)), 5);
	assert_int_equal(nla_get_u32(sent_of_event(0, PMUCTL_A_EVENT_PRECISE)), 2);
	assert_int_equal(nla_get_u64(sent_of_event(0, PMUCTL_A_EVENT_CONTENT)),
			 PMUCTL_CONTENT_ADDR | PMUCTL_CONTENT_CHAIN);
	assert_null(sent_of_event(0, PMUCTL_A_EVENT_FREQ));
	assert_int_equal(nla_get_u32(sent_of_event(1, PMUCTL_A_EVENT_FREQ)), 4000);
	assert_null(sent_of_event(1, PMUCTL_A_EVENT_PERIOD));
	assert_null(sent_of_event(2, PMUCTL_A_EVENT_PERIOD));
	assert_null(sent_of_event(2, PMUCTL_A_EVENT_CONTENT));
}

/* What the hardware does not tell, the operand of the instruction may. */
static void registers_stand_in(void **state)
{
	(void)state;
	add_sampled("instructions:upp", (struct pmuctl_sampling){
		.period = 10007, .content = PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_DATA_SRC,
	});
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 0), 0);
	assert_int_equal(create(0), 0);
	assert_int_equal(nla_get_u64(sent_of_event(0, PMUCTL_A_EVENT_CONTENT)),
			 PMUCTL_CONTENT_REGS);
}

/* Each part of a sample by itself, with an event whose record has an address. */
static void parts(void **state)
{
	static const struct {
		uint64_t ours, kernels;
	} rows[] = {
		{ PMUCTL_SAMPLE_ADDR, PMUCTL_CONTENT_ADDR },
		{ PMUCTL_SAMPLE_WEIGHT, PMUCTL_CONTENT_LATENCY },
		{ PMUCTL_SAMPLE_DATA_SRC, PMUCTL_CONTENT_DATA_SRC },
		{ PMUCTL_SAMPLE_REGS, PMUCTL_CONTENT_REGS },
		{ PMUCTL_SAMPLE_CHAIN, PMUCTL_CONTENT_CHAIN },
		{ PMUCTL_SAMPLE_BRANCHES, PMUCTL_CONTENT_BRANCHES },
		{ PMUCTL_SAMPLE_STACK, PMUCTL_CONTENT_STACK },
		{ PMUCTL_SAMPLE_TOP, PMUCTL_CONTENT_TOP },
		/* The copy begins with them. */
		{ PMUCTL_SAMPLE_STACK | PMUCTL_SAMPLE_TOP, PMUCTL_CONTENT_STACK },
	};
	size_t i;

	(void)state;
	fake_skylake();
	fake_sampling(3);
	fake.lbr_depth = 32;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		add_sampled("mem-loads:upp", (struct pmuctl_sampling){
			.period = 10007, .content = rows[i].ours,
		});
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 0), 0);
	assert_int_equal(create(PMUCTL_MULTIPLEX), 0);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(nla_get_u64(sent_of_event((int)i, PMUCTL_A_EVENT_CONTENT)),
				 rows[i].kernels);
	assert_null(sent_of_event(0, PMUCTL_A_EVENT_STACK));
	assert_int_equal(nla_get_u32(sent_of_event(6, PMUCTL_A_EVENT_STACK)), 8192);
}

/* Before Haswell the record has the next instruction, and LBRs lead back. */
static void old_formats_want_blocks(void **state)
{
	(void)state;
	add_sampled("instructions:upp", (struct pmuctl_sampling){ .period = 10007 });
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 0), 0);
	assert_int_equal(create(0), 0);
	assert_int_equal(nla_get_u64(sent_of_event(0, PMUCTL_A_EVENT_CONTENT)),
			 PMUCTL_CONTENT_BLOCK);
}

static void bad_rings(void **state)
{
	(void)state;
	assert_int_equal(pmuctl_session_set_ring(fixture.session, 65537, 0), -EINVAL);
	assert_int_equal(pmuctl_session_set_ring(fixture.session, 3 * 16384, 0), -EINVAL);
	assert_int_equal(pmuctl_session_set_ring(fixture.session, 65536, 32769), -EINVAL);
	assert_int_equal(pmuctl_session_set_ring(fixture.session, 16384, 8192), 0);
	assert_int_equal(pmuctl_session_set_ring(fixture.session, 1 << 24, 1 << 23), 0);
	assert_int_equal(pmuctl_session_set_ring(fixture.session, 4096, 0), -EINVAL);
	assert_int_equal(pmuctl_session_set_ring(fixture.session, 1 << 25, 0), -EINVAL);
	assert_int_equal(pmuctl_session_set_ring(fixture.session, 65536, 40000), -EINVAL);
}

/* ---- what comes back --------------------------------------------------------------------- */

static void create_sampled(void)
{
	add_sampled("instructions:u", (struct pmuctl_sampling){ .period = 10007 });
	assert_int_equal(pmuctl_session_add_cpu(fixture.session, 0), 0);
	assert_int_equal(create(0), 0);
}

struct taken {
	unsigned int cpu;
	size_t bytes;
	int err;
};

static int take(void *data, unsigned int cpu, const void *records, size_t bytes)
{
	struct taken *t = data;

	(void)records;
	t->cpu = cpu;
	t->bytes += bytes;
	return t->err;
}

static void drains(void **state)
{
	struct taken t = { .cpu = 99 };

	(void)state;
	create_sampled();
	fake.records_size = 64;
	fake.records_cpu = 3;
	assert_int_equal(pmuctl_session_drain(fixture.ctx, fixture.session, -1, true, take, &t), 0);
	assert_int_equal(t.cpu, 3);
	assert_int_equal(t.bytes, 64);
	assert_true(fake.flushed);
	t.err = -EIO;
	assert_int_equal(pmuctl_session_drain(fixture.ctx, fixture.session, 3, false, take, &t),
			 -EIO);
	assert_false(fake.flushed);
	fake.records_size = 12;
	assert_int_equal(pmuctl_session_drain(fixture.ctx, fixture.session, -1, true, take, &t),
			 -EBADMSG);
	fake.no_cpu = true;
	assert_int_equal(pmuctl_session_drain(fixture.ctx, fixture.session, -1, true, take, &t),
			 -EBADMSG);
}

static int take_entry(void *data, const struct pmuctl_ledger_entry *entry)
{
	struct pmuctl_ledger_entry *entries = data;

	entries[entry->cpu] = *entry;
	return 0;
}

static void ledger_comes_back(void **state)
{
	struct pmuctl_ledger_entry entries[2] = { { 0 } };

	(void)state;
	create_sampled();
	fake.nr_ledger = 2;
	fake.ledger[0] = (struct pmuctl_ledger){ .produced = 10, .written = 7, .lost = 3,
						    .overruns = 2 };
	fake.ledger[1] = (struct pmuctl_ledger){ .cpu = 1, .collisions = 4, .throttled = 5,
						 .uncertain = 6 };
	assert_int_equal(pmuctl_session_ledger(fixture.session, take_entry, entries), 0);
	assert_int_equal(entries[0].produced, 10);
	assert_int_equal(entries[0].written, 7);
	assert_int_equal(entries[0].lost, 3);
	assert_int_equal(entries[0].overruns, 2);
	assert_int_equal(entries[1].collisions, 4);
	assert_int_equal(entries[1].throttled, 5);
	assert_int_equal(entries[1].uncertain, 6);
	fake.ledger[0].event = 1;
	assert_int_equal(pmuctl_session_ledger(fixture.session, take_entry, entries), -EBADMSG);
}

#define TEST(name, cpu) cmocka_unit_test_setup_teardown(name, cpu, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rows_of_skylake, skylake),
		TEST(rows_of_core2, core2),
		TEST(rows_of_sandybridge, sandybridge),
		TEST(rows_of_ivybridge, ivybridge),
		TEST(rows_of_icelake, icelake),
		TEST(rows_of_sapphirerapids, sapphirerapids),
		TEST(short_periods, sapphirerapids),
		TEST(too_precise, skylake),
		TEST(most_precise, skylake),
		TEST(pebs_is_unsafe, unsafe_skylake),
		TEST(bad_samplings, skylake),
		TEST(no_pebs_here, skylake),
		TEST(no_format_no_pebs, skylake),
		TEST(module_does_not_sample, skylake),
		TEST(module_without_counts, skylake),
		TEST(request_has_it, skylake),
		TEST(registers_stand_in, skylake),
		TEST(parts, skylake),
		TEST(old_formats_want_blocks, core2),
		TEST(bad_rings, skylake),
		TEST(drains, skylake),
		TEST(ledger_comes_back, skylake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
