/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * So many instructions that sampling each SPIN_PERIODth makes a known number of samples.
 */
#ifndef BENCH_SPIN_H
#define BENCH_SPIN_H

#define SPIN_PERIOD	10007

static inline void spin(unsigned long samples)
{
	unsigned long n = samples * SPIN_PERIOD / 2;

	if (n)
		__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
}

#endif
