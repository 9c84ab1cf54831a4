// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which backend, if any, drives the PMU of this machine.
 */
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>

#include "backend.h"

const struct pmuctl_backend *pmuctl_backend __ro_after_init;
struct pmuctl_caps pmuctl_caps __ro_after_init;

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

static const struct {
	u8 family;
	const struct pmuctl_backend *backend;	/* NULL: known, not driven */
	const char *name;
} families[] = {
	{ 6, &pmuctl_perfmon, "architectural perfmon" },
	{ 5, NULL, "the Pentium's two counters have no backend" },
	{ 15, NULL, "NetBurst (Pentium 4) has no backend in this version" },
};

static int refuse(const char *reason)
{
	const struct cpuinfo_x86 *cpu = &boot_cpu_data;

	return pmuctl_why(NULL, -ENODEV,
			  "%s family %u model %u stepping %u (%s): %s",
			  cpu->x86_vendor_id, cpu->x86, cpu->x86_model,
			  cpu->x86_stepping, cpu->x86_model_id, reason);
}

static int run(const struct pmuctl_backend *backend)
{
	int err = backend->probe(&pmuctl_caps);

	if (err)
		return refuse("not driven, for the reason above");
	pmuctl_backend = backend;
	pr_info("pmuctl: %s version %u: %u counters of %u bits, %u fixed of %u bits\n",
		backend->name, pmuctl_caps.version, pmuctl_caps.nr_gp,
		pmuctl_caps.gp_width, pmuctl_caps.nr_fixed,
		pmuctl_caps.fixed_width);
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
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		return refuse("only Intel's PMUs are driven");
	if (!boot_cpu_has(X86_FEATURE_APIC))
		return refuse("no local APIC, so no overflow interrupt");
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		if (families[i].family != boot_cpu_data.x86)
			continue;
		if (!families[i].backend)
			return refuse(families[i].name);
		return run(families[i].backend);
	}
	return refuse("no backend knows this family");
}
