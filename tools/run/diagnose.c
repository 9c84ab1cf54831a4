// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why the PMU cannot be used, who may be in the way, and what to do.
 */
#include <errno.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"

static void diagnose_hidden(const struct pmuctl_cpu *cpu, FILE *out)
{
	if (cpu->hypervisor)
		fprintf(out,
			"this machine hides its PMU: it is a virtual machine (%s), and CPUID leaf "
			"0AH says version 0\n",
			cpu->hypervisor_name[0] ? cpu->hypervisor_name : "unnamed");
	else
		fprintf(out, "this machine hides its PMU, or has none that pmuctl knows: "
			     "CPUID leaf 0AH says version 0\n");
}

bool has_pmu(const struct pmuctl_cpu *cpu)
{
	return cpu->pmu[0];
}

/* True if the machine itself rules it out. */
static bool diagnose_machine(struct pmuctl *ctx, FILE *out)
{
	struct pmuctl_cpu cpu = { .size = sizeof(cpu) };

	if (pmuctl_get_cpu(ctx, &cpu) || has_pmu(&cpu))
		return false;
	if (!cpu.version)
		diagnose_hidden(&cpu, out);
	if (strcmp(cpu.vendor, "GenuineIntel") != 0)
		fprintf(out, "its CPU says %s; pmuctl programs the PMU of Intel's CPUs only\n",
			cpu.vendor);
	fprintf(out, "to try pmuctl here, use the emulated test box of its source tree: "
		     "`make demo`, or `tests/box/run -- COMMAND`\n");
	return true;
}

/* Other things may be missing, a process or a CPU: is it the module? */
static void diagnose_missing(struct pmuctl *ctx, FILE *out)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	if (pmuctl_get_info(ctx, &info) != -ENOENT)
		return;
	fprintf(out, "load the module with `pmuctl load` as root; if it is not installed yet, "
		     "`make install` in the source tree\n");
}

static void diagnose_permission(FILE *out)
{
	fprintf(out, "run pmuctl as root, or give it the capability CAP_PERFMON, once and as root: "
		     "`setcap cap_perfmon+ep $(command -v pmuctl)`\n");
}

/* Everybody may call a process anything. */
static void put_process(FILE *out, int pid, const char *comm)
{
	fprintf(out, "process %d (", pid);
	put_clean(out, comm);
	fputc(')', out);
}

struct foreign {
	FILE *out;
	unsigned int found;
};

static void print_holder(void *data, const struct holder *h)
{
	struct foreign *f = data;

	f->found++;
	put_process(f->out, h->pid, h->comm);
	fprintf(f->out, " has %u perf event%s open and may hold it: end it, or wait for it\n",
		h->events, h->events == 1 ? "" : "s");
}

static void diagnose_foreign(FILE *out)
{
	struct foreign f = { .out = out };
	unsigned int hidden;

	if (watchdog_enabled()) {
		f.found++;
		fprintf(out, "the NMI watchdog is on and counts cycles on every CPU: "
			     "`sysctl kernel.nmi_watchdog=0` as root stops it, and `pmuctl stat "
			     "--nmi-watchdog=off` does for one run\n");
	}
	hidden = perf_holders(print_holder, &f);
	if (hidden)
		fprintf(out, "%u processes could not be looked into; root can\n", hidden);
	if (!has_proc())
		fprintf(out, "/proc is not mounted here, so that neither the NMI watchdog nor "
			     "processes with perf events open can be looked for; with it pmuctl says "
			     "whether it is one of them\n");
	else if (!f.found)
		fprintf(out, "neither the NMI watchdog nor a process with perf events open was "
			     "found; it may be another kernel module, an eBPF program or KVM\n");
}

static int print_session(void *data, const struct pmuctl_session_info *s)
{
	char counters[128];
	FILE *out = data;

	counters_text(s->counters, counters, sizeof(counters));
	fprintf(out, "session %u of ", s->id);
	if (s->owner_pid)
		put_process(out, (int)s->owner_pid, s->owner_comm);
	else
		fputs("a process that has ended (`pmuctl sessions` says who has it now, `pmuctl "
		      "end` ends it)", out);
	fprintf(out, " holds %s\n", counters);
	return 0;
}

static void diagnose_busy(struct pmuctl *ctx, FILE *out)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	if (pmuctl_get_info(ctx, &info))
		return;
	/* It was refused as a whole, or counters of it by sessions that have it. */
	if (info.holder != PMUCTL_HOLDER_MODULE)
		diagnose_foreign(out);
	else
		pmuctl_list_sessions(ctx, print_session, out);
}

void diagnose(struct pmuctl *ctx, int err, FILE *out)
{
	switch (err) {
	case -ENODEV:
	case -ENOENT:
		if (!diagnose_machine(ctx, out))
			diagnose_missing(ctx, out);
		break;
	case -EPERM:
	case -EACCES:
		diagnose_permission(out);
		break;
	case -EBUSY:
		diagnose_busy(ctx, out);
		break;
	default:
		break;
	}
}
