/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an instruction is, by its bytes, for the model of the pipeline.
 */
#ifndef PMUBOX_CODE_H
#define PMUBOX_CODE_H

#include "pmu.h"

/* Valid for ever, and the same for all instructions that are alike; bits: of the
 * code segment, 16, 32 or 64. */
const struct pmu_code *pmu_describe(const uint8_t *bytes, unsigned int length, unsigned int bits);

#endif
