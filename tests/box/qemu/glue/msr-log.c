// SPDX-License-Identifier: GPL-2.0-only
/*
 * A log of the writes to the PMU's registers, for those who want to compare what
 * two drivers do; the environment variable PMUBOX_MSR_LOG names its file.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "cpu.h"
#include "msr-log.h"

static FILE *log_file;

static void open_log(const char *name)
{
	log_file = fopen(name, "w");
	if (!log_file) {
		error_report("PMUBOX_MSR_LOG=%s: %s", name, strerror(errno));
		return;
	}
	setvbuf(log_file, NULL, _IOLBF, 0);
}

bool msr_log_wanted(void)
{
	static gsize begun;
	const char *name = getenv("PMUBOX_MSR_LOG");

	if (name && g_once_init_enter(&begun)) {
		open_log(name);
		g_once_init_leave(&begun, 1);
	}
	return log_file;
}

/* A line for each; stdio keeps those of several CPUs apart. */
void msr_log_write(CPUX86State *env, uint64_t value, bool fault)
{
	fprintf(log_file, "%d 0x%x 0x%" PRIx64 " %s 0x%" PRIx64 "\n", env_cpu(env)->cpu_index,
		(uint32_t)env->regs[R_ECX], value, fault ? "fault" : "ok", (uint64_t)env->eip);
}
