// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows of pmuctl report that are made of the branches in samples: each counts once, as in perf.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "tools/report/run.h"

/* Addresses of the kernel are in the upper half, in whatever mode the sample was taken. */
static uint32_t find_end(struct profile *p, const struct pmuctl_data_sample *sample, uint64_t ip)
{
	struct report_spot key = { .kernel = ip >> 63 };

	pmuctl_data_place(p->data, sample->pid, sample->time, ip, key.kernel, &key.place);
	return report_find_spot(p, &key);
}

static const char *prediction(const struct pmuctl_branch_entry *branch)
{
	struct perf_branch_entry e;

	memcpy(&e, branch, sizeof(e));
	return e.predicted ? "N" : e.mispred ? "Y" : "N/A";
}

static int add_branch(struct profile *p, const struct pmuctl_data_sample *sample,
		      const struct pmuctl_branch_entry *branch, struct report_row *key)
{
	struct report_row *row;
	uint32_t id;

	p->totals[sample->event].samples++;
	p->totals[sample->event].events++;
	key->spot = find_end(p, sample, branch->from);
	key->to = find_end(p, sample, branch->to);
	if (key->spot == INDEX_NONE || key->to == INDEX_NONE)
		return -ENOMEM;
	if (!p->spots[key->spot].wanted)
		return 0;
	if (report_by(p->args, KEY_MISPREDICT))
		key->mispredict = prediction(branch);
	id = report_find_row(p, key);
	if (id == INDEX_NONE)
		return -ENOMEM;
	row = &p->rows[id];
	row->self.samples++;
	row->self.events++;
	return 0;
}

int report_add_branches(struct profile *p, const struct pmuctl_data_sample *sample)
{
	struct report_row key;
	size_t i;
	int err = 0;

	report_set_key(p, sample, &key);
	for (i = 0; i < sample->branches_count && !err; i++)
		err = add_branch(p, sample, &sample->branches[i], &key);
	return err;
}
