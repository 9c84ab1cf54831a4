/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of libpmuctl share and nobody else sees.
 */
#ifndef LIBPMUCTL_PRIVATE_H
#define LIBPMUCTL_PRIVATE_H

#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/socket.h>
#include <stdint.h>
#include <time.h>

#include "lib/pmuctl.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* A function of a library, by way of a number: ISO C has no cast from an object to one. */
#define LOAD(handle, fn, name) ((fn) = (__typeof__(fn))(uintptr_t)dlsym(handle, name))

/* Where x86-64's kernel is, at most; modules come behind it, or with their maps in its end. */
#define KERNEL_IMAGE_START 0xffffffff80000000ull
#define KERNEL_IMAGE_END 0xffffffffc0000000ull

/* CLOCK_MONOTONIC in ns, by which the module's samples have their times. */
static inline uint64_t monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

/* libpfm4, loaded when the first event name needs it; event/pfm.c. */
struct pfm;

/* Files of Intel's; event/intel.c. */
struct intel;

/* Top-Down's metrics; metric/tma.c. */
struct tma;

/* Which of the module's halves drives this PMU, and so how events are written. */
enum backend { BACKEND_PERFMON, BACKEND_P4, BACKEND_P6, BACKEND_P5 };

/* What deciding about events needs to know of the PMU. */
struct pmu_facts {
	uint32_t signature;	/* CPUID.1:EAX */
	uint32_t version;
	uint64_t counters;
	uint32_t arch_events;	/* bit n: exists */
	uint32_t core;		/* CPUID.1AH:EAX, the kind of core; 0: it does not say */
	uint64_t errata;	/* that the module found; 0 without it */
	bool any;		/* AnyThread may be set */
	bool arch_only;		/* the module does not know the model */
	bool threads;		/* cores were made with several threads */
	bool smt;		/* ... and run them */
	enum backend backend;
};

/* Kinds of cores, as CPUID.1AH:EAX[31:24] has them. */
#define CORE_BIG 0x40
#define CORE_SMALL 0x20

/* talk/kinds.c */
struct kinds {
	unsigned int count;	/* 0: all CPUs are alike */
	struct pmuctl_kind kind[PMUCTL_KINDS_MAX];
};

struct pmuctl {
	pmuctl_log_fn *log;
	void *log_data;
	char *events_dir;	/* NULL: none */
	bool alone;		/* with libpfm4 in this process */
	char error[1024];
	char disturbed[64];	/* the register that someone else wrote; "": none */

	struct nl_sock *sock;	/* NULL until the first request */
	int family;
	bool info_known;
	struct pmuctl_info info;
	bool facts_known;
	struct pmu_facts facts;
	const struct named_cpu *planned;	/* not this machine's; NULL: it is */
	struct kinds *kinds;	/* NULL: nobody has asked yet */
	/* Of one kind of core, its number and CPUID.1AH:EAX; of what is the whole, or NULL. */
	struct pmuctl *whole;
	bool owns_whole;	/* and goes with it */
	unsigned int kind;
	uint32_t core;
	struct known_events *known;	/* events that were parsed; NULL: none */
	struct pfm *pfm;
	struct intel *intel, *intel_metrics;
	struct tma *tma;
	struct pmuctl_metric_target metric_target;
};

/* The event select and one register beside it; of the Pentium 4 up to four. */
#define EVENT_REGISTERS 4
/* The Pentium 4 has as many tags. */
#define UPSTREAMS 4

/* An event that tags what another one counts; p4_tags.c. */
struct upstream {
	char name[48];
	uint64_t counters;
	struct pmuctl_register reg[2];
};

struct pmuctl_event {
	struct pmuctl *ctx;
	struct pmuctl_event_info info;
	/* Where cores are of several kinds, what it is there; NULL: they do not have it. */
	bool of_kinds;
	struct pmuctl_event *of_kind[PMUCTL_KINDS_MAX];
	uint64_t pebs_counters;		/* that can record it, if info.pebs */
	bool most_precise;		/* sampled by PEBS where that can be had */
	/* With neither period nor frequency it is counted only. */
	struct pmuctl_sampling sampling;
	struct pmuctl_register reg[EVENT_REGISTERS];
	/* These have to run beside it, and the session sees to it. */
	struct upstream upstream[UPSTREAMS];
	struct pmuctl_upstream upstream_info[UPSTREAMS];
	bool tag_free;			/* which tag the first of them sets is open */
	char *name;
	char *full_name;
	char *note;
};

/* error.c */
__attribute__((format(printf, 3, 4))) int fail(struct pmuctl *ctx, int err, const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void say(struct pmuctl *ctx, enum pmuctl_log_level level,
					       const char *fmt, ...);

/*
 * sized.c: structures of the caller's, which start with their size.  -EINVAL if that cannot be or
 * the pointer is NULL; ctx may be NULL, then nobody is told in words.
 */
int check_sized(struct pmuctl *ctx, const void *structure);
/* What both sides know of it: from the caller's into ours, from ours into the caller's. */
int take_sized(struct pmuctl *ctx, void *own, const void *from, size_t size);
int give_sized(struct pmuctl *ctx, void *to, const void *own, size_t size);
/* For what is NULL of a caller's, be it a function to call: -EINVAL, and the error says what. */
int is_null(struct pmuctl *ctx, const char *what);

/* Of a register of the PMU, with its number. */
void msr_name(uint32_t msr, char *text, size_t size);

/* wire.c, which tests replace. */
/* 0 or libnl's error; the socket does not block, and its extacks are on. */
int wire_connect(struct nl_sock *sock);
void wire_close(int fd);
/*
 * What the module that is loaded says of its state, "live" but while it comes or goes; of another
 * one that is loaded later the same descriptor says nothing.  -ENOENT: none is loaded.
 */
int wire_open_module(void);
/* Of a session's descriptor, or a module's; negative errno. */
ssize_t wire_read(int fd, void *bytes, size_t size, long offset);
/* Of a descriptor, to be read; NULL: it cannot be. */
void *wire_map(int fd, size_t size);
bool wire_threads_share_cores(void);
/* More than one of them is switched on, of some core: 1, 0; -1: the kernel does not tell. */
int wire_smt_active(void);

/* talk.c */
/* More attributes of a request; libnl's error if there is no room. */
typedef int put_fn(struct nl_msg *msg, const void *data);

/*
 * nlh is for attributes that come more than once.  Everything belongs to the
 * talk, and the next one overwrites it: no caller's function is called here.
 */
typedef int reply_fn(void *data, struct nlmsghdr *nlh, struct nlattr **attrs);

/*
 * A reply is an answer, so that an acknowledgement is asked for only where
 * there is none, or where the kernel may have remarks beside it.
 */
struct request {
	uint8_t cmd;
	bool dump;
	bool acked;
	uint32_t session;	/* that it is about; 0: none */
	put_fn *put;		/* NULL: nothing else is to be said */
	size_t room;		/* for what put() puts */
	int maxattr;		/* of the replies */
	reply_fn *fn;		/* NULL: they do not matter */
	void *data;		/* for both functions */
};

/* Opens the connection if need be, sends the request, gives every reply to req->fn. */
int talk(struct pmuctl *ctx, const struct request *req);
void talk_close(struct pmuctl *ctx);

/* talk/kinds.c: NULL where all CPUs are alike, or the context is of one kind. */
const struct kinds *kinds_of(struct pmuctl *ctx);
/* "p cores"; NULL: there is none of that number. */
const char *kind_name(struct pmuctl *ctx, uint32_t number);
/* The error of a kind's context, as that of the whole; returns err. */
int kind_failed(struct pmuctl *ctx, unsigned int kind, int err);
#define for_each_kind_attr(attr, nlh, rem)					\
	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rem)			\
		if (nla_type(attr) == PMUCTL_A_INFO_KIND)

/* cpu.c: -EOPNOTSUPP of the whole where cores are of several kinds. */
int facts_get(struct pmuctl *ctx, struct pmu_facts *facts);

static inline uint32_t signature_family(uint32_t signature)
{
	uint32_t family = signature >> 8 & 0xf;

	return family == 0xf ? family + (signature >> 20 & 0xff) : family;
}

static inline uint32_t signature_model(uint32_t signature)
{
	uint32_t family = signature >> 8 & 0xf;
	uint32_t model = signature >> 4 & 0xf;

	/* Both vendors extend the model of family 15, Intel that of 6 too. */
	return family == 6 || family == 0xf ? model | (signature >> 12 & 0xf0) : model;
}

/* HLE or RTM. */
bool cpu_has_transactions(void);

/* info.c: numbers of a reply, 0 if they are not in it. */
uint32_t get_u32(struct nlattr **attrs, int id);
uint64_t get_u64(struct nlattr **attrs, int id);
/* The same answer once more, for what else is in it. */
int info_ask(struct pmuctl *ctx, reply_fn *fn, void *data);
/* The module's answer, asked for once; checks the ABI. */
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
#define EVTSEL_CODE	(EVTSEL_EVENT | EVTSEL_UMASK)
#define EVTSEL_EQ	(1ULL << 36)
#define EVTSEL_UMASK2	(0xffULL << 40)
/* Set by the kernel alone. */
#define EVTSEL_KERNEL	(EVTSEL_USR | EVTSEL_OS | EVTSEL_PC | EVTSEL_INT | EVTSEL_EN)

/* What fixed counters count. */
#define EVTSEL_INSTRUCTIONS	0x00c0
#define EVTSEL_CYCLES		0x003c
#define EVTSEL_CYCLES_P6	0x0079	/* there no counter is fixed */
#define EVTSEL_REF_CYCLES	0x0300
#define EVTSEL_SLOTS		0x0400
/* The slots of three classes of Top-Down, in small cores from Skymont on. */
#define EVTSEL_BAD_SPECULATION	0x0073
#define EVTSEL_FRONTEND_BOUND	0x019c
#define EVTSEL_RETIRING		0x02c2

/* models.c */
enum generation {
	GEN_UNKNOWN,
	GEN_P6,		/* before architectural perfmon */
	GEN_CORE2,
	GEN_NHM,
	GEN_WSM,
	GEN_SNB,
	GEN_IVB,
	GEN_HSW,
	GEN_BDW,
	GEN_SKL,
	GEN_SKX,	/* its server */
	GEN_ICL,
	GEN_ICX,
	GEN_SPR,
	GEN_ADL,	/* the same core in clients: Alder, Raptor, Bartlett Lake */
	/* What is said of a range that ends before them is not known of these. */
	GEN_LNC,	/* Lion Cove: big core of Arrow and Lunar Lake */
	GEN_CGC,	/* Cougar Cove: Panther Lake's, the same but for codes of branches */
	GEN_GLM,	/* small cores: Goldmont, Goldmont Plus, */
	GEN_GLP,
	GEN_TNT,	/* Tremont, */
	GEN_GRT,	/* Gracemont, */
	GEN_CMT,	/* Crestmont, */
	GEN_SKT,	/* Skymont, */
	GEN_DKT,	/* Darkmont */
	GENERATIONS
};

enum generation generation_of(const struct pmu_facts *facts);
/* CPUID.1AH:EAX[31:24], also where that does not say it: 40H big, 20H small, 0 not known. */
uint32_t core_kind(const struct pmu_facts *facts);
/* The number of its make, CPUID.1AH:EAX[23:0]; 0: not known. */
uint32_t core_make(const struct pmu_facts *facts);
/* A Sandy or Ivy Bridge that is no server: of one generation with those to Linux. */
bool is_bridge_client(const struct pmu_facts *facts);
/*
 * To events and formulas a Sapphire Rapids, but for FRONTEND_RETIRED's codes, a few events more,
 * and what its PEBS records have.
 */
bool is_granite_rapids(const struct pmu_facts *facts);
/* The same core in clients, too: Meteor Lake's, whose events are otherwise an Alder Lake's. */
bool is_redwood_cove(const struct pmu_facts *facts);
/* Lion Cove or Cougar Cove. */
static inline bool is_lion_cove(enum generation generation)
{
	return generation == GEN_LNC || generation == GEN_CGC;
}
/* Its small cores have two levels of caches, and none is shared with the big ones. */
bool is_lunar_lake(const struct pmu_facts *facts);
/* Sierra Forest and Grand Ridge, and not the small cores of a Meteor or Arrow Lake. */
bool is_crestmont_server(const struct pmu_facts *facts);
/* From Skylake on, and what Redwood Cove has in its place for nearly all of it. */
#define FRONTEND_RETIRED	0x01c6
#define FRONTEND_RETIRED_RWC	0x03c6
/* The event that counts cycles, and how many registers it takes; 0: there is none. */
size_t cycles_event(const struct pmu_facts *facts, struct pmuctl_register reg[2]);
/* Counters that may count it. */
uint64_t cycles_counters(const struct pmu_facts *facts);

/* The bits of an event select that make an event here, and may be given. */
uint64_t evtsel_bits(const struct pmu_facts *facts);

/* An event that needs a register beside the event select. */
struct extra_event {
	enum generation first, last;
	uint32_t code;		/* event and umask */
	uint32_t kind;		/* enum pmuctl_register_kind */
	uint32_t index;
	uint64_t value;		/* if none is given; 0: one must be */
};

/* NULL: the event is none of those. */
const struct extra_event *extra_event(const struct pmu_facts *facts, uint64_t evtsel);
/* Event and umask of the offcore event with register index; 0: there is none. */
uint64_t offcore_code(const struct pmu_facts *facts, uint32_t index);

/* What a word without a value sets in the event select. */
enum event_flag { FLAG_EDGE, FLAG_INV, FLAG_ANY, FLAG_EQ, EVENT_FLAGS };

/* The text of an event, taken apart; event/text.c.  Of numbers -1: not given. */
struct event_text {
	char name[256];		/* without the modifiers */
	int user, kernel;	/* if neither was given, both are meant */
	uint32_t precise;	/* how many p */
	bool most_precise;	/* P */
	bool pinned;
	/*
	 * "any", "E", "edge": the word that sets the flag, unless the event has a umask of
	 * that name; then the source that knows the event clears the word.  "": none.
	 */
	char words[EVENT_FLAGS][5];
	int flags[EVENT_FLAGS];	/* with a value, or by another word as well */
	int cmask;
	int umask;		/* instead of the name's; UMASK2 is its second byte */
	const char *tx;		/* what is asked for of transactions; NULL: nothing */
	bool extra_given;
	uint32_t extra_kind;	/* enum pmuctl_register_kind */
	uint64_t extra;
};

/* Without a name or modifiers. */
void event_text_init(struct event_text *t);
/* -EINVAL if a modifier is malformed, or contradicts another one. */
int event_text_split(struct pmuctl *ctx, const char *text, struct event_text *t);
/* One "word" or "word=value": 1 if it is a modifier, 0 if not, or -EINVAL. */
int event_text_word(struct pmuctl *ctx, const char *word, struct event_text *t);
/* The same value again is as good as once: 1, or -EINVAL if it was another one; -1: none yet. */
int event_text_set(struct pmuctl *ctx, const char *word, int *field, int value);
/* Whether a ring is counted: by what was said of it, or else of the other one. */
static inline bool event_text_ring(int ring, int other)
{
	return ring < 0 ? other <= 0 : ring;
}
/* All of text as a number that is at most max; false if it is none. */
bool parse_number(const char *text, uint64_t max, uint64_t *value);

/* One way of naming events: what an event's text turned out to mean. */
struct encoding {
	uint64_t evtsel;	/* without the kernel's bits */
	bool extra_given;
	uint64_t extra;		/* of the register beside it */
	uint64_t counters;	/* 0: nothing is known */
	bool fixed0;		/* fixed counter 0 and no other */
	bool metric;		/* a field of PERF_METRICS: */
	unsigned int field;
	char full_name[256];
	char note[256];
};

/*
 * Sources: -ENOENT if the name is not theirs, other errors end the search.
 * They may take modifiers out of the text, or put them in.
 */
typedef int encode_fn(struct pmuctl *ctx, struct event_text *t, struct encoding *enc);
typedef int list_fn(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data);

/* event/portable.c */
encode_fn portable_encode;
list_fn portable_list;
/* Whether some CPU has it. */
bool portable_known(const char *name);
/* The name itself where perf's alias is given; NULL: it is none. */
const char *portable_name(const char *name);

/* -EINVAL, with all that there are; text starts with what is none. */
int no_modifier(struct pmuctl *ctx, const char *text);

/* event/field.c: fields of PERF_METRICS */
encode_fn metric_encode;
list_fn metric_list;

/* event/fields.c: -EINVAL if the event has another value itself. */
int fields_apply(struct pmuctl *ctx, const struct event_text *t, struct encoding *enc);
/* The register beside the event: 0 without one, 1 with one, or an error. */
int extra_take(struct pmuctl *ctx, const struct pmu_facts *facts, const struct event_text *t,
	       const struct encoding *enc, struct pmuctl_register *reg);

/* event/foreign.c: -ENOENT for what Linux's perf counts and no PMU of the cores, else 0. */
int refuse_foreign(struct pmuctl *ctx, const char *text);

/* event/raw.c: rNNNN and cpu/.../ */
encode_fn raw_encode;
encode_fn terms_encode;

/* event/mended.c: what libpfm4 lacks, or has wrong. */
encode_fn mended_encode;
list_fn mended_list;

/* event/p6.c: what libpfm4 has on i386 only. */
encode_fn p6_encode;
list_fn p6_list;

/* event/intel.c: Intel's own files. */
/* Reads the caller's files of events, if there are some and they are not read yet. */
int intel_open(struct pmuctl *ctx);
encode_fn intel_encode;
list_fn intel_list;
void intel_close(struct pmuctl *ctx);
/* intel_metrics.c */
void metrics_intel_close(struct pmuctl *ctx);
/* metric/tma.c */
void metrics_tma_close(struct pmuctl *ctx);

/* event/pfm.c */
encode_fn pfm_encode;
list_fn pfm_list;
void pfm_close(struct pmuctl *ctx);

/* p5.c: the same of the first Pentium. */
int p5_event_parse(struct pmuctl *ctx, const char *text, struct pmuctl_event **event);
int p5_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data);

/* p4_parse.c: the text of an event of the Pentium 4, without spaces around it. */
int p4_event_parse(struct pmuctl *ctx, const char *text, struct pmuctl_event **event);
int p4_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data);
/* event.c: what pmuctl.h's functions do where all CPUs are alike, or of one kind of core. */
int event_parse(struct pmuctl *ctx, const char *text, struct pmuctl_event **event);
list_fn event_list;
/* fn gets the text without spaces around it. */
typedef int event_parse_fn(struct pmuctl *ctx, const char *text, struct pmuctl_event **event);
int event_parse_by(struct pmuctl *ctx, const char *text, event_parse_fn *fn,
		   struct pmuctl_event **event);
/* event.c: -ENOENT, with the names nearest to that one. */
int unknown_event(struct pmuctl *ctx, const char *name);
/* An event without registers. */
int new_event(struct pmuctl *ctx, const char *name, const char *full_name, const char *note,
	      struct pmuctl_event **event);
/* event/known.c: a copy of one that was parsed before, if there is one; to be had again; all go. */
bool known_event(struct pmuctl *ctx, const char *text, struct pmuctl_event **event);
bool is_known_event(const struct pmuctl *ctx, const char *text);
void known_add(struct pmuctl *ctx, const struct pmuctl_event *event);
void known_close(struct pmuctl *ctx);

/* event.c: a name that may go on with umasks whose words are modifiers elsewhere. */
typedef int name_fn(struct pmuctl *ctx, const char *name, struct encoding *enc);
int encode_with_umasks(struct pmuctl *ctx, struct event_text *t, name_fn *encode_name,
		       struct encoding *enc);
/* event.c: a name alone, of any source but codes and metrics; -ENOENT: nobody has it. */
name_fn event_find;
/* What all sources have; an error if one of them cannot be read. */
list_fn list_all;

/* Once, in its note; lost if there is no memory for it, and the event is right all the same. */
void event_remark(struct pmuctl_event *event, const char *text);
/* With what of its kind the hardware can record; before it is sampled. */
void event_make_precise(struct pmuctl_event *event, const struct pmu_facts *facts,
			uint32_t precise);

/* -EOPNOTSUPP, and the error says why: the module refuses it to who has no CAP_PERFMON. */
int event_check_privilege(const struct pmuctl_event *event);

/* base/near.c: the names nearest to one that does not exist. */
#define NEAR_NAMES 3
#define NEAR_NAME_LEN 80

struct nearest {
	const char *name;
	size_t len;
	unsigned int distance[NEAR_NAMES];
	char names[NEAR_NAMES][NEAR_NAME_LEN + 1];
};

void nearest_start(struct nearest *n, const char *name);
void nearest_consider(struct nearest *n, const char *name);
/* event/portable.c: perf's names, which are in no list. */
void portable_consider_aliases(struct nearest *nearest);
/* "" if none is near. */
void nearest_text(const struct nearest *n, char *text, size_t size);
bool pattern_matches(const char *pattern, const char *name);
/* Whether two names of events are the same, "." and ":" being one. */
bool same_event_name(const char *a, const char *b);

/* cpu/pebs.c */
struct pebs_facts {
	uint64_t counters;	/* that can record the event */
	bool address;		/* with the data address */
};

/* Whether the hardware can record it at the instruction. */
bool pebs_find(const struct pmu_facts *facts, uint64_t evtsel, struct pebs_facts *pebs);
/* What the third p of :ppp asks for. */
struct pebs_spread {
	uint64_t counters;	/* that have it */
	uint64_t period;	/* at least so long */
	const char *remark;	/* NULL: it is had */
};

/* Whether this CPU has it at all. */
bool pebs_spread_find(const struct pmu_facts *facts, uint64_t evtsel, struct pebs_spread *spread);
/* Whether another event stands in for it, *evtsel then. */
bool pebs_stand_in(const struct pmu_facts *facts, bool portable, uint64_t *evtsel);

/* sample.c: enum pmuctl_content bits of the protocol. */
uint64_t sample_content(const struct pmuctl_info *info, const struct pmuctl_sampling *sampling);

static inline bool is_sampled(const struct pmuctl_sampling *s)
{
	return s->period || s->frequency;
}

/* cpu/errata.c: whether the event has it on this processor. */
bool erratum_on(const struct pmu_facts *facts, uint64_t bit, uint64_t evtsel);

/* constraints.c */
uint64_t allowed_counters(const struct pmu_facts *facts, uint64_t evtsel);
/* Counted by every processor that has such a PMU at all. */
bool is_architectural(uint64_t evtsel);

#endif
