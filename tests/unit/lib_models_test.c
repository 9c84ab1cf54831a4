// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events on every generation: what portable names become, which counters may
 * count what, and what is refused.  No libpfm4: it picks its tables once a
 * process.
 */
#include <errno.h>
#include <stdio.h>

#include "lib_event.h"

#define P PMUCTL_SOURCE_PORTABLE
#define R PMUCTL_SOURCE_RAW
#define FIXED(i) (1ull << (32 + (i)))
#define FIXED3 (FIXED(0) | FIXED(1) | FIXED(2))

struct cpu {
	const char *name;
	uint32_t signature, version;
	uint64_t counters;
};

static const struct cpu cpus[] = {
	{ "core2", 0x10676, 2, 0x3 | FIXED3 },
	{ "nehalem", 0x106a5, 3, 0xf | FIXED3 },
	{ "westmere", 0x206c2, 3, 0xf | FIXED3 },
	{ "sandybridge", 0x206a7, 3, 0xff | FIXED3 },
	{ "ivybridge", 0x306a9, 3, 0xff | FIXED3 },
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
	{ "slots", { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x400, 0x400, 0x400 } },
	{ "l1d-loads", { 0xf40, 0x10b, 0x10b, 0x81d0, 0x81d0, 0x81d0, 0x81d0, 0x81d0, 0x81d0,
			 0x81d0, 0x81d0, 0x81d0 } },
	{ "l1d-load-misses", { 0x140, 0x140, 0x324, 0x324, 0x8d1, 0x8d1, 0x8d1, 0x8d1, 0x8d1,
			       0x8d1, 0x8d1, 0x8d1 } },
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
		cmocka_unit_test(counters_and_registers),
		cmocka_unit_test(unknown_model),
		cmocka_unit_test(module_forbids_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
