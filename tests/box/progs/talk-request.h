/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What talk says: what the words of its command line put into the message.  nomem borrows it.
 */
#ifndef TALK_REQUEST_H
#define TALK_REQUEST_H

#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../kmod/uapi/pmuctl.h"
#include "message.h"

#ifndef NLM_F_ACK_TLVS
#define NLM_F_ACK_TLVS 0x200
#endif

static int sock, family, failures;
static uint32_t seq, last_id;

static void die(const char *what)
{
	err(1, "%s", what);
}

static void begin(int type, int cmd, int flags)
{
	/* A message may be longer than its attributes (tail=): of zeroes. */
	memset(&msg, 0, sizeof(msg));
	begin_message(type, cmd, NLM_F_ACK | flags, ++seq);
}

static int parse_regs(const char *text, struct pmuctl_reg *regs, int most)
{
	unsigned long long value;
	int n = 1;

	while ((text = strchr(text, ',')) && n < most) {
		if (sscanf(++text, "%u:%u:%llx", &regs[n].reg, &regs[n].index, &value) != 3)
			die("register");
		regs[n++].value = value;
	}
	return n;
}

/* @name=number, anywhere behind the rest. */
static void put_option(const char *text, const char *name, int type, int wide)
{
	char pattern[32];
	const char *at;

	snprintf(pattern, sizeof(pattern), "@%s=", name);
	at = strstr(text, pattern);
	if (!at)
		return;
	if (wide)
		put_u64(type, strtoull(at + strlen(pattern), NULL, 0));
	else
		put_u32(type, strtoull(at + strlen(pattern), NULL, 0));
}

static void put_sampling(const char *text)
{
	put_option(text, "period", PMUCTL_A_EVENT_PERIOD, 1);
	put_option(text, "freq", PMUCTL_A_EVENT_FREQ, 0);
	put_option(text, "random", PMUCTL_A_EVENT_RANDOM, 0);
	put_option(text, "precise", PMUCTL_A_EVENT_PRECISE, 0);
	put_option(text, "content", PMUCTL_A_EVENT_CONTENT, 1);
	put_option(text, "stack", PMUCTL_A_EVENT_STACK, 0);
	put_option(text, "place", PMUCTL_A_EVENT_PLACE, 0);
}

/* first: the register that it begins with. */
static void put_event(const char *text, uint32_t first)
{
	unsigned long long flags = 0, evtsel = 0, counters = 0;
	struct pmuctl_reg regs[4] = { { .reg = first } };
	struct nlattr *nest = put(PMUCTL_A_SESSION_EVENT | NLA_F_NESTED, NULL, 0);
	int set = -1, group = -1;

	sscanf(text, "%llx:%llx:%llx:%d:%d", &flags, &evtsel, &counters, &set, &group);
	if (first == PMUCTL_REG_METRIC)
		regs[0].index = evtsel;
	else
		regs[0].value = evtsel;
	put_u64(PMUCTL_A_EVENT_FLAGS, flags);
	put(PMUCTL_A_EVENT_REGS, regs, parse_regs(text, regs, 4) * sizeof(regs[0]));
	put_u64(PMUCTL_A_EVENT_COUNTERS, counters);
	if (set >= 0)
		put_u32(PMUCTL_A_EVENT_SET, set);
	if (group >= 0)
		put_u32(PMUCTL_A_EVENT_GROUP, group);
	put_sampling(text);
	end_nest(nest);
}

#endif
