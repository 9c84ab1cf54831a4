// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which backend, if any, drives the PMU of this machine.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <asm/cpufeature.h>
#include <asm/hypervisor.h>
#include <asm/processor.h>

#include "kmod/pmu/alike.h"
#include "kmod/pmu/kinds.h"
#include "kmod/pmu/pebs_records.h"
#include "kmod/pmu/pmu.h"

/*
 * A counter of 48 bits overflows once a day; this makes the path that counts
 * on from there one that can be tested.  Below 2^12 the machine would do
 * little else, above 2^30 a legacy counter cannot be written.
 */
#define OVERFLOW_BITS_MIN	12
#define OVERFLOW_BITS_MAX	30

static unsigned int overflow_bits;
module_param(overflow_bits, uint, 0444);
MODULE_PARM_DESC(overflow_bits,
		 "Make counters overflow every 2^n events, n 12 to 30, for tests (default 0: when they are full)");

static bool allow_unsupported;
module_param(allow_unsupported, bool, 0444);
MODULE_PARM_DESC(allow_unsupported,
		 "Drive CPUs that differ, and perfmon versions that the module does not know (default 0: refuse them)");

static bool allow_unknown_events;
module_param(allow_unknown_events, bool, 0444);
MODULE_PARM_DESC(allow_unknown_events,
		 "Take any event on a processor that the module does not know (default 0: architectural events only)");

static bool p4_counter1;
module_param(p4_counter1, bool, 0444);
MODULE_PARM_DESC(p4_counter1,
		 "Use counter 1 of a Pentium 4 as well, whose enable bit is unreliable (default 0: 17 counters)");

static bool unreliable_pebs;
module_param(unreliable_pebs, bool, 0444);
MODULE_PARM_DESC(unreliable_pebs,
		 "Record with PEBS also where its records are known to be wrong: Core 2 of 65 nm, Sandy Bridge with old microcode (default 0)");

/* The first that fits. */
static const struct {
	u8 family;
	const struct pmuctl_backend *backend;	/* NULL: known, not driven */
	const char *name;
	bool (*drives)(void);			/* NULL: all of the family */
	bool silent;				/* no overflow interrupt */
} families[] = {
	{ 6, &pmuctl_p6, "P6", pmuctl_p6_drives },
	{ 6, &pmuctl_perfmon, "architectural perfmon" },
	{ 5, &pmuctl_p5, "P5", .silent = true },
	{ 15, &pmuctl_p4, "NetBurst" },
	{ 18, NULL, "Nova Lake is not driven yet" },
	{ 19, NULL, "Diamond Rapids is not driven yet" },
};

static int probe_refuse(const char *reason)
{
	const struct cpuinfo_x86 *cpu = &boot_cpu_data;

	return pmuctl_why(NULL, -ENODEV,
			  "%s family %u model %u stepping %u (%s): %s",
			  cpu->x86_vendor_id, cpu->x86, cpu->x86_model,
			  cpu->x86_stepping, cpu->x86_model_id, reason);
}

static void say_facts(const struct pmuctl_caps *caps, const char *of)
{
	pr_info("%s version %u%s: %u counters of %u bits, %u fixed of %u bits%s\n",
		pmuctl_backend->name, caps->version, of, caps->nr_gp,
		caps->gp_width, caps->nr_fixed, caps->fixed_width,
		caps->arch_only ?
		"; unknown processor: architectural events only" : "");
	if (caps->fixed_alone)
		pr_info("fixed counters 0x%x are left alone: those from %u on are not driven yet\n",
			caps->fixed_alone, PMUCTL_FIXED_MAX);
	if (caps->allow_unsupported)
		pr_warn("allow_unsupported=1: counts may be wrong on this processor\n");
}

static void say_kind(u32 kind)
{
	const struct pmuctl_kind *is = &pmuctl_kinds[kind];
	char of[128];

	scnprintf(of, sizeof(of), ", kind %u (%s, CPUs %*pbl)", kind,
		  pmuctl_core_name(is->caps.core), cpumask_pr_args(&is->cpus));
	say_facts(&is->caps, of);
}

static void say_what(void)
{
	u32 kind;

	if (pmuctl_nr_kinds == 1)
		say_facts(&pmuctl_caps, "");
	for (kind = 0; pmuctl_nr_kinds > 1 && kind < pmuctl_nr_kinds; kind++)
		say_kind(kind);
}

/* --- every CPU --- */

#define WAYS_OUT "take these offline and load the module again, or allow_unsupported=1 drives what all have in common, with architectural events only"

/* Two kinds that are not driven together, or that nothing tells apart. */
static int check_pair(const struct pmuctl_kind *a, const struct pmuctl_kind *b)
{
	const char *differ = pmuctl_kinds_apart(&a->caps, &b->caps);

	if (a->caps.core == b->caps.core)
		return pmuctl_why(NULL, -ENODEV,
				  "CPUs %*pbl have a PMU unlike that of CPU %u: counters 0x%llx, not 0x%llx; allow_unsupported=1 drives what they have in common",
				  cpumask_pr_args(&b->cpus),
				  cpumask_first(&a->cpus), b->caps.counters,
				  a->caps.counters);
	if (!differ)
		return 0;
	return pmuctl_why(NULL, -ENODEV,
			  "cores of kinds that differ in %s are not driven together: CPUs %*pbl are %s (CPUID leaf 1AH 0x%x), CPUs %*pbl are %s (0x%x); " WAYS_OUT,
			  differ, cpumask_pr_args(&a->cpus),
			  pmuctl_core_name(a->caps.core), a->caps.core,
			  cpumask_pr_args(&b->cpus),
			  pmuctl_core_name(b->caps.core), b->caps.core);
}

static int check_kinds(void)
{
	u32 a, b;
	int err = 0;

	for (b = 1; b < pmuctl_nr_kinds; b++)
		for (a = 0; a < b && !err; a++)
			err = check_pair(&pmuctl_kinds[a], &pmuctl_kinds[b]);
	return err;
}

static int look_at(unsigned int cpu, struct pmuctl_look *look)
{
	int err = smp_call_function_single(cpu, pmuctl_look_here, look, true);

	return err ? err : look->err;
}

static int find_kinds(struct pmuctl_look *look)
{
	unsigned int cpu;
	int err;

	pmuctl_kinds_begin();
	for_each_online_cpu(cpu) {
		err = look_at(cpu, look);
		if (err)
			return err;
		if (pmuctl_kinds_add(&look->caps, cpu))
			return pmuctl_why(NULL, -ENODEV,
					  "CPU %u is of one kind more than the %u that this module tells apart; take it and those like it offline and load the module again",
					  cpu, PMUCTL_KINDS_MAX);
	}
	if (pmuctl_caps.allow_unsupported) {
		pmuctl_kinds_merge();
		return 0;
	}
	err = check_kinds();
	if (!err)
		pmuctl_kinds_settle();
	return err;
}

static void probe_here(void *info)
{
	struct pmuctl_look *look = info;

	look->err = look->backend->probe(&pmuctl_caps);
}

static int look_at_all(const struct pmuctl_backend *backend)
{
	struct pmuctl_look look = { .backend = backend };
	int err;

	cpus_read_lock();
	err = smp_call_function_single(cpumask_first(cpu_online_mask),
				       probe_here, &look, true);
	if (!err)
		err = look.err;
	if (!err)
		err = find_kinds(&look);
	cpus_read_unlock();
	return err;
}

/* Where its verbs take more, on whichever kind of core. */
static const struct {
	u64 erratum;
	const struct pmuctl_backend *backend;
} mended[] = {
	{ PMUCTL_ERRATUM_TWIN, &pmuctl_perfmon_twins },
	{ PMUCTL_ERRATUM_FIRST_EVENT, &pmuctl_perfmon_fresh },
	{ PMUCTL_ERRATUM_AUXILIARY, &pmuctl_perfmon_auxiliary },
};

static const struct pmuctl_backend *
probe_mended(const struct pmuctl_backend *backend)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mended); i++)
		if (pmuctl_caps.errata & mended[i].erratum)
			return mended[i].backend;
	if (pmuctl_caps.has_pebs &&
	    pmuctl_caps.pebs_format == PEBS_ARCHITECTURAL)
		return &pmuctl_perfmon_index;
	if (backend == &pmuctl_p5 && pmuctl_p5_has_mmx(&pmuctl_caps))
		return &pmuctl_p5_mmx;
	return backend;
}

static int probe_run(const struct pmuctl_backend *backend)
{
	int err = look_at_all(backend);

	if (err)
		return probe_refuse("not driven, for the reason above");
	pmuctl_backend = probe_mended(backend);
	say_what();
	return 0;
}

int pmuctl_probe(void)
{
	unsigned int i;

	if (overflow_bits && (overflow_bits < OVERFLOW_BITS_MIN ||
			      overflow_bits > OVERFLOW_BITS_MAX))
		return pmuctl_why(NULL, -EINVAL,
				  "overflow_bits=%u: must be 0, or from %u to %u",
				  overflow_bits, OVERFLOW_BITS_MIN,
				  OVERFLOW_BITS_MAX);
	pmuctl_caps.overflow_bits = overflow_bits;
	pmuctl_caps.allow_unsupported = allow_unsupported;
	pmuctl_caps.allow_unknown_events = allow_unknown_events;
	pmuctl_caps.p4_counter1 = p4_counter1;
	pmuctl_caps.allow_bad_pebs = unreliable_pebs;
	/* Links are made where preemption is off: GFP_ATOMIC sleeps there. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return probe_refuse("not yet on a PREEMPT_RT kernel; boot one without");
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		return probe_refuse("only Intel's PMUs are driven");
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		if (families[i].family != boot_cpu_data.x86 ||
		    (families[i].drives && !families[i].drives()))
			continue;
		if (!families[i].backend)
			return probe_refuse(families[i].name);
		if (!families[i].silent && !boot_cpu_has(X86_FEATURE_APIC))
			return probe_refuse("no local APIC, so no overflow interrupt");
		/* 11H and 12H are clocks there. */
		if (families[i].backend == &pmuctl_p5 &&
		    hypervisor_is_type(X86_HYPER_KVM))
			return probe_refuse("KVM has registers of its own where a Pentium has its counters");
		return probe_run(families[i].backend);
	}
	return probe_refuse("no backend knows this family");
}
