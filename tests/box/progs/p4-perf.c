// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens every event that Linux's driver of the Pentium 4 takes, one after the
 * other on each CPU: p4-perf CPUS.  Prints "NUMBER CPU TYPE CONFIG" of each;
 * the counter starts at -(FIRST + NUMBER), by which a log of WRMSRs has it.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST		0x10000000
#define EVENTS		64		/* the driver's numbers of events, and some more */
#define MASKS		16
#define METRICS		16		/* the driver's numbers of causes of replays */

/* The driver's numbers of two events. */
#define REPLAY		37
#define BSQ_ALLOCATION	13

static unsigned int number;

static int opens(int cpu, uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config = config,
		.sample_period = FIRST + number,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);

	if (fd < 0)
		return 0;
	close(fd);
	printf("%u %d %u %#" PRIx64 "\n", number++, cpu, type, config);
	return 1;
}

static void open_generic(int cpu)
{
	for (uint64_t i = 0; i < PERF_COUNT_HW_MAX; i++)
		opens(cpu, PERF_TYPE_HARDWARE, i);
	for (uint64_t cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++)
		for (uint64_t op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX; op++)
			for (uint64_t result = 0; result < PERF_COUNT_HW_CACHE_RESULT_MAX; result++)
				opens(cpu, PERF_TYPE_HW_CACHE, cache | op << 8 | result << 16);
}

/* ESCR in the upper half, its event select replaced by the driver's number. */
static uint64_t raw(unsigned int event, unsigned int mask)
{
	return ((uint64_t)event << 25 | (uint64_t)mask << 9) << 32;
}

static void open_raw(int cpu)
{
	for (unsigned int event = 0; event < EVENTS; event++) {
		int taken = 0;

		/* Of the second thread it warns that counter 1 does not work, in the log. */
		if (event == BSQ_ALLOCATION && cpu % 2)
			continue;
		for (unsigned int bit = 0; bit < MASKS; bit++)
			taken += opens(cpu, PERF_TYPE_RAW, raw(event, 1u << bit));
		if (!taken)
			opens(cpu, PERF_TYPE_RAW, raw(event, 0));
	}
	for (unsigned int metric = 1; metric < METRICS; metric++)
		opens(cpu, PERF_TYPE_RAW, raw(REPLAY, 1) | metric);
}

int main(int argc, char **argv)
{
	for (int cpu = 0; argc == 2 && cpu < atoi(argv[1]); cpu++) {
		open_generic(cpu);
		open_raw(cpu);
	}
	return number ? 0 : 1;
}
