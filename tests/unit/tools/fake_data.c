// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The library's reader of perf.data, played by the test.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/tools/fake_data.h"

const struct pmuctl_data_info *pmuctl_data_get_info(const struct pmuctl_data *data)
{
	return &data->info;
}

int pmuctl_data_samples(struct pmuctl_data *data, pmuctl_data_sample_fn *fn, void *fn_data)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < data->samples_count; i++)
		err = fn(fn_data, &data->samples[i]);
	return err;
}

int pmuctl_data_chains(struct pmuctl_data *data, pmuctl_data_sample_fn *fn, void *fn_data)
{
	return pmuctl_data_samples(data, fn, fn_data);
}

static const struct fake_function *function_at(const struct pmuctl_data *data, uint64_t ip)
{
	size_t low = 0, high = data->functions_count, middle;

	while (high - low > 1) {
		middle = (low + high) / 2;
		if (data->functions[middle].start > ip)
			high = middle;
		else
			low = middle;
	}
	return &data->functions[low];
}

void pmuctl_data_place(const struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t ip,
		       bool kernel, struct pmuctl_place *place)
{
	(void)pid;
	(void)time;
	(void)kernel;
	place->dso = function_at(data, ip)->dso;
	place->address = ip;
}

void pmuctl_data_entry(const struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t ip,
		       struct pmuctl_place *place)
{
	pmuctl_data_place(data, pid, time, ip, false, place);
}

const char *pmuctl_data_dso(const struct pmuctl_data *data, uint32_t dso)
{
	return data->dsos[dso];
}

int pmuctl_data_build_id(const struct pmuctl_data *data, uint32_t dso, char *text, size_t size)
{
	if (!data->build_ids || !data->build_ids[dso])
		return -ENOENT;
	snprintf(text, size, "%s", data->build_ids[dso]);
	return 0;
}

const char *pmuctl_data_comm(const struct pmuctl_data *data, uint32_t tid, uint64_t time)
{
	(void)time;
	return data->comms[tid];
}

void pmuctl_data_symbol(struct pmuctl_data *data, const struct pmuctl_place *place,
			struct pmuctl_symbol *symbol)
{
	const struct fake_function *f = function_at(data, place->address);

	data->symbols_asked++;
	*symbol = (struct pmuctl_symbol){ .name = f->name };
	if (data->starts) {
		symbol->start = f->start;
		symbol->size = 0x100;
	}
}

int pmuctl_data_named(struct pmuctl_data *data, uint32_t dso, const char *name,
		      struct pmuctl_symbol *symbol)
{
	size_t i;

	for (i = 0; i < data->functions_count; i++) {
		const struct fake_function *f = &data->functions[i];

		if (!f->name || f->dso != dso || strcmp(f->name, name) != 0)
			continue;
		*symbol = (struct pmuctl_symbol){ f->name, f->start, 0x100 };
		return 0;
	}
	return -ENOENT;
}

void pmuctl_data_sample_place(const struct pmuctl_data *data,
			      const struct pmuctl_data_sample *sample, struct pmuctl_place *place)
{
	pmuctl_data_place(data, sample->pid, sample->time, sample->ip, sample->kernel, place);
}

void pmuctl_data_line(struct pmuctl_data *data, const struct pmuctl_place *place,
		      const char **file, unsigned int *line)
{
	*file = data->source;
	*line = place->address & 0xff;
}

int pmuctl_data_inlined(struct pmuctl_data *data, const struct pmuctl_place *place,
			const struct pmuctl_inlined **inlined)
{
	*inlined = data->inlined;
	return place->address == data->inlined_at ? data->inlined_count : 0;
}

const char *pmuctl_data_missing(struct pmuctl_data *data, uint32_t dso)
{
	(void)data;
	(void)dso;
	return NULL;
}

int complain(const char *cmd, int code, const char *fmt, ...)
{
	(void)cmd;
	(void)fmt;
	return code;
}

/* Of code there is nothing, so that no caller is found by it. */
size_t pmuctl_data_text(struct pmuctl_data *data, const struct pmuctl_place *place, void *text,
			size_t size)
{
	(void)data;
	(void)place;
	(void)text;
	(void)size;
	return 0;
}

unsigned int pmuctl_data_bits(struct pmuctl_data *data, uint32_t dso, const char **machine)
{
	(void)data;
	(void)dso;
	if (machine)
		*machine = "";
	return 64;
}

int pmuctl_insn_decode_bits(unsigned int bits, const void *code, size_t size, uint64_t ip,
			    struct pmuctl_insn *insn)
{
	(void)bits;
	return pmuctl_insn_decode(code, size, ip, insn);
}

int pmuctl_insn_decode(const void *code, size_t size, uint64_t ip, struct pmuctl_insn *insn)
{
	(void)code;
	(void)size;
	(void)ip;
	(void)insn;
	return -EBADMSG;
}
