// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl script.
 */
#include <string.h>

#include "tools/base/options.h"
#include "tools/script/script.h"

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
	[FIELD_RETIRE_LAT] = "retire_lat",
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
static int take_fields(const struct option_use *use)
{
	struct script_args *args = use->args;
	const char *text = use->text;
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

const struct option_row script_options[] = {
	OPTION_INPUT(struct script_args),
	{ 'F', "fields", "FIELD[,...]", take_fields,
	  .words = "comm pid tid cpu time period event addr weight retire_lat data_src ip sym symoff dso srcline iregs brstack callchain",
	  .help = "these, or with + and - before each more and fewer than by default" },
	OPTION_INLINE(struct script_args),
	OPTIONS_FILTER(struct script_args),
	OPTIONS_FILTER_PLACE(struct script_args),
	OPTION_CSV(struct script_args),
	OPTION_JSON(struct script_args),
	OPTION_OUTPUT(struct script_args),
	OPTION_NO_PAGER(struct script_args),
	OPTIONS_WHERE(struct script_args),
	OPTION_END
};

int script_args_parse(struct script_args *args, int argc, char **argv)
{
	int code;

	*args = (struct script_args){ .input = "perf.data", .layout = LAYOUT_TEXT };
	set_defaults(args);
	code = options_parse("script", argc, argv, args);
	if (!code)
		code = option_rest("script", argc, argv, 0, "a file by -i alone");
	return code ? code : check_fields(args);
}
