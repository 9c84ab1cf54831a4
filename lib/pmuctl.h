/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libpmuctl: the performance monitoring unit through the pmuctl kernel module.
 *
 * Functions return 0 or a negative errno unless said otherwise; what they
 * deliver comes in the last parameter.  After an error pmuctl_error() has the
 * reason in words, the kernel's own when the kernel refused.  Nothing is ever
 * printed.  A context and all that hangs on it belong to one thread at a time.
 *
 * Structures that the caller provides start with their size, which the caller
 * sets: struct pmuctl_info info = { .size = sizeof(info) };  What a library older than
 * its header does not know of them stays as it was.  Those that the library hands out,
 * by pointer, may get members at their end; struct pmuctl_register and what else
 * comes in arrays is as it is for good.
 *
 * -EINVAL is also the answer to an event, a name or a structure that is NULL, and to a
 * size that cannot be.
 */
#ifndef LIBPMUCTL_H
#define LIBPMUCTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
/* The library is compiled with everything hidden but what is declared here. */
#pragma GCC visibility push(default)

struct pmuctl;
struct pmuctl_event;
struct pmuctl_session;

/* ---- context ------------------------------------------------------- */

enum pmuctl_log_level {
	PMUCTL_LOG_WARNING,	/* the kernel did it, with a remark */
	PMUCTL_LOG_DEBUG,
};

typedef void pmuctl_log_fn(void *data, enum pmuctl_log_level level, const char *text);

struct pmuctl_options {
	size_t size;
	pmuctl_log_fn *log;	/* may be NULL */
	void *log_data;
	/*
	 * A directory of Intel's event files (JSON, as in intel/perfmon, with
	 * its mapfile.csv above or in it, or one file).  NULL: the environment's
	 * PMUCTL_EVENTS_DIR, if set; "": none.
	 */
	const char *events_dir;
	/*
	 * Nobody else in this process uses libpfm4, nor looks at its environment meanwhile:
	 * libpfm4's own list of Linux's software events is left out, for which it would read
	 * a file of every tracepoint there is.
	 */
	bool alone;
};

/* options may be NULL.  Talks to nobody yet: errors are -ENOMEM, -EINVAL. */
int pmuctl_open(const struct pmuctl_options *options, struct pmuctl **ctx);
/* Free the sessions first. */
void pmuctl_close(struct pmuctl *ctx);
/* Why the last call on this context failed; "" if none did, never NULL. */
const char *pmuctl_error(const struct pmuctl *ctx);

/* ---- the machine, as CPUID tells it -------------------------------- */

struct pmuctl_cpu {
	size_t size;
	char vendor[16];	/* "GenuineIntel" */
	char name[64];		/* brand string, "" if there is none */
	uint32_t signature;	/* CPUID.1:EAX */
	uint32_t family;
	uint32_t model;
	uint32_t stepping;
	uint32_t version;	/* of architectural perfmon; 0: none, or hidden */
	uint32_t hypervisor;	/* not 0: a virtual machine, and it says so */
	char hypervisor_name[16];
	char pmu[16];		/* "perfmon", "p4", "p6"; "": none is announced */
	int32_t smt;		/* threads share cores now: 1, 0; -1: the kernel does not tell */
};

int pmuctl_get_cpu(struct pmuctl *ctx, struct pmuctl_cpu *cpu);

/*
 * Asks from now on of another processor, for who plans what is to be counted there: its events,
 * metrics and counters are told, and nothing can be counted.  name: one of those below.
 * -ENOENT: none has that name; -EBUSY: something was asked of this machine's already.  What
 * libpfm4 knows is that of the first processor that a process asked it of.
 */
int pmuctl_plan_for(struct pmuctl *ctx, const char *name);
/* "skylake", "core2"; by number, from 0; NULL: there are no more. */
const char *pmuctl_cpu_name(size_t number);
/* The one that was chosen; NULL: it is this machine's own. */
const char *pmuctl_planned_for(const struct pmuctl *ctx);

struct pmuctl_cache {
	size_t size;
	uint32_t sets;
	uint32_t ways;
	uint32_t line;		/* bytes */
};

/* The first-level data cache of this machine; -ENOENT: CPUID does not tell. */
int pmuctl_get_l1d(struct pmuctl *ctx, struct pmuctl_cache *cache);

/* ---- the module ---------------------------------------------------- */

/* What the library and the module must have in common. */
uint32_t pmuctl_abi(void);

enum pmuctl_can {
	PMUCTL_CAN_TASK		= 1 << 0,
	PMUCTL_CAN_CPU		= 1 << 1,
	PMUCTL_CAN_INHERIT	= 1 << 2,
	PMUCTL_CAN_ON_EXEC	= 1 << 3,
	PMUCTL_CAN_DRY_RUN	= 1 << 4,
	PMUCTL_CAN_SETS		= 1 << 5,	/* multiplexing, pinned groups */
	PMUCTL_CAN_RESET	= 1 << 6,
	PMUCTL_CAN_EXTRA	= 1 << 7,	/* offcore, latency, front-end events */
	PMUCTL_CAN_FD		= 1 << 8,	/* counts are read by way of a descriptor */
	PMUCTL_CAN_SAMPLE	= 1 << 9,	/* samples by interrupt */
	PMUCTL_CAN_PEBS		= 1 << 10,	/* samples by PEBS */
	PMUCTL_CAN_CASCADE	= 1 << 11,	/* counters that start each other */
	PMUCTL_CAN_METRICS	= 1 << 12,	/* fields of PERF_METRICS */
	PMUCTL_CAN_END		= 1 << 13,	/* root ends anybody's session */
	PMUCTL_CAN_SWITCH	= 1 << 14,	/* features of the processor are switched */
	/* Samples by PEBS have the retire latency, on one kind of cores at least. */
	PMUCTL_CAN_RETIRE	= 1 << 15,
	PMUCTL_CAN_SWITCH_TASK	= 1 << 16,	/* features are switched with tasks */
	PMUCTL_CAN_CGROUP	= 1 << 17,	/* sessions on control groups */
	PMUCTL_CAN_KINDS	= 1 << 18,	/* cores are of several kinds: see below */
	PMUCTL_CAN_SELF		= 1 << 19,	/* a thread reads its counters: pmuctl-self.h */
	PMUCTL_CAN_COUNTS	= 1 << 20,	/* samples have the counts of their group */
};

enum pmuctl_holder {
	PMUCTL_HOLDER_NONE,	/* nobody is seen to use the PMU */
	PMUCTL_HOLDER_MODULE,	/* sessions of the module have it */
	/*
	 * Somebody else counts on a CPU now.  Who has reserved counters and does not run at
	 * the moment (perf of a task, say) is not seen: making a session tells, with EBUSY.
	 */
	PMUCTL_HOLDER_FOREIGN,
};

/*
 * In every mask of counters: general-purpose i is bit i, fixed i is 32 + i; field i of
 * PERF_METRICS, which divides what fixed counter 3 counts, is 48 + i.
 */
#define PMUCTL_COUNTER_FIXED	32
#define PMUCTL_COUNTER_METRIC	48

struct pmuctl_info {
	size_t size;
	uint32_t abi;
	uint32_t holder;	/* enum pmuctl_holder */
	uint64_t features;	/* enum pmuctl_can, and newer bits */
	char backend[16];	/* "perfmon", "p4" or "p6" */
	uint32_t signature;	/* CPUID.1:EAX as the kernel saw it */
	uint32_t version;	/* of architectural perfmon */
	uint64_t counters;	/* mask: they exist */
	uint64_t counters_used;	/* mask: sessions hold them */
	uint32_t gp_width;	/* bits */
	uint32_t fixed_width;	/* bits, 0 if there are none */
	uint32_t arch_events;	/* bit n: architectural event n exists */
	uint32_t sessions;
	uint64_t capabilities;	/* IA32_PERF_CAPABILITIES */
	uint32_t arch_only;	/* 1: unknown model, architectural events only */
	uint32_t any;		/* 1: AnyThread may be set */
	uint32_t unprivileged;	/* 1: everybody may count own tasks' user mode */
	uint32_t sessions_max;	/* limits of one user */
	uint32_t events_max;
	uint32_t tasks_max;
	uint64_t memory_max;	/* bytes */
	uint64_t interval;	/* ns that a set stays on, by default */
	int32_t pebs_format;	/* of the hardware's records, -1: there is no PEBS */
	uint32_t lbr_depth;	/* last branch records, 0: none */
	/* Interrupts of samples a second and CPU before it is throttled; a PEBS buffer has one. */
	uint32_t rate_max;
	char pebs_refusal[256];	/* why PEBS is refused, or would be now, or "" */
	uint64_t errata;	/* bits of struct pmuctl_erratum: this processor's */
	uint64_t errata_open;	/* of those, what a parameter leaves as it is */
};

/*
 * -ENOENT: the module is not loaded, or comes or goes just now; -ENONET: it is, but out of
 * reach of this network namespace; -EPERM: no CAP_PERFMON; -EPROTO: it speaks another ABI
 * (info->abi is filled in); -EBADMSG: its answer makes no sense.
 */
int pmuctl_get_info(struct pmuctl *ctx, struct pmuctl_info *info);

struct pmuctl_session_info {
	uint32_t id;
	uint32_t running;
	uint64_t flags;		/* enum pmuctl_session_option */
	uint64_t counters;	/* mask: it holds them */
	pid_t owner_pid;	/* of who made it; 0: that has ended */
	const char *owner_comm;
	uint32_t events;
	uint32_t sets;
	uint32_t tasks;		/* followed now; 0 for a session on CPUs */
	const uint32_t *cpus;	/* of a session on CPUs */
	size_t cpus_count;
	uint64_t inode;		/* of the socket that it belongs to; 0: not known */
	uid_t owner_uid;
	bool privileged;	/* made with CAP_PERFMON; others give way to it */
	bool lost;		/* its counters, to such a one: it counts no more */
	const char *cgroup;	/* path of the control group whose tasks it follows, or NULL */
	const char *kind;	/* "p cores": that it is on; NULL: all CPUs are alike */
};

/* What a callback returns ends the walk if not 0, and is returned. */
typedef int pmuctl_session_fn(void *data, const struct pmuctl_session_info *session);

/* Every session in the kernel, whoever owns it; without CAP_PERFMON the same user's. */
int pmuctl_list_sessions(struct pmuctl *ctx, pmuctl_session_fn *fn, void *data);
/*
 * Ends any session: for those whose socket no process has any more, or only one that cannot be
 * ended.  -EPERM: no CAP_SYS_ADMIN; -ENOENT: there is none of that number.
 */
int pmuctl_end_session(struct pmuctl *ctx, uint32_t id);

/*
 * path: a .ko file, or NULL to search /lib/modules.  -EALREADY: it is loaded;
 * -ENOENT: no such module; -ENODEV, -EOPNOTSUPP: it refused this machine.
 */
int pmuctl_module_load(struct pmuctl *ctx, const char *path);
/* -ENOENT: not loaded; -EBUSY: in use. */
int pmuctl_module_unload(struct pmuctl *ctx);

/* ---- kinds of cores ------------------------------------------------ */

/*
 * Where cores are of several kinds, each kind has events, counters and codes of its own.  An
 * event is what its name means on each of them, and a session counts and samples it on all that
 * have it, and adds up.  What else there is takes a context of one kind: with that of the whole
 * it is -EOPNOTSUPP ("not yet").
 */
#define PMUCTL_KINDS_MAX 4

struct pmuctl_kind {
	size_t size;
	const char *name;	/* "p cores", "e cores", "lp-e cores" */
	const char *pmu;	/* "cpu_core": as Linux has it, and for events of this kind alone */
	uint32_t core;		/* CPUID.1AH:EAX */
	const uint32_t *cpus;	/* as far as they have been online since the module came */
	size_t cpus_count;
	/* Of such cores alone: its events and sessions are on these, and nowhere else. */
	struct pmuctl *ctx;
};

/* How many there are; 0: all CPUs are alike, or no module says anything of them. */
int pmuctl_kinds(struct pmuctl *ctx);
/* What is pointed to belongs to ctx.  -ENOENT: there is no kind of that number, from 0. */
int pmuctl_kind_get(struct pmuctl *ctx, unsigned int number, struct pmuctl_kind *kind);
/*
 * *ctx becomes that kind's, for who needs no other: it is closed with pmuctl_close(), and the whole
 * with it.  -ENOENT: there is no such kind.
 */
int pmuctl_narrow(struct pmuctl **ctx, unsigned int number);
bool pmuctl_kind_has_cpu(const struct pmuctl_kind *kind, unsigned int cpu);
/* -EOPNOTSUPP for what takes one kind, with which there are; 0: ctx is of one. */
int pmuctl_one_kind(struct pmuctl *ctx);

/* ---- events -------------------------------------------------------- */

enum pmuctl_source {
	PMUCTL_SOURCE_PORTABLE,	/* a name that means the same everywhere */
	PMUCTL_SOURCE_LIBPFM4,
	PMUCTL_SOURCE_RAW,	/* rNNNN or cpu/event=..,umask=../ */
	PMUCTL_SOURCE_INTEL,	/* a file of the events directory, or Intel's manual */
};

enum pmuctl_register_kind {
	PMUCTL_REGISTER_EVTSEL		= 1,	/* IA32_PERFEVTSELx */
	PMUCTL_REGISTER_FIXED_CTRL	= 2,	/* four bits of IA32_FIXED_CTR_CTRL */
	PMUCTL_REGISTER_OFFCORE_RSP	= 3,	/* MSR_OFFCORE_RSP_0, _1 */
	PMUCTL_REGISTER_LD_LAT		= 4,	/* MSR_PEBS_LD_LAT_THRESHOLD */
	PMUCTL_REGISTER_FRONTEND	= 5,	/* MSR_PEBS_FRONTEND */
	/* Of the Pentium 4: */
	PMUCTL_REGISTER_ESCR		= 6,	/* which event; index: its number */
	PMUCTL_REGISTER_CCCR		= 7,	/* of a counter, how it counts */
	PMUCTL_REGISTER_REPLAY		= 8,	/* IA32_PEBS_ENABLE: what tags uops */
	PMUCTL_REGISTER_MATRIX_VERT	= 9,	/* MSR_PEBS_MATRIX_VERT */
	PMUCTL_REGISTER_METRIC		= 10,	/* index: a byte of PERF_METRICS */
	/* Of the first Pentium: what CESR has of a counter, the index. */
	PMUCTL_REGISTER_CESR		= 11,
};

/* Comes in arrays: nothing will ever be added to it. */
struct pmuctl_register {
	uint32_t kind;		/* enum pmuctl_register_kind */
	uint32_t index;		/* which of several */
	uint64_t value;
};

/* What processors do wrong. */
struct pmuctl_erratum {
	uint64_t bit;		/* of pmuctl_info.errata */
	const char *names;	/* Intel's, or where it is known from */
	const char *effect;
	const char *measure;	/* what is done about it */
	const char *open;	/* ... where errata_open has the bit; NULL: it never has */
};

/* Those that are known, from 0 on; NULL behind the last. */
const struct pmuctl_erratum *pmuctl_erratum_get(size_t i);
/* Whether it is one of this event, and not of counters or of all events. */
bool pmuctl_erratum_concerns(const struct pmuctl_erratum *erratum,
			     const struct pmuctl_event *event);

/* "MSR_CRU_ESCR2", "MSR_IQ_CCCR4": its name in the manuals. */
void pmuctl_register_name(const struct pmuctl_register *reg, char *text, size_t size);
/* "MSR_IQ_COUNTER4" of a counter of the Pentium 4; NULL: there is none of that number. */
const char *pmuctl_p4_counter_name(uint32_t counter);
/* The number of the ESCR that it reaches by a select value of its CCCR; -1: none. */
int pmuctl_p4_escr(uint32_t counter, uint32_t select);

/* An event of the library's own that tags what the event counts (Pentium 4). */
struct pmuctl_upstream {
	const char *name;	/* "packed_SP_uop" */
	uint64_t counters;	/* mask: they may count it */
	const struct pmuctl_register *registers;
	size_t registers_count;
};

struct pmuctl_event_info {
	const char *name;	/* as the caller wrote it, without space around it */
	const char *full_name;	/* as the source spells it, or cpu/name=../ says */
	uint32_t source;	/* enum pmuctl_source */
	bool user;		/* counts at CPL > 0 */
	bool kernel;		/* counts at CPL 0 */
	uint64_t counters;	/* mask: they may count it */
	/* The event select, then the register beside it if there is one. */
	const struct pmuctl_register *registers;
	size_t registers_count;
	bool pinned;		/* modifier D: always on, beside every set */
	const char *note;	/* "libpfm4 has 04c5, which ...", or "" */
	uint32_t precise;	/* 0, or as modifiers p, pp, ppp say */
	bool pebs;		/* the hardware can record it by PEBS */
	bool gives_address;	/* ... with the data address */
	const struct pmuctl_upstream *upstreams;	/* that run beside it */
	size_t upstreams_count;
};

/*
 * "NAME[:MODIFIERS]": a portable name, a raw code rNNNN (the hexadecimal
 * event, umask, edge, any, inv, cmask, eq and second umask of IA32_PERFEVTSELx),
 * cpu/event=0xc4,umask=1,cmask=..,edge,inv,any,.../, a name of Intel's event
 * files if there are any, or a name of libpfm4.  Modifiers u, k, D (pinned),
 * and in words e or edge, i or inv, any, eq, cmask=N (or c=N), umask=N, ldlat=N,
 * offcore_rsp=N, frontend=N; p, pp and ppp for samples by PEBS, P for
 * such as pp where they can be had, and else by interrupt.  A word that is a
 * umask of the event is that; a modifier may be given again, but with one value,
 * and not with another than the name sets itself.  What exists is taken
 * from the module, or from CPUID while there is none.
 *
 * On a Pentium 4 names are portable ones, the SDM's metrics of tagged uops, and
 * libpfm4's with their masks, or cpu/escr=0x..,cccr=0x..,.../; modifiers u, k, D,
 * p, and in words t0usr, t0os, t1usr, t1os, threshold=N, complement, edge,
 * thread=single|both|any, tag=UPSTREAM, nbogus, bogus.
 *
 * -ENOENT: no such event (the error names the nearest, or says what else it is: of
 * Linux's software, a tracepoint, of another PMU); -EINVAL: malformed, or
 * a file of events is; -EOPNOTSUPP: known, but not countable on this CPU.
 *
 * Where cores are of several kinds, cpu_core/.../, cpu_atom/.../ and cpu_lowpower/.../ are
 * events of one of them; a code that is not architectural has to be such a one (-EINVAL).
 */
int pmuctl_event_parse(struct pmuctl *ctx, const char *text, struct pmuctl_event **event);
/*
 * An event of that kind of core alone, for a session of all: what text is to the kind's own
 * context.  -ENOENT as well: there is no such kind.
 */
int pmuctl_event_parse_kind(struct pmuctl *ctx, unsigned int kind, const char *text,
			    struct pmuctl_event **event);
/*
 * What the event is on that kind of core; NULL: it is not one of theirs.  Of a context whose
 * CPUs are all alike: itself, for 0.  Valid as long as the event, whose info is that of the
 * first kind that has it.
 */
const struct pmuctl_event *pmuctl_event_of_kind(const struct pmuctl_event *event,
						unsigned int kind);
void pmuctl_event_free(struct pmuctl_event *event);
/* Only on these of the counters that it may use; -EINVAL if none is left. */
int pmuctl_event_limit(struct pmuctl_event *event, uint64_t counters);

/* What a sample has besides event, pid, tid, ip, time, CPU and period. */
enum pmuctl_sample_content {
	/*
	 * Data linear address.  With PEBS, where the hardware has none for the
	 * event (pmuctl_event_info), registers stand in for it and the source of
	 * the data: pmuctl_insn_address() evaluates the instruction's operand.
	 */
	PMUCTL_SAMPLE_ADDR	= 1 << 0,
	/*
	 * Latency in cycles, of the load; and where PEBS tells (PMUCTL_CAN_RETIRE) the cycles
	 * since the instruction before retired, on kinds of cores that tell it.  Fixed counters
	 * are left out then.
	 */
	PMUCTL_SAMPLE_WEIGHT	= 1 << 1,
	PMUCTL_SAMPLE_DATA_SRC	= 1 << 2,	/* where the data came from */
	PMUCTL_SAMPLE_REGS	= 1 << 3,	/* registers at the sample */
	PMUCTL_SAMPLE_CHAIN	= 1 << 4,	/* call chain by frame pointers */
	PMUCTL_SAMPLE_BRANCHES	= 1 << 5,	/* last branches */
	/*
	 * Instead of branches the calls of user mode that have not returned, where the last
	 * branch records can be such a stack: Haswell and later.
	 */
	PMUCTL_SAMPLE_CALLS	= 1 << 6,
	/* The program's registers and a copy of its stack; CHAIN is the kernel's alone then. */
	PMUCTL_SAMPLE_STACK	= 1 << 7,
	/* The words at the top of its stack, which tell who called a function without a frame. */
	PMUCTL_SAMPLE_TOP	= 1 << 8,
	/*
	 * What the events of its group that are not sampled counted since the sample before.  Of
	 * a task its own, as of the record where PEBS records counters (PMUCTL_CAN_COUNTS says
	 * only that the module can), else as of the interrupt.
	 */
	PMUCTL_SAMPLE_COUNTS	= 1 << 9,
};

struct pmuctl_sampling {
	size_t size;
	uint64_t period;	/* a sample every so many events, or... */
	uint32_t frequency;	/* ...about so many a second */
	uint32_t random_bits;	/* periods differ by less than half of 2^n; 0: not */
	/*
	 * 0: by interrupt; 1: by PEBS; 2: by PEBS at the very instruction; 3: spread evenly
	 * besides, where the CPU has that, or else the event's note says that it has not.
	 */
	uint32_t precise;
	uint64_t content;	/* enum pmuctl_sample_content bits */
	/* Of the Pentium 4: every event overflows the counter; wants a period of 1. */
	bool force_overflow;
	/* With PMUCTL_SAMPLE_STACK: bytes, a multiple of 8 from 1024; 0: 8192. */
	uint32_t stack;
};

/*
 * The event is sampled, and counted as before.  Modifiers p, pp and ppp of
 * pmuctl_event_parse() say precise already: the larger one holds.  -EINVAL:
 * neither period nor frequency, both, or out of range; -EOPNOTSUPP: no PEBS
 * here, or not for this event, or not so precise.  Of modifier P it is no error: the
 * event is sampled by interrupt then, and its note says why.
 */
int pmuctl_event_sample(struct pmuctl_event *event, const struct pmuctl_sampling *sampling);
/* Valid as long as the event; NULL for NULL. */
const struct pmuctl_event_info *pmuctl_event_get_info(const struct pmuctl_event *event);
/*
 * Whether one session cannot have both, not even in turns: on a Pentium 4 whose cores
 * run two threads, those that want uops tagged in different ways.
 */
bool pmuctl_events_clash(const struct pmuctl_event *a, const struct pmuctl_event *b);
/* -EINVAL: they are no group, since some kind of core has only one of them. */
int pmuctl_events_same_kinds(struct pmuctl *ctx, const struct pmuctl_event *a,
			     const struct pmuctl_event *b);

struct pmuctl_event_desc {
	const char *name;	/* "EVENT" or "EVENT:UMASK" */
	const char *event;	/* of a umask its event, else NULL */
	const char *text;	/* one line */
	uint32_t source;	/* enum pmuctl_source */
	uint32_t kinds;		/* where cores are of several kinds, those that have it, by bit */
};

typedef int pmuctl_event_fn(void *data, const struct pmuctl_event_desc *desc);

/* pattern: part of a name in any case, or a glob; NULL for all. */
int pmuctl_list_events(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data);

/* ---- metrics ------------------------------------------------------- */

struct pmuctl_metric;

struct pmuctl_metric_desc {
	const char *name;
	const char *text;	/* what it says */
	const char *unit;	/* "percent": its value is of 100; "": it has none */
	const char *groups;	/* that it belongs to, with semicolons between them */
	uint32_t source;	/* enum pmuctl_source */
	const char *parent;	/* the metric that this is a part of; "": none */
	const char *threshold;	/* when it is worth a look, over metrics' names; "": not known */
};

typedef int pmuctl_metric_fn(void *data, const struct pmuctl_metric_desc *desc);

/* pattern: part of a name or of a group's in any case, or a glob; NULL for all. */
int pmuctl_list_metrics(struct pmuctl *ctx, const char *pattern, pmuctl_metric_fn *fn,
			void *data);

struct pmuctl_metric_target {
	size_t size;
	bool tasks;		/* tasks are counted, not CPUs: matters where cores share threads */
	bool unprivileged;	/* without CAP_PERFMON: by events that the module gives then */
};

/*
 * What metrics that are listed and found from now on will be counted of; at first CPUs.
 * Not from the function that pmuctl_list_metrics() calls.
 */
int pmuctl_metrics_for(struct pmuctl *ctx, const struct pmuctl_metric_target *target);

struct pmuctl_metric_info {
	struct pmuctl_metric_desc desc;
	const char *formula;		/* over the events below */
	/* For pmuctl_event_parse(). */
	const char *const *events;
	size_t events_count;
	/*
	 * Which of parts_count groups each belongs into: one, but where there are too few
	 * counters for all of them at once.  Then estimates of the parts, each for all of
	 * the time, stand in for counts.
	 */
	const uint32_t *parts;
	size_t parts_count;
};

/*
 * "NAME[:u|:k]": a metric of Intel's files if there are any, or one of portable
 * events; of one ring alone or of both.  -ENOENT: no such metric (the error names the
 * nearest); -EINVAL: malformed, or a file is; -EOPNOTSUPP: it needs what this CPU or
 * the module does not have, or it is a group all of which does.
 */
int pmuctl_metric_find(struct pmuctl *ctx, const char *text, struct pmuctl_metric **metric);
void pmuctl_metric_free(struct pmuctl_metric *metric);
/* Valid as long as the metric. */
const struct pmuctl_metric_info *pmuctl_metric_get_info(const struct pmuctl_metric *metric);
/*
 * counts: of each of its events, in order; seconds: that they were counted for.
 * -EDOM: not measurable, and the error says which divisor is 0.
 */
int pmuctl_metric_value(const struct pmuctl_metric *metric, const double *counts, double seconds,
			double *value);
/* The value of the metric of that name, in its own unit: 0; anything else: not known. */
typedef int pmuctl_metric_value_fn(void *data, const char *name, double *value);
/*
 * Whether its threshold is passed.  -ENODATA: it has none, or fn does not know one of the
 * metrics in it; -EDOM: it divides by one that is 0.
 */
int pmuctl_metric_flagged(const struct pmuctl_metric *metric, pmuctl_metric_value_fn *fn,
			  void *data, bool *flagged);

/* ---- sessions ------------------------------------------------------ */

enum pmuctl_session_option {
	PMUCTL_INHERIT	= 1 << 0,	/* follow fork and clone */
	PMUCTL_ON_EXEC	= 1 << 1,	/* start by itself at the task's exec */
	PMUCTL_DRY_RUN	= 1 << 2,	/* plan only: assignments, no session */
	/*
	 * What does not fit at once is spread over sets that take turns, never
	 * parting a group.  Without, -ENOSPC or -EBUSY if it does not fit; with
	 * it -ENOSPC if a group does not fit into any set.
	 */
	PMUCTL_MULTIPLEX = 1 << 3,
};

int pmuctl_session_new(struct pmuctl *ctx, struct pmuctl_session **session);
/* Ends the session in the kernel too. */
void pmuctl_session_free(struct pmuctl_session *session);

/* Events are numbered from 0 in this order; the event may be freed at once. */
int pmuctl_session_add_event(struct pmuctl_session *session, const struct pmuctl_event *event);
/* These are counted at the same time or not at all. */
int pmuctl_session_add_group(struct pmuctl_session *session, struct pmuctl_event *const *events,
			     size_t count);
/*
 * Event `started` counts from event number `after` of `starter` on, by cascaded
 * counters of the Pentium 4; both are in one group.  -EINVAL: there are no such
 * events, or after is 0; -EOPNOTSUPP: no counter of this CPU starts another.
 */
int pmuctl_session_cascade(struct pmuctl_session *session, unsigned int starter, uint64_t after,
			   unsigned int started);
/* 1 if all its events can be counted at the same time while nobody else holds
 * counters, 0 if not. */
int pmuctl_session_fits(struct pmuctl_session *session);
/* How long a set stays on, in ns, 100 us to 1 s; before the session is created. */
int pmuctl_session_set_interval(struct pmuctl_session *session, uint64_t ns);
/* One kind of target a session.  0 is the caller: its process, its thread. */
int pmuctl_session_add_process(struct pmuctl_session *session, pid_t pid);
int pmuctl_session_add_thread(struct pmuctl_session *session, pid_t tid);
int pmuctl_session_add_cpu(struct pmuctl_session *session, unsigned int cpu);
/*
 * The tasks of a control group (version 2) and of the groups below it, as they come and go.
 * fd: its folder, open until the session is created; one a session, without PMUCTL_INHERIT.
 * -EOPNOTSUPP: the module cannot.
 */
int pmuctl_session_add_cgroup(struct pmuctl_session *session, int fd);

/* options: enum pmuctl_session_option.  Errors as pmuctl_get_info(), and the
 * kernel's: -EBUSY (counters or the PMU are taken), -ESRCH, -EINVAL... */
int pmuctl_session_create(struct pmuctl_session *session, uint64_t options);
int pmuctl_session_start(struct pmuctl_session *session);
int pmuctl_session_stop(struct pmuctl_session *session);
/* Values, times and flags start again from 0, running or not. */
int pmuctl_session_reset(struct pmuctl_session *session);

struct pmuctl_assignment {
	size_t size;
	uint32_t counter;	/* as a bit number of a counter mask */
	uint32_t set;
	const struct pmuctl_register *registers;	/* as programmed */
	size_t registers_count;
};

/* What the kernel gave an event; valid as long as the session. */
int pmuctl_session_assignment(const struct pmuctl_session *session, unsigned int event,
			      struct pmuctl_assignment *assignment);
/* The same where cores are of several kinds; -ENOENT: none on that one. */
int pmuctl_session_assignment_of(const struct pmuctl_session *session, unsigned int event,
				 unsigned int kind, struct pmuctl_assignment *assignment);
/* And what runs beside it: number `upstream` of the event's upstreams. */
int pmuctl_session_upstream(const struct pmuctl_session *session, unsigned int event,
			    unsigned int upstream, struct pmuctl_assignment *assignment);

enum pmuctl_value_flag {
	/* A child was not followed, a CPU not counted, PEBS's buffer full. */
	PMUCTL_VALUE_INCOMPLETE	= 1 << 0,
	PMUCTL_VALUE_DISTURBED	= 1 << 1,	/* someone else wrote the PMU */
	PMUCTL_VALUE_DETACHED	= 1 << 2,	/* let go of a task that gained privilege */
	PMUCTL_VALUE_GUESTS	= 1 << 3,	/* VMs ran on this host and are included */
	PMUCTL_VALUE_ESTIMATE	= 1 << 4,	/* its set was not on all the time */
	PMUCTL_VALUE_LOST	= 1 << 5,	/* a session with privilege took its counters */
};

/* Nothing will ever be added to it: callers have it by value. */
struct pmuctl_value {
	uint32_t event;		/* its number in the session */
	int32_t cpu;		/* -1: all of them */
	uint32_t flags;		/* enum pmuctl_value_flag */
	uint64_t value;		/* as counted */
	uint64_t estimate;	/* for all sets' turns; the value if it ran all the time */
	uint64_t enabled;	/* ns that the event was to be counted */
	uint64_t running;	/* ns that it was on a counter */
};

typedef int pmuctl_value_fn(void *data, const struct pmuctl_value *value);

/*
 * The register whose write by someone else was the first reason for
 * PMUCTL_VALUE_DISTURBED among the values that this context has read, by its name; NULL: none
 * was, or it is not known.  Valid until the next reading.
 */
const char *pmuctl_disturbed_register(const struct pmuctl *ctx);

/* One value an event, in order, summed over the targets. */
int pmuctl_session_read(struct pmuctl_session *session, pmuctl_value_fn *fn, void *data);
/* That of one event, without a callback; -ENOENT: the session has no such event. */
int pmuctl_session_value(struct pmuctl_session *session, unsigned int event,
			 struct pmuctl_value *value);
/* One value an event and CPU of a session on CPUs, else one an event. */
int pmuctl_session_read_each(struct pmuctl_session *session, pmuctl_value_fn *fn, void *data);

typedef int pmuctl_part_fn(void *data, unsigned int kind, const struct pmuctl_value *value);

/*
 * What pmuctl_session_read() adds up: a value an event and kind of core that has it and is
 * counted.  Its enabled is the time on such cores, and it is scaled by no other.  Where all CPUs
 * are alike: of kind 0.
 */
int pmuctl_session_read_parts(struct pmuctl_session *session, pmuctl_part_fn *fn, void *data);

/* ---- samples ------------------------------------------------------- */

#define PMUCTL_RING_MIN (16u << 10)
#define PMUCTL_RING_MAX (16u << 20)
/* Bytes of each CPU's ring (a power of two) and of what wakes its reader; 0: the
 * kernel's own choice.  Before the session is created. */
int pmuctl_session_set_ring(struct pmuctl_session *session, size_t bytes, size_t watermark);
/* To poll(): POLLIN when samples wait, POLLHUP when the session is over. */
int pmuctl_session_fd(const struct pmuctl_session *session);

/* Records of one CPU, as kmod/uapi/pmuctl.h has them, whole and in order. */
typedef int pmuctl_records_fn(void *data, unsigned int cpu, const void *records, size_t bytes);

/*
 * Takes what waits in the rings; cpu: one CPU's, or -1.  flush: also what the
 * hardware still has in its buffers.  A context a thread may drain the CPUs of
 * one session side by side: ctx is this thread's.
 */
int pmuctl_session_drain(struct pmuctl *ctx, const struct pmuctl_session *session, int cpu,
			 bool flush, pmuctl_records_fn *fn, void *data);

/* produced = written + lost, of one event on one CPU. */
struct pmuctl_ledger_entry {
	uint32_t event;
	uint32_t cpu;
	uint64_t produced;
	uint64_t written;
	uint64_t lost;
	uint64_t collisions;	/* PEBS records that named others as well, or none */
	uint64_t throttled;	/* overflows that made no sample: too many a second */
	uint64_t uncertain;
	uint64_t overruns;	/* times the hardware's buffer was full: lost, but not in lost */
	uint64_t stalled;	/* samples whose interrupt never came, taken late */
};

typedef int pmuctl_ledger_fn(void *data, const struct pmuctl_ledger_entry *entry);

int pmuctl_session_ledger(struct pmuctl_session *session, pmuctl_ledger_fn *fn, void *data);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include "pmuctl-cost.h"
#include "pmuctl-data.h"
#include "pmuctl-dump.h"
#include "pmuctl-feature.h"
#include "pmuctl-phase.h"
#include "pmuctl-topdown.h"

#endif
