// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long the CPUs' turns are, when guest time is up, and where they stand then.
 */
#include "qemu/osdep.h"
#include "qemu/option.h"
#include "qemu/timer.h"
#include "sysemu/runstate.h"
#include "cpu.h"
#include "guest-time.h"

#define FIXED_SEED 1
#define FIXED_TURN 20000
#define LEAST_TURN 1000
#define MOST_TURN 50000

static uint64_t seed = FIXED_SEED;
static uint64_t limit;			/* ms; 0: none */
static QEMUTimer *limit_timer;

/* All CPUs stop where they are; what the main loop does about it comes later. */
static void time_is_up(void *unused)
{
	CPUState *cpu;

	fprintf(stderr, "pmubox: guest time is up\n");
	CPU_FOREACH(cpu) {
		cpu->stop = true;
		cpu_exit(cpu);
	}
	qemu_system_shutdown_request(SHUTDOWN_CAUSE_HOST_ERROR);
}

void pmubox_guest_time(QemuOpts *opts)
{
	limit = qemu_opt_get_number(opts, "limit", 0);
	seed = qemu_opt_get_number(opts, "seed", FIXED_SEED);
	if (!limit)
		return;
	limit_timer = timer_new_ms(QEMU_CLOCK_VIRTUAL, time_is_up, NULL);
	timer_mod(limit_timer, limit);
}

static void limit_work(CPUState *cpu, run_on_cpu_data data)
{
	timer_mod(limit_timer, qemu_clock_get_ms(QEMU_CLOCK_VIRTUAL) + limit);
}

/* Within an instruction nobody knows what time it is. */
void pmubox_limit_again(CPUState *cpu)
{
	if (limit_timer)
		async_run_on_cpu(cpu, limit_work, RUN_ON_CPU_NULL);
}

/* splitmix64, Steele et al. 2014 */
static uint64_t mixed(uint64_t x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/*
 * Drawn from where the turn begins rather than from a sequence, so that an
 * earlier draw cannot be one too many.
 */
int64_t pmubox_turn(CPUState *cpu, int64_t executed)
{
	if (seed == FIXED_SEED)
		return FIXED_TURN;
	return LEAST_TURN +
	       mixed(mixed(seed) ^ mixed(executed) ^ cpu->cpu_index) % (MOST_TURN - LEAST_TURN + 1);
}

static void report(void *unused, bool running, RunState state)
{
	CPUState *cs;

	if (running)
		return;
	CPU_FOREACH(cs) {
		CPUX86State *env = &X86_CPU(cs)->env;

		fprintf(stderr, "pmubox: CPU %d at 0x%" PRIx64 " ring %d%s\n", cs->cpu_index,
			(uint64_t)(env->segs[R_CS].base + env->eip),
			(int)(env->hflags & HF_CPL_MASK), cs->halted ? " halted" : "");
	}
}

void pmubox_report_cpus(void)
{
	static bool done;

	if (!done && getenv("PMUBOX_REPORT"))
		qemu_add_vm_change_state_handler(report, NULL);
	done = true;
}
