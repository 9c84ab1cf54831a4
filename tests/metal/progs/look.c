// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the machine is, and what its registers hold.
 *
 *   look cpuid		the leaves about the processor and its PMU, of the CPU it runs on
 *   look kinds		where cores are of several kinds: a name, and a CPU, of each
 *   look msrs		what pmuctl may write, of all CPUs that are online
 *   look wait MS	up to so long, at random
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* Not leaf 3, which is a serial number. */
static const struct {
	unsigned int leaf, sub;
} leaves[] = {
	{ 0, 0 }, { 1, 0 }, { 4, 0 }, { 4, 1 }, { 4, 2 }, { 4, 3 }, { 6, 0 }, { 7, 0 }, { 7, 1 },
	{ 0xa, 0 }, { 0xb, 0 }, { 0xb, 1 }, { 0x14, 0 }, { 0x1a, 0 }, { 0x1c, 0 }, { 0x23, 0 },
	{ 0x23, 1 }, { 0x23, 2 }, { 0x23, 3 }, { 0x23, 4 }, { 0x23, 5 }, { 0x40000000, 0 },
	{ 0x80000002, 0 }, { 0x80000003, 0 }, { 0x80000004, 0 }, { 0x80000007, 0 },
};

static const struct range {
	uint32_t first;
	unsigned int count;
	int p4;			/* 1: a Pentium 4's, 0: everyone else's, -1: of all */
} ranges[] = {
	{ 0x1a0, 1, -1 }, { 0x3f1, 2, -1 }, { 0x600, 1, -1 }, { 0x1d9, 1, -1 },
	{ 0x186, 8, 0 }, { 0xc1, 8, 0 }, { 0x309, 4, 0 }, { 0x329, 1, 0 }, { 0x345, 1, 0 },
	{ 0x38d, 3, 0 }, { 0x3f6, 2, 0 }, { 0x1a4, 1, 0 }, { 0x1a6, 2, 0 }, { 0x1c8, 1, 0 },
	{ 0x300, 18, 1 }, { 0x360, 18, 1 }, { 0x3a0, 0x42, 1 },
};

#define ENTRIES(array) (sizeof(array) / sizeof((array)[0]))

static int is_p4(void)
{
	unsigned int eax = 0, ebx, ecx, edx;

	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	return (eax >> 8 & 15) == 15;
}

static int show_cpuid(void)
{
	unsigned int eax, ebx, ecx, edx, most;

	for (size_t i = 0; i < ENTRIES(leaves); i++) {
		unsigned int leaf = leaves[i].leaf;

		most = __get_cpuid_max(leaf & 0x80000000, NULL);
		if (leaf >> 28 == 4) {
			/* A hypervisor's leaves count by themselves. */
			__cpuid(1, eax, ebx, ecx, edx);
			most = ecx >> 31 ? leaf : 0;
		}
		if (leaf > most)
			continue;
		__cpuid_count(leaf, leaves[i].sub, eax, ebx, ecx, edx);
		/* Which CPU this is says nothing of the processor. */
		if (leaf == 1)
			ebx &= 0x00ffffff;
		if (leaf == 0xb)
			edx = 0;
		printf("cpuid %08x %x: %08x %08x %08x %08x\n", leaf, leaves[i].sub, eax, ebx, ecx,
		       edx);
	}
	return 0;
}

/* Type and model of the core, as leaf 1AH has them; 0: not said. */
static uint32_t kind_here(void)
{
	unsigned int eax = 0, ebx, ecx, edx;

	__get_cpuid_count(0x1a, 0, &eax, &ebx, &ecx, &edx);
	return eax;
}

/* Which one of that type it is follows the name of all but the first. */
static void show_kind(const uint32_t *kinds, int count, int cpu)
{
	uint32_t type = kinds[count] >> 24;
	int before = 0;

	for (int i = 0; i < count; i++)
		before += kinds[i] >> 24 == type;
	printf("%s", type == 0x40 ? "core" : type == 0x20 ? "atom" : "unknown");
	if (before)
		printf("-%d", before + 1);
	printf(" %d\n", cpu);
}

static int show_kinds(void)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF), count = 0, first[16];
	uint32_t kinds[16];
	cpu_set_t one;

	for (int cpu = 0; cpu < cpus && count < 16; cpu++) {
		int known = 0;

		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (sched_setaffinity(0, sizeof(one), &one))
			continue;
		kinds[count] = kind_here();
		for (int i = 0; i < count; i++)
			known |= kinds[i] == kinds[count];
		if (!known)
			first[count++] = cpu;
	}
	for (int i = 0; count > 1 && i < count; i++)
		show_kind(kinds, i, first[i]);
	return 0;
}

static void show_range(int fd, int cpu, const struct range *range)
{
	uint64_t value;

	for (unsigned int i = 0; i < range->count; i++)
		if (pread(fd, &value, sizeof(value), range->first + i) == sizeof(value))
			printf("cpu%d 0x%x 0x%" PRIx64 "\n", cpu, range->first + i, value);
}

static int show_msrs(void)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF), p4 = is_p4(), shown = 0;
	char path[64];

	for (int cpu = 0; cpu < cpus; cpu++) {
		int fd;

		snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
		fd = open(path, O_RDONLY);
		if (fd < 0)
			continue;
		shown++;
		for (size_t i = 0; i < ENTRIES(ranges); i++)
			if (ranges[i].p4 < 0 || ranges[i].p4 == p4)
				show_range(fd, cpu, &ranges[i]);
		close(fd);
	}
	if (!shown)
		fprintf(stderr, "look: /dev/cpu/0/msr cannot be read: modprobe msr\n");
	return shown ? 0 : 77;
}

static int wait_a_while(unsigned int ms)
{
	unsigned int number;

	if (!ms || getrandom(&number, sizeof(number), 0) != sizeof(number))
		return 2;
	return usleep(number % (ms * 1000)) ? 1 : 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "cpuid"))
		return show_cpuid();
	if (argc == 2 && !strcmp(argv[1], "kinds"))
		return show_kinds();
	if (argc == 2 && !strcmp(argv[1], "msrs"))
		return show_msrs();
	if (argc == 3 && !strcmp(argv[1], "wait"))
		return wait_a_while((unsigned int)strtoul(argv[2], NULL, 0));
	return 2;
}
