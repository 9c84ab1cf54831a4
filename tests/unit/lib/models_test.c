// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events on every generation: what portable names become, which counters may
 * count what, and what is refused.  No libpfm4: it picks its tables once a
 * process.
 */
#include <errno.h>
#include <stdio.h>

#include "tests/unit/lib/event.h"

#define P PMUCTL_SOURCE_PORTABLE
#define R PMUCTL_SOURCE_RAW
#define FIXED(i) (1ull << (32 + (i)))
#define FIXED3 (FIXED(0) | FIXED(1) | FIXED(2))

struct cpu {
	const char *name;
	uint32_t signature, version;
	uint64_t counters;
	uint32_t server;	/* signature; 0: the same, or its events are */
};

static const struct cpu cpus[] = {
	{ "core2", 0x10676, 2, 0x3 | FIXED3 },
	{ "nehalem", 0x106a5, 3, 0xf | FIXED3 },
	{ "westmere", 0x206c2, 3, 0xf | FIXED3 },
	{ "sandybridge", 0x206a7, 3, 0xff | FIXED3, 0x206d7 },
	{ "ivybridge", 0x306a9, 3, 0xff | FIXED3, 0x306e4 },
	{ "haswell", 0x306c3, 3, 0xff | FIXED3 },
	{ "broadwell", 0x306d4, 3, 0xff | FIXED3 },
	{ "skylake", 0x506e3, 4, 0xff | FIXED3 },
	{ "skylake-x", 0x50654, 4, 0xff | FIXED3 },
	{ "icelake", 0x706e5, 5, 0xff | FIXED3 | FIXED(3) },
	{ "icelake-x", 0x606a6, 5, 0xff | FIXED3 | FIXED(3) },
	{ "sapphirerapids", 0x806f8, 5, 0xff | FIXED3 | FIXED(3) },
};

#define CPUS (sizeof(cpus) / sizeof(cpus[0]))

static struct pmuctl *open_cpu(const struct cpu *cpu)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = "" };
	struct pmuctl *ctx;

	fake_cpu(cpu->signature, cpu->version, cpu->counters);
	assert_int_equal(pmuctl_open(&options, &ctx), 0);
	return ctx;
}

/* A row a name, a column a generation as above; 0: there is none. */
static const struct {
	const char *name;
	uint32_t codes[CPUS];
} portables[] = {
	{ "cycles", { 0x3c, 0x3c, 0x3c, 0x3c, 0x3c, 0x3c, 0x3c, 0x3c, 0x3c, 0x3c, 0x3c, 0x3c } },
	{ "instructions",
	  { 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0 } },
	{ "ref-cycles", { 0x300, 0x300, 0x300, 0x300, 0x300, 0x300, 0x300, 0x300, 0x300, 0x300,
			  0x300, 0x300 } },
	{ "branches", { 0xc4, 0xc4, 0xc4, 0xc4, 0xc4, 0xc4, 0xc4, 0xc4, 0xc4, 0xc4, 0xc4, 0xc4 } },
	{ "branch-misses",
	  { 0xc5, 0xc5, 0xc5, 0xc5, 0xc5, 0xc5, 0xc5, 0xc5, 0xc5, 0xc5, 0xc5, 0xc5 } },
	{ "cache-references", { 0x4f2e, 0x4f2e, 0x4f2e, 0x4f2e, 0x4f2e, 0x4f2e, 0x4f2e, 0x4f2e,
				0x4f2e, 0x4f2e, 0x4f2e, 0x4f2e } },
	{ "cache-misses", { 0x412e, 0x412e, 0x412e, 0x412e, 0x412e, 0x412e, 0x412e, 0x412e, 0x412e,
			    0x412e, 0x412e, 0x412e } },
	{ "bus-cycles", { 0x13c, 0x13c, 0x13c, 0x13c, 0x13c, 0x13c, 0x13c, 0x13c, 0x13c, 0x13c,
			  0x13c, 0x13c } },
	{ "taken-branches", { 0, 0, 0, 0x20c4, 0x20c4, 0x20c4, 0x20c4, 0x20c4, 0x20c4, 0x20c4, 0x20c4,
			      0x20c4 } },
	{ "slots", { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x400, 0x400, 0x400 } },
	{ "l1d-loads", { 0xf40, 0x10b, 0x10b, 0x81d0, 0x81d0, 0x81d0, 0x81d0, 0x81d0, 0x81d0,
			 0x81d0, 0x81d0, 0x81d0 } },
	{ "l1d-load-misses", { 0x140, 0x140, 0x324, 0x324, 0x8d1, 0x8d1, 0x8d1, 0x8d1, 0x8d1,
			       0x8d1, 0x8d1, 0x8d1 } },
	{ "split-loads", { 0, 0, 0, 0x41d0, 0x41d0, 0x41d0, 0x41d0, 0x41d0, 0x41d0, 0x41d0, 0x41d0,
			   0x41d0 } },
	{ "l1d-stores", { 0xf41, 0x20b, 0x20b, 0x82d0, 0x82d0, 0x82d0, 0x82d0, 0x82d0, 0x82d0,
			  0x82d0, 0x82d0, 0x82d0 } },
	{ "mem-loads", { 0, 0x100b, 0x100b, 0x1cd, 0x1cd, 0x1cd, 0x1cd, 0x1cd, 0x1cd, 0x1cd, 0x1cd,
			 0x1cd } },
	{ "mem-stores", { 0, 0, 0, 0x2cd, 0x2cd, 0x82d0, 0x82d0, 0x82d0, 0x82d0, 0x82d0, 0x82d0,
			  0x82d0 } },
	{ "l1i-misses", { 0x81, 0x280, 0x280, 0x280, 0x280, 0x280, 0x280, 0x283, 0x283, 0x283,
			  0x283, 0xe424 } },
	{ "llc-loads", { 0x4f29, 0x224, 0x224, 0x1b0, 0x10d1, 0x10d1, 0x10d1, 0x10d1, 0x10d1, 0x10d1,
			 0x10d1, 0x10d1 } },
	{ "llc-load-misses", { 0x4129, 0x10cb, 0x10cb, 0x2d4, 0x20d1, 0x20d1, 0x20d1, 0x20d1,
			       0x20d1, 0x20d1, 0x20d1, 0x20d1 } },
	{ "dtlb-load-misses", { 0x208, 0x108, 0x108, 0x108, 0x8108, 0x108, 0x108, 0xe08, 0xe08,
				0xe08, 0xe08, 0xe12 } },
	{ "dtlb-store-misses", { 0x808, 0x10c, 0x10c, 0x149, 0x149, 0x149, 0x149, 0xe49, 0xe49,
				 0xe49, 0xe49, 0xe13 } },
	{ "itlb-misses", { 0x1282, 0x185, 0x185, 0x185, 0x185, 0x185, 0x185, 0xe85, 0xe85, 0xe85,
			   0xe85, 0xe11 } },
};

static void check_portable(struct pmuctl *ctx, const struct cpu *cpu, const char *name,
			   uint32_t code)
{
	struct pmuctl_event *event;
	int err = pmuctl_event_parse(ctx, name, &event);

	if (err != (code ? 0 : -EOPNOTSUPP))
		fail_msg("%s: %s: %d %s", cpu->name, name, err, pmuctl_error(ctx));
	if (err)
		return;
	if (pmuctl_event_get_info(event)->registers[0].value != code)
		fail_msg("%s: %s is not %x", cpu->name, name, code);
	pmuctl_event_free(event);
}

static void portable_names(void **state)
{
	struct pmuctl *ctx;
	size_t i, k;

	(void)state;
	for (i = 0; i < CPUS; i++) {
		ctx = open_cpu(&cpus[i]);
		for (k = 0; k < sizeof(portables) / sizeof(portables[0]); k++)
			check_portable(ctx, &cpus[i], portables[k].name, portables[k].codes[i]);
		pmuctl_close(ctx);
	}
}

/* Parts with small cores, and Golden Cove in a client; codes of Intel's lists. */
#define PARTS 6

static const struct cpu parts[PARTS] = {
	{ "alderlake-p", 0xd0670, 5, 0xff | FIXED3 | FIXED(3) },
	{ "goldmont", 0x506c9, 4, 0xf | FIXED3 },
	{ "goldmontplus", 0x706a8, 4, 0xf | FIXED3 },
	{ "tremont", 0x90661, 5, 0xf | FIXED3 },
	{ "gracemont", 0xb06e0, 5, 0x3f | FIXED3 },
	{ "crestmont", 0xa06f3, 5, 0xff | FIXED3 },
};

static const struct {
	const char *name;
	uint32_t codes[PARTS];
} of_parts[] = {
	{ "cycles", { 0x3c, 0x3c, 0x3c, 0x3c, 0x3c, 0x3c } },
	{ "branch-misses", { 0xc5, 0xc5, 0xc5, 0xc5, 0xc5, 0xc5 } },
	{ "slots", { 0x400, 0, 0, 0, 0, 0 } },
	{ "l1d-loads", { 0x81d0, 0x81d0, 0x81d0, 0x81d0, 0x81d0, 0x81d0 } },
	{ "l1d-load-misses", { 0x8d1, 0x8d1, 0x8d1, 0x8d1, 0x8d1, 0x40d1 } },
	{ "split-loads", { 0x41d0, 0x41d0, 0x41d0, 0x41d0, 0x41d0, 0x41d0 } },
	{ "taken-branches", { 0x20c4, 0x80c4, 0x80c4, 0, 0xc0c4, 0xc0c4 } },
	{ "l1d-stores", { 0x82d0, 0x82d0, 0x82d0, 0x82d0, 0x82d0, 0x82d0 } },
	{ "mem-loads", { 0x1cd, 0, 0, 0, 0x5d0, 0x5d0 } },
	{ "mem-stores", { 0x82d0, 0x82d0, 0x82d0, 0x82d0, 0x82d0, 0x82d0 } },
	{ "l1i-misses", { 0xe424, 0x280, 0x280, 0x280, 0x280, 0x280 } },
	{ "llc-loads", { 0x10d1, 0x8d1, 0x8d1, 0x10d1, 0x10d1, 0x80d1 } },
	{ "llc-load-misses", { 0x20d1, 0x10d1, 0x10d1, 0x80d1, 0x80d1, 0xffd3 } },
	{ "dtlb-load-misses", { 0xe12, 0x11d0, 0xe08, 0xe08, 0xe08, 0xe08 } },
	{ "dtlb-store-misses", { 0xe13, 0x12d0, 0xe49, 0xe49, 0xe49, 0xe49 } },
	{ "itlb-misses", { 0xe11, 0x481, 0x481, 0xe85, 0xe85, 0xe85 } },
	{ "llc-stores", { 0, 0, 0, 0, 0, 0 } },
	{ "node-loads", { 0, 0, 0, 0, 0, 0 } },
};

static void portable_names_of_parts(void **state)
{
	struct pmuctl *ctx;
	size_t i, k;

	(void)state;
	for (i = 0; i < PARTS; i++) {
		ctx = open_cpu(&parts[i]);
		for (k = 0; k < sizeof(of_parts) / sizeof(of_parts[0]); k++)
			check_portable(ctx, &parts[i], of_parts[k].name, of_parts[k].codes[i]);
		pmuctl_close(ctx);
	}
}

/*
 * The rest of perf's names as Linux 6.1 has them: codes, and what the register beside it says
 * (printed by a program of its own out of arch/x86/events/intel/core.c).
 */
static const struct {
	const char *name;
	uint32_t codes[CPUS];
	uint64_t extras[CPUS];
} perfs_names[] = {
	{ "stalled-cycles-frontend",
	  { 0, 0x180010e, 0x180010e, 0x180010e, 0x180010e, 0, 0, 0, 0, 0, 0, 0 }, { 0 } },
	{ "stalled-cycles-backend",
	  { 0, 0x1803fb1, 0x1803fb1, 0x18001b1, 0, 0, 0, 0, 0, 0, 0, 0 }, { 0 } },
	{ "iTLB-loads",
	  { 0xc0, 0x1c0, 0x1c0, 0x1085, 0x1085, 0x6085, 0x6085, 0x2085, 0x2085, 0, 0, 0 },
	  { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
	{ "L1-dcache-store-misses",
	  { 0x141, 0x251, 0x251, 0x851, 0x851, 0, 0, 0, 0, 0, 0, 0 },
	  { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
	{ "L1-dcache-prefetches",
	  { 0x104e, 0x14e, 0x14e, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	  { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
	{ "L1-dcache-prefetch-misses",
	  { 0, 0x24e, 0x24e, 0x24e, 0x24e, 0, 0, 0, 0, 0, 0, 0 },
	  { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
	{ "L1-icache-loads",
	  { 0x80, 0x380, 0x380, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	  { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
	{ "LLC-stores",
	  { 0x4f2a, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x12a },
	  { 0, 0xf70a, 0xf70a, 0x10102, 0x10102, 0x10002, 0x10002, 0x3fc0010002, 0x3fc0010002,
	    0x3fc0010002, 0x3fc0010002, 0x3f3ffc0002 } },
	{ "LLC-store-misses",
	  { 0x412a, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x12a },
	  { 0, 0xf00a, 0xf00a, 0x3fffc00102, 0x3fffc00102, 0x3fb8400002, 0x1fbc000002,
	    0x3ffc020002, 0x3ffc020002, 0x3ffc020002, 0x3ffc020002, 0x3f3fc00002 } },
	{ "LLC-prefetches",
	  { 0, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0, 0, 0, 0, 0, 0, 0 },
	  { 0, 0xf730, 0xf730, 0x10030, 0x10030, 0, 0, 0, 0, 0, 0, 0 } },
	{ "LLC-prefetch-misses",
	  { 0, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0, 0, 0, 0, 0, 0, 0 },
	  { 0, 0xf030, 0xf030, 0x3fffc00030, 0x3fffc00030, 0, 0, 0, 0, 0, 0, 0 } },
	{ "node-loads",
	  { 0, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x12a },
	  { 0, 0x7001, 0x7001, 0x1fffc00081, 0x1fffc00081, 0x1f80400001, 0x1f84000001,
	    0x1fc4000001, 0x1fc4000001, 0x1fc4000001, 0x1fc4000001, 0x10c000001 } },
	{ "node-load-misses",
	  { 0, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x12a },
	  { 0, 0x2001, 0x2001, 0x1fff800081, 0x1fff800081, 0x1fb8000001, 0x1fb8000001,
	    0x1ff8000001, 0x1ff8000001, 0x1ff8000001, 0x1ff8000001, 0x3fb3000001 } },
	{ "node-stores",
	  { 0, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0 },
	  { 0, 0x700a, 0x700a, 0x1fffc00102, 0x1fffc00102, 0x1f80400002, 0x1f84000002,
	    0x1fc4000002, 0x1fc4000002, 0x1fc4000002, 0x1fc4000002, 0 } },
	{ "node-store-misses",
	  { 0, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0 },
	  { 0, 0x200a, 0x200a, 0x1fff800102, 0x1fff800102, 0x1fb8000002, 0x1fb8000002,
	    0x1ff8000002, 0x1ff8000002, 0x1ff8000002, 0x1ff8000002, 0 } },
	{ "node-prefetches",
	  { 0, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0, 0, 0, 0, 0, 0, 0 },
	  { 0, 0x7030, 0x7030, 0x1fffc00030, 0x1fffc00030, 0, 0, 0, 0, 0, 0, 0 } },
	{ "node-prefetch-misses",
	  { 0, 0x1b7, 0x1b7, 0x1b7, 0x1b7, 0, 0, 0, 0, 0, 0, 0 },
	  { 0, 0x2030, 0x2030, 0x1fff800030, 0x1fff800030, 0, 0, 0, 0, 0, 0, 0 } },
};

static void check_perfs_name(struct pmuctl *ctx, const char *cpu, size_t name, size_t column)
{
	const uint64_t extra = perfs_names[name].extras[column];
	struct pmuctl_event *event;
	const struct pmuctl_event_info *info;

	assert_int_equal(pmuctl_event_parse(ctx, perfs_names[name].name, &event), 0);
	info = pmuctl_event_get_info(event);
	assert_int_equal(info->registers_count, extra ? 2 : 1);
	if (extra && info->registers[1].value != extra)
		fail_msg("%s: %s has 0x%llx beside it", cpu, perfs_names[name].name,
			 (unsigned long long)info->registers[1].value);
	pmuctl_event_free(event);
}

/* Its two sorts of Sandy and Ivy Bridge are one to Linux, which takes the server's. */
static void perfs_other_names(void **state)
{
	struct pmuctl *ctx;
	struct cpu cpu;
	size_t i, k;

	(void)state;
	for (i = 0; i < CPUS; i++) {
		cpu = cpus[i];
		if (cpu.server)
			cpu.signature = cpu.server;
		ctx = open_cpu(&cpu);
		for (k = 0; k < sizeof(perfs_names) / sizeof(perfs_names[0]); k++) {
			check_portable(ctx, &cpu, perfs_names[k].name, perfs_names[k].codes[i]);
			if (perfs_names[k].codes[i])
				check_perfs_name(ctx, cpu.name, k, i);
		}
		pmuctl_close(ctx);
	}
}

static void check_on_client(struct pmuctl *ctx, const char *name, uint64_t extra)
{
	struct pmuctl_event *event;

	assert_int_equal(pmuctl_event_parse(ctx, name, &event), extra ? 0 : -EOPNOTSUPP);
	if (!extra)
		return;
	assert_int_equal(pmuctl_event_get_info(event)->registers[1].value, extra);
	pmuctl_event_free(event);
}

static int no_other_node(void *data, const struct pmuctl_event_desc *desc)
{
	assert_string_not_equal(desc->name, "node-load-misses");
	(*(int *)data)++;
	return 0;
}

/* The rest of the bits of perf's values is what clients do not have (0x3f807f8fff are there). */
static void clients_have_one_node(void **state)
{
	struct pmuctl *ctx;
	int listed = 0;
	size_t i;

	(void)state;
	for (i = 0; i < CPUS; i++) {
		if (!cpus[i].server)
			continue;
		ctx = open_cpu(&cpus[i]);
		check_on_client(ctx, "LLC-stores", 0x10102);
		check_on_client(ctx, "LLC-store-misses", 0x3f80400102);
		check_on_client(ctx, "LLC-prefetch-misses", 0x3f80400030);
		check_on_client(ctx, "node-loads", 0x1f80400081);
		check_on_client(ctx, "node-load-misses", 0);
		check_on_client(ctx, "node-store-misses", 0);
		assert_int_equal(pmuctl_list_events(ctx, "node-*", no_other_node, &listed), 0);
		pmuctl_close(ctx);
	}
	/* Loads, stores, prefetches. */
	assert_int_equal(listed, 2 * 3);
}

static const struct {
	const char *cpu;
	struct expected x;
} table[] = {
	{ "nehalem", { "r0140", 0, 0x140, 0x3, true, true, R } },
	{ "nehalem", { "r0151", 0, 0x151, 0x3, true, true, R } },
	{ "nehalem", { "r100b:ldlat=9", 0, 0x100b, 0xf, true, true, R, .extra = { 4, 0, 9 } } },
	{ "nehalem", { "r01bb:offcore_rsp=1", -EINVAL, .error = "no meaning" } },
	{ "nehalem", { "cycles:any", 0, 0x20003c, 0xf | FIXED(1), true, true, P } },
	{ "westmere", { "r0140", 0, 0x140, 0xf, true, true, R } },
	{ "westmere", { "r0160", 0, 0x160, 0x1, true, true, R } },
	{ "westmere", { "r01bb:offcore_rsp=1", 0, 0x1bb, 0xf, true, true, R,
			.extra = { 3, 1, 1 } } },
	{ "sandybridge", { "r0148", 0, 0x148, 0x4, true, true, R } },
	{ "sandybridge", { "r02a3", 0, 0x2a3, 0x4, true, true, R } },
	{ "sandybridge", { "r04a3", 0, 0x4a3, 0xf, true, true, R } },
	{ "sandybridge", { "r01c0", 0, 0x1c0, 0x2, true, true, R } },
	{ "sandybridge", { "r01cd", 0, 0x1cd, 0x8, true, true, R, .extra = { 4, 0, 3 } } },
	{ "sandybridge", { "r01d1", 0, 0x1d1, 0xf, true, true, R } },
	{ "sandybridge", { "r0151", 0, 0x151, 0xff, true, true, R } },
	{ "sandybridge", { "r01c6:frontend=0x11", -EINVAL, .error = "no meaning" } },
	{ "ivybridge", { "r0148", 0, 0x148, 0x4, true, true, R } },
	{ "ivybridge", { "r02a3", 0, 0x2a3, 0xf, true, true, R } },
	{ "ivybridge", { "r08a3", 0, 0x8a3, 0x4, true, true, R } },
	{ "haswell", { "r0ca3", 0, 0xca3, 0x4, true, true, R } },
	{ "haswell", { "r00c4", 0, 0xc4, 0xff, true, true, R } },
	{ "haswell", { "r04c4", 0, 0x4c4, 0xf, true, true, R } },
	{ "haswell", { "instructions:any", 0, 0x2000c0, 0xff | FIXED(0), true, true, P } },
	{ "broadwell", { "r01cd", 0, 0x1cd, 0x8, true, true, R, .extra = { 4, 0, 3 } } },
	{ "skylake", { "r81d0", 0, 0x81d0, 0xf, true, true, R } },
	{ "skylake", { "r00c4", 0, 0xc4, 0xff, true, true, R } },
	{ "skylake", { "ra8001c0", 0, 0xa8001c0, 0xd, true, true, R } },
	{ "icelake", { "cycles:any", -EOPNOTSUPP, .error = "AnyThread" } },
	/* INST_RETIRED.PREC_DIST by Intel's code, and by the one up to Skylake. */
	{ "icelake", { "r01c0", 0, 0xc0, FIXED(0), true, true, R,
		       .note = "0x01c0, INST_RETIRED.PREC_DIST's old code" } },
	{ "icelake", { "r18001c0", 0, 0x18001c0, 0xff, true, true, R } },
	{ "icelake", { "r0100", 0, 0xc0, 0xff | FIXED(0), true, true, R,
		       .note = "0x0100 is fixed counter 0's alone: 0x00c0 counts the same" } },
	{ "sapphirerapids", { "r01c0", 0, 0x1c0, 0xff, true, true, R } },
	{ "ivybridge", { "cycles:intx", -EOPNOTSUPP, .error = "has no transactional memory" } },
	{ "icelake", { "slots", 0, 0x400, FIXED(3), true, true, P } },
	{ "icelake", { "r01a4", 0, 0x1a4, 0xff, true, true, R } },
	{ "icelake", { "r0124", 0, 0x124, 0xf, true, true, R } },
	{ "icelake", { "r01a3", 0, 0x1a3, 0xf, true, true, R } },
	{ "icelake", { "r04a3", 0, 0x4a3, 0xff, true, true, R } },
	{ "icelake", { "r01d0", 0, 0x1d0, 0xf, true, true, R } },
	{ "icelake", { "r01cd", 0, 0x1cd, 0xff, true, true, R, .extra = { 4, 0, 3 } } },
	{ "icelake", { "r01c6:frontend=0x11", 0, 0x1c6, 0xff, true, true, R,
		       .extra = { 5, 0, 0x11 } } },
	{ "icelake", { "r8000", -EOPNOTSUPP, .error = "no counter" } },
	{ "sapphirerapids", { "r012a:offcore_rsp=1", 0, 0x12a, 0xf, true, true, R,
			      .extra = { 3, 0, 1 } } },
	{ "sapphirerapids", { "r012b:offcore_rsp=1", 0, 0x12b, 0xf, true, true, R,
			      .extra = { 3, 1, 1 } } },
	{ "sapphirerapids", { "r01cd", 0, 0x1cd, 0xfe, true, true, R, .extra = { 4, 0, 3 } } },
	{ "sapphirerapids", { "r04c2", 0, 0x4c2, 0xff, true, true, R, .extra = { 5, 0, 8 } } },
	{ "sapphirerapids", { "r02cd", 0, 0x2cd, 0x1, true, true, R } },
	{ "sapphirerapids", { "r412e", 0, 0x412e, 0xff, true, true, R } },
	{ "core2", { "cycles:any", -EOPNOTSUPP, .error = "does not have yet" } },
	{ "core2", { "r01b7:offcore_rsp=1", -EINVAL, .error = "no meaning" } },
};

static void counters_and_registers(void **state)
{
	struct pmuctl *ctx;
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		for (k = 0; k < CPUS; k++) {
			if (strcmp(cpus[k].name, table[i].cpu))
				continue;
			ctx = open_cpu(&cpus[k]);
			parses_as(ctx, &table[i].x);
			pmuctl_close(ctx);
		}
}

static const struct cpu unknown = { "unknown", 0x906f0, 4, 0xf | FIXED3 };

static const struct expected arch_only[] = {
	{ "instructions", 0, 0xc0, 0xf | FIXED(0), true, true, P },
	{ "ref-cycles", 0, 0x300, FIXED(2), true, true, P },
	{ "cache-misses:u", 0, 0x412e, 0xf, true, false, P },
	{ "r00c4:cmask=1", 0, 0x10000c4, 0xf, true, true, R },
	{ "r01c2", -EOPNOTSUPP, .error = "architectural events only" },
	{ "cpu/event=0xd1,umask=8/", -EOPNOTSUPP, .error = "architectural events only" },
	{ "l1d-loads", -EOPNOTSUPP, .error = "no event for l1d-loads" },
};

static void unknown_model(void **state)
{
	struct pmuctl *ctx = open_cpu(&unknown);
	size_t i;

	(void)state;
	fake.info_new = true;
	fake.arch_only = 1;
	for (i = 0; i < sizeof(arch_only) / sizeof(arch_only[0]); i++)
		parses_as(ctx, &arch_only[i]);
	pmuctl_close(ctx);
}

/* The module decides, where it says so. */
static void module_forbids_any(void **state)
{
	const struct expected any = { "cycles:any", -EOPNOTSUPP, .error = "AnyThread" };
	struct pmuctl *ctx = open_cpu(&cpus[7]);

	(void)state;
	fake.info_new = true;
	parses_as(ctx, &any);
	pmuctl_close(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(portable_names),
		cmocka_unit_test(portable_names_of_parts),
		cmocka_unit_test(perfs_other_names),
		cmocka_unit_test(clients_have_one_node),
		cmocka_unit_test(counters_and_registers),
		cmocka_unit_test(unknown_model),
		cmocka_unit_test(module_forbids_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
