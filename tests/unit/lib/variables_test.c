// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables and their fields by debugging information: those of this very program.
 */
#include <errno.h>

#include "tests/unit/lib/data.h"
#include "tests/unit/lib/own_code.h"

#define PID 7

struct point {
	short x, y;
};

typedef const volatile struct {
	char tag;
	/* Three bytes of padding. */
	int number;
	union {
		long whole;
		struct point point;
	};
	struct point points[2][3];
	unsigned int low : 4, high : 12;
	unsigned long rest[];
} thing_t;

static thing_t things[2] = { { .tag = 1 }, { .tag = 2 } };
static volatile long total;
static struct point *volatile pointer;
static thing_t alone = { .tag = 3 };

static uint64_t bias;
static struct pmuctl_variable variable;

static void put_own_mmap(uint64_t start, uint64_t size, uint64_t offset, const char *name)
{
	put_mmap(PID, 0, start, size, offset, name);
}

static int open_own(void **state)
{
	struct pmuctl_place place;

	assert_int_equal(setup(state), 0);
	begin_file(&file, plain, 2);
	each_own_code(put_own_mmap);
	end_file(&file);
	assert_int_equal(open_file(), 0);
	pmuctl_data_place(data, PID, 10, (uintptr_t)where, false, &place);
	assert_int_not_equal(place.dso, 0);
	bias = (uintptr_t)where - place.address;
	return 0;
}

static int find(const volatile void *address)
{
	struct pmuctl_place place;

	pmuctl_data_place(data, PID, 10, (uintptr_t)where, false, &place);
	place.address = (uintptr_t)address - bias;
	variable = (struct pmuctl_variable){ .size = sizeof(variable) };
	return pmuctl_data_variable(data, &place, &variable);
}

static void is_called(const volatile void *address, const char *name)
{
	assert_int_equal(find(address), 0);
	assert_string_equal(variable.name, name);
}

#define AT(pointer, offset) ((const volatile char *)(pointer) + (offset))

static void test_fields(void **state)
{
	(void)state;
	is_called(&total, "total");
	assert_int_equal(variable.bytes, 8);
	assert_int_equal(variable.element, 0);
	is_called(AT(&total, 4), "total+0x4");
	assert_int_equal(variable.start, (uintptr_t)&total - bias);
	is_called(AT(&pointer, 7), "pointer+0x7");
	is_called(&things[0].tag, "things[0].tag");
	assert_int_equal(variable.bytes, sizeof(things));
	assert_int_equal(variable.element, sizeof(things[0]));
	is_called(AT(things, 1), "things[0] (padding)");
	is_called(&things[1].number, "things[1].number");
	is_called(&things[1].whole, "things[1].whole");
	is_called(&things[1].points[1][2].y, "things[1].points[1][2].y");
	is_called(&alone.points[0][1], "alone.points[0][1].x");
	is_called(AT(&alone.points[1][3], 0), "alone.low");
	is_called(AT(&alone.points[1][3], 1), "alone.high+0x1");
}

static volatile int *of_block(void)
{
	{
		static volatile int kept[4];

		return kept;
	}
}

static void test_within_functions(void **state)
{
	(void)state;
	is_called(of_block() + 3, "kept[3]");
	assert_int_equal(variable.element, 4);
}

static void test_none(void **state)
{
	const int local = 0;
	struct pmuctl_place place = { .dso = 0 };

	(void)state;
	assert_int_equal(find(&local), -ENOENT);
	assert_int_equal(find((const void *)(uintptr_t)where), -ENOENT);
	assert_int_equal(pmuctl_data_variable(data, &place, &variable), -ENODATA);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, open_own, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(fields), TEST(within_functions), TEST(none) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
