/* SPDX-License-Identifier: GPL-2.0-only */
/* Which CPU this is, in user space; core_kernel.h has its own. */
#ifndef SHIM_SMP_H
#define SHIM_SMP_H

#ifndef CORE_KERNEL_H
#define smp_processor_id() 0u
#endif

#endif
