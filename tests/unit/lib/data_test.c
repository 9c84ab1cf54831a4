// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading perf.data: what is in a file.
 */
#include <errno.h>

#include "tests/unit/lib/data.h"

static void test_plain(void **state)
{
	const struct pmuctl_data_info *info;

	(void)state;
	make_plain();
	end_file(&file);
	assert_int_equal(open_file(), 0);
	info = pmuctl_data_get_info(data);
	assert_int_equal(info->events_count, 2);
	assert_string_equal(info->events[0].name, "instructions");
	assert_string_equal(info->events[1].name, "r3c");
	assert_int_equal(info->events[0].period, 1000);
	assert_int_equal(info->events[1].period, 0);
	assert_int_equal(info->events[0].precise, 2);
	assert_int_equal(info->events[0].samples, 2);
	assert_int_equal(info->events[0].events, 2000);
	assert_int_equal(info->events[1].events, 333);
	/* The last is of an event that is not in the file. */
	assert_int_equal(info->samples, 3);
	assert_int_equal(info->undescribed, 1);
	assert_int_equal(info->undescribed, 1);
	assert_int_equal(info->lost, 5);
	assert_false(info->cut);
	assert_int_equal(seen_count, 3);
	assert_int_equal(seen[0].ip, 0x400123);
	assert_int_equal(seen[0].pid, 7);
	assert_int_equal(seen[0].tid, 8);
	assert_int_equal(seen[0].cpu, 3);
	assert_true(seen[0].exact);
	assert_false(seen[0].kernel);
	assert_int_equal(seen[1].event, 1);
	assert_true(seen[1].kernel);
	assert_false(seen[1].exact);
}

/* perf tells of a loss when it happens and again at the end; of the side-band it is none. */
static void test_lost(void **state)
{
	struct perf_event_attr attrs[2] = { plain[0], plain[1] };

	(void)state;
	attrs[1].type = PERF_TYPE_SOFTWARE;
	attrs[1].config = PERF_COUNT_SW_DUMMY;
	begin_file(&file, attrs, 2);
	put_lost(PERF_RECORD_LOST, 100, 5);
	put_lost(PERF_RECORD_LOST, 101, 70);
	put_lost(PERF_RECORD_LOST_SAMPLES, 100, 6);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	assert_int_equal(pmuctl_data_get_info(data)->lost, 6);
}

#define VERSION		5
#define CPU_TOPOLOGY	13

/* Behind the records the section of one feature, which put_section() writes. */
static void end_file_with(unsigned int bit, void (*put_section)(const char *text), const char *text)
{
	struct file_section section = { file.size + sizeof(section), 0 };
	size_t at = file.size;

	file_header(&file)->data.size = file.size - file.records;
	file_header(&file)->features[0] = 1 << bit;
	put(&file, &section, sizeof(section));
	put_section(text);
	section.size = file.size - section.offset;
	memcpy(file.bytes + at, &section, sizeof(section));
	write_file(&file, file.size);
}

static void put_u32(uint32_t value)
{
	put(&file, &value, sizeof(value));
}

static void put_string(const char *text)
{
	char padded[16] = "";

	snprintf(padded, sizeof(padded), "%s", text);
	put_u32(sizeof(padded));
	put(&file, padded, sizeof(padded));
}

/* With the version of what wrote it. */
static void end_file_of(const char *version)
{
	end_file_with(VERSION, put_string, version);
}

/*
 * Where all events share a buffer, a loss has the id of the one that came next; ours of maps
 * has one of its own.  Samples that perf's filter left out are no loss.
 */
static void test_lost_by_the_next(void **state)
{
	struct perf_event_attr attrs[2] = { plain[0], plain[1] };
	size_t at;

	(void)state;
	attrs[1].type = PERF_TYPE_SOFTWARE;
	attrs[1].config = PERF_COUNT_SW_DUMMY;
	begin_file(&file, attrs, 2);
	put_lost(PERF_RECORD_LOST, 101, 70);
	at = file.size;
	put_lost(PERF_RECORD_LOST_SAMPLES, 100, 5000);
	((struct perf_event_header *)(void *)(file.bytes + at))->misc = 1 << 15;
	end_file_of("6.1.192");
	assert_int_equal(open_file(), 0);
	assert_int_equal(pmuctl_data_get_info(data)->lost, 70);
	file.size = at;
	end_file_of("pmuctl 0.1");
	assert_int_equal(open_file(), 0);
	assert_int_equal(pmuctl_data_get_info(data)->lost, 0);
}

/* One package, and cores with so many texts between blanks. */
static void put_cores(const char *text)
{
	char texts[64], *rest = texts, *core;
	uint32_t count = 1;

	snprintf(texts, sizeof(texts), "%s", text);
	put_u32(1);
	put_string("0-7");
	for (core = texts; *core; core++)
		count += *core == ' ';
	put_u32(count);
	while ((core = strsep(&rest, " ")))
		put_string(core);
}

static uint32_t core_by(const char *cores, uint32_t cpu)
{
	begin_file(&file, plain, 2);
	put_comm(7, 0, "burner");
	end_file_with(CPU_TOPOLOGY, put_cores, cores);
	assert_int_equal(open_file(), 0);
	return pmuctl_data_core(data, cpu);
}

static void test_cores(void **state)
{
	(void)state;
	begin_file(&file, plain, 2);
	put_comm(7, 0, "burner");
	end_file(&file);
	assert_int_equal(open_file(), 0);
	assert_int_equal(pmuctl_data_core(data, 5), 5);
	assert_int_equal(core_by("0,4 1,5 2-3,6-7", 0), 0);
	assert_int_equal(core_by("0,4 1,5 2-3,6-7", 5), 1);
	assert_int_equal(core_by("0,4 1,5 2-3,6-7", 3), 2);
	assert_int_equal(core_by("0,4 1,5 2-3,6-7", 6), 2);
	assert_int_equal(core_by("0,4 1,5 2-3,6-7", 8), 8);
	assert_int_equal(core_by("0,4 1,5 2-3,6-7", UINT32_MAX), UINT32_MAX);
	/* What is no such list says nothing. */
	assert_int_equal(core_by("x 1,", 1), 1);
	assert_int_equal(core_by("4,0", 0), 0);
	assert_int_equal(core_by("0-9999999999", 9), 9);
	assert_int_equal(core_by("0--1", 1), 1);
}

/* What a guest has at an address is not what its host has there. */
static void test_guests(void **state)
{
	static const uint16_t modes[] = {
		PERF_RECORD_MISC_USER, PERF_RECORD_MISC_GUEST_USER,
		PERF_RECORD_MISC_GUEST_KERNEL, PERF_RECORD_MISC_HYPERVISOR,
	};
	struct pmuctl_place place;
	size_t i;

	(void)state;
	begin_file(&file, plain, 2);
	put_mmap(7, 0, 0x400000, 0x2000, 0, "/usr/bin/qemu");
	for (i = 0; i < 4; i++)
		put_sample(100, 7, 10, 0x400123, 1000, modes[i]);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	for (i = 0; i < 4; i++) {
		pmuctl_data_sample_place(data, &seen[i], &place);
		assert_string_equal(pmuctl_data_dso(data, place.dso),
				    i ? "[unknown]" : "/usr/bin/qemu");
		assert_int_equal(seen[i].guest, i > 0);
	}
}

/* perf inject's build-ids have no multiple of eight bytes; all behind them is moved by four. */
static void test_injected(void **state)
{
	static const uint8_t zeros[92];
	size_t at;

	(void)state;
	begin_file(&file, plain, 2);
	at = begin_record(&file, 67, PERF_RECORD_MISC_USER);
	put(&file, zeros, sizeof(zeros));
	end_record(&file, at);
	put_sample(100, 7, 10, 0x400123, 1000, PERF_RECORD_MISC_USER);
	put_sample(101, 7, 20, 0x400124, 10, PERF_RECORD_MISC_USER);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	assert_int_equal(seen_count, 2);
	assert_int_equal(seen[1].ip, 0x400124);
}

/* A program that the kernel made is one function. */
static void test_made_by_the_kernel(void **state)
{
	struct pmuctl_symbol symbol;
	struct pmuctl_place place;
	size_t at;

	(void)state;
	begin_file(&file, plain, 2);
	at = begin_record(&file, PERF_RECORD_KSYMBOL, 0);
	put_u64(&file, 0xffffffffc0100000);
	put_u64(&file, 0x80 | 1ull << 32);
	put_text(&file, "bpf_prog_6deef7357e7b4530_sched");
	put_trailer(0, 0, 100);
	end_record(&file, at);
	put_sample(100, 7, 10, 0xffffffffc0100044, 1000, PERF_RECORD_MISC_KERNEL);
	put_sample(100, 7, 10, 0xffffffffc0100080, 1000, PERF_RECORD_MISC_KERNEL);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	pmuctl_data_sample_place(data, &seen[0], &place);
	pmuctl_data_symbol(data, &place, &symbol);
	assert_string_equal(symbol.name, "bpf_prog_6deef7357e7b4530_sched");
	assert_int_equal(symbol.start, 0);
	assert_int_equal(place.address, 0x44);
	pmuctl_data_sample_place(data, &seen[1], &place);
	assert_int_equal(place.dso, 0);
}

static void expect_place(uint32_t pid, uint64_t time, uint64_t ip, const char *dso,
			 uint64_t address)
{
	struct pmuctl_place place;

	pmuctl_data_place(data, pid, time, ip, pid == UINT32_MAX, &place);
	assert_string_equal(pmuctl_data_dso(data, place.dso), dso);
	assert_int_equal(place.address, address);
}

static void test_places(void **state)
{
	(void)state;
	begin_file(&file, plain, 2);
	put_mmap(UINT32_MAX, 0, 0xffffffff81000000, 0x1000000, 0xffffffff81000000,
		 "[kernel.kallsyms]_text");
	/* In an order that is not that of time. */
	put_mmap(7, 50, 0x401000, 0x1000, 0, "/second");
	put_mmap(7, 10, 0x400000, 0x3000, 0x1000, "/first");
	put_fork(8, 7, 30);
	put_mmap(8, 60, 0x400000, 0x1000, 0, "/child");
	put_mmap(7, 5, 0x700000, 0x1000, 0, "//anon");
	put_fork(8, 9, 90);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	expect_place(7, 9, 0x400010, "[unknown]", 0x400010);
	expect_place(7, 10, 0x400010, "/first", 0x1010);
	expect_place(7, 49, 0x401010, "/first", 0x2010);
	expect_place(7, 50, 0x401010, "/second", 0x10);
	expect_place(7, 50, 0x402010, "/first", 0x3010);
	expect_place(7, 50, 0x403000, "[unknown]", 0x403000);
	expect_place(7, 50, 0x3fffff, "[unknown]", 0x3fffff);
	expect_place(7, 50, 0x700010, "/tmp/perf-7.map", 0x700010);
	/* The child has what its parent had then, and not what that mapped since. */
	expect_place(8, 55, 0x401010, "/first", 0x2010);
	expect_place(8, 60, 0x400010, "/child", 0x10);
	expect_place(8, 29, 0x401010, "[unknown]", 0x401010);
	/* A new process of the same number has nothing of the old one. */
	expect_place(8, 90, 0x400010, "[unknown]", 0x400010);
	expect_place(UINT32_MAX, 1, 0xffffffff81000123, "[kernel.kallsyms]", 0xffffffff81000123);
	/* Its code for the boot lies behind what perf says; modules behind all of it. */
	expect_place(UINT32_MAX, 1, 0xffffffff91000123, "[kernel.kallsyms]", 0xffffffff91000123);
	expect_place(UINT32_MAX, 1, 0xffffffffc0000123, "[unknown]", 0xffffffffc0000123);
}

static void put_exec(uint32_t pid, uint64_t time, const char *name)
{
	size_t at = begin_record(&file, PERF_RECORD_COMM,
				 PERF_RECORD_MISC_USER | PERF_RECORD_MISC_COMM_EXEC);

	put_u64(&file, pid | (uint64_t)pid << 32);
	put_text(&file, name);
	put_trailer(pid, time, 100);
	end_record(&file, at);
}

/* What was mapped before an exec is gone, but for who looks for where it was entered. */
static void test_exec(void **state)
{
	struct pmuctl_place place;

	(void)state;
	begin_file(&file, plain, 2);
	put_mmap(7, 10, 0x400000, 0x3000, 0, "/before");
	put_exec(7, 50, "after");
	put_mmap(7, 51, 0x401000, 0x1000, 0, "/after");
	end_file(&file);
	assert_int_equal(open_file(), 0);
	expect_place(7, 49, 0x400010, "/before", 0x10);
	expect_place(7, 60, 0x401010, "/after", 0x10);
	expect_place(7, 60, 0x400010, "[unknown]", 0x400010);
	pmuctl_data_entry(data, 7, 60, 0x400010, &place);
	assert_string_equal(pmuctl_data_dso(data, place.dso), "/before");
	assert_string_equal(pmuctl_data_comm(data, 7, 60), "after");
}

static void test_comms(void **state)
{
	(void)state;
	begin_file(&file, plain, 2);
	put_comm(7, 20, "late");
	put_comm(7, 0, "early");
	put_fork(8, 7, 10);
	put_fork(9, 8, 30);
	put_comm(8, 40, "own");
	end_file(&file);
	assert_int_equal(open_file(), 0);
	assert_string_equal(pmuctl_data_comm(data, 7, 19), "early");
	assert_string_equal(pmuctl_data_comm(data, 7, 20), "late");
	assert_string_equal(pmuctl_data_comm(data, 8, 39), "early");
	assert_string_equal(pmuctl_data_comm(data, 8, 40), "own");
	assert_string_equal(pmuctl_data_comm(data, 9, 99), "early");
	assert_string_equal(pmuctl_data_comm(data, 0, 0), "swapper");
	assert_string_equal(pmuctl_data_comm(data, 5, 0), ":5");
	assert_string_equal(pmuctl_data_comm(data, UINT32_MAX, 0), ":-1");
}

static int see_comm(void *names, const struct pmuctl_data_sample *sample)
{
	strcat(names, pmuctl_data_comm(data, sample->tid, sample->time));
	return 0;
}

/* A clock may stand still: then the order of the file is that of time. */
static void test_one_time(void **state)
{
	char names[64] = "";

	(void)state;
	begin_file(&file, plain, 2);
	put_comm(8, 10, "before,");
	put_sample(100, 7, 10, 1, 1, PERF_RECORD_MISC_USER);
	put_comm(8, 10, "behind");
	put_sample(100, 7, 10, 1, 1, PERF_RECORD_MISC_USER);
	end_file(&file);
	assert_int_equal(pmuctl_data_open(ctx, file.path, &data), 0);
	assert_int_equal(pmuctl_data_samples(data, see_comm, names), 0);
	assert_string_equal(names, "before,behind");
}

/* Each trailer is as its own event has it; only the ids must be at one place. */
static void test_unlike_events(void **state)
{
	struct perf_event_attr attrs[2];
	size_t at;

	(void)state;
	memcpy(attrs, plain, sizeof(attrs));
	attrs[1].sample_type &= ~(uint64_t)PERF_SAMPLE_CPU;
	attrs[1].sample_type |= PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CALLCHAIN;
	attrs[1].sample_type &= ~(uint64_t)PERF_SAMPLE_TID;
	begin_file(&file, attrs, 2);
	at = begin_record(&file, PERF_RECORD_COMM, 0);
	put_u64(&file, 7 | 7ull << 32);
	put_text(&file, "late");
	put_u64(&file, 15);	/* the time */
	put_u64(&file, 5);	/* the stream */
	put_u64(&file, 101);
	end_record(&file, at);
	put_comm(7, 5, "early");
	put_sample(100, 7, 10, 0x400123, 1000, PERF_RECORD_MISC_USER);
	put_sample(100, 7, 20, 0x400123, 1000, PERF_RECORD_MISC_USER);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	assert_int_equal(seen_count, 2);
	assert_string_equal(pmuctl_data_comm(data, 7, 10), "early");
	assert_string_equal(pmuctl_data_comm(data, 7, 20), "late");
}

/* Nothing is made up of what an event does not record; another's time stays what it is. */
static void test_missing_fields(void **state)
{
	struct perf_event_attr attrs[2];
	size_t at;

	(void)state;
	memcpy(attrs, plain, sizeof(attrs));
	attrs[1].sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP;
	attrs[1].sample_id_all = attrs[0].sample_id_all = 0;
	begin_file(&file, attrs, 2);
	put_sample(100, 7, 123456789, 0x400123, 1000, PERF_RECORD_MISC_USER);
	at = begin_record(&file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_u64(&file, 101);
	put_u64(&file, 0x400123);
	end_record(&file, at);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	assert_int_equal(seen_count, 2);
	assert_int_equal(seen[0].clock, 123456789);
	assert_int_equal(seen[1].clock, 0);
	assert_int_equal(seen[1].cpu, UINT32_MAX);
	assert_int_equal(seen[1].pid, UINT32_MAX);
	assert_int_equal(seen[1].tid, UINT32_MAX);
}

static void test_stack_copies(void **state)
{
	struct perf_event_attr attrs[2] = { plain[0], plain[1] };
	const struct pmuctl_data_info *info;

	(void)state;
	begin_file(&file, attrs, 2);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	info = pmuctl_data_get_info(data);
	assert_false(info->stack_copies || info->trace_bytes);
	/* Nobody is to unwind what has no registers. */
	attrs[0].sample_type |= PERF_SAMPLE_STACK_USER;
	begin_file(&file, attrs, 2);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	assert_false(pmuctl_data_get_info(data)->stack_copies);
	attrs[0].sample_type |= PERF_SAMPLE_REGS_USER;
	begin_file(&file, attrs, 2);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	info = pmuctl_data_get_info(data);
	assert_true(info->stack_copies);
}

/* What the decoder of an AUX area would want is passed over, with all that follows it. */
static void test_auxtrace(void **state)
{
	static const uint8_t trace[4096] = { 9, 0, 0, 0, 1 };
	size_t at;

	(void)state;
	begin_file(&file, plain, 2);
	at = begin_record(&file, 71, 0);
	put_u64(&file, sizeof(trace));
	put_u64(&file, 0);
	end_record(&file, at);
	put(&file, trace, sizeof(trace));
	put_sample(100, 7, 10, 0x400123, 1000, PERF_RECORD_MISC_USER);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	assert_int_equal(seen_count, 1);
	assert_int_equal(pmuctl_data_get_info(data)->trace_bytes, sizeof(trace));
	assert_false(pmuctl_data_get_info(data)->cut);
}

static int see_everything(void *count, const struct pmuctl_data_sample *s)
{
	(*(unsigned int *)count)++;
	assert_int_equal(s->ip, 1);
	assert_int_equal(s->pid, 2);
	assert_int_equal(s->tid, 3);
	assert_int_equal(s->time, 4);
	assert_int_equal(s->addr, 5);
	assert_int_equal(s->cpu, 6);
	assert_int_equal(s->period, 7);
	assert_int_equal(s->chain_count, 2);
	assert_int_equal(s->chain[1], 9);
	assert_int_equal(s->branches_count, 1);
	assert_int_equal(s->branches[0].to, 11);
	assert_int_equal(s->weight, 12);
	assert_int_equal(s->data_src, 13);
	assert_int_equal(s->regs_mask, 0x101);
	assert_int_equal(s->regs[1], 15);
	return 0;
}

#define EVERYTHING (PERF_SAMPLE_MAX - 1 - PERF_SAMPLE_WEIGHT)

static void put_everything(void)
{
	size_t at = begin_record(&file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	static const uint64_t words[] = {
		100, 1, 2 | 3ULL << 32, 4, 5, 100, 55, 6, 7,
		/* read: a group of two with ids and times; the chain; raw of 12 bytes */
		2, 70, 71, 7, 100, 81, 101, 2, 8, 9, 12, 0,
		/* a branch behind its index; registers and stack of the user */
		1, 0, 10, 11, 0, 2, 90, 16, 91, 92, 16,
		/* weight, source, transaction, registers */
		12 | 99ULL << 32, 13, 0, 2, 14, 15,
		/* physical address, cgroup, page sizes, 8 bytes of AUX */
		20, 21, 22, 23, 8, 24,
	};

	put(&file, words, sizeof(words));
	end_record(&file, at);
}

static void test_every_field(void **state)
{
	const struct perf_event_attr attr = {
		.sample_type = EVERYTHING,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
			       PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_HW_INDEX,
		.sample_regs_user = 1,
		.sample_regs_intr = 0x101,
	};
	unsigned int count = 0;
	size_t size, at = 0;

	(void)state;
	begin_file(&file, &attr, 1);
	at = file.size;
	put_everything();
	size = file.size;
	end_file(&file);
	assert_int_equal(pmuctl_data_open(ctx, file.path, &data), 0);
	assert_int_equal(pmuctl_data_samples(data, see_everything, &count), 0);
	assert_int_equal(count, 1);
	/* One word less, and it does not hold what it says. */
	for (file.size = size - 8; file.size > at; file.size -= 8) {
		end_record(&file, at);
		end_file(&file);
		assert_int_equal(open_file(), -EBADMSG);
	}
}

static void put_group(uint64_t first, uint64_t second)
{
	size_t at = begin_record(&file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	put_u64(&file, 100);
	put_u64(&file, 0x400100);
	put_u64(&file, 2);
	put_u64(&file, first);
	put_u64(&file, 100);
	put_u64(&file, second);
	put_u64(&file, 101);
	end_record(&file, at);
}

/* {a,b}:S: each has what it counted since, and what counted nothing has no sample. */
static void test_leader_samples(void **state)
{
	const struct perf_event_attr attrs[] = {
		{ .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_READ,
		  .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID, .sample_period = 1000 },
		{ .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_READ,
		  .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID },
	};

	(void)state;
	begin_file(&file, attrs, 2);
	put_group(1000, 300);
	put_group(2001, 300);
	put_group(3001, 350);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	assert_int_equal(seen_count, 5);
	assert_int_equal(seen[0].period, 1000);
	assert_int_equal(seen[1].event, 1);
	assert_int_equal(seen[1].period, 300);
	assert_int_equal(seen[2].period, 1001);
	assert_int_equal(seen[4].event, 1);
	assert_int_equal(seen[4].period, 50);
	assert_int_equal(pmuctl_data_get_info(data)->samples, 3);
	assert_int_equal(pmuctl_data_get_info(data)->events[1].samples, 2);
	assert_int_equal(pmuctl_data_get_info(data)->events[1].events, 350);
	/* And again, from the start. */
	seen_count = 0;
	assert_int_equal(pmuctl_data_samples(data, see, NULL), 0);
	assert_int_equal(seen_count, 5);
	assert_int_equal(seen[0].period, 1000);
}

/* ---- how far it is --------------------------------------------------------------------------- */

#define MANY 1000

static struct {
	uint64_t got, all;
	size_t calls, passes;
} reading;

/* From the beginning to the end, as often as the file is read. */
static void hear(void *unused, uint64_t got, uint64_t all)
{
	assert_null(unused);
	assert_true(got >= reading.got && got <= all);
	assert_true(!reading.all || all == reading.all);
	reading.got = got == all ? 0 : got;
	reading.all = all;
	reading.passes += got == all;
	reading.calls++;
}

static int count(void *samples, const struct pmuctl_data_sample *sample)
{
	(void)sample;
	++*(size_t *)samples;
	return 0;
}

static void test_reading(void **state)
{
	const struct pmuctl_data_options options = { .size = sizeof(options), .reading = hear };
	size_t samples = 0, i;

	(void)state;
	begin_file(&file, plain, 2);
	for (i = 0; i < MANY; i++)
		put_sample(100, 7, i, 0x400123, 1000, PERF_RECORD_MISC_USER);
	end_file(&file);
	assert_int_equal(pmuctl_data_open_with(ctx, file.path, &options, &data), 0);
	assert_int_equal(reading.passes, 1);
	assert_int_equal(reading.all, MANY * SAMPLE_SIZE);
	/* Before a buffer is filled, and at the end. */
	assert_true(reading.calls > 1);
	assert_int_equal(pmuctl_data_samples(data, count, &samples), 0);
	assert_int_equal(samples, MANY);
	assert_int_equal(reading.passes, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_plain, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lost, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lost_by_the_next, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cores, setup, teardown),
		cmocka_unit_test_setup_teardown(test_guests, setup, teardown),
		cmocka_unit_test_setup_teardown(test_injected, setup, teardown),
		cmocka_unit_test_setup_teardown(test_made_by_the_kernel, setup, teardown),
		cmocka_unit_test_setup_teardown(test_places, setup, teardown),
		cmocka_unit_test_setup_teardown(test_exec, setup, teardown),
		cmocka_unit_test_setup_teardown(test_comms, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_time, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unlike_events, setup, teardown),
		cmocka_unit_test_setup_teardown(test_missing_fields, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stack_copies, setup, teardown),
		cmocka_unit_test_setup_teardown(test_auxtrace, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reading, setup, teardown),
		cmocka_unit_test_setup_teardown(test_leader_samples, setup, teardown),
		cmocka_unit_test_setup_teardown(test_every_field, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
