// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which program runs on a CPU: execs and forks are recognised by what they
 * leave in registers and page tables, so that any kernel will do.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "qapi/error.h"
#include "cpu.h"
#include "hw/i386/apic.h"
#include "guest-stack.h"
#include "pmu-pebs.h"
#include "pmu-truth.h"
#include "retire-trace.h"
#include "truth-kin.h"
#include "where.h"

#define PAGE_BITS UINT64_C(0xfff)
#define PTI_BIT UINT64_C(0x1000)	/* tells the user half of a pair of tables */
#define PTI_IGNORE (PAGE_BITS | PTI_BIT | UINT64_C(1) << 63)
/* GLOBAL_STATUS of a PMI of PEBS' buffer, without a counter's overflow. */
#define DS_BUFFER (UINT64_C(1) << 62)
#define ARCH_BUFFER (UINT64_C(1) << 54)

/* System calls of x86_64 Linux. */
enum { NR_CLONE = 56, NR_FORK = 57, NR_EXECVE = 59, NR_EXECVEAT = 322, NR_CLONE3 = 435 };
#define CLONE_VM 0x100
#define CLONE_CHILD_SETTID 0x1000000

/* What a system call that makes a process is given, clone3 in a structure. */
struct clone_args {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size;
};

static struct truth_space *nobody;	/* kernel code under a CR3 that no program had */
static bool begun;
static int pti = -1;			/* not known before the first user entry */

/* --- leaving user mode --- */

static bool clone_args(CPUX86State *env, struct clone_args *args)
{
	switch (env->regs[R_EAX]) {
	case NR_FORK:
		*args = (struct clone_args){ 0 };
		return true;
	case NR_CLONE:
		*args = (struct clone_args){ .flags = env->regs[R_EDI],
					     .stack = env->regs[R_ESI],
					     .child_tid = env->regs[10] };
		return true;
	case NR_CLONE3:
		return guest_read(env, env->regs[R_EDI], args, sizeof(*args));
	}
	return false;
}

static bool makes_process(CPUX86State *env, struct truth_child *child)
{
	struct clone_args args;
	uint64_t rsp, tid_at;

	if (!clone_args(env, &args) || args.flags & CLONE_VM)
		return false;
	rsp = args.stack ? args.stack + args.stack_size : env->regs[R_ESP];
	tid_at = args.flags & CLONE_CHILD_SETTID ? args.child_tid : 0;
	truth_child_of(env, rsp, tid_at, child);
	return true;
}

void x86_truth_leave(CPUX86State *env, uint64_t rip, bool syscall)
{
	struct truth_cpu *cpu = env->pmu.truth;
	uint64_t path = 0;

	g_free(cpu->left.path);
	cpu->left.path = NULL;
	cpu->left.valid = true;
	cpu->left.to = (struct truth_place){ rip, env->regs[R_ESP] };
	cpu->left.syscall = syscall;
	if (!syscall)
		return;
	cpu->left.nr = env->regs[R_EAX];
	if (cpu->left.nr == NR_EXECVE)
		path = env->regs[R_EDI];
	else if (cpu->left.nr == NR_EXECVEAT)
		path = env->regs[R_ESI];
	if (path)
		cpu->left.path = guest_string(env, path);
	cpu->left.forks = makes_process(env, &cpu->left.child);
}

static void left_user(struct truth_cpu *cpu)
{
	struct truth_space *space = cpu->space;

	if (!cpu->left.valid)
		return;
	cpu->left.valid = false;
	truth_away(space, cpu->left.to);
	if (!cpu->left.syscall)
		return;
	if (cpu->left.forks)
		truth_forks(space, cpu->left.to, &cpu->left.child);
	if (cpu->left.nr != NR_EXECVE && cpu->left.nr != NR_EXECVEAT)
		return;
	truth_execs(space, cpu->left.to, cpu->left.path);
	cpu->left.path = NULL;
}

/* --- entering it --- */

/* What Linux leaves in the registers of a program that has just been started. */
static bool looks_like_exec(CPUX86State *env)
{
	unsigned int i;

	for (i = 0; i < CPU_NB_REGS; i++) {
		if (i != R_ESP && env->regs[i])
			return false;
	}
	return true;
}

static struct truth_space *new_exec(CPUX86State *env, uint64_t key)
{
	char *name = guest_exec_name(env, env->regs[R_ESP]);
	struct truth_space *parent = truth_take_exec(name, key);
	struct truth_space *space;

	space = truth_new_space(parent, "exec", name ? name : "?", key);
	g_free(name);
	return space;
}

/*
 * With page table isolation the kernel turns CR3 to the user's half right before
 * every entry; without it half of all programs have an even page, soon enough.
 */
static void learn_pti(const struct truth_cpu *cpu)
{
	if (!(cpu->cr3 & PTI_BIT))
		pti = 0;
	else if (pti < 0)
		pti = !(cpu->cr3_before & PTI_BIT) &&
		      !((cpu->cr3 ^ cpu->cr3_before) & ~PTI_IGNORE);
}

/*
 * A thread is back where it has been.  A system call that a signal interrupts may
 * be started over: then it comes back to the SYSCALL itself, of two bytes.
 */
static bool resumes(struct truth_space *space, struct truth_place at, int64_t result)
{
	struct truth_place again = { at.rip + 2, at.rsp };

	if (truth_back(space, at)) {
		truth_came_back(space, at, result);
		return true;
	}
	if (!truth_back(space, again))
		return false;
	truth_came_back(space, again, -1);
	return true;
}

/*
 * The tables of a space that is gone may be another's by now, who begins where a thread
 * of the old one stood when it was killed.  So what is surely new comes before what is back.
 */
static struct truth_space *entered_user(CPUX86State *env, struct truth_cpu *cpu)
{
	struct truth_place at = { env->eip, env->regs[R_ESP] };
	struct truth_space *space, *child = NULL;
	bool exec = looks_like_exec(env);
	uint64_t key;

	learn_pti(cpu);
	key = cpu->cr3 & ~(PAGE_BITS | UINT64_C(1) << 63);
	space = truth_find(key);
	if (!exec)
		truth_is_no_exec(key);
	if (exec && truth_execs_to(key))
		return new_exec(env, key);
	if (!exec && !env->regs[R_EAX])
		child = truth_known_child(env, space, key);
	if (child)
		return child;
	if (space && resumes(space, at, env->regs[R_EAX]))
		return space;
	if (exec)
		return new_exec(env, key);
	if (!env->regs[R_EAX])
		child = truth_likely_child(env, space, key);
	if (child)
		return child;
	return space ? space : truth_new_space(NULL, "other", "", key);
}

/* --- which space is charged --- */

/* Spaces are found by the CR3 that they have in user mode. */
static uint64_t user_key(uint64_t cr3)
{
	uint64_t key = cr3 & ~(PAGE_BITS | UINT64_C(1) << 63);

	return pti == 1 ? key | PTI_BIT : key;
}

static struct truth_space *kernel_space(const struct truth_cpu *cpu)
{
	struct truth_space *space = truth_find(user_key(cpu->cr3));

	return space ? space : nobody;
}

static void enter_user(CPUX86State *env, struct truth_cpu *cpu)
{
	cpu->space = entered_user(env, cpu);
	if (cpu->where)
		where_user(env, cpu->where, cpu->space);
}

static void change(CPUX86State *env, struct truth_cpu *cpu)
{
	enum pmu_class before = cpu->cls;

	truth_charge(cpu);
	cpu->cls = x86_pmu_class(env);
	if (before == PMU_USER && cpu->cls == PMU_KERNEL) {
		if (cpu->where)
			where_kernel(env, cpu->where, cpu->left.valid && cpu->left.syscall,
				     cpu->left.nr, cpu->left.forks);
		left_user(cpu);
	}
	if (cpu->cr3 != env->cr[3]) {
		cpu->cr3_before = cpu->cr3;
		cpu->cr3 = env->cr[3];
		if (user_key(cpu->cr3) != user_key(cpu->cr3_before))
			truth_went_from(env, cpu->space, user_key(cpu->cr3));
	}
	if (before == PMU_KERNEL && cpu->cls == PMU_USER)
		enter_user(env, cpu);
	else if (cpu->cls == PMU_KERNEL)
		cpu->space = kernel_space(cpu);
}

/* --- from the first program on --- */

/* The command has ended, and where instructions go is of no more use: nor is the truth. */
static bool where_is_over;

/* Slots of the kernel are known where counters ask for them: it is slow enough as it is. */
static void force(CPUX86State *env)
{
	unsigned int needs = PMU_NEED_ALL | (the_truth.slots_on ? PMU_NEED_USER_KIND : 0);

	pmu_force(env->pmu.model, where_is_over ? 0 : needs);
}

static void join(CPUX86State *env)
{
	struct truth_cpu *cpu = env->pmu.truth;
	unsigned int cls;

	if (cpu->space)
		return;
	x86_pmu_stand(env);
	cpu->space = nobody;
	if (where_wanted())
		cpu->where = where_new();
	force(env);
	for (cls = 0; cls < PMU_CLASSES; cls++)
		memcpy(cpu->seen[cls], pmu_totals(env->pmu.model, cls), sizeof(cpu->seen[cls]));
}

static void join_work(CPUState *cs, run_on_cpu_data data)
{
	join(cs->env_ptr);
}

/* The kernel boots at full speed; the truth begins with init. */
static void begin(void)
{
	CPUState *cs;

	begun = true;
	nobody = truth_new_space(NULL, "other", "", 0);
	CPU_FOREACH(cs) {
		async_run_on_cpu(cs, join_work, RUN_ON_CPU_NULL);
	}
}

void x86_truth_change(CPUX86State *env)
{
	struct truth_cpu *cpu = env->pmu.truth;

	truth_lock();
	if (!begun && x86_pmu_class(env) == PMU_USER)
		begin();
	if (begun) {
		join(env);
		change(env, cpu);
	} else if (cpu->cr3 != env->cr[3]) {
		cpu->cr3_before = cpu->cr3;
		cpu->cr3 = env->cr[3];
	}
	truth_unlock();
}

/* --- samples --- */

static struct truth_sample sample_here(CPUX86State *env, enum truth_sample_kind kind,
				       uint64_t counters, uint64_t next)
{
	const struct truth_cpu *cpu = env->pmu.truth;
	struct truth_sample s = {
		.kind = kind, .counters = counters, .next = next, .at = next,
		.space = cpu->space->id, .cls = cpu->cls, .tsc = x86_pmu_tsc(env),
	};

	s.has_ip = x86_pebs_last(env, &s.ip);
	return s;
}

/* Until its PMI comes: of several overflows the first, with the counters of all. */
void x86_truth_overflow(CPUX86State *env, uint64_t counters, uint64_t next)
{
	struct truth_cpu *cpu = env->pmu.truth;

	if (!cpu || !cpu->space)
		return;
	if (cpu->overflow.counters)
		cpu->overflow.counters |= counters;
	else
		cpu->overflow = sample_here(env, TRUTH_PMI, counters, next);
}

void x86_truth_pmi(CPUX86State *env, bool masked)
{
	struct truth_cpu *cpu = env->pmu.truth;

	if (!cpu || !cpu->overflow.counters)
		return;
	cpu->overflow.at = env->eip;
	cpu->overflow.tsc = x86_pmu_tsc(env);
	if (cpu->overflow.counters == DS_BUFFER || cpu->overflow.counters == ARCH_BUFFER)
		cpu->overflow.kind = TRUTH_PEBS_FULL;
	if (!masked)
		truth_add_sample(cpu, &cpu->overflow);
	cpu->overflow.counters = 0;
}

void x86_truth_record(CPUX86State *env, const struct pmu_written *written)
{
	struct truth_cpu *cpu = env->pmu.truth;
	struct truth_sample s;

	if (!cpu || !cpu->space)
		return;
	s = sample_here(env, written->written ? TRUTH_PEBS : TRUTH_PEBS_LOST, written->counters,
			env->eip);
	s.has_address = written->has_address;
	s.address = written->address;
	truth_add_sample(cpu, &s);
}

/* --- marks, and the end --- */

#define LVTPC_MSR 0x834			/* where x2APIC has it: keys of marks are MSRs */
#define LVT_MASKED 0x10000
#define MISC_ENABLE_MSR 0x1a0

static void fill_mark(CPUX86State *env, struct truth_mark_cpu *to)
{
	uint32_t lvtpc = apic_pmi_entry(env_archcpu(env)->apic_state);
	unsigned int cls;

	for (cls = 0; cls < PMU_CLASSES; cls++)
		memcpy(to->totals[cls], pmu_totals(env->pmu.model, cls), sizeof(to->totals[cls]));
	pmu_each_changed_msr(env->pmu.model, truth_note_msr, to);
	if (lvtpc != LVT_MASKED)
		truth_note_msr(to, LVTPC_MSR, lvtpc);
	if (env->msr_ia32_misc_enable != MSR_IA32_MISC_ENABLE_DEFAULT)
		truth_note_msr(to, MISC_ENABLE_MSR,
			       env->msr_ia32_misc_enable | x86_pmu_misc_enable(env));
}

/* All CPUs stand between two instructions, outside of translated code. */
static void mark_work(CPUState *self, run_on_cpu_data data)
{
	struct truth_mark *mark;
	CPUX86State *env;
	CPUState *cs;

	CPU_FOREACH(cs) {
		x86_pmu_stand(cs->env_ptr);
	}
	truth_lock();
	env = self->env_ptr;
	mark = truth_new_mark(data.host_int, env->pmu.truth, x86_pmu_tsc(env));
	CPU_FOREACH(cs) {
		env = cs->env_ptr;
		fill_mark(env, &mark->each[env->pmu.truth->index]);
	}
	where_mark(mark->label, mark->cpu);
	truth_unlock();
}

void x86_truth_mark(CPUX86State *env, uint32_t label)
{
	async_safe_run_on_cpu(env_cpu(env), mark_work, RUN_ON_CPU_HOST_INT(label));
}

static void slots_work(CPUState *self, run_on_cpu_data data)
{
	CPUState *cs;

	the_truth.slots_on = data.host_int && the_truth.slots;
	where_is_over = where_wanted() && !data.host_int;
	CPU_FOREACH(cs) {
		CPUX86State *env = cs->env_ptr;

		if (!env->pmu.truth->space)
			continue;
		x86_pmu_stand(env);
		force(env);
	}
}

void x86_truth_slots(CPUX86State *env, bool on)
{
	async_safe_run_on_cpu(env_cpu(env), slots_work, RUN_ON_CPU_HOST_INT(on));
}

/*
 * After a shutdown all CPUs have stopped.  A device that ends QEMU from within
 * an instruction leaves that one out, and what other CPUs have not charged yet.
 */
static void write_truth(void)
{
	CPUState *cs;

	truth_lock();
	CPU_FOREACH(cs) {
		CPUX86State *env = cs->env_ptr;
		struct truth_cpu *cpu = env->pmu.truth;

		if (!cpu || !cpu->space || (cs->running && cs != current_cpu))
			continue;
		if (cs->running)
			x86_pmu_undo(env);
		x86_pmu_settle(env);
		pmu_sync(env->pmu.model);
		truth_charge(cpu);
	}
	truth_write();
	where_end();
	truth_unlock();
}

bool x86_truth_start(X86CPU *cpu, Error **errp)
{
	CPUX86State *env = &cpu->env;
	CPUState *cs = CPU(cpu);

	if (!the_truth.file) {
		if (!truth_open(cpu->pmu_truth, cpu->pmu_profile)) {
			error_setg_errno(errp, errno, "pmu-truth=%s", cpu->pmu_truth);
			return false;
		}
		the_truth.slots = cpu->pmu_truth_slots;
		atexit(write_truth);
	}
	if (cpu->pmu_truth_slots)
		retire_trace_start(env);
	env->pmu.truth = truth_add_cpu(cs->cpu_index, env->pmu.model);
	env->pmu.watch = true;
	pmu_want_causes(env->pmu.model, true);
	return true;
}
