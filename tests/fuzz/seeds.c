// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes what the fuzzers start from: seeds FUZZER DIRECTORY
 *
 * Small files of every kind of record, field and feature, so that a fuzzer need
 * not find out by itself what one looks like.
 */
#include <dwarf.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/uapi/pmuctl.h"
#include "../../lib/unwind/unwind.h"
#include "seeds.h"

unsigned char bytes[1 << 16];
size_t used;

void put(const void *from, size_t size)
{
	memcpy(bytes + used, from, size);
	used += size;
}

void put_u64(uint64_t value)
{
	put(&value, sizeof(value));
}

void put_u32(uint32_t value)
{
	put(&value, sizeof(value));
}

void put_text(const char *text)
{
	size_t size = strlen(text) + 1;

	put(text, size);
	while (size++ % 8)
		bytes[used++] = 0;
}

void set_u64(size_t at, uint64_t value)
{
	memcpy(bytes + at, &value, sizeof(value));
}

void put_list(uint64_t count, unsigned int words)
{
	uint64_t i;

	put_u64(count);
	for (i = 0; i < count * words; i++)
		put_u64(0x400100 + 16 * i);
}

void put_chain(void)
{
	put_u64(5);
	put_u64(PERF_CONTEXT_KERNEL);
	put_u64(0xffffffff81000100);
	put_u64(PERF_CONTEXT_USER);
	put_u64(0x400100);
	put_u64(0x400200);
}

void save(const char *directory, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	f = fopen(path, "w");
	if (!f || fwrite(bytes, used, 1, f) != 1 || fclose(f)) {
		perror(path);
		exit(1);
	}
}

/* ---- records of the module ------------------------------------------------- */

static void put_head(uint16_t type, uint16_t event, uint16_t flags, uint16_t size)
{
	const struct pmuctl_record record = { .type = type, .size = size, .event = event,
					      .flags = flags, .time = 1000 + used };

	put(&record, sizeof(record));
}

/* tests/fuzz/records.c has events of these contents, in this order. */
static const uint64_t contents[] = {
	0, PMUCTL_CONTENT_ADDR | PMUCTL_CONTENT_LATENCY | PMUCTL_CONTENT_DATA_SRC,
	PMUCTL_CONTENT_REGS, PMUCTL_CONTENT_CHAIN, PMUCTL_CONTENT_BRANCHES,
	PMUCTL_CONTENT_REGS | PMUCTL_CONTENT_BLOCK, 0x7f,
	PMUCTL_CONTENT_CHAIN | PMUCTL_CONTENT_STACK, PMUCTL_CONTENT_CHAIN | PMUCTL_CONTENT_TOP,
};

static void put_user_stack(void)
{
	static const struct pmuctl_user_regs regs = { .regs.ip = 0x400120, .regs.sp = 0x7fff0000 };

	put_u64(PMUCTL_USER_ABI_64);
	put(&regs, sizeof(regs));
	put_u64(21);
	put("a stack of some bytes\0\0", 24);
}

static void put_contents(uint64_t content)
{
	static const struct pmuctl_sample_regs regs = { .ip = 0x400120, .sp = 0x7fff0000 };
	unsigned int bit;

	for (bit = 0; bit < 3; bit++)
		if (content & 1 << bit)
			put_u64(0x7fff0000 + bit);
	if (content & PMUCTL_CONTENT_REGS)
		put(&regs, sizeof(regs));
	if (content & PMUCTL_CONTENT_CHAIN)
		put_chain();
	if (content & PMUCTL_CONTENT_BRANCHES)
		put_list(2, 3);
	if (content & PMUCTL_CONTENT_BLOCK)
		put_u64(0x400100);
	if (content & PMUCTL_CONTENT_STACK)
		put_user_stack();
	if (content & PMUCTL_CONTENT_TOP)
		put_list(2, 1);
}

static void put_ring_sample(uint16_t event)
{
	struct pmuctl_sample sample = { .pid = 1, .tid = 1, .ip = 0x400123, .period = 1000 };
	size_t at = used;

	used += sizeof(sample);
	put_contents(contents[event]);
	sample.record = (struct pmuctl_record){
		.type = PMUCTL_RECORD_SAMPLE, .size = used - at, .event = event,
		.flags = event % 2 ? PMUCTL_RECORD_USER | PMUCTL_RECORD_EXACT :
			 PMUCTL_RECORD_USER | PMUCTL_RECORD_UNCERTAIN, .time = 1000,
	};
	memcpy(bytes + at, &sample, sizeof(sample));
}

static void write_records(const char *directory)
{
	unsigned int i;

	for (i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
		char name[16];

		used = 0;
		bytes[used++] = i;	/* which generation of CPUs */
		put_ring_sample(i);
		put_head(PMUCTL_RECORD_LOST, i, 0, sizeof(struct pmuctl_lost));
		put_u64(3);
		put_head(PMUCTL_RECORD_THROTTLE, i, 0, sizeof(struct pmuctl_record));
		put_head(PMUCTL_RECORD_UNTHROTTLE, i, 0, sizeof(struct pmuctl_record));
		put_ring_sample(0);
		snprintf(name, sizeof(name), "records-%u", i);
		save(directory, name);
	}
}

/* ---- instructions ----------------------------------------------------------- */

static void write_code(const char *directory)
{
	/* A load, a store with an index, a string, a call, a vector, a gather, a jump. */
	static const unsigned char code[] = {
		0x48, 0x8b, 0x03, 0x89, 0x44, 0x8f, 0x10, 0xf3, 0xa4, 0xe8, 0, 1, 0, 0,
		0xc5, 0xfd, 0x6f, 0x46, 0x20, 0xc4, 0xe2, 0xf5, 0x90, 0x04, 0xcf, 0x5d,
		0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0, 0xff, 0x15, 0, 2, 0, 0, 0x75, 0xe3,
	};

	used = 0;
	put(code, sizeof(code));
	save(directory, "code");
}

/* ---- Intel's files, and formulas ---------------------------------------------- */

static void save_text(const char *directory, const char *name, const char *kind, const char *text)
{
	used = 0;
	put(kind, strlen(kind));
	put(text, strlen(text));
	save(directory, name);
}

static void write_files_of_intel(const char *directory)
{
	save_text(directory, "events", "0",
		  "{\"Header\": {\"Info\": \"x\"}, \"Events\": [{\"EventCode\": \"0xB7, 0xBB\",\n"
		  "\"UMask\": \"0x01\", \"EventName\": \"SOME.EVENT\", \"Counter\": \"0,1,2,3\",\n"
		  "\"BriefDescription\": \"what it counts\", \"CounterMask\": \"1\", \"Invert\": 0,\n"
		  "\"MSRIndex\": \"0x1a6,0x1a7\", \"MSRValue\": \"0x3F80\", \"Errata\": \"null\",\n"
		  "\"EdgeDetect\": \"0\", \"AnyThread\": \"0\", \"Deprecated\": \"1\"}]}");
	save_text(directory, "list", "0",
		  "[{\"EventCode\": \"0x00\", \"UMask\": \"0x02\", \"EventName\": \"FIXED\",\n"
		  "\"Counter\": \"Fixed counter 1\", \"MSRIndex\": \"0\", \"MSRValue\": null}]");
	save_text(directory, "metrics", "1",
		  "{\"Metrics\": [{\"MetricName\": \"some\", \"BriefDescription\": \"a ratio\",\n"
		  "\"UnitOfMeasure\": \"percent\", \"MetricGroup\": \"A;B\",\n"
		  "\"Events\": [{\"Name\": \"SOME.EVENT:c1:e1\", \"Alias\": \"a\"}],\n"
		  "\"Constants\": [{\"Name\": \"4\", \"Alias\": \"b\"}],\n"
		  "\"Formula\": \"100 * ( a / max( b , 1 ) )\", \"Category\": \"TMA\",\n"
		  "\"Threshold\": {\"Formula\": \"a > 10\", \"ThresholdMetrics\":\n"
		  "[{\"Alias\": \"a\", \"Value\": \"metric_some\"}]}}]}");
}

static void save_texts(const char *directory, const char *const *texts, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		char name[32];

		snprintf(name, sizeof(name), "text-%zu", i);
		save_text(directory, name, "", texts[i]);
	}
}

static void write_formulas(const char *directory)
{
	static const char *const texts[] = {
		"a / b", "1.5e3 * ( A.B:c1 + #Width ) % 7", "max( a , min( b - 1 , -c ) )",
		"a if b > 0 else c if d <= 2 else 3", "( a & b ) | ( c == d ) | e != f",
		"d_ratio( IDQ.CORE , 4 * CLKS ) >= 0.1", "EVENT:u0x80:cmask=1 < - 2",
	};

	save_texts(directory, texts, sizeof(texts) / sizeof(texts[0]));
	/* Of a fraction more digits than any number has. */
	used = 0;
	put("1.", 2);
	memset(bytes + used, '3', 400);
	used += 400;
	save(directory, "long");
}

/* ---- the unwinder: what unwind.c takes, in its order -------------------------- */

static void write_frames(const char *directory)
{
	/* Of a call: CFA is SP + 16.  Of a signal: computed, as in a stub. */
	static const struct rule_row rows[2] = {
		{ .cfa = { RULE_SUM, RULE_SP, 0, 0, 16 },
		  .registers = { [RULE_SP] = { .kind = RULE_IS_CFA },
				 [RULE_RA] = { RULE_AT_CFA, 0, 0, 0, -8 } } },
		{ .cfa = { RULE_IS_EXPRESSION, 0, 0, 4, 0 }, .ops_count = 5,
		  .registers = { [RULE_SP] = { .kind = RULE_IS_CFA },
				 [RULE_RA] = { RULE_AT_EXPRESSION, 0, 4, 1, 0 } },
		  .ops = { { DW_OP_breg7, 8, 0 }, { DW_OP_lit3, 0, 0 }, { DW_OP_shl, 0, 0 },
			   { DW_OP_deref, 0, 0 }, { DW_OP_breg7, 8, 0 } } },
	};
	struct frame frame = { .known = UINT32_MAX };
	int i;

	frame.registers[RULE_SP] = 0x10000;
	used = 0;
	put("\x81", 2);
	put(&frame, sizeof(frame));
	for (i = 0; i < 2; i++)
		put(&rows[i], offsetof(struct rule_row, ops) +
			      rows[i].ops_count * sizeof(rows[i].ops[0]));
	for (i = 0; i < 64; i++)
		put_u64(0x10000 + 16 * i);
	save(directory, "frames");
}

/* ---- jit-PID.dump: what jitdump.c maps --------------------------------------------------- */

static size_t begin_jit(uint32_t what, uint64_t time)
{
	size_t at = used;

	put_u32(what);
	put_u32(0);
	put_u64(time);
	return at;
}

static void end_jit(size_t at)
{
	uint32_t size = (uint32_t)(used - at);

	memcpy(bytes + at + 4, &size, sizeof(size));
}

static void write_jitdump(const char *directory)
{
	static const uint32_t head[] = { 0x4a695444, 1, 40, 62, 0, 7 };
	static const uint64_t place[] = { 0x1000, 0x1000, 16, 1 };
	static const uint64_t moved[] = { 0x1020, 0x1000, 0x1020, 16, 1 };
	size_t at;

	used = 0;
	put(head, sizeof(head));
	put_u64(10);
	put_u64(0);
	at = begin_jit(2, 100);
	put_u64(0x1000);
	put_u64(1);
	put_u64(0x1000);
	put_u64(11);
	put("a.js", 5);
	end_jit(at);
	at = begin_jit(0, 100);
	put_u64(7ull << 32 | 7);
	put(place, sizeof(place));
	put("work", 5);
	put("\x48\xff\xcf\x75\xfb\xc3\x90\x90\x48\xff\xcf\x75\xfb\xc3\x90\x90", 16);
	end_jit(at);
	at = begin_jit(1, 300);
	put_u64(7ull << 32 | 7);
	put(moved, sizeof(moved));
	end_jit(at);
	save(directory, "code");
}

/* ---- names of events ---------------------------------------------------------- */

static void write_events(const char *directory)
{
	/* The first letter says on which CPU: events.c has seven, and 'i' is the first. */
	static const char *const texts[] = {
		"icycles:u,{instructions:k,branches:D}:u,r01c0", "ibranch-misses:edge:cmask=3:inv:p",
		"icpu/event=0xd1,umask=8,cmask=1,inv,name=x/u", "icpu/branch-misses,period=100/pp",
		"iMEM_LOAD_RETIRED.L1_MISS:ldlat=30", "iOFFCORE_RESPONSE_0:offcore_rsp=0x3f80400001",
		"iFRONTEND_RETIRED:IDQ_4_BUBBLES:FE_THRES=4", "iL1-dcache-load-misses:upp", "jslots",
		"jtopdown-retiring:u", "kl1d-load-misses:ppp", "lcycles", "mcycles:t0usr:t1os",
		"mreplay_event:NBOGUS:tag=1stL_cache_load_miss_retired", "m1stL_cache_load_miss_retired",
		"minstr_retired:NBOGUSNTAG:threshold=3:complement:edge", "nuops_retired:nbogus:bogus",
		"ncpu/escr=0x4000204,cccr=0x39000,counters=0x30000/", "oINST_RETIRED:u:c=1:i:e",
	};

	save_texts(directory, texts, sizeof(texts) / sizeof(texts[0]));
}

static const struct {
	const char *fuzzer;
	void (*write)(const char *directory);
} all[] = {
	{ "perfdata", seeds_of_perfdata },
	{ "records", write_records },
	{ "insn", write_code },
	{ "metrics", write_files_of_intel },
	{ "formula", write_formulas },
	{ "events", write_events },
	{ "unwind", write_frames },
	{ "jitdump", write_jitdump },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc == 3 && i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(argv[1], all[i].fuzzer) != 0)
			continue;
		all[i].write(argv[2]);
		return 0;
	}
	return 2;
}
