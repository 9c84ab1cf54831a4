// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A perf.data file that is read while it is written: each look gives what has come since, by all
 * that is known of tasks then, and what nobody needs any more is forgotten.
 */
#include <errno.h>
#include <fcntl.h>

#include "lib/base/private.h"
#include "lib/code/perf_features.h"
#include "lib/perfdata/perfdata.h"
#include "tests/unit/lib/data.h"

#define PAGE 4096

/* What is in the buffer goes to the end of the file. */
static void append(void)
{
	if (!file.path[0]) {
		file.fd = memfd_create("live", MFD_CLOEXEC);
		assert_int_equal(fcntl(file.fd, F_SETFL, O_APPEND), 0);
		snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
	}
	assert_int_equal(write(file.fd, file.bytes, file.size), file.size);
	file.size = 0;
}

/* As a pipe has it: a short header, and a record for the event. */
static void begin_live(void)
{
	struct perf_event_attr attr = plain[0];
	size_t at;

	file.size = 0;
	attr.size = sizeof(attr);
	put(&file, "PERFILE2", 8);
	put_u64(&file, 16);
	at = begin_record(&file, RECORD_ATTR, 0);
	put(&file, &attr, sizeof(attr));
	put_u64(&file, 100);
	end_record(&file, at);
	put_comm(7, 0, "burner");
	put_mmap(7, 0, 0x400000, 0x2000, 0x1000, "/no/such/program");
	append();
	assert_int_equal(pmuctl_data_open(ctx, file.path, &data), 0);
}

static int look(void)
{
	seen_count = 0;
	return pmuctl_data_follow(data, ask, NULL);
}

static const char *dso_at(uint32_t pid, uint64_t time, uint64_t ip)
{
	struct pmuctl_place place;

	pmuctl_data_place(data, pid, time, ip, false, &place);
	return pmuctl_data_dso(data, place.dso);
}

static void each_look_gives_what_came(void **state)
{
	(void)state;
	begin_live();
	assert_int_equal(look(), 0);
	assert_int_equal(seen_count, 0);
	put_sample(100, 7, 10, 0x400123, 1000, PERF_RECORD_MISC_USER);
	append();
	assert_int_equal(look(), 0);
	assert_int_equal(seen_count, 1);
	assert_string_equal(dso_at(7, 10, 0x400123), "/no/such/program");
	assert_string_equal(pmuctl_data_comm(data, 7, 10), "burner");
	assert_int_equal(look(), 0);
	assert_int_equal(seen_count, 0);
	/* Something else is mapped over it, and there are losses. */
	put_mmap(7, 20, 0x401000, 0x1000, 0, "/no/other/program");
	put_comm(7, 20, "other");
	put_lost(PERF_RECORD_LOST, 100, 5);
	put_sample(100, 7, 30, 0x401123, 1000, PERF_RECORD_MISC_USER);
	put_sample(100, 7, 31, 0x400123, 1000, PERF_RECORD_MISC_USER);
	append();
	assert_int_equal(look(), 0);
	assert_int_equal(seen_count, 2);
	assert_int_equal(seen[1].ip, 0x400123);
	assert_string_equal(dso_at(7, 30, 0x401123), "/no/other/program");
	assert_string_equal(dso_at(7, 30, 0x400123), "/no/such/program");
	assert_string_equal(dso_at(7, 10, 0x401123), "/no/such/program");
	assert_string_equal(pmuctl_data_comm(data, 7, 30), "other");
	assert_int_equal(pmuctl_data_get_info(data)->lost, 5);
	assert_int_equal(pmuctl_data_get_info(data)->samples, 3);
}

/* The rings of CPUs are read one behind the other: what was earlier may come later. */
static void what_comes_late_goes_between(void **state)
{
	(void)state;
	begin_live();
	put_mmap(7, 50, 0x500000, 0x1000, 0, "/no/late/program");
	append();
	assert_int_equal(look(), 0);
	assert_string_equal(dso_at(7, 60, 0x500000), "/no/late/program");
	put_fork(7, 1, 40);
	put_mmap(7, 45, 0x600000, 0x1000, 0, "/no/early/program");
	append();
	assert_int_equal(look(), 0);
	assert_string_equal(dso_at(7, 30, 0x400000), "/no/such/program");
	assert_string_equal(dso_at(7, 60, 0x400000), "[unknown]");
	assert_string_equal(dso_at(7, 60, 0x500000), "/no/late/program");
	assert_string_equal(dso_at(7, 60, 0x600000), "/no/early/program");
}

static void what_was_read_may_go(void **state)
{
	(void)state;
	begin_live();
	assert_int_equal(look(), 0);
	assert_int_equal(fallocate(file.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
				   lseek(file.fd, 0, SEEK_END)), 0);
	put_sample(100, 7, 10, 0x400123, 1000, PERF_RECORD_MISC_USER);
	append();
	assert_int_equal(look(), 0);
	assert_int_equal(seen_count, 1);
	assert_string_equal(dso_at(7, 10, 0x400123), "/no/such/program");
	/* But not what was not read. */
	assert_int_equal(ftruncate(file.fd, 100), 0);
	assert_int_equal(look(), -EBADMSG);
	assert_non_null(strstr(pmuctl_error(ctx), "what was read of it is gone"));
}

static void what_cannot_be_followed(void **state)
{
	(void)state;
	make_plain();
	end_file(&file);
	assert_int_equal(open_file(), 0);
	assert_int_equal(look(), -EOPNOTSUPP);
	teardown(NULL);
	assert_int_equal(setup(NULL), 0);
	begin_live();
	put_sample(100, 7, 10, 0x400123, 1000, PERF_RECORD_MISC_USER);
	file.size -= 8;
	append();
	assert_int_equal(look(), -EBADMSG);
	assert_non_null(strstr(pmuctl_error(ctx), "ends within a record"));
}

/* ---- what is forgotten ---------------------------------------------------------------------- */

#define DEAD 1000
#define DEAD_COUNT 3000

static bool is_dead(uint32_t pid)
{
	return pid >= DEAD;
}

static bool is_there(struct maps *maps, uint32_t pid, uint64_t address)
{
	return maps_find(maps, pid, 1000, address);
}

static void maps_of_the_dead_are_forgotten(void **state)
{
	const struct map map = { .start = 0x1000, .end = 0x2000, .dso = 1 };
	struct maps *maps = maps_new();
	uint32_t i;

	(void)state;
	assert_int_equal(maps_add(maps, MAPS_KERNEL, 0, &map), 0);
	assert_int_equal(maps_add(maps, 5, 0, &map), 0);
	for (i = 0; i < DEAD_COUNT; i++)
		assert_int_equal(maps_add(maps, DEAD + i, 1, &map), 0);
	assert_int_equal(maps_finish(maps), 0);
	/* Not worth it yet. */
	maps_forget(maps, is_dead);
	assert_true(is_there(maps, DEAD + 1, 0x1000));
	/* One lives that has all from a parent who is gone, and one that did until its exec. */
	assert_int_equal(maps_fork(maps, 6, DEAD + 1, 10), 0);
	assert_int_equal(maps_fork(maps, 7, DEAD + 2, 10), 0);
	assert_int_equal(maps_exec(maps, 7, 20), 0);
	for (i = 0; i < DEAD_COUNT; i++)
		assert_int_equal(maps_exec(maps, DEAD + i, 30), 0);
	assert_int_equal(maps_finish(maps), 0);
	maps_forget(maps, is_dead);
	assert_true(is_there(maps, MAPS_KERNEL, 0x1000));
	assert_true(is_there(maps, 5, 0x1000));
	assert_true(is_there(maps, 6, 0x1000));
	assert_false(is_there(maps, 7, 0x1000));
	assert_null(maps_find(maps, DEAD + 2, 5, 0x1000));
	/* And it goes on. */
	assert_int_equal(maps_add(maps, 7, 40, &map), 0);
	assert_int_equal(maps_finish(maps), 0);
	assert_true(is_there(maps, 7, 0x1000));
	assert_true(is_there(maps, 6, 0x1000));
	maps_free(maps);
}

static void names_of_the_dead_are_forgotten(void **state)
{
	struct comms *comms = comms_new();
	uint32_t i;

	(void)state;
	assert_int_equal(comms_set(comms, DEAD, 0, "parent"), 0);
	assert_int_equal(comms_fork(comms, 6, DEAD, 10), 0);
	assert_int_equal(comms_set(comms, 5, 0, "before"), 0);
	assert_int_equal(comms_set(comms, 5, 10, "after"), 0);
	for (i = 0; i < 2 * DEAD_COUNT; i++)
		assert_int_equal(comms_set(comms, DEAD + i, 20, "dead"), 0);
	assert_int_equal(comms_finish(comms), 0);
	comms_forget(comms, is_dead);
	assert_string_equal(comms_find(comms, 6, 1000), "parent");
	assert_string_equal(comms_find(comms, 5, 1000), "after");
	assert_null(comms_find(comms, 5, 5));
	assert_null(comms_find(comms, DEAD + 1, 1000));
	comms_free(comms);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_look_gives_what_came),
		TEST(what_comes_late_goes_between),
		TEST(what_was_read_may_go),
		TEST(what_cannot_be_followed),
		cmocka_unit_test(maps_of_the_dead_are_forgotten),
		cmocka_unit_test(names_of_the_dead_are_forgotten),
	};

	return cmocka_run_group_tests_name("lib_follow", tests, NULL, NULL);
}
