// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer over the reader of perf.data: any bytes are opened, and all that can be
 * asked of a file is asked.
 *
 * Symbols and lines are elfutils' part, and of files that a fuzzer would have to
 * name: they are left out.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../lib/pmuctl.h"

struct walk {
	struct pmuctl_data *data;
	uint64_t count;
	uint64_t sum;	/* of what was read, so that it is read */
};

static void look_up(struct walk *w, const struct pmuctl_data_sample *sample, uint64_t ip)
{
	struct pmuctl_place place;

	pmuctl_data_place(w->data, sample->pid, sample->time, ip, sample->kernel, &place);
	w->sum += place.address + strlen(pmuctl_data_dso(w->data, place.dso));
}

static int take_sample(void *data, const struct pmuctl_data_sample *sample)
{
	struct walk *w = data;
	struct pmuctl_mapping mapping;
	size_t i;

	if (sample->event >= pmuctl_data_get_info(w->data)->events_count)
		abort();
	w->count++;
	look_up(w, sample, sample->ip);
	w->sum += strlen(pmuctl_data_comm(w->data, sample->tid, sample->time));
	pmuctl_data_mapped(w->data, sample->pid, sample->time, sample->addr, &mapping);
	w->sum += mapping.start + pmuctl_data_core(w->data, sample->cpu) +
		  pmuctl_data_image(w->data, sample->pid, sample->time);
	for (i = 0; i < sample->chain_count; i++)
		look_up(w, sample, sample->chain[i]);
	for (i = 0; i < sample->branches_count; i++)
		w->sum += sample->branches[i].from + sample->branches[i].flags;
	for (i = 0; i < (size_t)__builtin_popcountll(sample->regs_mask); i++)
		w->sum += sample->regs[i];
	return 0;
}

static void check_info(struct walk *w)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(w->data);
	bool several = false;
	uint64_t samples = 0;
	size_t i;

	w->sum += strlen(info->hostname) + strlen(info->release) + strlen(info->arch) +
		  strlen(info->cpuid) + strlen(info->command);
	for (i = 0; i < info->events_count; i++) {
		w->sum += strlen(info->events[i].name);
		samples += info->events[i].samples;
		several |= !!(info->events[i].sample_type & PERF_SAMPLE_READ);
	}
	/* What was counted when it was opened is what is given. */
	if (w->count != samples || (samples != info->samples && !several))
		abort();
}

static void read_file(struct pmuctl *ctx, const char *path)
{
	struct walk w = { 0 };

	if (pmuctl_data_open(ctx, path, &w.data)) {
		if (!*pmuctl_error(ctx))
			abort();
		return;
	}
	/* Copies of stacks as well: of files that are nowhere no rule is known. */
	if (!pmuctl_data_chains(w.data, take_sample, &w))
		check_info(&w);
	pmuctl_data_close(w.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct pmuctl *ctx;
	static int fd = -1;
	static char path[64];

	if (fd < 0) {
		fd = memfd_create("perf.data", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (fd < 0 || pmuctl_open(NULL, &ctx))
			abort();
	}
	if (ftruncate(fd, 0) || pwrite(fd, bytes, size, 0) != (ssize_t)size)
		abort();
	read_file(ctx, path);
	return 0;
}
