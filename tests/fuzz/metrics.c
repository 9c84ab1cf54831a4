// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer over the reader of Intel's files: the first byte says whether it is to be one
 * of events or of metrics, the others are the file.
 *
 * A broken one is refused with its name and a reason; what is taken is whole.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/event/intel.h"

static struct pmuctl ctx;

static void check(bool good)
{
	if (!good)
		abort();
}

static void check_metric(const struct metric_def *def)
{
	const struct metric_alias *alias;
	struct formula_error error;
	struct formula *formula;

	check(def->name && *def->name && def->text && def->unit && def->groups && def->formula);
	for (alias = def->aliases; alias->alias; alias++)
		check(alias->meaning);
	check(!formula_parse(def->formula, &formula, &error));
	formula_free(formula);
}

static void check_all(const struct intel *intel)
{
	size_t i;

	for (i = 0; i < intel->count; i++)
		if (intel->kind == INTEL_METRICS)
			check_metric(&intel->metrics[i]);
		else
			check(intel->events[i].name && *intel->events[i].name);
}

static void read_file(enum intel_kind kind, const char *path)
{
	struct intel intel = { .kind = kind };
	int err;

	*ctx.error = '\0';
	err = intel_read_file(&ctx, &intel, path);
	if (err)
		check(err == -EINVAL && !strncmp(ctx.error, path, strlen(path)));
	else
		check_all(&intel);
	intel_unload(&intel);
}

/* One file for all, and jansson is kept: opening them again would take most of the time. */
static int open_file(char *path, size_t size)
{
	static int file = -1;

	if (file < 0) {
		file = memfd_create("intel", MFD_CLOEXEC);
		check(file >= 0 && dlopen("libjansson.so.4", RTLD_NOW));
	}
	snprintf(path, size, "/proc/self/fd/%d", file);
	return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char path[64];
	int file = open_file(path, sizeof(path));

	if (!size)
		return 0;
	check(!ftruncate(file, 0));
	check(pwrite(file, bytes + 1, size - 1, 0) == (ssize_t)size - 1);
	read_file(*bytes & 1 ? INTEL_METRICS : INTEL_EVENTS, path);
	return 0;
}
