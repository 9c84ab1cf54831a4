/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A context of the library on one of several CPUs, which needs no module.
 */
#ifndef FUZZ_EVENTS_H
#define FUZZ_EVENTS_H

struct pmuctl;

struct pmuctl *context_on(unsigned char cpu);

#endif
