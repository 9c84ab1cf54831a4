// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every event that Top-Down names on all generations that have it, and those of which libpfm4 has
 * another code than Intel, by libpfm4 with our mending: its code and the value of the register
 * beside it are those of Intel's lists (tests/figures/events.csv).  Where PMUCTL_FACTS has Intel's
 * files these have the same codes, and those of larger tables.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib/event.h"
#include "tests/unit/lib/figures.h"

static const struct cpu {
	const char *arch, *pfm;
	uint32_t signature, version;
	uint64_t counters;
} cpus[] = {
	{ "SNB", "snb", 0x206a7, 3, 0x7000000ffull },
	{ "IVB", "ivb", 0x306a9, 3, 0x7000000ffull },
	{ "HSW", "hsw", 0x306c3, 3, 0x7000000ffull },
	{ "BDW", "bdw", 0x306d4, 3, 0x7000000ffull },
	{ "SKL", "skl", 0x506e3, 4, 0x7000000ffull },
	{ "SKX", "skx", 0x50654, 4, 0x7000000ffull },
	{ "ICL", "icl", 0x706e5, 5, 0xf000000ffull },
	{ "ICX", "icx", 0x606a6, 5, 0xf000000ffull },
	{ "SPR", "spr", 0x806f8, 5, 0xf000000ffull },
	{ "GLM", "glm", 0x506c9, 4, 0x70000000full },
	{ "ADL", "spr", 0xd0670, 5, 0xf000000ffull },
	{ "GRT", "ix86arch", 0xb06e0, 5, 0x70000003full },
	{ "CMT", "ix86arch", 0xa06f3, 5, 0x7000000ffull },
};

/* Those that the larger tables have, too: up to Sapphire Rapids. */
#define LISTED 9
#define COLUMNS 20

/* Codes that only fixed counters have, in those of general-purpose ones. */
static uint64_t as_ours(uint64_t code)
{
	if ((code & 0xffff) == 0x0100)
		return (code & ~0xffffull) | 0xc0;
	if ((code & 0xffff) == 0x0200)
		return (code & ~0xffffull) | 0x3c;
	/* Small cores' bad speculation, front end, retiring. */
	return code == 0x0500 ? 0x73 : code == 0x0600 ? 0x19c : code == 0x0700 ? 0x2c2 : code;
}

/* 0: as it should be; extra: of the register beside it, 0: none, and NULL: not looked at. */
static int differs(struct pmuctl *ctx, const char *arch, const char *name, uint64_t code,
		   const uint64_t *extra)
{
	const struct pmuctl_event_info *info;
	struct pmuctl_event *event;
	uint64_t got, beside;

	if (pmuctl_event_parse(ctx, name, &event)) {
		printf("%s %s: %s\n", arch, name, pmuctl_error(ctx));
		return 1;
	}
	info = pmuctl_event_get_info(event);
	got = info->registers[0].value;
	beside = info->registers_count > 1 ? info->registers[1].value : 0;
	pmuctl_event_free(event);
	if (got == as_ours(code) && (!extra || beside == *extra))
		return 0;
	printf("%s %s: %llx beside %llx, and the table has %llx beside %llx\n", arch, name,
	       (unsigned long long)got, (unsigned long long)beside, (unsigned long long)code,
	       extra ? (unsigned long long)*extra : 0);
	return 1;
}

struct comparing {
	const char *arch;
	struct pmuctl *ctx;
	int rows, bad;
};

static void compare_row(char **f, void *data)
{
	struct comparing *c = data;
	const uint64_t extra = strtoull(f[3], NULL, 16);

	if (strcmp(f[0], c->arch))
		return;
	c->rows++;
	c->bad += differs(c->ctx, f[0], f[1], strtoull(f[2], NULL, 16), &extra);
}

static int compare_figures(const struct cpu *cpu, const char *dir)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = dir };
	struct comparing c = { .arch = cpu->arch };

	setenv("LIBPFM_FORCE_PMU", cpu->pfm, 1);
	fake_cpu(cpu->signature, cpu->version, cpu->counters);
	fake.arch_events = 0xff;
	if (pmuctl_open(&options, &c.ctx))
		return 1;
	figures_read("events.csv", compare_row, &c);
	pmuctl_close(c.ctx);
	printf("%s: %d of %d events\n", cpu->arch, c.rows - c.bad, c.rows);
	return c.bad || !c.rows;
}

/* Each generation in a process of its own: libpfm4 knows one CPU.  How many differ. */
static int of_all_cpus(int (*compare)(const struct cpu *cpu, const char *dir), const char *dir)
{
	int status, bad = 0;
	size_t i;
	pid_t pid;

	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		fflush(NULL);
		pid = fork();
		if (!pid) {
			status = compare(&cpus[i], dir);
			fflush(NULL);
			_exit(status);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		bad += !!status;
	}
	return bad;
}

static void libpfm4_and_our_mending(void **state)
{
	(void)state;
	assert_int_equal(of_all_cpus(compare_figures, ""), 0);
}

/* ---- a server's names on a client ------------------------------------------------------------ */

static int parse_fails(struct pmuctl *ctx, const char *name, const char *why)
{
	struct pmuctl_event *event;
	int err = pmuctl_event_parse(ctx, name, &event);

	if (!err)
		pmuctl_event_free(event);
	if (why ? err && strstr(pmuctl_error(ctx), why) : !err)
		return 0;
	printf("%s: %s\n", name, err ? pmuctl_error(ctx) : "taken");
	return 1;
}

static int find_server_event(void *data, const struct pmuctl_event_desc *desc)
{
	(void)data;
	return !strncmp(desc->name, "OCR", 3) && strstr(desc->name, "REMOTE") ? 1 : 0;
}

/* Libpfm4 4.13.0 takes a client's big cores for a server's, later ones know them. */
static bool knows_clients(struct pmuctl *ctx)
{
	return !parse_fails(ctx, "OCR.HWPF_L3.REMOTE", "no such event");
}

/* In a process of its own. */
static int client_fails(const char *name)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = "" };
	const bool big = !strcmp(name, "alderlake-p");
	const char *servers = big ? "of servers" : "does not know";
	struct pmuctl *ctx;
	int bad = 0;

	if (pmuctl_open(&options, &ctx) || pmuctl_plan_for(ctx, name))
		return 1;
	if (knows_clients(ctx))
		servers = "no such";
	bad |= parse_fails(ctx, "MEM_LOAD_RETIRED.L1_MISS", big ? NULL : servers);
	bad |= parse_fails(ctx, "OCR.DEMAND_DATA_RD.DRAM", big ? NULL : servers);
	bad |= parse_fails(ctx, "OCR.HWPF_L3.REMOTE", servers);
	bad |= parse_fails(ctx, "ocr:hwpf_l3_remote", servers);
	bad |= parse_fails(ctx, "FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE", servers);
	bad |= parse_fails(ctx, "TX_MEM:ABORT_CONFLICT", servers);
	bad |= parse_fails(ctx, "TOPDOWN_FE_BOUND.ALL", big ? "no such event" : NULL);
	bad |= big && pmuctl_list_events(ctx, "*OCR*", find_server_event, NULL);
	pmuctl_close(ctx);
	return bad;
}

static void clients_are_no_servers(void **state)
{
	static const char *const names[] = { "alderlake-p", "alderlake-n" };
	int status;
	size_t i;
	pid_t pid;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		fflush(NULL);
		pid = fork();
		if (!pid) {
			status = client_fails(names[i]);
			fflush(NULL);
			_exit(status);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
}

/* ---- the figures as a file like Intel's ---------------------------------------------------- */

struct writing {
	const char *arch;
	FILE *to;
};

static void write_event(char **f, void *data)
{
	const uint64_t code = strtoull(f[2], NULL, 16), extra = strtoull(f[3], NULL, 16);
	const struct writing *w = data;

	if (strcmp(f[0], w->arch))
		return;
	fprintf(w->to, "{ \"EventName\": \"%s\", \"EventCode\": \"0x%02X\", \"UMask\": \"0x%02X\",",
		f[1], (unsigned int)code & 0xff, (unsigned int)code >> 8 & 0xff);
	fprintf(w->to, " \"Counter\": \"0,1,2,3\", \"CounterMask\": \"%u\", \"Invert\": \"%u\",",
		(unsigned int)code >> 24 & 0xff, (unsigned int)code >> 23 & 1);
	fprintf(w->to, " \"EdgeDetect\": \"%u\", \"AnyThread\": \"%u\",",
		(unsigned int)code >> 18 & 1, (unsigned int)code >> 21 & 1);
	fprintf(w->to, " \"MSRIndex\": \"%s\", \"MSRValue\": \"0x%llX\" },\n",
		extra ? "0x1a6,0x1a7" : "0", (unsigned long long)extra);
}

static int compare_file(const struct cpu *cpu, const char *dir)
{
	struct writing w = { .arch = cpu->arch };
	char path[256];
	int bad;

	snprintf(path, sizeof(path), "%s/%s.json", dir, cpu->arch);
	w.to = fopen(path, "w");
	if (!w.to)
		return 1;
	fprintf(w.to, "{ \"Events\": [\n");
	figures_read("events.csv", write_event, &w);
	fprintf(w.to, "{ \"EventName\": \"LAST\", \"EventCode\": \"0x01\" } ] }\n");
	if (fclose(w.to))
		return 1;
	bad = compare_figures(cpu, path);
	unlink(path);
	return bad;
}

static void a_file_like_intels(void **state)
{
	char dir[] = "/tmp/facts_test-XXXXXX";
	int bad;

	(void)state;
	assert_non_null(mkdtemp(dir));
	bad = of_all_cpus(compare_file, dir);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(bad, 0);
}

/* ---- Intel's own, where they are ----------------------------------------------------------- */

/* All rows of one generation, in a process of its own: libpfm4 knows one CPU. */
static int compare_table(const struct cpu *cpu, const char *table, int column, const char *dir)
{
	const struct pmuctl_options options = { .size = sizeof(options), .events_dir = dir };
	char line[4096], *fields[COLUMNS];
	int bad = 0, rows = 0;
	struct pmuctl *ctx;
	FILE *f = fopen(table, "r");

	setenv("LIBPFM_FORCE_PMU", cpu->pfm, 1);
	fake_cpu(cpu->signature, cpu->version, cpu->counters);
	fake.arch_events = 0xff;
	if (!f || pmuctl_open(&options, &ctx))
		return 1;
	while (fgets(line, sizeof(line), f)) {
		csv_split(line, fields, COLUMNS);
		if (strcmp(fields[0], cpu->arch))
			continue;
		rows++;
		bad += differs(ctx, fields[0], fields[1], strtoull(fields[column], NULL, 0),
			       NULL);
	}
	pmuctl_close(ctx);
	fclose(f);
	printf("%s: %d of %d events\n", cpu->arch, rows - bad, rows);
	return bad || !rows;
}

static void compare_all(const char *name, int column)
{
	const char *facts = getenv("PMUCTL_FACTS");
	char table[4096], dir[4096];
	int status, bad = 0;
	size_t i;
	pid_t pid;

	facts = facts ? facts : "/work/shared/facts";
	snprintf(table, sizeof(table), "%s/%s", facts, name);
	snprintf(dir, sizeof(dir), "%s/perfmon", facts);
	if (access(table, R_OK) || access(dir, R_OK)) {
		print_message("only the figures were compared: no %s (PMUCTL_FACTS)\n", table);
		skip();
	}
	for (i = 0; i < LISTED; i++) {
		fflush(NULL);
		pid = fork();
		if (!pid) {
			status = compare_table(&cpus[i], table, column, dir);
			fflush(NULL);
			_exit(status);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		bad += !!status;
	}
	assert_int_equal(bad, 0);
}

static void intels_files(void **state)
{
	(void)state;
	compare_all("topdown-events.csv", 8);
	compare_all("pebs-and-constraints.csv", 4);
}

/* ---- cores of version 6, by all of Intel's lists ------------------------------------------- */

static const struct part {
	const char *arch, *pmu, *dir;
	uint32_t signature, make;
} parts[] = {
	{ "ARL-P", "cpu_core", "ARL", 0xc0662, 3 }, { "ARL-E", "cpu_atom", "ARL", 0xc0662, 3 },
	{ "LNL-P", "cpu_core", "LNL", 0xb06d1, 3 }, { "LNL-E", "cpu_atom", "LNL", 0xb06d1, 3 },
	{ "PTL-P", "cpu_core", "PTL", 0xc06c3, 4 }, { "PTL-E", "cpu_atom", "PTL", 0xc06c3, 4 },
};

/* "0,1,2" of counters; a fixed one is 32 and more. */
static uint64_t listed_counters(const char *list)
{
	uint64_t mask = 0;
	char *end;

	for (; *list; list = *end ? end + 1 : end)
		mask |= 1ull << strtoul(list, &end, 10);
	return mask;
}

/* An event of the list is taken with its code, and on its counters; a fixed one may be beside. */
static int check_listed(struct pmuctl *ctx, const struct part *part, char **f)
{
	uint64_t code = strtoull(f[4], NULL, 0), counters = listed_counters(f[6]), got, on;
	const struct pmuctl_event_info *info;
	struct pmuctl_event *event;
	char name[128];

	snprintf(name, sizeof(name), "%s/%s/", part->pmu, f[1]);
	if (pmuctl_event_parse(ctx, name, &event)) {
		printf("%s: %s\n", name, pmuctl_error(ctx));
		return 1;
	}
	info = pmuctl_event_get_info(event);
	got = info->registers[0].value;
	on = info->counters;
	pmuctl_event_free(event);
	if (got == as_ours(code) && (counters >> 32 || (on & UINT32_MAX) == counters))
		return 0;
	printf("%s: %llx on %llx, and the list has %llx on %llx\n", name, (unsigned long long)got,
	       (unsigned long long)on, (unsigned long long)code, (unsigned long long)counters);
	return 1;
}

static int check_part(const struct part *part, const char *facts)
{
	struct pmuctl_options options = { .size = sizeof(options) };
	char path[4096], line[4096], *fields[COLUMNS];
	int bad = 0, rows = 0;
	struct pmuctl *ctx;
	FILE *f;

	fake_three_kinds();
	fake.signature = part->signature;
	fake.nr_kinds = 2;
	fake.kinds[0].core = 0x40000000 | part->make;
	fake.kinds[1].core = 0x20000000 | part->make;
	snprintf(path, sizeof(path), "%s/perfmon/%s", facts, part->dir);
	options.events_dir = path;
	if (pmuctl_open(&options, &ctx))
		return 1;
	snprintf(line, sizeof(line), "%s/modern-constraints.csv", facts);
	f = fopen(line, "r");
	while (f && fgets(line, sizeof(line), f)) {
		csv_split(line, fields, COLUMNS);
		if (strcmp(fields[0], part->arch))
			continue;
		rows++;
		bad += check_listed(ctx, part, fields);
	}
	if (f)
		fclose(f);
	pmuctl_close(ctx);
	printf("%s: %d of %d events\n", part->arch, rows - bad, rows);
	return bad || rows < 200;
}

static void parts_of_version_6(void **state)
{
	const char *facts = getenv("PMUCTL_FACTS");
	char list[4096];
	int bad = 0;

	(void)state;
	facts = facts ? facts : "/work/shared/facts";
	snprintf(list, sizeof(list), "%s/modern-constraints.csv", facts);
	if (access(list, R_OK)) {
		print_message("no %s (PMUCTL_FACTS)\n", list);
		skip();
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		bad += check_part(&parts[i], facts);
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(libpfm4_and_our_mending),
		cmocka_unit_test(clients_are_no_servers),
		cmocka_unit_test(a_file_like_intels),
		cmocka_unit_test(intels_files),
		cmocka_unit_test(parts_of_version_6),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
