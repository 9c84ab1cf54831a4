/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks into the memory of the program that runs on a CPU; never faults there.
 */
#ifndef PMUBOX_GUEST_STACK_H
#define PMUBOX_GUEST_STACK_H

bool guest_read(CPUX86State *env, uint64_t addr, void *to, unsigned int size);
/* NULL if it is not mapped or has no end; the caller frees. */
char *guest_string(CPUX86State *env, uint64_t addr);
/* The name that a program was started under, from the stack of its first moment. */
char *guest_exec_name(CPUX86State *env, uint64_t rsp);

#endif
