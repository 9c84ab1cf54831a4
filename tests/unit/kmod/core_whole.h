/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU of paper: tasks, counters, PEBS and timers, played an event at a time, and the
 * module's way from an event to a record in a ring.  Of one session, and of another beside it.
 */
#ifndef CORE_WHOLE_H
#define CORE_WHOLE_H

#define CORE_WHOLE
#include "tests/unit/kmod/core_host.h"

#include <sys/mman.h>
#include <unistd.h>

#include "kmod/cpu/gate.h"
#include "kmod/pmu/lbr.h"
#include "kmod/sample/chain.h"
#include "kmod/sample/ring.h"
#include "kmod/session/wake.h"

#define COUNTERS 4
#define RECORD 200			/* format 3 */
#define RECORDS 256
#define RING 65536u
#define NS 100				/* from an event to the next */
#define RATE 50000			/* throttled beyond, by default */
#define WINDOW (4 * NSEC_PER_MSEC)

unsigned long core_cr4;

/* Two tasks, each at an address of its own. */
static struct task_struct a = { .pid = 11, .tgid = 10 }, b = { .pid = 21, .tgid = 20 };

/* --- what the core asks of others --- */

static struct pmuctl_phase phases[2][2];	/* of each task, by session */
static struct pmuctl_session *others_phases;	/* whose are the second ones */

static inline struct pmuctl_phase *phase_of(const struct task_struct *of_task,
				     const struct pmuctl_session *session)
{
	return &phases[of_task == &b][session == others_phases];
}

struct pmuctl_phase *pmuctl_task_phases(const struct task_struct *of_task,
					const struct pmuctl_session *session)
{
	return phase_of(of_task, session);
}

/* Of sessions without privilege, which those here are. */
static bool withheld;

bool pmuctl_task_may_tell(const struct task_struct *of_task, const struct pmuctl_session *session)
{
	return !withheld;
}

static unsigned int woken[2];

/* The interrupt that comes of it. */
void pmuctl_wake(struct pmuctl_cpu *cpu, struct pmuctl_session *session, enum pmuctl_wake why)
{
	woken[why]++;
	pmuctl_rotate_arm(cpu, core_ns);
}

static struct {
	unsigned int n, marks, stopped;
	struct pmuctl_branch last[64];
} ring_of_branches;

void pmuctl_lbr_mark(const struct pmuctl_regs *regs)
{
	if (!regs->lbr)
		return;
	ring_of_branches.n = 0;
	ring_of_branches.marks++;
}

void pmuctl_lbr_go(const struct pmuctl_regs *regs) { ring_of_branches.stopped = false; }

void pmuctl_lbr_keep(struct pmuctl_calls *calls) { calls->nr = ring_of_branches.n; }

void pmuctl_lbr_put(const struct pmuctl_calls *calls)
{
	ring_of_branches.n = calls ? calls->nr : 0;
}

unsigned int pmuctl_lbr_read(const struct pmuctl_regs *regs, struct pmuctl_branch *branches)
{
	unsigned int i, n = ring_of_branches.n;

	n = min(n, 16u);
	for (i = 0; i < n; i++)
		branches[i] = ring_of_branches.last[(ring_of_branches.n - 1 - i) % 64];
	return n;
}

unsigned int pmuctl_lbr_filter(const struct pmuctl_event *event,
			       struct pmuctl_branch *branches, unsigned int n)
{
	return n;
}

u64 hw_rdmsr(u32 msr) { return 0; }
void pmuctl_hot_init(void) { }
void pmuctl_gate_add(unsigned int i, const struct pmuctl_session *session) { }
void pmuctl_gate_move(unsigned int to, unsigned int from) { }
void pmuctl_gate_forget(const struct pmuctl_session *session) { }
void pmuctl_gate_next(const struct pmuctl_session *session, struct pmuctl_counts *counts) { }
unsigned int pmuctl_chain(const struct pmuctl_taken *taken, u64 *chain) { return 0; }

/* --- the processor --- */

static u64 buffer[RECORDS * RECORD / sizeof(u64)];
static bool ready[COUNTERS];
static u64 happened[2];			/* to each task */
static u64 from_one_to_the_next;

/* What is at each of its events. */
static inline u64 place(void)
{
	return 0x1000 * current->pid;
}

static inline void nmi(void)
{
	struct pt_regs regs = current->regs;

	regs.ip = place();
	regs.cs |= 3;
	core_lvtpc = APIC_DM_NMI | APIC_LVT_MASKED;
	assert_true(core_nmi(NMI_LOCAL, &regs) >= NMI_HANDLED);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
}

/* Where a record's registers are, if not where it is itself. */
static u64 behind;

static inline void write_record(unsigned int counter)
{
	u64 *at = (void *)((char *)buffer + (area.pebs_index - area.pebs_buffer_base));

	assert_true(area.pebs_index + RECORD <= area.pebs_absolute_maximum);
	memset(at, 0, RECORD);
	at[0x08 / 8] = behind ? behind : place();
	at[0x48 / 8] = current->regs.sp;
	at[0x90 / 8] = 1ull << counter;
	at[0xb0 / 8] = place();
	at[0xc0 / 8] = core_ns;
	area.pebs_index += RECORD;
	if (area.pebs_index >= area.pebs_interrupt_threshold)
		hw.status |= PMUCTL_STATUS_BUFFER;
}

static inline void count_one(unsigned int i)
{
	/* Until somebody writes the counter. */
	if (ready[i] && !hw.counter[i]) {
		ready[i] = false;
		hw.counter[i] = area.pebs_event_reset[i];
		write_record(i);
		return;
	}
	ready[i] = false;
	hw.counter[i] = (hw.counter[i] + 1) & MASK;
	if (hw.counter[i])
		return;
	if (pmuctl_cpus->regs.pebs >> i & 1)
		ready[i] = true;
	else
		hw.status |= 1ull << i;
}

static inline void pass(u64 ns)
{
	struct hrtimer *timer = &pmuctl_cpus->timer;
	u64 end = core_ns + ns;

	while (timer->at && timer->at <= end) {
		core_ns = timer->at > core_ns ? timer->at : core_ns;
		timer->at = 0;
		/* It has set the next time, or not. */
		if (timer->function(timer) == HRTIMER_RESTART)
			assert_true(timer->at > core_ns);
		else
			timer->at = 0;
	}
	core_ns = end > core_ns ? end : core_ns;
}

/* So many events, of whatever each counter counts. */
static inline void happen(unsigned int n)
{
	unsigned int i;

	while (n--) {
		pass(from_one_to_the_next);
		happened[current == &b]++;
		for (i = 0; i < COUNTERS; i++)
			if (pmuctl_cpus->regs.enabled >> i & 1)
				count_one(i);
		if (hw.status)
			nmi();
	}
}

static inline void branch_at(u64 from)
{
	ring_of_branches.last[ring_of_branches.n++ % 64] =
		(struct pmuctl_branch){ .from = from, .to = from + 0x10 };
}

/* --- the session, and one more --- */

static struct pmuctl_ring *ring;
static struct pmuctl_ring *rings[1];

static struct {
	struct pmuctl_session session;
	struct pmuctl_set set;
	struct pmuctl_event event;
	struct {
		struct pmuctl_counts counts;
		u64 cell[32];
	} on;
} other;

/* Mapped twice in a row: what begins before the end goes on behind it. */
static inline struct pmuctl_ring *make_ring(u32 size)
{
	struct pmuctl_ring *made = calloc(1, sizeof(*made) + 4 * sizeof(made->tally[0]));
	int file = memfd_create("ring", 0);
	unsigned int i;

	assert_int_equal(ftruncate(file, size), 0);
	made->size = size;
	made->watermark = size;
	made->data = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(made->data, MAP_FAILED);
	for (i = 0; i < 2; i++)
		assert_ptr_equal(mmap(made->data + i * size, size, PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_FIXED, file, 0), made->data + i * size);
	close(file);
	return made;
}

static inline void free_ring(struct pmuctl_ring *made)
{
	munmap(made->data, 2 * made->size);
	free(made);
}

static inline void another_ring(u32 size)
{
	free_ring(ring);
	ring = make_ring(size);
	rings[0] = ring;
}

static inline void start_whole(void)
{
	memset(&other, 0, sizeof(other));
	memset(phases, 0, sizeof(phases));
	memset(&ring_of_branches, 0, sizeof(ring_of_branches));
	memset(ready, 0, sizeof(ready));
	memset(woken, 0, sizeof(woken));
	memset(happened, 0, sizeof(happened));
	from_one_to_the_next = NS;
	core_cr4 = 0;
	core_ns = NSEC_PER_SEC;
	core_jiffies++;
	current = &a;
	behind = 0;
	memset(&a.regs, 0, sizeof(a.regs));
	a.mm = &a;
	pmuctl_caps.lbr_depth = 32;
	assert_int_equal(pmuctl_cpu_init(), 0);
	assert_int_equal(pmuctl_branches_init(), 0);
	pmuctl_pmi_register();
	pmuctl_cpu_reset(pmuctl_cpus);
	ds = (struct pmuctl_ds){ .area = &area, .records = buffer, .size = sizeof(buffer) };
	area.pebs_buffer_base = 0x1000;
	area.pebs_index = 0x1000;
	ring = make_ring(RING);
	rings[0] = ring;
}

static inline int stop(void **state)
{
	free_ring(ring);
	pmuctl_branches_exit();
	pmuctl_cpu_exit();
	return 0;
}

static inline struct pmuctl_event sampled_on(struct pmuctl_session *session, unsigned int counter,
				      u64 period, bool precise)
{
	return (struct pmuctl_event){
		.session = session, .flags = PMUCTL_EVENT_USER | PMUCTL_EVENT_KERNEL,
		.counter = counter, .slot = counter, .place = 7, .sampled = period,
		.period = period, .precise = precise, .pebs = (u64)precise << counter,
		.room = sizeof(struct pmuctl_sample),
	};
}

/* One event, sampled if it has a period. */
static inline void session_of(u64 period, bool precise, bool on_task)
{
	of.session.on_task = on_task;
	of.session.in_init_ns = true;
	of.session.nr_events = 1;
	of.session.nr_sets = 1;
	of.session.nr_sampled = !!period;
	of.session.nr_phases = !!period;
	of.session.ring = rings;
	of.event[0] = sampled_on(&of.session, 0, period, precise);
	of.set[0] = (struct pmuctl_set){ .nr = 1, .counted = 1, .counters = 1 };
}

/* Beside it: counts, or samples into the same ring. */
static inline void another(u64 period, bool precise, bool on_task)
{
	other.session = of.session;
	other.session.on_task = on_task;
	other.session.nr_sampled = !!period;
	other.session.nr_phases = !!period;
	other.session.event = &other.event;
	other.session.set = &other.set;
	other.session.counts = &other.on.counts;
	other.event = sampled_on(&other.session, 1, period, precise);
	other.event.place = 8;
	other.set = (struct pmuctl_set){ .nr = 1, .counted = 1, .counters = 2 };
	others_phases = &other.session;
}

static inline u64 *others_value(void)
{
	return pmuctl_values(&other.session, &other.on.counts);
}

static inline void want(struct task_struct *next, bool first, bool second)
{
	struct pmuctl_want wants[2];
	unsigned int n = 0;

	if (first)
		wants[n++] = (struct pmuctl_want){ &of.session, phase_of(next, &of.session) };
	if (second)
		wants[n++] = (struct pmuctl_want){ &other.session, phase_of(next, &other.session) };
	pmuctl_cpu_switch(pmuctl_cpus, next, wants, n);
}

/* As the kernel does it: sessions on CPUs are told first, then those on tasks. */
static inline void switch_to(struct task_struct *next, bool first, bool second)
{
	pmuctl_cpu_task_leaves(pmuctl_cpus);
	want(next, first, second);
	current = next;
}

static inline bool is_disturbed(const struct pmuctl_session *session)
{
	return session->trouble.counter & PMUCTL_COUNT_DISTURBED;
}

static inline void two_on_this_cpu(void)
{
	session_of(0, false, false);
	another(0, false, false);
	of.session.trouble.counter = 0;
	pmuctl_cpu_add(pmuctl_cpus, &of.session);
	pmuctl_cpu_add(pmuctl_cpus, &other.session);
	happen(10);
	assert_false(is_disturbed(&of.session) || is_disturbed(&other.session));
}

/* --- what is in the ring --- */

static struct {
	unsigned int of[PMUCTL_RECORD_UNTHROTTLE + 1];	/* by type */
	unsigned int all, strangers, samples[2];	/* of each task */
	unsigned int events[2];				/* samples, by place */
	u64 periods[2], lost, last_time;
	u16 types[4096];
	u64 ips[4096];
} got;

static inline void take_sample(const struct pmuctl_sample *sample)
{
	bool is_b = sample->pid == b.tgid;

	got.samples[is_b]++;
	got.periods[is_b] += sample->period;
	got.events[sample->record.event == 8]++;
	/* Whose it is said to be, and where that one is. */
	if (sample->ip != 0x1000ull * sample->tid || sample->tid != sample->pid + 1)
		got.strangers++;
}

/* Takes what there is. */
static inline void drain(void)
{
	const struct pmuctl_record *record;

	memset(&got, 0, sizeof(got));
	while (ring->tail != ring->head) {
		record = (void *)(ring->data + (ring->tail & (ring->size - 1)));
		assert_in_range(record->type, PMUCTL_RECORD_SAMPLE, PMUCTL_RECORD_UNTHROTTLE);
		assert_true(got.all < ARRAY_SIZE(got.types));
		assert_true(record->time >= got.last_time);
		got.last_time = record->time;
		got.types[got.all++] = record->type;
		got.of[record->type]++;
		if (record->type == PMUCTL_RECORD_SAMPLE)
			take_sample((const void *)record);
		if (record->type == PMUCTL_RECORD_LOST)
			got.lost += ((const struct pmuctl_lost *)record)->samples;
		ring->tail += record->size;
	}
}

static inline const struct pmuctl_sample *first_sample(void)
{
	return (void *)(ring->data + (ring->tail & (ring->size - 1)));
}

#define WHOLE(name) cmocka_unit_test_setup_teardown(name, start, stop)

#endif
