/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What protocol-fuzz sends: requests that could be meant, and then spoilt or not.
 * Everything is drawn from one number, so that it is the same in each run.
 */
#ifndef FUZZ_MESSAGE_H
#define FUZZ_MESSAGE_H

#include <stdint.h>

#include "../../../kmod/uapi/pmuctl.h"
#include "message.h"

static uint64_t dice;

/* Below n. */
static uint32_t draw(uint32_t n)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (uint32_t)(dice >> 20) % n;
}

static uint64_t draw_bits(void)
{
	return (uint64_t)draw(UINT32_MAX) << 32 | draw(UINT32_MAX);
}

/* One of n cases. */
static int once_in(uint32_t n)
{
	return draw(n) == 0;
}

/* Whom sessions may be about (0: none); kept up to date by the driver. */
static struct {
	volatile uint32_t *tasks;
	uint32_t nr_tasks, nr_cpus;
	int groups[2];			/* folders of control groups; the first has the second */
	uint64_t counters;		/* that the PMU has */
	int is_p4;
	unsigned int sock;		/* that it goes to, and of each... */
	uint32_t id[4][4];		/* ...the last sessions, 0: none */
	unsigned int which;		/* of them it is about */
} world;

static const uint32_t codes[] = {
	0x00c0, 0x003c, 0x013c, 0x00c4, 0x00c5, 0x4f2e, 0x412e, 0x01c2, 0x02c7, 0x81d0, 0x82d0,
	0x01d1, 0x01b7, 0x01bb, 0x01cd, 0x01c6, 0x0300, 0x0280,
};

#define ONE_OF(list) ((list)[draw(sizeof(list) / sizeof((list)[0]))])

/* Mostly such that the event can be on them. */
static uint64_t some_counters(uint64_t evtsel)
{
	static const uint64_t masks[] = { 0xff, 0xff, 1, 2, 3 };
	uint64_t mask = ONE_OF(masks) & world.counters;

	if (once_in(30))
		return draw_bits();
	if (evtsel == 0x300)
		return 1ull << 34;
	if (once_in(2))
		mask |= evtsel == 0xc0 ? 1ull << 32 : evtsel == 0x3c ? 1ull << 33 : 0;
	return mask;
}

/* Of the Pentium 4: what retires, and cycles. */
static const struct {
	uint32_t code, mask, select;
	uint64_t counters;
} p4_events[] = {
	{ 0x02, 0x1, 4, 0x3f000 }, { 0x01, 0x3, 4, 0x3f000 }, { 0x06, 0xf, 5, 0x3f000 },
	{ 0x13, 0x1, 6, 0xd },
};

/* Its counters are what it returns. */
static uint64_t put_p4_regs(void)
{
	uint32_t i = draw(sizeof(p4_events) / sizeof(p4_events[0]));
	struct pmuctl_reg regs[2] = {
		{ .reg = PMUCTL_REG_ESCR,
		  .value = p4_events[i].code << 25 | p4_events[i].mask << 9 },
		{ .reg = PMUCTL_REG_CCCR, .value = p4_events[i].select << 13 },
	};

	if (once_in(10))
		regs[draw(2)].value ^= once_in(3) ? draw_bits() : 1u << draw(32);
	put(PMUCTL_A_EVENT_REGS, regs, sizeof(regs));
	return once_in(30) ? draw_bits() : p4_events[i].counters;
}

/* What the event cannot do without, and now and then one of any kind. */
static uint32_t put_extra(struct pmuctl_reg *reg, uint64_t evtsel)
{
	if (once_in(30)) {
		*reg = (struct pmuctl_reg){ .reg = 2 + draw(9), .index = draw(3),
					    .value = draw_bits() };
		return 1;
	}
	switch (evtsel) {
	case 0x01b7:
	case 0x01bb:
		*reg = (struct pmuctl_reg){ .reg = PMUCTL_REG_OFFCORE_RSP,
					    .index = evtsel == 0x01bb,
					    .value = 0x10000 | draw(0x8000) };
		return 1;
	case 0x01cd:
		*reg = (struct pmuctl_reg){ .reg = PMUCTL_REG_LD_LAT, .value = 3 + draw(100) };
		return 1;
	case 0x01c6:
		*reg = (struct pmuctl_reg){ .reg = PMUCTL_REG_FRONTEND, .value = 0x11 + draw(5) };
		return 1;
	}
	return 0;
}

/* Returns the event select. */
static uint64_t put_regs(void)
{
	struct pmuctl_reg regs[2] = { { .reg = PMUCTL_REG_EVTSEL } };
	uint64_t evtsel = ONE_OF(codes);
	uint32_t n;

	n = 1 + put_extra(&regs[1], evtsel);
	if (once_in(30))
		evtsel = draw_bits();
	else if (once_in(8) && evtsel != 0x300)
		evtsel |= (uint64_t)draw(4) << 24 | draw(2) << 23 | draw(2) << 18;
	regs[0].value = evtsel;
	put(PMUCTL_A_EVENT_REGS, regs, n * sizeof(regs[0]));
	return evtsel;
}

/* Copies of the stack, or words at its top, beside what any sample can have. */
static void put_stack(void)
{
	uint64_t content = draw(8) << 3 | (once_in(2) ? 0x100 : 0x200);

	put_u64(PMUCTL_A_EVENT_CONTENT, content);
	if (content & 0x100)
		put_u32(PMUCTL_A_EVENT_STACK, once_in(10) ? draw(70000) : 1024 + 8 * draw(1000));
}

/* Short periods, so that counters overflow all the time. */
static void put_sampling(void)
{
	uint32_t precise = once_in(2) ? draw(4) : 0;
	uint64_t period = 2 + draw(100000);

	if (once_in(4)) {
		put_u32(PMUCTL_A_EVENT_FREQ, 1 + draw(20000));
	} else {
		put_u64(PMUCTL_A_EVENT_PERIOD, once_in(20) ? draw_bits() >> draw(64) : period);
		if (once_in(4))
			put_u32(PMUCTL_A_EVENT_RANDOM, once_in(10) ? draw(34) : 1 + draw(6));
	}
	if (precise)
		put_u32(PMUCTL_A_EVENT_PRECISE, precise);
	if (once_in(2))
		put_u64(PMUCTL_A_EVENT_CONTENT, once_in(30) ? draw_bits() :
						draw(128) & (precise ? 0x7f : 0x38));
	else if (once_in(4))
		put_stack();
	if (once_in(100))
		put_u32(PMUCTL_A_EVENT_STACK, draw_bits() >> draw(32));
}

static void put_event(uint32_t set, int samples)
{
	struct nlattr *nest = put(PMUCTL_A_SESSION_EVENT | NLA_F_NESTED, "", 0);
	uint64_t counters;

	put_u64(PMUCTL_A_EVENT_FLAGS,
		once_in(30) ? draw_bits() : 1 + draw(3) + (once_in(12) ? 4 : 0));
	counters = world.is_p4 ? put_p4_regs() : some_counters(put_regs());
	put_u64(PMUCTL_A_EVENT_COUNTERS, counters);
	if (set)
		put_u32(PMUCTL_A_EVENT_SET, set);
	if (once_in(6))
		put_u32(PMUCTL_A_EVENT_GROUP, draw(4));
	if (samples)
		put_sampling();
	if (once_in(world.is_p4 ? 30 : 300))
		put_u64(PMUCTL_A_EVENT_AFTER, draw_bits() >> draw(64));
	if (once_in(world.is_p4 ? 30 : 300))
		put_u32(PMUCTL_A_EVENT_CASCADE, draw(8));
	end_nest(nest);
}

/* One that was there a moment ago, if any was. */
static uint32_t some_task(void)
{
	uint32_t i, task, first = draw(world.nr_tasks);

	for (i = 0; i < world.nr_tasks; i++) {
		task = world.tasks[(first + i) % world.nr_tasks];
		if (task)
			return task;
	}
	return 1 + draw(1000);
}

static void put_targets(int kind)
{
	uint32_t n = once_in(4) ? 2 + draw(2) : 1, cpu = draw(world.nr_cpus);

	if (kind == 3)
		n = !once_in(40) + once_in(40);
	for (; n--;) {
		if (kind == 3)
			put_u32(PMUCTL_A_SESSION_CGROUP, once_in(40) ? draw(UINT32_MAX) :
				(uint32_t)ONE_OF(world.groups));
		else if (kind == 2)
			put_u32(PMUCTL_A_SESSION_CPU, once_in(100) ? draw(UINT32_MAX) :
						      cpu++ % world.nr_cpus);
		else
			put_u32(kind ? PMUCTL_A_SESSION_PID : PMUCTL_A_SESSION_TID,
				once_in(30) ? draw(UINT32_MAX) : some_task());
	}
}

/* About tasks, processes, CPUs; with events that are counted or sampled. */
static void put_session(void)
{
	uint32_t events = once_in(200) ? draw(300) : 1 + draw(once_in(5) ? 12 : 4);
	uint32_t sets = once_in(3) ? 1 + draw(4) : 1;
	uint64_t flags = once_in(3) ? PMUCTL_SESSION_FD : 0;
	int kind = draw(4), samples = once_in(2);

	if (kind < 2)
		flags |= draw(once_in(8) ? 4 : 2);
	if (once_in(40))
		flags ^= once_in(4) ? draw_bits() : draw(16);
	put_u64(PMUCTL_A_SESSION_FLAGS, flags);
	put_targets(kind);
	if (once_in(4))
		put_u64(PMUCTL_A_SESSION_INTERVAL,
			once_in(20) ? draw_bits() : 100000 + draw(400000));
	if (samples && once_in(3))
		put_u32(PMUCTL_A_SESSION_RING, once_in(20) ? draw(UINT32_MAX) : 16384u << draw(3));
	if (samples && once_in(4))
		put_u32(PMUCTL_A_SESSION_WATERMARK, draw(16384));
	for (; events--;)
		put_event(draw(sets), samples && once_in(2));
}

static void put_rest(int cmd)
{
	if (cmd == PMUCTL_CMD_SESSION_NEW) {
		put_session();
		return;
	}
	if (cmd == PMUCTL_CMD_INFO_GET || cmd == PMUCTL_CMD_SESSION_GET)
		return;
	put_u32(PMUCTL_A_SESSION_ID, once_in(30) ? draw(UINT32_MAX) : once_in(10) ?
		world.id[draw(4)][draw(4)] : world.id[world.sock][world.which]);
	if (cmd == PMUCTL_CMD_SESSION_DEL)
		world.id[world.sock][world.which] = 0;
	if (cmd == PMUCTL_CMD_SAMPLE_GET && once_in(2))
		put_u32(PMUCTL_A_SESSION_CPU, draw(world.nr_cpus));
	if (cmd == PMUCTL_CMD_SAMPLE_GET && once_in(2))
		put_u32(PMUCTL_A_SESSION_FLUSH, 1);
}

/* Bytes, lengths, types, the end: whatever comes after the two headers. */
static void spoil(void)
{
	uint32_t begin = NLMSG_HDRLEN + GENL_HDRLEN, len = msg.nl.nlmsg_len - begin;
	struct nlattr *attr = (void *)((char *)&msg + begin);
	uint32_t n = 1 + draw(3);

	if (!len)
		return;
	for (; n--;) {
		attr = (void *)((char *)&msg + begin + draw(len) / 4 * 4);
		switch (draw(5)) {
		case 0:
			((unsigned char *)attr)[draw(4)] ^= 1u << draw(8);
			break;
		case 1:
			attr->nla_len = draw(64);
			break;
		case 2:
			attr->nla_type = draw(32) | (once_in(4) ? NLA_F_NESTED : 0);
			break;
		case 3:
			msg.nl.nlmsg_len -= draw(len > 8 ? 8 : len);
			break;
		case 4:
			put(draw(32), attr, draw(24));
			break;
		}
	}
}

static void make_message(int family, uint32_t seq)
{
	static const unsigned char commands[] = {
		PMUCTL_CMD_SESSION_NEW, PMUCTL_CMD_SESSION_NEW, PMUCTL_CMD_SESSION_NEW,
		PMUCTL_CMD_SESSION_NEW, PMUCTL_CMD_SESSION_NEW, PMUCTL_CMD_SESSION_START,
		PMUCTL_CMD_SESSION_START, PMUCTL_CMD_SESSION_START, PMUCTL_CMD_SESSION_STOP,
		PMUCTL_CMD_SESSION_DEL, PMUCTL_CMD_SESSION_GET,
		PMUCTL_CMD_COUNT_GET, PMUCTL_CMD_COUNT_GET, PMUCTL_CMD_COUNT_RESET,
		PMUCTL_CMD_SAMPLE_GET, PMUCTL_CMD_SAMPLE_GET, PMUCTL_CMD_LEDGER_GET,
		PMUCTL_CMD_INFO_GET,
	};
	int cmd = once_in(50) ? (int)draw(20) : ONE_OF(commands);
	int dump = cmd == PMUCTL_CMD_SESSION_GET || cmd == PMUCTL_CMD_SAMPLE_GET ||
		   cmd == PMUCTL_CMD_LEDGER_GET || (cmd == PMUCTL_CMD_COUNT_GET && once_in(2));

	world.which = draw(4);
	if (!world.id[world.sock][world.which] && !once_in(20))
		cmd = PMUCTL_CMD_SESSION_NEW, dump = 0;
	if (once_in(50))
		dump = !dump;
	begin_message(family, cmd, (once_in(10) ? 0 : NLM_F_ACK) | (dump ? NLM_F_DUMP : 0), seq);
	msg.genl.version = once_in(100) ? draw(256) : PMUCTL_FAMILY_VERSION;
	put_rest(cmd);
	if (once_in(3))
		spoil();
}

#endif
