/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What QEMU's own files call; included at the end of target/i386/cpu.h.
 */
#ifndef PMUBOX_HOOKS_H
#define PMUBOX_HOOKS_H

bool x86_pmu_realize(X86CPU *cpu, Error **errp);
void x86_pmu_reset(CPUX86State *env);

/* Boundaries: no instruction is in flight. */
void x86_pmu_change(CPUX86State *env);
void x86_pmu_settle(CPUX86State *env);

/* HLT retires, and nothing after it until the CPU wakes up. */
void x86_pmu_halt(CPUX86State *env);

/* A CPU's thread begins to run instructions, and ends. */
void x86_pmu_enter(CPUX86State *env);
void x86_pmu_leave(CPUX86State *env);

/* The instruction in flight does not complete. */
void x86_pmu_undo(CPUX86State *env);

/* An event or SYSCALL takes the CPU away; next: EIP that it will come back to. */
void x86_pmu_event(CPUX86State *env, bool soft, uint64_t next);
void x86_pmu_event_delivered(CPUX86State *env);
void x86_pmu_syscall(CPUX86State *env, uint64_t next);
void x86_pmu_raise(CPUX86State *env, bool soft, int insn_len);

/* True: done.  They raise #GP themselves, which is what retaddr is for. */
bool x86_pmu_rdmsr(CPUX86State *env, uint64_t *value, uintptr_t retaddr);
bool x86_pmu_wrmsr(CPUX86State *env, uint64_t value, uintptr_t retaddr);
bool x86_pmu_rdpmc(CPUX86State *env, uintptr_t retaddr);
bool x86_pmu_cpuid_mark(CPUX86State *env);
void x86_pmu_note(CPUX86State *env, enum pmu_total what);
uint64_t x86_pmu_misc_enable(CPUX86State *env);
void x86_pmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf, uint32_t *eax, uint32_t *ebx,
		   uint32_t *ecx, uint32_t *edx);

/* Translations are gone: of one page, or (UINT64_MAX) all. */
static inline void x86_pmu_flush(CPUX86State *env, uint64_t addr)
{
	if (env->pmu.model)
		pmu_flush(env->pmu.model, addr);
}

static inline enum pmu_class x86_pmu_class(CPUX86State *env)
{
	return env->hflags & HF_CPL_MASK ? PMU_USER : PMU_KERNEL;
}

/*
 * Where TBs are looked up no instruction is in flight, so that a change of
 * class or CR3 is seen here: at the exact boundary, and before the first
 * instruction that runs under it.
 */
static inline uint32_t x86_pmu_tb_flags(CPUX86State *env)
{
	X86PMU *p = &env->pmu;
	enum pmu_class cls = x86_pmu_class(env);

	if (unlikely(cls != p->hot.cls || (p->watch && env->cr[3] != p->cr3)))
		x86_pmu_change(env);
	return (uint32_t)p->hot.needs[cls] << HF_PMU_SHIFT |
	       ((uint32_t)p->hot.needs[cls] >> 1 & p->kind_mask);
}

/*
 * An access that a helper makes for an instruction.  Without a return address
 * it is the CPU's own (exception frames, descriptor tables): not the program's.
 */
static inline void x86_pmu_mem(CPUX86State *env, uint64_t addr, unsigned int size, bool store,
			       uintptr_t retaddr)
{
	X86PMU *p = &env->pmu;

	if (unlikely(p->hot.needs[p->hot.cls] & PMU_NEED_MEM) && retaddr)
		pmu_mem(p->model, addr, size, store);
}

#endif
