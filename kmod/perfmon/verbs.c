// SPDX-License-Identifier: GPL-2.0-only
/*
 * The backends for architectural performance monitoring: one, and one for each
 * kind of processor on which some of its verbs take more.
 */
#include "kmod/perfmon/perfmon.h"

#define VERBS_OF_ALL							\
	.name = "perfmon",						\
	.probe = pmuctl_perfmon_probe,					\
	.validate = pmuctl_perfmon_validate,				\
	.encode = pmuctl_perfmon_encode,				\
	.foreign = pmuctl_perfmon_foreign,				\
	.fixed_on = pmuctl_perfmon_fixed_on,				\
	.save = pmuctl_perfmon_save,					\
	.adopt = pmuctl_perfmon_adopt,					\
	.restore = pmuctl_perfmon_restore,				\
	.pretends = pmuctl_perfmon_pretends,				\
	.mask = pmuctl_perfmon_mask,					\
	.user_index = pmuctl_perfmon_rdpmc,				\
	.metrics = pmuctl_perfmon_metrics,				\
	.clear_metrics = pmuctl_perfmon_clear_metrics,			\
	.disturbed = pmuctl_perfmon_disturbed,				\
	.pebs_unready = pmuctl_pebs_unready,				\
	.pmi_try = pmuctl_perfmon_pmi_try,				\
	.pebs_pause = pmuctl_pebs_pause,				\
	.pebs_resume = pmuctl_pebs_resume

#define VERBS_OF_COUNTERS						\
	.read = pmuctl_perfmon_read,					\
	.rearm = pmuctl_perfmon_rearm,					\
	.arm = pmuctl_perfmon_arm,					\
	.overflows = pmuctl_perfmon_overflows,				\
	.reset = pmuctl_perfmon_reset,					\
	.pebs_try = pmuctl_perfmon_pebs_try

const struct pmuctl_backend pmuctl_perfmon = {
	VERBS_OF_ALL,
	VERBS_OF_COUNTERS,
	.program = pmuctl_perfmon_program,
	.enable = pmuctl_perfmon_enable,
};

const struct pmuctl_backend pmuctl_perfmon_index = {
	VERBS_OF_ALL,
	VERBS_OF_COUNTERS,
	.program = pmuctl_perfmon_program,
	.enable = pmuctl_perfmon_enable,
	.buffer = &pmuctl_index,
};

const struct pmuctl_backend pmuctl_perfmon_fresh = {
	VERBS_OF_ALL,
	VERBS_OF_COUNTERS,
	.program = pmuctl_fresh_program,
	.enable = pmuctl_fresh_enable,
};

const struct pmuctl_backend pmuctl_perfmon_auxiliary = {
	VERBS_OF_ALL,
	VERBS_OF_COUNTERS,
	.program = pmuctl_auxiliary_program,
	.enable = pmuctl_perfmon_enable,
};

const struct pmuctl_backend pmuctl_perfmon_twins = {
	VERBS_OF_ALL,
	.program = pmuctl_perfmon_twins_program,
	.enable = pmuctl_perfmon_twins_enable,
	.read = pmuctl_perfmon_twins_read,
	.rearm = pmuctl_perfmon_twins_rearm,
	.arm = pmuctl_perfmon_twins_arm,
	.overflows = pmuctl_perfmon_twins_overflows,
	.reset = pmuctl_perfmon_twins_reset,
	.pebs_try = pmuctl_perfmon_twins_pebs_try,
};
