// SPDX-License-Identifier: GPL-2.0-only
/*
 * Between QEMU's CPU and the PMU model: boundaries, PMIs, registers, CPUID.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "qapi/error.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "exec/exec-all.h"
#include "hw/i386/apic.h"
#include "tcg/helper-tcg.h"
#include "guest-time.h"
#include "pmu-truth.h"

bool x86_pmu_realize(X86CPU *cpu, Error **errp)
{
	X86PMU *p = &cpu->env.pmu;

	pmubox_report_cpus();
	p->branch_from = PMU_NO_BRANCH;
	if (!cpu->pmu_profile) {
		if (cpu->pmu_truth)
			error_setg(errp, "pmu-truth needs a PMU: add pmu-profile=NAME");
		return !cpu->pmu_truth;
	}
	p->model = pmu_new(cpu->pmu_profile, cpu->pmu_skid, &p->hot);
	if (!p->model) {
		error_setg(errp, "pmu-profile=%s: the PMU model has no such profile",
			   cpu->pmu_profile);
		return false;
	}
	return !cpu->pmu_truth || x86_truth_start(cpu, errp);
}

/* An INIT keeps what a RESET clears; both leave ring 0 and no branch behind. */
void x86_pmu_reset(CPUX86State *env)
{
	X86PMU *p = &env->pmu;

	if (!p->model)
		return;
	p->branch_from = PMU_NO_BRANCH;
	p->soft_int = false;
	if (!p->keep)
		pmu_reset(p->model);
}

/*
 * In guest time QEMU's clock is read, and interrupts are raised, only where a TB says
 * that they may be.  Where the state has been restored, or outside of TBs, it is right
 * all the same.
 */
static bool let_do_io(CPUX86State *env, bool may)
{
	CPUState *cs = env_cpu(env);
	bool might = cs->can_do_io;

	cs->can_do_io = may;
	return might;
}

/* --- boundaries --- */

static void pmu_deliver(CPUX86State *env)
{
	bool locked = qemu_mutex_iothread_locked();
	bool might = let_do_io(env, true);
	bool masked;

	if (!locked)
		qemu_mutex_lock_iothread();
	masked = !apic_deliver_pmi(env_archcpu(env)->apic_state);
	if (!locked)
		qemu_mutex_unlock_iothread();
	let_do_io(env, might);
	pmu_pmi(env->pmu.model, masked);
}

void x86_pmu_settle(CPUX86State *env)
{
	X86PMU *p = &env->pmu;
	uint64_t from = p->branch_from;

	if (from == PMU_NO_BRANCH)
		return;
	p->branch_from = PMU_NO_BRANCH;
	pmu_branch(p->model, from, env->eip, p->branch_next);
}

/* The CPU stands between two instructions, outside of translated code. */
void x86_pmu_stand(CPUX86State *env)
{
	x86_pmu_settle(env);
	if (pmu_sync(env->pmu.model))
		pmu_deliver(env);
}

/* The class or CR3 has changed since the last instruction. */
void x86_pmu_change(CPUX86State *env)
{
	X86PMU *p = &env->pmu;
	bool due;

	x86_pmu_settle(env);
	due = pmu_set_class(p->model, x86_pmu_class(env));
	if (due)
		pmu_deliver(env);
	p->cr3 = env->cr[3];
	if (p->truth)
		x86_truth_change(env);
}

void helper_pmu_settle(CPUX86State *env)
{
	x86_pmu_settle(env);
}

/* The budget is used up in front of an instruction, which was taken from it. */
void helper_pmu_boundary(CPUX86State *env)
{
	X86PMU *p = &env->pmu;
	CPUState *cs = env_cpu(env);
	bool due;

	p->hot.budget++;
	due = pmu_sync(p->model);
	if (!due) {
		p->hot.budget--;
		return;
	}
	/* TBs are relative to EIP: after a restore there is no way back into one. */
	p->quiet = true;
	cpu_restore_state(cs, GETPC());
	p->quiet = false;
	pmu_deliver(env);
	cs->exception_index = -1;
	cpu_loop_exit(cs);
}

/* --- instructions that do not complete, or not yet --- */

void x86_pmu_undo(CPUX86State *env)
{
	X86PMU *p = &env->pmu;

	if (p->quiet)
		return;
	p->branch_from = PMU_NO_BRANCH;
	pmu_unretire(p->model);
}

void helper_pmu_undo(CPUX86State *env)
{
	x86_pmu_undo(env);
}

void helper_pmu_rep_again(CPUX86State *env)
{
	pmu_rep_again(env->pmu.model);
}

void helper_pmu_load(CPUX86State *env, target_ulong addr, uint32_t size)
{
	pmu_mem(env->pmu.model, addr, size, false);
}

void helper_pmu_store(CPUX86State *env, target_ulong addr, uint32_t size)
{
	pmu_mem(env->pmu.model, addr, size, true);
}

/*
 * Called by everything that raises an exception.  INT n, INT3 and INTO are far
 * branches that retire; if their delivery faults they have not.
 */
void x86_pmu_raise(CPUX86State *env, bool soft, int insn_len)
{
	X86PMU *p = &env->pmu;

	if (!p->hot.active)
		return;
	if (soft && (p->hot.needs[p->hot.cls] & PMU_NEED_BRANCH)) {
		p->branch_from = env->eip;
		p->branch_next = env->eip + insn_len;
	}
	if (!soft && p->soft_int) {
		p->soft_int = false;
		if (p->hot.needs[p->hot.cls] & PMU_NEED_INSN)
			x86_pmu_undo(env);
	}
}

void x86_pmu_event(CPUX86State *env, bool soft, uint64_t next)
{
	X86PMU *p = &env->pmu;

	p->soft_int = soft;
	if (!soft && p->hot.active)
		x86_pmu_settle(env);
	if (p->truth && x86_pmu_class(env) == PMU_USER)
		x86_truth_leave(env, soft ? next : env->eip, false);
}

void x86_pmu_event_delivered(CPUX86State *env)
{
	env->pmu.soft_int = false;
}

void x86_pmu_syscall(CPUX86State *env, uint64_t next)
{
	if (env->pmu.truth && x86_pmu_class(env) == PMU_USER)
		x86_truth_leave(env, next, true);
}

/* --- registers --- */

/* While nothing counts nobody tells the model about classes. */
static void pmu_class_now(CPUX86State *env)
{
	if (env->pmu.hot.cls != x86_pmu_class(env))
		pmu_set_class(env->pmu.model, x86_pmu_class(env));
}

static bool pmu_done(CPUX86State *env, enum pmu_access access, uintptr_t retaddr)
{
	if (access == PMU_FAULT)
		raise_exception_err_ra(env, EXCP0D_GPF, 0, retaddr);
	return access == PMU_DONE;
}

bool x86_pmu_rdmsr(CPUX86State *env, uint64_t *value, uintptr_t retaddr)
{
	if (!env->pmu.model)
		return false;
	pmu_class_now(env);
	return pmu_done(env, pmu_rdmsr(env->pmu.model, env->regs[R_ECX], value), retaddr);
}

bool x86_pmu_wrmsr(CPUX86State *env, uint64_t value, uintptr_t retaddr)
{
	if (!env->pmu.model)
		return false;
	pmu_class_now(env);
	return pmu_done(env, pmu_wrmsr(env->pmu.model, env->regs[R_ECX], value), retaddr);
}

bool x86_pmu_rdpmc(CPUX86State *env, uintptr_t retaddr)
{
	uint64_t value;

	if (!env->pmu.model)
		return false;
	pmu_class_now(env);
	if (!pmu_done(env, pmu_rdpmc(env->pmu.model, env->regs[R_ECX], &value), retaddr))
		raise_exception_err_ra(env, EXCP0D_GPF, 0, retaddr);
	env->regs[R_EAX] = (uint32_t)value;
	env->regs[R_EDX] = value >> 32;
	x86_pmu_note(env, PMU_RDPMCS);
	return true;
}

void x86_pmu_note(CPUX86State *env, enum pmu_total what)
{
	if (env->pmu.model) {
		pmu_class_now(env);
		pmu_note(env->pmu.model, what);
	}
}

uint64_t x86_pmu_misc_enable(CPUX86State *env)
{
	return env->pmu.model ? pmu_misc_enable(env->pmu.model) : 0;
}

void x86_pmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t *eax, uint32_t *ebx, uint32_t *ecx,
		   uint32_t *edx)
{
	uint32_t regs[4];

	if (!env->pmu.model)
		return;
	if (leaf == 1) {
		pmu_cpuid_1(env->pmu.model, ecx, edx);
		return;
	}
	pmu_cpuid_0a(env->pmu.model, regs);
	*eax = regs[0];
	*ebx = regs[1];
	*ecx = regs[2];
	*edx = regs[3];
}

/* --- marks --- */

#define MARK_MAGIC 0x504d5542		/* "PMUB" */
#define MARK_PROBE 0
#define MARK_MARK 1
#define MARK_VERSION 1

/*
 * CPUID ends its TB.  The mark is taken by exclusive work, which runs when this
 * CPU next leaves its loop, and that is before any other instruction of it.
 */
static uint32_t mark(CPUX86State *env, uint32_t label)
{
	if (!env->pmu.truth)
		return 0;
	x86_truth_mark(env, label);
	return 1;
}

bool x86_pmu_cpuid_mark(CPUX86State *env)
{
	uint32_t op = env->regs[R_ECX], arg = env->regs[R_EBX], answer;

	if (!env->pmu.model || (uint32_t)env->regs[R_EAX] != MARK_MAGIC)
		return false;
	if (op == MARK_PROBE)
		answer = MARK_VERSION;
	else if (op == MARK_MARK)
		answer = mark(env, arg);
	else
		answer = 0;
	env->regs[R_EBX] = answer;
	env->regs[R_ECX] = env->pmu.truth ? 1 : 0;
	env->regs[R_EDX] = 0;
	env->regs[R_EAX] = MARK_MAGIC;
	return true;
}
