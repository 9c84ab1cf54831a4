// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which backend, if any, drives the PMU of this machine.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>

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
		 "Drive hybrid processors and perfmon versions that the module does not know (default 0: refuse them)");

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
} families[] = {
	{ 6, &pmuctl_p6, "P6", pmuctl_p6_drives },
	{ 6, &pmuctl_perfmon, "architectural perfmon" },
	{ 5, NULL, "the Pentium's two counters have no backend" },
	{ 15, &pmuctl_p4, "NetBurst" },
};

static int probe_refuse(const char *reason)
{
	const struct cpuinfo_x86 *cpu = &boot_cpu_data;

	return pmuctl_why(NULL, -ENODEV,
			  "%s family %u model %u stepping %u (%s): %s",
			  cpu->x86_vendor_id, cpu->x86, cpu->x86_model,
			  cpu->x86_stepping, cpu->x86_model_id, reason);
}

static void say_what(const struct pmuctl_caps *caps)
{
	pr_info("%s version %u: %u counters of %u bits, %u fixed of %u bits%s\n",
		pmuctl_backend->name, caps->version, caps->nr_gp,
		caps->gp_width, caps->nr_fixed, caps->fixed_width,
		caps->arch_only ?
		"; unknown processor: architectural events only" : "");
	if (caps->allow_unsupported)
		pr_warn("allow_unsupported=1: counts may be wrong on this processor\n");
}

/* --- every CPU --- */

struct look {
	const struct pmuctl_backend *backend;
	struct pmuctl_caps caps;
	int err;
};

static void look_here(void *info)
{
	struct look *look = info;

	look->caps = (struct pmuctl_caps) {
		.allow_unsupported = true,
		.allow_unknown_events = pmuctl_caps.allow_unknown_events,
		.p4_counter1 = pmuctl_caps.p4_counter1,
		.allow_bad_pebs = pmuctl_caps.allow_bad_pebs,
	};
	look->err = look->backend->probe(&look->caps);
}

static bool probe_alike(const struct pmuctl_caps *a,
			const struct pmuctl_caps *b)
{
	return a->version == b->version && a->counters == b->counters &&
	       a->gp_width == b->gp_width && a->fixed_width == b->fixed_width;
}

/* What both have. */
static void probe_narrow(struct pmuctl_caps *caps,
			 const struct pmuctl_caps *other)
{
	caps->counters &= other->counters;
	caps->nr_gp = min(caps->nr_gp, other->nr_gp);
	caps->nr_reserve = caps->nr_gp;
	caps->nr_fixed = hweight64((caps->counters & ~PMUCTL_METRICS) >>
				   PMUCTL_FIXED_BASE);
	caps->gp_width = min(caps->gp_width, other->gp_width);
	caps->fixed_width = min(caps->fixed_width, other->fixed_width);
	caps->arch_events &= other->arch_events;
	caps->capabilities &= other->capabilities;
	caps->any &= other->any;
	caps->errata |= other->errata;
	caps->has_ds &= other->has_ds;
	/* Records of two kinds in one session are nobody's to tell apart. */
	caps->has_pebs &= other->has_pebs &&
			  caps->pebs_format == other->pebs_format;
	caps->pebs_counters &= other->pebs_counters;
	if (caps->lbr_format != other->lbr_format ||
	    caps->lbr_depth != other->lbr_depth)
		caps->lbr_depth = 0;
}

static int look_at(unsigned int cpu, struct look *look)
{
	int err = smp_call_function_single(cpu, look_here, look, true);

	if (!err)
		err = look->err;
	if (err || probe_alike(&pmuctl_caps, &look->caps))
		return err;
	if (!pmuctl_caps.allow_unsupported)
		return pmuctl_why(NULL, -ENODEV,
				  "CPU %u has a PMU unlike the first one's: counters 0x%llx, not 0x%llx; allow_unsupported=1 drives what they have in common",
				  cpu, look->caps.counters,
				  pmuctl_caps.counters);
	probe_narrow(&pmuctl_caps, &look->caps);
	return 0;
}

static int look_at_all(const struct pmuctl_backend *backend)
{
	struct look look = { .backend = backend };
	unsigned int cpu;
	int err = 0;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		err = look_at(cpu, &look);
		if (err)
			break;
	}
	cpus_read_unlock();
	return err;
}

/* Where its verbs take more. */
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
	return backend;
}

static int probe_run(const struct pmuctl_backend *backend)
{
	int err = backend->probe(&pmuctl_caps);

	if (!err)
		err = look_at_all(backend);
	if (err)
		return probe_refuse("not driven, for the reason above");
	pmuctl_backend = probe_mended(backend);
	say_what(&pmuctl_caps);
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
	if (!boot_cpu_has(X86_FEATURE_APIC))
		return probe_refuse("no local APIC, so no overflow interrupt");
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		if (families[i].family != boot_cpu_data.x86 ||
		    (families[i].drives && !families[i].drives()))
			continue;
		if (!families[i].backend)
			return probe_refuse(families[i].name);
		return probe_run(families[i].backend);
	}
	return probe_refuse("no backend knows this family");
}
