/* SPDX-License-Identifier: GPL-2.0-only */
/* One CPU's variables, in user space; core_kernel.h has its own. */
#ifndef SHIM_PERCPU_H
#define SHIM_PERCPU_H

#ifndef CORE_KERNEL_H
#define DECLARE_PER_CPU(type, name) extern type name
#define DEFINE_PER_CPU(type, name) type name
#define this_cpu_read(name) (name)
#define this_cpu_write(name, value) ((name) = (value))
#endif

#endif
