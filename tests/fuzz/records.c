// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer over the way of the module's records into a file: the first byte says
 * what CPU it is, the others are records as if from a ring.
 *
 * What is written has to be what the reader of perf.data can read, sample by sample.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/perfdata/perfdata.h"
#include "lib/record/dump.h"

/* Also in seeds.c, as the protocol has them. */
static const uint64_t contents[] = {
	0, PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_WEIGHT | PMUCTL_SAMPLE_DATA_SRC,
	PMUCTL_SAMPLE_REGS, PMUCTL_SAMPLE_CHAIN, PMUCTL_SAMPLE_BRANCHES, PMUCTL_SAMPLE_REGS,
	PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_WEIGHT | PMUCTL_SAMPLE_DATA_SRC | PMUCTL_SAMPLE_REGS |
	PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_BRANCHES,
	PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_STACK, PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_TOP,
};

/* With the ip of the next instruction, and where its block began. */
static const uint64_t with_block[] = { 5, 6 };

/* Core 2, Nehalem, Sandy Bridge, Haswell, Skylake, Ice Lake; none that is known. */
static const uint32_t signatures[] = { 0x6fb, 0x106a5, 0x206a7, 0x306c3, 0x506e3, 0x706e5, 0 };

#define EVENTS ARRAY_SIZE(contents)

static struct pmuctl ctx;
static struct session_event asked[EVENTS];
static struct pmuctl_session session = { .ctx = &ctx, .events = asked, .nr_events = EVENTS };
static struct pmuctl_dump dump = { .ctx = &ctx, .session = &session };
static struct data_event events[EVENTS + 1];
static struct pmuctl_data data = { .ctx = &ctx, .events = events, .events_count = EVENTS + 1,
				   .timed = true };

static void check(bool good)
{
	if (!good)
		abort();
}

static void set_up(void)
{
	const struct pmuctl_dump_options options = { .size = sizeof(options) };
	size_t i;

	for (i = 0; i < EVENTS; i++) {
		asked[i].name = "event";
		asked[i].flags = PMUCTL_EVENT_USER;
		asked[i].sampling = (struct pmuctl_sampling){ .period = 1000,
							      .content = contents[i],
							      .stack = 1024 };
	}
	check(!dump_make_events(&dump, &options));
	for (i = 0; i < ARRAY_SIZE(with_block); i++)
		dump.events[with_block[i]].content |= PMUCTL_CONTENT_BLOCK;
	for (i = 0; i < EVENTS + 1; i++) {
		events[i].attr = dump.events[i].attr;
		data_lay_out(&events[i]);
		check(!data_ids_add(&data.ids, dump.events[i].id, i));
	}
}

/* Every record that was written is whole, and every sample can be read. */
static uint64_t read_back(void)
{
	const struct perf_event_header *record;
	struct pmuctl_data_sample sample;
	struct data_values values;
	uint64_t samples = 0;
	size_t at;

	for (at = 0; at < dump.samples.used; at += record->size) {
		record = (const void *)(dump.samples.bytes + at);
		check(dump.samples.used - at >= sizeof(*record) && record->size >= 8 &&
		      !(record->size % 8) && record->size <= dump.samples.used - at);
		if (record->type != PERF_RECORD_SAMPLE)
			continue;
		samples++;
		check(!data_parse_sample(&data, record, at, &sample, &values));
		check(sample.event < EVENTS && sample.cpu == 3);
	}
	return samples;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	void *records;
	int err;

	if (!dump.events)
		set_up();
	if (!size)
		return 0;
	/* A copy, so that whoever reads past its end is seen, and aligned as in a message. */
	records = malloc(size - 1);
	memcpy(records, bytes + 1, size - 1);
	ctx.facts.signature = signatures[*bytes % ARRAY_SIZE(signatures)];
	dump.branch_flags = *bytes & 0x80;
	memset(&dump.info, 0, sizeof(dump.info));
	dump.samples.used = 0;
	*ctx.error = '\0';
	err = dump_take_records(&dump, 3, records, size - 1);
	check(!err || *ctx.error);
	check(read_back() == dump.info.samples);
	free(records);
	return 0;
}
