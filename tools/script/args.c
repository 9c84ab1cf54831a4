// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl script.
 */
#include <getopt.h>
#include <string.h>

#include "tools/base/options.h"
#include "tools/script/script.h"

static const struct option options[] = {
	{ "input", required_argument, NULL, 'i' },
	{ "output", required_argument, NULL, 'o' },
	{ "fields", required_argument, NULL, 'F' },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "json", no_argument, NULL, 'j' },
	{ NULL, 0, NULL, 0 },
};

static const char *const names[FIELDS] = {
	[FIELD_COMM] = "comm",
	[FIELD_PID] = "pid",
	[FIELD_TID] = "tid",
	[FIELD_CPU] = "cpu",
	[FIELD_TIME] = "time",
	[FIELD_PERIOD] = "period",
	[FIELD_EVENT] = "event",
	[FIELD_ADDR] = "addr",
	[FIELD_WEIGHT] = "weight",
	[FIELD_DATA_SRC] = "data_src",
	[FIELD_IP] = "ip",
	[FIELD_SYM] = "sym",
	[FIELD_SYMOFF] = "symoff",
	[FIELD_DSO] = "dso",
	[FIELD_SRCLINE] = "srcline",
	[FIELD_IREGS] = "iregs",
	[FIELD_BRSTACK] = "brstack",
	[FIELD_CALLCHAIN] = "callchain",
};

/* perf's, as far as a line has room. */
static const enum script_field defaults[] = {
	FIELD_COMM, FIELD_TID, FIELD_CPU, FIELD_TIME, FIELD_PERIOD, FIELD_EVENT, FIELD_IP,
	FIELD_SYM, FIELD_SYMOFF, FIELD_DSO,
};

const char *script_field_name(enum script_field field)
{
	return names[field];
}

static void set_defaults(struct script_args *args)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(defaults); i++)
		args->fields[defaults[i]] = WISH_DEFAULT;
}

static int complain_field(const char *name, size_t len)
{
	char all[256] = "";
	size_t i, used = 0;

	for (i = 0; i < FIELDS; i++)
		used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "",
					 names[i]);
	return complain("script", EXIT_USAGE, "-F: '%.*s' is none of %s", (int)len, name, all);
}

static int set_field(struct script_args *args, const char *name, size_t len, bool on)
{
	size_t i;

	for (i = 0; i < FIELDS; i++) {
		if (strlen(names[i]) != len || strncmp(names[i], name, len) != 0)
			continue;
		args->fields[i] = on ? WISH_ASKED : WISH_NONE;
		return 0;
	}
	return complain_field(name, len);
}

/* "ip,sym" are these alone; "+addr,-dso" change what was there before, by itself the default. */
static int set_fields(struct script_args *args, const char *text)
{
	bool change = *text == '+' || *text == '-';
	int code = 0;

	if (!change)
		memset(args->fields, 0, sizeof(args->fields));
	while (!code) {
		bool on = *text != '-', sign = *text == '+' || *text == '-';
		size_t len = strcspn(text + sign, ",");

		if (sign && !change)
			return complain("script", EXIT_USAGE,
					"-F: '%s': the first field has no sign, so none may", text);
		code = set_field(args, text + sign, len, on);
		text += sign + len;
		if (!*text++)
			break;
	}
	return code;
}

static int check_fields(const struct script_args *args)
{
	size_t i;

	if (args->fields[FIELD_SYMOFF] == WISH_ASKED && args->fields[FIELD_SYM] == WISH_NONE)
		return complain("script", EXIT_USAGE, "-F symoff is an offset in sym: it goes with "
				"that");
	for (i = 0; i < FIELDS; i++)
		if (args->fields[i] != WISH_NONE)
			return 0;
	return complain("script", EXIT_USAGE, "-F: no field is left");
}

static int take_option(struct script_args *args, int opt)
{
	switch (opt) {
	case 'i':
		return option_text("script", "-i", "the file name", optarg, &args->input);
	case 'o':
		return option_text("script", "-o", "the file name", optarg, &args->output);
	case 'F':
		return set_fields(args, optarg);
	case 'x':
		return option_format("script", FORMAT_CSV, optarg, &args->format,
				     &args->separator);
	case 'j':
		return option_format("script", FORMAT_JSON, ",", &args->format,
				     &args->separator);
	default:
		return usage("script");
	}
}

int script_args_parse(struct script_args *args, int argc, char **argv)
{
	int opt, code = 0;

	*args = (struct script_args){ .input = "perf.data", .separator = "," };
	set_defaults(args);
	while (!code && (opt = option_next("script", argc, argv, "i:o:F:x:j", options)) != -1)
		code = take_option(args, opt);
	if (!code)
		code = option_rest("script", argc, argv, 0, "a file by -i alone");
	return code ? code : check_fields(args);
}
