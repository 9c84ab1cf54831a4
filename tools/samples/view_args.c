// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the subcommands that show a perf.data file have in common: options, and
 * opening it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/base/options.h"
#include "tools/samples/stacks.h"
#include "tools/samples/view_args.h"

int take_input(const struct option_use *use)
{
	struct view_args *args = use->args;

	args->has_input = true;
	return take_text(use);
}

int view_args_parse(const char *cmd, const char *takes, struct view_args *args,
		    int argc, char **argv)
{
	int code;

	args->input = "perf.data";
	args->layout = (struct layout)LAYOUT_TEXT;
	code = options_parse(cmd, argc, argv, args);
	/* A symbol by its letter is the one operand. */
	if (!code)
		code = option_rest(cmd, argc, argv, !args->operand, takes);
	if (!code && !args->operand)
		args->operand = argv[optind];
	return code;
}

uint32_t event_named(const struct pmuctl_data_info *info, const char *name)
{
	uint32_t i;

	for (i = 0; i < info->events_count; i++)
		if (!strcmp(info->events[i].name, name) && !only_tracks(&info->events[i]))
			return i;
	return INDEX_NONE;
}

int no_such_event(const char *cmd, const char *input, const char *event,
		  const struct pmuctl_data_info *info)
{
	size_t i;

	complain(cmd, 0, "%s has no event '%s'; it has:", input, event);
	for (i = 0; i < info->events_count; i++) {
		if (only_tracks(&info->events[i]))
			continue;
		fputs("  ", stderr);
		put_clean(stderr, info->events[i].name);
		fputc('\n', stderr);
	}
	return EXIT_USAGE;
}

void complain_lost(const char *cmd, const char *input, const struct pmuctl_data_info *info)
{
	if (info->cut)
		complain(cmd, 0, "%s was cut or not closed: these are its whole records", input);
	if (info->lost)
		complain(cmd, 0, "%llu samples were lost when %s was recorded",
			 (unsigned long long)info->lost, input);
}

void complain_left_out(const char *cmd, const char *input, const struct pmuctl_data_info *info)
{
	if (info->undescribed)
		complain(cmd, 0, "%llu samples are left out: %s does not describe their events",
			 (unsigned long long)info->undescribed, input);
	if (info->trace_bytes)
		complain(cmd, 0, "%s has %llu bytes of processor traces, which are not decoded", input,
			 (unsigned long long)info->trace_bytes);
}

static int check_event(const char *cmd, const struct view_args *args,
		       const struct pmuctl_data_info *info)
{
	if (!args->event || event_named(info, args->event) != INDEX_NONE)
		return 0;
	return no_such_event(cmd, args->input, args->event, info);
}

int view_check_decoder(const char *cmd)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };

	if (pmuctl_insn_decode("\x90", 1, 0, &insn) != -ENOSYS)
		return 0;
	return complain(cmd, EXIT_FAILED, "instructions are decoded by Zydis, which cannot be "
					  "loaded; install it (Debian: libzydis4.0)");
}

int view_open(const char *cmd, const struct view_args *args, struct pmuctl **ctx,
	      struct pmuctl_data **data)
{
	int code = view_check_decoder(cmd);

	*data = NULL;
	if (!code)
		code = open_context(cmd, NULL, ctx);
	if (code)
		return code;
	code = open_data(cmd, *ctx, args->input, &args->where, data);
	if (!code)
		code = check_event(cmd, args, pmuctl_data_get_info(*data));
	if (code) {
		view_close(*ctx, *data);
		return code;
	}
	complain_lost(cmd, args->input, pmuctl_data_get_info(*data));
	complain_left_out(cmd, args->input, pmuctl_data_get_info(*data));
	return 0;
}

void view_close(struct pmuctl *ctx, struct pmuctl_data *data)
{
	if (data)
		pmuctl_data_close(data);
	pmuctl_close(ctx);
}

int names_file(const char *path, const char *name)
{
	size_t have = strlen(path), want = strlen(name);

	if (want > have || strcmp(path + have - want, name) != 0)
		return 0;
	return want == have || path[have - want - 1] == '/';
}
