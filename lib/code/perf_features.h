/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The numbers of perf.data's feature sections and of perf's own records, which the reader and
 * the writer agree on.
 */
#ifndef LIBPMUCTL_PERF_FEATURES_H
#define LIBPMUCTL_PERF_FEATURES_H

#include <stdint.h>

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
	FEATURE_CPU_TOPOLOGY = 13,
	FEATURE_NUMA_TOPOLOGY = 14,
	FEATURE_BRANCH_STACK = 15,
	FEATURE_GROUP_DESC = 17,
	FEATURE_CACHE = 20,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_CLOCK_DATA = 29,
	FEATURES = 256,
};

/*
 * In a FEATURE_VERSION that begins with this there is more behind the text: how many owners (u32),
 * and of each process its number and user.  A feature of a number of its own would be passed over
 * by perf's views, but not by perf inject, which looks its writer up behind the end of a table.
 */
#define PERF_FEATURE_PMUCTL "pmuctl "

struct owner {
	uint32_t pid, user;
};

/* Records of perf's own begin with the first of these types; they have no trailer. */
enum {
	RECORD_USER = 64,
	RECORD_ATTR = 64,		/* an event, in a pipe */
	RECORD_TRACING_DATA = 66,
	RECORD_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_AUXTRACE = 71,
	RECORD_EVENT_UPDATE = 78,
	RECORD_FEATURE = 80,		/* a feature section, in a pipe */
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
};

#endif
