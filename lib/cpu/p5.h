/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The first Pentium, with MMX and without: its events, and what CESR has of a counter.
 */
#ifndef LIBPMUCTL_P5_H
#define LIBPMUCTL_P5_H

#include "lib/base/private.h"

#define P5_CESR_EVENT	0x03fu
#define P5_CESR_RINGS	0x0c0u		/* the kernel's: CPL 0 to 2, CPL 3 */
#define P5_CESR_CLOCKS	0x100u
#define P5_CESR_PIN	0x200u

#define P5_EITHER	3u		/* counters, by bit */

enum p5_kind {
	P5_HAPPENS,			/* counted in events */
	P5_LASTS,			/* counted in clocks */
	P5_BOTH,			/* in either */
};

struct p5_event {
	const char *name;
	uint8_t code;
	uint8_t counters;		/* that have it under this code */
	bool mmx;			/* of Pentiums with MMX alone */
	enum p5_kind kind;
	const char *text;
};

extern const struct p5_event p5_events[];
extern const size_t p5_events_count;

bool p5_has_mmx(const struct pmu_facts *facts);
/* NULL: there is none, on any Pentium. */
const struct p5_event *p5_find_event(const char *name);
/* What a code is on a counter; NULL: reserved. */
const struct p5_event *p5_find_code(uint32_t code, unsigned int counter);
/* What counts cycles; NULL: nothing does, without MMX. */
const struct p5_event *p5_cycles(const struct pmu_facts *facts);
/* As the kernel is asked for it: without rings. */
uint32_t p5_cesr(const struct p5_event *e);

#endif
