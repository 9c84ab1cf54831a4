// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files of code by numbers that hold for several perf.data files.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/samples/code_files.h"

size_t code_file_number(struct code_files *files, const char *name)
{
	const char **grown;
	size_t i;

	for (i = 0; i < files->count; i++)
		if (!strcmp(files->names[i], name))
			return i;
	grown = reallocarray(files->names, files->count + 1, sizeof(*grown));
	if (!grown)
		return SIZE_MAX;
	files->names = grown;
	files->names[files->count] = name;
	return files->count++;
}

void code_files_free(struct code_files *files)
{
	free(files->names);
}
