// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a processor of family 15 has: models, threads, registers, errata.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "kmod/p4/p4.h"
#include "kmod/pmu/models.h"

#define CPUID_1_EDX_DS		BIT(21)
#define CPUID_1_EDX_HTT		BIT(28)
#define MISC_PERFMON		BIT_ULL(7)

/* Willamette, Northwood, Prescott, Cedar Mill. */
#define MODELS			(BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(4) | \
				 BIT(6))
#define COUNTERS		GENMASK_ULL(P4_COUNTERS - 1, 0)
#define COUNTER1		BIT_ULL(1)

/* Errata that the backend minds; none has a cure that every model has. */
static const struct {
	enum pmuctl_p4_quirk quirk;
	u32 models;
} errata[] = {
	/* N15 */
	{ P4_WRITE_TWICE, MODELS },
	/* Linux's driver never uses it: no number is known. */
	{ P4_COUNTER1_UNRELIABLE, MODELS },
};

/* Runs of ESCRs, by number, and the last model that has them. */
static const struct {
	u8 first, last, last_model;
} escr_runs[] = {
	{ 0x00, 0x19, 0xff }, { 0x1a, 0x1b, 2 }, { 0x1c, 0x1e, 0xff },
	{ 0x20, 0x25, 0xff }, { 0x28, 0x2d, 0xff }, { 0x40, 0x41, 0xff },
};

unsigned int pmuctl_p4_model(const struct pmuctl_caps *caps)
{
	return pmuctl_model_id(caps->signature) & PMUCTL_MODEL_NUMBER;
}

bool pmuctl_p4_has_quirk(const struct pmuctl_caps *caps,
			 enum pmuctl_p4_quirk quirk)
{
	unsigned int i, model = pmuctl_p4_model(caps);

	for (i = 0; i < ARRAY_SIZE(errata); i++)
		if (errata[i].quirk == quirk)
			return model > 31 || errata[i].models & BIT(model);
	return false;
}

unsigned int pmuctl_p4_escrs(u8 *escrs)
{
	unsigned int i, escr, n = 0;

	for (i = 0; i < ARRAY_SIZE(escr_runs); i++) {
		if (pmuctl_p4_model(&pmuctl_caps) > escr_runs[i].last_model)
			continue;
		for (escr = escr_runs[i].first; escr <= escr_runs[i].last;
		     escr++)
			escrs[n++] = escr;
	}
	return n;
}

/*
 * CPUID.1 has the logical CPUs of a package, and the number of this one in it;
 * CPUID.4 how many cores that are: the Pentium D has two, of one thread each.
 */
static unsigned int threads_of(const u32 leaf[4])
{
	u32 caches[4], cores;

	hw_cpuid(4, caches);
	cores = (caches[0] >> 26) + 1;
	return leaf[3] & CPUID_1_EDX_HTT && (leaf[1] >> 16 & 0xff) > cores ?
	       PMUCTL_THREADS_MAX : 1;
}

unsigned int pmuctl_p4_thread(void)
{
	u32 leaf[4];

	if (pmuctl_caps.threads < 2)
		return 0;
	hw_cpuid(1, leaf);
	return leaf[1] >> 24 & 1;
}

static int refuse_model(const struct pmuctl_caps *caps)
{
	unsigned int model = pmuctl_p4_model(caps);

	if (caps->allow_unsupported ||
	    (model < 32 && MODELS & BIT(model)))
		return 0;
	return pmuctl_why(NULL, -ENODEV,
			  "model %u of family 15 is not known: 0 to 4 and 6 are; allow_unsupported=1 drives it as one of those",
			  model);
}

int pmuctl_p4_probe(struct pmuctl_caps *caps)
{
	u32 leaf[4];

	if (!(hw_rdmsr_if(MSR_P4_MISC_ENABLE) & MISC_PERFMON))
		return pmuctl_why(NULL, -ENODEV,
				  "IA32_MISC_ENABLE says that there is no performance monitoring: a hypervisor hides the PMU; use the emulated test box");
	hw_cpuid(1, leaf);
	caps->signature = leaf[0];
	caps->threads = threads_of(leaf);
	caps->has_ds = leaf[3] & CPUID_1_EDX_DS;
	caps->late = 1;
	/* An overflow that far away can be written. */
	caps->cascade = P4_TOP;
	pmuctl_p4_pebs_probe(caps, leaf);
	caps->nr_gp = P4_COUNTERS;
	caps->gp_width = P4_WIDTH;
	caps->counters = COUNTERS;
	caps->errata = PMUCTL_ERRATUM_P4_CARRY;
	if (pmuctl_p4_has_quirk(caps, P4_WRITE_TWICE))
		caps->errata |= PMUCTL_ERRATUM_P4_WRITE;
	if (pmuctl_p4_has_quirk(caps, P4_COUNTER1_UNRELIABLE)) {
		caps->errata |= PMUCTL_ERRATUM_P4_COUNTER1;
		if (caps->p4_counter1)
			caps->errata_open |= PMUCTL_ERRATUM_P4_COUNTER1;
		else
			caps->counters &= ~COUNTER1;
	}
	if (caps->threads > 1)
		caps->extra_shared = BIT(PMUCTL_REG_REPLAY) |
				     BIT(PMUCTL_REG_MATRIX_VERT);
	/* The kernel knows of the counters alone, perf asks for those. */
	caps->nr_reserve = P4_COUNTERS;
	caps->perfctr = MSR_P4_COUNTER;
	caps->evntsel = MSR_P4_CCCR;
	return refuse_model(caps);
}
