// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl unload: unload the kernel module, or say who uses it.
 */
#include <errno.h>

#include "tools/base/base.h"
#include "tools/base/options.h"

static int unload(struct pmuctl *ctx)
{
	int err = pmuctl_module_unload(ctx);

	if (!err)
		return EXIT_OK;
	complain("unload", EXIT_CANNOT, "pmuctl: %s", pmuctl_error(ctx));
	if (err == -EBUSY) {
		diagnose(ctx, err, stderr);
		fprintf(stderr, "end these processes, then try again\n");
	}
	return EXIT_CANNOT;
}

static int cmd_unload(int argc, char **argv)
{
	struct pmuctl *ctx;
	int code = options_parse(&command_unload, argc, argv, NULL);

	if (!code)
		code = option_rest("unload", argc, argv, 0, "no argument");
	if (!code)
		code = open_context("unload", NULL, &ctx);
	if (code)
		return code;
	code = unload(ctx);
	pmuctl_close(ctx);
	return code;
}

const struct command command_unload = {
	.name = "unload",
	.run = cmd_unload,
	.text = "unload the kernel module",
};
