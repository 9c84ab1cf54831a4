/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first Pentium's PMU: what the rest of the model calls where a profile is one.
 */
#ifndef PMUBOX_P5_H
#define PMUBOX_P5_H

#include "model.h"

void p5_power_on(struct pmu *pmu);
void p5_configure(struct pmu *pmu);
enum pmu_access p5_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value);
enum pmu_access p5_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value);
enum pmu_access p5_rdpmc(struct pmu *pmu, uint32_t ecx, uint64_t *value);
void p5_each_changed_msr(const struct pmu *pmu,
			 void (*fn)(void *data, uint32_t msr, uint64_t value), void *data);

/* What a counter counts by the ten bits of it in CESR; EV_NONE: nothing that happens here. */
enum event p5_event(const struct pmu *pmu, unsigned int counter, unsigned int field);

#endif
