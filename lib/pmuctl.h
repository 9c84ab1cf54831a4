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
 * sets: struct pmuctl_info info = { .size = sizeof(info) };
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
};

int pmuctl_get_cpu(struct pmuctl *ctx, struct pmuctl_cpu *cpu);

/* ---- the module ---------------------------------------------------- */

/* What the library and the module must have in common. */
uint32_t pmuctl_abi(void);

enum pmuctl_can {
	PMUCTL_CAN_TASK		= 1 << 0,
	PMUCTL_CAN_CPU		= 1 << 1,
	PMUCTL_CAN_INHERIT	= 1 << 2,
	PMUCTL_CAN_ON_EXEC	= 1 << 3,
	PMUCTL_CAN_DRY_RUN	= 1 << 4,
};

enum pmuctl_holder {
	PMUCTL_HOLDER_NONE,	/* the PMU is free */
	PMUCTL_HOLDER_MODULE,	/* sessions of the module have it */
	PMUCTL_HOLDER_FOREIGN,	/* somebody else in the kernel has it */
};

/* In every mask of counters: general-purpose i is bit i, fixed i is 32 + i. */
#define PMUCTL_COUNTER_FIXED	32

struct pmuctl_info {
	size_t size;
	uint32_t abi;
	uint32_t holder;	/* enum pmuctl_holder */
	uint64_t features;	/* enum pmuctl_can, and newer bits */
	char backend[16];	/* "perfmon" */
	uint32_t signature;	/* CPUID.1:EAX as the kernel saw it */
	uint32_t version;	/* of architectural perfmon */
	uint64_t counters;	/* mask: they exist */
	uint64_t counters_used;	/* mask: sessions hold them */
	uint32_t gp_width;	/* bits */
	uint32_t fixed_width;	/* bits, 0 if there are none */
	uint32_t arch_events;	/* bit n: architectural event n exists */
	uint32_t sessions;
	uint64_t capabilities;	/* IA32_PERF_CAPABILITIES */
};

/*
 * -ENOENT: the module is not loaded; -ENONET: it is, but out of reach of this
 * network namespace; -EPERM: no CAP_PERFMON; -EPROTO: it speaks another ABI
 * (info->abi is filled in); -EBADMSG: its answer makes no sense.
 */
int pmuctl_get_info(struct pmuctl *ctx, struct pmuctl_info *info);

struct pmuctl_session_info {
	uint32_t id;
	uint32_t running;
	uint64_t flags;		/* enum pmuctl_session_option */
	uint64_t counters;	/* mask: it holds them */
	pid_t owner_pid;
	const char *owner_comm;
};

/* What a callback returns ends the walk if not 0, and is returned. */
typedef int pmuctl_session_fn(void *data, const struct pmuctl_session_info *session);

/* Every session in the kernel, whoever owns it. */
int pmuctl_list_sessions(struct pmuctl *ctx, pmuctl_session_fn *fn, void *data);

/*
 * path: a .ko file, or NULL to search /lib/modules.  -EALREADY: it is loaded;
 * -ENOENT: no such module; -ENODEV, -EOPNOTSUPP: it refused this machine.
 */
int pmuctl_module_load(struct pmuctl *ctx, const char *path);
/* -ENOENT: not loaded; -EBUSY: in use. */
int pmuctl_module_unload(struct pmuctl *ctx);

/* ---- events -------------------------------------------------------- */

enum pmuctl_source {
	PMUCTL_SOURCE_PORTABLE,	/* a name that means the same everywhere */
	PMUCTL_SOURCE_LIBPFM4,
	PMUCTL_SOURCE_RAW,	/* rNNNN */
};

enum pmuctl_register_kind {
	PMUCTL_REGISTER_EVTSEL		= 1,	/* IA32_PERFEVTSELx */
	PMUCTL_REGISTER_FIXED_CTRL	= 2,	/* four bits of IA32_FIXED_CTR_CTRL */
};

struct pmuctl_register {
	uint32_t kind;		/* enum pmuctl_register_kind */
	uint32_t index;		/* which of several */
	uint64_t value;
};

struct pmuctl_event_info {
	const char *name;	/* as the caller wrote it */
	const char *full_name;	/* as the source spells it */
	uint32_t source;	/* enum pmuctl_source */
	bool user;		/* counts at CPL > 0 */
	bool kernel;		/* counts at CPL 0 */
	uint64_t counters;	/* mask: they may count it */
	const struct pmuctl_register *registers;
	size_t registers_count;
};

/*
 * "NAME[:MODIFIERS]": a portable name, a raw code rNNNN (the hexadecimal
 * event, umask, edge, inv and cmask of IA32_PERFEVTSELx) or a name of
 * libpfm4; modifiers u and k.  What exists is taken from the module, or from
 * CPUID while there is none.
 *
 * -ENOENT: no such event (the error names the nearest); -EINVAL: malformed;
 * -EOPNOTSUPP: known, but not countable on this CPU.
 */
int pmuctl_event_parse(struct pmuctl *ctx, const char *text, struct pmuctl_event **event);
void pmuctl_event_free(struct pmuctl_event *event);
/* Valid as long as the event. */
const struct pmuctl_event_info *pmuctl_event_info(const struct pmuctl_event *event);

struct pmuctl_event_desc {
	const char *name;	/* "EVENT" or "EVENT:UMASK" */
	const char *event;	/* of a umask its event, else NULL */
	const char *text;	/* one line */
	uint32_t source;	/* enum pmuctl_source */
};

typedef int pmuctl_event_fn(void *data, const struct pmuctl_event_desc *desc);

/* pattern: part of a name in any case, or a glob; NULL for all. */
int pmuctl_list_events(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data);

/* ---- sessions ------------------------------------------------------ */

enum pmuctl_session_option {
	PMUCTL_INHERIT	= 1 << 0,	/* follow fork and clone */
	PMUCTL_ON_EXEC	= 1 << 1,	/* start by itself at the task's exec */
	PMUCTL_DRY_RUN	= 1 << 2,	/* plan only: assignments, no session */
};

int pmuctl_session_new(struct pmuctl *ctx, struct pmuctl_session **session);
/* Ends the session in the kernel too. */
void pmuctl_session_free(struct pmuctl_session *session);

/* Events are numbered from 0 in this order; the event may be freed at once. */
int pmuctl_session_add_event(struct pmuctl_session *session, const struct pmuctl_event *event);
/* One kind of target a session. */
int pmuctl_session_add_process(struct pmuctl_session *session, pid_t pid);
int pmuctl_session_add_thread(struct pmuctl_session *session, pid_t tid);
int pmuctl_session_add_cpu(struct pmuctl_session *session, unsigned int cpu);

/* options: enum pmuctl_session_option.  Errors as pmuctl_get_info(), and the
 * kernel's: -EBUSY (counters or the PMU are taken), -ESRCH, -EINVAL... */
int pmuctl_session_create(struct pmuctl_session *session, uint64_t options);
int pmuctl_session_start(struct pmuctl_session *session);
int pmuctl_session_stop(struct pmuctl_session *session);

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

enum pmuctl_value_flag {
	PMUCTL_VALUE_INCOMPLETE	= 1 << 0,	/* a child was not followed */
	PMUCTL_VALUE_DISTURBED	= 1 << 1,	/* someone else wrote the PMU */
};

struct pmuctl_value {
	uint32_t event;		/* its number in the session */
	int32_t cpu;		/* -1: all of them */
	uint32_t flags;		/* enum pmuctl_value_flag */
	uint64_t value;
	uint64_t enabled;	/* ns that the event was to be counted */
	uint64_t running;	/* ns that it was on a counter */
};

typedef int pmuctl_value_fn(void *data, const struct pmuctl_value *value);

/* One value an event, in order, summed over the targets. */
int pmuctl_session_read(struct pmuctl_session *session, pmuctl_value_fn *fn, void *data);
/* One value an event and CPU of a session on CPUs, else one an event. */
int pmuctl_session_read_each(struct pmuctl_session *session, pmuctl_value_fn *fn, void *data);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
