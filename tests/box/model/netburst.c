// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens in a Pentium 4: uops, what its predictor squashes, the trace cache.
 * README.rst has the rules; events that instructions cause are logged until it is
 * certain that these retire.
 */
#include <stdlib.h>
#include <string.h>

#include "netburst.h"

/* What every misprediction squashes, of instructions that each are a load, a store
 * or neither. */
#define SQUASHED_INSTRUCTIONS 12
#define SQUASHED_UOPS 18
#define SQUASHED_LOADS 4
#define SQUASHED_STORES 2

#define ROM_UOPS 4			/* that microcode has besides */
#define WALK_CYCLES 12

int pmu_burst_new(struct pmu *pmu)
{
	pmu->events = pmu->profile->netburst ? EV_P4_END : EV_PENDING;
	if (!pmu->profile->netburst)
		return 0;
	pmu->burst = calloc(1, sizeof(*pmu->burst));
	if (!pmu->burst)
		return -1;
	pmu->burst->idle = true;
	return 0;
}

void pmu_burst_free(struct pmu *pmu)
{
	free(pmu->burst);
}

uint8_t pmu_burst_needs(enum event event)
{
	static const uint8_t needs[] = {
#define NEEDS(name, text, what) (what),
		P4_SIGNALS(NEEDS)
#undef NEEDS
	};

	return needs[event - EV_P4];
}

/* --- events of the instruction in flight --- */

static void count(struct pmu *pmu, enum event event, unsigned int n)
{
	pmu->pending[event] += n;
	if (pmu->pending[event] >= pmu->limit[event])
		pmu_kick(pmu);
}

void burst_begin(struct pmu *pmu)
{
	struct event_log *log = &pmu->burst->log;
	uint64_t in_flight = pmu_in_flight(pmu);

	if (log->instruction == in_flight)
		return;
	log->instruction = in_flight;
	log->nr = 0;
	log->kinds = 0;
	log->kinds_end = 0;
}

void burst_happen(struct pmu *pmu, enum event event, unsigned int n)
{
	struct event_log *log = &pmu->burst->log;

	count(pmu, event, n);
	if (log->nr == LOG_MAX)
		return;
	log->entry[log->nr].event = (uint16_t)event;
	log->entry[log->nr++].n = (uint16_t)n;
}

static void take_back(struct pmu *pmu, unsigned int from, unsigned int to)
{
	const struct event_log *log = &pmu->burst->log;

	for (unsigned int i = from; i < to; i++)
		pmu->pending[log->entry[i].event] -= log->entry[i].n;
}

static bool in_flight_logged(const struct pmu *pmu)
{
	return pmu->burst->log.instruction == pmu_in_flight(pmu);
}

/* The instruction in flight does not retire. */
void pmu_burst_undo(struct pmu *pmu)
{
	struct netburst *b = pmu->burst;

	if (in_flight_logged(pmu))
		take_back(pmu, 0, b->log.nr);
	b->log.instruction = 0;
	b->tagged = false;
	for (unsigned int i = 0; i < STORES; i++)
		if (b->store[i].instruction == pmu_in_flight(pmu))
			b->store[i].instruction = 0;
}

/* It goes round again; it is one instruction, whose accesses stay. */
void pmu_burst_again(struct pmu *pmu)
{
	struct event_log *log = &pmu->burst->log;

	if (in_flight_logged(pmu))
		take_back(pmu, log->kinds, log->kinds_end);
	log->instruction = 0;
}

/* Around a settlement that does not count the instruction in flight. */
void pmu_burst_hold(struct pmu *pmu)
{
	struct event_log *log = &pmu->burst->log;

	if (in_flight_logged(pmu))
		take_back(pmu, 0, log->nr);
	else
		log->nr = log->kinds = log->kinds_end = 0;
}

void pmu_burst_release(struct pmu *pmu)
{
	struct event_log *log = &pmu->burst->log;

	for (unsigned int i = 0; i < log->nr; i++)
		count(pmu, log->entry[i].event, log->entry[i].n);
	log->instruction = pmu_in_flight(pmu);
}

void burst_stall(struct pmu *pmu, uint32_t cycles)
{
	/* Or the tally would not know that there is something to undo. */
	pmu->tally.missed = true;
	pmu_stall(pmu, cycles, &pmu->tally);
}

/* A uop with these traits. */
void burst_tag(struct pmu *pmu, uint32_t traits)
{
	struct netburst *b = pmu->burst;
	uint64_t in_flight = pmu_in_flight(pmu);

	if (!(pmu->tagged[pmu->hot->cls] & traits))
		return;
	if (b->tagged && b->tagged_instruction == in_flight)
		return;
	b->tagged = true;
	b->tagged_instruction = in_flight;
	burst_happen(pmu, EV_P4_TAGGED, 1);
}

void burst_uops(struct pmu *pmu, unsigned int n)
{
	const struct netburst *b = pmu->burst;

	burst_happen(pmu, EV_P4_UOPS, n);
	if (b->what & PMU_INSN_ROM)
		burst_happen(pmu, EV_P4_UOPS_ROM, n);
	else if (b->mode == TC_BUILD)
		burst_happen(pmu, EV_P4_UOPS_BUILD, n);
	else
		burst_happen(pmu, EV_P4_UOPS_DELIVER, n);
}

/* --- translations and lines of code --- */

/* True if key is among the ways of its set; it is in front afterwards. */
bool burst_look_up(uint64_t *table, unsigned int set_bits, unsigned int ways, uint64_t key)
{
	uint64_t *way = table + (key & (BIT(set_bits) - 1)) * ways, entry = key + 1;
	unsigned int w = 0;

	while (w < ways && way[w] != entry)
		w++;
	if (w)
		memmove(way + 1, way, (w < ways ? w : ways - 1) * sizeof(*way));
	way[0] = entry;
	return w < ways;
}

uint64_t *burst_find(uint64_t *table, unsigned int set_bits, unsigned int ways, uint64_t key)
{
	uint64_t *way = table + (key & (BIT(set_bits) - 1)) * ways;

	for (unsigned int w = 0; w < ways; w++)
		if (way[w] == key + 1)
			return way + w;
	return NULL;
}

static void forget_page(uint64_t *table, unsigned int set_bits, uint64_t page)
{
	uint64_t *entry = burst_find(table, set_bits, TLB_WAYS, page);

	if (entry)
		*entry = 0;
}

/* Another address space has other code at the same place. */
void pmu_flush(struct pmu *pmu, uint64_t addr)
{
	struct netburst *b = pmu->burst;

	if (pmu->pipe)
		pmu_pipe_flush(pmu, addr);
	if (pmu->pages)
		pmu_pages_flush(pmu, addr);
	if (!b)
		return;
	b->code_line = 0;
	if (addr == UINT64_MAX) {
		memset(b->dtlb, 0, sizeof(b->dtlb));
		memset(b->itlb, 0, sizeof(b->itlb));
		memset(b->tc, 0, sizeof(b->tc));
		return;
	}
	forget_page(b->dtlb, DTLB_SET_BITS, addr >> PAGE_BITS);
	forget_page(b->itlb, ITLB_SET_BITS, addr >> PAGE_BITS);
}

void burst_walk(struct pmu *pmu, enum event event)
{
	burst_happen(pmu, event, 1);
	burst_stall(pmu, WALK_CYCLES);
}

static void translate_code(struct pmu *pmu, uint64_t page)
{
	if (burst_look_up(pmu->burst->itlb, ITLB_SET_BITS, TLB_WAYS, page)) {
		burst_happen(pmu, EV_P4_ITLB_HITS, 1);
		return;
	}
	burst_happen(pmu, EV_P4_ITLB_MISSES, 1);
	burst_walk(pmu, EV_P4_WALKS_CODE);
}

/* --- the trace cache --- */

static uint64_t cycle_now(const struct pmu *pmu, uint64_t retired)
{
	return ((retired + pmu->issue.lost_total) >> pmu->profile->issue_bits) +
	       pmu->issue.stall_total;
}

/* A thread that does not run at this moment goes on where it stopped. */
static enum tc_mode sibling_mode(const struct pmu *pmu)
{
	const struct pmu_core *core = pmu->core;
	const struct pmu *sibling = core->threads > 1 ? core->thread[!pmu->thread] : NULL;

	return !sibling || sibling->burst->idle ? TC_IDLE : sibling->burst->mode;
}

static void give_cycles(struct pmu *pmu, uint64_t now)
{
	struct netburst *b = pmu->burst;
	enum tc_mode other = sibling_mode(pmu);
	unsigned int pair = pmu->thread ? TC_MODES * other + b->mode : TC_MODES * b->mode + other;

	pmu->pending[EV_P4_TC_DD + (enum event)pair] += now - b->mode_cycle;
	b->mode_cycle = now;
}

/* Everything up to instruction number retired is settled. */
void pmu_burst_account(struct pmu *pmu, uint64_t retired)
{
	give_cycles(pmu, cycle_now(pmu, retired));
	pmu->burst->log.instruction = 0;
}

void pmu_burst_halt(struct pmu *pmu)
{
	pmu->burst->idle = true;
	pmu->burst->code_line = 0;
}

static void set_mode(struct pmu *pmu, enum tc_mode mode)
{
	if (pmu->burst->mode == mode)
		return;
	give_cycles(pmu, cycle_now(pmu, pmu_in_flight(pmu) - 1));
	pmu->burst->mode = mode;
}

static void build(struct pmu *pmu, uint64_t line)
{
	const struct pmu_profile *p = pmu->profile;
	bool hit;

	burst_happen(pmu, EV_P4_TC_MISSES, 1);
	hit = pmu_burst_l2(pmu, line, L2_CODE);
	burst_stall(pmu, hit ? p->cache[1].stall : p->memory_stall);
}

/* Fetching goes on in another line. */
static void fetch_line(struct pmu *pmu, uint64_t line)
{
	struct netburst *b = pmu->burst;
	unsigned int shift = PAGE_BITS - LINE_BITS;
	bool hit = burst_look_up(b->tc, TC_SET_BITS, TC_WAYS, line);

	set_mode(pmu, hit ? TC_DELIVER : TC_BUILD);
	if (line >> shift != b->code_line >> shift)
		translate_code(pmu, line >> shift);
	b->code_line = line;
	if (!hit)
		build(pmu, line);
}

static void unit(struct pmu *pmu, uint32_t what)
{
	unsigned int u = what & PMU_INSN_UNIT;

	if (u == PMU_INTEGER)
		return;
	burst_happen(pmu, EV_P4_X87 + (enum event)(u - PMU_X87), 1);
	burst_tag(pmu, (uint32_t)UOP_UNIT << u);
}

void pmu_insn(struct pmu *pmu, uint64_t ip, uint32_t what)
{
	struct netburst *b = pmu->burst;

	if (pmu->watches_code)
		pmu_pages_fetch(pmu, ip);
	if (!b)
		return;
	pmu_tally_begin(pmu);
	burst_begin(pmu);
	b->what = what;
	b->moved = false;
	b->idle = false;
	/* Backwards: a trace has ended. */
	if (ip >> LINE_BITS != b->code_line || ip < b->ip)
		fetch_line(pmu, ip >> LINE_BITS);
	b->ip = ip;
	b->log.kinds = b->log.nr;
	if (what & PMU_INSN_ROM)
		burst_happen(pmu, EV_P4_ROM_ENTRIES, 1);
	burst_uops(pmu, 1 + (what & PMU_INSN_ROM ? ROM_UOPS : 0));
	unit(pmu, what);
	b->log.kinds_end = b->log.nr;
}

/* --- branches, which have retired --- */

static void squash(struct pmu *pmu)
{
	uint32_t tagged = pmu->tagged[pmu->hot->cls];

	count(pmu, EV_P4_BOGUS_INSTRUCTIONS, SQUASHED_INSTRUCTIONS);
	count(pmu, EV_P4_BOGUS_UOPS, SQUASHED_UOPS);
	count(pmu, EV_P4_UOPS_DELIVER, SQUASHED_UOPS);
	count(pmu, EV_P4_BOGUS_LOADS, SQUASHED_LOADS);
	count(pmu, EV_P4_BOGUS_STORES, SQUASHED_STORES);
	count(pmu, EV_P4_BOGUS_TAGGED, (tagged & UOP_LOAD ? SQUASHED_LOADS : 0) +
				       (tagged & UOP_STORE ? SQUASHED_STORES : 0));
}

void pmu_burst_branch(struct pmu *pmu, enum pmu_branch_kind kind, bool right)
{
	count(pmu, EV_P4_JCC + (enum event)kind, 1);
	if (right)
		return;
	count(pmu, EV_P4_MISSED_JCC + (enum event)kind, 1);
	squash(pmu);
	burst_begin(pmu);
	burst_tag(pmu, UOP_MISSED_BRANCH);
}
