// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which features a processor has, as tables of fields of MSRs.
 *
 * Sources: Intel SDM volume 4 (MISC_ENABLE of the Pentium 4 and Core 2,
 * MISC_FEATURE_CONTROL from Nehalem on, of Silvermont, Goldmont and Knights
 * Landing, where bits 0 and 1 are the other way round); Intel's "Disclosure of
 * Hardware Prefetcher Control on Some Intel Processors" (2014), which names the
 * four from Nehalem on; Intel's tool PerfSpect for what is reported.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "kmod/features/rows.h"
#include "kmod/pmu/models.h"

#define MISC_ENABLE		0x1a0
#define MISC_FEATURE_CONTROL	0x1a4
#define PREFETCH_CONTROL	0x6d
#define ATOM_PREFETCH		0x1320

/* A bit that switches something off when it is set, which all of them are. */
#define BIT_ROW(kind_, id_, msr_, bit, scope_)				\
	{ .id = PMUCTL_CPU_FEATURE_##id_,				\
	  .kind = PMUCTL_FEATURE_KIND_##kind_,				\
	  .scope = PMUCTL_FEATURE_SCOPE_##scope_,			\
	  .msr = (msr_), .shift = (bit), .width = 1, .off = 1 }
#define DOCUMENTED(id, msr, bit, scope)					\
	BIT_ROW(DOCUMENTED, id, msr, bit, scope)
#define REPORTED(id, msr, bit, scope)					\
	BIT_ROW(REPORTED, id, msr, bit, scope)

static const struct pmuctl_feature_row p4_rows[] = {
	DOCUMENTED(L2_STREAM, MISC_ENABLE, 9, CORE),
	DOCUMENTED(L2_ADJACENT, MISC_ENABLE, 19, CORE),
};

static const struct pmuctl_feature_row core2_rows[] = {
	DOCUMENTED(L2_STREAM, MISC_ENABLE, 9, CORE),
	DOCUMENTED(L2_ADJACENT, MISC_ENABLE, 19, PACKAGE),
	DOCUMENTED(L1_NEXT, MISC_ENABLE, 37, CORE),
	DOCUMENTED(L1_STRIDE, MISC_ENABLE, 39, CORE),
};

#define NEHALEM_ROWS							\
	DOCUMENTED(L2_STREAM, MISC_FEATURE_CONTROL, 0, CORE),		\
	DOCUMENTED(L2_ADJACENT, MISC_FEATURE_CONTROL, 1, CORE),		\
	DOCUMENTED(L1_NEXT, MISC_FEATURE_CONTROL, 2, CORE),		\
	DOCUMENTED(L1_STRIDE, MISC_FEATURE_CONTROL, 3, CORE)
#define SAPPHIRERAPIDS_ROWS						\
	NEHALEM_ROWS,							\
	REPORTED(L2_MULTIPATH, MISC_FEATURE_CONTROL, 5, CORE),		\
	REPORTED(EARLY_MISS, PREFETCH_CONTROL, 14, CORE),		\
	REPORTED(LLC, PREFETCH_CONTROL, 42, CORE)

/* To Ice Lake, and the big cores of hybrids. */
static const struct pmuctl_feature_row nehalem_rows[] = { NEHALEM_ROWS };
/* Emerald Rapids as well. */
static const struct pmuctl_feature_row sapphirerapids_rows[] = {
	SAPPHIRERAPIDS_ROWS,
};
static const struct pmuctl_feature_row graniterapids_rows[] = {
	SAPPHIRERAPIDS_ROWS,
	REPORTED(LLC_PAGE, MISC_FEATURE_CONTROL, 6, CORE),
	REPORTED(L1_POINTERS, MISC_FEATURE_CONTROL, 7, CORE),
};
static const struct pmuctl_feature_row silvermont_rows[] = {
	DOCUMENTED(L2_STREAM, MISC_FEATURE_CONTROL, 0, CLUSTER),
	DOCUMENTED(L1_NEXT, MISC_FEATURE_CONTROL, 2, CORE),
};
static const struct pmuctl_feature_row knightslanding_rows[] = {
	DOCUMENTED(L1_NEXT, MISC_FEATURE_CONTROL, 0, CORE),
	DOCUMENTED(L2_STREAM, MISC_FEATURE_CONTROL, 1, CORE),
};
/* Servers of E cores alone. */
static const struct pmuctl_feature_row crestmont_rows[] = {
	REPORTED(LLC_STREAM, ATOM_PREFETCH, 43, CLUSTER),
};

#define ROWS(of, was_tried)						\
	{ of##_rows, ARRAY_SIZE(of##_rows), was_tried }

/* family, model from, to: the first that fits */
static const struct {
	u8 family, from, to;
	struct pmuctl_feature_rows rows;
} processors[] = {
	{ 15, 0, 6, ROWS(p4, true) },
	{ 6, 0x0f, 0x0f, ROWS(core2, true) },
	{ 6, 0x16, 0x17, ROWS(core2, true) },
	{ 6, 0x1d, 0x1d, ROWS(core2, true) },
	{ 6, 0x1a, 0x1a, ROWS(nehalem, true) },
	{ 6, 0x1e, 0x1f, ROWS(nehalem, true) },
	{ 6, 0x25, 0x25, ROWS(nehalem, true) },
	{ 6, 0x2a, 0x2a, ROWS(nehalem, true) },
	{ 6, 0x2c, 0x2f, ROWS(nehalem, true) },
	{ 6, 0x3a, 0x3a, ROWS(nehalem, true) },
	{ 6, 0x3c, 0x3f, ROWS(nehalem, true) },
	{ 6, 0x45, 0x47, ROWS(nehalem, true) },
	{ 6, 0x4e, 0x4f, ROWS(nehalem, true) },
	{ 6, 0x55, 0x56, ROWS(nehalem, true) },
	{ 6, 0x5e, 0x5e, ROWS(nehalem, true) },
	{ 6, 0x6a, 0x6a, ROWS(nehalem, true) },
	{ 6, 0x6c, 0x6c, ROWS(nehalem, true) },
	{ 6, 0x7d, 0x7e, ROWS(nehalem, true) },
	{ 6, 0x8c, 0x8e, ROWS(nehalem, true) },
	{ 6, 0x9e, 0x9e, ROWS(nehalem, true) },
	{ 6, 0xa5, 0xa7, ROWS(nehalem, true) },
	{ 6, 0x8f, 0x8f, ROWS(sapphirerapids, true) },
	{ 6, 0xcf, 0xcf, ROWS(sapphirerapids, true) },
	{ 6, 0xad, 0xae, ROWS(graniterapids, true) },
	{ 6, 0x37, 0x37, ROWS(silvermont, false) },
	{ 6, 0x4a, 0x4d, ROWS(silvermont, false) },
	{ 6, 0x5a, 0x5d, ROWS(silvermont, false) },
	{ 6, 0x5f, 0x5f, ROWS(silvermont, false) },
	{ 6, 0x7a, 0x7a, ROWS(silvermont, false) },
	{ 6, 0x57, 0x57, ROWS(knightslanding, false) },
	{ 6, 0x85, 0x85, ROWS(knightslanding, false) },
	{ 6, 0xaf, 0xaf, ROWS(crestmont, false) },
	{ 6, 0xdd, 0xdd, ROWS(crestmont, false) },
	/* Hybrids: cores of two kinds need two tables. */
	{ 6, 0x97, 0x97, ROWS(nehalem, false) },
	{ 6, 0x9a, 0x9a, ROWS(nehalem, false) },
	{ 6, 0xb7, 0xb7, ROWS(nehalem, false) },
	{ 6, 0xba, 0xba, ROWS(nehalem, false) },
	{ 6, 0xbf, 0xbf, ROWS(nehalem, false) },
};

const char *pmuctl_feature_no_task(const struct pmuctl_feature_row *row)
{
	if (row->scope == PMUCTL_FEATURE_SCOPE_PACKAGE)
		return "a package has one of it, so a switch on one core would be all cores'";
	if (row->scope != PMUCTL_FEATURE_SCOPE_CORE)
		return "a module of cores has one of it, so a switch on one would be the others'";
	if (row->msr == MISC_ENABLE)
		return "the kernel and firmware have other bits of its register (speed, power), which a switch would put back as they were";
	return NULL;
}

struct pmuctl_feature_rows pmuctl_feature_rows(u32 signature)
{
	u32 model = pmuctl_model_id(signature) & PMUCTL_MODEL_NUMBER;
	u32 family = pmuctl_family(signature);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(processors); i++)
		if (family == processors[i].family &&
		    model >= processors[i].from && model <= processors[i].to)
			return processors[i].rows;
	return (struct pmuctl_feature_rows) { };
}
