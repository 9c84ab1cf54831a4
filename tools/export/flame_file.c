// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flame graph of an event of a perf.data file, in a file.
 */
#include <errno.h>
#include <string.h>

#include "tools/base/output.h"
#include "tools/export/flame.h"
#include "tools/samples/cuts.h"

static int write_file(const char *cmd, const struct stacks *s, uint32_t event, const char *title,
		      const char *path)
{
	FILE *out = open_output(cmd, path, title);
	int err;

	if (!out)
		return EXIT_FAILED;
	err = flame_svg(s, event, title, FLAME_FILE, out);
	return close_output(cmd, path, out, err);
}

int flame_write(const char *cmd, struct pmuctl *ctx, struct pmuctl_data *data,
		const struct flame_args *args, const char *title, const char *path)
{
	struct stacks s = { .data = data, .only = args->event, .inlines.on = args->inlined };
	size_t count = 1;
	int err, code;

	if (s.only == INDEX_NONE)
		s.only = first_sampled(data, &count);
	if (s.only == INDEX_NONE)
		return complain(cmd, EXIT_FAILED, "%s has no samples", title);
	if (count > 1)
		complain(cmd, 0, "of %zu events the graph is of %s", count,
			 pmuctl_data_get_info(data)->events[s.only].name);
	code = filter_open(&s.filter, cmd, args->filter, title, data);
	err = code ? 0 : stacks_read(&s);
	if (err)
		code = complain(cmd, EXIT_FAILED, "%s: %s", title,
				err == -ENOMEM ? "out of memory" : pmuctl_error(ctx));
	if (!code)
		code = stacks_check(&s, cmd, title);
	if (!code)
		code = write_file(cmd, &s, s.only, title, path);
	inlines_complain(cmd, &s.inlines);
	cuts_complain(cmd, title, data);
	missing_complain(cmd, &s.missing, data);
	stacks_free(&s);
	return code;
}
