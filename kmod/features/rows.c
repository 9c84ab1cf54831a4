// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which features a processor has, as tables of fields of MSRs.
 *
 * Sources: Intel SDM volume 4 (MISC_ENABLE of the Pentium 4 and Core 2,
 * MISC_FEATURE_CONTROL from Nehalem on, of Silvermont, Goldmont and Knights
 * Landing, where bits 0 and 1 are the other way round); Intel's "Disclosure of
 * Hardware Prefetcher Control on Some Intel Processors" (2014), which names the
 * four from Nehalem on; Intel's "Hardware Prefetch Controls for Intel E-Cores"
 * (357930, of 2023 and July 2026), where its chapter 2.1 and its texts agree;
 * Intel's tool PerfSpect for what is reported.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "kmod/features/rows.h"
#include "kmod/pmu/models.h"

#define MISC_ENABLE		0x1a0
#define MISC_FEATURE_CONTROL	0x1a4
#define PREFETCH_CONTROL	0x6d
#define L2_PREFETCH		0x1320	/* of small cores, and the next one */

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
/* To Tremont. */
static const struct pmuctl_feature_row silvermont_rows[] = {
	DOCUMENTED(L2_STREAM, MISC_FEATURE_CONTROL, 0, CLUSTER),
	DOCUMENTED(L1_NEXT, MISC_FEATURE_CONTROL, 2, CLUSTER),
};
static const struct pmuctl_feature_row knightslanding_rows[] = {
	DOCUMENTED(L1_NEXT, MISC_FEATURE_CONTROL, 0, CORE),
	DOCUMENTED(L2_STREAM, MISC_FEATURE_CONTROL, 1, CORE),
};

/*
 * The first level's prefetchers are said to be a core's, and all registers with
 * their switches a module's.
 */
#define GRACEMONT_ROWS							\
	DOCUMENTED(L2_STREAM, MISC_FEATURE_CONTROL, 0, CLUSTER),	\
	DOCUMENTED(L1_NEXT, MISC_FEATURE_CONTROL, 2, CLUSTER),		\
	DOCUMENTED(L1_STRIDE, MISC_FEATURE_CONTROL, 3, CLUSTER),	\
	DOCUMENTED(L1_PAGE, MISC_FEATURE_CONTROL, 4, CLUSTER),		\
	DOCUMENTED(L2_MULTIPATH, MISC_FEATURE_CONTROL, 5, CLUSTER),	\
	DOCUMENTED(LLC_STREAM, L2_PREFETCH, 43, CLUSTER),		\
	DOCUMENTED(L2_NEXT, L2_PREFETCH + 1, 40, CLUSTER)
#define CRESTMONT_ROWS							\
	GRACEMONT_ROWS,							\
	DOCUMENTED(L2_ADJACENT, MISC_FEATURE_CONTROL, 1, CLUSTER),	\
	DOCUMENTED(LLC_PAGE, MISC_FEATURE_CONTROL, 6, CLUSTER),		\
	DOCUMENTED(L1_POINTERS, MISC_FEATURE_CONTROL, 7, CLUSTER),	\
	DOCUMENTED(L2_CODE, MISC_FEATURE_CONTROL, 8, CLUSTER)

static const struct pmuctl_feature_row gracemont_rows[] = { GRACEMONT_ROWS };
/* Skymont as well. */
static const struct pmuctl_feature_row crestmont_rows[] = { CRESTMONT_ROWS };
/*
 * What tunes the others is to be off before they are set, and so comes first.
 * Chapter 2.1 has bit 2 for it, which is L1_NEXT's; chapter 4.1 has not.
 */
static const struct pmuctl_feature_row darkmont_rows[] = {
	DOCUMENTED(L2_TUNING, MISC_FEATURE_CONTROL, 12, CLUSTER),
	CRESTMONT_ROWS,
};

struct table {
	const struct pmuctl_feature_row *row;
	unsigned int nr;
	bool tried;
};

#define ROWS(of, was_tried)						\
	{ of##_rows, ARRAY_SIZE(of##_rows), was_tried }

/* family, model from, to: the first that fits */
static const struct {
	u8 family, from, to;
	struct table table;
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
	{ 6, 0x5a, 0x5a, ROWS(silvermont, false) },
	{ 6, 0x5d, 0x5d, ROWS(silvermont, false) },
	/* Goldmont, Goldmont Plus, Tremont. */
	{ 6, 0x5c, 0x5c, ROWS(silvermont, true) },
	{ 6, 0x5f, 0x5f, ROWS(silvermont, true) },
	{ 6, 0x7a, 0x7a, ROWS(silvermont, true) },
	{ 6, 0x86, 0x86, ROWS(silvermont, true) },
	{ 6, 0x96, 0x96, ROWS(silvermont, true) },
	{ 6, 0x9c, 0x9c, ROWS(silvermont, true) },
	{ 6, 0x57, 0x57, ROWS(knightslanding, false) },
	{ 6, 0x85, 0x85, ROWS(knightslanding, false) },
	{ 6, 0xbe, 0xbe, ROWS(gracemont, true) },
	{ 6, 0xaf, 0xaf, ROWS(crestmont, true) },
	{ 6, 0xb6, 0xb6, ROWS(crestmont, true) },
	{ 6, 0xdd, 0xdd, ROWS(darkmont, true) },
	/*
	 * The big cores of hybrids: Alder, Raptor and Bartlett Lake, on whose
	 * tables in the SDM those of the later ones build.
	 */
	{ 6, 0x97, 0x97, ROWS(nehalem, true) },
	{ 6, 0x9a, 0x9a, ROWS(nehalem, true) },
	{ 6, 0xb7, 0xb7, ROWS(nehalem, true) },
	{ 6, 0xba, 0xba, ROWS(nehalem, true) },
	{ 6, 0xbf, 0xbf, ROWS(nehalem, true) },
	{ 6, 0xd7, 0xd7, ROWS(nehalem, true) },
	/* Meteor, Arrow, Lunar, Panther and Wildcat Lake. */
	{ 6, 0xaa, 0xaa, ROWS(nehalem, true) },
	{ 6, 0xac, 0xac, ROWS(nehalem, true) },
	{ 6, 0xb5, 0xb5, ROWS(nehalem, true) },
	{ 6, 0xc5, 0xc6, ROWS(nehalem, true) },
	{ 6, 0xbd, 0xbd, ROWS(nehalem, true) },
	{ 6, 0xcc, 0xcc, ROWS(nehalem, true) },
	{ 6, 0xd5, 0xd5, ROWS(nehalem, true) },
};

/* By the number of its make in leaf 1AH, whatever big cores are beside it. */
static const struct table small_cores[] = {
	[1] = ROWS(gracemont, true),
	[2] = ROWS(crestmont, true),
	[3] = ROWS(crestmont, true),
	[4] = ROWS(darkmont, true),
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

static const struct table *table_of(u32 signature, u32 core)
{
	u32 model = pmuctl_model_id(signature) & PMUCTL_MODEL_NUMBER;
	u32 family = pmuctl_family(signature);
	u32 make = core & PMUCTL_CORE_MAKE;
	unsigned int i;

	if (core >> 24 == PMUCTL_CORE_SMALL && make)
		return make < ARRAY_SIZE(small_cores) ? &small_cores[make] :
							NULL;
	for (i = 0; i < ARRAY_SIZE(processors); i++)
		if (family == processors[i].family &&
		    model >= processors[i].from && model <= processors[i].to)
			return &processors[i].table;
	return NULL;
}

void pmuctl_feature_rows_add(struct pmuctl_feature_rows *rows, u32 kind,
			     u32 signature, u32 core)
{
	const struct table *table = table_of(signature, core);
	unsigned int i;

	for (i = 0; table && i < table->nr &&
		    rows->nr < PMUCTL_FEATURES_MAX; i++) {
		rows->row[rows->nr] = table->row[i];
		rows->cores[rows->nr] = kind;
		rows->tried[rows->nr++] = table->tried;
	}
}
