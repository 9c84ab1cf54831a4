// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl record; perf's letters with perf's meaning.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/base/output.h"
#include "tools/record/record.h"
#include "tools/run/features.h"

/* Of --rotate: more files than that a second are no use, and a day is long. */
#define ROTATE_MIN 100u
#define ROTATE_MAX 86400000u

/* As perf has it, when neither -c nor -F is given. */
#define FREQUENCY 4000
/* A day. */
#define OFF_CPU_MIN_MAX 86400000000ull
/* Of a copy of the stack; the module knows what else a sample holds, and may want less. */
#define STACK_DEFAULT 8192
#define STACK_MIN 1024
#define STACK_MAX 65528

#define TO(field) offsetof(struct record_args, field)

struct unit {
	const char *unit;
	uint64_t times;
};

/* Pages, or bytes with a unit. */
int record_take_buffer(const struct option_use *use)
{
	struct record_args *args = use->args;
	const char *text = use->text;
	static const struct {
		const char *unit;
		uint64_t bytes;
	} units[] = { { "", 4096 }, { "B", 1 }, { "K", 1 << 10 }, { "M", 1 << 20 } };
	char *end = NULL;
	unsigned long value = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
	size_t i;

	for (i = 0; end && value && value <= INT_MAX && i < ARRAY_SIZE(units); i++)
		if (!strcasecmp(end, units[i].unit))
			args->ring = value * units[i].bytes;
	if (!args->ring)
		return complain(use->cmd, EXIT_USAGE, "-m '%s': not a number of pages, or of "
				"bytes like 512K", text);
	if (args->ring < PMUCTL_RING_MIN || args->ring > PMUCTL_RING_MAX ||
	    args->ring & (args->ring - 1))
		return complain(use->cmd, EXIT_USAGE, "-m '%s': %llu bytes are no power of two "
				"from 16K to 16M", text, (unsigned long long)args->ring);
	return 0;
}

#define CALL_GRAPH (PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_TOP | PMUCTL_SAMPLE_STACK | \
		    PMUCTL_SAMPLE_CALLS)

/* The last one holds, as perf has it. */
static int set_call_graph(struct record_args *args, uint64_t content, uint32_t stack)
{
	args->content = (args->content & ~(uint64_t)CALL_GRAPH) | PMUCTL_SAMPLE_CHAIN | content;
	args->stack = stack;
	return 0;
}

/* Behind "dwarf": nothing or ",BYTES". */
static int take_stack(struct record_args *args, const char *text)
{
	char *end = NULL;
	unsigned long bytes = STACK_DEFAULT;

	if (*text == ',')
		bytes = isdigit((unsigned char)text[1]) ? strtoul(text + 1, &end, 10) : 0;
	if ((end && *end) || bytes < STACK_MIN || bytes > STACK_MAX || bytes % 8)
		return complain("record", EXIT_USAGE, "--call-graph dwarf%s: the bytes of a stack that "
				"are copied are a multiple of 8 from %d to %d", text, STACK_MIN,
				STACK_MAX);
	return set_call_graph(args, PMUCTL_SAMPLE_STACK, (uint32_t)bytes);
}

static int take_call_graph(const struct option_use *use)
{
	const char *text = use->text;

	if (!text || !strcmp(text, "fp"))
		return set_call_graph(use->args, PMUCTL_SAMPLE_TOP, 0);
	if (!strcmp(text, "lbr"))
		return set_call_graph(use->args, PMUCTL_SAMPLE_CALLS, 0);
	if (!strncmp(text, "dwarf", 5) && (!text[5] || text[5] == ','))
		return take_stack(use->args, text + 5);
	return complain("record", EXIT_USAGE, "--call-graph %s: call chains go by frame pointers, "
			"'fp', by copies of the stack, 'dwarf[,BYTES]', or by the last branch "
			"records, 'lbr'", text);
}

int record_take_frequency(const struct option_use *use)
{
	if (strcmp(use->text, "max") != 0)
		return take_uint(use);
	*(uint32_t *)option_target(use) = FREQUENCY_MAX;
	return 0;
}

/* A number and its unit; 0: it is none of these. */
static uint64_t with_unit(const char *text, const struct unit *units, size_t count)
{
	char *end = NULL;
	unsigned long value = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
	size_t i;

	for (i = 0; end && value && value <= INT_MAX && i < count; i++)
		if (!strcmp(end, units[i].unit))
			return value * units[i].times;
	return 0;
}

static int take_rotate(const struct option_use *use)
{
	static const struct unit units[] = {
		{ "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 }, { "d", 86400000 },
	};
	uint64_t ms = with_unit(use->text, units, ARRAY_SIZE(units));
	unsigned int *to = option_target(use);

	if (ms < ROTATE_MIN || ms > ROTATE_MAX)
		return complain(use->cmd, EXIT_USAGE, "--%s '%s': another file begins after a time "
				"like 500ms, 60s, 10m or 1h, from 100ms to 1d", use->row->name,
				use->text);
	*to = (unsigned int)ms;
	return 0;
}

static int take_keep_size(const struct option_use *use)
{
	static const struct unit units[] = {
		{ "", 1 }, { "B", 1 }, { "K", 1 << 10 }, { "M", 1 << 20 }, { "G", 1 << 30 },
	};
	uint64_t *to = option_target(use);

	*to = with_unit(use->text, units, ARRAY_SIZE(units));
	return *to ? 0 : complain(use->cmd, EXIT_USAGE, "--keep-size '%s': not a number of bytes "
				  "like 500M or 2G", use->text);
}

#define CONTENT(bits) take_bits, TO(content), 0, bits

const struct option_row record_options[] = {
	{ 'e', "event", "EVENT[,...]", take_events, TO(events),
	  .help = "events, each sampled by itself; without it cycles" },
	{ 'c', "count", "PERIOD", take_u64, TO(period), 1, PERIOD_MAX,
	  .help = "a sample every so many events, exactly" },
	{ 0, "random", "BITS", take_uint, TO(random_bits), 1, 32, .place = PLACE_IN,
	  .help = "vary the period of -c by less than half of 2^BITS" },
	{ 'F', "freq", "FREQUENCY", record_take_frequency, TO(frequency), 1, INT_MAX, .place = PLACE_OR,
	  .help = "about so many samples a second; 4000 by default" },
	OPTIONS_TARGETS(struct record_args),
	OPTION_NO_INHERIT(struct record_args),
	/* perf's two: the letter is without a value, the name has one. */
	{ 'g', NULL, NULL, take_call_graph, TO(content), .help = NULL },
	{ 0, "call-graph", "fp|dwarf[,BYTES]|lbr", take_call_graph, TO(content),
	  .words = "fp dwarf lbr", .shown = "-g, --call-graph fp|dwarf[,BYTES]|lbr", .usage = "-g",
	  .help = "the call chain, by frame pointers (-g), copies of the stack, or last branches" },
	{ 'b', "branch-any", NULL, CONTENT(PMUCTL_SAMPLE_BRANCHES),
	  .help = "the last branches taken" },
	{ 'd', "data", NULL, CONTENT(PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_DATA_SRC),
	  .help = "the address of the data and where it came from" },
	{ 'W', "weight", NULL, CONTENT(PMUCTL_SAMPLE_WEIGHT),
	  .help = "the latency of the load in cycles, and of retirement where PEBS tells it" },
	{ 'I', "intr-regs", NULL, CONTENT(PMUCTL_SAMPLE_REGS), .help = "the general registers" },
	{ 0, "off-cpu", NULL, take_flag, TO(off_cpu),
	  .help = "also where threads wait, and how long: time off the CPU, by call chain" },
	{ 0, "off-cpu-min", "USEC", take_u64, TO(off_cpu_min), 1, OFF_CPU_MIN_MAX, .place = PLACE_IN,
	  .help = "no waits of fewer microseconds" },
	{ 'o', "output", "FILE", take_text, TO(output),
	  .help = "instead of perf.data; - is standard output, as to a pipe" },
	{ 0, "rotate", "TIME", take_rotate, TO(rotate),
	  .help = "another file after each 60s, 10m, 1h: FILE.20261231T235959.999Z-000001" },
	{ 0, "switch-output", "TIME", take_rotate, TO(rotate), .help = NULL },
	{ 0, "pprof", "DIR", take_text, TO(pprof), .what = "directory",
	  .help = "a profile of each interval there instead, for stores that take pprof's format" },
	{ 0, "cpu-label", NULL, take_flag, TO(cpu_label), .place = PLACE_IN,
	  .help = "with --pprof: the CPU as a label, too" },
	{ 0, "keep", "N", take_u64, TO(keep), 1, INT_MAX,
	  .help = "so many files stay, the oldest go" },
	{ 0, "keep-size", "BYTES", take_keep_size, TO(keep_bytes),
	  .help = "files of so many bytes together stay: 500M" },
	{ 'm', "mmap-pages", "PAGES", record_take_buffer,
	  .help = "room for the samples of a CPU: pages, or bytes like 512K" },
	OPTION_DELAY(struct record_args),
	OPTION_TIMEOUT(struct record_args),
	{ 0, "strict", NULL, take_flag, TO(strict), .help = "exit with 125 if a sample was lost" },
	{ 'q', "quiet", NULL, take_flag, TO(quiet), .help = "neither progress nor the last line" },
	{ 'v', "verbose", NULL, take_flag, TO(verbose),
	  .help = "also how each event is sampled, and why so" },
	OPTION_NO_MULTIPLEX(struct record_args),
	{ 0, "force-ovf", NULL, take_flag, TO(force_overflow),
	  .help = "Pentium 4: a sample of every event, for rare ones" },
	OPTION_WITH(struct record_args, with),
	OPTION_WATCHDOG(struct record_args),
	OPTION_EVENTS_DIR(struct record_args),
	OPTION_END
};

static const char default_output[] = "perf.data";

static int check_rotation(const struct record_args *args)
{
	if (!args->rotate && args->pprof)
		return complain("record", EXIT_USAGE, "--pprof makes a profile of each interval of "
				"--rotate, which is not given; of one whole recording `pmuctl export "
				"--pprof` does");
	if (!args->rotate && (args->keep || args->keep_bytes))
		return complain("record", EXIT_USAGE, "--keep and --keep-size are for the files of "
				"--rotate, which is not given");
	if (args->rotate && names_standard_output(args->output))
		return complain("record", EXIT_USAGE, "--rotate and -o -: what goes to a pipe is one "
				"file; name the files by -o FILE");
	if (args->pprof && args->output != default_output)
		return complain("record", EXIT_USAGE, "--pprof and -o: profiles go to the directory, "
				"and no other file is left; leave -o out");
	if (args->cpu_label && !args->pprof)
		return complain("record", EXIT_USAGE, "--cpu-label goes with --pprof; perf.data has "
				"the CPU of each sample");
	return 0;
}

static int check(struct record_args *args)
{
	int code = check_rotation(args);

	if (code)
		return code;
	if (args->period && args->frequency)
		return complain("record", EXIT_USAGE, "-c or -F, one of them");
	if (args->random_bits && !args->period)
		return complain("record", EXIT_USAGE, "--random changes the period of -c, and there "
				"is no -c");
	if (args->timeout && args->timeout <= args->delay)
		return complain("record", EXIT_USAGE, "--timeout is over before the delay of -D is");
	if (args->command && !args->command[0][0])
		return complain("record", EXIT_USAGE, "the command's name is empty");
	if (args->force_overflow && (args->frequency || args->period > 1))
		return complain("record", EXIT_USAGE, "--force-ovf takes a sample of every event: "
				"leave -F out, and -c but for 1");
	if (args->force_overflow)
		args->period = 1;
	if (args->content & PMUCTL_SAMPLE_CALLS && args->content & PMUCTL_SAMPLE_BRANCHES)
		return complain("record", EXIT_USAGE, "--call-graph lbr and -b: the last branch "
				"records are a stack of calls or the branches; --call-graph fp goes "
				"with -b");
	if (args->off_cpu_min && !args->off_cpu)
		return complain("record", EXIT_USAGE, "--off-cpu-min leaves short waits out, and "
				"there is no --off-cpu");
	if (args->off_cpu && args->targets.kind == TARGET_CGROUPS)
		return complain("record", EXIT_USAGE, "--off-cpu of a control group (-G): not yet; it "
				"goes with -a, -C, -p, -t or a command");
	if (names_standard_output(args->output) && isatty(STDOUT_FILENO))
		return complain("record", EXIT_USAGE, "-o -: perf.data is not for a terminal; name a "
				"file, or put | pmuctl report -i - behind");
	if (!args->period && !args->frequency)
		args->frequency = FREQUENCY;
	return targets_check("record", &args->targets, args->command, args->no_inherit);
}

int record_args_parse(struct record_args *args, int argc, char **argv)
{
	int code;

	*args = (struct record_args){ .output = default_output, .argv = argv };
	code = options_parse("record", argc, argv, args);
	if (code)
		return code;
	if (optind < argc)
		args->command = argv + optind;
	return check(args);
}

void record_args_free(struct record_args *args)
{
	targets_free(&args->targets);
	free(args->events.texts);
	free(args->with.texts);
}
