// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What CPUID says about the processor and its PMU.
 */
#include <cpuid.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/cpu/named.h"

#define CPUID1_ECX_HYPERVISOR (1u << 31)
#define CPUID7_EBX_HLE (1u << 4)
#define CPUIDA_EDX_NO_ANY (1u << 15)
#define CPUID7_EBX_RTM (1u << 11)

bool cpu_has_transactions(void)
{
	uint32_t eax, ebx, ecx, edx;

	return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) &&
	       ebx & (CPUID7_EBX_HLE | CPUID7_EBX_RTM);
}

static void read_name(char name[64])
{
	uint32_t regs[12] = { 0 };
	char text[sizeof(regs) + 1];
	size_t i;

	for (i = 0; i < 3; i++)
		if (!__get_cpuid(0x80000002u + (unsigned int)i, &regs[4 * i], &regs[4 * i + 1],
				 &regs[4 * i + 2], &regs[4 * i + 3]))
			return;
	memcpy(text, regs, sizeof(regs));
	text[sizeof(regs)] = '\0';
	/* Intel pads some of them on the left. */
	snprintf(name, 64, "%s", text + strspn(text, " "));
	for (i = strlen(name); i > 0 && name[i - 1] == ' '; i--)
		name[i - 1] = '\0';
}

static void read_hypervisor(struct pmuctl_cpu *cpu)
{
	uint32_t eax, regs[3];

	/* __get_cpuid() knows nothing of this range. */
	__cpuid(0x40000000u, eax, regs[0], regs[1], regs[2]);
	(void)eax;
	memcpy(cpu->hypervisor_name, regs, sizeof(regs));
}

static const uint8_t p6_models[] = { 1, 3, 5, 6, 7, 8, 9, 0xa, 0xb, 0xd };

static enum backend backend_of(uint32_t signature, uint32_t version)
{
	size_t i;

	if (signature_family(signature) == 15)
		return BACKEND_P4;
	if (signature_family(signature) == 5)
		return BACKEND_P5;
	for (i = 0; !version && i < ARRAY_SIZE(p6_models); i++)
		if (signature_family(signature) == 6 && signature_model(signature) == p6_models[i])
			return BACKEND_P6;
	return BACKEND_PERFMON;
}

static const char *const backend_names[] = {
	[BACKEND_PERFMON] = "perfmon", [BACKEND_P4] = "p4", [BACKEND_P6] = "p6",
	[BACKEND_P5] = "p5",
};

static enum backend backend_named(const char *name)
{
	size_t i = ARRAY_SIZE(backend_names);

	while (i-- && strcmp(backend_names[i], name) != 0)
		;
	return i < ARRAY_SIZE(backend_names) ? (enum backend)i : BACKEND_PERFMON;
}

/* Version 0 of family 6 is none of ours, unless it is that old. */
static void read_pmu(struct pmuctl_cpu *cpu)
{
	enum backend backend = backend_of(cpu->signature, cpu->version);

	if (!strcmp(cpu->vendor, "GenuineIntel") && (cpu->version || backend != BACKEND_PERFMON))
		snprintf(cpu->pmu, sizeof(cpu->pmu), "%s", backend_names[backend]);
}

static void read_cpu(struct pmuctl_cpu *cpu)
{
	uint32_t eax, ebx, ecx, edx, regs[3];

	__cpuid(0, eax, regs[0], regs[2], regs[1]);
	memcpy(cpu->vendor, regs, sizeof(regs));
	cpu->smt = wire_smt_active();
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return;
	cpu->signature = eax;
	cpu->family = signature_family(eax);
	cpu->model = signature_model(eax);
	cpu->stepping = eax & 0xf;
	cpu->hypervisor = !!(ecx & CPUID1_ECX_HYPERVISOR);
	if (cpu->hypervisor)
		read_hypervisor(cpu);
	read_name(cpu->name);
	if (__get_cpuid(0xa, &eax, &ebx, &ecx, &edx))
		cpu->version = eax & 0xff;
	read_pmu(cpu);
}

/* As much as is known of another machine's. */
static void name_cpu(const struct named_cpu *named, struct pmuctl_cpu *cpu)
{
	snprintf(cpu->vendor, sizeof(cpu->vendor), "GenuineIntel");
	snprintf(cpu->name, sizeof(cpu->name), "%s", named->name);
	snprintf(cpu->pmu, sizeof(cpu->pmu), "%s", backend_names[named->backend]);
	cpu->signature = named->signature;
	cpu->family = signature_family(named->signature);
	cpu->model = signature_model(named->signature);
	cpu->stepping = named->signature & 0xf;
	cpu->version = named->version;
	cpu->smt = named->threads;
}

int pmuctl_get_cpu(struct pmuctl *ctx, struct pmuctl_cpu *cpu)
{
	struct pmuctl_cpu own = { .size = sizeof(own) };

	if (ctx && ctx->planned)
		name_cpu(ctx->planned, &own);
	else
		read_cpu(&own);
	return give_sized(ctx, cpu, &own, sizeof(own));
}

/* Those of Intel that came before leaf 0AH. */
static int facts_of_old(struct pmu_facts *facts)
{
	struct pmuctl_cpu cpu = { .size = sizeof(cpu) };

	read_cpu(&cpu);
	facts->backend = backend_named(cpu.pmu);
	facts->counters = facts->backend == BACKEND_P4 ? P4_COUNTERS_USUAL : TWO_COUNTERS;
	return facts->backend == BACKEND_PERFMON ? -1 : 0;
}

/*
 * Leaf 0AH: EAX version, number and width of counters, length of EBX; in EBX
 * a set bit means that the event does NOT exist; EDX has the fixed counters,
 * from version 2 on.
 */
static int facts_from_cpuid(struct pmu_facts *facts)
{
	uint32_t eax, ebx, ecx, edx, events, gp, fixed;

	if (!__get_cpuid(1, &facts->signature, &ebx, &ecx, &edx))
		return -1;
	if (!__get_cpuid(0xa, &eax, &ebx, &ecx, &edx) || !(eax & 0xff))
		return facts_of_old(facts);
	facts->version = eax & 0xff;
	gp = eax >> 8 & 0xff;
	events = eax >> 24;
	fixed = facts->version >= 2 ? edx & 0x1f : 0;
	facts->any = facts->version >= 3 && !(edx & CPUIDA_EDX_NO_ANY);
	facts->arch_events = ~ebx & (events < 32 ? (1u << events) - 1 : ~0u);
	facts->counters = (gp < 32 ? (1ull << gp) - 1 : 0xffffffffull) |
			  ((1ull << fixed) - 1) << PMUCTL_COUNTER_FIXED;
	return 0;
}

/* Leaf 1AH, of the CPU that this runs on. */
static uint32_t core_here(void)
{
	uint32_t eax, ebx, ecx, edx;

	return __get_cpuid_count(0x1a, 0, &eax, &ebx, &ecx, &edx) ? eax : 0;
}

static void facts_from_info(const struct pmuctl_info *info, struct pmu_facts *facts)
{
	facts->signature = info->signature;
	facts->version = info->version;
	facts->counters = info->counters;
	facts->arch_events = info->arch_events;
	facts->any = info->any;
	facts->errata = info->errata;
	facts->arch_only = info->arch_only;
	facts->backend = backend_named(info->backend);
}

static void facts_of_threads(struct pmu_facts *facts)
{
	int smt = wire_smt_active();

	facts->threads = wire_threads_share_cores();
	facts->smt = smt < 0 ? facts->threads : smt;
}

int facts_get(struct pmuctl *ctx, struct pmu_facts *facts)
{
	const struct pmuctl_info *info;
	int err;

	if (!ctx->facts_known) {
		err = info_get(ctx, &info);
		if (!err && pmuctl_one_kind(ctx))
			return -EOPNOTSUPP;
		/* Another ABI's numbers may mean something else. */
		if (!err)
			facts_from_info(info, &ctx->facts);
		else if (facts_from_cpuid(&ctx->facts))
			return fail(ctx, -ENODEV, "this machine shows no PMU that pmuctl knows");
		ctx->facts.core = ctx->whole ? ctx->core : core_here();
		facts_of_threads(&ctx->facts);
		ctx->facts_known = true;
	}
	*facts = ctx->facts;
	return 0;
}
