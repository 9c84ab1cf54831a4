// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * export_demo svg|folded|speedscope|pprof hostile|one|COUNT: to stdout, a few functions
 * with names that want to break out of it, one sample, or COUNT different stacks.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/export/export.h"
#include "tools/export/flame.h"
#include "tests/unit/tools/fake_data.h"

#define DEPTH 8
#define NAMES 4096

static const struct fake_function hostile_functions[] = {
	{ 0, NULL, 0 },
	{ 0x1000, "main", 1 },
	{ 0x2000, "</title></svg><script>broken('out')</script>", 1 },
	{ 0x3000, "std::map<int, \"&amp;'x'\">::operator<(]]>)", 1 },
	{ 0x4000, "bell\a\x1b[31m\xff\xc0\x80 caf\xc3\xa9", 1 },
	{ 0x5000, "leaf", 1 },
};

static const uint64_t hostile_chains[][4] = {
	{ 0x5000, 0x2001, 0x1001 }, { 0x3000, 0x1001 }, { 0x4000, 0x1001 }, { 0x5000, 0x1001 },
};

static const char *const dsos[] = { "[unknown]", "/tmp/a&b<\"c\">" };
static const char *const comms[] = { "a<b>&c", "a<b>&c" };
static const char *const build_ids[] = { NULL, "00c0ffee" };
static struct pmuctl_data_event event = { .name = "cycles:u<&>", .period = 100, .samples = 1 };

static void make_hostile(struct pmuctl_data *data, struct pmuctl_data_sample *samples,
			 size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		samples[i].pid = 7;
		samples[i].tid = i == 1;
		samples[i].cpu = i == 2 ? UINT32_MAX : 0;
		samples[i].ip = hostile_chains[i][0];
		samples[i].period = 100 * (i + 1);
		samples[i].chain = hostile_chains[i];
		samples[i].chain_count = i ? 2 : 3;
	}
	data->functions = hostile_functions;
	data->functions_count = ARRAY_SIZE(hostile_functions);
}

/* Returns what is to be freed. */
static uint64_t *make_many(struct pmuctl_data *data, struct pmuctl_data_sample *samples,
			   size_t count)
{
	static struct fake_function functions[NAMES];
	static char names[NAMES][24];
	uint64_t *chains = calloc(count, DEPTH * sizeof(*chains)), random = 1;
	size_t i, j;

	for (i = 0; i < NAMES; i++) {
		snprintf(names[i], sizeof(names[i]), "function_%zu", i);
		functions[i] = (struct fake_function){ 16 * i, names[i], 1 };
	}
	for (i = 0; i < count; i++) {
		for (j = 0; j < DEPTH; j++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			chains[i * DEPTH + j] = 16 * ((random >> 33) % (NAMES >> j));
		}
		samples[i].ip = chains[i * DEPTH];
		samples[i].period = 100;
		samples[i].chain = chains + i * DEPTH;
		samples[i].chain_count = DEPTH;
	}
	data->functions = functions;
	data->functions_count = NAMES;
	return chains;
}

static int draw(const struct stacks *s, const struct export_options *options, FILE *out)
{
	return flame_svg(s, 0, options->title, FLAME_FILE, out);
}

static const struct {
	const char *name;
	int (*write)(const struct stacks *s, const struct export_options *options, FILE *out);
	bool by_address;
} formats[] = {
	{ "svg", draw, false }, { "folded", export_folded, false },
	{ "speedscope", export_speedscope, false },
	{ "pprof", export_pprof, true },
};

static int write_as(const char *format, struct pmuctl_data *data)
{
	const struct export_options options = { .title = "demo<&>.data" };
	struct stacks stacks = { .data = data, .only = 0 };
	size_t i = 0;
	int err;

	while (i < ARRAY_SIZE(formats) && strcmp(formats[i].name, format))
		i++;
	if (i == ARRAY_SIZE(formats))
		return 2;
	stacks.by_address = stacks.by_task = stacks.by_cpu = formats[i].by_address;
	err = stacks_read(&stacks);
	if (!err)
		err = formats[i].write(&stacks, &options, stdout);
	stacks_free(&stacks);
	return err != 0;
}

static size_t count_of(const char *what)
{
	if (!strcmp(what, "hostile"))
		return ARRAY_SIZE(hostile_chains);
	return !strcmp(what, "one") ? 1 : strtoul(what, NULL, 10);
}

int main(int argc, char **argv)
{
	size_t count = argc == 3 ? count_of(argv[2]) : 0;
	struct pmuctl_data data = {
		.info = { .events = &event, .events_count = 1, .began = 1700000000123456789ull,
			  .duration = 60000000001ull },
		.dsos = dsos, .comms = comms, .build_ids = build_ids,
	};
	struct pmuctl_data_sample *samples = calloc(count + 1, sizeof(*samples));
	uint64_t *chains = NULL;
	int code;

	if (!count || !samples)
		return 2;
	if (count <= ARRAY_SIZE(hostile_chains))
		make_hostile(&data, samples, count);
	else
		chains = make_many(&data, samples, count);
	data.samples = samples;
	data.samples_count = count;
	code = write_as(argv[1], &data);
	free(chains);
	free(samples);
	return code;
}
