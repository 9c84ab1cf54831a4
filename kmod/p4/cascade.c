// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cascades of the Pentium 4: which counter can start which, and how.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "kmod/base/counters_text.h"
#include "kmod/p4/p4.h"

/* Bit 11 came with this model. */
#define MODEL_EXTENDED		2

static const struct {
	u8 from, to;
	u32 bit;
} partners[] = {
	{ 0, 2, CCCR_CASCADE }, { 2, 0, CCCR_CASCADE },
	{ 1, 3, CCCR_CASCADE }, { 3, 1, CCCR_CASCADE },
	{ 4, 6, CCCR_CASCADE }, { 6, 4, CCCR_CASCADE },
	{ 5, 7, CCCR_CASCADE }, { 7, 5, CCCR_CASCADE },
	{ 8, 10, CCCR_CASCADE }, { 10, 8, CCCR_CASCADE },
	{ 9, 11, CCCR_CASCADE }, { 11, 9, CCCR_CASCADE },
	{ 12, 14, CCCR_CASCADE }, { 14, 12, CCCR_CASCADE },
	{ 13, 15, CCCR_CASCADE }, { 15, 13, CCCR_CASCADE },
	{ 14, 16, CCCR_CASCADE }, { 15, 17, CCCR_CASCADE },
	{ 16, 12, CCCR_EXTENDED }, { 16, 17, CCCR_EXTENDED },
	{ 17, 15, CCCR_EXTENDED }, { 17, 16, CCCR_EXTENDED },
};

static bool p4_usable(unsigned int i)
{
	return partners[i].bit == CCCR_CASCADE ||
	       pmuctl_p4_model(&pmuctl_caps) >= MODEL_EXTENDED;
}

u32 pmuctl_p4_cascade_bit(unsigned int from, unsigned int to)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(partners); i++)
		if (partners[i].from == from && partners[i].to == to &&
		    p4_usable(i))
			return partners[i].bit;
	return 0;
}

static bool p4_starts(const struct pmuctl_event *a,
		      const struct pmuctl_event *b)
{
	return b->starter == a;
}

/* With what is seated already, on that counter of that thread. */
bool pmuctl_p4_cascade_fits(const struct pmuctl_event *event, unsigned int i,
			    unsigned int counter, unsigned int thread)
{
	unsigned int k, other;

	for (k = 0; k < i; k++) {
		other = event[k].seat[thread].counter;
		if (p4_starts(&event[k], &event[i]) &&
		    !pmuctl_p4_cascade_bit(other, counter))
			return false;
		if (p4_starts(&event[i], &event[k]) &&
		    !pmuctl_p4_cascade_bit(counter, other))
			return false;
	}
	return true;
}

/* --- no partners at all --- */

static bool some_pair(u64 from, u64 to)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(partners); i++)
		if (from & BIT_ULL(partners[i].from) &&
		    to & BIT_ULL(partners[i].to) && p4_usable(i))
			return true;
	return false;
}

int pmuctl_p4_cascades_check(const struct pmuctl_event *event, unsigned int n,
			     const struct pmuctl_why *why)
{
	const struct pmuctl_event *starter;
	struct pmuctl_text theirs, its;

	for (; n--; event++) {
		starter = event->starter;
		if (!starter || some_pair(starter->allowed, event->allowed))
			continue;
		return pmuctl_why(why, -EINVAL,
				  "event %u cannot start event %u: none of its counters (%s) starts one of that one's (%s); 0 and 2, 1 and 3, 4 and 6, 5 and 7, 8 and 10, 9 and 11, 12 and 14, 13 and 15 start each other, 14 starts 16, 15 starts 17%s",
				  starter->place + 1, event->place + 1,
				  pmuctl_counters_text(starter->allowed, &its),
				  pmuctl_counters_text(event->allowed, &theirs),
				  pmuctl_p4_model(&pmuctl_caps) >=
				  MODEL_EXTENDED ?
				  ", 16 starts 12 and 17, 17 starts 15 and 16" :
				  "");
	}
	return 0;
}

/* --- registers --- */

/* Until it is started: the bit instead of the enabling one. */
u32 pmuctl_p4_cascade_cccr(const struct pmuctl_event *event,
			   unsigned int thread)
{
	u8 from = event->starter->seat[thread].counter;
	u8 to = event->seat[thread].counter;

	return (pmuctl_p4_cccr(event, thread) & ~CCCR_ENABLE) |
	       pmuctl_p4_cascade_bit(from, to);
}

void pmuctl_p4_cascade(const struct pmuctl_event *event, bool waits)
{
	struct pmuctl_p4_cpu *cpu = pmuctl_p4_cpu();
	unsigned int slot = event->slot;

	if (waits) {
		cpu->waiting |= BIT(slot);
		cpu->cccr[slot] = pmuctl_p4_cascade_cccr(event, cpu->thread);
	} else {
		cpu->waiting &= ~BIT(slot);
		cpu->cccr[slot] = pmuctl_p4_cccr(event, cpu->thread);
	}
}
