// SPDX-License-Identifier: GPL-2.0-only
/*
 * Questions about PEBS, in the kernel's mode alone: so its buffer may lie anywhere in the
 * kernel's memory, with page-table isolation or without.
 */
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/msr.h>
#include <asm/processor.h>

#include "kit.h"

#define CTRL		MSR_CORE_PERF_GLOBAL_CTRL
#define STATUS		MSR_CORE_PERF_GLOBAL_STATUS
#define BUFFER_BIT	BIT_ULL(62)
#define FREEZE_ON_PMI	BIT_ULL(12)

#define PERIOD		1000
#define ROUNDS		9000
#define RUNS		16
#define BUFFER_SIZE	4096	/* a Core 2 hangs with more */

/* SDM volume 3, figure 18-18 and table 18-23, and the resets of later processors. */
struct kit_ds {
	u64 bts[4];
	u64 base, index, maximum, threshold;
	u64 reset[48];
};

/* Bytes of a record, and the word of it that names counters (0: none). */
static const struct {
	u16 size, names;
} formats[] = {
	{ 144, 0 }, { 176, 18 }, { 192, 18 }, { 200, 18 }, { 32, 2 },
};

static struct kit_ds *ds;
static u64 *buffer;

int kit_pebs_init(void)
{
	ds = (struct kit_ds *)get_zeroed_page(GFP_KERNEL);
	buffer = (u64 *)get_zeroed_page(GFP_KERNEL);
	return ds && buffer ? 0 : -ENOMEM;
}

void kit_pebs_exit(void)
{
	free_page((unsigned long)ds);
	free_page((unsigned long)buffer);
}

static bool is_absent(struct kit_answer *answer)
{
	if (!kit_cpu.pebs)
		kit_say(answer, KIT_ABSENT, "no PEBS");
	else if (boot_cpu_data.x86_model == 15)
		kit_say(answer, KIT_ABSENT, "PEBS of this model may hang it (AJ67)");
	else if (kit_cpu.pebs_format >= ARRAY_SIZE(formats))
		kit_say(answer, KIT_ABSENT, "PEBS records of format %u are not known here",
			kit_cpu.pebs_format);
	else
		return false;
	return true;
}

static unsigned int size_of_record(void)
{
	return formats[kit_cpu.pebs_format].size;
}

static u64 records(void)
{
	return (ds->index - ds->base) / size_of_record();
}

static u64 names_of(u64 record)
{
	unsigned int at = formats[kit_cpu.pebs_format].names;

	return at ? buffer[record * size_of_record() / 8 + at] : 0;
}

/* least: records until the threshold; 0: it is never reached. */
static void set_up(u64 counters, unsigned int least)
{
	memset(ds, 0, sizeof(*ds));
	memset(buffer, 0, BUFFER_SIZE);
	ds->base = (unsigned long)buffer;
	ds->index = ds->base;
	ds->maximum = ds->base + BUFFER_SIZE;
	ds->threshold = least ? ds->base + least * size_of_record() : ds->maximum;
	kit_clear_status();
	kit_wrmsr(MSR_IA32_DS_AREA, (unsigned long)ds);
	kit_wrmsr(MSR_PEBS_DATA_CFG, 0);
	kit_wrmsr(MSR_IA32_PEBS_ENABLE, counters);
}

static void set_reset(unsigned int counter, u64 events)
{
	ds->reset[counter] = -events & kit_cpu.mask;
}

static void end(void)
{
	kit_wrmsr(CTRL, 0);
	kit_wrmsr(MSR_IA32_PEBS_ENABLE, 0);
}

/* --- which events make records --- */

static u64 records_of(u64 code)
{
	set_up(BIT(0), 0);
	set_reset(0, PERIOD);
	kit_program(0, code, 0, PERIOD);
	kit_loop(CTRL, BIT(0), 0, ROUNDS);
	end();
	return records();
}

/* The first of them that makes some, or 0. */
static u64 one_with_records(u64 first, u64 second, u64 third)
{
	u64 codes[] = { first, second, third };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(codes); i++)
		if (codes[i] && records_of(codes[i]) >= 4)
			return codes[i];
	return 0;
}

static u64 branches_with_records(void)
{
	return one_with_records(EVENT_BRANCHES, EVENT_ALL_BRANCHES, 0);
}

static bool has_no_event(struct kit_answer *answer, u64 code, const char *what)
{
	if (!code)
		kit_say(answer, KIT_ABSENT, "no event of %s makes records on counter 0", what);
	return !code;
}

void kit_ask_records(struct kit_answer *answer)
{
	u64 instructions, branches, all;

	if (is_absent(answer))
		return;
	instructions = records_of(EVENT_INSTRUCTIONS);
	branches = records_of(EVENT_BRANCHES);
	all = records_of(EVENT_ALL_BRANCHES);
	kit_say(answer, instructions ? KIT_YES : KIT_NO,
		"format %u; of %u instructions and %u branches, a record every %u: 00C0H %llu, 00C4H %llu, 04C4H %llu",
		kit_cpu.pebs_format, 2 * ROUNDS, ROUNDS, PERIOD, instructions, branches, all);
}

/* --- what records do to counters and status --- */

struct sum {
	u64 code, records, nameless, own_bits;
	s64 lacks;		/* events that the counter with records did not count */
};

/* The same events by a counter with records and by one without. */
static void one_run(struct sum *sum)
{
	u64 start, other, made, i;

	set_up(BIT(0), 0);
	set_reset(0, PERIOD);
	kit_program(0, sum->code, 0, PERIOD);
	kit_program(1, sum->code, 0, BIT(30));
	start = kit_counted(0);
	other = kit_counted(1);
	kit_loop(CTRL, BIT(0) | BIT(1), 0, ROUNDS);
	end();
	made = records();
	sum->records += made;
	sum->lacks += (kit_counted(1) - other) - made * PERIOD -
		      (s64)sign_extend64((kit_counted(0) - start) & kit_cpu.mask,
					 fls64(kit_cpu.mask) - 1);
	for (i = 0; i < made; i++)
		sum->nameless += !(names_of(i) & 0xff);
	sum->own_bits += made && kit_rdmsr(STATUS) & BIT(0);
}

static bool all_runs(struct kit_answer *answer, struct sum *sum)
{
	unsigned int i;

	memset(sum, 0, sizeof(*sum));
	if (is_absent(answer))
		return false;
	sum->code = one_with_records(EVENT_INSTRUCTIONS, EVENT_BRANCHES, EVENT_ALL_BRANCHES);
	if (has_no_event(answer, sum->code, "instructions or branches"))
		return false;
	for (i = 0; i < RUNS; i++)
		one_run(sum);
	return true;
}

void kit_ask_counts_recorded(struct kit_answer *answer)
{
	enum kit_verdict verdict = KIT_UNKNOWN;
	struct sum sum;
	s64 hundredths;

	if (!all_runs(answer, &sum))
		return;
	hundredths = sum.lacks * 100 / (s64)sum.records;
	if (abs(hundredths) < 25)
		verdict = KIT_YES;
	else if (abs(hundredths - 100) < 25)
		verdict = KIT_NO;
	kit_say(answer, verdict,
		"reset -N, %llu records of %04llXH: N %s %lld.%02lld events from one to the next",
		sum.records, sum.code, hundredths < 0 ? "-" : "+", abs(hundredths) / 100,
		abs(hundredths) % 100);
}

void kit_ask_names_none(struct kit_answer *answer)
{
	struct sum sum;

	if (!all_runs(answer, &sum))
		return;
	if (!formats[kit_cpu.pebs_format].names) {
		kit_say(answer, KIT_ABSENT, "records of format 0 name no counter");
		return;
	}
	kit_say(answer, sum.nameless ? KIT_YES : KIT_NO, "%llu of %llu records name no counter",
		sum.nameless, sum.records);
}

void kit_ask_own_bits(struct kit_answer *answer)
{
	struct sum sum;

	if (!all_runs(answer, &sum))
		return;
	kit_say(answer, sum.own_bits ? KIT_YES : KIT_NO,
		"GLOBAL_STATUS has the counter's bit behind its records in %llu of %u runs",
		sum.own_bits, RUNS);
}

/* --- a counter that is ready --- */

/* Records of a branch that follows the overflow, the counter stopped in between. */
static u64 records_of_ready(u64 code, bool write, u64 *early)
{
	set_up(BIT(0), 0);
	set_reset(0, PERIOD);
	kit_program(0, code, 0, 1);
	kit_one_branch(BIT(0));
	*early += records();
	if (write)
		kit_program(0, code, 0, PERIOD);
	kit_one_branch(BIT(0));
	end();
	return records();
}

void kit_ask_stays_ready(struct kit_answer *answer)
{
	u64 code, written = 0, left = 0, early = 0;
	int i;

	if (is_absent(answer))
		return;
	code = branches_with_records();
	if (has_no_event(answer, code, "branches"))
		return;
	for (i = 0; i < RUNS; i++) {
		left += records_of_ready(code, false, &early);
		written += records_of_ready(code, true, &early);
	}
	kit_say(answer, early || !left ? KIT_UNKNOWN : written ? KIT_YES : KIT_NO,
		"of %d that were ready %llu had a record after a stop alone, %llu after a stop and a write (%llu before both)",
		RUNS, left, written, early);
}

/* Counter 0 is ready from the branch on when counter 1 has its record. */
static u64 named_beside_ready(u64 code)
{
	set_up(BIT(0) | BIT(1), 0);
	set_reset(0, PERIOD);
	set_reset(1, PERIOD);
	kit_program(0, code, 0, 1);
	kit_program(1, EVENT_INSTRUCTIONS, 0, 200);
	kit_one_branch(BIT(0) | BIT(1));
	end();
	return records() ? names_of(0) : 0;
}

void kit_ask_names_ready(struct kit_answer *answer)
{
	unsigned int i, own = 0, both = 0, none = 0;
	u64 code, names;

	if (is_absent(answer))
		return;
	if (!formats[kit_cpu.pebs_format].names) {
		kit_say(answer, KIT_ABSENT, "records of format 0 name no counter");
		return;
	}
	code = branches_with_records();
	if (has_no_event(answer, code, "branches") ||
	    has_no_event(answer, records_of(EVENT_INSTRUCTIONS), "instructions"))
		return;
	for (i = 0; i < RUNS; i++) {
		names = named_beside_ready(code) & 3;
		own += names == BIT(1);
		both += names == 3;
		none += !names;
	}
	kit_say(answer, both ? KIT_YES : own ? KIT_NO : KIT_UNKNOWN,
		"of %u records beside a counter that was ready %u name their own, %u that as well, %u none",
		RUNS, own, both, none);
}

/* --- a buffer that is full --- */

static u64 status_when_full(u64 code, u64 debugctl)
{
	u64 status;

	set_up(BIT(0), 2);
	set_reset(0, PERIOD);
	kit_program(0, code, 0, PERIOD);
	kit_wrmsr(MSR_IA32_DEBUGCTLMSR, debugctl);
	kit_loop(CTRL, BIT(0), 0, ROUNDS);
	status = kit_rdmsr(STATUS);
	kit_wrmsr(MSR_IA32_DEBUGCTLMSR, 0);
	end();
	return ds->index >= ds->threshold ? status : 0;
}

void kit_ask_no_buffer_bit(struct kit_answer *answer)
{
	bool plain, freezing;
	u64 code;

	if (is_absent(answer))
		return;
	code = one_with_records(EVENT_INSTRUCTIONS, EVENT_BRANCHES, EVENT_ALL_BRANCHES);
	if (has_no_event(answer, code, "instructions or branches"))
		return;
	plain = status_when_full(code, 0) & BUFFER_BIT;
	freezing = status_when_full(code, FREEZE_ON_PMI) & BUFFER_BIT;
	kit_say(answer, plain ? KIT_NO : freezing ? KIT_YES : KIT_UNKNOWN,
		"a full buffer sets bit 62 of GLOBAL_STATUS: %s; with DEBUGCTL[12]: %s",
		plain ? "yes" : "no", freezing ? "yes" : "no");
}
