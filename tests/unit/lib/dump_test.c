// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What goes to a perf.data file, read back by the library's own reader and, where
 * that hides it, byte by byte.
 */
#include <asm/perf_regs.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib/session.h"

#define CONTENT_ALL (PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_WEIGHT | PMUCTL_SAMPLE_DATA_SRC | \
		     PMUCTL_SAMPLE_REGS | PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_BRANCHES)

static char path[] = "/tmp/pmuctl-dump-XXXXXX";
static struct pmuctl_dump *dump;
static unsigned char file[1 << 20];
static size_t file_size;

static int setup(void **state)
{
	int fd;

	(void)state;
	fake_skylake();
	fake_sampling(3);
	fake.lbr_depth = 32;
	fake.capabilities = 0x33c5;
	begin();
	memcpy(path + strlen(path) - 6, "XXXXXX", 6);
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	return 0;
}

static int end(void **state)
{
	if (dump)
		pmuctl_dump_close(dump);
	dump = NULL;
	unlink(path);
	return teardown(state);
}

static void add_sampled(const char *name, uint64_t content)
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
static int open_dump(const char *to)
{
	static const char *const command[] = { "record", "-c", "10007", NULL };
	const struct pmuctl_dump_options options = {
		.size = sizeof(options), .path = to, .command = command, .inherit = true,
	};

	assert_int_equal(pmuctl_session_add_process(fixture.session, getpid()), 0);
	assert_int_equal(create(0), 0);
	return pmuctl_dump_open(fixture.session, &options, &dump);
}

/* ---- records of the module ----------------------------------------------------------- */

static void put(const void *bytes, size_t size)
{
	assert_true(fake.records_size + size <= sizeof(fake.records));
	memcpy(fake.records + fake.records_size, bytes, size);
	fake.records_size += size;
}

static struct pmuctl_sample sample_head(uint16_t extra, uint16_t flags, uint64_t ip)
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

static void put_plain(uint64_t ip, uint16_t flags)
{
	const struct pmuctl_sample s = sample_head(0, flags, ip);

	put(&s, sizeof(s));
}

struct full {
	struct pmuctl_sample head;
	uint64_t addr, latency, data_src;
	struct pmuctl_sample_regs regs;
	uint64_t nr_chain, chain[3], nr_branches;
	struct pmuctl_branch branches[2];
};

static void put_full(void)
{
	const struct full f = {
		.head = sample_head(sizeof(f) - sizeof(f.head), PMUCTL_RECORD_USER |
				    PMUCTL_RECORD_PEBS | PMUCTL_RECORD_EXACT, 0x401000),
		.addr = 0x7000,
		.latency = 77ull << 32 | 30,
		.data_src = 0x1c,
		.regs = { .flags = 1, .ip = 0x401004, .ax = 2, .bx = 3, .sp = 9, .r8 = 20,
			  .r15 = 27 },
		.nr_chain = 3,
		.chain = { PMUCTL_CHAIN_USER, 0x401000, 0x402000 },
		.nr_branches = 2,
		.branches = { { 1, 2, 1ull << 63 | 0xf005 }, { 3, 4, 6 } },
	};

	put(&f, sizeof(f));
}

static void put_lost(uint64_t count)
{
	const struct pmuctl_lost l = {
		.record = { .type = PMUCTL_RECORD_LOST, .size = sizeof(l), .time = 5 },
		.samples = count,
	};

	put(&l, sizeof(l));
}

static void put_throttle(uint16_t type)
{
	const struct pmuctl_record r = { .type = type, .size = sizeof(r), .time = 6 };

	put(&r, sizeof(r));
}

/* ---- looking at the file ---------------------------------------------------------------- */

static void slurp(void)
{
	int fd = open(path, O_RDONLY);
	ssize_t got = read(fd, file, sizeof(file));

	assert_true(got > 0);
	file_size = (size_t)got;
	close(fd);
}

static uint64_t word(size_t at)
{
	uint64_t value;

	assert_true(at + 8 <= file_size);
	memcpy(&value, file + at, sizeof(value));
	return value;
}

/* The record number `which` of this type; NULL if there are not so many. */
static const struct perf_event_header *find_record(uint32_t type, int which)
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

static uint64_t field(const struct perf_event_header *h, size_t number)
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
	struct pmuctl_branch_entry branches[4];
};

static void copy(void *to, const void *from, size_t size)
{
	if (size)
		memcpy(to, from, size);
}

static int take_sample(void *data, const struct pmuctl_data_sample *s)
{
	struct seen *seen = data;

	seen->samples++;
	seen->last = *s;
	assert_true(s->chain_count <= 8 && s->branches_count <= 4);
	copy(seen->chain, s->chain, s->chain_count * sizeof(s->chain[0]));
	copy(seen->branches, s->branches, s->branches_count * sizeof(s->branches[0]));
	assert_true(s->stack_size <= sizeof(seen->stack));
	copy(seen->stack, s->stack, s->stack_size);
	copy(seen->user_regs, s->user_regs, (size_t)__builtin_popcountll(s->user_mask) * 8);
	copy(seen->regs, s->regs, (size_t)__builtin_popcountll(s->regs_mask) * 8);
	return 0;
}

static struct pmuctl_data *read_back(struct seen *seen)
{
	struct pmuctl_data *data;
	int err = pmuctl_data_open(fixture.ctx, path, &data);

	if (err)
		fail_msg("%d %s", err, pmuctl_error(fixture.ctx));
	memset(seen, 0, sizeof(*seen));
	assert_int_equal(pmuctl_data_samples(data, take_sample, seen), 0);
	return data;
}

static int close_dump(void)
{
	int err = pmuctl_dump_close(dump);

	dump = NULL;
	return err;
}

/* ---- tests -------------------------------------------------------------------------------- */

static void plain_samples(void **state)
{
	struct pmuctl_dump_info info = { .size = sizeof(info) };
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	add_sampled("instructions:u", 0);
	assert_int_equal(open_dump(path), 0);
	fake.records_cpu = 3;
	put_plain(0x401234, PMUCTL_RECORD_USER);
	put_plain(0xffffffff81000010, 0);
	put_lost(3);
	put_lost(1);
	put_throttle(PMUCTL_RECORD_THROTTLE);
	put_throttle(PMUCTL_RECORD_UNTHROTTLE);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	assert_true(fake.flushed);
	assert_int_equal(pmuctl_dump_get_info(dump, &info), 0);
	assert_int_equal(info.samples, 2);
	assert_int_equal(info.lost, 4);
	assert_int_equal(info.throttled, 1);
	assert_int_equal(close_dump(), 0);

	/* Each loss, and at the end, as perf has it, the sum of the event's. */
	slurp();
	assert_int_equal(field(find_record(PERF_RECORD_LOST, 0), 2), 3);
	assert_int_equal(field(find_record(PERF_RECORD_LOST, 1), 2), 1);
	assert_int_equal(field(find_record(PERF_RECORD_LOST_SAMPLES, 0), 1), 4);
	data = read_back(&seen);
	assert_int_equal(seen.samples, 2);
	assert_true(seen.last.kernel);
	assert_int_equal(seen.last.ip, 0xffffffff81000010);
	assert_int_equal(seen.last.pid, 11);
	assert_int_equal(seen.last.tid, 12);
	assert_int_equal(seen.last.cpu, 3);
	assert_int_equal(seen.last.time, 123456789);
	assert_int_equal(seen.last.period, 10007);
	assert_false(seen.last.exact);
	assert_int_equal(pmuctl_data_get_info(data)->lost, 4);
	assert_int_equal(pmuctl_data_get_info(data)->throttled, 1);
	assert_false(pmuctl_data_get_info(data)->cut);
	assert_string_equal(pmuctl_data_get_info(data)->events[0].name, "instructions:u");
	assert_int_equal(pmuctl_data_get_info(data)->events[0].period, 10007);
	assert_string_equal(pmuctl_data_get_info(data)->arch, "x86_64");
	assert_non_null(strstr(pmuctl_data_get_info(data)->command, "10007"));
	/* This program's own name and code, from /proc. */
	assert_non_null(strstr(pmuctl_data_comm(data, (uint32_t)getpid(), 1), "dump_test"));
	pmuctl_data_close(data);
}

static void all_contents(void **state)
{
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	add_sampled("r1cd:ldlat=3:upp", CONTENT_ALL);
	assert_int_equal(open_dump(path), 0);
	put_full();
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	assert_int_equal(close_dump(), 0);
	data = read_back(&seen);
	assert_int_equal(seen.samples, 1);
	assert_true(seen.last.exact);
	assert_int_equal(seen.last.ip, 0x401000);
	assert_int_equal(seen.last.addr, 0x7000);
	assert_int_equal(seen.last.weight, 30);
	/* On Skylake another socket's cache; the second TLB missed. */
	assert_int_equal(seen.last.data_src & 0x1f, PERF_MEM_OP_LOAD);
	assert_int_equal(seen.last.data_src >> PERF_MEM_LVLNUM_SHIFT & 0xf,
			 PERF_MEM_LVLNUM_ANY_CACHE);
	assert_int_equal(seen.last.data_src >> PERF_MEM_REMOTE_SHIFT & 1, 1);
	assert_int_equal(seen.last.data_src >> PERF_MEM_TLB_SHIFT & 0x7f,
			 PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2);
	assert_int_equal(seen.last.chain_count, 3);
	assert_int_equal(seen.chain[2], 0x402000);
	assert_int_equal(seen.last.branches_count, 2);
	assert_int_equal(seen.branches[0].from, 1);
	assert_int_equal(seen.branches[0].to, 2);
	/* Mispredicted, 61445 cycles; predicted, 6. */
	assert_int_equal(seen.branches[0].flags, 1 | 0xf005 << 4);
	assert_int_equal(seen.branches[1].flags, 2 | 6 << 4);
	assert_int_equal(seen.last.regs_mask, 0xff03ff);
	assert_int_equal(seen.regs[PERF_REG_X86_AX], 2);
	assert_int_equal(seen.regs[PERF_REG_X86_BX], 3);
	assert_int_equal(seen.regs[PERF_REG_X86_SP], 9);
	assert_int_equal(seen.regs[PERF_REG_X86_IP], 0x401004);
	assert_int_equal(seen.regs[PERF_REG_X86_FLAGS], 1);
	assert_int_equal(seen.regs[10], 20);
	assert_int_equal(seen.regs[17], 27);
	pmuctl_data_close(data);
}

static void put_stack(uint16_t flags, uint64_t abi, uint64_t bytes)
{
	const struct pmuctl_user_regs regs = {
		.regs = { .ax = 2, .sp = 9, .ip = 0x401004, .flags = 1, .r8 = 20, .r15 = 27 },
		.cs = 0x33, .ss = 0x2b,
	};
	const unsigned char stack[32] = "a stack of some bytes";
	const uint64_t padded = (bytes + 7) / 8 * 8;
	struct pmuctl_sample head = sample_head(0, flags, 0x401000);

	head.record.size = (uint16_t)(sizeof(head) + 2 * 8 + (abi ? sizeof(regs) + 8 + padded : 0));
	put(&head, sizeof(head));
	put(&(uint64_t){ 0 }, 8);	/* a chain without an ip */
	put(&abi, 8);
	if (!abi)
		return;
	put(&regs, sizeof(regs));
	put(&bytes, 8);
	put(stack, padded);
}

static struct pmuctl_data *dump_stack(uint16_t flags, uint64_t abi, uint64_t bytes,
				      struct seen *seen)
{
	add_sampled("instructions:u", PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_STACK);
	assert_int_equal(open_dump(path), 0);
	put_stack(flags, abi, bytes);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	return read_back(seen);
}

/* As perf has them, and as many bytes as there are. */
static void stacks(void **state)
{
	struct pmuctl_dump_info info = { .size = sizeof(info) };
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	data = dump_stack(PMUCTL_RECORD_USER | PMUCTL_RECORD_MOVED, PMUCTL_USER_ABI_64, 21, &seen);
	assert_int_equal(seen.last.has & (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER),
			 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	assert_true(pmuctl_data_get_info(data)->stack_copies);
	assert_int_equal(seen.last.user_abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(seen.last.user_mask, 0xff0fff);
	assert_int_equal(seen.user_regs[PERF_REG_X86_AX], 2);
	assert_int_equal(seen.user_regs[PERF_REG_X86_SP], 9);
	assert_int_equal(seen.user_regs[PERF_REG_X86_IP], 0x401004);
	assert_int_equal(seen.user_regs[PERF_REG_X86_FLAGS], 1);
	assert_int_equal(seen.user_regs[PERF_REG_X86_CS], 0x33);
	assert_int_equal(seen.user_regs[PERF_REG_X86_SS], 0x2b);
	assert_int_equal(seen.user_regs[12], 20);
	assert_int_equal(seen.user_regs[19], 27);
	assert_int_equal(seen.last.stack_size, 21);
	assert_memory_equal(seen.stack, "a stack of some bytes", 21);
	assert_int_equal(pmuctl_dump_get_info(dump, &info), 0);
	assert_int_equal(info.moved, 1);
	pmuctl_data_close(data);
}

static void no_stacks(void **state)
{
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	data = dump_stack(0, PMUCTL_USER_ABI_NONE, 0, &seen);
	assert_int_equal(seen.samples, 1);
	assert_int_equal(seen.last.user_abi, PERF_SAMPLE_REGS_ABI_NONE);
	assert_int_equal(seen.last.user_mask, 0);
	assert_int_equal(seen.last.stack_size, 0);
	pmuctl_data_close(data);
}

/* Registers, and nothing of the stack could be read. */
static void empty_stacks(void **state)
{
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	data = dump_stack(PMUCTL_RECORD_USER, PMUCTL_USER_ABI_32, 0, &seen);
	assert_int_equal(seen.last.user_abi, PERF_SAMPLE_REGS_ABI_32);
	assert_int_equal(seen.user_regs[PERF_REG_X86_SP], 9);
	assert_int_equal(seen.last.stack_size, 0);
	pmuctl_data_close(data);
}

/* A record that promises more bytes than it has. */
static void short_stack(void **state)
{
	struct pmuctl_record head;

	(void)state;
	add_sampled("instructions:u", PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_STACK);
	assert_int_equal(open_dump(path), 0);
	put_stack(PMUCTL_RECORD_USER, PMUCTL_USER_ABI_64, 21);
	memcpy(&head, fake.records, sizeof(head));
	head.size -= 8;
	memcpy(fake.records, &head, sizeof(head));
	fake.records_size -= 8;
	assert_int_equal(pmuctl_dump_take(dump, true), -EBADMSG);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "shorter than what was asked for"));
}

static void words_at_the_top(void **state)
{
	const struct {
		struct pmuctl_sample head;
		uint64_t nr_chain, nr, word[2];
	} top = { sample_head(4 * 8, PMUCTL_RECORD_USER, 0x401000), 0, 2, { 0x402000, 7 } };
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	add_sampled("instructions:u", PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_TOP);
	assert_int_equal(open_dump(path), 0);
	put(&top, sizeof(top));
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	data = read_back(&seen);
	assert_false(seen.last.has & PERF_SAMPLE_REGS_USER);
	assert_false(pmuctl_data_get_info(data)->stack_copies);
	assert_int_equal(seen.last.stack_size, 16);
	assert_memory_equal(seen.stack, top.word, 16);
	pmuctl_data_close(data);
}

/* Five instructions, the last but one a long one. */
__asm__(".pushsection .text\n"
	"known_block: nop\n"
	"nop\n"
	"movabs $0x9090909090909090, %rax\n"
	"known_next: nop\n"
	"ret\n"
	".popsection");

extern const char known_block[], known_next[];

static void put_uncertain(uint64_t ip, uint64_t block)
{
	struct pmuctl_sample s = sample_head(8, PMUCTL_RECORD_USER | PMUCTL_RECORD_PEBS |
					     PMUCTL_RECORD_UNCERTAIN, ip);

	s.pid = s.tid = (uint32_t)getpid();
	put(&s, sizeof(s));
	put(&block, sizeof(block));
}

static void open_old_format(void)
{
	pmuctl_session_free(fixture.session);
	pmuctl_close(fixture.ctx);
	fake_core2();
	fake_sampling(0);
	begin();
	add_sampled("instructions:upp", 0);
	assert_int_equal(open_dump(path), 0);
}

static void check_uncertain(uint64_t ip, uint64_t block, uint64_t want)
{
	struct pmuctl_dump_info info = { .size = sizeof(info) };
	struct pmuctl_data *data;
	struct seen seen;

	open_old_format();
	put_uncertain(ip, block);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	assert_int_equal(pmuctl_dump_end(dump), 0);
	assert_int_equal(pmuctl_dump_get_info(dump, &info), 0);
	assert_int_equal(info.uncertain, want == ip);
	assert_int_equal(close_dump(), 0);
	data = read_back(&seen);
	assert_int_equal(seen.last.ip, want);
	assert_int_equal(seen.last.exact, want != ip);
	pmuctl_data_close(data);
}

static void old_formats_are_made_certain(void **state)
{
	uint64_t block = (uintptr_t)known_block, next = (uintptr_t)known_next;

	(void)state;
	check_uncertain(next, block, block + 2);
	check_uncertain(block + 1, block, block);
	/* In the middle of an instruction, before the block, without one, and nowhere. */
	check_uncertain(block + 5, block, block + 5);
	check_uncertain(block, next, block);
	check_uncertain(next, 0, next);
	check_uncertain(0x1010, 0x1000, 0x1010);
}

/* What perf's readers rely on and ours may not. */
static void header_is_perfs(void **state)
{
	const struct perf_event_header *h;

	(void)state;
	add_sampled("instructions:u", 0);
	assert_int_equal(open_dump(path), 0);
	slurp();
	assert_memory_equal(file, "PERFILE2", 8);
	assert_int_equal(word(48), 0);
	put_plain(0x401234, PMUCTL_RECORD_USER);
	assert_int_equal(pmuctl_dump_take(dump, false), 0);
	assert_int_equal(close_dump(), 0);
	slurp();
	assert_int_equal(word(8), 104);
	assert_int_equal(word(16), 112 + 16);
	assert_int_not_equal(word(48), 0);
	h = find_record(PERF_RECORD_SAMPLE, 0);
	assert_non_null(h);
	assert_int_equal(h->size, 56);
	assert_int_equal(h->misc, PERF_RECORD_MISC_USER);
	assert_int_equal(field(h, 2), 0x401234);
	assert_non_null(find_record(PERF_RECORD_COMM, 0));
	assert_non_null(find_record(PERF_RECORD_MMAP2, 0));
	assert_non_null(find_record(68, 0));
}

/* Whoever is killed leaves this. */
static void not_closed(void **state)
{
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	add_sampled("instructions:u", 0);
	assert_int_equal(open_dump(path), 0);
	put_plain(0x401234, PMUCTL_RECORD_USER);
	put_plain(0x401235, PMUCTL_RECORD_USER);
	assert_int_equal(pmuctl_dump_take(dump, false), 0);
	data = read_back(&seen);
	assert_int_equal(seen.samples, 2);
	assert_true(pmuctl_data_get_info(data)->cut);
	assert_string_equal(pmuctl_data_get_info(data)->events[0].name, "instructions:u");
	pmuctl_data_close(data);
}

static void malformed_records(void **state)
{
	struct pmuctl_sample s = sample_head(0, 0, 1);

	(void)state;
	add_sampled("instructions:u", PMUCTL_SAMPLE_CHAIN);
	assert_int_equal(open_dump(path), 0);
	/* Without the chain that was asked for. */
	put(&s, sizeof(s));
	assert_int_equal(pmuctl_dump_take(dump, false), -EBADMSG);
	s.record.size = 8;
	put(&s, sizeof(s));
	assert_int_equal(pmuctl_dump_take(dump, false), -EBADMSG);
	s.record.size = sizeof(s) + 8;
	put(&s, sizeof(s));
	assert_int_equal(pmuctl_dump_take(dump, false), -EBADMSG);
	s = sample_head(0, 0, 1);
	s.record.event = 1;
	put(&s, sizeof(s));
	assert_int_equal(pmuctl_dump_take(dump, false), -EBADMSG);
	/* A chain that is longer than its record. */
	s = sample_head(8, 0, 1);
	put(&s, sizeof(s));
	put(&(uint64_t){ ~0ull / 8 + 2 }, 8);
	assert_int_equal(pmuctl_dump_take(dump, false), -EBADMSG);
	assert_int_equal(close_dump(), 0);
}

/* A program of 32 bits in a file, and mapped: inc, add, inc; as 64 bits the first two are one. */
static const unsigned char *map_narrow(char *name)
{
	static const unsigned char code[] = { 0x40, 0x03, 0x16, 0x43, 0xc3 };
	struct {
		Elf32_Ehdr header;
		Elf32_Phdr segment;
	} elf = {
		.header = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_DYN, .e_machine = EM_386, .e_version = EV_CURRENT,
			.e_phoff = sizeof(elf.header), .e_ehsize = sizeof(elf.header),
			.e_phentsize = sizeof(elf.segment), .e_phnum = 1,
		},
		.segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = 4096,
			     .p_memsz = 4096, .p_align = 4096 },
	};
	int fd = mkstemp(name);
	void *at;

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &elf, sizeof(elf), 0), sizeof(elf));
	assert_int_equal(pwrite(fd, code, sizeof(code), 256), sizeof(code));
	assert_int_equal(ftruncate(fd, 4096), 0);
	at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	assert_true(at != MAP_FAILED);
	close(fd);
	return at;
}

static void narrow_code_is_made_certain(void **state)
{
	char name[] = "/tmp/pmuctl-narrow-XXXXXX";
	const unsigned char *at = map_narrow(name);
	uint64_t block = (uintptr_t)at + 256;

	(void)state;
	check_uncertain(block + 3, block, block + 1);
	munmap((void *)(uintptr_t)at, 4096);
	unlink(name);
}

/* Into a descriptor nothing is filled in later, and readers have all the same. */
static void into_a_pipe(void **state)
{
	static const char *const command[] = { "record", "-o", "-", NULL };
	struct pmuctl_dump_options options = {
		.size = sizeof(options), .path = "-", .command = command,
		.fd = open(path, O_WRONLY | O_APPEND),
	};
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	add_sampled("instructions:u", 0);
	assert_int_equal(pmuctl_session_add_process(fixture.session, getpid()), 0);
	assert_int_equal(create(0), 0);
	assert_int_equal(pmuctl_dump_open(fixture.session, &options, &dump), 0);
	put_plain((uintptr_t)known_block, PMUCTL_RECORD_USER);
	put_lost(3);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	assert_int_equal(pmuctl_dump_end(dump), 0);
	assert_int_equal(close_dump(), 0);
	slurp();
	assert_int_equal(word(8), 16);
	close(options.fd);
	data = read_back(&seen);
	assert_int_equal(seen.samples, 1);
	assert_int_equal(pmuctl_data_get_info(data)->lost, 3);
	assert_int_equal(pmuctl_data_get_info(data)->events_count, 2);
	assert_string_equal(pmuctl_data_get_info(data)->events[0].name, "instructions:u");
	assert_string_equal(pmuctl_data_get_info(data)->command, "record -o -");
	assert_true(pmuctl_data_get_info(data)->release[0]);
	pmuctl_data_close(data);
}

/* ---- files in namespaces ------------------------------------------------------------------ */

/* A file that is all header, and a build-id of 20 times this byte. */
static void write_with_id(const char *name, unsigned char byte)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Phdr segments[2];
		Elf64_Nhdr note;
		char owner[4];
		unsigned char id[20];
	} elf = {
		.header = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			.e_phoff = offsetof(__typeof__(elf), segments),
			.e_ehsize = sizeof(elf.header), .e_phentsize = sizeof(elf.segments[0]),
			.e_phnum = 2,
		},
		.segments = {
			{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = 4096,
			  .p_memsz = 4096, .p_align = 4096 },
			{ .p_type = PT_NOTE, .p_offset = offsetof(__typeof__(elf), note),
			  .p_filesz = 36, .p_memsz = 36, .p_align = 4 },
		},
		.note = { 4, 20, NT_GNU_BUILD_ID }, .owner = "GNU",
	};
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0700);

	memset(elf.id, byte, sizeof(elf.id));
	if (fd < 0 || pwrite(fd, &elf, sizeof(elf), 0) != sizeof(elf) || ftruncate(fd, 4096))
		abort();
	close(fd);
}

/* A child that has mapped a file of this name where nobody else sees it; 0: it may not. */
static pid_t map_in_namespace(const char *dir, const char *name, uint64_t *start)
{
	int told[2];
	pid_t pid;

	assert_int_equal(pipe(told), 0);
	pid = fork();
	if (!pid) {
		void *at = NULL;
		int fd;

		if (!unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
		    !mount("none", dir, "tmpfs", 0, NULL)) {
			write_with_id(name, 0x22);
			fd = open(name, O_RDONLY);
			at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
			close(fd);
		}
		if (write(told[1], &at, sizeof(at)) == sizeof(at))
			pause();
		_exit(0);
	}
	close(told[1]);
	assert_int_equal(read(told[0], start, sizeof(*start)), sizeof(*start));
	close(told[0]);
	return pid;
}

static const struct perf_event_header *find_mapping(const char *name)
{
	const struct perf_event_header *h;
	int i;

	for (i = 0; (h = find_record(PERF_RECORD_MMAP2, i)); i++)
		if (!strcmp((const char *)h + 72, name))
			return h;
	return NULL;
}

/* What is kept below a home of its own; and nothing is left of that. */
static void check_kept(const char *home, const char *name)
{
	char link[160], kept[256], command[200];
	unsigned char id[20];
	int fd;

	snprintf(link, sizeof(link), "%s/.debug/.build-id/22/%s/elf", home,
		 "22222222222222222222222222222222222222");
	snprintf(kept, sizeof(kept), "%s/.debug%s/%s/elf", home, name,
		 "2222222222222222222222222222222222222222");
	fd = open(link, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, id, sizeof(id), 64 + 2 * 56 + 16), sizeof(id));
	assert_int_equal(id[0], 0x22);
	close(fd);
	assert_int_equal(access(kept, F_OK), 0);
	snprintf(command, sizeof(command), "rm -r %s", home);
	assert_int_equal(system(command), 0);
}

static void file_of_a_container(void **state)
{
	char dir[] = "/tmp/pmuctl-ns-XXXXXX", name[64], home[] = "/tmp/pmuctl-home-XXXXXX";
	const struct perf_event_header *h;
	uint64_t start;
	size_t i;
	pid_t pid;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_non_null(mkdtemp(home));
	setenv("HOME", home, 1);
	snprintf(name, sizeof(name), "%s/prog", dir);
	write_with_id(name, 0x11);
	pid = map_in_namespace(dir, name, &start);
	add_sampled("instructions:u", 0);
	assert_int_equal(pmuctl_session_add_process(fixture.session, (uint32_t)pid), 0);
	assert_int_equal(create(0), 0);
	assert_int_equal(pmuctl_dump_open(fixture.session, &(struct pmuctl_dump_options){
		.size = sizeof(struct pmuctl_dump_options), .path = path,
	}, &dump), 0);
	assert_int_equal(close_dump(), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	unlink(name);
	rmdir(dir);
	if (!start) {
		rmdir(home);
		skip();
	}
	check_kept(home, name);
	slurp();
	h = find_mapping(name);
	assert_non_null(h);
	assert_true(h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
	assert_int_equal(((const unsigned char *)h)[40], 20);
	for (i = 0; i < 20; i++)
		assert_int_equal(((const unsigned char *)h)[44 + i], 0x22);
	/* The list behind the records would say it of the name. */
	for (i = 0; i + 20 < file_size; i++)
		assert_true(file[i] != 0x11 || memcmp(file + i, file + i + 1, 19) != 0);
}

static void files_that_cannot_be(void **state)
{
	(void)state;
	add_sampled("instructions:u", 0);
	assert_int_equal(open_dump("/nowhere/perf.data"), -ENOENT);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "/nowhere/perf.data"));
}

/* Two recordings into one file: the second says so, and touches nothing. */
static void taken_file(void **state)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	char byte = 0;

	(void)state;
	assert_int_equal(write(fd, "x", 1), 1);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	add_sampled("instructions:u", 0);
	assert_int_equal(open_dump(path), -ETXTBSY);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "another recording"));
	assert_int_equal(pread(fd, &byte, 1, 0), 1);
	assert_int_equal(byte, 'x');
	close(fd);
}

static void nothing_is_sampled(void **state)
{
	(void)state;
	add("instructions:u");
	assert_int_equal(open_dump(path), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "sampled"));
}

/* The disk is full: the file has whole records, and says how many. */
static void no_room(void **state)
{
	struct rlimit before, limit;
	struct pmuctl_data *data;
	struct seen seen;
	struct stat st;
	int i;

	(void)state;
	add_sampled("instructions:u", 0);
	assert_int_equal(open_dump(path), 0);
	assert_int_equal(stat(path, &st), 0);
	getrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_IGN);
	limit = before;
	/* Two samples and a half. */
	limit.rlim_cur = (rlim_t)st.st_size + 140;
	setrlimit(RLIMIT_FSIZE, &limit);
	for (i = 0; i < 10; i++)
		put_plain(0x401234, PMUCTL_RECORD_USER);
	assert_int_equal(pmuctl_dump_take(dump, false), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &before);
	put_plain(0x401235, PMUCTL_RECORD_USER);
	assert_int_not_equal(pmuctl_dump_take(dump, false), 0);
	assert_int_not_equal(close_dump(), 0);
	data = read_back(&seen);
	assert_int_equal(seen.samples, 2);
	assert_false(pmuctl_data_get_info(data)->cut);
	pmuctl_data_close(data);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(plain_samples),
		TEST(all_contents),
		TEST(stacks),
		TEST(no_stacks),
		TEST(empty_stacks),
		TEST(short_stack),
		TEST(words_at_the_top),
		TEST(old_formats_are_made_certain),
		TEST(narrow_code_is_made_certain),
		TEST(into_a_pipe),
		TEST(file_of_a_container),
		TEST(header_is_perfs),
		TEST(not_closed),
		TEST(malformed_records),
		TEST(files_that_cannot_be),
		TEST(taken_file),
		TEST(nothing_is_sampled),
		TEST(no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
