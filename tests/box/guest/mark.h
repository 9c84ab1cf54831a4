/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a guest program, at any ring, talks to the box it runs in; the answers
 * are described in Documentation/box.rst.
 */
#ifndef PMUBOX_MARK_H
#define PMUBOX_MARK_H

#define PMUBOX_MAGIC 0x504d5542u	/* "PMUB" */
#define PMUBOX_PROBE 0u
#define PMUBOX_MARK 1u
#define PMUBOX_SLOTS 2u
#define PMUBOX_FRAME 3u

/* What EBX answers, or 0 where this is no box (or the box keeps no truth). */
static inline unsigned int pmubox_call(unsigned int op, unsigned int arg)
{
	unsigned int a = PMUBOX_MAGIC, b = arg, c = op, d;

	__asm__ volatile("cpuid" : "+a" (a), "+b" (b), "+c" (c), "=d" (d) : : "memory");
	return a == PMUBOX_MAGIC ? b : 0;
}

/* The version of the box's interface, 0: not a box. */
static inline unsigned int pmubox_probe(void)
{
	return pmubox_call(PMUBOX_PROBE, 0);
}

/* 1: the mark is in the truth. */
static inline unsigned int pmubox_mark(unsigned int label)
{
	return pmubox_call(PMUBOX_MARK, label);
}

/* A truth of slots begins (on) or ends here; 1: there is to be one. */
static inline unsigned int pmubox_slots(int on)
{
	return pmubox_call(PMUBOX_SLOTS, on);
}

/* For the box's init: a frame to the host, of memory that is present; 0: no channel. */
static inline unsigned int pmubox_frame(unsigned char type, const void *data, unsigned int len)
{
	unsigned int a = PMUBOX_MAGIC, b = type, c = PMUBOX_FRAME, d;

	__asm__ volatile("cpuid"
			 : "+a" (a), "+b" (b), "+c" (c), "=d" (d)
			 : "S" (data), "D" ((unsigned long)len)
			 : "memory");
	return a == PMUBOX_MAGIC ? b : 0;
}

#endif
