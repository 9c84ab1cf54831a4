// SPDX-License-Identifier: GPL-2.0-only
/*
 * Architectural PEBS of the perfmon backend against the model: what there is, the registers of
 * counters and of the buffer, what is found and given back, what is tried.
 */
#include "tests/unit/kmod/perfmon_host.h"

#include "kmod/pmu/ds_area.h"
#include "kmod/pmu/pebs_records.h"

#define MSR_BASE 0x3f4
#define MSR_INDEX 0x3f5
#define GP_CFG_C(n) (0x1903 + 4 * (n))
#define FIXED_CFG_C(n) (0x1983 + 4 * (n))

#define BIT(n) (UINT64_C(1) << (n))
#define CFG_LBR (UINT64_C(3) << 40)
#define CFG_GPR BIT(61)
#define CFG_AUX BIT(62)
#define CFG_PEBS BIT(63)
#define INDEX_FULL BIT(31)
#define INDEX_ON BIT(32)
#define LIMIT(bytes) ((uint64_t)(bytes) << 32)

#define BUFFER UINT64_C(0x12345000)	/* physical */
#define ORDER 2

static const struct pmuctl_buffer *buffer;
static uint64_t memory[512 << ORDER];
static struct pmuctl_ds ds;

SETUP_NAMED(pantherlake, "pantherlake", 0xc06c3, 6, 10, 4, 48, 0x1d7f, 0, false)

/* --- facts --- */

static void facts(void **state)
{
	(void)state;
	assert_true(pmuctl_caps.has_pebs);
	assert_true(pmuctl_caps.has_retire);
	assert_int_equal(pmuctl_caps.pebs_format, 15);
	assert_true(pmuctl_caps.pebs_counters == UINT64_C(0xf000003ff));
	assert_true(pmuctl_caps.pebs_groups == (PEBS_CFG_MEMORY | PEBS_CFG_GPR | PEBS_CFG_LBR |
						PEBS_CFG_COUNTERS));
	assert_true(pmuctl_caps.pebs_most == BIT(31));
}

/* A hypervisor may have the leaf and no registers; nobody knows what an unknown one records. */
static void without(void **state)
{
	(void)state;
	fake.hidden = MSR_INDEX;
	assert_int_equal(probe_again(), 0);
	assert_false(pmuctl_caps.has_pebs);
	assert_int_equal(pmuctl_caps.pebs_format, 0);
	fake.hidden = MSR_BASE;
	assert_int_equal(probe_again(), 0);
	assert_false(pmuctl_caps.has_pebs);
	fake.hidden = 0;
	fake.signature = 0xf06f0;
	assert_int_equal(probe_again(), 0);
	assert_false(pmuctl_caps.has_pebs);
	assert_int_equal(pmuctl_caps.pebs_format, 0);
}

/* --- events --- */

static struct pmuctl_event recorded(uint64_t evtsel, unsigned int counter, uint64_t content)
{
	struct pmuctl_event event = {
		.evtsel = evtsel, .allowed = BIT(counter), .flags = PMUCTL_EVENT_USER,
		.sampled = true, .period = 1000, .precise = 2, .content = content,
		.counter = counter, .slot = pmuctl_slot(counter),
	};
	struct pmuctl_reg reg;

	assert_int_equal(perfmon->validate(&event, NULL), 0);
	perfmon->encode(&event, &reg);
	return event;
}

static int period_is(uint64_t period)
{
	struct pmuctl_event event = {
		.evtsel = 0xc0, .allowed = 1, .flags = PMUCTL_EVENT_USER, .sampled = true,
		.period = period, .precise = 2,
	};

	return perfmon->validate(&event, NULL);
}

static void periods_have_32_bits(void **state)
{
	(void)state;
	assert_int_equal(period_is(2), 0);
	assert_int_equal(period_is(BIT(31)), 0);
	assert_int_equal(period_is(BIT(31) + 1), -ERANGE);
	assert_non_null(strstr(said, "2 to 2147483648"));
}

/* What a record has is in CFG_C; fixed counters have the bit that Linux sets as well. */
static void adaptive_is_of_fixed_counters(void **state)
{
	struct pmuctl_event event = recorded(0xc0, 1, 0);

	(void)state;
	assert_false(event.config & (BIT(34) | INT));
	assert_true(recorded(0xc0, 32, 0).config & BIT(32));
	pmuctl_caps.capabilities &= ~BIT(14);
	assert_false(recorded(0xc0, 32, 0).config & BIT(32));
}

static void groups_that_are_not_there(void **state)
{
	struct pmuctl_event event = {
		.evtsel = 0xc0, .allowed = 1, .flags = PMUCTL_EVENT_USER, .sampled = true,
		.period = 1000, .precise = 2, .content = PMUCTL_CONTENT_ADDR,
	};

	(void)state;
	pmuctl_caps.pebs_groups = 0;
	assert_int_equal(perfmon->validate(&event, NULL), -EOPNOTSUPP);
	event = recorded(0xc0, 1, PMUCTL_CONTENT_BRANCHES);
	assert_true(event.pebs_cfg == 0);
	assert_true(event.lbr);
}

/* --- registers --- */

static void with_buffer(void)
{
	perfmon->reset(&regs);
	ds = (struct pmuctl_ds){ .records = memory, .size = sizeof(memory) };
	buffer->on(&regs, &ds, BUFFER, ORDER);
}

static uint64_t cfg(unsigned int counter)
{
	return host_rdmsr(&cpu, counter < 32 ? GP_CFG_C(counter) : FIXED_CFG_C(counter - 32));
}

static void each_counter_has_its_own(void **state)
{
	struct pmuctl_event a = recorded(0xc0, 1, PMUCTL_CONTENT_REGS);
	struct pmuctl_event b = recorded(0xc0, 32, PMUCTL_CONTENT_BRANCHES);
	struct pmuctl_event c = recorded(0x81d0, 2, PMUCTL_CONTENT_ADDR);
	struct pmuctl_event other = recorded(0xc4, 1, 0), plain = event_on(1, 0xc4, 1);

	(void)state;
	perfmon->reset(&regs);
	/* Without a buffer there is nowhere to record. */
	perfmon->program(&regs, &a);
	assert_true(cfg(1) == 0);
	with_buffer();
	perfmon->program(&regs, &a);
	perfmon->program(&regs, &b);
	perfmon->program(&regs, &c);
	assert_true(cfg(1) == (CFG_PEBS | CFG_GPR));
	assert_true(cfg(32) == (CFG_PEBS | CFG_LBR));
	assert_true(cfg(2) == (CFG_PEBS | CFG_AUX));
	assert_true(regs.pebs == (BIT(1) | BIT(2) | BIT(32)));
	/* The same counter goes on to record, but less. */
	perfmon->program(&regs, &other);
	assert_true(cfg(1) == CFG_PEBS);
	perfmon->program(&regs, &plain);
	assert_true(cfg(1) == 0);
	assert_true(cfg(2) == (CFG_PEBS | CFG_AUX));
	perfmon->reset(&regs);
	assert_true(cfg(2) == 0 && cfg(32) == 0);
}

/* Those of the group let themselves be recorded, as long as one records them. */
static void counters_in_records_of_others(void **state)
{
	struct pmuctl_event a = recorded(0xc0, 1, 0), plain = event_on(1, 0xc4, 1);
	struct pmuctl_reg reg;

	(void)state;
	a.content = PMUCTL_CONTENT_COUNTS;
	a.counters_along = BIT(3) | BIT(33);
	perfmon->encode(&a, &reg);
	with_buffer();
	perfmon->program(&regs, &a);
	assert_true(cfg(1) == (CFG_PEBS | BIT(36) | BIT(37)));
	assert_true(cfg(3) == BIT(35));
	assert_true(cfg(33) == BIT(35));
	assert_true(cfg(2) == 0 && cfg(32) == 0);
	buffer->reload(&regs, 1, (uint32_t)-999);
	buffer->reload(&regs, 3, (uint32_t)-77);
	assert_true(cfg(1) == (CFG_PEBS | BIT(36) | BIT(37) | (uint32_t)-999));
	assert_true(cfg(3) == BIT(35));
	/* Of one that is read along it is seen as well. */
	perfmon->program(&regs, &(struct pmuctl_event){
			 .evtsel = 0xc4, .counter = 3, .slot = 3, .config = 0x5100c4,
			 .flags = PMUCTL_EVENT_USER });
	assert_int_equal(perfmon->disturbed(&regs), 0);
	host_wrmsr(&cpu, GP_CFG_C(3), 0);
	assert_int_equal(perfmon->disturbed(&regs), GP_CFG_C(3));
	assert_true(cfg(3) == BIT(35));
	perfmon->program(&regs, &plain);
	assert_true(cfg(1) == 0 && cfg(3) == 0 && cfg(33) == 0);
	/* Where one of them cannot be recorded, none is. */
	pmuctl_caps.cfg_c &= ~BIT(3);
	perfmon->encode(&a, &reg);
	assert_true(a.pebs_cfg == 0);
	perfmon->reset(&regs);
}

static void reloads_are_beside_the_groups(void **state)
{
	struct pmuctl_event a = recorded(0xc0, 1, PMUCTL_CONTENT_REGS);

	(void)state;
	with_buffer();
	/* Before it is programmed, for when it is. */
	buffer->reload(&regs, 1, (uint32_t)-999);
	assert_true(cfg(1) == 0);
	perfmon->program(&regs, &a);
	assert_true(cfg(1) == (CFG_PEBS | CFG_GPR | (uint32_t)-999));
	writes = 0;
	buffer->reload(&regs, 1, (uint32_t)-999);
	assert_int_equal(writes, 0);
	buffer->reload(&regs, 1, 0x80000000);
	assert_true(cfg(1) == (CFG_PEBS | CFG_GPR | 0x80000000));
	/* It was ready, and is not any more. */
	writes = 0;
	perfmon->pebs_unready(&regs, 1);
	assert_int_equal(writes, 2);
	assert_true(cfg(1) == (CFG_PEBS | CFG_GPR | 0x80000000));
	perfmon->pebs_pause(&regs);
	assert_true(cfg(1) == 0);
	perfmon->pebs_resume(&regs);
	assert_true(cfg(1) == (CFG_PEBS | CFG_GPR | 0x80000000));
	perfmon->reset(&regs);
}

static void look_finds_what_others_write(void **state)
{
	struct pmuctl_event a = recorded(0xc0, 1, 0), b = recorded(0xc0, 32, 0);
	struct pmuctl_event plain = event_on(3, 0xc4, 1);

	(void)state;
	with_buffer();
	perfmon->program(&regs, &a);
	perfmon->program(&regs, &b);
	perfmon->program(&regs, &plain);
	assert_int_equal(perfmon->disturbed(&regs), 0);
	host_wrmsr(&cpu, FIXED_CFG_C(0), 0);
	assert_int_equal(perfmon->disturbed(&regs), FIXED_CFG_C(0));
	assert_true(cfg(32) == CFG_PEBS);
	/* Of one that is not recorded as well, and not where nothing is counted. */
	host_wrmsr(&cpu, GP_CFG_C(3), CFG_PEBS);
	assert_int_equal(perfmon->disturbed(&regs), GP_CFG_C(3));
	assert_true(cfg(3) == 0);
	host_wrmsr(&cpu, GP_CFG_C(5), CFG_GPR);
	assert_int_equal(perfmon->disturbed(&regs), 0);
	host_wrmsr(&cpu, MSR_BASE, BUFFER + 0x1000);
	assert_int_equal(perfmon->disturbed(&regs), MSR_BASE);
	assert_true(host_rdmsr(&cpu, MSR_BASE) == (BUFFER | ORDER));
	perfmon->reset(&regs);
}

/* Linux leaves its buffer there, with the index on, and counters that record. */
static void what_linux_left_comes_back(void **state)
{
	const uint64_t base = 0x54321000 | 4, index = INDEX_ON | LIMIT(0xf000) | 0x40;
	u64 saved[PMUCTL_SAVED_MAX];

	(void)state;
	host_wrmsr(&cpu, MSR_BASE, base);
	host_wrmsr(&cpu, MSR_INDEX, index);
	host_wrmsr(&cpu, GP_CFG_C(9), CFG_PEBS | CFG_GPR | 77);
	perfmon->save(saved);
	with_buffer();
	assert_true(host_rdmsr(&cpu, MSR_BASE) == (BUFFER | ORDER));
	assert_true(cfg(9) == 0);
	perfmon->restore(saved, true);
	assert_true(host_rdmsr(&cpu, MSR_BASE) == base);
	assert_true(host_rdmsr(&cpu, MSR_INDEX) == index);
	assert_true(cfg(9) == (CFG_PEBS | CFG_GPR | 77));
	/* It is not ours by now. */
	buffer->off(&regs);
	assert_true(host_rdmsr(&cpu, MSR_BASE) == base);
	assert_true(host_rdmsr(&cpu, MSR_INDEX) == index);
}

/* --- the buffer --- */

static void a_buffer_is_looked_at(void **state)
{
	struct pmuctl_filled filled;

	(void)state;
	with_buffer();
	assert_true(host_rdmsr(&cpu, MSR_INDEX) == (INDEX_ON | LIMIT(sizeof(memory))));
	filled = buffer->look(&ds);
	assert_false(filled.bytes || filled.due || filled.stopped);
	buffer->limit(&regs, &ds, 0x1000);
	host_wrmsr(&cpu, MSR_INDEX, INDEX_ON | LIMIT(0x1000) | 0xff0);
	filled = buffer->look(&ds);
	assert_int_equal(filled.bytes, 0xff0);
	assert_false(filled.due);
	host_wrmsr(&cpu, MSR_INDEX, INDEX_ON | LIMIT(0x1000) | 0x1000);
	assert_true(buffer->look(&ds).due);
	assert_false(buffer->look(&ds).stopped);
	/* Either may be how it says that there was no room. */
	host_wrmsr(&cpu, MSR_INDEX, INDEX_ON | INDEX_FULL | 0x40);
	assert_true(buffer->look(&ds).stopped && buffer->look(&ds).due);
	host_wrmsr(&cpu, MSR_INDEX, LIMIT(0x1000) | 0x40);
	assert_true(buffer->look(&ds).stopped && buffer->look(&ds).due);
	/* More than there is was never written. */
	host_wrmsr(&cpu, MSR_INDEX, INDEX_ON | 0x7fffff0);
	assert_int_equal(buffer->look(&ds).bytes, sizeof(memory));
	buffer->empty(&ds);
	assert_true(host_rdmsr(&cpu, MSR_INDEX) == (INDEX_ON | LIMIT(0x1000)));
	buffer->off(&regs);
	assert_true(host_rdmsr(&cpu, MSR_INDEX) == 0);
	assert_true(host_rdmsr(&cpu, MSR_BASE) == 0);
}

/* What is in it stays, and nobody writes behind the index that is read. */
static void a_limit_keeps_what_is_there(void **state)
{
	struct pmuctl_event a = recorded(0xc0, 1, 0);

	(void)state;
	with_buffer();
	perfmon->program(&regs, &a);
	perfmon->enable(&regs, BIT(1) | BIT(5));
	host_wrmsr(&cpu, MSR_INDEX, ds.index | 0x80 | INDEX_FULL);
	writes = 0;
	buffer->limit(&regs, &ds, 1);
	/* Off, the index, on again. */
	assert_int_equal(writes, 3);
	assert_true(host_rdmsr(&cpu, MSR_INDEX) == (INDEX_ON | LIMIT(16) | 0x80 | INDEX_FULL));
	assert_true(regs.enabled == (BIT(1) | BIT(5)));
	assert_true(host_rdmsr(&cpu, MSR_GLOBAL_CTRL) == (BIT(1) | BIT(5)));
	buffer->limit(&regs, &ds, 1);
	assert_int_equal(writes, 3);
	perfmon->enable(&regs, BIT(5));
	buffer->limit(&regs, &ds, 33);
	assert_int_equal(writes, 5);
	assert_true(ds.index == (INDEX_ON | LIMIT(32)));
	perfmon->reset(&regs);
}

static void a_full_one_is_an_overflow(void **state)
{
	(void)state;
	with_buffer();
	host_wrmsr(&cpu, MSR_STATUS_SET, BIT(54));
	assert_true(perfmon->overflows(0) == PMUCTL_STATUS_BUFFER);
	assert_true(host_rdmsr(&cpu, MSR_STATUS) == 0);
	perfmon->reset(&regs);
}

/* --- tries, and records of the model --- */

static bool writable(void *data, uint64_t addr, unsigned int size)
{
	(void)data;
	return addr >= BUFFER && addr + size <= BUFFER + sizeof(memory);
}

static void write_word(void *data, uint64_t addr, uint64_t word)
{
	(void)data;
	memory[(addr - BUFFER) / 8] = word;
}

static const struct pmu_memory memory_ops = {
	.physical_writable = writable, .physical_write = write_word,
};

static void record_of_model(struct host *h)
{
	struct pmu_cpu at = { .long_mode = true, .wide = true, .ip = h->retired,
			      .eventing_ip = h->step };

	pmu_record(h->pmu, &at, &memory_ops);
}

static bool counts_recorded(const char *readings)
{
	char why[200];

	assert_true(!readings || pmu_silicon(cpu.pmu, readings, why, sizeof(why)));
	cpu.record = record_of_model;
	with_buffer();
	perfmon->pebs_try(&regs, &ds);
	assert_false(pmuctl_tried.pebs_silent);
	assert_true(cfg(0) == 0);
	assert_false(buffer->look(&ds).bytes);
	return pmuctl_tried.pebs_counts_recorded;
}

static void what_the_manual_leaves_open_is_tried(void **state)
{
	(void)state;
	assert_false(counts_recorded(NULL));
	assert_true(counts_recorded("counts-recorded,fragments,null-fragments,record-each"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON(facts, pantherlake),
		ON(without, pantherlake),
		ON(periods_have_32_bits, pantherlake),
		ON(adaptive_is_of_fixed_counters, pantherlake),
		ON(groups_that_are_not_there, pantherlake),
		ON(each_counter_has_its_own, pantherlake),
		ON(counters_in_records_of_others, pantherlake),
		ON(reloads_are_beside_the_groups, pantherlake),
		ON(look_finds_what_others_write, pantherlake),
		ON(what_linux_left_comes_back, pantherlake),
		ON(a_buffer_is_looked_at, pantherlake),
		ON(a_limit_keeps_what_is_there, pantherlake),
		ON(a_full_one_is_an_overflow, pantherlake),
		ON(what_the_manual_leaves_open_is_tried, pantherlake),
	};

	buffer = pmuctl_perfmon_index.buffer;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
