// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is where, and what it is called: maps against a plain list of them, and
 * the symbols and lines of this very program.
 */
#include <errno.h>
#include <link.h>

#include "lib/code/code.h"
#include "tests/unit/lib/data_file.h"

#define MAPS 300

/*
 * libdw's thread-local variables come by malloc(); where such a piece begins 16 bytes behind a
 * page, the sanitizer of GCC 12 takes what is before it for its size, and dies of it.
 */
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
	return "use_tls=0";
}

struct listed {
	uint64_t time;
	struct map map;
};

static uint64_t next_random(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

/* The last of the latest: as the kernel would have it. */
static const struct map *find_listed(const struct listed *list, uint64_t time, uint64_t ip)
{
	const struct listed *best = NULL;
	size_t i;

	for (i = 0; i < MAPS; i++)
		if (list[i].time <= time && ip >= list[i].map.start && ip < list[i].map.end &&
		    (!best || list[i].time >= best->time))
			best = &list[i];
	return best ? &best->map : NULL;
}

static void test_maps_as_a_list(void **state)
{
	static struct listed list[MAPS];
	struct maps *maps = maps_new();
	unsigned int i;

	(void)state;
	assert_non_null(maps);
	for (i = 0; i < MAPS; i++) {
		list[i].time = next_random() % 50;
		list[i].map.start = next_random() % 1000;
		list[i].map.end = list[i].map.start + 1 + next_random() % 100;
		list[i].map.dso = i;
		assert_int_equal(maps_add(maps, 1, list[i].time, &list[i].map), 0);
	}
	assert_int_equal(maps_finish(maps), 0);
	for (i = 0; i < 20000; i++) {
		uint64_t time = next_random() % 55, ip = next_random() % 1200;
		const struct map *want = find_listed(list, time, ip);
		const struct map *got = maps_find(maps, 1, time, ip);

		assert_int_equal(!got, !want);
		if (got)
			assert_int_equal(got->dso, want->dso);
	}
	maps_free(maps);
}

/* Parents of each other, as only a hostile file has them. */
static void test_fork_in_a_circle(void **state)
{
	struct maps *maps = maps_new();
	const struct map map = { .start = 1, .end = 2 };
	uint32_t i;

	(void)state;
	assert_int_equal(maps_fork(maps, 1, 2, 5), 0);
	assert_int_equal(maps_fork(maps, 2, 1, 5), 0);
	for (i = 10; i < 1000; i++)
		assert_int_equal(maps_fork(maps, i, i - 1, 5), 0);
	assert_int_equal(maps_add(maps, 1, 6, &map), 0);
	assert_int_equal(maps_finish(maps), 0);
	assert_null(maps_find(maps, 1, 5, 1));
	assert_non_null(maps_find(maps, 1, 6, 1));
	assert_null(maps_find(maps, 999, 7, 1));
	maps_free(maps);
}

#define TASKS 4
#define END 60

/* What was found somewhere is found wherever its spell reaches, in forks and behind execs too. */
static void test_spells(void **state)
{
	struct maps *maps = maps_new();
	struct maps_spell spell;
	uint64_t found = 0, time, i, k;
	struct map map;
	uint32_t pid;

	(void)state;
	for (i = 0; i < 400; i++) {
		pid = 1 + next_random() % TASKS;
		time = next_random() % END;
		map.start = next_random() % 1000;
		map.end = map.start + 1 + next_random() % 300;
		if (i % 20 == 0)
			assert_int_equal(maps_exec(maps, pid, time), 0);
		else if (i % 20 == 1)
			assert_int_equal(maps_fork(maps, pid, 1 + next_random() % TASKS, time), 0);
		else
			assert_int_equal(maps_add(maps, pid, time, &map), 0);
	}
	assert_int_equal(maps_finish(maps), 0);
	for (i = 0; i < 4000; i++) {
		pid = 1 + next_random() % (TASKS + 1);
		maps_find_spell(maps, pid, next_random() % END, UINT64_MAX, next_random() % 1400,
				&spell);
		for (k = 0; k < 20; k++) {
			time = next_random() % (END + 10);
			map.start = next_random() % 1400;
			if (map.start < spell.start || map.start >= spell.end ||
			    time <= spell.after || time >= spell.before)
				continue;
			found++;
			assert_ptr_equal(maps_find(maps, pid, time, map.start), spell.map);
		}
	}
	assert_true(found > 1000);
	maps_free(maps);
}

/* Of the old image only what the kernel was entered from is found behind an exec. */
static void test_exec(void **state)
{
	struct maps *maps = maps_new();
	const struct map old = { .start = 10, .end = 20 }, new = { .start = 30, .end = 40 };

	(void)state;
	assert_int_equal(maps_add(maps, 1, 0, &old), 0);
	assert_int_equal(maps_exec(maps, 1, 5), 0);
	assert_int_equal(maps_add(maps, 1, 6, &new), 0);
	assert_int_equal(maps_fork(maps, 2, 1, 8), 0);
	assert_int_equal(maps_finish(maps), 0);
	assert_non_null(maps_find(maps, 1, 4, 15));
	assert_null(maps_find(maps, 1, 7, 15));
	assert_non_null(maps_find_entry(maps, 1, 7, 15));
	assert_ptr_equal(maps_find_entry(maps, 1, 7, 35), maps_find(maps, 1, 7, 35));
	assert_non_null(maps_find(maps, 1, 7, 35));
	assert_int_not_equal(maps_image(maps, 1, 4), maps_image(maps, 1, 7));
	assert_int_equal(maps_image(maps, 1, 6), maps_image(maps, 1, 7));
	assert_int_not_equal(maps_image(maps, 1, 7), maps_image(maps, 2, 9));
	assert_int_equal(maps_image(maps, 3, 7), 0);
	assert_null(maps_find(maps, 2, 9, 15));
	assert_non_null(maps_find_entry(maps, 2, 9, 15));
	assert_non_null(maps_find(maps, 2, 9, 35));
	maps_free(maps);
}

/* Arrays below each other, which the kernel joins as they come; one of another DSO before. */
static void test_joined(void **state)
{
	struct maps *maps = maps_new();
	static const struct map list[] = {
		{ .start = 10, .end = 90, .dso = 2 }, { .start = 60, .end = 90, .dso = 1 },
		{ .start = 40, .end = 90, .dso = 1 }, { .start = 30, .end = 90, .dso = 1 },
	};
	static const uint64_t want[][2] = {
		{ 29, 10 }, { 30, 30 }, { 39, 30 }, { 40, 40 }, { 59, 40 }, { 60, 60 }, { 89, 60 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		assert_int_equal(maps_add(maps, 1, i, &list[i]), 0);
	assert_int_equal(maps_finish(maps), 0);
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		assert_int_equal(maps_find_first(maps, 1, 5, want[i][0])->start, want[i][1]);
	assert_int_equal(maps_find_first(maps, 1, 0, 60)->start, 10);
	assert_null(maps_find_first(maps, 1, 5, 90));
	maps_free(maps);
}

/* Not static, or the compiler might give it another name; called by way of a pointer. */
__attribute__((noinline)) int a_function_with_a_name(int x);
enum { NAMED_LINE = __LINE__ };
int a_function_with_a_name(int x)
{
	return x * 3 + 1;
}

static int find_self(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uint64_t *)base = info->dlpi_addr;
	/* The program itself is the first. */
	return 1;
}

static struct pmuctl_data *open_self(struct pmuctl *ctx, struct data_file *file)
{
	const struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_IP };
	struct pmuctl_data *data;
	uint64_t base = 0;
	char self[1024] = "";
	size_t at;

	dl_iterate_phdr(find_self, &base);
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	begin_file(file, &attr, 1);
	at = begin_record(file, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	put_u64(file, 7);
	put_u64(file, base);
	put_u64(file, 0x10000000);
	put_u64(file, 0);
	put_text(file, self);
	end_record(file, at);
	end_file(file);
	assert_int_equal(pmuctl_data_open(ctx, file->path, &data), 0);
	return data;
}

static void test_symbol_of_this_program(void **state)
{
	static struct data_file file;
	uint64_t ip = (uintptr_t)a_function_with_a_name + 1;
	struct pmuctl_symbol symbol;
	struct pmuctl_place place;
	struct pmuctl_data *data;
	struct pmuctl *ctx;
	unsigned int line;
	const char *name;
	uint8_t code[16];

	(void)state;
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	data = open_self(ctx, &file);
	/* Without times the place in the file is one. */
	pmuctl_data_place(data, 7, UINT64_MAX, ip, false, &place);
	pmuctl_data_symbol(data, &place, &symbol);
	assert_string_equal(symbol.name, "a_function_with_a_name");
	assert_int_equal(place.address, symbol.start + 1);
	pmuctl_data_line(data, &place, &name, &line);
	assert_non_null(name);
	assert_non_null(strstr(name, "symbols_test.c"));
	assert_in_range(line, NAMED_LINE + 1, NAMED_LINE + 4);
	assert_int_equal(pmuctl_data_text(data, &place, code, sizeof(code)), sizeof(code));
	assert_memory_equal(code, (const uint8_t *)(uintptr_t)ip, sizeof(code));
	pmuctl_data_close(data);
	pmuctl_close(ctx);
	remove_file(&file);
}

/* What lies behind the zeroed data of a file is not the file's. */
static void test_data_of_this_program(void **state)
{
	static struct data_file file;
	static char zeroed[3 << 20];
	uint64_t address = (uintptr_t)zeroed + sizeof(zeroed) - 1, bias, base = 0;
	struct pmuctl_mapping mapping;
	struct pmuctl_data *data;
	struct pmuctl *ctx;
	uint32_t dso;

	(void)state;
	dl_iterate_phdr(find_self, &base);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	data = open_self(ctx, &file);
	assert_int_equal(pmuctl_data_loaded(data, 7, UINT64_MAX, address, &dso, &bias), 0);
	assert_int_equal(bias, base);
	pmuctl_data_mapped(data, 7, UINT64_MAX, address, &mapping);
	assert_int_equal(mapping.dso, dso);
	assert_int_equal(mapping.start, base);
	address = base + 0xfffffff;
	assert_int_equal(pmuctl_data_loaded(data, 7, UINT64_MAX, address, &dso, &bias), -ENOENT);
	pmuctl_data_mapped(data, 7, UINT64_MAX, address + 1, &mapping);
	assert_int_equal(mapping.dso, 0);
	pmuctl_data_close(data);
	pmuctl_close(ctx);
	remove_file(&file);
}

static void add(struct symbol_table *table, uint64_t start, uint32_t size, const char *name,
		enum symbol_rank rank)
{
	symbol_table_add(table, &(struct symbol){
		.start = start, .size = size, .name = name, .rank = rank,
	});
}

static void expect(const struct symbol_table *table, uint64_t address, const char *name)
{
	const struct symbol *found = symbol_table_find(table, address);

	if (!name) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found->name, name);
}

static void test_symbol_table(void **state)
{
	struct symbol_table table = { 0 };

	(void)state;
	add(&table, 0x300, 0, "label", SYMBOL_LOCAL);
	add(&table, 0x100, 0x50, "outer", SYMBOL_GLOBAL);
	add(&table, 0x110, 0x10, "__inner", SYMBOL_GLOBAL);
	add(&table, 0x110, 0x10, "inner", SYMBOL_GLOBAL);
	add(&table, 0x110, 0x10, "weak_inner", SYMBOL_WEAK);
	add(&table, 0x200, 0, "no_size", SYMBOL_GLOBAL);
	add(&table, 0x200, 0x10, "local_with_size", SYMBOL_LOCAL);
	symbol_table_finish(&table);
	expect(&table, 0xff, NULL);
	expect(&table, 0x100, "outer");
	expect(&table, 0x110, "inner");
	expect(&table, 0x120, "outer");
	expect(&table, 0x150, NULL);
	expect(&table, 0x200, "local_with_size");
	expect(&table, 0x210, NULL);
	expect(&table, 0x300, "label");
	expect(&table, 0x12ff, "label");
	expect(&table, 0x1300, NULL);
	free(table.symbols);
}

static void test_demangle(void **state)
{
	char *name = demangle("_ZN2ns3FooIlE3barERKli");

	(void)state;
	assert_string_equal(name, "ns::Foo<long>::bar");
	free(name);
	assert_null(demangle("main"));
	assert_null(demangle("_start"));
	assert_null(demangle(""));
}

static void test_made_by_a_program(void **state)
{
	(void)state;
	assert_true(symbols_are_made("/tmp/perf-17.map"));
	assert_false(symbols_are_made("/tmp/perf-17.map/prog"));
	assert_false(symbols_are_made("/tmp/perf-.map"));
	assert_false(symbols_are_made("/tmp/perf-tests/prog"));
	assert_false(symbols_are_made("/usr/bin/perf"));
}

/* What glibc 2.41's loader keeps of a library is not seen by LeakSanitizer. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:ld-linux-x86-64.so";
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_maps_as_a_list),
		cmocka_unit_test(test_fork_in_a_circle),
		cmocka_unit_test(test_spells),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_joined),
		cmocka_unit_test(test_symbol_of_this_program),
		cmocka_unit_test(test_data_of_this_program),
		cmocka_unit_test(test_symbol_table),
		cmocka_unit_test(test_demangle),
		cmocka_unit_test(test_made_by_a_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
