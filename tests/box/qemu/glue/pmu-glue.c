// SPDX-License-Identifier: GPL-2.0-only
/*
 * Between QEMU's CPU and the PMU model: boundaries, PMIs, registers, CPUID.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "qapi/error.h"
#include "cpu.h"
#include "hw/boards.h"
#include "exec/helper-proto.h"
#include "exec/exec-all.h"
#include "hw/i386/apic.h"
#include "tcg/helper-tcg.h"
#include "channel.h"
#include "guest-time.h"
#include "msr-log.h"
#include "pmu-pebs.h"
#include "pmu-truth.h"
#include "where.h"

static bool same_core(X86CPU *a, X86CPU *b)
{
	return a != b && a->env.pmu.model && b->env.pmu.model && a->core_id == b->core_id &&
	       a->die_id == b->die_id && a->socket_id == b->socket_id;
}

/* The threads of a core are made one after the other. */
static void join_core(X86CPU *cpu)
{
	CPUState *cs;

	CPU_FOREACH(cs) {
		X86CPU *other = X86_CPU(cs);

		if (same_core(cpu, other) && pmu_join(cpu->env.pmu.model, other->env.pmu.model))
			return;
	}
}

static void join_package(X86CPU *cpu)
{
	CPUState *cs;

	CPU_FOREACH(cs) {
		X86CPU *other = X86_CPU(cs);

		if (other != cpu && other->env.pmu.model && other->socket_id == cpu->socket_id &&
		    pmu_join_package(cpu->env.pmu.model, other->env.pmu.model))
			return;
	}
}

/* Physical, of what the TLB has or the page tables say; nothing happens where they say nothing. */
static uint64_t physical(void *data, uint64_t addr)
{
	CPUX86State *env = data;
	void *host = tlb_vaddr_to_host(env, addr, MMU_DATA_LOAD, cpu_mmu_index(env, false));
	ram_addr_t ram = host ? qemu_ram_addr_from_host(host) : RAM_ADDR_INVALID;

	return ram == RAM_ADDR_INVALID ? PMU_NO_ADDRESS : ram;
}

static bool logs_msrs;

/* Whoever does not look at where cycles go is served faster by the simple timing model. */
static bool pipeline_is_off(void)
{
	const char *pipeline = getenv("PMUBOX_PIPELINE");

	return pipeline && !strcmp(pipeline, "off");
}

/* PMUBOX_IDEAL in the environment: penalties to be taken away. */
static bool take_away(X86PMU *p, Error **errp)
{
	const char *ideal = getenv("PMUBOX_IDEAL");
	char why[200];

	if (!ideal || pmu_ideal(p->model, ideal, why, sizeof(why)))
		return true;
	error_setg(errp, "PMUBOX_IDEAL=%s: %s", ideal, why);
	return false;
}

/* PMUBOX_SILICON: which kind of machine it is where manuals leave that open. */
static bool be_such_a_machine(X86PMU *p, Error **errp)
{
	const char *silicon = getenv("PMUBOX_SILICON");
	char why[300];

	if (!silicon || pmu_silicon(p->model, silicon, why, sizeof(why)))
		return true;
	error_setg(errp, "PMUBOX_SILICON=%s: %s", silicon, why);
	return false;
}

/*
 * Of which kind this CPU of a hybrid is, in the order in which they are made: by the letters of
 * pmu-kinds.  Without these the second half is small, and of three kinds its second half low-power.
 */
static char kind_of(X86CPU *cpu)
{
	unsigned int before = 0, all = current_machine->smp.cpus;
	CPUState *cs;

	CPU_FOREACH(cs)
		before += X86_CPU(cs) != cpu;
	if (cpu->pmu_kinds)
		return cpu->pmu_kinds[before];
	if (2 * before < all)
		return 'p';
	return pmu_core_of_kind(cpu->pmu_profile, 'l') && 4 * before >= 3 * all ? 'l' : 'e';
}

static bool kinds_are_known(X86CPU *cpu, Error **errp)
{
	const char *kinds = cpu->pmu_kinds;
	const char *letters = pmu_core_of_kind(cpu->pmu_profile, 'l') ? "pel" : "pe";

	if (!kinds)
		return true;
	if (!pmu_core_of_kind(cpu->pmu_profile, 'e'))
		error_setg(errp, "pmu-kinds=%s: pmu-profile=%s has one kind of core", kinds,
			   cpu->pmu_profile);
	else if (strspn(kinds, letters) != strlen(kinds) ||
		 strlen(kinds) != current_machine->smp.cpus)
		error_setg(errp, "pmu-kinds=%s: there are %u CPUs, and a letter of each is "
			   "one of '%s'", kinds, current_machine->smp.cpus, letters);
	else
		return true;
	return false;
}

/* The model of this CPU, or NULL.  Of a hybrid each kind of core is another profile. */
static struct pmu *new_model(X86CPU *cpu)
{
	static const char letters[] = "pel";
	const char *profile = cpu->pmu_profile;
	struct pmu *pmu;

	if (pmu_core_of_kind(profile, 'e')) {
		/* What is translated tells the kind's own model: no TB is run by two of them. */
		CPU(cpu)->cluster_index = (int)(strchr(letters, kind_of(cpu)) - letters);
		profile = pmu_core_of_kind(profile, kind_of(cpu));
	}
	pmu = pmu_new(profile, cpu->pmu_skid, &cpu->env.pmu.hot);
	if (pmu && !pipeline_is_off() && !pmu_use_pipeline(pmu)) {
		pmu_free(pmu);
		return NULL;
	}
	return pmu;
}

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
	if (!kinds_are_known(cpu, errp))
		return false;
	p->model = new_model(cpu);
	if (!p->model) {
		error_setg(errp, "pmu-profile=%s: the PMU model has no such profile",
			   cpu->pmu_profile);
		return false;
	}
	if (!take_away(p, errp) || !be_such_a_machine(p, errp))
		return false;
	if (pmu_records_before(p->model))
		p->before = g_new0(struct pmu_cpu, 1);
	p->wants_code = pmu_wants_code(p->model) && !pipeline_is_off();
	p->kind_mask = p->wants_code || !pmu_wants_code(p->model) ? HF_PMU_KIND_MASK : 0;
	join_core(cpu);
	join_package(cpu);
	pmu_l3_by(p->model, physical, &cpu->env);
	logs_msrs = msr_log_wanted();
	if (pmu_shares_counters(p->model) && qemu_tcg_mttcg_enabled()) {
		error_setg(errp, "pmu-profile=%s: the threads of a core share its counters: "
			   "add -accel tcg,thread=single", cpu->pmu_profile);
		return false;
	}
	if (cpu->pmu_truth_slots && !(cpu->pmu_truth && p->wants_code)) {
		error_setg(errp, "pmu-truth-slots: %s", cpu->pmu_truth ?
			   "no pipeline in this profile, or PMUBOX_PIPELINE=off: no slots" :
			   "needs pmu-truth=FILE");
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
 * By instructions (-icount) QEMU's clock is read, and interrupts are raised, only where
 * a TB says that they may be.  Where the state has been restored, or outside of TBs, it
 * is right all the same; else the clock is as of the TB's end.
 */
static bool let_do_io(CPUX86State *env, bool may)
{
	CPUState *cs = env_cpu(env);
	bool might = cs->can_do_io;

	cs->can_do_io = may;
	return might;
}

uint64_t x86_pmu_tsc(CPUX86State *env)
{
	bool might = let_do_io(env, true);
	uint64_t tsc = cpu_get_tsc(env);

	let_do_io(env, might);
	return tsc;
}

/* --- boundaries --- */

/* Nothing that came of it would be of use, nor would the truth. */
static void pmu_end_if_spoilt(CPUX86State *env)
{
	const char *why = pmu_spoilt(env->pmu.model);

	if (likely(!why))
		return;
	fprintf(stderr, "pmubox: refused: %s\n", why);
	fflush(stderr);
	_exit(1);
}

static void pmu_deliver(CPUX86State *env)
{
	bool locked = qemu_mutex_iothread_locked();
	bool might = let_do_io(env, true);
	bool masked;

	pmu_end_if_spoilt(env);
	if (!locked)
		qemu_mutex_lock_iothread();
	masked = pmu_loses_pmi(env->pmu.model) ||
		 !apic_deliver_pmi(env_archcpu(env)->apic_state, pmu_masks_pmi(env->pmu.model));
	if (!locked)
		qemu_mutex_unlock_iothread();
	let_do_io(env, might);
	x86_truth_pmi(env, masked);
	pmu_pmi(env->pmu.model, masked);
}

/* The truth wants to know where counters overflow, if they do. */
static void pmu_note_overflow(CPUX86State *env)
{
	uint64_t counters = pmu_overflowed(env->pmu.model);

	if (unlikely(counters))
		x86_truth_overflow(env, counters, env->eip);
}

/* What the model said is due; the state is all in env. */
static void pmu_serve(CPUX86State *env)
{
	pmu_note_overflow(env);
	if (pmu_record_due(env->pmu.model)) {
		pmu_end_if_spoilt(env);
		x86_pebs_write(env);
		pmu_note_overflow(env);
	}
	if (pmu_pmi_due(env->pmu.model))
		pmu_deliver(env);
}

static bool where_is_kept(const CPUX86State *env)
{
	return unlikely(env->pmu.truth && env->pmu.truth->where);
}

void x86_pmu_settle(CPUX86State *env)
{
	X86PMU *p = &env->pmu;
	uint64_t from = p->branch_from;
	struct pmu_branch branch;

	if (from == PMU_NO_BRANCH)
		return;
	p->branch_from = PMU_NO_BRANCH;
	branch = (struct pmu_branch) {
		.from = from,
		.to = env->eip,
		.fall = from + (uint8_t)p->branch_what,
		.kind = p->branch_what >> PMU_BRANCH_KIND_SHIFT,
		.cls = x86_pmu_class(env),
	};
	pmu_branch(p->model, &branch);
	if (where_is_kept(env))
		where_branch(env, p->truth->where, &branch);
}

/*
 * The CPU stands between two instructions, outside of translated code.  Another's
 * thread may have called: a record waits for its own, which comes to it before it
 * runs anything else.
 */
void x86_pmu_stand(CPUX86State *env)
{
	bool due;

	x86_pmu_settle(env);
	due = pmu_sync(env->pmu.model);
	pmu_note_overflow(env);
	if (due && !pmu_record_due(env->pmu.model))
		pmu_deliver(env);
}

/*
 * Threads that share counters take turns, at boundaries.  What is due when this one
 * stops is due at its next boundary, too.
 */
void x86_pmu_leave(CPUX86State *env)
{
	if (!env->pmu.model || !pmu_shares_counters(env->pmu.model))
		return;
	x86_pmu_settle(env);
	pmu_leave(env->pmu.model);
	pmu_note_overflow(env);
}

void x86_pmu_enter(CPUX86State *env)
{
	if (env->pmu.model && pmu_shares_counters(env->pmu.model))
		pmu_enter(env->pmu.model);
}

/* The class or CR3 has changed since the last instruction. */
void x86_pmu_change(CPUX86State *env)
{
	X86PMU *p = &env->pmu;
	bool due;

	x86_pmu_settle(env);
	due = pmu_set_class(p->model, x86_pmu_class(env));
	pmu_note_overflow(env);
	if (due)
		pmu_serve(env);
	p->cr3 = env->cr[3];
	if (p->truth)
		x86_truth_change(env);
}

void x86_pmu_halt(CPUX86State *env)
{
	bool due;

	if (!env->pmu.model || !env->pmu.hot.active)
		return;
	due = pmu_halt(env->pmu.model);
	pmu_note_overflow(env);
	if (due)
		pmu_serve(env);
}

/* The same in translated code, where EIP is not what it was. */
static void pmu_note_overflow_at(CPUX86State *env, uintptr_t retaddr)
{
	uint64_t counters = pmu_overflowed(env->pmu.model);

	if (unlikely(counters))
		x86_truth_overflow(env, counters, x86_pebs_eip(env, retaddr));
}

/* Outside of translated code, the state all in env. */
static void pmu_catch_up(CPUX86State *env)
{
	bool due = pmu_sync(env->pmu.model);

	pmu_note_overflow(env);
	if (due)
		pmu_serve(env);
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
		pmu_note_overflow_at(env, GETPC());
		if (pmu_stepping(p->model))
			x86_pebs_step(env, GETPC());
		p->hot.budget--;
		return;
	}
	/* TBs are relative to EIP: after a restore there is no way back into one. */
	p->quiet = true;
	cpu_restore_state(cs, GETPC());
	p->quiet = false;
	pmu_serve(env);
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
	if (where_is_kept(env))
		where_undo(p->truth->where);
}

void helper_pmu_undo(CPUX86State *env)
{
	x86_pmu_undo(env);
}

void helper_pmu_rep_again(CPUX86State *env)
{
	pmu_rep_again(env->pmu.model);
	if (where_is_kept(env))
		where_undo(env->pmu.truth->where);
}

void helper_pmu_where(CPUX86State *env, target_ulong eip)
{
	if (where_is_kept(env))
		where_count(env, env->pmu.truth->where, eip);
}

void helper_pmu_insn(CPUX86State *env, target_ulong eip, uint32_t what)
{
	pmu_insn(env->pmu.model, eip, what);
}

void helper_pmu_code(CPUX86State *env, target_ulong eip, uint64_t code)
{
	pmu_code_run(env->pmu.model, eip, (const struct pmu_code *)(uintptr_t)code);
}

void helper_pmu_load(CPUX86State *env, target_ulong addr, uint32_t size)
{
	pmu_mem(env->pmu.model, addr, size, false);
}

void helper_pmu_store(CPUX86State *env, target_ulong addr, uint32_t size)
{
	pmu_mem(env->pmu.model, addr, size, true);
}

/* Whatever is counted: what has left the caches is missing once somebody counts. */
void helper_pmu_evict(CPUX86State *env, target_ulong addr)
{
	if (env->pmu.model)
		pmu_evict(env->pmu.model, addr);
}

void helper_pmu_evict_all(CPUX86State *env, uint32_t write_back)
{
	if (env->pmu.model)
		pmu_evict_all(env->pmu.model, write_back != 0);
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
		p->branch_what = PMU_FAR << PMU_BRANCH_KIND_SHIFT | insn_len;
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
	p->event_from = env->eip;
	if (!soft && p->hot.active)
		x86_pmu_settle(env);
	/* Behind the last instruction, which an interrupt must not come in front of. */
	if (!soft && p->model && pmu_stepping(p->model))
		pmu_catch_up(env);
	if (p->truth && x86_pmu_class(env) == PMU_USER)
		x86_truth_leave(env, soft ? next : env->eip, false);
}

void x86_pmu_event_delivered(CPUX86State *env)
{
	X86PMU *p = &env->pmu;

	if (!p->soft_int && p->hot.active)
		pmu_interrupt(p->model, p->event_from, env->eip, x86_pmu_class(env));
	if (where_is_kept(env))
		where_event(env, p->truth->where);
	p->soft_int = false;
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

/* All CPUs stand still between two instructions. */
static void update_siblings(CPUState *self, run_on_cpu_data unused)
{
	CPUState *cs;

	(void)unused;
	CPU_FOREACH(cs) {
		X86CPU *cpu = X86_CPU(cs);

		if (!same_core(X86_CPU(self), cpu))
			continue;
		x86_pmu_settle(&cpu->env);
		pmu_class_now(&cpu->env);
		pmu_core_update(cpu->env.pmu.model);
	}
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
	enum pmu_access access;

	if (!env->pmu.model)
		return false;
	pmu_class_now(env);
	access = pmu_wrmsr(env->pmu.model, env->regs[R_ECX], value);
	if (unlikely(logs_msrs) && access != PMU_NOT_MINE)
		msr_log_write(env, value, access == PMU_FAULT);
	if (!pmu_done(env, access, retaddr))
		return false;
	/* WRMSR ends its TB, and the work is done before the next instruction. */
	if (pmu_core_changed(env->pmu.model))
		async_safe_run_on_cpu(env_cpu(env), update_siblings, RUN_ON_CPU_NULL);
	return true;
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

/* QEMU also asks for other leaves while it sets CPUs up. */
void x86_pmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf, uint32_t *eax, uint32_t *ebx,
		   uint32_t *ecx, uint32_t *edx)
{
	uint32_t regs[4] = { *eax, *ebx, *ecx, *edx };

	if (!env->pmu.model)
		return;
	pmu_cpuid(env->pmu.model, leaf, subleaf, regs);
	*eax = regs[0];
	*ebx = regs[1];
	*ecx = regs[2];
	*edx = regs[3];
}

/* --- marks --- */

#define MARK_MAGIC 0x504d5542		/* "PMUB" */
#define MARK_PROBE 0
#define MARK_MARK 1
#define MARK_SLOTS 2
#define MARK_FRAME 3
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

/* By the same kind of work. */
static uint32_t want_slots(CPUX86State *env, uint32_t on)
{
	if (!env->pmu.truth || !(the_truth.slots || where_wanted()))
		return 0;
	x86_truth_slots(env, on != 0);
	return the_truth.slots;
}

bool x86_pmu_cpuid_mark(CPUX86State *env)
{
	uint32_t op = env->regs[R_ECX], arg = env->regs[R_EBX], answer;

	if ((uint32_t)env->regs[R_EAX] != MARK_MAGIC || (!env->pmu.model && op != MARK_FRAME))
		return false;
	if (op == MARK_FRAME)
		answer = box_channel_send(env_cpu(env), arg, env->regs[R_ESI], env->regs[R_EDI]);
	else if (op == MARK_PROBE)
		answer = MARK_VERSION;
	else if (op == MARK_MARK)
		answer = mark(env, arg);
	else if (op == MARK_SLOTS)
		answer = want_slots(env, arg);
	else
		answer = 0;
	env->regs[R_EBX] = answer;
	env->regs[R_ECX] = env->pmu.truth ? 1 : 0;
	env->regs[R_EDX] = 0;
	env->regs[R_EAX] = MARK_MAGIC;
	return true;
}
