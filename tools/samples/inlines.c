// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was inlined at the places of samples and of their callers.
 */
#include "tools/base/base.h"
#include "tools/samples/inlines.h"

size_t inlines_at(struct inlines *inlines, struct pmuctl_data *data,
		  const struct pmuctl_place *place, const struct pmuctl_inlined **inlined)
{
	int count;

	*inlined = NULL;
	if (!inlines->on || !place->dso)
		return 0;
	count = pmuctl_data_inlined(data, place, inlined);
	inlines->asked++;
	inlines->told += count >= 0;
	return count > 0 ? (size_t)count : 0;
}

void inlines_line(struct pmuctl_data *data, const struct pmuctl_place *place,
		  const struct pmuctl_inlined *inlined, size_t frame, const char **file,
		  unsigned int *line)
{
	if (!frame) {
		pmuctl_data_line(data, place, file, line);
		return;
	}
	*file = inlined[frame - 1].file;
	*line = inlined[frame - 1].line;
}

/* Nothing inlined would be as good an answer, and a wrong one. */
void inlines_complain(const char *cmd, const struct inlines *inlines)
{
	if (inlines->on && inlines->asked && !inlines->told)
		complain(cmd, 0, "--inline: nothing that was sampled has debugging information here, "
			 "which says what was inlined: install debug packages, set DEBUGINFOD_URLS, "
			 "or build with -g");
}
