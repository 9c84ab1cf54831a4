// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples into rings: each as its event's content says, each in the ledger.
 */
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "kmod/pmu/hot.h"
#include "kmod/pmu/pebs_records.h"
#include "kmod/sample/chain.h"
#include "kmod/sample/ring.h"
#include "kmod/sample/sample.h"
#include "kmod/sample/user.h"
#include "kmod/session/wake.h"
#include "kmod/state/cpu.h"
#include "kmod/state/session.h"
#include "kmod/state/slot.h"

/* --- sizes --- */

static const struct {
	u32 content;
	u32 size;			/* the most that it takes */
} parts[] = {
	{ PMUCTL_CONTENT_ADDR, sizeof(u64) },
	{ PMUCTL_CONTENT_LATENCY, sizeof(u64) },
	{ PMUCTL_CONTENT_DATA_SRC, sizeof(u64) },
	{ PMUCTL_CONTENT_REGS, sizeof(struct pmuctl_sample_regs) },
	{ PMUCTL_CONTENT_CHAIN, (1 + PMUCTL_CHAIN_MAX) * sizeof(u64) },
	{ PMUCTL_CONTENT_BRANCHES,
	  sizeof(u64) + PMUCTL_LBR_MAX * sizeof(struct pmuctl_branch) },
	{ PMUCTL_CONTENT_BLOCK, sizeof(u64) },
	{ PMUCTL_CONTENT_RETIRE, sizeof(u64) },
	/* And the stack itself. */
	{ PMUCTL_CONTENT_STACK,
	  2 * sizeof(u64) + sizeof(struct pmuctl_user_regs) },
	{ PMUCTL_CONTENT_TOP, (1 + PMUCTL_TOP_MAX) * sizeof(u64) },
	{ PMUCTL_CONTENT_COUNTS, (1 + PMUCTL_SLOTS) * sizeof(u64) },
};

u32 pmuctl_sample_room(u64 content, u32 stack)
{
	u32 i, size = sizeof(struct pmuctl_sample) + stack;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (content & parts[i].content)
			size += parts[i].size;
	return size;
}

/* --- what a sample holds --- */

static u64 *put_regs(u64 *to, const struct pmuctl_taken *taken)
{
	struct pmuctl_sample_regs *out = (void *)to;

	if (taken->gpr)
		*out = *taken->gpr;
	else if (taken->regs)
		pmuctl_user_regs_of(out, taken->regs);
	else
		memset(out, 0, sizeof(*out));
	return (u64 *)(out + 1);
}

static u64 *put_chain(u64 *to, const struct pmuctl_taken *taken)
{
	to[0] = pmuctl_chain(taken, to + 1);
	return to + 1 + to[0];
}

static u64 *put_branches(u64 *to, const struct pmuctl_taken *taken)
{
	u32 n = min_t(u32, taken->nr_branches, PMUCTL_LBR_MAX);

	*to++ = n;
	memcpy(to, taken->branches, n * sizeof(*taken->branches));
	return to + n * (sizeof(*taken->branches) / sizeof(*to));
}

static noinline u64 *put_program(u64 *to, const struct pmuctl_taken *taken,
			      struct pmuctl_sample *sample, u64 content)
{
	bool moved = false;

	if (content & PMUCTL_CONTENT_STACK)
		to = pmuctl_user_put_stack(to, taken, &moved);
	if (content & PMUCTL_CONTENT_TOP)
		to = pmuctl_user_put_top(to, taken, &moved);
	if (moved)
		sample->record.flags |= PMUCTL_RECORD_MOVED;
	return to;
}

/*
 * What an event has counted since it was asked last: that much is left, below
 * zero, and what has not been added up yet, of which a record has a part.
 */
static u64 counted(struct pmuctl_slot *slot, unsigned int i,
		   const struct pmuctl_pebs_counts *recorded)
{
	u64 now, events;

	if (!recorded || !pmuctl_pebs_counted(recorded, i, &now))
		now = static_call(hw_read)(i);
	events = ((now - slot->last) & pmuctl_slot_mask[i]) - slot->phase.left;
	slot->phase.left += events;
	return events;
}

static noinline u64 *put_counts(u64 *to, const struct pmuctl_taken *taken)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(pmuctl_cpus);
	const struct pmuctl_session *session = taken->event->session;
	const struct pmuctl_set *set = &session->set[taken->event->set];
	const struct pmuctl_event *other = &session->event[set->first];
	u64 *start = to++;
	unsigned int i;

	for (i = set->nr; i--; other++)
		if (other->along && other->group == taken->event->group)
			*to++ = counted(&cpu->slot[other->slot], other->slot,
					taken->counts);
	*start = to - start - 1;
	return to;
}

/* In the same order, and nothing in it. */
static noinline u64 *put_withheld(struct pmuctl_sample *sample, u64 content)
{
	u64 *to = (u64 *)(sample + 1);
	unsigned int i;

	sample->record.flags |= PMUCTL_RECORD_WITHHELD;
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!(content & parts[i].content))
			continue;
		if (parts[i].content == PMUCTL_CONTENT_REGS)
			to = put_regs(to, &(struct pmuctl_taken){ });
		else
			*to++ = 0;
	}
	return to;
}

static bool may_tell(const struct pmuctl_taken *taken)
{
	const struct pmuctl_session *session = taken->event->session;

	return likely(session->privileged) ||
	       pmuctl_task_may_tell(taken->task, session);
}

/*
 * In the order of the bits.  Apart, as are others that most samples do not
 * need: registers for their sake would be saved for each.
 */
static noinline u64 *put_content(struct pmuctl_sample *sample,
				 const struct pmuctl_taken *taken, u64 content)
{
	u64 *to = (u64 *)(sample + 1);

	if (!may_tell(taken))
		return put_withheld(sample, content);
	if (content & PMUCTL_CONTENT_ADDR)
		*to++ = taken->addr;
	if (content & PMUCTL_CONTENT_LATENCY)
		*to++ = taken->latency;
	if (content & PMUCTL_CONTENT_DATA_SRC)
		*to++ = taken->data_src;
	if (content & PMUCTL_CONTENT_REGS)
		to = put_regs(to, taken);
	if (content & PMUCTL_CONTENT_CHAIN)
		to = put_chain(to, taken);
	if (content & PMUCTL_CONTENT_BRANCHES)
		to = put_branches(to, taken);
	if (content & PMUCTL_CONTENT_BLOCK)
		*to++ = taken->block;
	if (content & PMUCTL_CONTENT_RETIRE)
		*to++ = taken->retire;
	if (content & (PMUCTL_CONTENT_STACK | PMUCTL_CONTENT_TOP))
		to = put_program(to, taken, sample, content);
	if (content & PMUCTL_CONTENT_COUNTS)
		to = put_counts(to, taken);
	return to;
}

static noinline void put_task_in_ns(struct pmuctl_sample *sample,
				    struct task_struct *task,
				    const struct pmuctl_session *session)
{
	struct pid_namespace *ns = ns_of_pid(session->pid);

	sample->pid = task_tgid_nr_ns(task, ns);
	sample->tid = task_pid_nr_ns(task, ns);
}

/*
 * As the owner's namespace knows it.  One that has been reaped has no number
 * there any more, but the one that it was born with is still the init
 * namespace's.
 */
static void put_task(struct pmuctl_sample *sample, struct task_struct *task,
		     const struct pmuctl_session *session)
{
	if (likely(session->in_init_ns)) {
		sample->pid = task->tgid;
		sample->tid = task->pid;
		return;
	}
	put_task_in_ns(sample, task, session);
}

static u32 put_sample(struct pmuctl_sample *sample,
		      const struct pmuctl_taken *taken)
{
	const struct pmuctl_event *event = taken->event;
	u64 *end = (u64 *)(sample + 1);

	sample->record.type = PMUCTL_RECORD_SAMPLE;
	sample->record.event = event->place;
	sample->record.flags = taken->flags;
	sample->record.time = taken->time ?: ktime_get_mono_fast_ns();
	put_task(sample, taken->task, event->session);
	sample->ip = taken->ip;
	sample->period = taken->period;
	if (event->content)
		end = put_content(sample, taken, event->content);
	sample->record.size = (u8 *)end - (u8 *)sample;
	return sample->record.size;
}

/* --- into the ring --- */

/* Once until somebody reads, however much comes. */
static noinline void wake_reader(struct pmuctl_cpu *cpu,
				 struct pmuctl_ring *ring,
				 struct pmuctl_session *session)
{
	/* Pairs with pmuctl_ring_listen(). */
	smp_mb();
	if (READ_ONCE(ring->woken))
		return;
	WRITE_ONCE(ring->woken, true);
	pmuctl_wake(cpu, session, PMUCTL_WAKE_READER);
}

static void wake_up_at(struct pmuctl_cpu *cpu, struct pmuctl_ring *ring,
		       struct pmuctl_session *session)
{
	if (unlikely(pmuctl_ring_used(ring) >= ring->watermark))
		wake_reader(cpu, ring, session);
}

static struct pmuctl_ring *ring_here(const struct pmuctl_event *event)
{
	return event->session->ring[smp_processor_id()];
}

static void put_lost(struct pmuctl_ring *ring, const struct pmuctl_event *event,
		     struct pmuctl_lost *lost)
{
	struct pmuctl_tally *tally = &ring->tally[event->phase];

	*lost = (struct pmuctl_lost){
		.record.type = PMUCTL_RECORD_LOST,
		.record.size = sizeof(*lost),
		.record.event = event->place,
		.record.time = ktime_get_mono_fast_ns(),
		.samples = tally->untold,
	};
	tally->untold = 0;
	pmuctl_ring_commit(ring, sizeof(*lost));
}

/* There is room again: first of all say what there was none for. */
static noinline void *reserve_behind_lost(struct pmuctl_ring *ring,
					  const struct pmuctl_event *event)
{
	struct pmuctl_lost *lost;

	lost = pmuctl_ring_reserve(ring, sizeof(*lost) + event->room);
	if (!lost)
		return NULL;
	put_lost(ring, event, lost);
	return lost + 1;
}

static void *sample_reserve(struct pmuctl_ring *ring,
			    const struct pmuctl_tally *tally,
			    const struct pmuctl_event *event)
{
	if (unlikely(tally->untold))
		return reserve_behind_lost(ring, event);
	return pmuctl_ring_reserve(ring, event->room);
}

bool pmuctl_sample_take(struct pmuctl_cpu *cpu,
			const struct pmuctl_taken *taken)
{
	const struct pmuctl_event *event = taken->event;
	struct pmuctl_ring *ring = ring_here(event);
	struct pmuctl_tally *tally = &ring->tally[event->phase];
	struct pmuctl_sample *sample;

	tally->produced++;
	if (taken->flags & PMUCTL_RECORD_UNCERTAIN)
		tally->uncertain++;
	sample = sample_reserve(ring, tally, event);
	if (unlikely(!sample)) {
		tally->lost++;
		tally->untold++;
		return false;
	}
	pmuctl_ring_commit(ring, put_sample(sample, taken));
	tally->written++;
	wake_up_at(cpu, ring, event->session);
	return true;
}

void pmuctl_sample_collision(struct pmuctl_cpu *cpu,
			     const struct pmuctl_event *event)
{
	ring_here(event)->tally[event->phase].collisions++;
}

void pmuctl_sample_overrun(const struct pmuctl_event *event)
{
	ring_here(event)->tally[event->phase].overruns++;
}

void pmuctl_sample_stalled(const struct pmuctl_event *event)
{
	ring_here(event)->tally[event->phase].stalled++;
}

void pmuctl_sample_throttled(const struct pmuctl_event *event, u64 n)
{
	ring_here(event)->tally[event->phase].throttled += n;
}

/* Without room nobody misses it: the lost samples around it say as much. */
void pmuctl_sample_note(const struct pmuctl_event *event, u16 type)
{
	struct pmuctl_ring *ring = ring_here(event);
	struct pmuctl_record *record = pmuctl_ring_reserve(ring,
							   sizeof(*record));

	if (!record)
		return;
	*record = (struct pmuctl_record){
		.type = type,
		.size = sizeof(*record),
		.event = event->place,
		.time = ktime_get_mono_fast_ns(),
	};
	pmuctl_ring_commit(ring, sizeof(*record));
}

void pmuctl_sample_tell_lost(struct pmuctl_session *session, unsigned int cpu)
{
	struct pmuctl_ring *ring = session->ring[cpu];
	const struct pmuctl_event *event = session->event;
	struct pmuctl_lost *lost;
	unsigned int i;

	for (i = 0; ring && i < session->nr_events; i++, event++) {
		if (!event->sampled || !ring->tally[event->phase].untold)
			continue;
		lost = pmuctl_ring_reserve(ring, sizeof(*lost));
		if (lost)
			put_lost(ring, event, lost);
	}
}
