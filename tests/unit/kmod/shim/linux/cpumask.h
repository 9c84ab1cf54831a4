/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs, in user space; core_kernel.h has its own. */
#ifndef SHIM_CPUMASK_H
#define SHIM_CPUMASK_H

#ifndef CORE_KERNEL_H
struct cpumask {
	unsigned long bits[1];
};

#define cpumask_set_cpu(cpu, mask) ((mask)->bits[0] |= 1ul << (cpu))
#define cpumask_test_cpu(cpu, mask) ((mask)->bits[0] >> (cpu) & 1)
#endif

#endif
