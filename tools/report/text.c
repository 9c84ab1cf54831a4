// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stands in the columns of pmuctl report.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/report/run.h"
#include "tools/samples/text.h"

/* perf's headings; the keys are what -s takes. */
static const struct {
	const char *heading, *key;
} columns[KEYS] = {
	[KEY_COMM] = { "Command", "comm" },
	[KEY_DSO] = { "Shared Object", "dso" },
	[KEY_SYMBOL] = { "Symbol", "symbol" },
	[KEY_PID] = { "Pid", "pid" },
	[KEY_TID] = { "Tid", "tid" },
	[KEY_LINE] = { "Source:Line", "line" },
	[KEY_CPU] = { "CPU", "cpu" },
	[KEY_ADDRESS] = { "Address", "address" },
	[KEY_DSO_FROM] = { "Source Shared Object", "dso_from" },
	[KEY_DSO_TO] = { "Target Shared Object", "dso_to" },
	[KEY_SYMBOL_FROM] = { "Source Symbol", "symbol_from" },
	[KEY_SYMBOL_TO] = { "Target Symbol", "symbol_to" },
	[KEY_MISPREDICT] = { "Branch Mispredicted", "mispredict" },
};

const char *report_heading(enum report_key key)
{
	return columns[key].heading;
}

const char *report_json_key(enum report_key key)
{
	return columns[key].key;
}

uint64_t report_amount(const struct report_weight *weight, bool by_samples)
{
	return by_samples ? weight->samples : weight->events;
}

double report_percent(uint64_t part, double total)
{
	return total > 0 ? 100.0 * (double)part / total : 0;
}

char *report_dso_text(const struct profile *p, uint32_t dso, bool text)
{
	return text ? dso_text(p->data, dso) : clean_copy(pmuctl_data_dso(p->data, dso));
}

static char *inlined_text(const char *name)
{
	char *clean = clean_copy(name), *text = clean ? new_text("%s" INLINED, clean) : NULL;

	free(clean);
	return text;
}

char *report_function_text(const struct profile *p, uint32_t function, bool text)
{
	const struct report_function *f = &p->functions[function];
	const struct pmuctl_place place = { f->dso, f->start };
	char *name, *whole;

	/* As perf has it, to the last digit: who compares the two need not know more. */
	name = f->inlined ? inlined_text(f->name) :
	       f->name ? clean_copy(f->name) :
			 new_text("%#.16" PRIx64, pmuctl_data_offset(p->data, &place));
	if (!name || !text)
		return name;
	whole = new_text("[%c] %s", f->kernel ? 'k' : '.', name);
	free(name);
	return whole;
}

/* perf has addresses where there are no lines, and so sums up nothing unlike. */
static char *line_text(const struct report_spot *spot, bool text)
{
	const char *name = spot->file, *slash = name ? strrchr(name, '/') : NULL;
	char *clean, *whole;

	if (!name)
		return strdup("??:0");
	clean = clean_copy(text && slash ? slash + 1 : name);
	whole = clean ? new_text("%s:%u", clean, spot->line) : NULL;
	free(clean);
	return whole;
}

char *report_text(const struct profile *p, const struct report_row *row, enum report_key key,
		  bool text)
{
	const struct report_spot *spot = &p->spots[row->spot];

	switch (key) {
	case KEY_COMM:
		return clean_copy(row->comm);
	case KEY_DSO:
	case KEY_DSO_FROM:
		return report_dso_text(p, spot->place.dso, text);
	case KEY_DSO_TO:
		return report_dso_text(p, p->spots[row->to].place.dso, text);
	case KEY_SYMBOL:
	case KEY_SYMBOL_FROM:
		return report_function_text(p, spot->function, text);
	case KEY_SYMBOL_TO:
		return report_function_text(p, p->spots[row->to].function, text);
	case KEY_MISPREDICT:
		return strdup(row->mispredict);
	case KEY_LINE:
		return line_text(spot, text);
	case KEY_ADDRESS:
		return new_text("%#" PRIx64, spot->place.address);
	case KEY_PID:
		return new_text("%" PRId32, (int32_t)row->pid);
	case KEY_TID:
		return new_text("%" PRId32, (int32_t)row->tid);
	default:
		return new_text("%" PRId32, (int32_t)row->cpu);
	}
}
