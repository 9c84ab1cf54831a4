/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the core's files ask of others of kmod/sample and kmod/cpu, played: for a test of
 * these files alone.
 */
#ifndef CORE_ALONE_H
#define CORE_ALONE_H

static struct pmuctl_cpu cpu_of_all;
struct pmuctl_cpu *pmuctl_cpus = &cpu_of_all;

static struct {
	unsigned int n;
	u64 ip[8], period[8];
	unsigned int nr_branches[8];
} taken;

/* The one that was taken last; to 0: none. */
static struct pmuctl_branch branched;

static unsigned int overruns, stalls, collisions;

bool pmuctl_sample_take(struct pmuctl_cpu *cpu, const struct pmuctl_taken *sample)
{
	assert_true(taken.n < 8);
	taken.ip[taken.n] = sample->ip;
	taken.nr_branches[taken.n] = sample->nr_branches;
	taken.period[taken.n++] = sample->period;
	return true;
}

u64 hw_rdmsr(u32 msr)
{
	hw.reads_of_lstar += msr == MSR_LSTAR;
	return 0;
}

/* The set after this one, and again. */
void pmuctl_rotate_next(const struct pmuctl_session *session, struct pmuctl_counts *counts)
{
	counts->set = (counts->set + 1) % session->nr_sets;
}

struct pmuctl_phase *pmuctl_task_phases(const struct task_struct *of,
					const struct pmuctl_session *session)
{
	return NULL;
}

struct pt_regs *pmuctl_user_entered(const struct pt_regs *at, struct task_struct *of, u64 *ip)
{
	*ip = of->regs.ip;
	return &of->regs;
}

void pmuctl_sample_overrun(const struct pmuctl_event *event)
{
	overruns++;
}

void pmuctl_sample_collision(struct pmuctl_cpu *cpu, const struct pmuctl_event *event)
{
	collisions++;
}

/* None of these has anything to do here. */
void pmuctl_sample_throttled(const struct pmuctl_event *event, u64 n) { }
void pmuctl_sample_stalled(const struct pmuctl_event *event) { stalls++; }
void pmuctl_sample_note(const struct pmuctl_event *event, u16 type) { }
void pmuctl_branches_keep(const struct pmuctl_regs *regs) { }
void pmuctl_branches_done(const struct pmuctl_regs *regs) { }
void pmuctl_lbr_keep(struct pmuctl_calls *calls) { }
void pmuctl_branches_drop(void) { hw.drops++; }
const struct pmuctl_branch *pmuctl_branches_of(const struct pmuctl_event *event, unsigned int *n)
{
	*n = branched.to != 0;
	return &branched;
}
const struct pmuctl_branch *pmuctl_branches_in(const struct pmuctl_branch *all, unsigned int nr,
					       const struct pmuctl_event *event, unsigned int *n)
{
	return NULL;
}
void pmuctl_throttle_enter(struct pmuctl_cpu *cpu) { }
void pmuctl_throttle_leave(struct pmuctl_cpu *cpu) { }
void pmuctl_throttle_settle(struct pmuctl_cpu *cpu) { }
void pmuctl_throttle_drained(struct pmuctl_cpu *cpu, u64 cycles) { }
bool pmuctl_throttle_is_near(const struct pmuctl_cpu *cpu) { return false; }
bool pmuctl_throttled(struct pmuctl_cpu *cpu, struct pmuctl_session *session) { return false; }

static inline void start_alone(void)
{
	memset(pmuctl_cpus, 0, sizeof(*pmuctl_cpus));
	memset(&taken, 0, sizeof(taken));
	memset(&branched, 0, sizeof(branched));
	overruns = 0;
	stalls = 0;
	collisions = 0;
}

#endif
