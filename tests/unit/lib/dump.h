/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A perf.data file that is written from records as the module gives them, and read back: by the
 * library's own reader and, where that hides it, byte by byte.
 */
#ifndef DUMP_H
#define DUMP_H

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/lib/session.h"

static char path[] = "/tmp/pmuctl-dump-XXXXXX";
static struct pmuctl_dump *dump;
static unsigned char file[1 << 20];
static size_t file_size;

static inline int begin_dump(void)
{
	int fd;

	begin();
	memcpy(path + strlen(path) - 6, "XXXXXX", 6);
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	return 0;
}

static inline int setup(void **state)
{
	(void)state;
	fake_skylake();
	fake_sampling(3);
	fake.lbr_depth = 32;
	fake.capabilities = 0x33c5;
	return begin_dump();
}

static inline int end(void **state)
{
	if (dump)
		pmuctl_dump_close(dump);
	dump = NULL;
	unlink(path);
	return teardown(state);
}

static inline void add_sampled(const char *name, uint64_t content)
{
	const struct pmuctl_sampling sampling = {
		.size = sizeof(sampling), .period = 10007, .content = content,
	};
	struct pmuctl_event *event = parsed(name);

	assert_int_equal(pmuctl_event_sample(event, &sampling), 0);
	assert_int_equal(pmuctl_session_add_event(fixture.session, event), 0);
	pmuctl_event_free(event);
}

/* Of this process, as it runs already. */
static inline int open_dump_with(struct pmuctl_dump_options options)
{
	static const char *const command[] = { "record", "-c", "10007", NULL };

	options.size = sizeof(options);
	options.command = command;
	options.inherit = true;

	assert_int_equal(pmuctl_session_add_process(fixture.session, getpid()), 0);
	assert_int_equal(create(0), 0);
	return pmuctl_dump_open(fixture.session, &options, &dump);
}

static inline int open_dump(const char *to)
{
	return open_dump_with((struct pmuctl_dump_options){ .path = to });
}

/* ---- records of the module ----------------------------------------------------------- */

static inline void put(const void *bytes, size_t size)
{
	assert_true(fake.records_size + size <= sizeof(fake.records));
	memcpy(fake.records + fake.records_size, bytes, size);
	fake.records_size += size;
}

static inline struct pmuctl_sample sample_head(uint16_t extra, uint16_t flags, uint64_t ip)
{
	return (struct pmuctl_sample){
		.record = {
			.type = PMUCTL_RECORD_SAMPLE,
			.size = (uint16_t)(sizeof(struct pmuctl_sample) + extra),
			.flags = flags,
			.time = 123456789,
		},
		.pid = 11,
		.tid = 12,
		.ip = ip,
		.period = 10007,
	};
}

static inline void put_plain(uint64_t ip, uint16_t flags)
{
	const struct pmuctl_sample s = sample_head(0, flags, ip);

	put(&s, sizeof(s));
}

/* ---- looking at the file ---------------------------------------------------------------- */

static inline void slurp(void)
{
	int fd = open(path, O_RDONLY);
	ssize_t got = read(fd, file, sizeof(file));

	assert_true(got > 0);
	file_size = (size_t)got;
	close(fd);
}

static inline uint64_t word(size_t at)
{
	uint64_t value;

	assert_true(at + 8 <= file_size);
	memcpy(&value, file + at, sizeof(value));
	return value;
}

/* The record number `which` of this type; NULL if there are not so many. */
static inline const struct perf_event_header *find_record(uint32_t type, int which)
{
	size_t at = word(40), to = at + word(48);
	const struct perf_event_header *h;

	if (!word(48))
		to = file_size;
	for (; at < to; at += h->size) {
		h = (const void *)(file + at);
		assert_true(h->size >= 8 && at + h->size <= to);
		if (h->type == type && !which--)
			return h;
	}
	return NULL;
}

static inline uint64_t field(const struct perf_event_header *h, size_t number)
{
	uint64_t value;

	assert_true(8 * (number + 1) <= h->size);
	memcpy(&value, (const unsigned char *)h + 8 * number, sizeof(value));
	return value;
}

struct seen {
	unsigned int samples;
	struct pmuctl_data_sample last;
	uint64_t chain[8], regs[32], user_regs[32];
	unsigned char stack[64];
	struct pmuctl_branch_entry branches[8];
};

static inline void copy(void *to, const void *from, size_t size)
{
	if (size)
		memcpy(to, from, size);
}

static inline int take_sample(void *data, const struct pmuctl_data_sample *s)
{
	struct seen *seen = data;

	seen->samples++;
	seen->last = *s;
	assert_true(s->chain_count <= 8 && s->branches_count <= 8);
	copy(seen->chain, s->chain, s->chain_count * sizeof(s->chain[0]));
	copy(seen->branches, s->branches, s->branches_count * sizeof(s->branches[0]));
	assert_true(s->stack_size <= sizeof(seen->stack));
	copy(seen->stack, s->stack, s->stack_size);
	copy(seen->user_regs, s->user_regs, (size_t)__builtin_popcountll(s->user_mask) * 8);
	copy(seen->regs, s->regs, (size_t)__builtin_popcountll(s->regs_mask) * 8);
	return 0;
}

static inline struct pmuctl_data *read_back(struct seen *seen)
{
	struct pmuctl_data *data;
	int err = pmuctl_data_open(fixture.ctx, path, &data);

	if (err)
		fail_msg("%d %s", err, pmuctl_error(fixture.ctx));
	memset(seen, 0, sizeof(*seen));
	assert_int_equal(pmuctl_data_samples(data, take_sample, seen), 0);
	return data;
}

static inline int close_dump(void)
{
	int err = pmuctl_dump_close(dump);

	dump = NULL;
	return err;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, end)

#endif
