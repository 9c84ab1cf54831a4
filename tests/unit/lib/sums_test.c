// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The samples of perf.data added up, by any number of threads, beside one after the other.
 */
#include <errno.h>

#include "lib/perfdata/perfdata.h"
#include "tests/unit/lib/data.h"

#define RECORDS 850

static uint32_t draw(uint32_t below)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (uint32_t)(x >> 20) % below;
}

/* Processes 1 to 4, whose maps lie over each other, and what else may happen to them. */
static void put_happening(uint64_t time, const char *self)
{
	static const char *const names[] = { "/no/such/a", "/no/such/b", "//anon" };
	uint32_t pid = 1 + draw(4);
	size_t at;

	switch (draw(6)) {
	case 0:
		put_mmap(UINT32_MAX, time, 0xffffffffa0000000 + 0x1000 * draw(8), 0x3000, 0,
			 "[a_module]");
		break;
	case 1:
		put_fork(pid, 1 + draw(4), time);
		break;
	case 2:
		put_comm(pid, time, draw(2) ? "one" : "other");
		break;
	case 3:
		at = file.size;
		put_comm(pid, time, "executed");
		((struct perf_event_header *)(void *)(file.bytes + at))->misc |=
			PERF_RECORD_MISC_COMM_EXEC;
		break;
	default:
		put_mmap(pid, time, 0x400000 + 0x1000 * draw(8), 0x1000 * (1 + draw(4)),
			 0x1000 * draw(4), draw(4) ? names[draw(3)] : self);
	}
}

static void put_any_sample(uint64_t time)
{
	static const uint16_t modes[] = {
		PERF_RECORD_MISC_USER, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP,
		PERF_RECORD_MISC_KERNEL, PERF_RECORD_MISC_GUEST_USER,
	};
	uint16_t mode = modes[draw(4)];

	put_sample(100 + draw(8) % 3, draw(8) ? 1 + draw(4) : 9 + draw(90), time,
		   (mode == PERF_RECORD_MISC_KERNEL ? 0xffffffffa0000000 : 0x400000) +
			   0x800 * draw(24),
		   1 + draw(1000), mode);
}

struct summed {
	struct pmuctl_data_sum sums[RECORDS];
	size_t count, given, largest;
	unsigned int by;
};

/* NULL: there is none of this kind. */
static struct pmuctl_data_sum *find_sum(struct summed *s, const struct pmuctl_data_sum *like)
{
	struct pmuctl_data_sum *sum;

	for (sum = s->sums; sum < s->sums + s->count; sum++)
		if (sum->place.dso == like->place.dso &&
		    sum->place.address == like->place.address && sum->event == like->event &&
		    sum->kernel == like->kernel && sum->pid == like->pid &&
		    sum->tid == like->tid && sum->cpu == like->cpu && sum->comm == like->comm)
			return sum;
	return NULL;
}

static void add_sum_to(struct summed *s, const struct pmuctl_data_sum *more)
{
	struct pmuctl_data_sum *sum = find_sum(s, more);

	if (!sum) {
		assert_true(s->count < RECORDS);
		s->sums[s->count++] = *more;
		return;
	}
	sum->samples += more->samples;
	sum->events += more->events;
}

/* One by one, and nothing that was looked up before is used. */
static int sum_slowly(void *summed, const struct pmuctl_data_sample *sample)
{
	struct summed *s = summed;
	uint32_t pid = sample->kernel ? MAPS_KERNEL : sample->pid;
	const struct map *map = maps_find(data->maps, pid, sample->time, sample->ip);
	struct pmuctl_data_sum sum = {
		.event = sample->event, .kernel = sample->kernel, .samples = 1,
		.events = sample->period, .place = { 0, sample->ip },
	};

	if (sample->guest)
		map = NULL;
	if (map)
		sum.place.dso = map->dso;
	if (map && !map->as_it_is)
		sum.place.address = dsos_address(data->dsos, map->dso,
						 sample->ip - map->start + map->offset);
	if (s->by & PMUCTL_BY_COMM)
		sum.comm = comms_find(data->comms, sample->tid, sample->time);
	if (s->by & PMUCTL_BY_COMM && !sum.comm)
		sum.comm = pmuctl_data_comm(data, sample->tid, sample->time);
	sum.pid = s->by & PMUCTL_BY_PID ? sample->pid : 0;
	sum.tid = s->by & PMUCTL_BY_TID ? sample->tid : 0;
	sum.cpu = s->by & PMUCTL_BY_CPU ? sample->cpu : 0;
	add_sum_to(s, &sum);
	return 0;
}

static int count_inexact(void *counts, const struct pmuctl_data_sample *sample)
{
	((uint64_t *)counts)[sample->event] += !sample->exact;
	return 0;
}

static int take_sum(void *summed, const struct pmuctl_data_sum *sum)
{
	struct summed *s = summed;

	assert_true(sum->samples);
	assert_true(!s->given || sum->left + 1 == s->given);
	s->given = sum->left;
	if (sum->samples > s->largest)
		s->largest = sum->samples;
	add_sum_to(s, sum);
	return 0;
}

static int all_below_9(void *unused, const struct pmuctl_data_sample *sample)
{
	(void)unused;
	return sample->pid < 9;
}

static void expect_same_sums(const struct summed *want, struct summed *got)
{
	const struct pmuctl_data_sum *sum;
	size_t i;

	assert_int_equal(got->count, want->count);
	for (i = 0; i < want->count; i++) {
		sum = find_sum(got, &want->sums[i]);
		assert_non_null(sum);
		assert_int_equal(sum->samples, want->sums[i].samples);
		assert_int_equal(sum->events, want->sums[i].events);
	}
}

static void make_busy(void)
{
	char self[256] = "";
	uint64_t time = 1;
	size_t i;

	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	begin_file(&file, plain, 2);
	for (i = 0; i < RECORDS; i++) {
		/* Often several at one time, of which the order in the file decides. */
		time += draw(3) == 0;
		if (draw(6))
			put_any_sample(time);
		else
			put_happening(time, self);
	}
	end_file(&file);
	assert_int_equal(pmuctl_data_open(ctx, file.path, &data), 0);
}

/* By any number of threads they are what the samples are one by one. */
static void test_sums(void **state)
{
	static const unsigned int threads[] = { 1, 2, 3, 7, 16 };
	static struct summed want, got;
	struct pmuctl_data_sums_options options = { .size = sizeof(options) };
	uint32_t most;
	size_t i, by;

	(void)state;
	make_busy();
	assert_true(data->splits_count > 30);
	for (by = 0; by < 16; by++) {
		want = (struct summed){ .by = options.by = (unsigned int)by };
		assert_int_equal(pmuctl_data_samples(data, sum_slowly, &want), 0);
		for (i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
			options.threads = threads[i];
			most = i % 2 ? 2 : UINT32_MAX;
			got = (struct summed){ .by = options.by };
			assert_int_equal(data_sums(data, &options, most, take_sum, &got), 0);
			assert_true(got.largest <= most);
			expect_same_sums(&want, &got);
		}
	}
}

#define PROCESSES 300

/* So many, each with another file at one address, that answers take the places of others. */
static void test_sums_of_many(void **state)
{
	static struct summed want, got;
	uint32_t pids[PROCESSES], i, again;
	char name[32];

	(void)state;
	begin_file(&file, plain, 2);
	for (i = 0; i < PROCESSES; i++) {
		pids[i] = 1 + draw(1 << 20);
		snprintf(name, sizeof(name), "/%u", pids[i] % 7);
		put_mmap(pids[i], 1, 0x400000, 0x1000, 0x1000 * (pids[i] % 3), name);
	}
	for (again = 0; again < 2; again++)
		for (i = 0; i < PROCESSES; i++)
			put_sample(100, pids[i], 2 + again, 0x400100, i, PERF_RECORD_MISC_USER);
	end_file(&file);
	assert_int_equal(pmuctl_data_open(ctx, file.path, &data), 0);
	assert_int_equal(pmuctl_data_samples(data, sum_slowly, &want), 0);
	assert_int_equal(want.count, 7 * 3);
	assert_int_equal(pmuctl_data_sums(data, NULL, take_sum, &got), 0);
	expect_same_sums(&want, &got);
}

static void test_sums_of_some(void **state)
{
	static struct summed all, some;
	struct pmuctl_data_sums_options options = {
		.size = sizeof(options), .by = PMUCTL_BY_PID, .wanted = all_below_9,
	};
	const struct pmuctl_data_info *info;
	uint64_t others = 0, inexact[2] = { 0 };
	size_t i;

	(void)state;
	make_busy();
	info = pmuctl_data_get_info(data);
	assert_int_equal(pmuctl_data_sums(data, &options, take_sum, &some), 0);
	options.wanted = NULL;
	assert_int_equal(pmuctl_data_sums(data, &options, take_sum, &all), 0);
	assert_true(some.count && some.count < all.count);
	for (i = 0; i < some.count; i++)
		assert_true(some.sums[i].pid < 9);
	for (i = 0; i < all.count; i++)
		others += all.sums[i].pid >= 9;
	/* So many that their table grew. */
	assert_true(others > 50);
	assert_int_equal(some.count + others, all.count);
	assert_int_equal(pmuctl_data_samples(data, count_inexact, inexact), 0);
	for (i = 0; i < info->events_count; i++)
		assert_int_equal(info->events[i].inexact, inexact[i]);
	assert_true(inexact[0] && inexact[0] < info->events[0].samples);
	assert_int_equal(pmuctl_data_sums(data, NULL, take_sum, &(struct summed){ .by = 0 }), 0);
	assert_int_equal(pmuctl_data_sums(data, NULL, NULL, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sums, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sums_of_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sums_of_some, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
