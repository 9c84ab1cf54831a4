/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The numbers of perf.data's feature sections, which the reader and the writer agree on.
 */
#ifndef LIBPMUCTL_PERF_FEATURES_H
#define LIBPMUCTL_PERF_FEATURES_H

/* In the order of the file. */
enum {
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_TOTAL_MEM = 10,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_NUMA_TOPOLOGY = 14,
	FEATURE_BRANCH_STACK = 15,
	FEATURE_CACHE = 20,
	FEATURES = 256,
};

#endif
