/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of reading perf.data share: records of a file with two events, and
 * all that can be asked of it.  A program each includes it.
 */
#ifndef LIB_DATA_H
#define LIB_DATA_H

#include "tests/unit/lib/data_file.h"

#define TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	      PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
#define SAMPLE_SIZE 56

static struct data_file file;
static struct pmuctl *ctx;
static struct pmuctl_data *data;
static struct pmuctl_data_sample seen[64];
static size_t seen_count;

static const struct perf_event_attr plain[] = {
	{ .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS, .sample_period = 1000,
	  .sample_type = TYPE, .sample_id_all = 1, .precise_ip = 2 },
	{ .type = PERF_TYPE_RAW, .config = 0x3c, .sample_freq = 99, .freq = 1,
	  .sample_type = TYPE, .sample_id_all = 1 },
};

static int setup(void **state)
{
	(void)state;
	return pmuctl_open(NULL, &ctx);
}

static int teardown(void **state)
{
	(void)state;
	pmuctl_data_close(data);
	data = NULL;
	pmuctl_close(ctx);
	remove_file(&file);
	return 0;
}

static void put_trailer(uint32_t pid, uint64_t time, uint64_t id)
{
	put_u64(&file, pid | (uint64_t)pid << 32);
	put_u64(&file, time);
	put_u64(&file, 0);	/* the CPU */
	put_u64(&file, id);
}

static void put_sample(uint64_t id, uint32_t pid, uint64_t time, uint64_t ip, uint64_t period,
		       uint16_t misc)
{
	size_t at = begin_record(&file, PERF_RECORD_SAMPLE, misc);

	put_u64(&file, id);
	put_u64(&file, ip);
	put_u64(&file, pid | (uint64_t)(pid + 1) << 32);
	put_u64(&file, time);
	put_u64(&file, 3);
	put_u64(&file, period);
	end_record(&file, at);
}

static void put_mmap(uint32_t pid, uint64_t time, uint64_t start, uint64_t size, uint64_t offset,
		     const char *name)
{
	size_t at = begin_record(&file, PERF_RECORD_MMAP,
				 pid == UINT32_MAX ? PERF_RECORD_MISC_KERNEL :
						     PERF_RECORD_MISC_USER);

	put_u64(&file, pid | (uint64_t)pid << 32);
	put_u64(&file, start);
	put_u64(&file, size);
	put_u64(&file, offset);
	put_text(&file, name);
	put_trailer(pid, time, 100);
	end_record(&file, at);
}

static void put_comm(uint32_t tid, uint64_t time, const char *name)
{
	size_t at = begin_record(&file, PERF_RECORD_COMM, PERF_RECORD_MISC_USER);

	put_u64(&file, tid | (uint64_t)tid << 32);
	put_text(&file, name);
	put_trailer(tid, time, 100);
	end_record(&file, at);
}

static inline void put_fork(uint32_t pid, uint32_t parent, uint64_t time)
{
	size_t at = begin_record(&file, PERF_RECORD_FORK, 0);

	put_u64(&file, pid | (uint64_t)parent << 32);
	put_u64(&file, pid | (uint64_t)parent << 32);
	put_u64(&file, time);
	put_trailer(pid, time, 100);
	end_record(&file, at);
}

static void put_lost(uint32_t type, uint64_t id, uint64_t lost)
{
	size_t at = begin_record(&file, type, 0);

	if (type == PERF_RECORD_LOST)
		put_u64(&file, id);
	put_u64(&file, lost);
	put_trailer(0, 0, id);
	end_record(&file, at);
}

static int see(void *unused, const struct pmuctl_data_sample *sample)
{
	(void)unused;
	assert_true(seen_count < 64);
	seen[seen_count++] = *sample;
	return 0;
}

/* Everything that can be asked of a sample, whatever the file says. */
static int ask(void *unused, const struct pmuctl_data_sample *sample)
{
	struct pmuctl_symbol symbol;
	struct pmuctl_place place;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < sample->chain_count; i++)
		sum += sample->chain[i];
	for (i = 0; i < sample->branches_count; i++)
		sum += sample->branches[i].from;
	for (i = 0; i < (size_t)__builtin_popcountll(sample->regs_mask); i++)
		sum += sample->regs[i];
	pmuctl_data_place(data, sample->pid, sample->time, sample->ip + (sum & 1), sample->kernel,
			  &place);
	pmuctl_data_symbol(data, &place, &symbol);
	assert_non_null(pmuctl_data_dso(data, place.dso));
	assert_non_null(pmuctl_data_comm(data, sample->tid, sample->time));
	return see(unused, sample);
}

static inline int open_file(void)
{
	int err;

	pmuctl_data_close(data);
	data = NULL;
	err = pmuctl_data_open(ctx, file.path, &data);
	seen_count = 0;
	return err ? err : pmuctl_data_samples(data, ask, NULL);
}

static inline void make_plain(void)
{
	begin_file(&file, plain, 2);
	put_comm(7, 0, "burner");
	put_mmap(7, 0, 0x400000, 0x2000, 0x1000, "/no/such/program");
	put_sample(100, 7, 10, 0x400123, 1000, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP);
	put_sample(101, 7, 20, 0xffffffff81000010, 333, PERF_RECORD_MISC_KERNEL);
	put_lost(PERF_RECORD_LOST, 100, 5);
	put_sample(100, 7, 30, 0x500000, 1000, PERF_RECORD_MISC_USER);
	put_sample(999, 7, 40, 0x400000, 1000, PERF_RECORD_MISC_USER);
}

#endif
