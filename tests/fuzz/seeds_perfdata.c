// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files of perf's format, of each of its records and features.
 */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "seeds.h"

#define HEADER_SIZE	104
#define ID(event)	(100 + (event))

/* What stands where in the header. */
enum { AT_ATTRS = 24, AT_DATA = 40, AT_FEATURES = 72 };

struct file {
	uint64_t sample_type;
	uint64_t branch_type;
	unsigned int events;
	uint32_t attr_size;
	bool closed;
	bool features;
};

static size_t begin_record(uint32_t type, uint16_t misc)
{
	struct perf_event_header header = { .type = type, .misc = misc };
	size_t at = used;

	put(&header, sizeof(header));
	return at;
}

static void end_record(size_t at)
{
	uint16_t size = used - at;

	memcpy(bytes + at + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

/* What sample_id_all puts behind a record. */
static void end_with_id(const struct file *f, size_t at)
{
	if (f->sample_type & PERF_SAMPLE_TID)
		put_u64(1ull << 32 | 1);
	if (f->sample_type & PERF_SAMPLE_TIME)
		put_u64(used);
	if (f->sample_type & PERF_SAMPLE_CPU)
		put_u64(0);
	if (f->sample_type & PERF_SAMPLE_IDENTIFIER)
		put_u64(ID(0));
	end_record(at);
}

static void put_mmap2(const struct file *f, uint16_t misc, uint32_t pid, uint64_t start,
		      const char *name)
{
	size_t at = begin_record(PERF_RECORD_MMAP2, misc);

	put_u32(pid);
	put_u32(pid);
	put_u64(start);
	put_u64(0x10000);
	put_u64(0);
	put_u64(8);
	put_u64(1);
	put_u64(0);
	put_u64(5);
	put_text(name);
	end_with_id(f, at);
}

static void put_comm(const struct file *f, uint16_t misc, const char *name)
{
	size_t at = begin_record(PERF_RECORD_COMM, misc);

	put_u32(1);
	put_u32(1);
	put_text(name);
	end_with_id(f, at);
}

static void put_fork(const struct file *f, uint32_t type, uint32_t pid)
{
	size_t at = begin_record(type, 0);

	put_u32(pid);
	put_u32(1);
	put_u32(pid);
	put_u32(1);
	put_u64(used);
	end_with_id(f, at);
}

static void put_numbers(const struct file *f, uint32_t type, unsigned int count)
{
	size_t at = begin_record(type, 0);

	while (count--)
		put_u64(count + 1);
	end_with_id(f, at);
}

static void put_end(const struct file *f)
{
	if (f->sample_type & PERF_SAMPLE_CALLCHAIN)
		put_chain();
	if (f->sample_type & PERF_SAMPLE_RAW)
		put_u64(0xabcd00000004);
	if (f->sample_type & PERF_SAMPLE_BRANCH_STACK)
		put_list(2, 3);
	if (f->sample_type & PERF_SAMPLE_STACK_USER) {
		put_list(8, 1);
		bytes[used - 9 * 8] = 64;
		put_u64(8);
	}
	if (f->sample_type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		put_u64(7);
	if (f->sample_type & PERF_SAMPLE_DATA_SRC)
		put_u64(0x68100142);
	if (f->sample_type & PERF_SAMPLE_REGS_INTR)
		put_list(2, 1);
}

static void put_sample(const struct file *f, unsigned int event, uint16_t misc, uint64_t ip)
{
	const struct {
		uint64_t bit, value;
	} words[] = {
		{ PERF_SAMPLE_IDENTIFIER, ID(event) }, { PERF_SAMPLE_IP, ip },
		{ PERF_SAMPLE_TID, 1ull << 32 | 1 }, { PERF_SAMPLE_TIME, used },
		{ PERF_SAMPLE_ADDR, 0x7fff0000 }, { PERF_SAMPLE_ID, ID(event) },
		{ PERF_SAMPLE_CPU, 0 }, { PERF_SAMPLE_PERIOD, 1000 },
	};
	size_t at = begin_record(PERF_RECORD_SAMPLE, misc), i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (f->sample_type & words[i].bit)
			put_u64(words[i].value);
	put_end(f);
	end_record(at);
}

static struct perf_event_attr attr_of(const struct file *f, unsigned int event)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE, .size = f->attr_size, .sample_period = 1000,
		.config = event, .sample_type = f->sample_type, .sample_id_all = 1,
		.branch_sample_type = f->branch_type, .sample_regs_intr = 0x3,
		.sample_regs_user = 0x1,
	};
}

static void put_attrs(const struct file *f)
{
	struct perf_event_attr attr;
	size_t ids = used + f->events * (f->attr_size + 16);
	unsigned int i;

	set_u64(AT_ATTRS, used);
	set_u64(AT_ATTRS + 8, f->events * (f->attr_size + 16));
	for (i = 0; i < f->events; i++) {
		attr = attr_of(f, i);
		put(&attr, f->attr_size);
		put_u64(ids + 8 * i);
		put_u64(8);
	}
	for (i = 0; i < f->events; i++)
		put_u64(ID(i));
}

static void put_records(const struct file *f)
{
	unsigned int i;

	put_mmap2(f, PERF_RECORD_MISC_KERNEL, -1, 0xffffffff81000000, "[kernel.kallsyms]_text");
	put_comm(f, 0, "sh");
	put_mmap2(f, PERF_RECORD_MISC_USER, 1, 0x400000, "/bin/sh");
	put_comm(f, PERF_RECORD_MISC_COMM_EXEC, "prog");
	put_mmap2(f, PERF_RECORD_MISC_USER, 1, 0x408000, "//anon");
	put_mmap2(f, PERF_RECORD_MISC_USER, 1, 0x7ff000000, "[vdso]");
	put_fork(f, PERF_RECORD_FORK, 2);
	for (i = 0; i < 4; i++)
		put_sample(f, i % f->events, i % 2 ? PERF_RECORD_MISC_USER |
			   PERF_RECORD_MISC_EXACT_IP : PERF_RECORD_MISC_KERNEL,
			   i % 2 ? 0x400123 : 0xffffffff81000123);
	put_numbers(f, PERF_RECORD_LOST, 2);
	put_numbers(f, PERF_RECORD_LOST_SAMPLES, 1);
	put_numbers(f, PERF_RECORD_THROTTLE, 3);
	put_fork(f, PERF_RECORD_EXIT, 2);
	put_numbers(f, 68, 0);		/* a round of perf's has ended */
}

static void put_string(const char *text)
{
	put_u32(64);
	put(text, strlen(text));
	memset(bytes + used, 0, 64 - strlen(text));
	used += 64 - strlen(text);
}

static void put_event_desc(const struct file *f)
{
	struct perf_event_attr attr = { .size = f->attr_size, .sample_type = f->sample_type };
	unsigned int i;

	put_u32(f->events);
	put_u32(f->attr_size);
	for (i = 0; i < f->events; i++) {
		put(&attr, f->attr_size);
		put_u32(1);
		put_string("instructions:u");
		put_u64(ID(i));
	}
}

static void put_build_id(const struct file *f)
{
	size_t at = begin_record(0, PERF_RECORD_MISC_USER);

	(void)f;
	put_u32(-1);
	put("twenty bytes of an id\0\0\0", 24);
	put_text("/bin/sh");
	end_record(at);
}

static void put_hostname(const struct file *f)
{
	(void)f;
	put_string("box");
}

static void put_cpus(const struct file *f)
{
	(void)f;
	put_u64(4ull << 32 | 4);
}

/* Two cores of two CPUs, and their numbers. */
static void put_topology(const struct file *f)
{
	unsigned int cpu;

	(void)f;
	put_u32(1);
	put_string("0-3");
	put_u32(2);
	put_string("0,2");
	put_string("1,3");
	for (cpu = 0; cpu < 4; cpu++)
		put_u64(cpu % 2);
}

static void put_command(const struct file *f)
{
	(void)f;
	put_u32(2);
	put_string("pmuctl");
	put_string("record");
}

/* One process, and its user: 4 bytes each. */
static void put_owners(const struct file *f)
{
	(void)f;
	put_u32(1);
	put_u64(1000ull << 32 | 1);
}

static const struct {
	unsigned int bit;
	void (*put)(const struct file *f);
} features[] = {
	{ 2, put_build_id }, { 3, put_hostname }, { 4, put_hostname }, { 6, put_hostname },
	{ 7, put_cpus }, { 9, put_hostname }, { 11, put_command }, { 12, put_event_desc },
	{ 13, put_topology }, { 63, put_owners },
};

#define FEATURES (sizeof(features) / sizeof(features[0]))

static void put_features(const struct file *f)
{
	size_t index = used, i, start;
	uint64_t bits = 0;

	used += FEATURES * 16;
	for (i = 0; i < FEATURES; i++) {
		start = used;
		features[i].put(f);
		set_u64(index + 16 * i, start);
		set_u64(index + 16 * i + 8, used - start);
		bits |= 1ull << features[i].bit;
	}
	set_u64(AT_FEATURES, bits);
}

static void put_file(const struct file *f)
{
	size_t start;

	memset(bytes, 0, sizeof(bytes));
	used = 0;
	put("PERFILE2", 8);
	put_u64(HEADER_SIZE);
	put_u64(f->attr_size + 16);
	used = HEADER_SIZE;
	put_attrs(f);
	start = used;
	set_u64(AT_DATA, start);
	put_records(f);
	if (f->closed)
		set_u64(AT_DATA + 8, used - start);
	if (f->features)
		put_features(f);
}

/* The same as it goes to a pipe, with the formats of tracepoints, which nobody reads. */
static void put_piped(const struct file *f)
{
	struct perf_event_attr attr;
	unsigned int i;
	size_t at;

	memset(bytes, 0, sizeof(bytes));
	used = 0;
	put("PERFILE2", 8);
	put_u64(16);
	for (i = 0; i < f->events; i++) {
		at = begin_record(64, 0);
		attr = attr_of(f, i);
		put(&attr, f->attr_size);
		put_u64(ID(i));
		end_record(at);
	}
	at = begin_record(66, 0);
	put_u32(5);
	end_record(at);
	put_u64(0);
	put_records(f);
	for (i = 0; i < FEATURES; i++) {
		at = begin_record(80, 0);
		put_u64(features[i].bit);
		features[i].put(f);
		end_record(at);
	}
}

#define PLAIN (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)
#define MEMORY (PLAIN | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CPU | PERF_SAMPLE_ADDR | \
		PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_REGS_INTR)

static const struct {
	const char *name;
	struct file file;
} files[] = {
	{ "plain", { .sample_type = PLAIN, .events = 1, .attr_size = 112, .closed = true } },
	{ "open", { .sample_type = PLAIN | PERF_SAMPLE_IDENTIFIER, .events = 2,
		    .attr_size = 112 } },
	{ "memory", { .sample_type = MEMORY, .events = 2, .attr_size = 112, .closed = true,
		      .features = true } },
	{ "chains", { .sample_type = PLAIN | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
				     PERF_SAMPLE_STACK_USER,
		      .events = 1, .attr_size = 128, .closed = true, .features = true } },
	{ "branches", { .sample_type = PLAIN | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_BRANCH_STACK |
				       PERF_SAMPLE_WEIGHT_STRUCT,
			.events = 1, .attr_size = 112, .closed = true, .features = true } },
	{ "timeless", { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID, .events = 1,
			.attr_size = 64, .closed = true } },
};

void seeds_of_perfdata(const char *directory)
{
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		put_file(&files[i].file);
		save(directory, files[i].name);
	}
	put_piped(&files[2].file);
	save(directory, "piped");
}
