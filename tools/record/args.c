// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl record; perf's letters with perf's meaning.
 */
#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/record/record.h"

/* As perf has it, when neither -c nor -F is given. */
#define FREQUENCY 4000
#define PERIOD_MAX (1ull << 47)

/* Those without a letter. */
enum {
	OPT_TIMEOUT = 256,
	OPT_NO_MULTIPLEX,
	OPT_NMI_WATCHDOG,
	OPT_EVENTS_DIR,
	OPT_STRICT,
	OPT_RANDOM,
	OPT_CALL_GRAPH,
	OPT_FORCE_OVF,
};

static const struct option options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "count", required_argument, NULL, 'c' },
	{ "freq", required_argument, NULL, 'F' },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "no-inherit", no_argument, NULL, 'i' },
	{ "call-graph", required_argument, NULL, OPT_CALL_GRAPH },
	{ "branch-any", no_argument, NULL, 'b' },
	{ "data", no_argument, NULL, 'd' },
	{ "weight", no_argument, NULL, 'W' },
	{ "intr-regs", no_argument, NULL, 'I' },
	{ "output", required_argument, NULL, 'o' },
	{ "delay", required_argument, NULL, 'D' },
	{ "mmap-pages", required_argument, NULL, 'm' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "no-multiplex", no_argument, NULL, OPT_NO_MULTIPLEX },
	{ "nmi-watchdog", required_argument, NULL, OPT_NMI_WATCHDOG },
	{ "events-dir", required_argument, NULL, OPT_EVENTS_DIR },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "random", required_argument, NULL, OPT_RANDOM },
	{ "force-ovf", no_argument, NULL, OPT_FORCE_OVF },
	{ NULL, 0, NULL, 0 },
};

static int add_event_text(struct record_args *args, const char *text)
{
	int code = option_add("record", text, &args->event_texts, &args->nr_event_texts);

	return code ? code : events_check("record", text);
}

/* Pages, or bytes with a unit. */
static int set_ring(struct record_args *args, const char *text)
{
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
		return complain("record", EXIT_USAGE, "-m '%s': not a number of pages, or of "
				"bytes like 512K", text);
	if (args->ring < PMUCTL_RING_MIN || args->ring > PMUCTL_RING_MAX ||
	    args->ring & (args->ring - 1))
		return complain("record", EXIT_USAGE, "-m '%s': %llu bytes are no power of two "
				"from 16K to 16M", text, (unsigned long long)args->ring);
	return 0;
}

static int set_call_graph(struct record_args *args, const char *text)
{
	if (strcmp(text, "fp") != 0)
		return complain("record", EXIT_USAGE, "--call-graph %s: call chains go by frame "
				"pointers, 'fp'", text);
	args->content |= PMUCTL_SAMPLE_CHAIN;
	return 0;
}

/* "-" would be a pipe to perf, whose format is another one. */
static int set_output(struct record_args *args, const char *text)
{
	if (!strcmp(text, "-"))
		return complain("record", EXIT_USAGE, "-o -: perf.data cannot go to a pipe; name "
				"a file");
	return option_text("record", "-o", "the file name", text, &args->output);
}

static int set(bool *flag)
{
	*flag = true;
	return 0;
}

static int want(struct record_args *args, uint64_t content)
{
	args->content |= content;
	return 0;
}

/* What a sample is made of. */
static int take_content(struct record_args *args, int opt)
{
	switch (opt) {
	case 'g':
		return want(args, PMUCTL_SAMPLE_CHAIN);
	case OPT_CALL_GRAPH:
		return set_call_graph(args, optarg);
	case 'b':
		return want(args, PMUCTL_SAMPLE_BRANCHES);
	case 'd':
		return want(args, PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_DATA_SRC);
	case 'W':
		return want(args, PMUCTL_SAMPLE_WEIGHT);
	case 'I':
		return want(args, PMUCTL_SAMPLE_REGS);
	default:
		return usage("record");
	}
}

static int take_target(struct record_args *args, int opt)
{
	switch (opt) {
	case 'a':
		return set(&args->targets.all_cpus);
	case 'C':
		return targets_set_cpus("record", &args->targets, optarg);
	case 'p':
		return targets_set_pids("record", &args->targets, TARGET_PROCESSES, optarg);
	case 't':
		return targets_set_pids("record", &args->targets, TARGET_THREADS, optarg);
	case 'i':
		return set(&args->no_inherit);
	default:
		return take_content(args, opt);
	}
}

static int set_frequency(struct record_args *args, const char *text)
{
	uint64_t frequency = FREQUENCY_MAX;
	int code = strcmp(text, "max") ?
		   option_number("record", "-F", text, 1, INT_MAX, &frequency) : 0;

	args->frequency = (uint32_t)frequency;
	return code;
}

static int take_option(struct record_args *args, int opt)
{
	switch (opt) {
	case 'e':
		return add_event_text(args, optarg);
	case 'c':
		return option_number("record", "-c", optarg, 1, PERIOD_MAX, &args->period);
	case 'F':
		return set_frequency(args, optarg);
	case 'o':
		return set_output(args, optarg);
	case 'D':
		return option_int("record", "-D", optarg, 0, INT_MAX, &args->delay);
	case 'm':
		return set_ring(args, optarg);
	case 'q':
		return set(&args->quiet);
	case OPT_TIMEOUT:
		return option_int("record", "--timeout", optarg, 1, INT_MAX, &args->timeout);
	case OPT_NO_MULTIPLEX:
		return set(&args->no_multiplex);
	case OPT_NMI_WATCHDOG:
		return option_watchdog("record", optarg, &args->watchdog_off);
	case OPT_EVENTS_DIR:
		return option_text("record", "--events-dir", "the file name", optarg,
				   &args->events_dir);
	case OPT_FORCE_OVF:
		return set(&args->force_overflow);
	case OPT_STRICT:
		return set(&args->strict);
	case OPT_RANDOM:
		return option_int("record", "--random", optarg, 1, 32, &args->random_bits);
	default:
		return take_target(args, opt);
	}
}

static int check(struct record_args *args)
{
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
	if (!args->period && !args->frequency)
		args->frequency = FREQUENCY;
	return targets_check("record", &args->targets, args->command);
}

int record_args_parse(struct record_args *args, int argc, char **argv)
{
	int opt, code = 0;

	memset(args, 0, sizeof(*args));
	args->output = "perf.data";
	args->argv = argv;
	while (!code && (opt = option_next("record", argc, argv, "+e:c:F:aC:p:t:igbdWIo:D:m:q",
					   options)) != -1)
		code = take_option(args, opt);
	if (code)
		return code;
	if (optind < argc)
		args->command = argv + optind;
	return check(args);
}

void record_args_free(struct record_args *args)
{
	targets_free(&args->targets);
	free(args->event_texts);
}
