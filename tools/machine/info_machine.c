// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl info: the machine.
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/proc.h"
#include "tools/base/writer.h"
#include "tools/machine/info.h"

static void print_cpu(struct writer *w, const struct pmuctl_cpu *cpu)
{
	writer_text(w, "CPU:           ");
	writer_string(w, "cpu", "%s", cpu->name[0] ? cpu->name : "(no name)");
	writer_string(w, "vendor", " (%s", cpu->vendor);
	writer_u64(w, "family", ", family %" PRIu64, cpu->family);
	writer_u64(w, "model", ", model %" PRIu64, cpu->model);
	writer_u64(w, "stepping", ", stepping %" PRIu64 ")\n", cpu->stepping);
}

static void print_online(struct writer *w, const struct pmuctl_cpu *cpu)
{
	char online[256] = "";

	read_line("/sys/devices/system/cpu/online", online, sizeof(online));
	writer_string(w, "online", "Online CPUs:   %s", *online ? online : "unknown");
	if (cpu->smt < 0) {
		writer_null(w, "smt", ", SMT %s\n", "unknown");
		return;
	}
	writer_text(w, ", SMT %s\n", cpu->smt ? "on" : "off");
	writer_bool(w, "smt", cpu->smt);
}

/* What a virtual machine's counts are, and what a host's include. */
static const char *virtual_text(const struct pmuctl_cpu *cpu)
{
	if (cpu->hypervisor)
		return "counts are this virtual machine's; what its PMU can, the hypervisor decides";
	if (!access("/dev/kvm", F_OK))
		return "this host can run virtual machines (KVM): what they execute is in the "
		       "counts of the CPUs and processes that run them";
	return "";
}

static void print_hypervisor(struct writer *w, const struct pmuctl_cpu *cpu)
{
	writer_text(w, "Hypervisor:    ");
	if (cpu->hypervisor)
		writer_string(w, "hypervisor", "%s\n",
			      cpu->hypervisor_name[0] ? cpu->hypervisor_name : "unnamed");
	else
		writer_null(w, "hypervisor", "%s\n", "none");
	writer_string(w, "virtual", *virtual_text(cpu) ? "               %s\n" : NULL,
		      virtual_text(cpu));
}

/* What was there before architectural perfmon. */
static const char *old_pmu_text(const struct pmuctl_cpu *cpu)
{
	if (!strcmp(cpu->pmu, "p4"))
		return "NetBurst: ESCRs, CCCRs and 18 counters, shared by the threads of a core\n";
	if (!strcmp(cpu->pmu, "p5"))
		return "Pentium: two counters behind one register (CESR), which interrupt nobody: "
		       "no samples\n";
	return strcmp(cpu->pmu, "p6") ? "" : "P6: two counters\n";
}

void info_print_machine(struct writer *w, const struct pmuctl_cpu *cpu)
{
	print_cpu(w, cpu);
	print_online(w, cpu);
	print_hypervisor(w, cpu);
	writer_text(w, "PMU:           ");
	writer_u64(w, "perfmon_version", cpu->version ?
		   "architectural perfmon version %" PRIu64 "\n" :
		   cpu->pmu[0] ? NULL :
		   "architectural perfmon version %" PRIu64 ": none, or hidden\n", cpu->version);
	writer_text(w, "%s", old_pmu_text(cpu));
}
