// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What perf.data says of the machine and of the recording, behind the records.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "lib/code/perf_features.h"
#include "lib/record/rings.h"

static int put_u32(struct dump_buffer *to, uint32_t value)
{
	return dump_append(to, &value, sizeof(value));
}

static int put_u64(struct dump_buffer *to, uint64_t value)
{
	return dump_append(to, &value, sizeof(value));
}

/* ---- one by one ------------------------------------------------------------------ */

static int put_hostname(struct pmuctl_dump *d, struct dump_buffer *to)
{
	struct utsname u;

	(void)d;
	return uname(&u) ? 0 : dump_append_text(to, u.nodename);
}

static int put_release(struct pmuctl_dump *d, struct dump_buffer *to)
{
	struct utsname u;

	(void)d;
	return uname(&u) ? 0 : dump_append_text(to, u.release);
}

static int put_arch(struct pmuctl_dump *d, struct dump_buffer *to)
{
	struct utsname u;

	(void)d;
	return uname(&u) ? 0 : dump_append_text(to, u.machine);
}

static unsigned int cpus_available(void)
{
	return (unsigned int)sysconf(_SC_NPROCESSORS_CONF);
}

static int put_nrcpus(struct pmuctl_dump *d, struct dump_buffer *to)
{
	(void)d;
	return put_u32(to, cpus_available()) ||
	       put_u32(to, (uint32_t)sysconf(_SC_NPROCESSORS_ONLN)) ? -ENOMEM : 0;
}

static int put_cpudesc(struct pmuctl_dump *d, struct dump_buffer *to)
{
	struct pmuctl_cpu cpu = { .size = sizeof(cpu) };

	return pmuctl_get_cpu(d->ctx, &cpu) ? 0 : dump_append_text(to, cpu.name);
}

static int put_cpuid(struct pmuctl_dump *d, struct dump_buffer *to)
{
	struct pmuctl_cpu cpu = { .size = sizeof(cpu) };
	char text[64];

	if (pmuctl_get_cpu(d->ctx, &cpu))
		return 0;
	snprintf(text, sizeof(text), "%s,%u,%u,%u", cpu.vendor, cpu.family, cpu.model,
		 cpu.stepping);
	return dump_append_text(to, text);
}

/* The number behind a name in a file like /proc/meminfo, kB. */
static uint64_t meminfo(const char *path, const char *name)
{
	FILE *f = fopen(path, "re");
	const char *found;
	uint64_t value = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f)) {
		found = strstr(line, name);
		if (found && sscanf(found + strlen(name), " %" SCNu64, &value) == 1)
			break;
	}
	if (f)
		fclose(f);
	return value;
}

static int put_memory(struct pmuctl_dump *d, struct dump_buffer *to)
{
	(void)d;
	return put_u64(to, meminfo("/proc/meminfo", "MemTotal:"));
}

static int put_command(struct pmuctl_dump *d, struct dump_buffer *to)
{
	uint32_t count = 0, i;
	int err;

	while (d->command && d->command[count])
		count++;
	err = put_u32(to, count);
	for (i = 0; !err && i < count; i++)
		err = dump_append_text(to, d->command[i]);
	return err;
}

static int put_event(struct dump_buffer *to, const struct dump_event *e)
{
	return dump_append(to, &e->attr, DUMP_ATTR_SIZE) ||
	       put_u32(to, (uint32_t)e->nr_ids + 1) || dump_append_text(to, e->name) ||
	       dump_append_ids(to, e) ? -ENOMEM : 0;
}

static int put_events(struct pmuctl_dump *d, struct dump_buffer *to)
{
	size_t i;
	int err = put_u32(to, (uint32_t)d->nr_events);

	if (!err)
		err = put_u32(to, DUMP_ATTR_SIZE);
	for (i = 0; !err && i < d->nr_events; i++)
		err = put_event(to, &d->events[i]);
	return err;
}

static uint32_t count_groups(const struct pmuctl_dump *d)
{
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < d->nr_events; i++)
		n += !!dump_group_size(d, i);
	return n;
}

/* Without names, which perf shows for want of others. */
static int put_groups(struct pmuctl_dump *d, struct dump_buffer *to)
{
	int err = put_u32(to, count_groups(d));
	size_t i;

	for (i = 0; !err && i < d->nr_events; i++)
		if (dump_group_size(d, i) &&
		    (dump_append_text(to, "{anon_group}") || put_u32(to, (uint32_t)i) ||
		     put_u32(to, (uint32_t)dump_group_size(d, i))))
			err = -ENOMEM;
	return err;
}

/* ---- CPUs ------------------------------------------------------------------------- */

/* The first line of a file of the kernel's, without its end; false: there is none. */
__attribute__((format(printf, 3, 4))) static bool read_line(char *text, size_t size,
							    const char *path_format, ...)
{
	char path[96];
	va_list ap;
	FILE *f;
	bool got;

	va_start(ap, path_format);
	vsnprintf(path, sizeof(path), path_format, ap);
	va_end(ap);
	f = fopen(path, "re");
	if (!f)
		return false;
	got = fgets(text, (int)size, f);
	fclose(f);
	if (got)
		text[strcspn(text, "\n")] = '\0';
	return got;
}

/* About a CPU's place; none of one that is offline. */
static bool read_topology(unsigned int cpu, const char *name, char *text, size_t size)
{
	return read_line(text, size, "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, name);
}

/* The lists of all cores or packages: each is told by the first of its CPUs. */
static int put_siblings(struct dump_buffer *to, const char *name)
{
	size_t at = to->used;
	uint32_t count = 0;
	unsigned int cpu, cpus = cpus_available();
	char list[4096];
	int err = put_u32(to, 0);

	for (cpu = 0; !err && cpu < cpus; cpu++) {
		if (!read_topology(cpu, name, list, sizeof(list)) ||
		    strtoul(list, NULL, 10) != cpu)
			continue;
		err = dump_append_text(to, list);
		count++;
	}
	if (!err)
		memcpy(to->bytes + at, &count, sizeof(count));
	return err;
}

static int put_number_of(struct dump_buffer *to, unsigned int cpu, const char *name)
{
	char text[32];

	return put_u32(to, read_topology(cpu, name, text, sizeof(text)) ?
		       (uint32_t)strtol(text, NULL, 10) : UINT32_MAX);
}

static int put_topology(struct pmuctl_dump *d, struct dump_buffer *to)
{
	unsigned int cpu, cpus = cpus_available();
	int err = put_siblings(to, "core_siblings_list");

	(void)d;
	if (!err)
		err = put_siblings(to, "thread_siblings_list");
	for (cpu = 0; !err && cpu < cpus; cpu++)
		err = put_number_of(to, cpu, "core_id") ||
		      put_number_of(to, cpu, "physical_package_id") ? -ENOMEM : 0;
	return err;
}

/* ---- nodes ------------------------------------------------------------------------ */

/* How many node numbers there may be: "0-3,8" may have gaps, and ends with the last one. */
static unsigned int node_numbers(void)
{
	char text[256];
	size_t at;

	if (!read_line(text, sizeof(text), "/sys/devices/system/node/possible"))
		return 0;
	at = strlen(text);
	while (at && strchr("0123456789", text[at - 1]))
		at--;
	return (unsigned int)strtoul(text + at, NULL, 10) + 1;
}

static bool read_cpus(unsigned int node, char *text, size_t size)
{
	return read_line(text, size, "/sys/devices/system/node/node%u/cpulist", node);
}

static int put_node(struct dump_buffer *to, unsigned int node, const char *cpus)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/meminfo", node);
	return put_u32(to, node) || put_u64(to, meminfo(path, "MemTotal:")) ||
	       put_u64(to, meminfo(path, "MemFree:")) || dump_append_text(to, cpus) ? -ENOMEM : 0;
}

static int put_nodes(struct pmuctl_dump *d, struct dump_buffer *to)
{
	size_t at = to->used;
	uint32_t count = 0;
	unsigned int node, numbers = node_numbers();
	char cpus[4096];
	int err = put_u32(to, 0);

	(void)d;
	for (node = 0; !err && node < numbers; node++) {
		if (!read_cpus(node, cpus, sizeof(cpus)))
			continue;
		err = put_node(to, node, cpus);
		count++;
	}
	if (!err)
		memcpy(to->bytes + at, &count, sizeof(count));
	return err;
}

/* Only the first-level data cache: what competes for its sets can be told by addresses. */
static int put_caches(struct pmuctl_dump *d, struct dump_buffer *to)
{
	struct pmuctl_cache c = { .size = sizeof(c) };
	bool known = !pmuctl_get_l1d(d->ctx, &c);
	const uint32_t head[] = { 1, known, 1, c.line, c.sets, c.ways };
	char size[24];

	/* Version and number stand there even for none. */
	if (dump_append(to, head, known ? sizeof(head) : 2 * sizeof(head[0])))
		return -ENOMEM;
	if (!known)
		return 0;
	snprintf(size, sizeof(size), "%uK", c.line * c.sets * c.ways / 1024);
	return dump_append_text(to, "Data") || dump_append_text(to, size) || dump_append_text(to, "0") ? -ENOMEM : 0;
}

/* What the file is of, whenever in it the first and the last sample came. */
static int put_sample_time(struct pmuctl_dump *d, struct dump_buffer *to)
{
	return put_u64(to, d->began) || put_u64(to, d->ended_at) ? -ENOMEM : 0;
}

/* One moment on both clocks. */
static int put_clocks(struct pmuctl_dump *d, struct dump_buffer *to)
{
	const uint32_t head[] = { 1, CLOCK_MONOTONIC };
	uint64_t before = monotonic_ns(), after;
	struct timespec now;

	(void)d;
	clock_gettime(CLOCK_REALTIME, &now);
	after = monotonic_ns();
	return dump_append(to, head, sizeof(head)) ||
	       put_u64(to, (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) ||
	       put_u64(to, before + (after - before) / 2) ? -ENOMEM : 0;
}

static int put_nothing(struct pmuctl_dump *d, struct dump_buffer *to)
{
	(void)d;
	(void)to;
	return 0;
}

/* ---- all ---------------------------------------------------------------------------- */

static const struct {
	unsigned int bit;
	int (*put)(struct pmuctl_dump *d, struct dump_buffer *to);
} features[] = {
	{ FEATURE_BUILD_ID, dump_files_put },
	{ FEATURE_HOSTNAME, put_hostname },
	{ FEATURE_OSRELEASE, put_release },
	{ FEATURE_VERSION, dump_put_version },
	{ FEATURE_ARCH, put_arch },
	{ FEATURE_NRCPUS, put_nrcpus },
	{ FEATURE_CPUDESC, put_cpudesc },
	{ FEATURE_CPUID, put_cpuid },
	{ FEATURE_TOTAL_MEM, put_memory },
	{ FEATURE_CMDLINE, put_command },
	{ FEATURE_EVENT_DESC, put_events },
	{ FEATURE_CPU_TOPOLOGY, put_topology },
	{ FEATURE_NUMA_TOPOLOGY, put_nodes },
	{ FEATURE_BRANCH_STACK, put_nothing },
	{ FEATURE_GROUP_DESC, put_groups },
	{ FEATURE_CACHE, put_caches },
	{ FEATURE_SAMPLE_TIME, put_sample_time },
	{ FEATURE_CLOCK_DATA, put_clocks },
};

static bool has_branches(const struct pmuctl_dump *d)
{
	size_t i;

	for (i = 0; i < d->nr_events; i++)
		if (d->events[i].attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			return true;
	return false;
}

/* These say something by being there. */
static bool is_there(const struct pmuctl_dump *d, unsigned int bit)
{
	if (bit == FEATURE_BRANCH_STACK)
		return has_branches(d);
	/* A pipe has its features before the samples. */
	if (bit == FEATURE_SAMPLE_TIME || bit == FEATURE_CLOCK_DATA)
		return !d->piped;
	return bit != FEATURE_GROUP_DESC || count_groups(d);
}

struct section {
	uint64_t at, size;
};

/* Sections of this index follow it, each where it says. */
static int put_features(struct pmuctl_dump *d, struct dump_buffer *to, uint64_t *bits)
{
	struct section index[ARRAY_SIZE(features)];
	size_t i, n = 0, head = 0;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(features); i++)
		head += is_there(d, features[i].bit) ? sizeof(index[0]) : 0;
	if (!dump_room(to, head))
		return -ENOMEM;
	for (i = 0; !err && i < ARRAY_SIZE(features); i++) {
		if (!is_there(d, features[i].bit))
			continue;
		index[n].at = d->info.bytes + to->used;
		err = features[i].put(d, to);
		index[n].size = d->info.bytes + to->used - index[n].at;
		*bits |= 1ull << features[i].bit;
		n++;
	}
	if (!err)
		memcpy(to->bytes, index, head);
	return err;
}

int dump_put_feature_records(struct pmuctl_dump *d)
{
	int err = 0;
	size_t i, at;

	for (i = 0; !err && i < ARRAY_SIZE(features); i++) {
		if (features[i].bit == FEATURE_BUILD_ID || !is_there(d, features[i].bit))
			continue;
		err = dump_begin_feature(&d->tasks, features[i].bit, &at);
		if (!err)
			err = features[i].put(d, &d->tasks);
		if (!err)
			err = dump_end_feature(&d->tasks, at);
	}
	return err;
}

int dump_write_features(struct pmuctl_dump *d, uint64_t *bits)
{
	struct dump_buffer to = { .bytes = NULL };
	int err = put_features(d, &to, bits);

	err = err ? fail(d->ctx, err, "out of memory") : dump_write(d, to.bytes, to.used);
	free(to.bytes);
	return err;
}
