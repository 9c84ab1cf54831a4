/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of libpmuctl share and nobody else sees.
 */
#ifndef LIBPMUCTL_PRIVATE_H
#define LIBPMUCTL_PRIVATE_H

#include <stdint.h>

#include "pmuctl.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct nl_msg;
struct nl_sock;
struct nlattr;
struct nlmsghdr;

/* libpfm4, loaded when the first event name needs it; event_pfm.c. */
struct pfm;

/* What deciding about events needs to know of the PMU. */
struct pmu_facts {
	uint32_t signature;	/* CPUID.1:EAX */
	uint32_t version;
	uint64_t counters;
	uint32_t arch_events;	/* bit n: exists */
};

struct pmuctl {
	pmuctl_log_fn *log;
	void *log_data;
	char error[1024];

	struct nl_sock *sock;	/* NULL until the first request */
	int family;
	bool info_known;
	struct pmuctl_info info;
	bool facts_known;
	struct pmu_facts facts;
	struct pfm *pfm;
};

struct pmuctl_event {
	struct pmuctl_event_info info;
	struct pmuctl_register reg;
	char *name;
	char *full_name;
};

/* context.c */
__attribute__((format(printf, 3, 4))) int fail(struct pmuctl *ctx, int err, const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void say(struct pmuctl *ctx, enum pmuctl_log_level level,
					       const char *fmt, ...);
/* Copies what both sides know of a structure that starts with its size. */
int copy_sized(struct pmuctl *ctx, void *to, const void *from, size_t size);

/* wire.c, which tests replace: connect a socket to generic netlink. */
int wire_connect(struct nl_sock *sock);

/* talk.c */
/* nlh is for attributes that come more than once. */
typedef int reply_fn(void *data, struct nlmsghdr *nlh, struct nlattr **attrs);

struct request {
	uint8_t cmd;
	bool dump;
	int maxattr;		/* of the replies */
	size_t room;		/* for attributes, 0: hardly any */
	reply_fn *fn;
	void *data;
};

/* Opens the connection if need be.  Free the message with nlmsg_free(). */
int talk_message(struct pmuctl *ctx, const struct request *req, struct nl_msg **msg);
/* Sends it, gives every reply to req->fn, frees the message. */
int talk(struct pmuctl *ctx, const struct request *req, struct nl_msg *msg);
void talk_close(struct pmuctl *ctx);

/* cpu.c */
int facts_get(struct pmuctl *ctx, struct pmu_facts *facts);
uint32_t signature_family(uint32_t signature);
uint32_t signature_model(uint32_t signature);

/* info.c: the module's answer, asked for once; checks the ABI. */
int info_get(struct pmuctl *ctx, const struct pmuctl_info **info);

/* The bits of IA32_PERFEVTSELx that make up an event. */
#define EVTSEL_EVENT	0x000000ffULL
#define EVTSEL_UMASK	0x0000ff00ULL
#define EVTSEL_USR	(1ULL << 16)
#define EVTSEL_OS	(1ULL << 17)
#define EVTSEL_EDGE	(1ULL << 18)
#define EVTSEL_PC	(1ULL << 19)
#define EVTSEL_INT	(1ULL << 20)
#define EVTSEL_ANY	(1ULL << 21)
#define EVTSEL_EN	(1ULL << 22)
#define EVTSEL_INV	(1ULL << 23)
#define EVTSEL_CMASK	0xff000000ULL
/* Set by the kernel alone. */
#define EVTSEL_KERNEL	(EVTSEL_USR | EVTSEL_OS | EVTSEL_PC | EVTSEL_INT | EVTSEL_EN)

/* One way of naming events: what an event's text turned out to mean. */
struct encoding {
	uint64_t evtsel;	/* without the kernel's bits */
	bool user;
	bool kernel;
	char full_name[256];
};

/* event_portable.c; -ENOENT if it is not theirs. */
int portable_encode(struct pmuctl *ctx, const char *name, struct encoding *enc);
int portable_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data);
int raw_encode(struct pmuctl *ctx, const char *name, struct encoding *enc);

/* event_pfm.c */
int pfm_encode(struct pmuctl *ctx, const char *name, struct encoding *enc);
int pfm_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data);
void pfm_close(struct pmuctl *ctx);

/* event_near.c: the names nearest to one that does not exist, "" if none. */
void nearest_events(struct pmuctl *ctx, const char *name, char *text, size_t size);
bool pattern_matches(const char *pattern, const char *name);

/* constraints.c */
uint64_t allowed_counters(const struct pmu_facts *facts, uint64_t evtsel);

#endif
