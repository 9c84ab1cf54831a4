/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Questions to the processor, each an experiment of some thousand instructions on one CPU
 * with interrupts off.  Nothing here is pmuctl's or the box's: what those two got wrong from
 * one manual is to be seen.
 */
#ifndef PMUCTL_KIT_H
#define PMUCTL_KIT_H

#include <linux/bits.h>
#include <linux/types.h>

#define KIT_TEXT	240

#define EVENT_INSTRUCTIONS	0x00c0
#define EVENT_BRANCHES		0x00c4
#define EVENT_ALL_BRANCHES	0x04c4

enum kit_verdict {
	KIT_UNKNOWN,		/* the experiment told nothing */
	KIT_NO,
	KIT_YES,
	KIT_ABSENT,		/* this processor has no such thing */
};

struct kit_answer {
	enum kit_verdict verdict;
	char text[KIT_TEXT];	/* what was seen */
};

__printf(3, 4)
void kit_say(struct kit_answer *answer, enum kit_verdict verdict, const char *format, ...);

/* --- hold.c: the PMU of this CPU --- */

struct kit_cpu {
	bool p4;
	unsigned int version;		/* of architectural performance monitoring */
	unsigned int counters;
	u64 mask;			/* of a counter */
	bool wide;			/* counters have addresses that take their full width */
	bool pebs;
	unsigned int pebs_format;
};

extern struct kit_cpu kit_cpu;

void kit_look(void);
int kit_reserve(void);
void kit_release(void);
/* From here to kit_give_back() no interrupt comes but NMIs, and all counters stand. */
void kit_take(void);
void kit_give_back(void);

u64 kit_rdmsr(u32 msr);
bool kit_wrmsr(u32 msr, u64 value);
void kit_lvtpc(u32 value);
u32 kit_read_lvtpc(void);

/* extra: more bits of the event select. */
void kit_program(unsigned int counter, u64 code, u64 extra, u64 events);
u64 kit_counted(unsigned int counter);
/* A round of the loop is two instructions, the second a branch. */
void kit_loop(u32 msr, u64 on, u64 off, u32 rounds);
/* A branch, and 400 instructions that are none. */
void kit_one_branch(u64 on);
/* All of GLOBAL_STATUS is 0 afterwards, or what is left is returned. */
u64 kit_clear_status(void);

/* --- the questions --- */

int kit_pebs_init(void);
void kit_pebs_exit(void);

void kit_ask_records(struct kit_answer *answer);
void kit_ask_counts_recorded(struct kit_answer *answer);
void kit_ask_stays_ready(struct kit_answer *answer);
void kit_ask_names_ready(struct kit_answer *answer);
void kit_ask_names_none(struct kit_answer *answer);
void kit_ask_own_bits(struct kit_answer *answer);
void kit_ask_no_buffer_bit(struct kit_answer *answer);

void kit_ask_late_bits(struct kit_answer *answer);
void kit_ask_more_bits(struct kit_answer *answer);
void kit_ask_short_dist(struct kit_answer *answer);
void kit_ask_odd_dist(struct kit_answer *answer);

int kit_pmi_init(void);
void kit_pmi_exit(void);
extern unsigned int kit_rounds;

void kit_ask_unmasked(struct kit_answer *answer);
void kit_ask_lost_pmi(struct kit_answer *answer);

/* A Pentium 4's counter of instructions. */
#define P4_COUNTER	0x30c
#define P4_CCCR		0x36c
#define P4_ESCR		0x3b8
#define P4_CCCR_OVF	BIT_ULL(31)

/* interrupt: an overflow makes a PMI.  Returns the CCCR that stops it; BIT(12) starts it. */
u64 kit_p4_program(u64 value, bool interrupt);
void kit_ask_lost_carry(struct kit_answer *answer);

#endif
