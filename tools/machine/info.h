/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of what pmuctl info prints.
 */
#ifndef PMUCTL_INFO_H
#define PMUCTL_INFO_H

#include "lib/pmuctl.h"

struct writer;

/* info_machine.c: CPUID, and what the kernel says of SMT and hypervisors. */
void info_print_machine(struct writer *w, const struct pmuctl_cpu *cpu);

/* info_module.c */
void info_print_module(struct writer *w, struct pmuctl *ctx, const struct pmuctl_info *info);
/* The same keys, so that no column and no key ever moves. */
void info_print_no_module(struct writer *w, const char *why);

/* info_users.c: who uses the PMU, through the module or beside it. */
void info_print_sessions(struct writer *w, struct pmuctl *ctx);
/* What a row has of it but who holds it; the row is the caller's. */
void info_print_session(struct writer *w, const struct pmuctl_session_info *session);
/* info: what the module says; NULL: nothing. */
void info_print_others(struct writer *w, const struct pmuctl_info *info);

#endif
