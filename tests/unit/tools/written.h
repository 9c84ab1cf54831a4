/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a writer writes, in memory: the text of the last one.
 */
#ifndef TOOLS_WRITTEN_H
#define TOOLS_WRITTEN_H

#include <stdio.h>
#include <stdlib.h>

static char *written;
static size_t written_size;

static FILE *memory(void)
{
	free(written);
	written = NULL;
	return open_memstream(&written, &written_size);
}

static int forget_written(void **state)
{
	(void)state;
	free(written);
	written = NULL;
	return 0;
}

#endif
