// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading perf.data that nobody closed, that is cut, wrong or of a kind that is
 * refused: what is whole of it is there, and no byte can do harm.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#include "tests/unit/lib/data.h"

/* What is there up to the cut, and every whole record of it. */
static void test_cut_everywhere(void **state)
{
	size_t size, whole, before = 0;

	(void)state;
	make_plain();
	end_file(&file);
	for (size = 0; size < file.size; size++) {
		int err;

		write_file(&file, size);
		err = open_file();
		if (size < file.records) {
			assert_int_equal(err, -EBADMSG);
			assert_non_null(strstr(pmuctl_error(ctx), file.path));
			continue;
		}
		assert_int_equal(err, 0);
		assert_true(pmuctl_data_get_info(data)->cut);
		whole = seen_count;
		assert_true(whole >= before && whole <= before + 1);
		assert_int_equal(whole, pmuctl_data_get_info(data)->samples);
		before = whole;
	}
	assert_int_equal(before, 3);
}

/* A recorder that was killed leaves no size. */
static void test_not_closed(void **state)
{
	static const uint8_t zeros[64];

	(void)state;
	make_plain();
	write_file(&file, file.size);
	assert_int_equal(open_file(), 0);
	assert_int_equal(seen_count, 3);
	assert_true(pmuctl_data_get_info(data)->cut);
	/* ...and maybe room that it had not come to. */
	put(&file, zeros, sizeof(zeros));
	write_file(&file, file.size);
	assert_int_equal(open_file(), 0);
	assert_int_equal(seen_count, 3);
}

static void put_name(uint64_t id, const char *name)
{
	size_t at = begin_record(&file, 78, 0);

	put_u64(&file, 2);
	put_u64(&file, id);
	put_text(&file, name);
	end_record(&file, at);
}

/* One that said now and then how far it was: what came behind is there, too. */
static void test_not_closed_but_said(void **state)
{
	(void)state;
	make_plain();
	file_header(&file)->data.size = file.size - file.records;
	put_name(101, "misses:upp");
	put_name(777, "nobody");
	put_sample(101, 7, 50, 0x400124, 10, PERF_RECORD_MISC_USER);
	write_file(&file, file.size);
	assert_int_equal(open_file(), 0);
	assert_int_equal(seen_count, 4);
	assert_true(pmuctl_data_get_info(data)->cut);
	assert_string_equal(pmuctl_data_get_info(data)->events[1].name, "misses:upp");
	assert_string_equal(pmuctl_data_get_info(data)->events[0].name, "instructions");
}

/* Whatever a byte says, nothing is touched that is not there: ASan looks on. */
static void test_every_byte_wrong(void **state)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0xff };
	size_t at, i;

	(void)state;
	make_plain();
	end_file(&file);
	for (at = 0; at < file.size; at++) {
		uint8_t was = file.bytes[at];

		for (i = 0; i < sizeof(values); i++) {
			file.bytes[at] = values[i];
			write_file(&file, file.size);
			open_file();
		}
		file.bytes[at] = was;
	}
}

static void expect_refused(int err, const char *words)
{
	write_file(&file, file.size);
	assert_int_equal(open_file(), err);
	if (!strstr(pmuctl_error(ctx), words))
		fail_msg("'%s' does not say '%s'", pmuctl_error(ctx), words);
}

static void test_refusals(void **state)
{
	struct file_header *h = file_header(&file);
	size_t at;

	(void)state;
	make_plain();
	h->features[0] = 1 << 24;
	expect_refused(-EOPNOTSUPP, "directory");
	h->features[0] = 0;
	h->magic = __builtin_bswap64(h->magic);
	expect_refused(-EOPNOTSUPP, "endianness");
	memcpy(file.bytes, "PERFFILE", 8);
	expect_refused(-EOPNOTSUPP, "PERFFILE");
	memcpy(file.bytes, "ELF, not", 8);
	expect_refused(-EBADMSG, "no perf.data file");
	memcpy(file.bytes, "PERFILE2", 8);
	h->size = 16;
	expect_refused(-EBADMSG, "at byte 16");
	h->size = sizeof(*h);
	at = begin_record(&file, 81, 0);
	put_u64(&file, 0x1234567812345678);
	end_record(&file, at);
	end_file(&file);
	expect_refused(-EBADMSG, "its compressed records are damaged");
	assert_int_equal(pmuctl_data_open(ctx, NULL, &data), -EINVAL);
	assert_int_equal(pmuctl_data_open(ctx, "/usr", &data), -EOPNOTSUPP);
	assert_int_equal(pmuctl_data_open(ctx, "/no/such/file", &data), -ENOENT);
	assert_int_equal(pmuctl_data_open(ctx, "/dev/zero", &data), -EOPNOTSUPP);
}

static void put_part(int dir, const char *name, const void *bytes, size_t size)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

static void put_link(int dir, unsigned int number)
{
	char name[32];

	snprintf(name, sizeof(name), "data.%u", number);
	assert_int_equal(linkat(dir, "data.0", dir, name, 0), 0);
}

static void remove_directory(const char *path)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", path);
	assert_int_equal(system(command), 0);
}

/* Of a directory all files are opened, or it is refused. */
static void test_files_of_a_directory(void **state)
{
	char path[] = "/tmp/pmuctl-parts-XXXXXX";
	struct rlimit before;
	unsigned int i;
	int dir, most, more;

	(void)state;
	getrlimit(RLIMIT_NOFILE, &before);
	if (before.rlim_max < 9000)
		skip();
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 9000, before.rlim_max });
	make_plain();
	end_file(&file);
	assert_non_null(mkdtemp(path));
	dir = open(path, O_RDONLY | O_DIRECTORY);
	put_part(dir, "data", file.bytes, file.size);
	put_part(dir, "data.0", NULL, 0);
	for (i = 1; i < 8192; i++)
		put_link(dir, i);
	/* What failed before is nothing to it. */
	errno = EIO;
	most = pmuctl_data_open(ctx, path, &data);
	pmuctl_data_close(data);
	data = NULL;
	put_link(dir, 8192);
	more = pmuctl_data_open(ctx, path, &data);
	close(dir);
	remove_directory(path);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(most, 0);
	assert_int_equal(more, -EOPNOTSUPP);
	assert_non_null(strstr(pmuctl_error(ctx), "more than 8192 files"));
}

/* In a closed file a record without a size is no end but a mistake. */
static void test_bad_record(void **state)
{
	(void)state;
	make_plain();
	begin_record(&file, PERF_RECORD_SAMPLE, 0);
	end_file(&file);
	assert_int_equal(open_file(), -EBADMSG);
	make_plain();
	end_record(&file, begin_record(&file, PERF_RECORD_SAMPLE, 0));
	end_file(&file);
	assert_int_equal(open_file(), -EBADMSG);
}

static const struct perf_event_attr chains[] = {
	{ .type = PERF_TYPE_HARDWARE, .sample_period = 1,
	  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN },
};

/* A sample that says it has so many callers, and has two words of them. */
static int open_with_chain(uint64_t callers)
{
	size_t at;

	begin_file(&file, chains, 1);
	at = begin_record(&file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_u64(&file, 0x400100);
	put_u64(&file, callers);
	put_u64(&file, 0x400200);
	put_u64(&file, 0x400300);
	end_record(&file, at);
	end_file(&file);
	return open_file();
}

/* Another record is behind it, so that ASan has nothing to say. */
static void test_chain_behind_its_record(void **state)
{
	(void)state;
	assert_int_equal(open_with_chain(2), 0);
	assert_int_equal(seen_count, 1);
	assert_int_equal(open_with_chain(3), -EBADMSG);
	assert_int_equal(open_with_chain(4), -EBADMSG);
	assert_int_equal(open_with_chain(UINT64_MAX), -EBADMSG);
}

/* Less than its own header, where perf's are no multiples of eight. */
static void test_tiny_build_id(void **state)
{
	const struct perf_event_header tiny = { .type = 67, .size = 4 };

	(void)state;
	make_plain();
	put(&file, &tiny, sizeof(tiny));
	end_file(&file);
	assert_int_equal(open_file(), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_cut_everywhere, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_closed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_closed_but_said, setup, teardown),
		cmocka_unit_test_setup_teardown(test_every_byte_wrong, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
		cmocka_unit_test_setup_teardown(test_files_of_a_directory, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_record, setup, teardown),
		cmocka_unit_test_setup_teardown(test_chain_behind_its_record, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tiny_build_id, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
