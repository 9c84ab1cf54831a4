// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer over the reader of jit-PID.dump: any bytes lie where a process has mapped such a file,
 * and names, lines and instructions are asked for where its samples are.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../lib/pmuctl.h"

#define SAMPLES 16
#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static char folder[] = "/tmp/fuzz-jitdump-XXXXXX", dump[64], recording[64];

struct sample {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
};

struct mapping {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, size, offset, device, inode, generation;
	uint32_t prot, flags;
	char name[64];
	uint32_t id_pid, id_tid;
	uint64_t time;
};

/* As the seed of tests/fuzz/seeds.c has it: code at 0x1000, by the time 100. */
static void write_recording(void)
{
	struct {
		uint64_t magic, size, attr_size, attrs, attrs_size, data, data_size, types[2];
		uint64_t features[4];
	} header = { .magic = 0x32454c4946524550, .size = 104, .attr_size = 144, .attrs = 104,
		     .attrs_size = 144, .data = 248 };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = 128, .sample_period = 1, .sample_type = TYPE,
		.sample_id_all = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC,
	};
	struct mapping mapping = {
		.header = { PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, sizeof(mapping) },
		.pid = 7, .tid = 7, .start = 0x100000, .size = 4096, .prot = 5, .id_pid = 7,
		.id_tid = 7, .time = 1,
	};
	struct sample s = {
		.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(s) },
		.pid = 7, .tid = 7,
	};
	unsigned char padding[160] = { 0 };
	FILE *f = fopen(recording, "w");
	int i;

	if (!f)
		abort();
	snprintf(mapping.name, sizeof(mapping.name), "%s", dump);
	header.data_size = sizeof(mapping) + SAMPLES * sizeof(s);
	fwrite(&header, sizeof(header), 1, f);
	memcpy(padding, &attr, sizeof(attr) < 128 ? sizeof(attr) : 128);
	fwrite(padding, 144, 1, f);
	fwrite(&mapping, sizeof(mapping), 1, f);
	for (i = 0; i < SAMPLES; i++) {
		s.ip = 0x1000 + 3 * i;
		s.time = 50 * i;
		fwrite(&s, sizeof(s), 1, f);
	}
	if (fclose(f))
		abort();
}

static int look(void *data, const struct pmuctl_data_sample *sample)
{
	struct pmuctl_place place;
	struct pmuctl_symbol symbol;
	unsigned char text[32];
	unsigned int line;
	const char *file;

	pmuctl_data_place(data, sample->pid, sample->time, sample->ip, sample->kernel, &place);
	pmuctl_data_symbol(data, &place, &symbol);
	pmuctl_data_line(data, &place, &file, &line);
	if ((symbol.name && strlen(symbol.name) > 1 << 20) || (file && strlen(file) > 1 << 20) ||
	    pmuctl_data_text(data, &place, text, sizeof(text)) > sizeof(text))
		abort();
	return 0;
}

static void clean(void)
{
	unlink(dump);
	unlink(recording);
	rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct pmuctl *ctx;
	static int fd = -1;
	struct pmuctl_data *data;

	if (fd < 0) {
		if (!mkdtemp(folder) || pmuctl_open(NULL, &ctx))
			abort();
		snprintf(dump, sizeof(dump), "%s/jit-7.dump", folder);
		snprintf(recording, sizeof(recording), "%s/data", folder);
		fd = open(dump, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		write_recording();
		atexit(clean);
	}
	if (ftruncate(fd, 0) || pwrite(fd, bytes, size, 0) != (ssize_t)size ||
	    pmuctl_data_open(ctx, recording, &data) || pmuctl_data_samples(data, look, data))
		abort();
	pmuctl_data_close(data);
	return 0;
}
