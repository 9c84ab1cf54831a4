// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What users of Linux's perf name as events and no counter of a core counts: what the kernel
 * counts itself, its tracepoints, and other PMUs' events.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/private.h"

static const char *const software[] = {
	"alignment-faults", "cgroup-switches", "context-switches", "cpu-clock", "cpu-migrations",
	"cs", "emulation-faults", "faults", "major-faults", "migrations", "minor-faults",
	"page-faults", "task-clock",
};

/* perf's words for times that `pmuctl stat` prints anyway, and for what counts nothing. */
static const char *const others[] = {
	"bpf-output", "dummy", "duration_time", "system_time", "user_time",
};

/* Linux's PMUs of kinds of cores; those that there are were taken before. */
static const char *const kinds[] = { "cpu_atom", "cpu_core", "cpu_lowpower" };

/* Groups of tracepoints (directories of /sys/kernel/tracing/events), which not all may read. */
static const char *const tracepoints[] = {
	"alarmtimer", "avc", "block", "bpf_trace", "bridge", "btrfs", "cgroup", "clk", "cma",
	"compaction", "context_tracking", "cpuhp", "csd", "damon", "devfreq", "devlink", "dma_fence",
	"drm", "error_report", "exceptions", "ext4", "f2fs", "fib", "fib6", "filelock", "filemap",
	"fs_dax", "ftrace", "gpio", "huge_memory", "hwmon", "hyperv", "i2c", "i915", "initcall",
	"io_uring", "iocost", "iomap", "iommu", "ipi", "irq", "irq_matrix", "irq_vectors", "jbd2",
	"kmem", "ksm", "kvm", "kvmmmu", "libata", "lock", "maple_tree", "mce", "migrate", "mmap",
	"mmap_lock", "mmc", "module", "mptcp", "msr", "napi", "neigh", "net", "netlink", "nfs",
	"nfs4", "nfsd", "nmi", "notifier", "nvme", "oom", "osnoise", "page_isolation", "page_pool",
	"pagemap", "percpu", "power", "preemptirq", "printk", "probe", "pwm", "qdisc", "random",
	"ras", "raw_syscalls", "rcu", "regmap", "regulator", "resctrl", "rpm", "rseq", "rtc",
	"sched", "scsi", "signal", "skb", "smbus", "sock", "spi", "sunrpc", "swiotlb", "syscalls",
	"task", "tcp", "thermal", "thp", "timer", "tlb", "udp", "vmalloc", "vmscan", "vsyscall",
	"workqueue", "writeback", "x86_fpu", "xdp", "xen", "xfs", "xhci-hcd",
};

static bool is_in(const char *const *names, size_t count, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (*names[i] == *text && !strncmp(names[i], text, len) && !names[i][len])
			return true;
	return false;
}

static int is_foreign(struct pmuctl *ctx, const char *text, const char *what)
{
	return fail(ctx, -ENOENT, "%s, not an event of the cores' PMU: not counted by pmuctl yet; "
		    "`perf stat -e %s` does", what, text);
}

/* Of "msr/tsc/" the length of "msr"; 0: it is no event of another PMU. */
static size_t other_pmu(const char *text)
{
	size_t len = 0;

	while (isalnum((unsigned char)text[len]) || text[len] == '_' || text[len] == '-')
		len++;
	return text[len] == '/' && strncmp(text, "cpu/", 4) != 0 ? len : 0;
}

/* The library knows none of them: the command counts them beside its sessions. */
static int is_linuxs(struct pmuctl *ctx, const char *what)
{
	return fail(ctx, -ENOENT, "%s, not an event of the cores' PMU: `pmuctl stat -e` counts it, "
		    "and nothing else of pmuctl does", what);
}

int refuse_foreign(struct pmuctl *ctx, const char *text)
{
	size_t len = strcspn(text, ":"), pmu = other_pmu(text);
	char what[96];

	if (is_in(software, ARRAY_SIZE(software), text, len))
		return is_linuxs(ctx, "an event of Linux's software");
	if (is_in(others, ARRAY_SIZE(others), text, len))
		return is_foreign(ctx, text, "an event of Linux's software");
	if (pmu && is_in(kinds, ARRAY_SIZE(kinds), text, pmu))
		return fail(ctx, -ENOENT, "no core of this machine is of that kind, or the module that "
			    "would know is not loaded");
	if (pmu && pmu < sizeof(what) / 2) {
		snprintf(what, sizeof(what), "an event of '%.*s', another PMU", (int)pmu, text);
		return is_foreign(ctx, text, what);
	}
	if (!text[len] || text[len + 1] == ':')
		return 0;
	if (is_in(tracepoints, ARRAY_SIZE(tracepoints), text, len) ||
	    !strncmp(text, "probe_", 6) || !strncmp(text, "sdt_", 4))
		return is_linuxs(ctx, "a tracepoint of Linux");
	if (!strncmp(text, "mem:", 4))
		return is_foreign(ctx, text, "a breakpoint");
	return 0;
}
