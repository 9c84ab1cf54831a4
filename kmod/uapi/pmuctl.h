/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The generic netlink protocol of pmuctl: how user space asks the module for
 * counters of the performance monitoring unit and reads them back.
 *
 * Its source is Documentation/netlink/pmuctl.yaml; a test holds the two and
 * the module's tables together.  Every number has an explicit width, 64-bit
 * attributes are aligned by PMUCTL_A_*_PAD, unknown attributes and unknown
 * flag bits are refused, and every refusal carries an extack text.
 *
 * All commands need CAP_PERFMON (or CAP_SYS_ADMIN) and the initial network
 * namespace.  With the module's parameter unprivileged=1 everybody may count
 * user mode of own tasks: those of the same credentials that may be dumped,
 * no CPUs, no registers but IA32_PERFEVTSELx, no AnyThread; the sender must
 * then have the credentials that the socket was opened with, and may look into
 * each task as ptrace and the security modules have it (EACCES if not).  Where
 * such a task executes another program, that is asked again with the next
 * SAMPLE_GET; until then its samples have no content (WITHHELD).  A session
 * belongs to the netlink socket that made it and ends with that socket.
 *
 * PMUCTL_CMD_INFO_GET (do)
 *   request: nothing
 *   reply:   PMUCTL_A_INFO_ABI            u32   PMUCTL_ABI
 *            PMUCTL_A_INFO_FEATURES       u64   enum pmuctl_feature bits
 *            PMUCTL_A_INFO_BACKEND        string "perfmon", "p4" (NetBurst),
 *                                               "p6", "p5"
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
 *            PMUCTL_A_INFO_ARCH_ONLY      u32   1: unknown model, so only
 *                                               architectural events
 *            PMUCTL_A_INFO_ANY            u32   1: AnyThread may be set
 *            PMUCTL_A_INFO_UNPRIVILEGED   u32   1: unprivileged=1
 *            PMUCTL_A_INFO_INTERVAL       u64   ns, of sets by default
 *            PMUCTL_A_INFO_SESSIONS_MAX   u32   limits of a user: sessions,
 *            PMUCTL_A_INFO_EVENTS_MAX     u32   events in them,
 *            PMUCTL_A_INFO_TASKS_MAX      u32   tasks that they follow,
 *            PMUCTL_A_INFO_MEMORY_MAX     u64   bytes of kernel memory
 *            PMUCTL_A_INFO_PEBS_FORMAT    u32   of its records; absent: no PEBS
 *            PMUCTL_A_INFO_PEBS_REFUSAL   string why PEBS is refused now;
 *                                               absent: it is not
 *            PMUCTL_A_INFO_LBR_DEPTH      u32   last branch records; 0: none
 *            PMUCTL_A_INFO_RATE_MAX       u32   interrupts of samples a second
 *                                               and CPU before it is throttled
 *            PMUCTL_A_INFO_ERRATA         u64   enum pmuctl_erratum_bit: what
 *                                               this processor does wrong
 *            PMUCTL_A_INFO_ERRATA_OPEN    u64   of those, what nothing is done
 *                                               about, by a parameter
 *            PMUCTL_A_INFO_KIND           nest  each: a kind of core, numbered
 *                                               from 0 in this order; absent:
 *                                               all CPUs are alike
 *              PMUCTL_A_INFO_CORE         u32   CPUID.1AH:EAX
 *              PMUCTL_A_INFO_CPUS         u32[] its CPUs, as far as they have
 *                                               been online
 *              _COUNTERS, _COUNTERS_USED, _ARCH_EVENTS, _CAPABILITIES,
 *              _ARCH_ONLY, _ANY, _ERRATA, _ERRATA_OPEN
 *                                               as above, of this kind; above
 *                                               stand those of the first one
 *              PMUCTL_A_INFO_FEATURES     u64   of enum pmuctl_feature those
 *                                               that some kinds may lack:
 *                                               PMUCTL_FEATURE_RETIRE; above
 *                                               stands what any kind has
 *
 * PMUCTL_CMD_SESSION_NEW (do)
 *   request: PMUCTL_A_SESSION_FLAGS       u64   enum pmuctl_session_flag bits
 *            PMUCTL_A_SESSION_KIND        u32   where cores are of several
 *                                               kinds: the one that its
 *                                               events are for; its tasks
 *                                               are counted while they run
 *                                               on such CPUs.  Of CPUs it
 *                                               may be left out
 *            PMUCTL_A_SESSION_BESIDE      u32   optional, of tasks: a session
 *                                               of this socket for another
 *                                               kind, on the same tasks: how
 *                                               far each of its sampled events
 *                                               is to its next sample is this
 *                                               one's as well, of those with
 *                                               the same EVENT_PLACE
 *            PMUCTL_A_SESSION_PLACES      u32   optional, of a session beside
 *                                               which others are, and of those:
 *                                               how many sampled events all of
 *                                               them have, each of which need
 *                                               not be in each of them
 *            one kind of target:
 *              PMUCTL_A_SESSION_PID       u32   each: a process, all threads
 *              PMUCTL_A_SESSION_TID       u32   each: one thread
 *              PMUCTL_A_SESSION_CPU       u32   each: one online CPU
 *              PMUCTL_A_SESSION_CGROUP    u32   a descriptor of a control
 *                                               group's folder (version 2): its
 *                                               tasks and those of groups below
 *                                               it, as they come and go
 *            PMUCTL_A_SESSION_INTERVAL    u64   optional, ns that a set stays
 *                                               on, 100 us to 1 s
 *            PMUCTL_A_SESSION_RING        u32   optional, bytes of each CPU's
 *                                               ring of records, a power of two
 *                                               from 16 KiB to 16 MiB, with
 *                                               room for 4 of its samples
 *            PMUCTL_A_SESSION_WATERMARK   u32   optional, bytes in a ring from
 *                                               which on poll() wakes; at most
 *                                               half of it
 *            PMUCTL_A_SESSION_EVENT       nest  each: one event, in order
 *              PMUCTL_A_EVENT_FLAGS       u64   enum pmuctl_event_flag bits
 *              PMUCTL_A_EVENT_REGS        struct pmuctl_reg[]
 *              PMUCTL_A_EVENT_COUNTERS    u64   counters it may use
 *              PMUCTL_A_EVENT_SET         u32   optional, 0: the set it is in,
 *                                               below PMUCTL_SETS_MAX
 *              PMUCTL_A_EVENT_GROUP       u32   optional: events of one group
 *                                               are in one set; below 2^32 - 1
 *              PMUCTL_A_EVENT_PERIOD      u64   optional: a sample every so
 *                                               many events, 1 to 2^47 (PEBS:
 *                                               from 2; architectural
 *                                               PEBS: to 2^31)
 *              PMUCTL_A_EVENT_FREQ        u32   or: about so many a second,
 *                                               while the event counts
 *              PMUCTL_A_EVENT_RANDOM      u32   with PERIOD: each differs from
 *                                               it at random by less than half
 *                                               of 2^n; 1 to 32, 2^n below the
 *                                               period
 *              PMUCTL_A_EVENT_PRECISE     u32   0: by interrupt; 1: by PEBS,
 *                                               where the record says it was;
 *                                               2, 3: at the instruction that
 *                                               caused it
 *              PMUCTL_A_EVENT_CONTENT     u64   enum pmuctl_content bits
 *              PMUCTL_A_EVENT_STACK       u32   with CONTENT_STACK: the most
 *                                               bytes of the user stack, a
 *                                               multiple of 8 from 1024 to what
 *                                               PMUCTL_RECORD_MAX leaves
 *              PMUCTL_A_EVENT_PLACE       u32   optional: its number among the
 *                                               sampled ones, from 0, higher
 *                                               than that of those before it;
 *                                               see SESSION_PLACES
 *              PMUCTL_A_EVENT_AFTER       u64   optional: its counter overflows
 *                                               at the event of that number,
 *                                               once; see CASCADE
 *              PMUCTL_A_EVENT_CASCADE     u32   optional: it counts from the
 *                                               overflow of that event (its
 *                                               place in the request) on
 *   reply:   PMUCTL_A_SESSION_ID          u32   0 for a dry run
 *            PMUCTL_A_SESSION_FD          u32   if PMUCTL_SESSION_FD asked for
 *                                               it: see below
 *            PMUCTL_A_SESSION_EVENT       nest  each: as assigned
 *              PMUCTL_A_EVENT_COUNTER     u32   counter that it got
 *              PMUCTL_A_EVENT_REGS        struct pmuctl_reg[] as programmed
 *              PMUCTL_A_EVENT_SET         u32
 *
 *   Events of one set count at the same time.  The sets of a session take
 *   turns, each CPU by itself; sets in which no event is leave no gap.  The
 *   events of a pinned set count all the time and beside every other set, so
 *   that each of those must fit beside it.
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
 *            _KIND (where cores are of several),
 *            _OWNER_PID (of who made it; 0 if that has ended), _OWNER_COMM,
 *            _OWNER_UID, _INODE (of its socket, as /proc/PID/fd shows it),
 *            _PRIVILEGED, _LOST, _RUNNING, _EVENTS, _SETS, and _CPU each or
 *            _TASKS (how many it follows now) and _CGROUP_PATH (from the
 *            root of the hierarchy on; absent where it is very long)
 *   To who has no CAP_PERFMON: of sessions of the same user.
 *
 * PMUCTL_CMD_SESSION_END (do)
 *   request: PMUCTL_A_SESSION_ID          u32
 *   Ends anybody's session; needs CAP_SYS_ADMIN.
 *
 * A session without privilege gives way to one with it that would find too few
 * counters: it counts no more and cannot be started, and its counts are what
 * they were and have LOST.
 *
 * PMUCTL_CMD_COUNT_GET
 *   request: PMUCTL_A_SESSION_ID          u32
 *   do:      PMUCTL_A_SESSION_COUNTS      struct pmuctl_count[], one an event,
 *                                         summed over the session's targets
 *   dump:    PMUCTL_A_SESSION_COUNTS      struct pmuctl_count[], in batches,
 *                                         one an event and CPU of a CPU
 *                                         session, by event; else one an event
 *
 * The descriptor of PMUCTL_SESSION_FD reads the same without a message:
 *   pread(fd, struct pmuctl_count[], size, offset) is COUNT_GET's do at
 *   offset 0 and its dump at offset 1, whole (ENOSPC if size is too small);
 *   ENODEV once the session has ended.  It is closed at exec, and keeps the
 *   module but not the session alive.
 *
 * PMUCTL_CMD_COUNT_RESET (do)
 *   request: PMUCTL_A_SESSION_ID          u32
 *   Values, times and flags of the session start again from 0, running or not;
 *   but INCOMPLETE and DETACHED stay: a task that is missing stays missing.
 *
 * PMUCTL_CMD_SAMPLE_GET (dump)
 *   request: PMUCTL_A_SESSION_ID          u32
 *            PMUCTL_A_SESSION_CPU         u32   optional, each: only such CPUs'
 *                                               rings
 *            PMUCTL_A_SESSION_FLUSH       u32   optional, 1: what the hardware
 *                                               still has in buffers as well
 *   reply:   PMUCTL_A_SESSION_CPU         u32
 *            PMUCTL_A_SESSION_RECORDS     struct pmuctl_record..., whole ones,
 *                                               in the order of their making
 *   Takes what it gives out of the ring, in messages of up to 32 KiB, or 64 KiB
 *   where a sample needs them: a buffer that is smaller loses records.  Any
 *   socket of the owner's process may ask, and several at once for different
 *   CPUs; for one CPU only one (EBUSY).
 *
 * PMUCTL_CMD_LEDGER_GET (dump)
 *   request: PMUCTL_A_SESSION_ID          u32
 *   reply:   PMUCTL_A_SESSION_LEDGER      struct pmuctl_ledger[], one an event
 *                                               and CPU that has any; exact
 *                                               when the session is stopped
 *
 * PMUCTL_CMD_FEATURE_GET (dump)
 *   reply:   a message a feature and place that has it by itself:
 *            PMUCTL_A_SESSION_FEATURE     struct pmuctl_feature_row
 *            PMUCTL_A_SESSION_KIND        u32   where cores are of several:
 *                                               which has it
 *            PMUCTL_A_SESSION_REFUSAL     string why it cannot be switched;
 *                                               absent: it can
 *            PMUCTL_A_SESSION_STATE       struct pmuctl_feature_state
 *            PMUCTL_A_SESSION_OWNER_PID, _OWNER_COMM
 *                                               who holds it; absent: nobody
 *   Without features that are known here: nothing.
 *
 * PMUCTL_CMD_FEATURE_HOLD (do)
 *   request: PMUCTL_A_SESSION_CPU         u32   each: an online CPU; none: all,
 *                                               and those that come online
 *            PMUCTL_A_SESSION_PID         u32   instead: a process, on each
 *                                               CPU while one of its threads,
 *                                               or of what they start from
 *                                               then on, runs there
 *            PMUCTL_A_SESSION_FEATURES    struct pmuctl_feature_value[]
 *   reply:   PMUCTL_A_SESSION_HOLD        u32
 *            PMUCTL_A_SESSION_CPU         u32   each: one that has it as well,
 *                                               though it was not named
 *   Needs CAP_SYS_ADMIN and CAP_SYS_RAWIO, of the sender and of who opened the
 *   socket, and the module's parameter features.  The fields have these values
 *   until the hold is released or its socket closed, and then what was found.
 *   It holds no counters and is no session.  Of a process it is refused where
 *   a core has two threads online, for fields that no core has by itself, and
 *   for those of registers that others write; and while there is one, a CPU
 *   that is a second thread of a core does not come online.
 *
 * PMUCTL_CMD_FEATURE_RELEASE (do)
 *   request: PMUCTL_A_SESSION_HOLD        u32
 *   reply:   PMUCTL_A_SESSION_LEFT        struct pmuctl_feature_left[], what
 *                                               somebody else had written
 *                                               meanwhile, and was left so
 *
 * With PMUCTL_SESSION_SELF one page of the descriptor can be mapped, read-only
 * and shared, at offset 0, by the process that made the session and by nobody
 * else; pmuctl-self.h has its layout.  The session's target is the asking
 * thread (TID), alone; it needs FD, and takes no other flag, no samples and no
 * RESET.  What stands there is for that thread only.  Where its maker has
 * CAP_PERFMON, and the kernel allows it, RDPMC works in his process until the
 * session ends; a child that is forked does not inherit that, nor the page.
 *
 * The descriptor of PMUCTL_SESSION_FD can be polled: POLLIN while a ring holds
 * as much as the watermark or more, POLLHUP once the session has ended.
 *
 * Of the Pentium 4 (backend "p4") counters and event selection registers are
 * those of a core, shared by its threads.  An event of a session on tasks has
 * a place for either thread; the reply shows that of thread 0.  Threads of one
 * core that need the same counters take turns, which shows in running.
 *
 * Counters are named by bit: 0..31 the general-purpose counters, 32 + i fixed
 * counter i, as in IA32_PERF_GLOBAL_CTRL; 48 + i field i of PERF_METRICS, for
 * an event whose register is PMUCTL_REG_METRIC.
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

/* Fields of PERF_METRICS start at this one; the fixed counter they divide. */
#define PMUCTL_METRIC_BASE	48
#define PMUCTL_METRIC_SLOTS	3

/* PMUCTL_A_INFO_PEBS_FORMAT of the Pentium 4: the state before the event. */
#define PMUCTL_PEBS_FORMAT_P4	0x40

/* Sets of a session are numbered below this. */
#define PMUCTL_SETS_MAX		64
/* The most events of a session, over all its sets. */
#define PMUCTL_SESSION_EVENTS_MAX	256

/* In struct pmuctl_count: the sum over all CPUs. */
#define PMUCTL_CPU_ALL		(~(__u32)0)

enum pmuctl_feature {
	PMUCTL_FEATURE_TASK	= 1 << 0,	/* sessions on tasks */
	PMUCTL_FEATURE_CPU	= 1 << 1,	/* sessions on CPUs */
	PMUCTL_FEATURE_INHERIT	= 1 << 2,	/* children are followed */
	PMUCTL_FEATURE_EXEC	= 1 << 3,	/* counting starts at exec */
	PMUCTL_FEATURE_DRY_RUN	= 1 << 4,	/* a plan without hardware */
	PMUCTL_FEATURE_SETS	= 1 << 5,	/* sets that take turns */
	PMUCTL_FEATURE_RESET	= 1 << 6,	/* PMUCTL_CMD_COUNT_RESET */
	PMUCTL_FEATURE_EXTRA	= 1 << 7,	/* more than event selects */
	PMUCTL_FEATURE_FD	= 1 << 8,	/* counts by descriptor */
	PMUCTL_FEATURE_SAMPLE	= 1 << 9,	/* samples by interrupt */
	PMUCTL_FEATURE_PEBS	= 1 << 10,	/* samples by PEBS */
	PMUCTL_FEATURE_CASCADE	= 1 << 11,	/* counters start each other */
	PMUCTL_FEATURE_METRICS	= 1 << 12,	/* fields of PERF_METRICS */
	PMUCTL_FEATURE_END	= 1 << 13,	/* PMUCTL_CMD_SESSION_END */
	PMUCTL_FEATURE_SWITCH	= 1 << 14,	/* PMUCTL_CMD_FEATURE_HOLD */
	PMUCTL_FEATURE_RETIRE	= 1 << 15,	/* PMUCTL_CONTENT_RETIRE */
	PMUCTL_FEATURE_SWITCH_TASK = 1 << 16,	/* ... for a process */
	PMUCTL_FEATURE_CGROUP	= 1 << 17,	/* sessions on control groups */
	PMUCTL_FEATURE_KINDS	= 1 << 18,	/* cores are of several */
	PMUCTL_FEATURE_SELF	= 1 << 19,	/* a page to count oneself by */
	PMUCTL_FEATURE_COUNTS	= 1 << 20,	/* PMUCTL_CONTENT_COUNTS */
};

/* What processors do wrong, by what comes of it; Documentation/errata.rst. */
enum pmuctl_erratum_bit {
	/* Events D0 to D3 move the same counter of the core's other thread. */
	PMUCTL_ERRATUM_TWIN		= 1 << 0,
	/* Microcode uses counter 3 where programs use transactions. */
	PMUCTL_ERRATUM_COUNTER3		= 1 << 1,
	/* PEBS records are wrong. */
	PMUCTL_ERRATUM_PEBS		= 1 << 2,
	/* Event 01C0: a period below 128 is wrong. */
	PMUCTL_ERRATUM_SHORT_DIST	= 1 << 3,
	/* Event 01C0: a period that is no multiple of 64 is wrong. */
	PMUCTL_ERRATUM_ODD_DIST		= 1 << 4,
	/* A period below 32 overflows several times an interrupt. */
	PMUCTL_ERRATUM_SHORT_PERIOD	= 1 << 5,
	/* A counter counts right only after three other events. */
	PMUCTL_ERRATUM_FIRST_EVENT	= 1 << 6,
	/* Event 00C5 does not count mispredicted branches. */
	PMUCTL_ERRATUM_BRANCH_MISSES	= 1 << 7,
	/* Branch records cannot be frozen by an interrupt. */
	PMUCTL_ERRATUM_LBR_FREEZE	= 1 << 8,
	/* Of the Pentium 4: a counter's write is lost (N15), or wrong (O8). */
	PMUCTL_ERRATUM_P4_WRITE		= 1 << 9,
	/* Of the Pentium 4: counter 1 does not count as its CCCR says. */
	PMUCTL_ERRATUM_P4_COUNTER1	= 1 << 10,
	/* Of the Pentium 4: who stops as it carries shows too little (O9). */
	PMUCTL_ERRATUM_P4_CARRY		= 1 << 11,
	/* Event 01CD records all of a load only beside event 8203. */
	PMUCTL_ERRATUM_AUXILIARY	= 1 << 12,
};

enum pmuctl_state {
	PMUCTL_STATE_FREE,	/* nobody is seen to use the PMU */
	PMUCTL_STATE_HELD,	/* sessions of this module hold it */
	/*
	 * Somebody else counts on a CPU now.  Who has reserved counters and
	 * does not run at the moment (perf of a task, say) is not seen.
	 */
	PMUCTL_STATE_FOREIGN,
};

enum pmuctl_session_flag {
	PMUCTL_SESSION_INHERIT	= 1 << 0,	/* follow fork and clone */
	PMUCTL_SESSION_ON_EXEC	= 1 << 1,	/* start at the task's exec */
	PMUCTL_SESSION_DRY_RUN	= 1 << 2,	/* plan only, no session */
	PMUCTL_SESSION_FD	= 1 << 3,	/* reply with a descriptor */
	PMUCTL_SESSION_SELF	= 1 << 4,	/* a page of that is mapped */
};

/*
 * At least one of USER and KERNEL; CPL > 0 and CPL 0.  PINNED: the event's
 * set is always on; all events of the set have it, or none.
 */
enum pmuctl_event_flag {
	PMUCTL_EVENT_USER	= 1 << 0,
	PMUCTL_EVENT_KERNEL	= 1 << 1,
	PMUCTL_EVENT_PINNED	= 1 << 2,
};

enum pmuctl_reg_id {
	/*
	 * IA32_PERFEVTSELx: event, umask, E, INV, CMASK, and AnyThread where
	 * the version has it.  The kernel owns EN, INT, PC, USR and OS.
	 * Given as well for an event that may run on a fixed counter, which
	 * must count the same thing.  Comes first.
	 */
	PMUCTL_REG_EVTSEL	= 1,
	/* In replies only: the event's four bits of IA32_FIXED_CTR_CTRL. */
	PMUCTL_REG_FIXED_CTRL	= 2,
	/* MSR_OFFCORE_RSP_0 (event 01B7) and _1 (event 01BB): the index. */
	PMUCTL_REG_OFFCORE_RSP	= 3,
	/* MSR_PEBS_LD_LAT_THRESHOLD: latency above which a load counts. */
	PMUCTL_REG_LD_LAT	= 4,
	/* MSR_PEBS_FRONTEND: which front-end event FRONTEND_RETIRED means. */
	PMUCTL_REG_FRONTEND	= 5,
	/*
	 * Of the Pentium 4, first and second of its events.  Index 0 in
	 * requests; in replies that of the register (address - 0x3a0), and
	 * the counter.
	 *
	 * ESCR: event select [30:25], mask [24:9], tag [8:5], tag enable 4.
	 * [3:0] zero: the kernel sets the rings of the thread that counts.
	 * Not zero: rings of either thread (T0_OS 3, T0_USR 2, T1_OS 1, T1_USR
	 * 0), for sessions on CPUs, the event's flags naming the same rings.
	 * CCCR: ESCR select [15:13], active thread [17:16] (0: any), compare
	 * 18, complement 19, threshold [23:20], edge 24, FORCE_OVF 25 (sampled
	 * with period 1).
	 */
	PMUCTL_REG_ESCR		= 6,
	PMUCTL_REG_CCCR		= 7,
	/* Replay tagging: IA32_PEBS_ENABLE [12:0], 15, 16. */
	PMUCTL_REG_REPLAY	= 8,
	/* MSR_PEBS_MATRIX_VERT [2:0], 4; with REPLAY. */
	PMUCTL_REG_MATRIX_VERT	= 9,
	/*
	 * Field (byte) index of PERF_METRICS, value 0: the only register of
	 * its event, whose counter is 48 + index.  It counts the slots that
	 * the field has of those that fixed counter 3 counts: an event there,
	 * which is not sampled, is in the same set and group and has the same
	 * flags.  It has no samples of its own either.
	 */
	PMUCTL_REG_METRIC	= 10,
	/*
	 * Of the first Pentium, in place of EVTSEL: what CESR has of one
	 * counter, whose number is the index (0 in requests).  Event [5:0],
	 * clocks in place of events 8, pin control 9.  [7:6] zero: the kernel
	 * sets the rings, 6 for CPL 0 to 2 and 7 for CPL 3.
	 */
	PMUCTL_REG_CESR		= 11,
};

struct pmuctl_reg {
	__u32 reg;		/* enum pmuctl_reg_id */
	__u32 index;		/* which of several, else 0 */
	__u64 value;
};

enum pmuctl_count_flag {
	/*
	 * A child, or a task that came into the control group, was not
	 * followed, a CPU not counted, PEBS's buffer full.
	 */
	PMUCTL_COUNT_INCOMPLETE	= 1 << 0,
	PMUCTL_COUNT_DISTURBED	= 1 << 1,	/* someone else wrote the PMU */
	/* A task gained privilege by an exec, and was let go. */
	PMUCTL_COUNT_DETACHED	= 1 << 2,
	PMUCTL_COUNT_GUESTS	= 1 << 3,	/* virtual machines are in it */
	/* A session with privilege needed its counters: it counts no more. */
	PMUCTL_COUNT_LOST	= 1 << 4,
};

struct pmuctl_count {
	__u32 event;		/* its place in the session, from 0 */
	__u32 cpu;		/* or PMUCTL_CPU_ALL */
	__u32 flags;		/* enum pmuctl_count_flag bits */
	__u32 disturbed;	/* the MSR that someone else wrote, or 0 */
	__u64 value;		/* events */
	__u64 enabled;		/* ns that the event was to be counted */
	__u64 running;		/* ns that it was on a counter */
};

/* What a sample has besides the members of struct pmuctl_sample. */
enum pmuctl_content {
	PMUCTL_CONTENT_ADDR	= 1 << 0,	/* u64: data linear address */
	/* u64: cycles of the load [31:0], its instruction [63:32]; 0: none */
	PMUCTL_CONTENT_LATENCY	= 1 << 1,
	/* u64: data source, as the hardware has it */
	PMUCTL_CONTENT_DATA_SRC	= 1 << 2,
	/* struct pmuctl_sample_regs */
	PMUCTL_CONTENT_REGS	= 1 << 3,
	/* u64 n, u64[n]: IPs, by PMUCTL_CHAIN_* */
	PMUCTL_CONTENT_CHAIN	= 1 << 4,
	/* u64 n, struct pmuctl_branch[n]: last branches, the latest first */
	PMUCTL_CONTENT_BRANCHES	= 1 << 5,
	/*
	 * u64: for a sample that is UNCERTAIN, the target of the last branch
	 * taken before its ip; decoding from there finds the instruction
	 * before the ip, which is the one.  0: not known.
	 */
	PMUCTL_CONTENT_BLOCK	= 1 << 6,
	/*
	 * u64: cycles from the retirement of the instruction before to that of
	 * the sampled one.  No fixed counter has it.
	 */
	PMUCTL_CONTENT_RETIRE	= 1 << 7,
	/*
	 * With BRANCHES: they are the calls of user mode that have not
	 * returned, the innermost first.
	 */
	PMUCTL_CONTENT_CALLS	= 1 << 8,
	/*
	 * u64 abi, enum pmuctl_user_abi.  Unless it is NONE: struct
	 * pmuctl_user_regs; u64 bytes; the user stack from its sp upwards, as
	 * many bytes as could be read, and zeroes up to a multiple of 8.
	 * A CHAIN has no user part then.
	 */
	PMUCTL_CONTENT_STACK	= 1 << 9,
	/*
	 * u64 n, u64[n]: the words from the user stack's top upwards, of which
	 * the first is the caller's address where a function has no frame.
	 * Up to PMUCTL_TOP_MAX; 0: not known.
	 */
	PMUCTL_CONTENT_TOP	= 1 << 10,
	/*
	 * u64 n, u64[n]: what the events of its group that are not sampled have
	 * counted since the sample before that was not lost, in the request's
	 * order; of a session on tasks in the task, on CPUs on the CPU.  As of
	 * the record, where records of PEBS have counters; else as of the
	 * interrupt.  One event of a group may have it.
	 */
	PMUCTL_CONTENT_COUNTS	= 1 << 11,
};

/* As perf's PERF_SAMPLE_REGS_ABI_*. */
enum pmuctl_user_abi {
	PMUCTL_USER_ABI_NONE	= 0,	/* no program, or in flux */
	PMUCTL_USER_ABI_32	= 1,
	PMUCTL_USER_ABI_64	= 2,
};

/* The least of PMUCTL_A_EVENT_STACK. */
#define PMUCTL_STACK_MIN	1024
#define PMUCTL_TOP_MAX		2

/* Before the IPs of a ring in a call chain; as perf's PERF_CONTEXT_*. */
#define PMUCTL_CHAIN_KERNEL	((__u64)-128)
#define PMUCTL_CHAIN_USER	((__u64)-512)
/* The most IPs of a chain, these words included. */
#define PMUCTL_CHAIN_MAX	128

enum pmuctl_record_type {
	PMUCTL_RECORD_SAMPLE	= 1,	/* struct pmuctl_sample */
	/* struct pmuctl_lost: these samples found no room in the ring */
	PMUCTL_RECORD_LOST	= 2,
	PMUCTL_RECORD_THROTTLE	= 3,	/* struct pmuctl_record alone */
	PMUCTL_RECORD_UNTHROTTLE = 4,
};

enum pmuctl_record_flag {
	PMUCTL_RECORD_USER	= 1 << 0,	/* CPL > 0; else the kernel's */
	PMUCTL_RECORD_PEBS	= 1 << 1,	/* the hardware recorded it */
	/* The ip is that of the instruction that caused the event. */
	PMUCTL_RECORD_EXACT	= 1 << 2,
	/* PRECISE was asked for, and the ip is of the next instruction. */
	PMUCTL_RECORD_UNCERTAIN	= 1 << 3,
	/* The registers are those behind the instruction, not before it. */
	PMUCTL_RECORD_REGS_AFTER = 1 << 4,
	/* Its content is zeroes: the maker may not look into the task. */
	PMUCTL_RECORD_WITHHELD	= 1 << 5,
	/*
	 * The user stack was read after its pointer had moved on from where
	 * the PEBS record has it: callers close by may have returned since.
	 */
	PMUCTL_RECORD_MOVED	= 1 << 6,
};

/* The largest record, in bytes: as perf.data it is not above 65528. */
#define PMUCTL_RECORD_MAX	65000

/* In a ring; size is a multiple of 8 and includes this. */
struct pmuctl_record {
	__u16 type;		/* enum pmuctl_record_type */
	__u16 size;		/* bytes */
	__u16 event;		/* its place in the session */
	__u16 flags;		/* enum pmuctl_record_flag */
	__u64 time;		/* CLOCK_MONOTONIC, ns */
};

/* What the event's content has follows, in the order of its bits. */
struct pmuctl_sample {
	struct pmuctl_record record;
	__u32 pid;		/* as the owner's PID namespace has them */
	__u32 tid;
	__u64 ip;
	__u64 period;		/* events that this sample stands for */
};

struct pmuctl_lost {
	struct pmuctl_record record;
	__u64 samples;
};

struct pmuctl_sample_regs {
	__u64 flags, ip, ax, bx, cx, dx, si, di, bp, sp;
	__u64 r8, r9, r10, r11, r12, r13, r14, r15;
};

/* Of the program, also where the kernel was sampled: as it entered that. */
struct pmuctl_user_regs {
	struct pmuctl_sample_regs regs;
	__u64 cs, ss;
};

struct pmuctl_branch {
	__u64 from;
	__u64 to;
	/*
	 * As MSR_LBR_INFO: mispredicted 63, cycles [15:0]; 0 if not known.
	 * What kind it is [59:56], where LBRs are architectural (format 3FH).
	 */
	__u64 info;
};

/* What became of an event's samples on one CPU: produced = written + lost. */
struct pmuctl_ledger {
	__u32 event;		/* its place in the session */
	__u32 cpu;
	__u64 produced;		/* by the hardware, or by the interrupt */
	__u64 written;		/* to the ring */
	__u64 lost;		/* the ring had no room */
	__u64 collisions;	/* PEBS records that name several counters */
	__u64 throttled;	/* overflows while throttled: not produced */
	__u64 uncertain;	/* of produced: flagged so */
	/*
	 * Times that the hardware's buffer was found full: records that came
	 * then are in no other figure here, nor their events in the count.
	 */
	__u64 overruns;
	/* Samples whose interrupt did not come: taken when somebody looked. */
	__u64 stalled;
};

/* What can be switched of a processor: prefetchers all of them so far. */
enum pmuctl_cpu_feature {
	PMUCTL_CPU_FEATURE_L2_STREAM	= 1,	/* L2: lines in a row */
	PMUCTL_CPU_FEATURE_L2_ADJACENT	= 2,	/* L2: pairs of lines */
	PMUCTL_CPU_FEATURE_L1_NEXT	= 3,	/* L1D: the next line */
	PMUCTL_CPU_FEATURE_L1_STRIDE	= 4,	/* L1D: by instruction */
	PMUCTL_CPU_FEATURE_L2_MULTIPATH	= 5,	/* L2: adaptive multipath */
	PMUCTL_CPU_FEATURE_EARLY_MISS	= 6,	/* "homeless" */
	PMUCTL_CPU_FEATURE_LLC		= 7,	/* into the last level */
	PMUCTL_CPU_FEATURE_LLC_PAGE	= 8,
	PMUCTL_CPU_FEATURE_L1_POINTERS	= 9,	/* arrays of pointers */
	PMUCTL_CPU_FEATURE_LLC_STREAM	= 10,
	PMUCTL_CPU_FEATURE_L1_PAGE	= 11,	/* L1D: the next page */
	PMUCTL_CPU_FEATURE_L2_NEXT	= 12,	/* L2: the next line */
	PMUCTL_CPU_FEATURE_L2_CODE	= 13,	/* L2: lines of code in a row */
	PMUCTL_CPU_FEATURE_L2_TUNING	= 14,	/* of L2's by the processor */
};

/* Who says that it is there. */
enum pmuctl_feature_kind {
	PMUCTL_FEATURE_KIND_DOCUMENTED	= 1,	/* Intel's manuals */
	PMUCTL_FEATURE_KIND_REPORTED	= 2,	/* a tool of Intel's */
};

/* What has a value of its own. */
enum pmuctl_feature_scope {
	PMUCTL_FEATURE_SCOPE_CORE	= 1,
	PMUCTL_FEATURE_SCOPE_CLUSTER	= 2,	/* E cores with one L2 */
	PMUCTL_FEATURE_SCOPE_PACKAGE	= 3,
};

/* A field of an MSR. */
struct pmuctl_feature_row {
	__u32 id;		/* enum pmuctl_cpu_feature */
	__u32 kind;		/* enum pmuctl_feature_kind */
	__u32 scope;		/* enum pmuctl_feature_scope */
	__u32 msr;
	__u32 shift;
	__u32 width;		/* bits */
	__u64 off;		/* the value that switches it off */
};

enum pmuctl_feature_flag {
	PMUCTL_FEATURE_READ	= 1 << 0,	/* now is known */
	PMUCTL_FEATURE_HELD	= 1 << 1,	/* found and wrote are */
	PMUCTL_FEATURE_TASKS	= 1 << 2,	/* while they run there */
};

/* Where it is: the first CPU that is online there. */
struct pmuctl_feature_state {
	__u32 cpu;
	__u32 flags;		/* enum pmuctl_feature_flag */
	__u64 found;		/* before it was held */
	__u64 wrote;		/* which it is held at */
	__u64 now;
};

struct pmuctl_feature_value {
	__u32 id;		/* enum pmuctl_cpu_feature */
	__u32 reserved;		/* 0 */
	__u64 value;
};

struct pmuctl_feature_left {
	__u32 id;
	__u32 cpu;
	__u64 wrote;		/* while it was held */
	__u64 now;		/* somebody else's */
};

enum pmuctl_cmd {
	PMUCTL_CMD_INFO_GET = 1,
	PMUCTL_CMD_SESSION_NEW,
	PMUCTL_CMD_SESSION_DEL,
	PMUCTL_CMD_SESSION_GET,
	PMUCTL_CMD_SESSION_START,
	PMUCTL_CMD_SESSION_STOP,
	PMUCTL_CMD_COUNT_GET,
	PMUCTL_CMD_COUNT_RESET,
	PMUCTL_CMD_SAMPLE_GET,
	PMUCTL_CMD_LEDGER_GET,
	PMUCTL_CMD_SESSION_END,
	PMUCTL_CMD_FEATURE_GET,
	PMUCTL_CMD_FEATURE_HOLD,
	PMUCTL_CMD_FEATURE_RELEASE,

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
	PMUCTL_A_INFO_ARCH_ONLY,
	PMUCTL_A_INFO_ANY,
	PMUCTL_A_INFO_UNPRIVILEGED,
	PMUCTL_A_INFO_INTERVAL,
	PMUCTL_A_INFO_SESSIONS_MAX,
	PMUCTL_A_INFO_EVENTS_MAX,
	PMUCTL_A_INFO_TASKS_MAX,
	PMUCTL_A_INFO_MEMORY_MAX,
	PMUCTL_A_INFO_PEBS_FORMAT,
	PMUCTL_A_INFO_PEBS_REFUSAL,
	PMUCTL_A_INFO_LBR_DEPTH,
	PMUCTL_A_INFO_RATE_MAX,
	PMUCTL_A_INFO_ERRATA,
	PMUCTL_A_INFO_ERRATA_OPEN,
	PMUCTL_A_INFO_KIND,
	PMUCTL_A_INFO_CORE,
	PMUCTL_A_INFO_CPUS,

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
	PMUCTL_A_SESSION_INTERVAL,
	PMUCTL_A_SESSION_EVENTS,
	PMUCTL_A_SESSION_SETS,
	PMUCTL_A_SESSION_TASKS,
	PMUCTL_A_SESSION_FD,
	PMUCTL_A_SESSION_RING,
	PMUCTL_A_SESSION_WATERMARK,
	PMUCTL_A_SESSION_FLUSH,
	PMUCTL_A_SESSION_RECORDS,
	PMUCTL_A_SESSION_LEDGER,
	PMUCTL_A_SESSION_OWNER_UID,
	PMUCTL_A_SESSION_INODE,
	PMUCTL_A_SESSION_PRIVILEGED,
	PMUCTL_A_SESSION_LOST,
	PMUCTL_A_SESSION_FEATURE,
	PMUCTL_A_SESSION_FEATURES,
	PMUCTL_A_SESSION_REFUSAL,
	PMUCTL_A_SESSION_STATE,
	PMUCTL_A_SESSION_HOLD,
	PMUCTL_A_SESSION_LEFT,
	PMUCTL_A_SESSION_CGROUP,
	PMUCTL_A_SESSION_CGROUP_PATH,
	PMUCTL_A_SESSION_KIND,
	PMUCTL_A_SESSION_BESIDE,
	PMUCTL_A_SESSION_PLACES,

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
	PMUCTL_A_EVENT_PERIOD,
	PMUCTL_A_EVENT_FREQ,
	PMUCTL_A_EVENT_RANDOM,
	PMUCTL_A_EVENT_PRECISE,
	PMUCTL_A_EVENT_CONTENT,
	PMUCTL_A_EVENT_AFTER,
	PMUCTL_A_EVENT_CASCADE,
	PMUCTL_A_EVENT_STACK,
	PMUCTL_A_EVENT_PLACE,

	__PMUCTL_A_EVENT_MAX,
	PMUCTL_A_EVENT_MAX = __PMUCTL_A_EVENT_MAX - 1
};

#endif
