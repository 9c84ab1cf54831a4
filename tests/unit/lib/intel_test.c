// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event files in Intel's form: found, read, and refused with file and line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/lib/event.h"

#define I PMUCTL_SOURCE_INTEL

static char dir[64];

static int setup(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/pmuctl-intel-XXXXXX");
	assert_non_null(mkdtemp(dir));
	fake_skylake();
	return 0;
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void write_bytes(const char *name, const char *bytes, size_t size)
{
	FILE *f = fopen(path_of(name), "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

static void write_file(const char *name, const char *text)
{
	write_bytes(name, text, strlen(text));
}

static struct pmuctl *open_with(const char *path)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = path };
	struct pmuctl *ctx;

	assert_int_equal(pmuctl_open(&options, &ctx), 0);
	return ctx;
}

/* What the event becomes, or with which text it fails. */
static void check(const char *path, const struct expected *x)
{
	struct pmuctl *ctx = open_with(path);

	parses_as(ctx, x);
	pmuctl_close(ctx);
}

/* Our own; every field as some of Intel's files have it. */
static const char fixture[] =
	"{ \"Header\": { \"Copyright\": \"none\" }, \"Events\": [\n"
	" { \"EventCode\": \"0xC4\", \"UMask\": \"0x20\", \"EventName\": \"FIX.TAKEN\",\n"
	"   \"BriefDescription\": \"taken\", \"Counter\": \"0,1,2,3\", \"Precise\": \"1\" },\n"
	" { \"EventCode\": \"0xB7, 0xBB\", \"UMask\": \"0x01\", \"EventName\": \"FIX.OFFCORE.X\",\n"
	"   \"Counter\": \"0,1,2,3\", \"MSRIndex\": \"0x1a6,0x1a7\", \"MSRValue\": \"0x10001\" },\n"
	" { \"EventCode\": \"0xcd\", \"UMask\": \"1\", \"EventName\": \"FIX.LAT_128\",\n"
	"   \"MSRIndex\": \"0x3F6\", \"MSRValue\": \"0x80\", \"Counter\": \"0,1\" },\n"
	" { \"EventCode\": \"0x0D\", \"UMask\": \"0x01\", \"EventName\": \"FIX.MODS\",\n"
	"   \"CounterMask\": \"2\", \"Invert\": \"1\", \"EdgeDetect\": \"1\",\n"
	"   \"AnyThread\": \"1\", \"Counter\": \"0,1,2,3\", \"MSRIndex\": \"0\",\n"
	"   \"MSRValue\": \"0x00\", \"Errata\": \"SKL042\", \"Deprecated\": \"1\" },\n"
	" { \"EventCode\": 196, \"UMask\": 1, \"EventName\": \"FIX.NUMBERS\", \"CounterMask\": 3,\n"
	"   \"Errata\": null, \"Unheard\": { \"of\": [ 1, 2 ] } },\n"
	" { \"EventCode\": \"0x00\", \"UMask\": \"0x02\", \"EventName\": \"FIX.THREAD\",\n"
	"   \"Counter\": \"Fixed counter 1\" },\n"
	" { \"EventCode\": \"0xc0\", \"UMask\": \"0x0\", \"EventName\": \"INST_RETIRED.ANY_P\",\n"
	"   \"Counter\": \"0,1,2\" },\n"
	" { \"EventCode\": \"0x01\", \"UMask\": \"0x1234\", \"EventName\": \"FIX.WIDE\" },\n"
	" { \"EventCode\": \"0x01\", \"UMask\": \"0x01\", \"EventName\": \"UNC.X\",\n"
	"   \"Unit\": \"iMC\" },\n"
	" { \"EventCode\": \"0xC4\", \"UMask\": \"0x10\", \"EventName\": \"FIX.TAKEN\" }\n"
	"] }\n";

static const struct expected events[] = {
	{ "FIX.TAKEN:u", 0, 0x20c4, 0xf, true, false, I },
	{ "fix:taken", 0, 0x20c4, 0xf, true, true, I },
	{ "FIX.OFFCORE.X", 0, 0x1b7, 0xf, true, true, I, .extra = { 3, 0, 0x10001 } },
	{ "FIX.LAT_128", 0, 0x1cd, 0x3, true, true, I, .extra = { 4, 0, 128 } },
	{ "FIX.LAT_128:ldlat=128", 0, 0x1cd, 0x3, true, true, I, .extra = { 4, 0, 128 } },
	{ "FIX.LAT_128:ldlat=9", -EINVAL, .error = "FIX.LAT_128 has ldlat=0x80 itself" },
	{ "FIX.MODS", 0, 0x2a4010d, 0xf, true, true, I,
	  .note = "errata SKL042; deprecated by Intel" },
	{ "FIX.MODS:edge=1:cmask=2:inv:t:D", 0, 0x2a4010d, 0xf, true, true, I, .pinned = true,
	  .note = "errata" },
	{ "FIX.MODS:edge=0", -EINVAL, .error = "FIX.MODS has edge 1 itself, and with 0 it would" },
	{ "FIX.MODS:cmask=0", -EINVAL, .error = "FIX.MODS has cmask 2 itself" },
	{ "FIX.MODS:inv=0", -EINVAL, .error = "FIX.MODS has inv 1 itself" },
	{ "FIX.MODS:t=0", -EINVAL, .error = "FIX.MODS has any 1 itself" },
	{ "cpu/FIX.MODS,cmask=3/", -EINVAL, .error = "FIX.MODS has cmask 2 itself" },
	{ "FIX.NUMBERS", 0, 0x30001c4, 0xf, true, true, I },
	{ "FIX.THREAD", 0, 0x3c, 0x20000000full, true, true, I, .note = "fixed counter 1's" },
	/* Rather of the file than of libpfm4. */
	{ "INST_RETIRED.ANY_P", 0, 0xc0, 0x100000007ull, true, true, I },
	{ "instructions", 0, 0xc0, 0x10000000full, true, true, PMUCTL_SOURCE_PORTABLE },
	{ "FIX.WIDE", -EOPNOTSUPP, .error = "second mask" },
	{ "FIX.TAKEM", -ENOENT, .error = "FIX.TAKEN" },
	{ "UNC.X", -ENOENT },
};

static void fields_of_events(void **state)
{
	size_t i;

	(void)state;
	write_file("x.json", fixture);
	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		check(path_of("x.json"), &events[i]);
	/* The directory that it is alone in will do as well. */
	check(dir, &events[0]);
}

static int count_intel(void *data, const struct pmuctl_event_desc *desc)
{
	unsigned int *count = data;

	*count += desc->source == PMUCTL_SOURCE_INTEL;
	return 0;
}

static void events_are_listed(void **state)
{
	unsigned int count = 0;
	struct pmuctl *ctx;

	(void)state;
	write_file("x.json", fixture);
	ctx = open_with(dir);
	assert_int_equal(pmuctl_list_events(ctx, NULL, count_intel, &count), 0);
	assert_int_equal(count, 8);
	count = 0;
	assert_int_equal(pmuctl_list_events(ctx, "fix.*", count_intel, &count), 0);
	assert_int_equal(count, 7);
	pmuctl_close(ctx);
}

/* The environment names it too, and "" says that there is none. */
static void from_the_environment(void **state)
{
	const struct expected there = events[0], gone = { "FIX.TAKEN", -ENOENT };

	(void)state;
	write_file("x.json", fixture);
	setenv("PMUCTL_EVENTS_DIR", dir, 1);
	check(NULL, &there);
	check("", &gone);
	unsetenv("PMUCTL_EVENTS_DIR");
	check(NULL, &gone);
}

/* ---- which file ---------------------------------------------------------- */

static const char map[] =
	"Family-model,Version,Filename,EventType,Core Type\r\n"
	"GenuineIntel-6-2A,V1,/SNB/events/snb.json,core,\r\n"
	"GenuineIntel-6-5E-[0-2],V1,/SKL/events/wrong.json,core,\r\n"
	"GenuineIntel-6-5E,V1,/SKL/events/uncore.json,uncore,\r\n"
	"\r\n"
	"GenuineIntel-6-(4E|5E),V1,/SKL/events/skl.json,core,\r\n";

static void file_of_the_map(void **state)
{
	const struct expected none = { "FIX.TAKEN", -EINVAL, .error = "it is not there" };
	const struct expected other = { "FIX.TAKEN", -EINVAL, .error = "not for this CPU" };
	const struct expected absent = { "FIX.TAKEN", -EINVAL,
					 .error = "no events for this CPU (GenuineIntel-6-8F-8)" };

	(void)state;
	write_file("mapfile.csv", map);
	check(dir, &none);
	assert_int_equal(mkdir(path_of("SKL"), 0755), 0);
	assert_int_equal(mkdir(path_of("SNB"), 0755), 0);
	assert_int_equal(mkdir(path_of("SKL/events"), 0755), 0);
	write_file("SKL/events/skl.json", fixture);
	check(dir, &events[0]);
	check(path_of("SKL/events"), &events[0]);
	check(path_of("SNB"), &other);
	fake.signature = 0x806f8;
	check(dir, &absent);
}

/* Hybrids have a line for each kind of core, which its counters tell where no leaf does. */
static void file_of_the_kind(void **state)
{
	static const char hybrid[] =
		"Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name\n"
		"GenuineIntel-6-97,V1,/ADL/small.json,hybridcore,0x20,0x000001,Atom\n"
		"GenuineIntel-6-97,V1,/ADL/junk.json,hybridcore,0x4x,0x000001,Core\n"
		"GenuineIntel-6-97,V1,/ADL/big.json,hybridcore,0x40,0x000001,Core\n"
		"GenuineIntel-6-BE,V1,/ADL/small.json,core,,,\n";
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = dir };
	static const struct {
		const char *cpu, *has, *lacks;
	} rows[] = {
		{ "alderlake-p", "BIG", "SMALL" }, { "alderlake-n", "SMALL", "BIG" },
	};
	struct pmuctl_event *event;
	struct pmuctl *ctx;
	size_t i;

	(void)state;
	write_file("mapfile.csv", hybrid);
	assert_int_equal(mkdir(path_of("ADL"), 0755), 0);
	write_file("ADL/small.json", "[ { \"EventName\": \"SMALL\", \"EventCode\": \"1\" } ]");
	write_file("ADL/big.json", "[ { \"EventName\": \"BIG\", \"EventCode\": \"1\" } ]");
	write_file("ADL/junk.json", "junk");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(pmuctl_open(&options, &ctx), 0);
		assert_int_equal(pmuctl_plan_for(ctx, rows[i].cpu), 0);
		assert_int_equal(pmuctl_event_parse(ctx, rows[i].has, &event), 0);
		pmuctl_event_free(event);
		assert_int_not_equal(pmuctl_event_parse(ctx, rows[i].lacks, &event), 0);
		pmuctl_close(ctx);
	}
}

static void file_beside_the_map(void **state)
{
	(void)state;
	write_file("mapfile.csv", map);
	write_file("skl.json", fixture);
	write_file("junk.json", "junk");
	check(dir, &events[0]);
}

static void several_files_and_metrics(void **state)
{
	(void)state;
	write_file("a.json", "[ { \"EventName\": \"A\", \"EventCode\": \"1\" } ]");
	write_file("b.json", fixture);
	write_file("c.json", "{ \"Header\": {}, \"Metrics\": [ 1 ] }");
	write_file("readme.txt", "nothing");
	check(dir, &events[0]);
	check(dir, &(struct expected){ "A", 0, 0x1, 0xf, true, true, I });
}

/* ---- what is wrong --------------------------------------------------------- */

static const struct {
	const char *text;
	const char *error;
} broken[] = {
	{ "", ".json" },
	{ " \n\n", ".json:" },
	{ "junk", ".json:1:" },
	{ "[\n {\n  \"EventName\" \"X\"\n} ]", ".json:3:" },
	{ "[ { \"EventName\": \"X\", }\n]", ".json:1:" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": \"1\" }", ".json:1:" },
	{ "[ 1e999 ]", ".json:1:" },
	{ "[ \"\xff\xfe\" ]", ".json:1:" },
	{ "{}", "no list of events" },
	{ "{ \"Events\": 3 }", "no list of events" },
	{ "{ \"Events\": { \"a\": 1 } }", "no list of events" },
	{ "[ 7 ]", ".json:1: event 1 (of no name): it is no object" },
	{ "[ {\"EventName\": \"X\", \"EventCode\": \"1\", \"q\": [ 1, {} ]},\n\n\n 7 ]",
	  ".json:4: event 2 (of no name): it is no object" },
	{ "{ \"Header\": { \"a\": [ 1,\n 2 ] },\n \"Events\": [ {\n \"EventName\": \"\\\"\",\n"
	  " \"b\": { \"EventCode\": 1 },\n \"EventCode\":\n \"xyz\" } ] }",
	  ".json:6: event 1 (\"): EventCode is 'xyz'" },
	{ "[\n {\n \"EventName\": \"X\" } ]", ".json:2: event 1 (X): EventCode is missing" },
	{ "[ {} ]", "event 1 (of no name): EventName is missing" },
	{ "[ { \"EventName\": 3 } ]", "EventName is no string" },
	{ "[ { \"EventName\": \"\" } ]", "EventName is missing" },
	{ "[ { \"EventName\": \"X\" } ]", "event 1 (X): EventCode is missing" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": \"xyz\" } ]", "EventCode is 'xyz'" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": \"0x\" } ]", "EventCode" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": \"-1\" } ]", "EventCode is '-1'" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": -1 } ]", "EventCode is 0xffff" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": \"0x100\" } ]", "the most is 0xff" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": [ 1 ] } ]", "neither a number nor a string" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": true } ]", "neither a number nor a string" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": \"1\", \"UMask\": {} } ]", "X): UMask" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": \"1\", \"Counter\": 3 } ]", "Counter is no" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": \"1\", \"EdgeDetect\": \"2\" } ]",
	  "EdgeDetect is 0x2" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": \"1\", \"MSRIndex\": \"0x1a6\",\n"
	  " \"MSRValue\": \"99999999999999999999\" } ]", "MSRValue" },
	{ "[ { \"EventName\": \"X\", \"EventCode\": \"1\", \"BriefDescription\": 1 } ]",
	  "BriefDescription is no string" },
};

static void broken_files(void **state)
{
	struct expected x = { "Y", -EINVAL };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		write_file("x.json", broken[i].text);
		x.error = broken[i].error;
		check(path_of("x.json"), &x);
		check(dir, &x);
	}
}

/* Cut off anywhere: an error with the file's name, never a crash. */
static void every_prefix(void **state)
{
	const struct expected x = { "Y", -EINVAL, .error = "x.json" };
	size_t len;

	(void)state;
	for (len = 0; len < strlen(fixture) - 2; len += 3) {
		write_bytes("x.json", fixture, len);
		check(path_of("x.json"), &x);
	}
}

static void files_that_cannot_be_read(void **state)
{
	static char deep[20000];

	(void)state;
	check("/nonexistent/events", &(struct expected){ "Y", -EINVAL, .error = "No such file" });
	check(dir, &(struct expected){ "Y", -EINVAL, .error = "no event files" });
	check("/dev/null", &(struct expected){ "Y", -EINVAL, .error = "it is no file" });
	memset(deep, '[', sizeof(deep));
	write_bytes("x.json", deep, sizeof(deep));
	check(dir, &(struct expected){ "Y", -EINVAL, .error = "x.json:1:" });
	assert_int_equal(truncate(path_of("x.json"), 65ll << 20), 0);
	check(dir, &(struct expected){ "Y", -EINVAL, .error = "65 MB" });
	memset(deep, 'a', 5000);
	deep[5000] = '\0';
	check(deep, &(struct expected){ "Y", -EINVAL, .error = "too long" });
	/* And what needs no file goes on working. */
	check(dir, &(struct expected){ "r01c2", 0, 0x1c2, 0xf, true, true, PMUCTL_SOURCE_RAW });
}

static void an_error_ends_a_listing(void **state)
{
	unsigned int count = 0;
	struct pmuctl *ctx;

	(void)state;
	write_file("x.json", "junk");
	ctx = open_with(dir);
	assert_int_equal(pmuctl_list_events(ctx, NULL, count_intel, &count), -EINVAL);
	assert_non_null(strstr(pmuctl_error(ctx), "x.json:1:"));
	pmuctl_close(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(fields_of_events, setup, teardown),
		cmocka_unit_test_setup_teardown(events_are_listed, setup, teardown),
		cmocka_unit_test_setup_teardown(from_the_environment, setup, teardown),
		cmocka_unit_test_setup_teardown(file_of_the_map, setup, teardown),
		cmocka_unit_test_setup_teardown(file_of_the_kind, setup, teardown),
		cmocka_unit_test_setup_teardown(file_beside_the_map, setup, teardown),
		cmocka_unit_test_setup_teardown(several_files_and_metrics, setup, teardown),
		cmocka_unit_test_setup_teardown(broken_files, setup, teardown),
		cmocka_unit_test_setup_teardown(every_prefix, setup, teardown),
		cmocka_unit_test_setup_teardown(files_that_cannot_be_read, setup, teardown),
		cmocka_unit_test_setup_teardown(an_error_ends_a_listing, setup, teardown),
	};

	unsetenv("PMUCTL_EVENTS_DIR");
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
