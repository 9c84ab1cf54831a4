// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS records: which instruction it was, what the CPU looks like behind it, and
 * the guest's memory, as the processor itself may write it.
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/cpu_ldst.h"
#include "exec/exec-all.h"
#include "pmu-pebs.h"
#include "pmu-truth.h"

/* As when the state is restored, but without restoring it. */
uint64_t x86_pebs_eip(CPUX86State *env, uintptr_t retaddr)
{
	uint64_t data[TARGET_INSN_START_WORDS], base = env->segs[R_CS].base, ip;
	bool wide = env->hflags & HF_CS64_MASK;

	if (!cpu_unwind_state_data(env_cpu(env), retaddr, data))
		return env->eip;
	if (wide)
		base = 0;
	ip = TARGET_TB_PCREL ? ((env->eip + base) & TARGET_PAGE_MASK) | data[0] : data[0];
	return wide ? ip : (uint32_t)(ip - base);
}

static void look_at(CPUX86State *env, struct pmu_cpu *cpu)
{
	unsigned int i;

	cpu->ip = env->eip;
	cpu->flags = cpu_compute_eflags(env);
	cpu->long_mode = env->hflags & HF_LMA_MASK;
	cpu->wide = env->hflags & HF_CS64_MASK;
	cpu->tsc = x86_pmu_tsc(env);
	for (i = 0; i < ARRAY_SIZE(cpu->gpr); i++)
		cpu->gpr[i] = env->regs[i];
	for (i = 0; i < ARRAY_SIZE(cpu->xmm); i++) {
		cpu->xmm[i][0] = env->xmm_regs[i].ZMM_Q(0);
		cpu->xmm[i][1] = env->xmm_regs[i].ZMM_Q(1);
		cpu->ymmh[i][0] = env->xmm_regs[i].ZMM_Q(2);
		cpu->ymmh[i][1] = env->xmm_regs[i].ZMM_Q(3);
	}
}

/* In translated code the kind of the flags is only known where it stands. */
static void look_before(CPUX86State *env, struct pmu_cpu *cpu, uint64_t ip, uintptr_t retaddr)
{
	uint64_t data[TARGET_INSN_START_WORDS];
	uint32_t cc_op = env->cc_op;

	if (cpu_unwind_state_data(env_cpu(env), retaddr, data) && data[1] != CC_OP_DYNAMIC)
		env->cc_op = data[1];
	look_at(env, cpu);
	env->cc_op = cc_op;
	cpu->ip = ip;
	cpu->eventing_ip = ip;
}

void x86_pebs_step(CPUX86State *env, uintptr_t retaddr)
{
	X86PMU *p = &env->pmu;

	p->step_ip = x86_pebs_eip(env, retaddr);
	p->step_number = pmu_retired(p->model) + 1;
	if (p->before)
		look_before(env, p->before, p->step_ip, retaddr);
}

bool x86_pebs_last(CPUX86State *env, uint64_t *ip)
{
	X86PMU *p = &env->pmu;
	uint64_t retired = pmu_retired(p->model);

	*ip = p->step_ip;
	/* A round of REP has not retired yet. */
	return p->step_number && (p->step_number == retired || p->step_number == retired + 1);
}

/* --- guest memory --- */

static bool accessible(CPUX86State *env, uint64_t addr, MMUAccessType type)
{
	void *host;
	int flags = probe_access_flags(env, addr, type, MMU_KNOSMAP64_IDX, true, &host, 0);

	return !(flags & (TLB_INVALID_MASK | TLB_MMIO));
}

static bool all_accessible(CPUX86State *env, uint64_t addr, unsigned int size, MMUAccessType type)
{
	uint64_t last = addr + size - 1;

	if (!(env->hflags & HF_LMA_MASK) || last < addr)
		return false;
	for (addr &= TARGET_PAGE_MASK; addr <= last; addr += TARGET_PAGE_SIZE) {
		if (!accessible(env, addr, type))
			return false;
		if (addr > UINT64_MAX - TARGET_PAGE_SIZE)
			break;
	}
	return true;
}

static bool memory_read(void *data, uint64_t addr, uint64_t *word)
{
	CPUX86State *env = data;

	if (!all_accessible(env, addr, sizeof(*word), MMU_DATA_LOAD))
		return false;
	*word = cpu_ldq_mmuidx_ra(env, addr, MMU_KNOSMAP64_IDX, 0);
	return true;
}

static bool memory_writable(void *data, uint64_t addr, unsigned int size)
{
	return all_accessible(data, addr, size, MMU_DATA_STORE);
}

static void memory_write(void *data, uint64_t addr, uint64_t word)
{
	cpu_stq_mmuidx_ra(data, addr, word, MMU_KNOSMAP64_IDX, 0);
}

/* Nothing but memory: a record must not make a device do something. */
static bool physical_writable(void *data, uint64_t addr, unsigned int size)
{
	AddressSpace *as = cpu_get_address_space(env_cpu(data), 0);

	RCU_READ_LOCK_GUARD();
	while (size) {
		hwaddr offset, length = size;
		MemoryRegion *mr = address_space_translate(as, addr, &offset, &length, true,
							   MEMTXATTRS_UNSPECIFIED);

		if (!length || !memory_region_is_ram(mr) || mr->readonly)
			return false;
		addr += length;
		size -= length;
	}
	return true;
}

static void physical_write(void *data, uint64_t addr, uint64_t word)
{
	AddressSpace *as = cpu_get_address_space(env_cpu(data), 0);

	address_space_stq_le(as, addr, word, MEMTXATTRS_UNSPECIFIED, NULL);
}

/* --- the record --- */

/* The CPU as a record shows it: behind the instruction, or in front of it. */
static void look_for_record(CPUX86State *env, struct pmu_cpu *cpu)
{
	uint64_t eventing_ip = env->eip;
	bool known = x86_pebs_last(env, &eventing_ip);

	if (known && env->pmu.before) {
		*cpu = *env->pmu.before;
		return;
	}
	look_at(env, cpu);
	cpu->eventing_ip = known ? eventing_ip : env->eip;
}

void x86_pebs_write(CPUX86State *env)
{
	const struct pmu_memory memory = {
		.data = env,
		.read = memory_read,
		.writable = memory_writable,
		.write = memory_write,
		.physical_writable = physical_writable,
		.physical_write = physical_write,
	};
	struct pmu_written written;
	struct pmu_cpu cpu;

	look_for_record(env, &cpu);
	written = pmu_record(env->pmu.model, &cpu, &memory);
	x86_truth_record(env, &written);
}
