// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPU lists as the kernel and perf write them: "0,2-3".
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"

/* More than any kernel has; keeps "0-4294967295" from eating the memory. */
#define CPUS_MAX 65536

#define NO_LIST "not a list of CPUs like 0,2-3"

struct cpulist {
	unsigned int *cpus;
	size_t count;
	const char *why;	/* it is none */
};

static int add_cpu(struct cpulist *list, unsigned int cpu)
{
	unsigned int *grown;
	size_t i;

	/* Counting a CPU twice would double its counts. */
	for (i = 0; i < list->count; i++)
		if (list->cpus[i] == cpu)
			return 0;
	grown = reallocarray(list->cpus, list->count + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	list->cpus = grown;
	grown[list->count++] = cpu;
	return 0;
}

static int wrong(struct cpulist *list, const char *why)
{
	list->why = why;
	return -EINVAL;
}

static int take_number(const char **text, struct cpulist *list, unsigned int *number)
{
	unsigned long value;
	char *end;

	if (!isdigit((unsigned char)**text))
		return wrong(list, NO_LIST);
	value = strtoul(*text, &end, 10);
	if (value >= CPUS_MAX)
		return wrong(list, "no kernel has a CPU of that number");
	*text = end;
	*number = (unsigned int)value;
	return 0;
}

static int take_range(const char **text, struct cpulist *list)
{
	unsigned int first = 0, last;
	int err = take_number(text, list, &first);

	last = first;
	if (!err && **text == '-') {
		(*text)++;
		err = take_number(text, list, &last);
	}
	if (!err && last < first)
		err = wrong(list, "a range ends before it begins: write the smaller number first");
	for (; !err && first <= last; first++)
		err = add_cpu(list, first);
	return err;
}

int parse_cpulist(const char *text, unsigned int **cpus, size_t *count, const char **why)
{
	struct cpulist list = { .why = "out of memory" };
	int err = take_range(&text, &list);

	while (!err && *text == ',') {
		text++;
		err = take_range(&text, &list);
	}
	if (!err && *text && *text != '\n')
		err = wrong(&list, NO_LIST);
	if (err) {
		free(list.cpus);
		*why = list.why;
		return err;
	}
	*cpus = list.cpus;
	*count = list.count;
	return 0;
}

int online_cpus(unsigned int **cpus, size_t *count)
{
	char text[4096];
	const char *why;
	FILE *f = fopen("/sys/devices/system/cpu/online", "re");
	bool got;

	if (!f)
		return -errno;
	got = fgets(text, sizeof(text), f);
	fclose(f);
	return got ? parse_cpulist(text, cpus, count, &why) : -EIO;
}
