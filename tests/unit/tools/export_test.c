// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks out of samples, and what the exports and the flame graph make of them.
 */
#include <jansson.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "tools/base/clean.h"
#include "tools/export/export.h"
#include "tools/export/flame.h"
#include "tools/export/proto.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/tools/fake_data.h"

static const struct fake_function functions[] = {
	{ 0, NULL, 0 },
	{ 0x1000, "main", 1 },
	{ 0x2000, "work;hard", 1 },
	{ 0x3000, "leaf", 1 },
	{ 0x9000, NULL, 2 },
	{ 0xffff800000001000, "entry", 3 },
	{ 0xffff800000002000, "do_read", 3 },
};

static const char *const dsos[] = { "[unknown]", "/usr/bin/prog", "/lib/libc.so.6",
				    "[kernel.kallsyms]" };
static const char *const comms[] = { "prog", "oth\ner \"x\"" };

/* A leaf called by work called by main; the return address of a call that ends main. */
static const uint64_t deep[] = { PERF_CONTEXT_USER, 0x3004, 0x2010, 0x2000 };
static const uint64_t kernel[] = { PERF_CONTEXT_KERNEL, 0xffff800000002008, 0xffff800000001010,
				   PERF_CONTEXT_USER, 0x2020, 0x1010 };
/* Only the user's side of a sample in the kernel. */
static const uint64_t outside[] = { PERF_CONTEXT_USER, 0x2020, 0x1010 };
static const uint64_t nothing[] = { PERF_CONTEXT_USER };

static const struct pmuctl_data_sample samples[] = {
	{ .event = 0, .ip = 0x3000, .period = 100, .chain = deep, .chain_count = 4 },
	{ .event = 0, .ip = 0x3008, .period = 100, .chain = deep, .chain_count = 4 },
	{ .event = 0, .ip = 0xffff800000002008, .period = 50, .kernel = true, .chain = kernel,
	  .chain_count = 6 },
	{ .event = 0, .ip = 0xffff800000002008, .period = 7, .kernel = true, .chain = outside,
	  .chain_count = 3 },
	{ .event = 0, .ip = 0x9123, .period = 30, .tid = 1 },
	{ .event = 1, .ip = 0x5, .period = 1, .chain = nothing, .chain_count = 1 },
	/* No event of the file. */
	{ .event = 3, .ip = 0x1000, .period = 1 },
};

static const struct pmuctl_data_event events[] = {
	{ .name = "instructions:u", .period = 100, .samples = 5, .events = 287 },
	{ .name = "cyc<&\x01>", .samples = 1, .events = 1 },
	/* What a recorder follows tasks by. */
	{ .name = "dummy:HG", .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY },
};

static struct pmuctl_data fake_data(void)
{
	return (struct pmuctl_data){
		.info = { .events = events, .events_count = 3, .samples = 6 },
		.samples = samples, .samples_count = sizeof(samples) / sizeof(samples[0]),
		.functions = functions,
		.functions_count = sizeof(functions) / sizeof(functions[0]),
		.dsos = dsos, .comms = comms, .source = "a.c",
	};
}

#define TEXT_MAX (8 << 20)

static char *slurp(FILE *f, size_t *size)
{
	char *text = calloc(1, TEXT_MAX);

	fflush(f);
	rewind(f);
	*size = fread(text, 1, TEXT_MAX - 1, f);
	fclose(f);
	return text;
}

typedef int export_fn(const struct stacks *s, const struct export_options *options, FILE *out);

static char *export_with(export_fn *fn, bool by_address, uint32_t only, bool counts)
{
	const struct export_options options = { .title = "perf\x02.data", .samples = counts };
	struct pmuctl_data data = fake_data();
	struct stacks s = { .data = &data, .by_address = by_address, .only = only };
	FILE *out = tmpfile();
	size_t size;

	assert_int_equal(stacks_read(&s), 0);
	assert_int_equal(fn(&s, &options, out), 0);
	stacks_free(&s);
	return slurp(out, &size);
}

static void folded(void **state)
{
	char *text = export_with(export_folded, false, 0, false);

	(void)state;
	assert_string_equal(text,
			    "oth?er \"x\";[libc.so.6] 30\n"
			    "prog;main;work:hard;do_read_[k] 7\n"
			    "prog;main;work:hard;entry_[k];do_read_[k] 50\n"
			    "prog;main;work:hard;leaf 200\n");
	free(text);
	text = export_with(export_folded, false, INDEX_NONE, true);
	assert_string_equal(text,
			    "oth?er \"x\";[libc.so.6] 1\n"
			    "prog;main;work:hard;do_read_[k] 1\n"
			    "prog;main;work:hard;entry_[k];do_read_[k] 1\n"
			    "prog;main;work:hard;leaf 2\n"
			    "prog;[unknown] 1\n");
	free(text);
}

static json_int_t at(const json_t *array, size_t i)
{
	return json_integer_value(json_array_get(array, i));
}

static const char *frame_name(const json_t *file, json_int_t frame)
{
	json_t *frames = json_object_get(json_object_get(file, "shared"), "frames");

	return json_string_value(json_object_get(json_array_get(frames, frame), "name"));
}

static void speedscope(void **state)
{
	char *text = export_with(export_speedscope, false, INDEX_NONE, false);
	json_t *file = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *profiles, *first, *stack;

	(void)state;
	assert_non_null(file);
	assert_string_equal(json_string_value(json_object_get(file, "name")), "perf?.data");
	assert_string_equal(json_string_value(json_object_get(file, "$schema")),
			    "https://www.speedscope.app/file-format-schema.json");
	profiles = json_object_get(file, "profiles");
	assert_int_equal(json_array_size(profiles), 2);
	first = json_array_get(profiles, 0);
	assert_string_equal(json_string_value(json_object_get(first, "type")), "sampled");
	assert_string_equal(json_string_value(json_object_get(first, "unit")), "none");
	assert_int_equal(json_integer_value(json_object_get(first, "endValue")), 287);
	assert_int_equal(json_array_size(json_object_get(first, "samples")), 4);
	assert_int_equal(json_array_size(json_object_get(first, "weights")), 4);
	assert_int_equal(at(json_object_get(first, "weights"), 0), 30);
	stack = json_array_get(json_object_get(first, "samples"), 2);
	assert_int_equal(json_array_size(stack), 5);
	assert_string_equal(frame_name(file, at(stack, 0)), "prog");
	assert_string_equal(frame_name(file, at(stack, 2)), "work;hard");
	assert_string_equal(frame_name(file, at(stack, 4)), "do_read");
	json_decref(file);
	free(text);
}

/* As the format has them: seven bits a byte, the lowest first. */
static void varints(void **state)
{
	static const struct {
		uint64_t value;
		size_t size;
		unsigned char bytes[10];
	} examples[] = {
		{ 0, 1, { 0 } },
		{ 127, 1, { 0x7f } },
		{ 128, 2, { 0x80, 0x01 } },
		{ 300, 2, { 0xac, 0x02 } },
		{ 16383, 2, { 0xff, 0x7f } },
		{ 16384, 3, { 0x80, 0x80, 0x01 } },
		{ UINT64_MAX, 10,
		  { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 } },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(examples); i++) {
		struct proto p = { .bytes = NULL };

		proto_varint(&p, examples[i].value);
		assert_int_equal(p.size, examples[i].size);
		assert_memory_equal(p.bytes, examples[i].bytes, p.size);
		free(p.bytes);
	}
}

static void *unzip(void *packed, size_t size, size_t *length)
{
	unsigned char *bytes = malloc(1 << 16);
	z_stream z = { .next_in = packed, .avail_in = size, .next_out = bytes,
		       .avail_out = 1 << 16 };

	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	*length = z.total_out;
	inflateEnd(&z);
	return bytes;
}

static void *pprof_bytes(uint32_t only, size_t *length)
{
	const struct export_options options = { .title = "" };
	struct pmuctl_data data = fake_data();
	struct stacks s = { .data = &data, .by_address = true, .only = only };
	FILE *out = tmpfile();
	char *packed;
	void *bytes;
	size_t size;

	assert_int_equal(stacks_read(&s), 0);
	assert_int_equal(export_pprof(&s, &options, out), 0);
	stacks_free(&s);
	packed = slurp(out, &size);
	bytes = unzip(packed, size, length);
	free(packed);
	return bytes;
}

static uint64_t varint(const unsigned char **p)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	do
		value |= (uint64_t)(**p & 0x7f) << shift;
	while (shift += 7, *(*p)++ & 0x80);
	return value;
}

/* tests/export/pprof.test has protoc read the whole of it; here it is counted. */
static void pprof(void **state)
{
	size_t length, fields[16] = { 0 };
	unsigned char *bytes = pprof_bytes(INDEX_NONE, &length);
	const unsigned char *p = bytes, *end = bytes + length;
	uint64_t key, size;

	(void)state;
	while (p < end) {
		key = varint(&p);
		assert_true(key >> 3 < 16);
		fields[key >> 3]++;
		size = varint(&p);
		if ((key & 7) == 2)
			p += size;
		if (key >> 3 == 6 && fields[6] == 1)
			assert_int_equal(size, 0);
	}
	assert_ptr_equal(p, end);
	assert_int_equal(fields[1], 3);		/* samples and two events */
	assert_int_equal(fields[2], 6);		/* 0x3000 and 0x3008 differ */
	assert_int_equal(fields[3], 3);		/* DSOs but the unknown one */
	assert_int_equal(fields[11], 1);
	free(bytes);
	bytes = pprof_bytes(1, &length);
	assert_true(length > 0);
	free(bytes);
}

/* Where work calls leaf two functions are inlined. */
static struct pmuctl_data inlined_data(void)
{
	static const struct pmuctl_inlined inlined[] = { { "in;ner", "b.h", 5 }, { "outer", "a.c", 6 } };
	struct pmuctl_data data = fake_data();

	data.inlined = inlined;
	data.inlined_count = 2;
	data.inlined_at = 0x200f;
	return data;
}

static void inlined_are_frames(void **state)
{
	const struct export_options options = { .title = "" };
	struct pmuctl_data data = inlined_data();
	struct stacks s = { .data = &data, .only = 0, .inlines.on = true };
	FILE *out = tmpfile();
	size_t size;
	char *text;

	(void)state;
	assert_int_equal(stacks_read(&s), 0);
	assert_int_equal(export_folded(&s, &options, out), 0);
	text = slurp(out, &size);
	assert_non_null(strstr(text, "prog;main;work:hard;outer (inlined);in:ner (inlined);leaf 200\n"));
	assert_non_null(strstr(text, "prog;main;work:hard;do_read_[k] 7\n"));
	free(text);
	stacks_free(&s);
}

/* They belong to the address, and to no node of their own. */
static void inlined_are_lines_of_an_address(void **state)
{
	struct pmuctl_data data = inlined_data();
	struct stacks s = { .data = &data, .only = 0, .by_address = true, .inlines.on = true };
	uint32_t i, found = 0;

	(void)state;
	assert_int_equal(stacks_read(&s), 0);
	for (i = 0; i < s.spots_count; i++) {
		if (s.spots[i].place.address != 0x200f)
			continue;
		found++;
		assert_int_equal(s.spots[i].inlined_count, 2);
		assert_string_equal(s.frames[s.spots[i].inlined[0]].name, "in;ner (inlined)");
		assert_string_equal(s.frames[s.spots[i].inlined[1]].name, "outer (inlined)");
	}
	assert_int_equal(found, 1);
	for (i = 0; i < s.nodes_count; i++)
		assert_true(s.nodes[i].frame == INDEX_NONE ||
			    !strstr(s.frames[s.nodes[i].frame].name, "inlined"));
	stacks_free(&s);
}

static void symbols_are_asked_for_once(void **state)
{
	struct pmuctl_data_sample *many = calloc(1000, sizeof(*many));
	struct pmuctl_data data = fake_data();
	struct stacks s = { .data = &data, .only = INDEX_NONE };
	size_t i;

	(void)state;
	for (i = 0; i < 1000; i++)
		many[i] = samples[i % 2];
	data.samples = many;
	data.samples_count = 1000;
	assert_int_equal(stacks_read(&s), 0);
	/* Of the two callers, where they return to, too. */
	assert_int_equal(data.symbols_asked, 6);
	assert_int_equal(s.nodes[0].all_samples, 1000);
	assert_int_equal(s.nodes[0].all_events, 100000);
	/* Three events, and prog, main, work, leaf. */
	assert_int_equal(s.nodes_count, 7);
	stacks_free(&s);
	free(many);
}

static char *flame_of(const struct pmuctl_data_sample *list, size_t count)
{
	struct pmuctl_data data = fake_data();
	struct stacks s = { .data = &data, .only = 0 };
	FILE *out = tmpfile();
	size_t size;

	data.samples = list;
	data.samples_count = count;
	assert_int_equal(stacks_read(&s), 0);
	assert_int_equal(flame_svg(&s, 0, "a&b.data", FLAME_FILE, out), 0);
	stacks_free(&s);
	return slurp(out, &size);
}

static void flame_has_each_frame_once(void **state)
{
	char *text = flame_of(samples, 5), *one;

	(void)state;
	assert_non_null(strstr(text, "<title>all\n100.00%, 5 samples, 287 events</title>"));
	assert_non_null(strstr(text, "<title>leaf\n/usr/bin/prog, 69.69%, 2 samples, 200 events"));
	assert_non_null(strstr(text, "oth?er &quot;x&quot;"));
	assert_non_null(strstr(text, "5 samples of a&amp;b.data"));
	free(text);
	one = flame_of(samples, 1);
	assert_non_null(strstr(one, "<title>leaf\n/usr/bin/prog, 100.00%, 1 samples"));
	free(one);
}

/* What is in all of an export of samples that are waits. */
static void *export_of_waits(export_fn *fn, const char *name, size_t *size)
{
	const struct pmuctl_data_event waits[] = {
		{ .name = "cycles", .samples = 1, .events = 100 },
		{ .name = name, .type = PERF_TYPE_SOFTWARE, .samples = 2, .events = 3000000007 },
	};
	const struct pmuctl_data_sample list[] = {
		{ .event = 1, .ip = 0x3000, .period = 3000000000 },
		{ .event = 1, .ip = 0x2000, .period = 7 }, { .ip = 0x3000, .period = 100 },
	};
	const struct export_options options = { .title = "" };
	struct pmuctl_data data = fake_data();
	struct stacks s = { .data = &data, .only = INDEX_NONE };
	FILE *out = tmpfile();

	data.info.events = waits;
	data.info.events_count = 2;
	data.samples = list;
	data.samples_count = 3;
	assert_int_equal(stacks_read(&s), 0);
	assert_int_equal(fn ? fn(&s, &options, out) : flame_svg(&s, 1, "w.data", FLAME_FILE, out), 0);
	stacks_free(&s);
	return slurp(out, size);
}

static void waits_are_nanoseconds(void **state)
{
	size_t size;
	char *text = export_of_waits(NULL, "offcpu-time", &size);

	(void)state;
	assert_non_null(strstr(text, "offcpu-time, 2 waits of w.data"));
	assert_non_null(strstr(text, "width: ns waited off the CPU"));
	assert_non_null(strstr(text, "<title>leaf\n/usr/bin/prog, 100.00%, 1 waits, 3000000000 ns<"));
	assert_null(strstr(text, "samples,"));
	free(text);
	text = export_of_waits(export_speedscope, "offcpu-time:preempted", &size);
	assert_non_null(strstr(text, "\"name\":\"cycles\",\"unit\":\"none\""));
	assert_non_null(strstr(text, "\"name\":\"offcpu-time:preempted\",\"unit\":\"nanoseconds\""));
	free(text);
	/* Another event that begins like it. */
	text = export_of_waits(export_speedscope, "offcpu-times", &size);
	assert_null(strstr(text, "nanoseconds"));
	free(text);
}

/* As perf 6.1 has them, and as 6.16 has: those are in raw data, and their periods are 1. */
static void waits_of_perf(void **state)
{
	struct pmuctl_data_event event = {
		.name = "offcpu-time", .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PERIOD,
	};

	(void)state;
	assert_true(is_off_cpu(&event));
	event.sample_type |= PERF_SAMPLE_RAW;
	assert_false(is_off_cpu(&event));
}

/* The unit of each of the columns is a number of a string. */
static void pprof_says_units(void **state)
{
	size_t size, length;
	char *packed = export_of_waits(export_pprof, "offcpu-time", &size);
	unsigned char *bytes = unzip(packed, size, &length);
	static const unsigned char types[] = {
		0x0a, 4, 0x08, 2, 0x10, 1,	/* samples, count */
		0x0a, 4, 0x08, 8, 0x10, 1,	/* cycles, count */
		0x0a, 4, 0x08, 9, 0x10, 4,	/* offcpu-time, nanoseconds */
	};

	(void)state;
	assert_true(length > sizeof(types));
	assert_memory_equal(bytes, types, sizeof(types));
	assert_non_null(memmem(bytes, length, "\x32\x0bnanoseconds", 13));
	free(bytes);
	free(packed);
}

static void flame_survives_periods(void **state)
{
	const struct pmuctl_data_sample wild[] = {
		{ .ip = 0x3000, .period = UINT64_MAX }, { .ip = 0x2000, .period = 3 },
		{ .ip = 0x1000, .period = 1ull << 63 },
	};
	const struct pmuctl_data_sample without[] = { { .ip = 0x3000 }, { .ip = 0x2000 } };
	char *text = flame_of(wild, 3);

	(void)state;
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "inf"));
	assert_null(strstr(text, "\"-"));
	free(text);
	text = flame_of(without, 2);
	assert_non_null(strstr(text, "leaf\n/usr/bin/prog, 50.00%, 1 samples, 0 events"));
	free(text);
	text = flame_of(without, 0);
	assert_non_null(strstr(text, "0 samples"));
	free(text);
}

static void flame_leaves_out_what_nobody_sees(void **state)
{
	const struct pmuctl_data_sample list[] = {
		{ .ip = 0x3000, .period = 1000000 }, { .ip = 0x2000, .period = 1 },
	};
	char *text = flame_of(list, 2);

	(void)state;
	assert_non_null(strstr(text, "<title>leaf"));
	assert_null(strstr(text, "<title>work"));
	assert_non_null(strstr(text, "1 boxes too narrow"));
	free(text);
}

/* As long as a record can be: nothing may recurse by it. */
static void deep_chains(void **state)
{
	enum { DEPTH = 8000 };
	uint64_t *chain = malloc(DEPTH * sizeof(*chain));
	const struct pmuctl_data_sample list[] = {
		{ .ip = 0x3000, .period = 1, .chain = chain, .chain_count = DEPTH },
		{ .ip = 0x2000, .period = 1, .chain = chain, .chain_count = DEPTH / 2 },
	};
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < DEPTH; i++)
		chain[i] = 0x1000 + i % 0x3000;
	text = flame_of(list, 2);
	assert_non_null(strstr(text, "data-d=\"8001\""));
	assert_null(strstr(text, "data-d=\"8002\""));
	free(text);
	free(chain);
}

static void assert_clean(const char *text, const char *expected)
{
	char *clean = clean_copy(text);

	assert_string_equal(clean, expected);
	free(clean);
}

static void text_is_clean(void **state)
{
	(void)state;
	assert_clean("", "");
	assert_clean("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x94\xa5", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x94\xa5");
	assert_clean("\x01\x1f\x7f\n", "????");
	assert_clean("\xc3", "?");
	assert_clean("\xe2\x82", "??");
	assert_clean("\xc0\xaf", "??");			/* too long for what it is */
	assert_clean("\xe0\x80\xaf", "???");
	assert_clean("\xed\xa0\x80", "???");		/* half of a pair */
	assert_clean("\xef\xbf\xbf", "???");		/* no character */
	assert_clean("\xf4\x90\x80\x80", "????");	/* past the last */
	assert_clean("\xc2\x85", "??");			/* a control character, too */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folded),
		cmocka_unit_test(speedscope),
		cmocka_unit_test(varints),
		cmocka_unit_test(pprof),
		cmocka_unit_test(inlined_are_frames),
		cmocka_unit_test(inlined_are_lines_of_an_address),
		cmocka_unit_test(symbols_are_asked_for_once),
		cmocka_unit_test(flame_has_each_frame_once),
		cmocka_unit_test(waits_are_nanoseconds),
		cmocka_unit_test(waits_of_perf),
		cmocka_unit_test(pprof_says_units),
		cmocka_unit_test(flame_survives_periods),
		cmocka_unit_test(flame_leaves_out_what_nobody_sees),
		cmocka_unit_test(deep_chains),
		cmocka_unit_test(text_is_clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
