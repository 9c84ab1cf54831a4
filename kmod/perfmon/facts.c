// SPDX-License-Identifier: GPL-2.0-only
/*
 * What CPUID says of an architectural PMU, and whether it is one of ours.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "kmod/perfmon/perfmon.h"
#include "kmod/pmu/lbr.h"
#include "kmod/pmu/models.h"
#include "kmod/pmu/msr.h"

#define CPUID_1_ECX_PDCM	BIT(15)
#define CPUID_1_EDX_DS		BIT(21)
#define CPUID_7_EBX_TSX		(BIT(4) | BIT(11))
#define CPUID_7_EBX_PT		BIT(25)
#define CPUID_A_EDX_NO_ANY	BIT(15)

/* The last version of which we know all that we use. */
#define VERSION_KNOWN		6
/* AnyThread came with it. */
#define VERSION_ANY		3
/* ECX of leaf 0AH came with it, and fixed counter 3. */
#define VERSION_BITMAP		5
#define FIXED_MASK		(BIT(PMUCTL_FIXED_MAX) - 1)

/* Hypervisors announce more than they have registers for. */
static bool perfmon_exists(u32 msr)
{
	u64 value;

	return hw_rdmsr_safe(msr, &value);
}

/*
 * The counters that CPUID announces and no more: Linux assumes three fixed
 * ones on bare metal even if CPUID reports fewer, but touching one that is
 * not there is a fault.  A cloud announces version 2 with four of them.
 * Also those that there is no slot for.
 */
static u32 fixed_counters(const u32 leaf[4])
{
	u32 version = leaf[0] & 0xff, fixed;

	fixed = GENMASK(leaf[3] & 0x1f, 0) >> 1;
	if (version >= VERSION_BITMAP)
		fixed |= leaf[2];
	if (version < VERSION_BITMAP && fixed & BIT(PMUCTL_METRIC_SLOTS) &&
	    !perfmon_exists(MSR_FIXED_CTR + PMUCTL_METRIC_SLOTS))
		fixed &= ~BIT(PMUCTL_METRIC_SLOTS);
	return fixed;
}

static void probe_counters(struct pmuctl_caps *caps, const u32 leaf[4])
{
	u32 events = min_t(u32, leaf[0] >> 24, 32);
	u32 fixed = fixed_counters(leaf);

	caps->version = leaf[0] & 0xff;
	caps->nr_gp = min_t(u32, (leaf[0] >> 8) & 0xff, PMUCTL_LEAF_GP_MAX);
	pmuctl_leaf_counters(&caps->nr_gp, &fixed);
	caps->fixed_alone = fixed & ~FIXED_MASK;
	fixed &= FIXED_MASK;
	caps->gp_width = (leaf[0] >> 16) & 0xff;
	caps->nr_fixed = hweight32(fixed);
	caps->fixed_width = fixed ? (leaf[3] >> 5) & 0xff : 0;
	if (events)
		caps->arch_events = ~leaf[1] & GENMASK(events - 1, 0);
	caps->counters = GENMASK_ULL(PMUCTL_FIXED_BASE - 1, 0) >>
			 (PMUCTL_FIXED_BASE - caps->nr_gp);
	caps->counters |= (u64)fixed << PMUCTL_FIXED_BASE;
	pmuctl_leaf_cfg(caps);
	caps->any = caps->version >= VERSION_ANY &&
		    !(leaf[3] & CPUID_A_EDX_NO_ANY);
	pmuctl_leaf_fields(caps);
	caps->nr_reserve = caps->nr_gp;
	caps->perfctr = MSR_PMC;
	caps->evntsel = MSR_EVTSEL;
}

static void probe_features(struct pmuctl_caps *caps)
{
	u32 regs[4];

	hw_cpuid(1, regs);
	caps->signature = regs[0];
	caps->has_ds = regs[3] & CPUID_1_EDX_DS && perfmon_exists(MSR_DS_AREA);
	if (regs[2] & CPUID_1_ECX_PDCM)
		caps->capabilities = hw_rdmsr_if(MSR_PERF_CAPABILITIES);
	caps->has_pebs = pmuctl_pebs_exists(caps);
	hw_cpuid(7, regs);
	caps->has_tsx = regs[1] & CPUID_7_EBX_TSX;
	caps->has_pt = regs[1] & CPUID_7_EBX_PT;
	hw_cpuid(0x1a, regs);
	caps->core = regs[0];
}

/* The model says how many there are, the processor that they exist. */
static void probe_silent(struct pmuctl_caps *caps)
{
	const struct pmuctl_model *model = caps->model;
	unsigned int i;

	for (; model && caps->nr_gp < model->gp_silent &&
	       perfmon_exists(MSR_EVTSEL + caps->nr_gp); caps->nr_gp++)
		caps->counters |= BIT_ULL(caps->nr_gp);
	for (i = 0; model && i < PMUCTL_FIXED_MAX; i++) {
		if (!(model->fixed_silent & BIT(i)) ||
		    pmuctl_has_fixed(caps, i) ||
		    !perfmon_exists(MSR_FIXED_CTR + i))
			continue;
		caps->counters |= BIT_ULL(PMUCTL_FIXED_BASE + i);
		caps->nr_fixed++;
	}
	caps->nr_reserve = caps->nr_gp;
}

/* Behind slots' counter: another kind of core may count something else. */
static void probe_classes(struct pmuctl_caps *caps)
{
	u32 known = caps->model ? caps->model->fixed_classes : 0;
	u32 alone = (caps->counters & ~PMUCTL_METRICS) >> PMUCTL_FIXED_BASE &
		    ~(GENMASK(PMUCTL_METRIC_SLOTS, 0) | known);

	caps->fixed_alone |= alone;
	caps->nr_fixed -= hweight32(alone);
	caps->counters &= ~((u64)alone << PMUCTL_FIXED_BASE);
	caps->cfg_b &= caps->counters;
	caps->cfg_c &= caps->counters;
}

/* The model says how many fields there are, the processor that they exist. */
static void probe_metrics(struct pmuctl_caps *caps)
{
	if (!caps->model || !caps->model->metrics ||
	    !(caps->capabilities & CAP_METRICS ||
	      caps->model->metrics_silent) ||
	    !pmuctl_has_fixed(caps, PMUCTL_METRIC_SLOTS) ||
	    !perfmon_exists(MSR_METRICS))
		return;
	caps->counters |= (BIT_ULL(caps->model->metrics) - 1) <<
			  PMUCTL_METRIC_BASE;
}

/* Leaf 1AH may be empty where all cores are big: these alone count slots. */
static u32 core_kind(const struct pmuctl_caps *caps)
{
	if (caps->core)
		return caps->core >> 24;
	return pmuctl_has_fixed(caps, PMUCTL_METRIC_SLOTS) ?
	       PMUCTL_CORE_BIG : 0;
}

/* What a processor that we do not know may be taken for. */
static void probe_model(struct pmuctl_caps *caps)
{
	if (caps->version <= VERSION_KNOWN)
		caps->model = pmuctl_model_find(caps->signature,
						core_kind(caps), caps->core &
						PMUCTL_CORE_MAKE);
	caps->arch_only = !caps->model && !caps->allow_unknown_events;
	probe_silent(caps);
	probe_classes(caps);
	/* First: they take away what is not to be used. */
	pmuctl_errata_probe(caps);
	pmuctl_extra_probe(caps);
	pmuctl_pebs_probe(caps);
	pmuctl_lbr_probe(caps);
	/* Last: these are counters that nothing else is to be on. */
	probe_metrics(caps);
}

/* A leaf 0AH that contradicts itself is an emulator's or a hypervisor's. */
static bool perfmon_sensible(const struct pmuctl_caps *caps)
{
	return caps->nr_gp && caps->gp_width >= 32 && caps->gp_width < 64 &&
	       (!caps->nr_fixed ||
		(caps->fixed_width >= 32 && caps->fixed_width < 64));
}

static int refuse_unsupported(const struct pmuctl_caps *caps)
{
	if (caps->allow_unsupported)
		return 0;
	if (caps->version > VERSION_KNOWN)
		return pmuctl_why(NULL, -ENODEV,
				  "perfmon version %u is not supported: this module knows 2 to %u; allow_unsupported=1 drives it as version %u, with architectural events only",
				  caps->version, VERSION_KNOWN, VERSION_KNOWN);
	return 0;
}

int pmuctl_perfmon_probe(struct pmuctl_caps *caps)
{
	u32 leaf[4], version;

	hw_cpuid(0xa, leaf);
	version = leaf[0] & 0xff;
	if (!version)
		return pmuctl_why(NULL, -ENODEV,
				  "CPUID leaf 0AH announces no counters: a hypervisor hides the PMU; give the guest one (QEMU: -cpu host,pmu=on) or use the emulated test box");
	if (version < 2)
		return pmuctl_why(NULL, -ENODEV,
				  "perfmon version %u is not supported: this module knows 2 to %u",
				  version, VERSION_KNOWN);
	probe_counters(caps, leaf);
	if (!perfmon_sensible(caps))
		return pmuctl_why(NULL, -ENODEV,
				  "CPUID leaf 0AH makes no sense: %u counters of %u bits, %u fixed of %u bits",
				  caps->nr_gp, caps->gp_width, caps->nr_fixed,
				  caps->fixed_width);
	probe_features(caps);
	probe_model(caps);
	return refuse_unsupported(caps);
}
