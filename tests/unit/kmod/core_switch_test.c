// SPDX-License-Identifier: GPL-2.0-only
/*
 * From events to records in a ring, as tasks and sessions come and go on one CPU: counters
 * and records of PEBS are played an event at a time, timers when they are due.
 */
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

static struct pmuctl_phase *phase_of(const struct task_struct *of_task,
				     const struct pmuctl_session *session)
{
	return &phases[of_task == &b][session == others_phases];
}

struct pmuctl_phase *pmuctl_task_phases(const struct task_struct *of_task,
					const struct pmuctl_session *session)
{
	return phase_of(of_task, session);
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

unsigned int pmuctl_lbr_read(struct pmuctl_branch *branches)
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
static u64 place(void)
{
	return 0x1000 * current->pid;
}

static void nmi(void)
{
	struct pt_regs regs = { .ip = place(), .cs = 3 };

	core_lvtpc = APIC_DM_NMI | APIC_LVT_MASKED;
	assert_true(core_nmi(NMI_LOCAL, &regs) >= NMI_HANDLED);
	assert_int_equal(core_lvtpc, APIC_DM_NMI);
}

static void write_record(unsigned int counter)
{
	u64 *at = (void *)((char *)buffer + (area.pebs_index - area.pebs_buffer_base));

	assert_true(area.pebs_index + RECORD <= area.pebs_absolute_maximum);
	memset(at, 0, RECORD);
	at[0x90 / 8] = 1ull << counter;
	at[0xb0 / 8] = place();
	at[0xc0 / 8] = core_ns;
	area.pebs_index += RECORD;
	if (area.pebs_index >= area.pebs_interrupt_threshold)
		hw.status |= PMUCTL_STATUS_BUFFER;
}

static void count_one(unsigned int i)
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
	if (pmuctl_cpu.regs.pebs >> i & 1)
		ready[i] = true;
	else
		hw.status |= 1ull << i;
}

static void pass(u64 ns)
{
	struct hrtimer *timer = &pmuctl_cpu.timer;
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
static void happen(unsigned int n)
{
	unsigned int i;

	while (n--) {
		pass(from_one_to_the_next);
		happened[current == &b]++;
		for (i = 0; i < COUNTERS; i++)
			if (pmuctl_cpu.regs.enabled >> i & 1)
				count_one(i);
		if (hw.status)
			nmi();
	}
}

static void branch_at(u64 from)
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
static struct pmuctl_ring *make_ring(u32 size)
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

static void free_ring(struct pmuctl_ring *made)
{
	munmap(made->data, 2 * made->size);
	free(made);
}

static void another_ring(u32 size)
{
	free_ring(ring);
	ring = make_ring(size);
	rings[0] = ring;
}

static void start_whole(void)
{
	memset(&pmuctl_cpu, 0, sizeof(pmuctl_cpu));
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
	pmuctl_caps.lbr_depth = 32;
	assert_int_equal(pmuctl_cpu_init(), 0);
	assert_int_equal(pmuctl_branches_init(), 0);
	pmuctl_pmi_register();
	pmuctl_cpu_reset(&pmuctl_cpu);
	ds = (struct pmuctl_ds){ .area = &area, .records = buffer, .size = sizeof(buffer) };
	area.pebs_buffer_base = 0x1000;
	area.pebs_index = 0x1000;
	ring = make_ring(RING);
	rings[0] = ring;
}

static int stop(void **state)
{
	free_ring(ring);
	pmuctl_branches_exit();
	pmuctl_cpu_exit();
	return 0;
}

static struct pmuctl_event sampled_on(struct pmuctl_session *session, unsigned int counter,
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
static void session_of(u64 period, bool precise, bool on_task)
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
static void another(u64 period, bool precise, bool on_task)
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

static u64 *others_value(void)
{
	return pmuctl_values(&other.session, &other.on.counts);
}

static void want(struct task_struct *next, bool first, bool second)
{
	struct pmuctl_want wants[2];
	unsigned int n = 0;

	if (first)
		wants[n++] = (struct pmuctl_want){ &of.session, phase_of(next, &of.session) };
	if (second)
		wants[n++] = (struct pmuctl_want){ &other.session, phase_of(next, &other.session) };
	pmuctl_cpu_switch(&pmuctl_cpu, next, wants, n);
}

/* As the kernel does it: sessions on CPUs are told first, then those on tasks. */
static void switch_to(struct task_struct *next, bool first, bool second)
{
	pmuctl_cpu_task_leaves(&pmuctl_cpu);
	want(next, first, second);
	current = next;
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

static void take_sample(const struct pmuctl_sample *sample)
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
static void drain(void)
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

static const struct pmuctl_sample *first_sample(void)
{
	return (void *)(ring->data + (ring->tail & (ring->size - 1)));
}

/* --- throttles --- */

/*
 * More than may be: the rest of the window is without, then it goes on by itself, with no
 * event lost and the next sample where it would have been.
 */
static void throttled(bool precise)
{
	const unsigned int most = RATE / 250, period = 10;
	unsigned int events = 0;

	session_of(period, precise, false);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	while (!woken[PMUCTL_WAKE_THROTTLED] && events++ < 100000)
		happen(1);
	assert_int_equal(woken[PMUCTL_WAKE_THROTTLED], 1);
	pmuctl_busy_begin(&pmuctl_cpu);
	pmuctl_cpu_drain(&pmuctl_cpu);
	pmuctl_busy_end(&pmuctl_cpu);
	drain();
	assert_in_range(got.of[PMUCTL_RECORD_SAMPLE], most, most + RECORDS);
	assert_int_equal(got.of[PMUCTL_RECORD_THROTTLE], 1);
	assert_int_equal(got.of[PMUCTL_RECORD_UNTHROTTLE], 0);
	/* Not a moment before its time. */
	while (core_ns + NS < pmuctl_cpu.meter.until)
		happen(1);
	drain();
	assert_int_equal(got.all, 0);
	assert_true(pmuctl_cpu.slot[0].throttled);
	happen(100);
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_UNTHROTTLE], 1);
	assert_int_equal(got.types[0], PMUCTL_RECORD_UNTHROTTLE);
	assert_int_equal(got.of[PMUCTL_RECORD_THROTTLE], 0);
	/* 100 events, of which the first ended it. */
	assert_in_range(got.of[PMUCTL_RECORD_SAMPLE], 9, 10);
	assert_int_equal(values()[0], happened[0]);
	assert_int_equal(ring->tally[0].produced + ring->tally[0].throttled,
			 happened[0] / period);
	assert_true(ring->tally[0].throttled > 0);
}

static void a_throttle_ends_by_itself(void **state)
{
	throttled(false);
}

static void a_throttle_of_records_ends_by_itself(void **state)
{
	throttled(true);
}

/* It goes on and off all the time, and what comes is what may. */
static void it_is_held_to_the_rate(void **state)
{
	const unsigned int events = 500000;

	another_ring(1 << 20);
	session_of(10, false, false);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	happen(events);
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	assert_in_range(ring->tally[0].produced, RATE / 20 - 2 * RATE / 250,
			RATE / 20 + 2 * RATE / 250);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_THROTTLE], got.of[PMUCTL_RECORD_UNTHROTTLE]);
	assert_in_range(got.of[PMUCTL_RECORD_THROTTLE], 11, 14);
	assert_int_equal(values()[0], events);
}

/* The task that is throttled goes, another comes, and it is over for both. */
static void a_throttle_is_of_the_cpu(void **state)
{
	session_of(10, false, true);
	want(&a, true, false);
	while (!pmuctl_cpu.meter.until)
		happen(1);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_THROTTLE], 1);
	happen(100);
	switch_to(&b, true, false);
	happen(100);
	drain();
	/* Told of each of them, and none of it is a sample. */
	assert_int_equal(got.of[PMUCTL_RECORD_UNTHROTTLE], 1);
	assert_int_equal(got.of[PMUCTL_RECORD_THROTTLE], 1);
	assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], 0);
	pass(WINDOW);
	happen(100);
	want(NULL, false, false);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_UNTHROTTLE], 1);
	assert_int_equal(got.samples[0], 0);
	assert_int_equal(got.samples[1], 10);
}

/* --- periods --- */

/* As often longer as shorter, by less than half of so many bits, and hardly one like another. */
static void random_periods_have_the_mean_asked_for(void **state)
{
	const unsigned int n = 10000;
	unsigned int i, same = 0;
	u64 period, last = 0, sum = 0;

	session_of(5003, false, false);
	of.event[0].random = 11;
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	for (i = 0; i < n; i++) {
		period = pmuctl_period_next(&pmuctl_cpu, 0, 1);
		assert_in_range(period, 5003 - 1023, 5003 + 1023);
		same += period == last;
		last = period;
		sum += period;
	}
	/* Five standard deviations of the mean. */
	assert_in_range(sum / n, 5003 - 30, 5003 + 30);
	assert_in_range(same, 0, 20);
}

/* An interrupt that comes late finds several periods over: one sample, which stands for all. */
static void a_late_interrupt_is_one_sample(void **state)
{
	session_of(10, false, false);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	hw.counter[0] = (hw.counter[0] + 35) & MASK;
	hw.status = 1;
	nmi();
	happen(5);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], 2);
	assert_int_equal(got.periods[0], 40);
	assert_int_equal(ring->tally[0].produced, 2);
}

/* --- whose it is --- */

/* Records wait in the buffer: those of the one that goes are still its own. */
static void samples_of_a_cpu_are_of_who_was_there(bool precise)
{
	session_of(100, precise, false);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	happen(550);
	switch_to(&b, false, false);
	happen(330);
	/* By interrupt there is one as soon as it is due, of records none yet. */
	drain();
	assert_int_equal(got.samples[0], 5);
	assert_int_equal(got.samples[1], precise ? 0 : 3);
	switch_to(&a, false, false);
	happen(250);
	switch_to(&b, false, false);
	happen(90);
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	drain();
	assert_int_equal(got.strangers, 0);
	assert_int_equal(got.samples[0], 3);
	assert_int_equal(got.samples[1], precise ? 3 + 1 : 1);
	assert_int_equal(values()[0], 1220);
}

static void samples_of_a_cpu(void **state)
{
	samples_of_a_cpu_are_of_who_was_there(false);
}

static void records_of_a_cpu(void **state)
{
	samples_of_a_cpu_are_of_who_was_there(true);
}

/* Each of them has a sample every so many events of its own. */
static void samples_of_tasks_are_by_task(bool precise)
{
	session_of(100, precise, true);
	want(&a, true, false);
	/* Each switch has to be looked at. */
	assert_null(pmuctl_cpu.lasting);
	happen(550);
	switch_to(&b, true, false);
	happen(330);
	switch_to(&a, true, false);
	happen(270);
	/* Nobody's, and nobody counts it. */
	switch_to(&b, false, false);
	happen(10000);
	happened[1] -= 10000;
	switch_to(&b, true, false);
	happen(90);
	switch_to(&a, false, false);
	drain();
	assert_int_equal(got.strangers, 0);
	assert_int_equal(got.samples[0], happened[0] / 100);
	assert_int_equal(got.samples[1], happened[1] / 100);
	assert_int_equal(values()[0], happened[0] + happened[1]);
	assert_int_equal(phases[0][0].left, 80);
	assert_int_equal(phases[1][0].left, 80);
}

static void samples_of_tasks(void **state)
{
	samples_of_tasks_are_by_task(false);
}

static void records_of_tasks(void **state)
{
	samples_of_tasks_are_by_task(true);
}

/* A session follows one of them, a second one its CPU, by records as well. */
static void a_task_beside_a_cpu(void **state)
{
	session_of(100, true, false);
	another(70, true, true);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	want(&a, false, true);
	happen(550);
	switch_to(&b, false, false);
	happen(550);
	switch_to(&a, false, true);
	happen(550);
	switch_to(&b, false, false);
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	drain();
	assert_int_equal(got.strangers, 0);
	assert_int_equal(got.events[0], 16);
	assert_int_equal(got.events[1], 1100 / 70);
	assert_int_equal(values()[0], 1650);
	assert_int_equal(others_value()[0], 1100);
	/* Each in its own time. */
	assert_int_equal(of.on.counts.cell[0], 1650 * NS);
	assert_int_equal(other.on.counts.cell[0], 1100 * NS);
}

/* Threads of one program: nothing is done between them, and nothing is missing. */
static void between_two_of_one_session_nothing_is_done(void **state)
{
	session_of(0, false, true);
	want(&a, true, false);
	hw.enables = 0;
	happen(100);
	switch_to(&b, true, false);
	happen(100);
	assert_int_equal(hw.enables, 0);
	assert_ptr_equal(pmuctl_cpu.lasting, &of.session);
	switch_to(&a, false, false);
	assert_null(pmuctl_cpu.lasting);
	happen(100);
	assert_int_equal(values()[0], 200);
	assert_int_equal(of.on.counts.cell[0], 200 * NS);
}

/* Each by the numbers that its owner knows. */
static void as_the_owners_namespace_has_them(void **state)
{
	const struct pmuctl_sample *sample;

	session_of(10, false, false);
	of.session.in_init_ns = false;
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	happen(10);
	sample = first_sample();
	assert_int_equal(sample->pid, 1010);
	assert_int_equal(sample->tid, 1011);
}

/* --- whose branches --- */

static void branches_wanted(struct pmuctl_event *event)
{
	event->content = PMUCTL_CONTENT_BRANCHES;
	event->lbr = PMUCTL_EVENT_USER;
	event->room = pmuctl_sample_room(event->content);
}

struct with_branches {
	struct pmuctl_sample sample;
	u64 n;
	struct pmuctl_branch branch[PMUCTL_LBR_MAX];
};

/* The only sample's: so many, all of them there. */
static void branches_are(unsigned int n, u64 from)
{
	const struct with_branches *at = (const void *)first_sample();
	unsigned int i;

	assert_int_equal(at->sample.record.type, PMUCTL_RECORD_SAMPLE);
	assert_int_equal(at->n, n);
	for (i = 0; i < n; i++)
		assert_int_equal(at->branch[i].from, from);
	assert_int_equal(at->sample.record.size,
			 sizeof(at->sample) + 8 + n * sizeof(at->branch[0]));
	ring->tail += at->sample.record.size;
	assert_int_equal(ring->tail, ring->head);
}

static void branch_often(unsigned int n)
{
	while (n--)
		branch_at(place());
}

static void branches_behind_a_switch(bool on_task, bool precise)
{
	session_of(10, precise, on_task);
	branches_wanted(&of.event[0]);
	/* Before anybody recorded them. */
	branch_often(3);
	if (on_task)
		want(&a, true, false);
	else
		pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	branch_often(5);
	/* The record of an event waits for the next: nothing branches in between. */
	happen(10);
	branches_are(5, 0x1000 * a.pid);
	/* What was before its last sample is its own as well. */
	branch_often(2);
	switch_to(&b, on_task, false);
	branch_often(2);
	happen(10);
	branches_are(2, 0x1000 * b.pid);
	switch_to(&a, on_task, false);
	happen(10);
	branches_are(0, 0);
}

static void branches_of_a_cpus_tasks(void **state)
{
	branches_behind_a_switch(false, false);
}

static void branches_of_tasks(void **state)
{
	branches_behind_a_switch(true, false);
}

static void branches_of_a_cpus_records(void **state)
{
	pmuctl_caps.pebs_format = 3;
	branches_behind_a_switch(false, true);
}

static void branches_of_tasks_records(void **state)
{
	branches_behind_a_switch(true, true);
}

/* Another session has them on already: those of one that comes begin with it. */
static void branches_begin_with_the_session(void **state)
{
	session_of(1000, false, false);
	branches_wanted(&of.event[0]);
	another(10, false, false);
	branches_wanted(&other.event);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	branch_often(5);
	pmuctl_cpu_add(&pmuctl_cpu, &other.session);
	branch_often(1);
	happen(10);
	branches_are(1, 0x1000 * a.pid);
}

/* Two that overflow at once have the same; the next interrupt has new ones. */
static void branches_are_read_once_an_interrupt(void **state)
{
	session_of(10, false, false);
	branches_wanted(&of.event[0]);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	branch_often(2);
	happen(10);
	branches_are(2, 0x1000 * a.pid);
	branch_often(1);
	happen(10);
	branches_are(3, 0x1000 * a.pid);
}

/* --- somebody else --- */

static bool is_disturbed(const struct pmuctl_session *session)
{
	return session->trouble.counter & PMUCTL_COUNT_DISTURBED;
}

static void two_on_this_cpu(void)
{
	session_of(0, false, false);
	another(0, false, false);
	of.session.trouble.counter = 0;
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	pmuctl_cpu_add(&pmuctl_cpu, &other.session);
	happen(10);
	assert_false(is_disturbed(&of.session) || is_disturbed(&other.session));
}

/* What is seen is seen by all that are there, and what is ours is put back. */
static void seen_by_all(void)
{
	assert_true(is_disturbed(&of.session));
	assert_true(is_disturbed(&other.session));
}

static void a_foreign_write_is_seen_by_who_goes(void **state)
{
	two_on_this_cpu();
	hw.disturbed = true;
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	seen_by_all();
	assert_true(pmuctl_cpu.regs.enabled == 2);
	assert_false(hw.disturbed);
}

static void a_foreign_write_is_seen_by_who_comes(void **state)
{
	two_on_this_cpu();
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	hw.disturbed = true;
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	assert_true(is_disturbed(&other.session));
	/* It was not there. */
	assert_false(is_disturbed(&of.session));
}

static void a_foreign_write_is_seen_when_asked(void **state)
{
	two_on_this_cpu();
	hw.disturbed = true;
	pmuctl_cpu_check(&pmuctl_cpu);
	seen_by_all();
	assert_true(hw.enabled[(hw.enables - 1) % 8] == 3);
}

static void a_foreign_write_is_seen_at_a_turn(void **state)
{
	two_on_this_cpu();
	hw.disturbed = true;
	pmuctl_cpu_turn(&pmuctl_cpu, core_ns);
	seen_by_all();
}

/* And by an interrupt, once a tick. */
static void a_foreign_write_is_seen_by_an_interrupt(void **state)
{
	session_of(10, false, true);
	want(&a, true, false);
	happen(10);
	hw.disturbed = true;
	happen(10);
	assert_false(is_disturbed(&of.session));
	core_jiffies++;
	hw.disturbed = true;
	happen(10);
	assert_true(is_disturbed(&of.session));
}

/* Where virtual machines run, wherever it is looked for. */
static void guests_are_seen(void **state)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		session_of(0, false, false);
		of.session.trouble.counter = 0;
		core_cr4 = i == 0 ? X86_CR4_VMXE : 0;
		pmuctl_cpu_add(&pmuctl_cpu, &of.session);
		core_cr4 = i == 1 ? X86_CR4_VMXE : 0;
		pmuctl_cpu_fold(&of.session);
		core_cr4 = i == 2 ? X86_CR4_VMXE : 0;
		pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
		assert_true(of.session.trouble.counter & PMUCTL_COUNT_GUESTS);
	}
}

/* --- the ledger --- */

/* Each that was lost is told once, before whatever comes behind it. */
static void each_that_is_lost_is_told_once(void **state)
{
	const unsigned int fit = 4096 / 64;
	struct pmuctl_tally *tally;
	unsigned int round;

	another_ring(4096);
	from_one_to_the_next = 100 * NS;
	tally = ring->tally;
	session_of(10, false, false);
	/* Samples that fill the ring to the last byte. */
	of.event[0].content = PMUCTL_CONTENT_ADDR | PMUCTL_CONTENT_LATENCY |
			      PMUCTL_CONTENT_DATA_SRC;
	of.event[0].room = pmuctl_sample_room(of.event[0].content);
	assert_int_equal(of.event[0].room, 64);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	for (round = 1; round < 5; round++) {
		/* One more than there is room for, with what is told first. */
		happen(10 * (fit + 5));
		drain();
		if (round == 1)
			assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], fit);
		assert_int_equal(got.of[PMUCTL_RECORD_LOST], round > 1);
		assert_true(round == 1 || got.types[0] == PMUCTL_RECORD_LOST);
		assert_int_equal(tally->produced, round * (fit + 5));
		assert_int_equal(tally->produced, tally->written + tally->lost);
	}
	pmuctl_cpu_tell_lost(&of.session, 0);
	pmuctl_cpu_tell_lost(&of.session, 0);
	drain();
	assert_int_equal(got.all, 1);
	assert_int_equal(got.of[PMUCTL_RECORD_LOST], 1);
	happen(10);
	drain();
	assert_int_equal(got.all, 1);
	assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], 1);
}

/* All that was told is all that was lost. */
static void what_is_told_is_what_was_lost(void **state)
{
	u64 told = 0, samples = 0;
	unsigned int round;

	another_ring(4096);
	from_one_to_the_next = 100 * NS;
	session_of(10, false, false);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	for (round = 1; round < 120; round++) {
		happen(10 * round);
		drain();
		told += got.lost;
		samples += got.of[PMUCTL_RECORD_SAMPLE];
		assert_true(got.of[PMUCTL_RECORD_LOST] <= 1);
	}
	pmuctl_cpu_tell_lost(&of.session, 0);
	drain();
	told += got.lost;
	assert_int_equal(told, ring->tally[0].lost);
	assert_int_equal(samples, ring->tally[0].written);
	assert_int_equal(told + samples, happened[0] / 10);
	assert_true(told > 0);
}

/* Of two events each has its own. */
static void losses_are_by_event(void **state)
{
	const struct pmuctl_lost *lost;

	another_ring(4096);
	from_one_to_the_next = 100 * NS;
	session_of(10, false, false);
	of.session.nr_events = 2;
	of.session.nr_phases = 2;
	of.session.nr_sampled = 2;
	of.event[1] = sampled_on(&of.session, 1, 20, false);
	of.event[1].place = 9;
	of.event[1].phase = 1;
	of.set[0] = (struct pmuctl_set){ .nr = 2, .counted = 2, .counters = 3 };
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	happen(1200);
	assert_int_equal(ring->tally[0].produced, 120);
	assert_int_equal(ring->tally[1].produced, 60);
	ring->tail = ring->head;
	pmuctl_cpu_tell_lost(&of.session, 0);
	lost = (const void *)first_sample();
	assert_int_equal(lost->record.event, 7);
	assert_int_equal(lost->samples, ring->tally[0].lost);
	ring->tail += sizeof(*lost);
	lost = (const void *)first_sample();
	assert_int_equal(lost->record.event, 9);
	assert_int_equal(lost->samples, ring->tally[1].lost);
	ring->tail += sizeof(*lost);
	assert_int_equal(ring->tail, ring->head);
	assert_int_equal(ring->tally[0].lost + ring->tally[1].lost,
			 180 - ring->tally[0].written - ring->tally[1].written);
}

/* As soon as there is as much as it asked for, and once until it has read. */
static void a_reader_is_woken_once(void **state)
{
	session_of(10, false, false);
	ring->watermark = 3 * sizeof(struct pmuctl_sample);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	happen(20);
	assert_int_equal(woken[PMUCTL_WAKE_READER], 0);
	happen(10);
	assert_int_equal(woken[PMUCTL_WAKE_READER], 1);
	happen(100);
	assert_int_equal(woken[PMUCTL_WAKE_READER], 1);
	drain();
	ring->woken = false;
	happen(30);
	assert_int_equal(woken[PMUCTL_WAKE_READER], 2);
}

/* Two counters that were ready at one event: a sample of each, and both say so. */
static void collisions_are_of_each(void **state)
{
	session_of(10, true, false);
	of.session.nr_events = 2;
	of.session.nr_phases = 2;
	of.event[1] = sampled_on(&of.session, 1, 10, true);
	of.event[1].phase = 1;
	of.set[0] = (struct pmuctl_set){ .nr = 2, .counted = 2, .counters = 3 };
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	happen(9);
	assert_true(ready[0] && ready[1]);
	/* The hardware writes one for both. */
	ready[0] = ready[1] = false;
	write_record(0);
	buffer[0x90 / 8] = 3;
	hw.counter[0] = area.pebs_event_reset[0];
	hw.counter[1] = area.pebs_event_reset[1];
	happened[0]++;
	happen(5);
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	assert_int_equal(ring->tally[0].produced, 1);
	assert_int_equal(ring->tally[1].produced, 1);
	assert_int_equal(ring->tally[0].collisions, 1);
	assert_int_equal(ring->tally[1].collisions, 1);
	assert_int_equal(values()[0], 15);
	assert_int_equal(values()[1], 15);
}

/* --- asked while it runs, taken off, forgotten --- */

/* Records that wait are in what is added up, and nothing is added twice. */
static void asked_while_it_runs(bool precise)
{
	unsigned int i;

	session_of(100, precise, false);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	for (i = 1; i <= 20; i++) {
		happen(130);
		pmuctl_cpu_fold(&of.session);
		assert_int_equal(values()[0], 130 * i);
		assert_int_equal(of.on.counts.cell[0], 130 * i * NS);
		assert_true(pmuctl_cpu.regs.enabled == 1);
	}
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	drain();
	assert_int_equal(got.of[PMUCTL_RECORD_SAMPLE], 26);
	assert_int_equal(got.periods[0], 2600);
}

static void counts_while_it_runs(void **state)
{
	asked_while_it_runs(false);
}

static void records_while_it_runs(void **state)
{
	asked_while_it_runs(true);
}

/* One goes from the midst of several: the others stay. */
static void others_stay_when_one_goes(void **state)
{
	two_on_this_cpu();
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	happen(10);
	assert_int_equal(pmuctl_cpu.nr_cpu, 1);
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	assert_int_equal(pmuctl_cpu.nr_cpu, 1);
	pmuctl_cpu_remove(&pmuctl_cpu, &other.session);
	assert_int_equal(pmuctl_cpu.nr_cpu, 0);
	assert_true(pmuctl_cpu.regs.enabled == 0);
	assert_int_equal(values()[0], 10);
	assert_int_equal(others_value()[0], 20);
}

/* Its counter is another's then, from where it stands. */
static void nothing_is_left_of_what_is_forgotten(void **state)
{
	session_of(0, false, false);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	happen(10);
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	pmuctl_cpu_forget(&of.session);
	assert_null(pmuctl_cpu.slot[0].event);
	assert_null(pmuctl_cpu.slot[0].value);
	another(0, false, false);
	other.event.slot = other.event.counter = 0;
	other.set.counters = 1;
	pmuctl_cpu_add(&pmuctl_cpu, &other.session);
	happen(7);
	pmuctl_cpu_remove(&pmuctl_cpu, &other.session);
	assert_int_equal(others_value()[0], 7);
	assert_int_equal(values()[0], 10);
}

/* The CPU goes: tasks' and its own, all off and added up. */
static void cleared(void **state)
{
	session_of(0, false, true);
	another(0, false, false);
	want(&a, true, false);
	pmuctl_cpu_add(&pmuctl_cpu, &other.session);
	happen(10);
	pmuctl_cpu_clear(&pmuctl_cpu);
	assert_int_equal(pmuctl_cpu.nr_task + pmuctl_cpu.nr_cpu, 0);
	assert_true(pmuctl_cpu.regs.enabled == 0);
	assert_int_equal(values()[0], 10);
	assert_int_equal(others_value()[0], 10);
	assert_int_equal(pmuctl_cpu.timer_at, 0);
}

/* Whoever comes when nothing is held is told. */
static void incomplete_where_it_is_not_held(void **state)
{
	session_of(0, false, false);
	pmuctl_cpu.held = false;
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	assert_true(of.session.trouble.counter & PMUCTL_COUNT_INCOMPLETE);
	assert_int_equal(pmuctl_cpu.nr_cpu, 0);
}

/* --- turns --- */

#define INTERVAL NSEC_PER_MSEC

/* So many sets of one event each, all on the same counter or each on its own. */
static void sets_in_turns(unsigned int n, u64 period, bool apart)
{
	unsigned int i;

	session_of(period, false, false);
	of.session.nr_sets = n;
	of.session.nr_events = n;
	of.session.rotates = true;
	of.session.timed = true;
	of.session.interval = INTERVAL;
	of.session.nr_phases = period ? n : 0;
	for (i = 0; i < n; i++) {
		of.event[i] = of.event[0];
		of.event[i].set = i;
		of.event[i].phase = i;
		of.event[i].counter = of.event[i].slot = apart ? i : 0;
		of.set[i] = (struct pmuctl_set){ .first = i, .nr = 1, .counted = 1,
						 .counters = 1ull << of.event[i].counter };
	}
	pmuctl_rotate_begin(&of.session, &of.on.counts);
}

/* Each has its part of the time and counts in that alone; a turn is as long as was asked for. */
static void turns_of_sets(bool apart, bool read)
{
	u64 sum = 0, longest = 0, since = 0;
	unsigned int i, set = 0, turns = 0;
	u64 *cell = of.on.counts.cell;

	sets_in_turns(3, 0, apart);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	for (i = 0; i < 1000000; i++) {
		happen(1);
		/* Whoever asks makes no turn longer. */
		if (read && i % 1000 == 0)
			pmuctl_cpu_fold(&of.session);
		if (of.on.counts.set == set)
			continue;
		turns++;
		set = of.on.counts.set;
		/* The first ones are shorter. */
		if (core_ns > NSEC_PER_SEC + 20 * INTERVAL)
			longest = max(longest, core_ns - since);
		since = core_ns;
	}
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	for (i = 0; i < 3; i++) {
		/* What was on counted, the event of the turn itself aside. */
		assert_in_range(values()[i], cell[1 + i] / NS - turns, cell[1 + i] / NS + turns);
		assert_in_range(cell[1 + i], 100 * NSEC_PER_MSEC * 28 / 100,
				100 * NSEC_PER_MSEC * 39 / 100);
		sum += cell[1 + i];
	}
	assert_int_equal(sum, cell[0]);
	assert_int_equal(values()[0] + values()[1] + values()[2], 1000000);
	assert_in_range(longest, INTERVAL * 14 / 10, INTERVAL * 15 / 10 + 2 * NS);
	assert_in_range(turns, 95, 115);
}

static void sets_take_turns(void **state)
{
	turns_of_sets(false, false);
}

static void sets_take_turns_on_counters_of_their_own(void **state)
{
	turns_of_sets(true, false);
}

static void sets_take_turns_while_somebody_reads(void **state)
{
	turns_of_sets(false, true);
}

/* A sample every so many events of its set's time, however that is cut up. */
static void samples_in_turns(void **state)
{
	unsigned int i;

	sets_in_turns(3, 5003, false);
	pmuctl_cpu_add(&pmuctl_cpu, &of.session);
	happen(500000);
	pmuctl_cpu_remove(&pmuctl_cpu, &of.session);
	for (i = 0; i < 3; i++)
		assert_int_equal(ring->tally[i].produced, values()[i] / 5003);
}

#define WHOLE(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WHOLE(a_throttle_ends_by_itself),
		WHOLE(a_throttle_of_records_ends_by_itself),
		WHOLE(it_is_held_to_the_rate),
		WHOLE(a_throttle_is_of_the_cpu),
		WHOLE(random_periods_have_the_mean_asked_for),
		WHOLE(a_late_interrupt_is_one_sample),
		WHOLE(samples_of_a_cpu),
		WHOLE(records_of_a_cpu),
		WHOLE(samples_of_tasks),
		WHOLE(records_of_tasks),
		WHOLE(a_task_beside_a_cpu),
		WHOLE(between_two_of_one_session_nothing_is_done),
		WHOLE(as_the_owners_namespace_has_them),
		WHOLE(branches_of_a_cpus_tasks),
		WHOLE(branches_of_tasks),
		WHOLE(branches_of_a_cpus_records),
		WHOLE(branches_of_tasks_records),
		WHOLE(branches_begin_with_the_session),
		WHOLE(branches_are_read_once_an_interrupt),
		WHOLE(a_foreign_write_is_seen_by_who_goes),
		WHOLE(a_foreign_write_is_seen_by_who_comes),
		WHOLE(a_foreign_write_is_seen_when_asked),
		WHOLE(a_foreign_write_is_seen_at_a_turn),
		WHOLE(a_foreign_write_is_seen_by_an_interrupt),
		WHOLE(guests_are_seen),
		WHOLE(each_that_is_lost_is_told_once),
		WHOLE(what_is_told_is_what_was_lost),
		WHOLE(losses_are_by_event),
		WHOLE(a_reader_is_woken_once),
		WHOLE(collisions_are_of_each),
		WHOLE(counts_while_it_runs),
		WHOLE(records_while_it_runs),
		WHOLE(others_stay_when_one_goes),
		WHOLE(nothing_is_left_of_what_is_forgotten),
		WHOLE(cleared),
		WHOLE(incomplete_where_it_is_not_held),
		WHOLE(sets_take_turns),
		WHOLE(sets_take_turns_on_counters_of_their_own),
		WHOLE(sets_take_turns_while_somebody_reads),
		WHOLE(samples_in_turns),
	};

	return cmocka_run_group_tests_name("core switches", tests, NULL, NULL);
}
