// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Samples that say what counters had, PERF_SAMPLE_READ: where the first event of a group
 * samples for all of it, each has got what it counted since the sample before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/perfdata/perfdata.h"

static bool has_values(const struct pmuctl_data *data)
{
	size_t i;

	for (i = 0; i < data->events_count; i++)
		if (data->events[i].attr.sample_type & PERF_SAMPLE_READ)
			return true;
	return false;
}

int data_values_begin(struct pmuctl_data *data)
{
	size_t slots = data->ids.slots;

	if (!has_values(data) || !slots)
		return 0;
	if (!data->values)
		data->values = calloc(slots, sizeof(*data->values));
	if (!data->values)
		return data_no_memory(data);
	memset(data->values, 0, slots * sizeof(*data->values));
	return 0;
}

/* False: of no event of the file, or nothing new; perf tells nothing of these, either. */
static bool take_value(struct pmuctl_data *data, const uint64_t *value, unsigned int id,
		       struct pmuctl_data_sample *sample)
{
	int64_t place = id && data->values ? data_ids_place(&data->ids, value[id]) : -1;

	if (place < 0)
		return false;
	sample->event = data->ids.events[place] - 1;
	sample->period = *value - data->values[place];
	data->values[place] = *value;
	return sample->period;
}

int data_give_sample(struct pmuctl_data *data, struct pmuctl_data_sample *sample,
		     const struct data_values *values, pmuctl_data_sample_fn *fn, void *fn_data)
{
	size_t i;
	int ret = 0;

	if (!values->count)
		return fn(fn_data, sample);
	for (i = 0; i < values->count && !ret; i++)
		if (take_value(data, values->at + i * values->words, values->id, sample))
			ret = fn(fn_data, sample);
	return ret;
}
