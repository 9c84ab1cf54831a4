// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the PMU's registers of one CPU through the kernel's msr driver, those
 * that exist, a line each; the counters too, since a holder must leave none of
 * its counts behind.
 *
 *   pmu-registers CPU [p4]	those of a Pentium 4; without, the first Pentium's as well
 *   pmu-registers --sleep-up-to US	a random time instead
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static const struct range {
	uint32_t first;
	unsigned int count;
} ranges[] = {
	{ 0x011, 3 }, { 0x186, 10 }, { 0xc1, 10 }, { 0x309, 4 }, { 0x329, 1 }, { 0x38d, 3 },
	{ 0x3f1, 2 },
	{ 0x3f4, 4 }, { 0x600, 1 }, { 0x1a6, 2 }, { 0x1d9, 1 }, { 0x1c8, 1 },
	{ 0x14ce, 2 },
	/* Version 6: those that have no second number. */
	{ 0x1902, 2 }, { 0x1906, 2 }, { 0x190a, 2 }, { 0x190e, 2 },
	{ 0x1912, 2 }, { 0x1916, 2 }, { 0x191a, 2 }, { 0x191e, 2 }, { 0x1922, 2 }, { 0x1926, 2 },
	{ 0x1982, 2 }, { 0x1986, 2 }, { 0x198a, 2 }, { 0x198e, 2 },
};

static const struct range p4_ranges[] = {
	{ 0x300, 18 }, { 0x360, 18 }, { 0x3a0, 0x42 }, { 0x3f1, 2 }, { 0x600, 1 },
};

#define ENTRIES(array) (sizeof(array) / sizeof((array)[0]))

static int sleep_up_to(unsigned int us)
{
	unsigned int number;

	if (!us || getrandom(&number, sizeof(number), 0) != sizeof(number))
		return 2;
	return usleep(number % us) ? 1 : 0;
}

int main(int argc, char **argv)
{
	char path[64];
	const struct range *range = ranges;
	size_t n = ENTRIES(ranges);
	uint64_t value;
	int fd;

	if (argc == 3 && !strcmp(argv[1], "--sleep-up-to"))
		return sleep_up_to((unsigned int)strtoul(argv[2], NULL, 0));
	if (argc == 3 && !strcmp(argv[2], "p4")) {
		range = p4_ranges;
		n = ENTRIES(p4_ranges);
	} else if (argc != 2) {
		return 2;
	}
	snprintf(path, sizeof(path), "/dev/cpu/%lu/msr", strtoul(argv[1], NULL, 0));
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		fprintf(stderr, "pmu-registers: %s: %s\n", path, strerror(errno));
		return 1;
	}
	for (; n--; range++) {
		for (unsigned int i = 0; i < range->count; i++) {
			uint32_t msr = range->first + i;

			if (pread(fd, &value, sizeof(value), msr) == sizeof(value))
				printf("cpu%s 0x%x 0x%" PRIx64 "\n", argv[1], msr, value);
		}
	}
	return 0;
}
