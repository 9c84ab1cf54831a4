// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instructions as events count them by what they compute: FP_ARITH_INST_RETIRED and
 * its predecessors, INT_VEC_RETIRED, and single instructions.  Comparisons, conversions
 * and roundings are no arithmetic to any of them.
 */
#include <stddef.h>
#include <string.h>
#include "code_counts.h"

#define WIDEST_SSE 128			/* bits */

/* With AVX's V in front of it or not. */
static const char *const fp_arithmetic[] = {
	"add", "sub", "mul", "div", "min", "max", "sqrt", "rcp", "rsqrt", "hadd", "hsub", "dp",
	"fm", "fnm", NULL
};
/* Two operations an element, so that they count twice. */
static const char *const fp_twice[] = { "fm", "fnm", "dp", NULL };
static const char *const vector_add[] = { "padd", "psub", "psadbw", NULL };
static const char *const vector_mul[] = { "pmul", "pmadd", NULL };

static bool begins(const char *name, const char *const *with)
{
	for (; *with; with++)
		if (!strncmp(name, *with, strlen(*with)))
			return true;
	return false;
}

static bool ends(const char *name, const char *with)
{
	size_t length = strlen(name), tail = strlen(with);

	return length > tail && !strcmp(name + length - tail, with);
}

static uint8_t fp_count(const char *name, bool wide)
{
	if (!begins(name, fp_arithmetic))
		return PMU_COUNT_NONE;
	if (ends(name, "sd"))
		return PMU_COUNT_FP_SCALAR_DOUBLE;
	if (ends(name, "ss"))
		return PMU_COUNT_FP_SCALAR_SINGLE;
	if (ends(name, "pd"))
		return wide ? PMU_COUNT_FP_256_DOUBLE : PMU_COUNT_FP_128_DOUBLE;
	if (ends(name, "ps"))
		return wide ? PMU_COUNT_FP_256_SINGLE : PMU_COUNT_FP_128_SINGLE;
	return PMU_COUNT_NONE;
}

/* Those in the registers of SSE and AVX. */
static uint8_t vector_count(const struct pmu_code *code, const char *name)
{
	bool wide = code->bits > WIDEST_SSE;
	uint8_t fp = fp_count(name, wide);

	if (fp)
		return fp;
	if (begins(name, vector_add))
		return wide ? PMU_COUNT_VECTOR_ADD_256 : PMU_COUNT_VECTOR_ADD_128;
	if (wide && begins(name, vector_mul))
		return PMU_COUNT_VECTOR_MUL_256;
	if (wide && code->kind == PMU_CODE_SHUFFLE)
		return PMU_COUNT_SHUFFLE_256;
	return PMU_COUNT_NONE;
}

static uint8_t single_count(const char *name)
{
	static const struct {
		const char *name;
		uint8_t count;
	} singles[] = {
		{ "nop", PMU_COUNT_NOP }, { "endbr64", PMU_COUNT_NOP }, { "endbr32", PMU_COUNT_NOP },
		{ "pause", PMU_COUNT_PAUSE }, { "lfence", PMU_COUNT_LFENCE },
	};

	for (size_t i = 0; i < sizeof(singles) / sizeof(singles[0]); i++)
		if (!strcmp(name, singles[i].name))
			return singles[i].count;
	return PMU_COUNT_NONE;
}

void code_count(struct pmu_code *code, const char *name, bool x87)
{
	static const uint64_t vectors = UINT64_C(0xffff) << PMU_REG_VECTOR;
	const char *plain = *name == 'v' ? name + 1 : name;

	code->times = 1;
	if (x87) {
		/* Not what only moves. */
		code->counts = code->kind == PMU_CODE_NONE ? PMU_COUNT_NONE : PMU_COUNT_X87;
	} else if ((code->reads | code->writes) & vectors) {
		code->counts = vector_count(code, plain);
		code->times = begins(plain, fp_twice) ? 2 : 1;
	} else {
		code->counts = single_count(name);
	}
}
