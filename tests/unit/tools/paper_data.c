// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The library's functions that views call, on a file of paper, and what tests print of it.
 */
#include <asm/perf_regs.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "tools/base/base.h"
#include "tests/unit/lib/golden.h"
#include "tests/unit/tools/paper_data.h"

#define FAR_BIAS 0x561200000000u

static const unsigned char code[] = {
	0x48, 0x8b, 0x04, 0x0f,		/* 1000 mov (%rdi,%rcx),%rax */
	0x48, 0x8b, 0x00,		/* 1004 mov (%rax),%rax */
	0x48, 0xa5,			/* 1007 movsq */
	0x48, 0xff, 0xc1,		/* 1009 inc %rcx */
	0x74, 0xf2,			/* 100c je 1000 */
	0xff, 0x10,			/* 100e call *(%rax) */
	0x06,				/* 1010 none */
	0xc3,				/* 1011 ret */
	0x48, 0x8b, 0x04, 0xd6,		/* 1012 mov (%rsi,%rdx,8),%rax */
	0x48, 0x81, 0xc6, 0x10, 0x10, 0, 0, /* 1016 add $0x1010,%rsi */
	0x48, 0x83, 0xea, 0x02,		/* 101d sub $2,%rdx */
	0x75, 0xef,			/* 1021 jne 1012 */
	0x48, 0xff, 0x07,		/* 1023 incq (%rdi) */
};

struct variable {
	const char *name;
	uint64_t start, size;
};

static const struct variable variables[] = {
	{ "walk", CODE, 18 },
	{ "stride", CODE + 18, 17 },
	{ "bump", CODE + 35, 3 },
	{ "matrix", 0x10000, 0x20000 },
	{ "count", 0x30000, 8 },
	{ "total", 0x30008, 8 },
	{ "_end", 0x30010, 4096 },
	{ "counters", 0x32000, 48 },
};

static const char *const dsos[] = { "[unknown]", "/usr/bin/prog", "[heap]", "/tmp/perf-7.map" };

/* As the samples are by now: tests change them behind add_sample(). */
const struct pmuctl_data_info *pmuctl_data_get_info(const struct pmuctl_data *data)
{
	size_t i;

	for (i = 0; i < data->count; i++) {
		struct pmuctl_data_event *event = &events[data->samples[i].event];

		if (!i)
			events[0].events = events[1].events = events[0].inexact =
				events[1].inexact = 0;
		event->events += data->samples[i].period;
		event->inexact += !data->samples[i].exact;
	}
	return &data->info;
}

int pmuctl_data_samples(struct pmuctl_data *data, pmuctl_data_sample_fn *fn, void *fn_data)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < data->count; i++)
		err = fn(fn_data, &data->samples[i]);
	return err;
}

/* A sum each, as there may be several of one place. */
int pmuctl_data_sums(struct pmuctl_data *data, const struct pmuctl_data_sums_options *options,
		     pmuctl_data_sum_fn *fn, void *fn_data)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret >= 0 && i < data->count; i++) {
		const struct pmuctl_data_sample *s = &data->samples[i];
		struct pmuctl_data_sum sum = {
			.event = s->event, .kernel = s->kernel, .samples = 1, .events = s->period,
		};

		pmuctl_data_sample_place(data, s, &sum.place);
		ret = options->wanted ? options->wanted(options->wanted_data, s) : 1;
		if (ret > 0)
			ret = fn(fn_data, &sum);
	}
	return ret < 0 ? ret : 0;
}

uint64_t bias_of(uint32_t pid)
{
	return pid == OTHER ? FAR_BIAS : BIAS;
}

void pmuctl_data_place(const struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t ip,
		       bool kernel, struct pmuctl_place *place)
{
	uint64_t address = ip - bias_of(pid);

	(void)data;
	(void)time;
	(void)kernel;
	*place = (struct pmuctl_place){ .address = ip };
	if (address >= CODE && address < 0x30000)
		*place = (struct pmuctl_place){ .dso = 1, .address = address };
	else if (ip >> 24 == 5)
		place->dso = 2;
	else if (ip >> 24 == 6)
		place->dso = 3;
}

void pmuctl_data_sample_place(const struct pmuctl_data *data,
			      const struct pmuctl_data_sample *sample, struct pmuctl_place *place)
{
	pmuctl_data_place(data, sample->pid, sample->time, sample->ip, sample->kernel, place);
}

uint32_t pmuctl_data_image(const struct pmuctl_data *data, uint32_t pid, uint64_t time)
{
	(void)data;
	(void)pid;
	return (uint32_t)time;
}

void pmuctl_data_mapped(const struct pmuctl_data *data, uint32_t pid, uint64_t time,
			uint64_t address, struct pmuctl_mapping *mapping)
{
	struct pmuctl_place place;

	pmuctl_data_place(data, pid, time, address, false, &place);
	*mapping = (struct pmuctl_mapping){ .dso = place.dso };
}

int pmuctl_data_loaded(struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t address,
		       uint32_t *dso, uint64_t *bias)
{
	(void)data;
	(void)time;
	*dso = 1;
	*bias = bias_of(pid);
	return (address - *bias + BIAS) >> 24 ? -ENOENT : 0;
}

const char *pmuctl_data_dso(const struct pmuctl_data *data, uint32_t dso)
{
	(void)data;
	return dsos[dso];
}

void pmuctl_data_symbol(struct pmuctl_data *data, const struct pmuctl_place *place,
			struct pmuctl_symbol *symbol)
{
	size_t i;

	(void)data;
	*symbol = (struct pmuctl_symbol){ .name = NULL };
	for (i = 0; place->dso == 1 && i < ARRAY_SIZE(variables); i++)
		if (place->address - variables[i].start < variables[i].size)
			*symbol = (struct pmuctl_symbol){ variables[i].name, variables[i].start,
							  variables[i].size };
}

/* Debugging information is there of the counters alone. */
int pmuctl_data_variable(struct pmuctl_data *data, const struct pmuctl_place *place,
			 struct pmuctl_variable *variable)
{
	uint64_t offset = place->address - 0x32000;

	(void)data;
	if (place->dso != 1 || offset >= 48)
		return -ENODATA;
	snprintf(variable->name, sizeof(variable->name), "counters[%u].%s",
		 (unsigned int)offset / 16, offset % 16 < 8 ? "hits" : "misses");
	return 0;
}

/* Without hyperthreads. */
uint32_t pmuctl_data_core(const struct pmuctl_data *data, uint32_t cpu)
{
	(void)data;
	return cpu;
}

const char *pmuctl_data_comm(const struct pmuctl_data *data, uint32_t tid, uint64_t time)
{
	(void)data;
	(void)time;
	return tid == FIRST ? "prog" : "thread";
}

void pmuctl_data_line(struct pmuctl_data *data, const struct pmuctl_place *place,
		      const char **file, unsigned int *line)
{
	(void)data;
	*file = place->dso == 1 ? "/nonsense/walk.c" : NULL;
	*line = place->address < CODE + 9 ? 10 : 11;
}

/* In its first three instructions. */
int pmuctl_data_inlined(struct pmuctl_data *data, const struct pmuctl_place *place,
			const struct pmuctl_inlined **inlined)
{
	static const struct pmuctl_inlined both[] = {
		{ "step", "/nonsense/walk.c", 20 }, { "walk_one", "/nonsense/walk.c", 30 },
	};

	(void)data;
	*inlined = both;
	return place->dso == 1 && place->address < CODE + 9 ? 2 : 0;
}

int pmuctl_get_l1d(struct pmuctl *ctx, struct pmuctl_cache *cache)
{
	(void)ctx;
	(void)cache;
	return -ENOENT;
}

size_t pmuctl_data_text(struct pmuctl_data *data, const struct pmuctl_place *place, void *text,
			size_t size)
{
	uint64_t offset = place->address - CODE, left = sizeof(code) - offset;

	(void)data;
	if (place->dso != 1 || offset >= sizeof(code))
		return 0;
	memcpy(text, code + offset, size < left ? size : left);
	return size < left ? size : left;
}

unsigned int pmuctl_data_bits(struct pmuctl_data *data, uint32_t dso, const char **machine)
{
	(void)data;
	(void)dso;
	*machine = "x86";
	return 64;
}

const char *pmuctl_data_missing(struct pmuctl_data *data, uint32_t dso)
{
	(void)data;
	(void)dso;
	return NULL;
}

int complain(const char *cmd, int exit_code, const char *fmt, ...)
{
	(void)cmd;
	(void)fmt;
	return exit_code;
}

int names_file(const char *path, const char *name)
{
	return !strcmp(path, name);
}

/* The library's, whose context nobody has here; cmocka has a macro of that name. */
#undef fail
int fail(struct pmuctl *ctx, int err, const char *fmt, ...);
int fail(struct pmuctl *ctx, int err, const char *fmt, ...)
{
	(void)ctx;
	(void)fmt;
	return err;
}

/* ---- samples --------------------------------------------------------------------- */

#define REGS_MASK ((1u << PERF_REG_X86_FLAGS) * 2 - 1)

struct pmuctl_data_sample samples[SAMPLES_MAX];
static uint64_t regs[SAMPLES_MAX][PERF_REG_X86_FLAGS + 1];
struct pmuctl_data_event events[2];
struct pmuctl_data paper;

void begin(const char *name)
{
	memset(samples, 0, sizeof(samples));
	memset(events, 0, sizeof(events));
	memset(regs, 0, sizeof(regs));
	events[0] = (struct pmuctl_data_event){ .name = name, .precise = 2 };
	events[1] = (struct pmuctl_data_event){ .name = "cycles" };
	paper = (struct pmuctl_data){
		.info = { .events = events, .events_count = 2, .version = "pmuctl 0.1",
			  .command = "pmuctl record" },
		.samples = samples,
	};
}

struct pmuctl_data_sample *add_sample(uint32_t event, uint64_t ip)
{
	struct pmuctl_data_sample *s = &samples[paper.count++];

	assert_true(paper.count <= SAMPLES_MAX);
	*s = (struct pmuctl_data_sample){
		.event = event, .pid = 7, .tid = 7, .ip = BIAS + ip, .period = 100, .exact = true,
	};
	events[event].samples++;
	events[event].events += s->period;
	return s;
}

struct pmuctl_data_sample *add_address(uint64_t ip, uint64_t address)
{
	struct pmuctl_data_sample *s = add_sample(0, ip);

	s->has = PERF_SAMPLE_ADDR;
	s->addr = address;
	return s;
}

uint64_t *add_registers(uint64_t ip, uint64_t next)
{
	struct pmuctl_data_sample *s = add_sample(0, ip);
	uint64_t *r = regs[paper.count - 1];

	s->has = PERF_SAMPLE_ADDR | PERF_SAMPLE_REGS_INTR;
	s->regs_mask = REGS_MASK;
	s->regs = r;
	r[PERF_REG_X86_IP] = BIAS + next;
	return r;
}

/* ---- what is printed --------------------------------------------------------------- */

char out[65536];

void slurp(FILE *f)
{
	size_t len;

	rewind(f);
	len = fread(out, 1, sizeof(out) - 1, f);
	out[len] = '\0';
	fclose(f);
}

void goldens(const char *name, void (*print)(enum format format))
{
	static const char *const suffixes[] = { "txt", "csv", "json" };
	char path[64];
	int format;

	for (format = FORMAT_TEXT; format <= FORMAT_JSON; format++) {
		print((enum format)format);
		snprintf(path, sizeof(path), "%s.%s", name, suffixes[format]);
		matches_golden(path, out);
	}
}
