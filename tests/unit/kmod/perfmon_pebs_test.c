// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS of the perfmon backend against the model: what it may record, the
 * registers that it sets, the records that it makes of the model's.
 */
#include "tests/unit/kmod/perfmon_host.h"

#include "kmod/pmu/pebs_fixup.h"
#include "kmod/pmu/pebs_records.h"

#define GPR_GROUP 2
#define PERIOD 10

/* --- facts --- */

struct facts {
	uint32_t format;
	uint64_t counters;
	uint32_t depth;
};

static const struct facts *facts_of(const struct profile *profile)
{
	static const struct {
		const char *name;
		struct facts is;
	} all[] = {
		{ "core2", { 0, 0x1, 4 } },
		{ "nehalem", { 1, 0xf, 16 } },
		{ "sandybridge", { 1, 0xf, 16 } },
		{ "ivybridge", { 1, 0xf, 16 } },
		{ "haswell", { 2, 0xf, 16 } },
		{ "skylake", { 3, 0xf, 32 } },
		{ "icelake", { 4, 0xf000000ff, 32 } },
		{ "sapphirerapids", { 4, 0xf000000ff, 0 } },
		{ "graniterapids", { 5, 0xf000000ff, 0 } },
		{ "alderlake-p", { 4, 0xf000000ff, 0 } },
		{ "alderlake-n", { 4, 0x70000003f, 0 } },
		{ "sierraforest", { 5, 0x7000000ff, 0 } },
		{ "tremont", { 4, 0x70000000f, 32 } },
		{ "goldmontplus", { 3, 0xf, 32 } },
	};

	for (unsigned int i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i].name, profile->name))
			return &all[i].is;
	fail();
	return NULL;
}

static void facts(void **state)
{
	const struct facts *is = facts_of(*state);

	assert_true(pmuctl_caps.has_pebs);
	assert_int_equal(pmuctl_caps.pebs_format, is->format);
	assert_true(pmuctl_caps.pebs_counters == is->counters);
}

/* --- what is refused --- */

static struct pmuctl_event precise(uint64_t evtsel)
{
	return (struct pmuctl_event){
		.evtsel = evtsel, .allowed = pmuctl_caps.counters,
		.flags = PMUCTL_EVENT_USER, .sampled = true, .period = 1000, .precise = 2,
	};
}

static int refused(struct pmuctl_event event, const char *why)
{
	int err = perfmon->validate(&event, NULL);

	assert_non_null(strstr(said, why));
	return err;
}

static struct pmuctl_event on_gp(uint64_t evtsel)
{
	struct pmuctl_event event = precise(evtsel);

	event.allowed &= 0xffffffff;
	return event;
}

static void counters_are_narrowed(void **state)
{
	const struct facts *is = facts_of(*state);
	struct pmuctl_event event = on_gp(0xc0);

	assert_int_equal(perfmon->validate(&event, NULL), 0);
	assert_true(event.allowed == (is->counters & 0xffffffff));
	event.allowed = 2;
	if (!(is->counters & 2))
		assert_int_equal(refused(event, "it may use gp1 only"), -EINVAL);
}

static void refusals(void **state)
{
	struct pmuctl_event event = on_gp(0xc0);

	(void)state;
	assert_int_equal(refused(on_gp(0x010400c0), "cmask"), -EINVAL);
	assert_int_equal(refused(on_gp(0x000400c0), "edge"), -EINVAL);
	event = on_gp(0x108000c0);
	assert_int_equal(perfmon->validate(&event, NULL), 0);
	event = on_gp(0xc0);
	event.period = 1;
	assert_int_equal(refused(event, "period 1"), -ERANGE);
	event.period = pmuctl_caps.errata & PMUCTL_ERRATUM_SHORT_PERIOD ? 32 : 2;
	assert_int_equal(perfmon->validate(&event, NULL), 0);
	pmuctl_caps.has_pebs = false;
	assert_int_equal(refused(event, "no PEBS"), -EOPNOTSUPP);
}

/* Of one processor, and there of no fixed counter. */
static void retire_latency(void **state)
{
	struct pmuctl_event event = on_gp(0xc0);
	const struct profile *is = *state;
	bool has = !strcmp(is->name, "graniterapids");

	event.content = PMUCTL_CONTENT_RETIRE;
	assert_true(pmuctl_caps.has_retire == has);
	if (!has) {
		assert_int_equal(refused(event, "no retire latency"), -EOPNOTSUPP);
		return;
	}
	event.allowed |= UINT64_C(1) << PMUCTL_FIXED_BASE;
	assert_int_equal(perfmon->validate(&event, NULL), 0);
	assert_true(event.allowed == 0xff);
	event.allowed = UINT64_C(1) << PMUCTL_FIXED_BASE;
	assert_int_equal(refused(event, "it may use fixed0 only"), -EINVAL);
}

static void core2_refuses_what_it_cannot_record(void **state)
{
	struct pmuctl_event event = on_gp(0xc0);

	(void)state;
	assert_int_equal(refused(on_gp(0x3c), "cannot be recorded"), -EOPNOTSUPP);
	event.content = PMUCTL_CONTENT_ADDR;
	assert_int_equal(refused(event, "neither data addresses"), -EOPNOTSUPP);
	event = on_gp(0x01cb);
	assert_int_equal(perfmon->validate(&event, NULL), 0);
}

/* --- registers --- */

static struct pmuctl_event encoded(struct pmuctl_event event, unsigned int counter)
{
	struct pmuctl_reg reg;

	event.allowed = UINT64_C(1) << counter;
	assert_int_equal(perfmon->validate(&event, NULL), 0);
	event.counter = counter;
	perfmon->encode(&event, &reg);
	return event;
}

#define MEMORY_AT UINT64_C(0x10000)

static void enable_follows_the_event(void **state)
{
	struct pmuctl_event plain = event_on(0, 0xc0, PMUCTL_EVENT_USER);
	struct pmuctl_event event = encoded(precise(0xc0), 0);

	(void)state;
	perfmon->reset(&regs);
	assert_false(event.config & INT);
	assert_true(plain.config & INT);
	perfmon->program(&regs, &event);
	assert_int_equal(host_rdmsr(&cpu, MSR_PEBS_ENABLE), 0);
	/* Once there is an area to write to. */
	regs.pebs_area = MEMORY_AT;
	perfmon->program(&regs, &event);
	assert_int_equal(host_rdmsr(&cpu, MSR_PEBS_ENABLE), 1);
	perfmon->program(&regs, &plain);
	assert_int_equal(host_rdmsr(&cpu, MSR_PEBS_ENABLE), 0);
	perfmon->reset(&regs);
}

static void latency_has_a_bit_of_its_own(void **state)
{
	const struct profile *profile = *state;
	bool old = profile->version < 5;
	struct pmuctl_event event = precise(strcmp(profile->name, "nehalem") ? 0x01cd : 0x100b);

	event.nr_extra = 1;
	event.extra[0] = (struct pmuctl_reg){ PMUCTL_REG_LD_LAT, 0, 30 };
	event = encoded(event, 3);
	perfmon->reset(&regs);
	regs.pebs_area = MEMORY_AT;
	perfmon->program(&regs, &event);
	assert_true(host_rdmsr(&cpu, MSR_PEBS_ENABLE) ==
		    (old ? UINT64_C(0x800000008) : UINT64_C(8)));
	/* The next one on that counter has none. */
	event = encoded(precise(0xc0), 3);
	perfmon->program(&regs, &event);
	assert_int_equal(host_rdmsr(&cpu, MSR_PEBS_ENABLE), 8);
	perfmon->reset(&regs);
}

static void precise_stores_are_a_mode(void **state)
{
	struct pmuctl_event event = on_gp(0x02cd);

	(void)state;
	assert_int_equal(perfmon->validate(&event, NULL), 0);
	assert_true(event.allowed == 8);
	event = encoded(precise(0x02cd), 3);
	perfmon->reset(&regs);
	regs.pebs_area = MEMORY_AT;
	perfmon->program(&regs, &event);
	assert_true(host_rdmsr(&cpu, MSR_PEBS_ENABLE) == (UINT64_C(1) << 63 | 8));
	perfmon->reset(&regs);
}

static void groups_are_the_union(void **state)
{
	struct pmuctl_event a = precise(0xc0), b = precise(0xc4);

	(void)state;
	a.content = PMUCTL_CONTENT_REGS;
	b.content = PMUCTL_CONTENT_ADDR;
	a = encoded(a, 32);
	b = encoded(b, 1);
	assert_true(b.config & UINT64_C(1) << 34);
	perfmon->reset(&regs);
	regs.pebs_area = MEMORY_AT;
	perfmon->program(&regs, &a);
	assert_int_equal(host_rdmsr(&cpu, 0x3f2), 2);
	perfmon->program(&regs, &b);
	assert_int_equal(host_rdmsr(&cpu, 0x3f2), 3);
	assert_true(host_rdmsr(&cpu, MSR_PEBS_ENABLE) == (FIXED_BIT(0) | 2));
	assert_true(host_rdmsr(&cpu, MSR_FIXED_CTRL) == (UINT64_C(1) << 32 | 2));
	b = event_on(1, 0xc4, PMUCTL_EVENT_USER);
	perfmon->program(&regs, &b);
	assert_int_equal(host_rdmsr(&cpu, 0x3f2), 2);
	a = event_on(32, 0xc0, PMUCTL_EVENT_USER);
	perfmon->program(&regs, &a);
	assert_int_equal(host_rdmsr(&cpu, MSR_FIXED_CTRL), 0xa);
	perfmon->reset(&regs);
}

/* perf leaves its own behind; without any, records have the basic group alone. */
static void groups_of_others_are_taken_off(void **state)
{
	struct pmuctl_event event = encoded(precise(0xc0), 0);

	(void)state;
	host_wrmsr(&cpu, 0x3f2, 3);
	perfmon->reset(&regs);
	regs.pebs_area = MEMORY_AT;
	perfmon->program(&regs, &event);
	assert_int_equal(host_rdmsr(&cpu, 0x3f2), 0);
	perfmon->reset(&regs);
}

/* What kvm leaves behind a guest that has PEBS of its own is put right first. */
static void registers_come_back_from_guests(void **state)
{
	struct pmuctl_event event = precise(0xc0), plain;

	(void)state;
	event.content = PMUCTL_CONTENT_REGS;
	event = encoded(event, 0);
	plain = event_on(0, 0xc0, PMUCTL_EVENT_USER);
	perfmon->reset(&regs);
	regs.pebs_area = MEMORY_AT;
	perfmon->program(&regs, &event);
	perfmon->pebs_pause(&regs);
	regs.pebs_foreign = true;
	host_wrmsr(&cpu, MSR_DS_AREA, 0);
	host_wrmsr(&cpu, 0x3f2, 0);
	perfmon->pebs_resume(&regs);
	assert_true(host_rdmsr(&cpu, MSR_DS_AREA) == MEMORY_AT);
	assert_int_equal(host_rdmsr(&cpu, 0x3f2), 2);
	assert_int_equal(host_rdmsr(&cpu, MSR_PEBS_ENABLE), 1);
	/* While nothing recorded here. */
	perfmon->program(&regs, &plain);
	regs.pebs_foreign = true;
	host_wrmsr(&cpu, MSR_DS_AREA, 0);
	perfmon->program(&regs, &event);
	assert_true(host_rdmsr(&cpu, MSR_DS_AREA) == MEMORY_AT);
	host_wrmsr(&cpu, MSR_DS_AREA, 0);
	perfmon->reset(&regs);
}

/* --- records --- */

#define BUFFER (MEMORY_AT + 0x1000)

static uint64_t memory[1024];

static uint64_t *word_at(uint64_t addr)
{
	assert_in_range(addr, MEMORY_AT, MEMORY_AT + sizeof(memory) - 8);
	return &memory[(addr - MEMORY_AT) / 8];
}

static bool read_word(void *data, uint64_t addr, uint64_t *word)
{
	(void)data;
	*word = *word_at(addr);
	return true;
}

static bool writable(void *data, uint64_t addr, unsigned int size)
{
	(void)data;
	word_at(addr);
	word_at(addr + size - 8);
	return true;
}

static void write_word(void *data, uint64_t addr, uint64_t word)
{
	(void)data;
	*word_at(addr) = word;
}

static const struct pmu_memory model_memory = {
	.read = read_word, .writable = writable, .write = write_word,
};

static void set_up_area(void)
{
	memset(memory, 0, sizeof(memory));
	memory[4] = BUFFER;
	memory[5] = BUFFER;
	memory[6] = BUFFER + 0xc00;
	memory[7] = BUFFER + 0xc00;
	for (unsigned int i = 0; i < 4; i++)
		memory[8 + i] = -(uint64_t)(PERIOD - 1) & perfmon->mask(0);
	host_wrmsr(&cpu, MSR_DS_AREA, MEMORY_AT);
}

static unsigned int written;

/* Each instruction is at its number times 16, and 4 bytes long. */
static void make_record(struct host *h)
{
	struct pmu_cpu at = { .eventing_ip = 16 * h->step, .tsc = 7 * h->step };

	at.ip = at.eventing_ip + 4;
	for (unsigned int r = 0; r < 16; r++)
		at.gpr[r] = r;
	pmu_record(h->pmu, &at, &model_memory);
	written++;
}

static void same_regs(const struct pmuctl_pebs_record *record)
{
	const struct pmuctl_sample_regs *r = record->regs;
	/* By their encoding. */
	const uint64_t is[16] = { r->ax, r->cx, r->dx, r->bx, r->sp, r->bp, r->si, r->di,
				  r->r8, r->r9, r->r10, r->r11, r->r12, r->r13, r->r14, r->r15 };

	for (unsigned int i = 0; i < 16; i++)
		assert_int_equal(is[i], i);
}

static void check_record(const struct pmuctl_pebs_record *record, uint64_t instruction)
{
	unsigned int format = pmuctl_caps.pebs_format;
	uint64_t ip = 16 * instruction;

	same_regs(record);
	assert_int_equal(record->regs->ip, ip + 4);
	assert_int_equal(record->exact, format >= 2);
	assert_int_equal(record->ip, format >= 2 ? ip : ip + 4);
	assert_int_equal(record->tsc, format >= 3 ? 7 * instruction : 0);
	assert_int_equal(record->counters, format ? 1 : 0);
}

/* One record every PERIOD events, from the first one on. */
static void records_of_the_model(void **state)
{
	struct pmuctl_event event = on_gp(0xc0);
	struct pmuctl_pebs_record record;
	uint64_t first, at = BUFFER;

	(void)state;
	event.content = PMUCTL_CONTENT_REGS;
	event = encoded(event, 0);
	host_ring(&cpu, PMU_KERNEL);
	perfmon->reset(&regs);
	regs.pebs_area = MEMORY_AT;
	set_up_area();
	cpu.record = make_record;
	perfmon->program(&regs, &event);
	perfmon->arm(0, PERIOD - 1);
	perfmon->enable(&regs, 1);
	host_ring(&cpu, PMU_USER);
	first = cpu.retired;
	written = 0;
	host_run(&cpu, 4 * PERIOD + PERIOD / 2);
	host_ring(&cpu, PMU_KERNEL);
	assert_int_equal(written, 4);
	for (unsigned int i = 1; i <= written; i++) {
		assert_true(pmuctl_pebs_decode(pmuctl_caps.pebs_format, word_at(at),
					       memory[5] - at, &record));
		check_record(&record, first + i * PERIOD - 1);
		at += record.size;
	}
	assert_true(at == memory[5]);
	/* What is left of the period is what the counter says. */
	assert_true((perfmon->read(0) - memory[8]) == PERIOD / 2);
	host_wrmsr(&cpu, MSR_DS_AREA, 0);
	perfmon->reset(&regs);
}

static void what_is_cut_is_none(void **state)
{
	struct pmuctl_pebs_record record;
	uint64_t basic[4] = { UINT64_C(0x20) << 48 };
	const unsigned int sizes[] = { 0x90, 0xb0, 0xc0, 0xc8 };
	char room[0xc8] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		assert_true(pmuctl_pebs_decode(i, room, sizes[i], &record));
		assert_int_equal(record.size, sizes[i]);
		assert_false(pmuctl_pebs_decode(i, room, sizes[i] - 8, &record));
	}
	assert_true(pmuctl_pebs_decode(4, basic, sizeof(basic), &record));
	assert_false(pmuctl_pebs_decode(4, basic, sizeof(basic) - 8, &record));
	/* Groups that the size has no room for; and no size at all. */
	basic[0] |= GPR_GROUP;
	assert_false(pmuctl_pebs_decode(4, basic, sizeof(basic), &record));
	basic[0] = 0;
	assert_false(pmuctl_pebs_decode(4, basic, sizeof(basic), &record));
	basic[0] = UINT64_C(0x40) << 48;
	assert_false(pmuctl_pebs_decode(4, basic, sizeof(basic), &record));
	assert_null(pmuctl_pebs_format(7));
}

/* Of two latencies the cache's; one alone is that. */
static void latency_of_a_record(void **state)
{
	static const struct {
		uint64_t field, latency;
	} rows[] = { { 205, 205 }, { UINT64_C(61) << 32 | 70, UINT64_C(70) << 32 | 61 },
		    { 0, 0 } };
	uint64_t words[8] = { [0] = UINT64_C(0x40) << 48 | 1 };
	struct pmuctl_pebs_record record;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		words[6] = rows[i].field;
		assert_true(pmuctl_pebs_decode(4, words, sizeof(words), &record));
		assert_int_equal(record.latency, rows[i].latency);
	}
}

/* Bits 47 to 32, which older records have as zeroes; groups and size are beside them. */
static void retire_latency_of_a_record(void **state)
{
	uint64_t words[4] = { UINT64_C(0x20) << 48 | UINT64_C(0xfffe) << 32, 0x1000, 1, 2 };
	struct pmuctl_pebs_record record;

	(void)state;
	assert_true(pmuctl_pebs_decode(5, words, sizeof(words), &record));
	assert_int_equal(record.retire, 0xfffe);
	assert_int_equal(record.size, 0x20);
	assert_int_equal(record.ip, 0x1000);
	words[0] = UINT64_C(0x20) << 48;
	assert_true(pmuctl_pebs_decode(4, words, sizeof(words), &record));
	assert_int_equal(record.retire, 0);
}

static void branches_of_a_record(void **state)
{
	uint64_t words[4 + 6] = { UINT64_C(80) << 48 | 1 << 24 | 8, [4] = 1, 2, 3, 4, 5, 6 };
	struct pmuctl_pebs_record record;

	(void)state;
	assert_true(pmuctl_pebs_decode(4, words, sizeof(words), &record));
	assert_int_equal(record.nr_branches, 2);
	assert_int_equal(record.branches[1].to, 5);
	assert_int_equal(pmuctl_pebs_adaptive_size(1 << 24 | 8), sizeof(words));
	assert_int_equal(pmuctl_pebs_adaptive_size(7), 0x20 + 0x20 + 0x90 + 0x100);
}

/* Behind the branches, of which the record says how many they are. */
static void counters_of_an_adaptive_record(void **state)
{
	const uint64_t groups = 1 << 24 | 8 | 16;
	uint64_t words[4 + 6 + 2 + 3] = {
		sizeof(words) << 48 | groups, [4] = 1, 2, 3, 4, 5, 6,
		[10] = 0x8 | UINT64_C(3) << 32, 0, 77, 78, 79,
	};
	struct pmuctl_pebs_record record;
	u64 value;

	(void)state;
	assert_true(pmuctl_pebs_decode(6, words, sizeof(words), &record));
	assert_int_equal(record.size, sizeof(words));
	assert_int_equal(record.nr_branches, 2);
	assert_int_equal(record.branches[1].to, 5);
	assert_true(pmuctl_pebs_counted(record.counts, 3, &value));
	assert_int_equal(value, 77);
	assert_true(pmuctl_pebs_counted(record.counts, PMUCTL_GP_MAX + 1, &value));
	assert_int_equal(value, 79);
	assert_int_equal(pmuctl_pebs_adaptive_size(groups | UINT64_C(8) << 32 | UINT64_C(3) << 48),
			 sizeof(words));
	/* More of them, or more branches, than there is room for; or something left. */
	words[10] |= 0x80;
	assert_false(pmuctl_pebs_decode(6, words, sizeof(words), &record));
	words[10] = 0x8;
	assert_false(pmuctl_pebs_decode(6, words, sizeof(words), &record));
	words[10] = 0x8 | UINT64_C(3) << 32;
	words[0] |= UINT64_C(0xff) << 24;
	assert_false(pmuctl_pebs_decode(6, words, sizeof(words), &record));
	/* With PERF_METRICS, of which nobody asks. */
	words[0] = sizeof(words) << 48 | groups | 32;
	words[10] = UINT64_C(8) << 32;
	words[11] = 3;
	assert_true(pmuctl_pebs_decode(6, words, sizeof(words), &record));
	assert_true(pmuctl_pebs_counted(record.counts, PMUCTL_GP_MAX + 3, &value));
	assert_int_equal(value, 77);
	assert_false(pmuctl_pebs_counted(record.counts, PMUCTL_GP_MAX, &value));
}

/* --- fix-up --- */

#define KERNEL UINT64_C(0xffffffff81000000)
#define USER_ONLY PMUCTL_EVENT_USER

struct fixup_case {
	uint64_t ip, now;
	uint32_t rings;
	struct pmuctl_fixup is;
	struct pmuctl_branch branches[4];	/* the latest first */
};

static const struct fixup_case fixups[] = {
	/* Behind a branch: it was the branch. */
	{ 0x100, 0x100, USER_ONLY, { true, 0x180, 0 }, { { 0x180, 0x100, 0 } } },
	/* In a run: to be decoded from its beginning. */
	{ 0x108, 0x110, USER_ONLY, { false, 0, 0x100 }, { { 0x180, 0x100, 0 } } },
	/* In the run before the last, which ended with the branch. */
	{ 0x208, 0x104, USER_ONLY, { false, 0, 0x200 },
	  { { 0x20a, 0x100, 0 }, { 0x180, 0x200, 0 } } },
	/* A loop that has come round again says the same each time. */
	{ 0x108, 0x102, USER_ONLY, { false, 0, 0x100 },
	  { { 0x120, 0x100, 0 }, { 0x120, 0x100, 0 }, { 0x120, 0x100, 0 } } },
	/* A function that was called from two places, and nobody knows from which. */
	{ 0x300, 0x104, USER_ONLY, { false, 0, 0 },
	  { { 0x310, 0x100, 0 }, { 0x120, 0x300, 0 }, { 0x310, 0x110, 0 }, { 0x140, 0x300, 0 } } },
	/* Nothing was executed since: it is the latest. */
	{ 0x300, 0x300, USER_ONLY, { true, 0x120, 0 },
	  { { 0x120, 0x300, 0 }, { 0x310, 0x110, 0 }, { 0x140, 0x300, 0 } } },
	/* An interrupt led back to it: what was before is not known. */
	{ 0x300, 0x300, USER_ONLY, { false, 0, 0 }, { { KERNEL, 0x300, 0 } } },
	/* ... nor if the event may not know where the interrupt was. */
	{ 0x300, 0x300, USER_ONLY, { false, 0, 0 }, { { 0, 0x300, 0 } } },
	/* ... but the return itself is an instruction of the kernel's. */
	{ 0x300, 0x300, PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL, { true, KERNEL, 0 },
	  { { KERNEL, 0x300, 0 } } },
	/* A run that an interrupt ended has no known end. */
	{ 0x108, 0x204, USER_ONLY, { false, 0, 0x100 },
	  { { KERNEL, 0x200, 0 }, { 0x180, 0x100, 0 } } },
	/* No branch at all. */
	{ 0x100, 0x100, USER_ONLY, { false, 0, 0 }, { { 0 } } },
};

static void fix_ups(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(fixups) / sizeof(fixups[0]); i++) {
		const struct fixup_case *c = &fixups[i];
		struct pmuctl_fixup fixup;
		unsigned int n = 0;

		while (n < 4 && c->branches[n].to)
			n++;
		fixup = pmuctl_pebs_fixup(c->branches, n, c->ip, c->now, c->rings);
		if (fixup.exact != c->is.exact || fixup.ip != c->is.ip ||
		    fixup.block != c->is.block)
			fail_msg("case %u: exact %d ip %llx block %llx", i, fixup.exact,
				 (unsigned long long)fixup.ip, (unsigned long long)fixup.block);
	}
}

static void strings_that_repeat(void **state)
{
	static const struct {
		bool repeats;
		u8 code[4];
	} cases[] = {
		{ true, { 0xf3, 0xa4 } },		/* rep movsb */
		{ true, { 0xf3, 0x48, 0xab } },		/* rep stosq */
		{ true, { 0x66, 0xf2, 0xaf } },		/* repne scasw */
		{ true, { 0xf3, 0x66, 0x67, 0xa5 } },	/* rep movsw (%esi), (%edi) */
		{ false, { 0xa4 } },			/* movsb */
		{ false, { 0xf3, 0x0f, 0x1e, 0xfa } },	/* endbr64 */
		{ false, { 0xf3, 0x90 } },		/* pause */
		{ false, { 0xf3, 0xc3 } },		/* rep ret */
		{ false, { 0x48, 0xaa } },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(pmuctl_pebs_repeats(cases[i].code, 4), cases[i].repeats);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_EACH(facts),
		ON_EACH(counters_are_narrowed),
		ON_EACH(refusals),
		ON_EACH(retire_latency),
		ON(core2_refuses_what_it_cannot_record, core2),
		ON_EACH(enable_follows_the_event),
		ON(latency_has_a_bit_of_its_own, nehalem),
		ON(latency_has_a_bit_of_its_own, sandybridge),
		ON(latency_has_a_bit_of_its_own, haswell),
		ON(latency_has_a_bit_of_its_own, skylake),
		ON(latency_has_a_bit_of_its_own, icelake),
		ON(precise_stores_are_a_mode, sandybridge),
		ON(precise_stores_are_a_mode, ivybridge),
		ON(groups_are_the_union, icelake),
		ON(groups_of_others_are_taken_off, icelake),
		ON(registers_come_back_from_guests, icelake),
		ON_EACH(records_of_the_model),
		cmocka_unit_test(what_is_cut_is_none),
		cmocka_unit_test(branches_of_a_record),
		cmocka_unit_test(counters_of_an_adaptive_record),
		cmocka_unit_test(latency_of_a_record),
		cmocka_unit_test(retire_latency_of_a_record),
		cmocka_unit_test(fix_ups),
		cmocka_unit_test(strings_that_repeat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
