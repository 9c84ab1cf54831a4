/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The generic netlink protocol of pmuctl: how user space asks the module for
 * counters of the performance monitoring unit and reads them back.
 *
 * Its source is Documentation/netlink/pmuctl.yaml; a test holds the two and
 * the kernel's policies together.  Every number has an explicit width, 64-bit
 * attributes are aligned by PMUCTL_A_*_PAD, unknown attributes and unknown
 * flag bits are refused, and every refusal carries an extack text.
 *
 * All commands need CAP_PERFMON (or CAP_SYS_ADMIN) and the initial network
 * namespace.  A session belongs to the netlink socket that made it and ends
 * with that socket.
 *
 * PMUCTL_CMD_INFO_GET (do)
 *   request: nothing
 *   reply:   PMUCTL_A_INFO_ABI            u32   PMUCTL_ABI
 *            PMUCTL_A_INFO_FEATURES       u64   enum pmuctl_feature bits
 *            PMUCTL_A_INFO_BACKEND        string "perfmon"
 *            PMUCTL_A_INFO_STATE          u32   enum pmuctl_state
 *            PMUCTL_A_INFO_SIGNATURE      u32   CPUID.1:EAX
 *            PMUCTL_A_INFO_VERSION        u32   perfmon version, 0 if none
 *            PMUCTL_A_INFO_COUNTERS       u64   counters that exist
 *            PMUCTL_A_INFO_COUNTERS_USED  u64   counters that sessions hold
 *            PMUCTL_A_INFO_GP_WIDTH       u32   bits
 *            PMUCTL_A_INFO_FIXED_WIDTH    u32   bits, 0 if none
 *            PMUCTL_A_INFO_ARCH_EVENTS    u32   architectural events that
 *                                               exist, bit n as CPUID.0AH:EBX
 *            PMUCTL_A_INFO_CAPABILITIES   u64   IA32_PERF_CAPABILITIES
 *            PMUCTL_A_INFO_SESSIONS       u32   sessions alive
 *
 * PMUCTL_CMD_SESSION_NEW (do)
 *   request: PMUCTL_A_SESSION_FLAGS       u64   enum pmuctl_session_flag bits
 *            one kind of target:
 *              PMUCTL_A_SESSION_PID       u32   each: a process, all threads
 *              PMUCTL_A_SESSION_TID       u32   each: one thread
 *              PMUCTL_A_SESSION_CPU       u32   each: one online CPU
 *            PMUCTL_A_SESSION_EVENT       nest  each: one event, in order
 *              PMUCTL_A_EVENT_FLAGS       u64   enum pmuctl_event_flag bits
 *              PMUCTL_A_EVENT_REGS        struct pmuctl_reg[]
 *              PMUCTL_A_EVENT_COUNTERS    u64   counters it may use
 *              PMUCTL_A_EVENT_SET         u32   optional, 0
 *              PMUCTL_A_EVENT_GROUP       u32   optional
 *   reply:   PMUCTL_A_SESSION_ID          u32   0 for a dry run
 *            PMUCTL_A_SESSION_EVENT       nest  each: as assigned
 *              PMUCTL_A_EVENT_COUNTER     u32   counter that it got
 *              PMUCTL_A_EVENT_REGS        struct pmuctl_reg[] as programmed
 *              PMUCTL_A_EVENT_SET         u32
 *
 * PMUCTL_CMD_SESSION_DEL, _START, _STOP (do)
 *   request: PMUCTL_A_SESSION_ID          u32
 *   A new session is stopped.  One with PMUCTL_SESSION_ON_EXEC runs from the
 *   start, but each of its tasks is counted from its next exec on only: it
 *   needs no START (which is refused with EALREADY, as for any session that
 *   runs).
 *
 * PMUCTL_CMD_SESSION_GET (dump)
 *   reply:   a message a session: PMUCTL_A_SESSION_ID, _FLAGS, _COUNTERS,
 *            _OWNER_PID, _OWNER_COMM, _RUNNING
 *
 * PMUCTL_CMD_COUNT_GET
 *   request: PMUCTL_A_SESSION_ID          u32
 *   do:      PMUCTL_A_SESSION_COUNTS      struct pmuctl_count[], one an event,
 *                                         summed over the session's targets
 *   dump:    PMUCTL_A_SESSION_COUNTS      struct pmuctl_count[], in batches,
 *                                         one an event and CPU of a CPU
 *                                         session, else one an event
 *
 * Counters are named by bit: 0..31 the general-purpose counters, 32 + i fixed
 * counter i, as in IA32_PERF_GLOBAL_CTRL.
 */
#ifndef _UAPI_PMUCTL_H
#define _UAPI_PMUCTL_H

#include <linux/types.h>

#define PMUCTL_FAMILY_NAME	"pmuctl"
#define PMUCTL_FAMILY_VERSION	1

/* Raised when something that worked stops working; features say what is new. */
#define PMUCTL_ABI		1

/* Fixed counters start at this bit of every counter mask. */
#define PMUCTL_FIXED_BASE	32

/* In struct pmuctl_count: the sum over all CPUs. */
#define PMUCTL_CPU_ALL		(~(__u32)0)

enum pmuctl_feature {
	PMUCTL_FEATURE_TASK	= 1 << 0,	/* sessions on tasks */
	PMUCTL_FEATURE_CPU	= 1 << 1,	/* sessions on CPUs */
	PMUCTL_FEATURE_INHERIT	= 1 << 2,	/* children are followed */
	PMUCTL_FEATURE_EXEC	= 1 << 3,	/* counting starts at exec */
	PMUCTL_FEATURE_DRY_RUN	= 1 << 4,	/* a plan without hardware */
};

enum pmuctl_state {
	PMUCTL_STATE_FREE,	/* nobody holds the PMU */
	PMUCTL_STATE_HELD,	/* sessions of this module hold it */
	PMUCTL_STATE_FOREIGN,	/* somebody else in the kernel holds it */
};

enum pmuctl_session_flag {
	PMUCTL_SESSION_INHERIT	= 1 << 0,	/* follow fork and clone */
	PMUCTL_SESSION_ON_EXEC	= 1 << 1,	/* start at the task's exec */
	PMUCTL_SESSION_DRY_RUN	= 1 << 2,	/* plan only, no session */
};

/* At least one of USER and KERNEL; CPL > 0 and CPL 0. */
enum pmuctl_event_flag {
	PMUCTL_EVENT_USER	= 1 << 0,
	PMUCTL_EVENT_KERNEL	= 1 << 1,
};

enum pmuctl_reg_id {
	/*
	 * IA32_PERFEVTSELx: event, umask, E, INV, CMASK.  The kernel owns
	 * EN, INT, PC, USR and OS.  Given as well for an event that may run
	 * on a fixed counter, which must count the same thing.
	 */
	PMUCTL_REG_EVTSEL	= 1,
	/* In replies only: the event's four bits of IA32_FIXED_CTR_CTRL. */
	PMUCTL_REG_FIXED_CTRL	= 2,
};

struct pmuctl_reg {
	__u32 reg;		/* enum pmuctl_reg_id */
	__u32 index;		/* which of several, 0 in requests */
	__u64 value;
};

enum pmuctl_count_flag {
	PMUCTL_COUNT_INCOMPLETE	= 1 << 0,	/* a child was not followed */
	PMUCTL_COUNT_DISTURBED	= 1 << 1,	/* someone else wrote the PMU */
};

struct pmuctl_count {
	__u32 event;		/* its place in the session, from 0 */
	__u32 cpu;		/* or PMUCTL_CPU_ALL */
	__u32 flags;		/* enum pmuctl_count_flag bits */
	__u32 pad;
	__u64 value;		/* events */
	__u64 enabled;		/* ns that the event was to be counted */
	__u64 running;		/* ns that it was on a counter */
};

enum pmuctl_cmd {
	PMUCTL_CMD_INFO_GET = 1,
	PMUCTL_CMD_SESSION_NEW,
	PMUCTL_CMD_SESSION_DEL,
	PMUCTL_CMD_SESSION_GET,
	PMUCTL_CMD_SESSION_START,
	PMUCTL_CMD_SESSION_STOP,
	PMUCTL_CMD_COUNT_GET,

	__PMUCTL_CMD_MAX,
	PMUCTL_CMD_MAX = __PMUCTL_CMD_MAX - 1
};

enum pmuctl_a_info {
	PMUCTL_A_INFO_PAD = 1,
	PMUCTL_A_INFO_ABI,
	PMUCTL_A_INFO_FEATURES,
	PMUCTL_A_INFO_BACKEND,
	PMUCTL_A_INFO_STATE,
	PMUCTL_A_INFO_SIGNATURE,
	PMUCTL_A_INFO_VERSION,
	PMUCTL_A_INFO_COUNTERS,
	PMUCTL_A_INFO_COUNTERS_USED,
	PMUCTL_A_INFO_GP_WIDTH,
	PMUCTL_A_INFO_FIXED_WIDTH,
	PMUCTL_A_INFO_ARCH_EVENTS,
	PMUCTL_A_INFO_CAPABILITIES,
	PMUCTL_A_INFO_SESSIONS,

	__PMUCTL_A_INFO_MAX,
	PMUCTL_A_INFO_MAX = __PMUCTL_A_INFO_MAX - 1
};

enum pmuctl_a_session {
	PMUCTL_A_SESSION_PAD = 1,
	PMUCTL_A_SESSION_ID,
	PMUCTL_A_SESSION_FLAGS,
	PMUCTL_A_SESSION_PID,
	PMUCTL_A_SESSION_TID,
	PMUCTL_A_SESSION_CPU,
	PMUCTL_A_SESSION_EVENT,
	PMUCTL_A_SESSION_COUNTERS,
	PMUCTL_A_SESSION_COUNTS,
	PMUCTL_A_SESSION_OWNER_PID,
	PMUCTL_A_SESSION_OWNER_COMM,
	PMUCTL_A_SESSION_RUNNING,

	__PMUCTL_A_SESSION_MAX,
	PMUCTL_A_SESSION_MAX = __PMUCTL_A_SESSION_MAX - 1
};

enum pmuctl_a_event {
	PMUCTL_A_EVENT_PAD = 1,
	PMUCTL_A_EVENT_FLAGS,
	PMUCTL_A_EVENT_REGS,
	PMUCTL_A_EVENT_COUNTERS,
	PMUCTL_A_EVENT_COUNTER,
	PMUCTL_A_EVENT_SET,
	PMUCTL_A_EVENT_GROUP,

	__PMUCTL_A_EVENT_MAX,
	PMUCTL_A_EVENT_MAX = __PMUCTL_A_EVENT_MAX - 1
};

#endif
