/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call chains: who called whom, from the instruction that was sampled outwards.
 */
#ifndef PMUCTL_CHAIN_H
#define PMUCTL_CHAIN_H

#include <linux/types.h>

struct pmuctl_taken;

/* Into chain, PMUCTL_CHAIN_MAX words at most; returns how many.  NMI-safe. */
unsigned int pmuctl_chain(const struct pmuctl_taken *taken, u64 *chain);

#endif
