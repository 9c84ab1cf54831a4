// SPDX-License-Identifier: GPL-2.0-only
/*
 * computes N WIDTH: N rounds of a known number of instructions of each kind that events
 * count by what they compute.  WIDTH: 128, or 256 with AVX, or 512 for AVX2 and FMA as well.
 */
#include <stdlib.h>

#define REPEAT(n, insn) ".rept " #n "\n\t" insn "\n\t.endr\n\t"

/* Zeros, so that nothing is slow. */
static void sse(void)
{
	asm volatile(REPEAT(1, "addsd %%xmm0, %%xmm1")
		     REPEAT(2, "mulss %%xmm0, %%xmm1")
		     REPEAT(3, "maxpd %%xmm0, %%xmm1")
		     REPEAT(4, "subps %%xmm0, %%xmm1")
		     REPEAT(5, "paddd %%xmm0, %%xmm1")
		     REPEAT(6, "fadd %%st(0), %%st(0)")
		     /* Nothing of all this. */
		     "ucomisd %%xmm0, %%xmm1\n\tcmpps $0, %%xmm0, %%xmm1\n\tpmullw %%xmm0, %%xmm1\n\t"
		     "cvtsi2sd %%eax, %%xmm1\n\tpxor %%xmm1, %%xmm1\n\tlfence"
		     ::: "xmm1", "cc");
}

static void avx(void)
{
	asm volatile(REPEAT(7, "vaddpd %%ymm0, %%ymm1, %%ymm1")
		     REPEAT(8, "vmulps %%ymm0, %%ymm1, %%ymm1")
		     "vzeroupper" ::: "xmm1");
}

static void avx2(void)
{
	asm volatile(REPEAT(9, "vfmadd231sd %%xmm0, %%xmm1, %%xmm1")
		     REPEAT(10, "vfmadd213ps %%ymm0, %%ymm1, %%ymm1")
		     REPEAT(11, "vpsubb %%ymm0, %%ymm1, %%ymm1")
		     REPEAT(12, "vpmullw %%ymm0, %%ymm1, %%ymm1")
		     REPEAT(13, "vpshufb %%ymm0, %%ymm1, %%ymm1")
		     "vzeroupper" ::: "xmm1");
}

int main(int argc, char **argv)
{
	int width = argc > 2 ? atoi(argv[2]) : 128;

	asm volatile("fldz\n\tpxor %%xmm0, %%xmm0\n\tpxor %%xmm1, %%xmm1" ::: "xmm0", "xmm1");
	for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--) {
		sse();
		if (width >= 256)
			avx();
		if (width >= 512)
			avx2();
	}
	return 0;
}
