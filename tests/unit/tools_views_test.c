// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * annotate and mem on a perf.data file of paper: one function of a few instructions,
 * some variables, and samples with addresses or with registers.
 */
#include <asm/perf_regs.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../tools/annotate.h"
#include "../../tools/mem.h"
#include "golden.h"

/* ---- the file ---------------------------------------------------------------- */

#define CODE 0x1000u
/* Where processes have it: the first, and the others. */
#define BIAS 0x400000u
#define FAR_BIAS 0x561200000000u
#define FIRST 7
#define OTHER 8

static const unsigned char code[] = {
	0x48, 0x8b, 0x04, 0x0f,		/* 1000 mov (%rdi,%rcx),%rax */
	0x48, 0x8b, 0x00,		/* 1004 mov (%rax),%rax */
	0x48, 0xa5,			/* 1007 movsq */
	0x48, 0xff, 0xc1,		/* 1009 inc %rcx */
	0x74, 0xf2,			/* 100c je 1000 */
	0xff, 0x10,			/* 100e call *(%rax) */
	0x06,				/* 1010 none */
	0xc3,				/* 1011 ret */
};

struct variable {
	const char *name;
	uint64_t start, size;
};

static const struct variable variables[] = {
	{ "walk", CODE, sizeof(code) },
	{ "matrix", 0x10000, 0x20000 },
	{ "count", 0x30000, 8 },
	{ "total", 0x30008, 8 },
	{ "_end", 0x30010, 4096 },
};

struct pmuctl_data {
	struct pmuctl_data_info info;
	const struct pmuctl_data_sample *samples;
	size_t count;
};

static const char *const dsos[] = { "[unknown]", "/usr/bin/prog", "[heap]", "/tmp/perf-7.map" };

const struct pmuctl_data_info *pmuctl_data_get_info(const struct pmuctl_data *data)
{
	return &data->info;
}

int pmuctl_data_samples(struct pmuctl_data *data, pmuctl_data_sample_fn *fn, void *fn_data)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < data->count; i++)
		err = fn(fn_data, &data->samples[i]);
	return err;
}

static uint64_t bias_of(uint32_t pid)
{
	return pid == OTHER ? FAR_BIAS : BIAS;
}

void pmuctl_data_place(const struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t ip,
		       bool kernel, struct pmuctl_place *place)
{
	uint64_t address = ip - bias_of(pid);

	(void)data;
	(void)time;
	(void)kernel;
	*place = (struct pmuctl_place){ .address = ip };
	if (address >= CODE && address < 0x30000)
		*place = (struct pmuctl_place){ .dso = 1, .address = address };
	else if (ip >> 24 == 5)
		place->dso = 2;
	else if (ip >> 24 == 6)
		place->dso = 3;
}

void pmuctl_data_sample_place(const struct pmuctl_data *data,
			      const struct pmuctl_data_sample *sample, struct pmuctl_place *place)
{
	pmuctl_data_place(data, sample->pid, sample->time, sample->ip, sample->kernel, place);
}

uint32_t pmuctl_data_image(const struct pmuctl_data *data, uint32_t pid, uint64_t time)
{
	(void)data;
	(void)pid;
	return (uint32_t)time;
}

void pmuctl_data_mapped(const struct pmuctl_data *data, uint32_t pid, uint64_t time,
			uint64_t address, struct pmuctl_mapping *mapping)
{
	struct pmuctl_place place;

	pmuctl_data_place(data, pid, time, address, false, &place);
	*mapping = (struct pmuctl_mapping){ .dso = place.dso };
}

int pmuctl_data_loaded(struct pmuctl_data *data, uint32_t pid, uint64_t time, uint64_t address,
		       uint32_t *dso, uint64_t *bias)
{
	(void)data;
	(void)time;
	*dso = 1;
	*bias = bias_of(pid);
	return (address - *bias + BIAS) >> 24 ? -ENOENT : 0;
}

const char *pmuctl_data_dso(const struct pmuctl_data *data, uint32_t dso)
{
	(void)data;
	return dsos[dso];
}

void pmuctl_data_symbol(struct pmuctl_data *data, const struct pmuctl_place *place,
			struct pmuctl_symbol *symbol)
{
	size_t i;

	(void)data;
	*symbol = (struct pmuctl_symbol){ .name = NULL };
	for (i = 0; place->dso == 1 && i < ARRAY_SIZE(variables); i++)
		if (place->address - variables[i].start < variables[i].size)
			*symbol = (struct pmuctl_symbol){ variables[i].name, variables[i].start,
							  variables[i].size };
}

void pmuctl_data_line(struct pmuctl_data *data, const struct pmuctl_place *place,
		      const char **file, unsigned int *line)
{
	(void)data;
	*file = place->dso == 1 ? "/nonsense/walk.c" : NULL;
	*line = place->address < CODE + 9 ? 10 : 11;
}

size_t pmuctl_data_text(struct pmuctl_data *data, const struct pmuctl_place *place, void *text,
			size_t size)
{
	uint64_t offset = place->address - CODE, left = sizeof(code) - offset;

	(void)data;
	if (place->dso != 1 || offset >= sizeof(code))
		return 0;
	memcpy(text, code + offset, size < left ? size : left);
	return size < left ? size : left;
}

int complain(const char *cmd, int exit_code, const char *fmt, ...)
{
	(void)cmd;
	(void)fmt;
	return exit_code;
}

int names_file(const char *path, const char *name)
{
	return !strcmp(path, name);
}

/* The library's, whose context nobody has here; cmocka has a macro of that name. */
#undef fail
int fail(struct pmuctl *ctx, int err, const char *fmt, ...);
int fail(struct pmuctl *ctx, int err, const char *fmt, ...)
{
	(void)ctx;
	(void)fmt;
	return err;
}

/* ---- samples --------------------------------------------------------------------- */

#define SAMPLES_MAX 256
#define REGS_MASK ((1u << PERF_REG_X86_FLAGS) * 2 - 1)

static struct pmuctl_data_sample samples[SAMPLES_MAX];
static uint64_t regs[SAMPLES_MAX][PERF_REG_X86_FLAGS + 1];
static struct pmuctl_data_event events[2];
static struct pmuctl_data file;

static void begin(const char *name)
{
	memset(samples, 0, sizeof(samples));
	memset(events, 0, sizeof(events));
	memset(regs, 0, sizeof(regs));
	events[0] = (struct pmuctl_data_event){ .name = name, .precise = 2 };
	events[1] = (struct pmuctl_data_event){ .name = "cycles" };
	file = (struct pmuctl_data){
		.info = { .events = events, .events_count = 2, .version = "pmuctl 0.1",
			  .command = "pmuctl record" },
		.samples = samples,
	};
}

static struct pmuctl_data_sample *add_sample(uint32_t event, uint64_t ip)
{
	struct pmuctl_data_sample *s = &samples[file.count++];

	assert_true(file.count <= SAMPLES_MAX);
	*s = (struct pmuctl_data_sample){
		.event = event, .pid = 7, .tid = 7, .ip = BIAS + ip, .period = 100, .exact = true,
	};
	events[event].samples++;
	events[event].events += s->period;
	return s;
}

static struct pmuctl_data_sample *add_address(uint64_t ip, uint64_t address)
{
	struct pmuctl_data_sample *s = add_sample(0, ip);

	s->has = PERF_SAMPLE_ADDR;
	s->addr = address;
	return s;
}

/* Registers as they are behind the instruction. */
static uint64_t *add_registers(uint64_t ip, uint64_t next)
{
	struct pmuctl_data_sample *s = add_sample(0, ip);
	uint64_t *r = regs[file.count - 1];

	s->has = PERF_SAMPLE_ADDR | PERF_SAMPLE_REGS_INTR;
	s->regs_mask = REGS_MASK;
	s->regs = r;
	r[PERF_REG_X86_IP] = BIAS + next;
	return r;
}

/* ---- running ---------------------------------------------------------------------- */

static char out[65536];

static void slurp(FILE *f)
{
	size_t len;

	rewind(f);
	len = fread(out, 1, sizeof(out) - 1, f);
	out[len] = '\0';
	fclose(f);
}

static struct mem mem_of(const struct view_args *args)
{
	struct mem m = {
		.args = args, .data = &file, .info = &file.info, .cache_recorded = true,
		.cache = { .size = sizeof(m.cache), .sets = 64, .ways = 8, .line = 64 },
	};

	assert_int_equal(mem_collect(&m), 0);
	return m;
}

static void print_mem(enum format format)
{
	const struct view_args args = { .limit = 5 };
	struct mem m = mem_of(&args);
	FILE *f = tmpfile();
	struct writer *w = writer_open(f, format, ",");

	mem_print(&m, w);
	assert_true(writer_close(w));
	mem_free(&m);
	slurp(f);
}

static void print_annotation(enum format format, const struct view_args *args)
{
	struct annotation a = {
		.args = args, .data = &file, .events = events, .events_count = 2,
	};
	FILE *f = tmpfile();
	struct writer *w = writer_open(f, format, ",");

	assert_int_equal(annotation_collect(&a), 0);
	annotation_print(&a, w);
	assert_true(writer_close(w));
	annotation_free(&a);
	slurp(f);
}

static void goldens(const char *name, void (*print)(enum format format))
{
	static const char *const suffixes[] = { "txt", "csv", "json" };
	char path[64];
	int format;

	for (format = FORMAT_TEXT; format <= FORMAT_JSON; format++) {
		print((enum format)format);
		snprintf(path, sizeof(path), "%s.%s", name, suffixes[format]);
		matches_golden(path, out);
	}
}

/* ---- mem ---------------------------------------------------------------------------- */

/* Sixteen lines of the matrix in turn, and a few accesses elsewhere. */
static void fill_conflict(void)
{
	union perf_mem_data_src l2 = {
		.mem_op = PERF_MEM_OP_LOAD, .mem_lvl = PERF_MEM_LVL_L2 | PERF_MEM_LVL_HIT,
		.mem_snoop = PERF_MEM_SNOOP_HITM, .mem_dtlb = PERF_MEM_TLB_WK,
	};
	struct pmuctl_data_sample *s;
	unsigned int i;

	begin("loads:pp");
	for (i = 0; i < 64; i++) {
		s = add_address(CODE, BIAS + 0x10080 + i % 16 * 4096);
		s->has |= PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
		s->weight = 10 + i % 2;
		s->data_src = l2.val;
	}
	add_address(CODE + 4, BIAS + 0x30000);
	add_address(CODE + 4, BIAS + 0x30008);
	/* The heap, close together and far apart; anonymous memory, the stack, the kernel. */
	add_address(CODE + 4, 0x5000010);
	add_address(CODE + 4, 0x5000110);
	add_address(CODE + 4, 0x5080000);
	add_address(CODE + 4, 0x6000000);
	add_address(CODE + 4, 0x7ffe00000040);
	add_address(CODE + 4, 0xffff888000000000);
}

static void mem_prints_all_tables(void **state)
{
	(void)state;
	fill_conflict();
	goldens("mem", print_mem);
}

static void add_access(uint32_t pid, uint64_t time, uint64_t address)
{
	struct pmuctl_data_sample *s = add_address(CODE, bias_of(pid) + address);

	s->ip = bias_of(pid) + CODE;
	s->pid = s->tid = pid;
	s->time = time;
}

/* The same array at other addresses: a place, a reach and a step are of one memory. */
static void mem_keeps_memories_apart(void **state)
{
	const struct view_args args = { .limit = 10 };
	const struct load *load;
	struct mem m;

	(void)state;
	begin("loads:pp");
	add_access(FIRST, 1, 0x10040);
	add_access(OTHER, 1, 0x10040);
	add_access(FIRST, 1, 0x100c0);
	add_access(OTHER, 1, 0x100c0);
	/* The first becomes another program. */
	add_access(FIRST, 2, 0x10040);
	m = mem_of(&args);
	load = load_of_number(&m.profiles[0], 0);
	assert_int_equal(load->reach, 0x80);
	assert_int_equal(load->step, 0x80);
	assert_int_equal(load->pairs, 2);
	mem_free(&m);
	print_mem(FORMAT_TEXT);
	assert_non_null(strstr(out, "0x561200010040      matrix+0x40\n"));
	assert_non_null(strstr(out, "0x4100c0            matrix+0xc0\n"));
	assert_null(strstr(out, "matrix+0x5"));
	print_mem(FORMAT_CSV);
	assert_non_null(strstr(out, "matrix,/usr/bin/prog,4259840,4260032"));
}

static struct conflicts conflicts_of(struct mem *m)
{
	struct conflicts c;

	assert_int_equal(mem_find_conflicts(m, &m->profiles[0], &c), 0);
	return c;
}

static size_t sets_of(uint64_t *lines)
{
	const struct view_args args = { .limit = 0 };
	struct mem m = mem_of(&args);
	struct conflicts c = conflicts_of(&m);
	size_t n;

	*lines = c.list[0] ? c.list[0]->lines : 0;
	for (n = 0; c.list[n]; n++)
		;
	conflicts_free(&c);
	mem_free(&m);
	return n;
}

static void mem_tells_conflicts_from_other_misses(void **state)
{
	uint64_t lines;
	unsigned int i;

	(void)state;
	fill_conflict();
	assert_int_equal(sets_of(&lines), 1);
	assert_int_equal(lines, 16);
	/* A stream comes to each line once. */
	begin("misses");
	for (i = 0; i < 200; i++)
		add_address(CODE, BIAS + 0x10000 + i * 64);
	assert_int_equal(sets_of(&lines), 0);
	/* Eight lines fit. */
	begin("misses");
	for (i = 0; i < 64; i++)
		add_address(CODE, BIAS + 0x10000 + i % 8 * 4096);
	assert_int_equal(sets_of(&lines), 0);
	/* What is evenly bad is too much for the cache, not for a set. */
	begin("misses");
	for (i = 0; i < 240; i++)
		add_address(CODE, 0x5000000 + i % 120 * 64 * 9);
	assert_int_equal(sets_of(&lines), 0);
	/* Two columns of a matrix, each in a set of its own. */
	begin("misses");
	for (i = 0; i < 200; i++)
		add_address(CODE, 0x5000000 + i % 10 * 4096 + (i / 10 & 1) * 64);
	assert_int_equal(sets_of(&lines), 2);
	assert_int_equal(lines, 10);
}

/* Those that hit are no misses, whatever their number. */
static void mem_leaves_out_hits(void **state)
{
	union perf_mem_data_src l1 = { .mem_op = PERF_MEM_OP_LOAD,
				       .mem_lvl = PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT };
	uint64_t lines;
	unsigned int i;

	(void)state;
	begin("loads");
	for (i = 0; i < 64; i++) {
		struct pmuctl_data_sample *s = add_address(CODE, BIAS + 0x10000 + i % 16 * 4096);

		s->has |= PERF_SAMPLE_DATA_SRC;
		s->data_src = l1.val;
	}
	assert_int_equal(sets_of(&lines), 0);
}

static uint64_t origins[ORIGINS];
static uint64_t lowest;		/* address; 0: there is none */

static uint64_t lowest_of(const struct table *cells)
{
	uint64_t least = UINT64_MAX;
	size_t i;

	for (i = 0; i < cells->slots_count; i++) {
		const struct spot *cell = cells->slots[i];

		if (cell && cell->key.a < least)
			least = cell->key.a;
	}
	return cells->count ? least : 0;
}

static void find_origins(void)
{
	const struct view_args args = { .limit = 0 };
	struct mem m = mem_of(&args);

	memcpy(origins, m.profiles[0].origins, sizeof(origins));
	lowest = lowest_of(&m.profiles[0].cells);
	mem_free(&m);
}

static void mem_evaluates_operands(void **state)
{
	uint64_t *r;

	(void)state;
	begin("loads");
	r = add_registers(CODE, CODE + 4);
	r[PERF_REG_X86_DI] = 0x5000000;
	r[PERF_REG_X86_CX] = 0x18;
	find_origins();
	assert_int_equal(origins[ORIGIN_REGISTERS], 1);
	assert_int_equal(lowest, 0x5000018);
	/* It overwrote %rax; whether %rax is that of before nobody says but our own files. */
	begin("loads");
	r = add_registers(CODE + 4, CODE + 7);
	r[PERF_REG_X86_AX] = 0x5000000;
	find_origins();
	assert_int_equal(origins[ORIGIN_OVERWRITTEN], 1);
	r[PERF_REG_X86_IP] = BIAS + CODE + 4;
	find_origins();
	assert_int_equal(origins[ORIGIN_REGISTERS], 1);
	assert_int_equal(lowest, 0x5000000);
	file.info.version = "6.1.192";
	find_origins();
	assert_int_equal(origins[ORIGIN_OVERWRITTEN], 1);
}

static void mem_knows_which_operand(void **state)
{
	uint64_t *r;

	(void)state;
	begin("mem_loads");
	r = add_registers(CODE + 7, CODE + 9);
	r[PERF_REG_X86_SI] = 0x5000008;
	r[PERF_REG_X86_DI] = 0x6000008;
	find_origins();
	assert_int_equal(lowest, 0x5000000);
	events[0].name = "mem_stores";
	find_origins();
	assert_int_equal(lowest, 0x6000000);
	events[0].name = "instructions";
	find_origins();
	assert_int_equal(origins[ORIGIN_AMBIGUOUS], 1);
	/* Not what it writes, but what a call reads. */
	begin("mem_loads");
	r = add_registers(CODE + 0xe, CODE);
	r[PERF_REG_X86_AX] = 0x5000000;
	find_origins();
	assert_int_equal(lowest, 0x5000000);
}

static void mem_says_why_there_is_no_address(void **state)
{
	(void)state;
	begin("loads");
	add_registers(CODE + 9, CODE + 0xc);		/* inc */
	add_registers(CODE, CODE + 4);
	samples[1].exact = false;
	add_registers(0x20000, 0x20004);		/* no code */
	add_registers(CODE + 0x10, CODE + 0x11);	/* no instruction */
	add_sample(0, CODE);
	find_origins();
	assert_int_equal(origins[ORIGIN_NO_OPERAND], 1);
	assert_int_equal(origins[ORIGIN_INEXACT], 1);
	assert_int_equal(origins[ORIGIN_NO_CODE], 2);
	assert_int_equal(origins[ORIGIN_NOT_RECORDED], 1);
	assert_int_equal(origins[ORIGIN_HARDWARE] + origins[ORIGIN_REGISTERS], 0);
}

/* ---- annotate ------------------------------------------------------------------------ */

static void fill_annotation(void)
{
	begin("loads:pp");
	add_sample(0, CODE);
	add_sample(0, CODE);
	add_sample(0, CODE + 7)->exact = false;
	add_sample(1, CODE + 4);
	add_sample(1, CODE + 5);	/* within an instruction */
	add_sample(1, CODE + 0x10);	/* none */
	add_sample(1, 0x20);		/* of no file */
}

static void print_all(enum format format)
{
	const struct view_args args = { .limit = 0 };

	print_annotation(format, &args);
}

static void annotate_shows_every_sample(void **state)
{
	(void)state;
	fill_annotation();
	goldens("annotate", print_all);
}

static void annotate_shows_what_was_asked_for(void **state)
{
	const struct view_args one = { .event = "cycles", .operand = "walk" };
	const struct view_args other = { .dso = "/usr/bin/other" };

	(void)state;
	fill_annotation();
	print_annotation(FORMAT_TEXT, &one);
	assert_null(strstr(out, "loads:pp"));
	assert_null(strstr(out, "[unknown]"));
	assert_non_null(strstr(out, "75.00 % of cycles"));
	print_annotation(FORMAT_TEXT, &other);
	assert_null(strstr(out, "mov"));
}

/* ---- the table ------------------------------------------------------------------------ */

struct numbered {
	struct table_entry key;
	uint64_t number;
};

static int by_key(const void *x, const void *y)
{
	const struct numbered *a = *(struct numbered *const *)x, *b = *(struct numbered *const *)y;

	return a->key.a < b->key.a ? -1 : a->key.a > b->key.a;
}

static void table_keeps_everything(void **state)
{
	struct numbered **sorted;
	struct table t;
	uint64_t i;

	(void)state;
	table_init(&t, sizeof(struct numbered));
	assert_null(table_find(&t, 1, 2));
	for (i = 0; i < 5000; i++)
		((struct numbered *)table_get(&t, i * 4096, ~i))->number = i;
	for (i = 0; i < 5000; i++)
		assert_int_equal(((struct numbered *)table_get(&t, i * 4096, ~i))->number, i);
	assert_int_equal(t.count, 5000);
	assert_null(table_find(&t, 4096, 0));
	sorted = (struct numbered **)table_sorted(&t, by_key);
	for (i = 0; i < 5000; i++)
		assert_int_equal(sorted[i]->number, i);
	assert_null(sorted[5000]);
	free(sorted);
	table_free(&t, NULL);
	assert_int_equal(t.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_keeps_everything),
		cmocka_unit_test(mem_prints_all_tables),
		cmocka_unit_test(mem_keeps_memories_apart),
		cmocka_unit_test(mem_tells_conflicts_from_other_misses),
		cmocka_unit_test(mem_leaves_out_hits),
		cmocka_unit_test(mem_evaluates_operands),
		cmocka_unit_test(mem_knows_which_operand),
		cmocka_unit_test(mem_says_why_there_is_no_address),
		cmocka_unit_test(annotate_shows_every_sample),
		cmocka_unit_test(annotate_shows_what_was_asked_for),
	};

	return cmocka_run_group_tests_name("tools_views", tests, NULL, NULL);
}
