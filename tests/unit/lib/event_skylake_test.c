// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event names on a Skylake: portable, raw and libpfm4's.
 */
#include <errno.h>
#include <stdlib.h>

#include "tests/unit/lib/event.h"

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define P PMUCTL_SOURCE_PORTABLE
#define R PMUCTL_SOURCE_RAW
#define L PMUCTL_SOURCE_LIBPFM4

static const struct expected portables[] = {
	{ "cycles", 0, 0x3c, 0x20000000full, true, true, P, NULL },
	{ "cycles:u", 0, 0x3c, 0x20000000full, true, false, P, NULL },
	{ "instructions:k", 0, 0xc0, 0x10000000full, false, true, P, NULL },
	{ "instructions:uk", 0, 0xc0, 0x10000000full, true, true, P, NULL },
	{ "instructions:ku", 0, 0xc0, 0x10000000full, true, true, P, NULL },
	{ "branches", 0, 0xc4, 0xf, true, true, P, NULL },
	{ "branch-misses:u", 0, 0xc5, 0xf, true, false, P, NULL },
	{ "cache-references", 0, 0x4f2e, 0xf, true, true, P, NULL },
	{ "cache-misses", 0, 0x412e, 0xf, true, true, P, NULL },
	{ "ref-cycles", 0, 0x300, 0x400000000ull, true, true, P, NULL },
	{ "bus-cycles", 0, 0x13c, 0xf, true, true, P, NULL },
	{ "cycles:x", -EINVAL, 0, 0, false, false, P, "':x'" },
	/* Twice is once, as libpfm4 has it, and contradictions are none. */
	{ "cycles:uu", 0, 0x3c, 0x20000000full, true, false, P },
	{ "cycles:u:u=1", 0, 0x3c, 0x20000000full, true, false, P },
	{ "cycles:u:u=0", -EINVAL, .error = "'u=0' contradicts" },
	{ "cycles:u=0", 0, 0x3c, 0x20000000full, false, true, P },
	{ "cycles:k=0:u=0", -EINVAL, .error = "counts nothing" },
	{ "cycles:k=1:u=0", 0, 0x3c, 0x20000000full, false, true, P },
	{ "cycles:D:uD", 0, 0x3c, 0x20000000full, true, false, P, .pinned = true },
	{ "cycles:", -EINVAL, 0, 0, false, false, P, "':'" },
	{ "cycles:u:k", 0, 0x3c, 0x20000000full, true, true, P },
	{ "  instructions\t", 0, 0xc0, 0x10000000full, true, true, P },
	{ "instructions:D", 0, 0xc0, 0x10000000full, true, true, P, .pinned = true },
	{ "instructions:uD", 0, 0xc0, 0x10000000full, true, false, P, .pinned = true },
	{ "cycles:any", 0, 0x20003c, 0x20000000full, true, true, P },
	{ "branch-misses:e", 0, 0x400c5, 0xf, true, true, P },
	{ "branch-misses:edge:cmask=3:inv:u", 0, 0x38400c5, 0xf, true, false, P },
	{ "instructions:c=1", 0, 0x10000c0, 0xf, true, true, P },
	{ "cpu-cycles", 0, 0x3c, 0x20000000full, true, true, P },
	{ "branch-instructions", 0, 0xc4, 0xf, true, true, P },
	{ "branch-loads", 0, 0xc4, 0xf, true, true, P },
	{ "branch-load-misses", 0, 0xc5, 0xf, true, true, P },
	{ "dTLB-loads", 0, 0x81d0, 0xf, true, true, P },
	{ "dTLB-stores", 0, 0x82d0, 0xf, true, true, P },
	{ "L1-dcache-load-misses", 0, 0x8d1, 0xf, true, true, P },
	{ "llc-load-misses", 0, 0x20d1, 0xf, true, true, P },
	{ "slots", -EOPNOTSUPP, .error = "no event for slots" },
	{ "cycles:u:u", 0, 0x3c, 0x20000000full, true, false, P },
	{ "cycles:cmask=256", -EINVAL, .error = "0 to 255" },
	{ "cycles:cmask", -EINVAL, .error = "0 to 255" },
	{ "cycles:cmask=1:c=2", -EINVAL, .error = "'c=2' contradicts" },
	{ "branches:cmask=1:c=0x1", 0, 0x10000c4, 0xf, true, true, P },
	{ "branches:e:edge:e=1", 0, 0x400c4, 0xf, true, true, P },
	{ "branches:e:e", 0, 0x400c4, 0xf, true, true, P },
	{ "branches:e:edge=0", -EINVAL, .error = "'e' contradicts" },
	{ "branches:i:inv=0", -EINVAL, .error = "'i' contradicts" },
	{ "branches:any:t=0", -EINVAL, .error = "'any' contradicts" },
	{ "r01cd:ldlat=30:ldlat=30", 0, 0x1cd, 0xf, true, true, R, .extra = { 4, 0, 30 } },
	{ "r01cd:ldlat=30:ldlat=31", -EINVAL, .error = "'ldlat=31' contradicts" },
	/* Transactional memory: what counts within is not programmed, and a CPU may have none. */
	{ "cycles:intx", -EOPNOTSUPP, .error = "transactional memory" },
	{ "cycles:in_tx", -EOPNOTSUPP, .error = "transactional memory" },
	{ "cycles:intxcp=1", -EOPNOTSUPP, .error = "transactional memory" },
	{ "cpu/event=0x3c,in_tx_cp=1/", -EOPNOTSUPP, .error = "transactional memory" },
	{ "cycles:intx=0:intxcp=0", 0, 0x3c, 0x20000000full, true, true, P },
	{ "cycles:intx=2", -EINVAL, .error = "1 or 0" },
	{ "cycles:e=2", -EINVAL, .error = "1 or 0" },
	{ "cycles:ldlat=30", -EINVAL, .error = "ldlat has no meaning" },
	{ "cycles:ldlat=2", -EINVAL, .error = "3 to 65535" },
	{ "cycles:ldlat=-3", -EINVAL, .error = "3 to 65535" },
	{ "cycles:ldlat=30:offcore_rsp=1", -EINVAL, .error = "too many" },
};

static const struct expected raws[] = {
	{ "rc0", 0, 0xc0, 0x10000000full, true, true, R, NULL },
	{ "r01c0", 0, 0x1c0, 0x2, true, true, R, NULL },
	{ "r412E:u", 0, 0x412e, 0xf, true, false, R, NULL },
	{ "r10400c0:k", 0, 0x10400c0, 0xf, false, true, R, NULL },
	{ "rff8400c0", 0, 0xff8400c0, 0xf, true, true, R, NULL },
	{ "r0300", 0, 0x300, 0x400000000ull, true, true, R, NULL },
	{ "r5300c0", -EINVAL, 0, 0, false, false, R, "write rc0" },
	{ "r1000000c0", -EINVAL, 0, 0, false, false, R, "32 bits" },
	{ "rffffffffffffffffffff", -EINVAL, 0, 0, false, false, R, "32 bits" },
	{ "rc0:q", -EINVAL, 0, 0, false, false, R, "':q'" },
};

static const struct expected names[] = {
	{ "INST_RETIRED:ANY_P:u", 0, 0xc0, 0x10000000full, true, false, L, NULL },
	{ "inst_retired:any_p:k", 0, 0xc0, 0x10000000full, false, true, L, NULL },
	{ "INST_RETIRED.ANY_P:uk", 0, 0xc0, 0x10000000full, true, true, L, NULL },
	{ "INST_RETIRED:PREC_DIST", 0, 0x1c0, 0x2, true, true, L, NULL },
	{ "BR_INST_RETIRED:c=2:i", 0, 0x28000c4, 0xf, true, true, L, NULL },
	{ "UNHALTED_REFERENCE_CYCLES:u", 0, 0x300, 0x400000000ull, true, false, L, NULL },
	{ "MEM_LOAD_RETIRED:L1_MISS", 0, 0x8d1, 0xf, true, true, L, NULL },
	{ "skl::MEM_LOAD_RETIRED:L1_MISS", 0, 0x8d1, 0xf, true, true, L, NULL },
	{ "FRONTEND_RETIRED:DSB_MISS", 0, 0x1c6, 0xf, true, true, L, .extra = { 5, 0, 0x11 } },
	{ "OFFCORE_RESPONSE_0:DMND_DATA_RD:ANY_RESPONSE", 0, 0x1b7, 0xf, true, true, L,
	  .extra = { 3, 0, 0x10001 } },
	{ "OFFCORE_RESPONSE_1:DMND_DATA_RD:ANY_RESPONSE", 0, 0x1bb, 0xf, true, true, L,
	  .extra = { 3, 1, 0x10001 } },
	{ "MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=30", 0, 0x1cd, 0xf, true, true, L,
	  .extra = { 4, 0, 30 } },
	{ "UOPS_ISSUED:ANY", 0, 0x10e, 0xf, true, true, L },
	{ "UOPS_ISSUED.ANY:u", 0, 0x10e, 0xf, true, false, L },
	{ "UOPS_ISSUED:ANY:t=1", 0, 0x20010e, 0xf, true, true, L },
	{ "INST_RETIRED.ANY", 0, 0xc0, 0x10000000full, true, true, L, .note = "libpfm4 4.13.0 lacks it" },
	{ "inst_retired:any:u", 0, 0xc0, 0x10000000full, true, false, L, .note = "lacks" },
	{ "CPU_CLK_UNHALTED.THREAD", 0, 0x3c, 0x20000000full, true, true, L, .note = "lacks" },
	{ "CPU_CLK_UNHALTED.THREAD_ANY", 0, 0x20003c, 0x20000000full, true, true, L,
	  .note = "lacks" },
	{ "CPU_CLK_UNHALTED.REF_TSC", 0, 0x300, 0x400000000ull, true, true, L, .note = "lacks" },
	{ "IDQ.DSB_CYCLES_ANY", 0, 0x1001879, 0xf, true, true, L, .note = "lacks" },
	/* What the name has itself is no modifier's, however that is written. */
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY", 0, 0x140014a3, 0xf, true, true, L },
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY:c=20", 0, 0x140014a3, 0xf, true, true, L },
	{ "cpu/cycle_activity.stalls_mem_any,cmask=20/", 0, 0x140014a3, 0xf, true, true, R },
	{ "cycle_activity.stalls_mem_any:c=6", -EINVAL,
	  .error = "CYCLE_ACTIVITY:STALLS_MEM_ANY has cmask 20 itself, and with 6 it would be "
		   "another event: leave cmask away, or write that one as a code, r60014a3" },
	{ "CYCLE_ACTIVITY:STALLS_MEM_ANY:cmask=6:u", -EINVAL, .error = "has cmask 20 itself" },
	{ "skl::CYCLE_ACTIVITY:STALLS_MEM_ANY:c=0", -EINVAL, .error = "r14a3" },
	{ "cpu/cycle_activity.stalls_mem_any,cmask=6/u", -EINVAL, .error = "has cmask 20 itself" },
	{ "cpu/cmask=6,CYCLE_ACTIVITY:STALLS_MEM_ANY/", -EINVAL, .error = "has cmask 20 itself" },
	{ "cpu/config=0x140014a3,cmask=6/", -EINVAL, .error = "has cmask 20 itself" },
	{ "r140014a3:c=6", -EINVAL, .error = "r140014a3 has cmask 20 itself" },
	{ "IDQ.DSB_CYCLES_ANY:c=2", -EINVAL, .error = "has cmask 1 itself" },
	{ "UOPS_ISSUED:STALL_CYCLES:i=0", -EINVAL, .error = "has inv 1 itself" },
	{ "UOPS_ISSUED:STALL_CYCLES:inv", 0, 0x180010e, 0xf, true, true, L },
	{ "L1D_PEND_MISS:EDGE:edge=0", -EINVAL, .error = "has edge 1 itself" },
	{ "CPU_CLK_UNHALTED.THREAD_ANY:t=0", -EINVAL, .error = "has any 1 itself" },
	/* A umask takes its place: Intel's metrics say so events that have no name. */
	{ "MEM_LOAD_RETIRED.L1_MISS:umask=1", 0, 0x1d1, 0xf, true, true, L },
	{ "UOPS_ISSUED:umask=2", 0, 0x20e, 0xf, true, true, L },
	{ "FRONTEND_RETIRED:DSB_MISS:frontend=0x12", -EINVAL,
	  .error = "has frontend=0x11 itself, and with 0x12 it would be another event: leave "
		   "frontend away, or write that one as a code, r1c6:frontend=0x12" },
	{ "llc-stores:offcore_rsp=1", -EINVAL, .error = "r1b7:offcore_rsp=0x1" },
	/* Words that are modifiers elsewhere. */
	{ "L1D_PEND_MISS:EDGE", 0, 0x1040148, 0xf, true, true, L },
	{ "L1D_PEND_MISS:EDGE:c=1:u", 0, 0x1040148, 0xf, true, false, L },
	{ "L1D_PEND_MISS:PENDING:e", 0, 0x40148, 0xf, true, true, L },
	{ "skx_unc_cha0::UNC_C_CLOCKTICKS", -ENOENT, .error = "another PMU than this CPU's" },
	{ "perf::PAGE-FAULTS", -ENOENT, .error = "another PMU than this CPU's" },
	{ "INST_RETIRED:NO_SUCH", -ENOENT, 0, 0, false, false, L, "INST_RETIRED" },
};

static const struct expected terms[] = {
	{ "cpu/event=0xc4/", 0, 0xc4, 0xf, true, true, R },
	{ "cpu/INST_RETIRED.ANY,cmask=1/", 0, 0x10000c0, 0xf, true, true, R, .note = "lacks" },
	{ "cpu/event=0xc4,umask=0x20,umask=0x20,event=0xc4/", 0, 0x20c4, 0xf, true, true, R },
	{ "cpu/cycles,umask=1/", 0, 0x13c, 0xf, true, true, R },
	{ "cpu/cache-misses,umask=0x4f/", 0, 0x4f2e, 0xf, true, true, R },
	{ "cpu/event=0xc4,umask=0x20/u", 0, 0x20c4, 0xf, true, false, R },
	{ "cpu/event=0xc4,umask=0x0120/", -EOPNOTSUPP, .error = "it needs a second mask" },
	{ "cpu/event=0xc4,umask=0x10000/", -EINVAL, .error = "0xffff where" },
	{ "cpu/event=0xc4,umask=0x20/:uk", 0, 0x20c4, 0xf, true, true, R },
	{ "cpu/umask=1,event=0xc0,cmask=1,inv,edge,any/kD", 0, 0x1a401c0, 0xd, false, true, R,
	  .pinned = true },
	{ "cpu/event=0xc0,inv=1,cmask=16/", 0, 0x108000c0, 0xf, true, true, R },
	{ "cpu/event=0xc0,edge=0/", 0, 0xc0, 0x10000000full, true, true, R },
	{ "cpu/event=0x3c,name=clock/", 0, 0x3c, 0x20000000full, true, true, R },
	{ "cpu/config=0x10c4/", 0, 0x10c4, 0xf, true, true, R },
	{ "cpu/instructions/u", 0, 0xc0, 0x10000000full, true, false, R },
	{ "cpu/cpu-cycles,cmask=1/", 0, 0x100003c, 0xf, true, true, R },
	{ "cpu/event=0xcd,umask=1,ldlat=30/", 0, 0x1cd, 0xf, true, true, R,
	  .extra = { 4, 0, 30 } },
	{ "cpu/event=0xcd,umask=1/", 0, 0x1cd, 0xf, true, true, R, .extra = { 4, 0, 3 } },
	{ "cpu/event=0xb7,umask=1,offcore_rsp=0x10001/", 0, 0x1b7, 0xf, true, true, R,
	  .extra = { 3, 0, 0x10001 } },
	{ "cpu/event=0xbb,umask=1,offcore_rsp=0x10001/", 0, 0x1bb, 0xf, true, true, R,
	  .extra = { 3, 1, 0x10001 } },
	{ "cpu/event=0xc6,umask=1,frontend=0x11/", 0, 0x1c6, 0xf, true, true, R,
	  .extra = { 5, 0, 0x11 } },
	{ "r01b7:offcore_rsp=0x10001:u", 0, 0x1b7, 0xf, true, false, R,
	  .extra = { 3, 0, 0x10001 } },
	{ "r01b7", -EINVAL, .error = "offcore_rsp=" },
	{ "r01c6", -EINVAL, .error = "frontend=" },
	{ "r01cd:frontend=1", -EINVAL, .error = "ldlat has" },
	{ "cpu/", -EINVAL, .error = "second '/'" },
	{ "cpu/event=0xc4", -EINVAL, .error = "second '/'" },
	{ "cpu//", -EINVAL, .error = "nothing between" },
	{ "cpu/event=0xc4,/", -EINVAL, .error = "nothing between" },
	{ "cpu/event=0xc4/x", -EINVAL, .error = "x' is no modifier" },
	{ "cpu/event=0x100/", -EINVAL, .error = "up to 0xff" },
	{ "cpu/event=-1/", -EINVAL, .error = "up to 0xff" },
	{ "cpu/event=/", -EINVAL, .error = "up to 0xff" },
	{ "cpu/event/", -EINVAL, .error = "up to 0xff" },
	{ "cpu/event=1,event=2/", -EINVAL, .error = "twice" },
	{ "cpu/umask=1/", -EINVAL, .error = "say which event" },
	{ "cpu/cycles,event=1/", -EINVAL, .error = "say which event" },
	{ "cpu/cycles,instructions/", -EINVAL, .error = "one event too many" },
	{ "cpu/event=1,bogus=3/", -EINVAL, .error = "neither a term" },
	{ "cpu/event=0xc4,pc/", -EINVAL, .error = "kernel's" },
	{ "cpu/config=0x5300c0/", -EINVAL, .error = "write rc0" },
	{ "cpu/event=1,name=/", -EINVAL, .error = "wants a name" },
	{ "cpu/event=1,inv=2/", -EINVAL, .error = "1 or 0" },
	{ "cpu/event=1,u/", -EINVAL, .error = "neither a term" },
	{ "cpu/a/b/c/", -EINVAL },
};

static const struct expected wrong[] = {
	{ "   ", -EINVAL, .error = "empty" },
	{ "cycles\n:u", -EINVAL, .error = "control" },
	{ "cycles,instructions", -ENOENT },
	{ "{cycles}", -ENOENT },
	{ "msr/tsc/", -ENOENT, .error = "an event of 'msr', another PMU, not" },
	{ "power/energy-pkg/", -ENOENT, .error = "`perf stat -e power/energy-pkg/` does" },
	{ "uncore_imc_0/cas_count_read/u", -ENOENT, .error = "of 'uncore_imc_0'" },
	{ "intel_pt//", -ENOENT, .error = "of 'intel_pt'" },
	{ "task-clock", -ENOENT, .error = "an event of Linux's software, not an event of the cores' "
					  "PMU: `pmuctl stat -e` counts it" },
	{ "context-switches:u", -ENOENT, .error = "`pmuctl stat -e` counts it" },
	{ "page-faults", -ENOENT, .error = "Linux's software" },
	{ "dummy", -ENOENT, .error = "not counted by pmuctl yet; `perf stat -e dummy` does" },
	{ "sched:sched_switch", -ENOENT, .error = "a tracepoint of Linux, not" },
	{ "syscalls:sys_enter_*", -ENOENT, .error = "a tracepoint of Linux, not" },
	{ "probe_libc:malloc", -ENOENT, .error = "a tracepoint of Linux, not" },
	{ "mem:0x1000:rw", -ENOENT, .error = "a breakpoint, not" },
	{ "", -EINVAL, 0, 0, false, false, P, "empty" },
	{ "cpu-cylces", -ENOENT, 0, 0, false, false, P, "nearest: cpu-cycles" },
	{ "branch-instuctions", -ENOENT, 0, 0, false, false, P, "nearest: branch-instructions" },
	{ "cycels", -ENOENT, 0, 0, false, false, P, "nearest: cycles" },
	{ "instruction", -ENOENT, 0, 0, false, false, P, "instructions" },
	{ "branch_miss", -ENOENT, 0, 0, false, false, P, "branch-misses" },
	{ "INST_RETIERD", -ENOENT, 0, 0, false, false, P, "INST_RETIRED" },
	{ "xyzzyxyzzyxyzzyxyzzyxyzzy", -ENOENT, 0, 0, false, false, P, "pmuctl list" },
	{ ":::::", -ENOENT, 0, 0, false, false, P, NULL },
	{ ":u", -ENOENT, 0, 0, false, false, P, NULL },
	{ "r", -ENOENT, 0, 0, false, false, P, NULL },
	{ "rxyz", -ENOENT, 0, 0, false, false, P, NULL },
	{ "%s%n%s%n", -ENOENT, 0, 0, false, false, P, NULL },
};

static int setup(void **state)
{
	fake_skylake();
	return pmuctl_open(NULL, (struct pmuctl **)state);
}

static int teardown(void **state)
{
	pmuctl_close(*state);
	return 0;
}

#define CHECK_ALL(ctx, table)                                                   \
	for (size_t i = 0; i < sizeof(table) / sizeof((table)[0]); i++)         \
		parses_as(ctx, &(table)[i])

static void portable_names(void **state)
{
	CHECK_ALL(*state, portables);
}

static void raw_codes(void **state)
{
	CHECK_ALL(*state, raws);
}

static void terms_of_perf(void **state)
{
	CHECK_ALL(*state, terms);
}

static void libpfm4_names(void **state)
{
	CHECK_ALL(*state, names);
}

static void wrong_names(void **state)
{
	CHECK_ALL(*state, wrong);
}

static void very_long_names(void **state)
{
	struct pmuctl_event *event;
	char name[5000];

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_true(pmuctl_event_parse(*state, name, &event) < 0);
	name[300] = ':';
	assert_true(pmuctl_event_parse(*state, name, &event) < 0);
	name[10] = '.';
	assert_true(pmuctl_event_parse(*state, name, &event) < 0);
}

/* Nothing that a text is cut off at may do harm; ASan watches. */
static void every_prefix(void **state)
{
	const struct expected *tables[] = { portables, raws, names, terms, wrong };
	const size_t sizes[] = { ARRAY_LENGTH(portables), ARRAY_LENGTH(raws),
				 ARRAY_LENGTH(names), ARRAY_LENGTH(terms), ARRAY_LENGTH(wrong) };
	struct pmuctl_event *event;
	char text[300];
	size_t i, k, len;

	/* Looking for the nearest name takes long: that is another test's. */
	for (i = 0; i < ARRAY_LENGTH(tables); i++)
		for (k = 0; k < sizes[i]; k++)
			for (len = 0; len <= strlen(tables[i][k].name); len += i == 4 ? 3 : 1) {
				memcpy(text, tables[i][k].name, len);
				text[len] = '\0';
				if (!pmuctl_event_parse(*state, text, &event))
					pmuctl_event_free(event);
				else
					assert_true(pmuctl_error(*state)[0]);
			}
}

/* CPUID may say that an architectural event is not there. */
static void missing_arch_event(void **state)
{
	const struct expected gone = { "branch-misses", -EOPNOTSUPP, 0, 0, false, false, P,
				       "architectural event 6" };
	const struct expected there = { "branches", 0, 0xc4, 0xf, true, true, P, NULL };

	fake.arch_events = 0x3f;
	parses_as(*state, &gone);
	parses_as(*state, &there);
}

static void no_fixed_counter(void **state)
{
	const struct expected gone = { "ref-cycles", -EOPNOTSUPP, 0, 0, false, false, P,
				       "no counter" };
	const struct expected there = { "cycles", 0, 0x3c, 0xf, true, true, P, NULL };

	fake.counters = 0xf;
	parses_as(*state, &gone);
	parses_as(*state, &there);
}

struct listing {
	unsigned int events, umasks, portable;
	bool saw_any_p;
};

static int take_desc(void *data, const struct pmuctl_event_desc *desc)
{
	struct listing *l = data;

	assert_true(desc->name[0]);
	assert_non_null(desc->text);
	l->events += !desc->event;
	l->umasks += !!desc->event;
	l->portable += desc->source == PMUCTL_SOURCE_PORTABLE;
	if (!strcmp(desc->name, "INST_RETIRED:ANY_P"))
		l->saw_any_p = true;
	return 0;
}

static void listings(void **state)
{
	struct listing l = { 0 };

	assert_int_equal(pmuctl_list_events(*state, NULL, take_desc, &l), 0);
	assert_int_equal(l.portable, 28);
	assert_true(l.events > 50);
	assert_true(l.umasks > 100);
	assert_true(l.saw_any_p);
	memset(&l, 0, sizeof(l));
	assert_int_equal(pmuctl_list_events(*state, "inst_retired:any_p", take_desc, &l), 0);
	assert_int_equal(l.events, 0);
	assert_int_equal(l.umasks, 1);
	memset(&l, 0, sizeof(l));
	assert_int_equal(pmuctl_list_events(*state, "cache-*", take_desc, &l), 0);
	assert_int_equal(l.events, 2);
	memset(&l, 0, sizeof(l));
	assert_int_equal(pmuctl_list_events(*state, "nothing at all", take_desc, &l), 0);
	assert_int_equal(l.events + l.umasks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(portable_names, setup, teardown),
		cmocka_unit_test_setup_teardown(raw_codes, setup, teardown),
		cmocka_unit_test_setup_teardown(terms_of_perf, setup, teardown),
		cmocka_unit_test_setup_teardown(libpfm4_names, setup, teardown),
		cmocka_unit_test_setup_teardown(wrong_names, setup, teardown),
		cmocka_unit_test_setup_teardown(very_long_names, setup, teardown),
		cmocka_unit_test_setup_teardown(every_prefix, setup, teardown),
		cmocka_unit_test_setup_teardown(missing_arch_event, setup, teardown),
		cmocka_unit_test_setup_teardown(no_fixed_counter, setup, teardown),
		cmocka_unit_test_setup_teardown(listings, setup, teardown),
	};

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
