// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What goes to a perf.data file of the module's records.
 */
#include <asm/perf_regs.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "tests/unit/lib/dump.h"

#define CONTENT_ALL (PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_WEIGHT | PMUCTL_SAMPLE_DATA_SRC | \
		     PMUCTL_SAMPLE_REGS | PMUCTL_SAMPLE_CHAIN | PMUCTL_SAMPLE_BRANCHES)

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

/* ---- counts of a group ------------------------------------------------------------------ */

static void add_leader_and_two(void)
{
	const struct pmuctl_sampling sampling = {
		.size = sizeof(sampling), .period = 10007, .content = PMUCTL_SAMPLE_COUNTS,
	};
	struct pmuctl_event *group[] = {
		parsed("instructions:u"), parsed("branches:u"), parsed("cycles:u"),
	};
	size_t i;

	assert_int_equal(pmuctl_event_sample(group[0], &sampling), 0);
	assert_int_equal(pmuctl_session_add_group(fixture.session, group, 3), 0);
	for (i = 0; i < 3; i++)
		pmuctl_event_free(group[i]);
}

static void put_counts(uint64_t branches, uint64_t cycles)
{
	const struct {
		struct pmuctl_sample head;
		uint64_t nr, counts[2];
	} s = {
		.head = sample_head(sizeof(s) - sizeof(s.head), PMUCTL_RECORD_USER, 0x401000),
		.nr = 2,
		.counts = { branches, cycles },
	};

	put(&s, sizeof(s));
}

/* Withheld: there are none. */
static void put_no_counts(void)
{
	const struct {
		struct pmuctl_sample head;
		uint64_t nr;
	} s = { .head = sample_head(sizeof(s.nr), PMUCTL_RECORD_USER, 0x401000) };

	put(&s, sizeof(s));
}

static struct {
	unsigned int samples[3];
	uint64_t sum[3];
} by_event;

static int add_up(void *data, const struct pmuctl_data_sample *s)
{
	(void)data;
	assert_true(s->event < 3);
	by_event.samples[s->event]++;
	by_event.sum[s->event] += s->period;
	return 0;
}

static void take_from(unsigned int cpu)
{
	fake.records_cpu = cpu;
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	fake.records_size = 0;
}

/* Bit 1 of what comes behind six words of the event's attributes. */
static bool inherits(unsigned int event)
{
	return word(word(24) + event * word(16) + 40) & 2;
}

/* As perf has them: sums of each CPU, by ids of each event there. */
static void counts_of_a_group(void **state)
{
	const struct perf_event_header *first, *last;
	struct pmuctl_data *data;
	unsigned int cpu;

	(void)state;
	add_leader_and_two();
	assert_int_equal(open_dump(path), 0);
	put_counts(700, 5000);
	put_counts(800, 0);
	take_from(0);
	cpu = sysconf(_SC_NPROCESSORS_CONF) > 1;
	put_counts(90, 6000);
	put_no_counts();
	take_from(cpu);
	assert_int_equal(close_dump(), 0);
	slurp();
	/* Else readers take differences by thread. */
	assert_false(inherits(0) || inherits(1) || inherits(2));
	/* Behind id, IP, thread, time, CPU and period. */
	first = find_record(PERF_RECORD_SAMPLE, 0);
	assert_int_equal(field(first, 7), 3);
	assert_int_equal(field(first, 8), 10007);
	assert_int_equal(field(first, 10), 700);
	assert_int_equal(field(first, 12), 5000);
	assert_int_equal(first->size, 8 * 14);
	last = find_record(PERF_RECORD_SAMPLE, 1);
	assert_int_equal(field(last, 8), 20014);
	assert_int_equal(field(last, 10), 1500);
	assert_int_equal(field(last, 12), 5000);
	assert_int_equal(field(last, 11), field(first, 11));
	last = find_record(PERF_RECORD_SAMPLE, 2);
	assert_int_equal(field(last, 10), cpu ? 90 : 1590);
	assert_true(!cpu == (field(last, 11) == field(first, 11)));
	assert_true(field(first, 9) != field(first, 11) && field(first, 11) != field(first, 13));

	assert_int_equal(pmuctl_data_open(fixture.ctx, path, &data), 0);
	memset(&by_event, 0, sizeof(by_event));
	assert_int_equal(pmuctl_data_samples(data, add_up, NULL), 0);
	assert_int_equal(by_event.samples[0], 4);
	assert_true(by_event.sum[0] == 4 * 10007);
	assert_int_equal(by_event.samples[1], 3);
	assert_true(by_event.sum[1] == 1590);
	/* What did not move is no sample of it. */
	assert_int_equal(by_event.samples[2], 2);
	assert_true(by_event.sum[2] == 11000);
	pmuctl_data_close(data);
}

static void counts_that_are_none_of_the_groups(void **state)
{
	(void)state;
	add_leader_and_two();
	assert_int_equal(open_dump(path), 0);
	put_counts(1, 2);
	/* It says of more than there are. */
	memcpy(fake.records + sizeof(struct pmuctl_sample), &(uint64_t){ 1 }, 8);
	assert_int_equal(pmuctl_dump_take(dump, true), -EBADMSG);
	fake.records_size = 0;
	put_counts(1, 2);
	fake.records_cpu = 1u << 20;
	assert_int_equal(pmuctl_dump_take(dump, true), -EBADMSG);
	fake.records_size = 0;
	close_dump();
}

#define NR_KINDS 8

/* Architectural branch records say what kind each is. */
static void kinds_of_branches(void **state)
{
	static const struct {
		uint64_t type;
		unsigned int kind;
	} of[NR_KINDS] = {
		{ 0, PERF_BR_COND }, { 1, PERF_BR_IND }, { 2, PERF_BR_UNCOND },
		{ 3, PERF_BR_IND_CALL }, { 4, PERF_BR_CALL }, { 5, PERF_BR_RET },
		{ 8, PERF_BR_UNKNOWN }, { 15, PERF_BR_UNKNOWN },
	};
	struct {
		struct pmuctl_sample head;
		uint64_t nr;
		struct pmuctl_branch branches[NR_KINDS];
	} s = {
		.head = sample_head(sizeof(s) - sizeof(s.head), PMUCTL_RECORD_USER, 0x401000),
		.nr = NR_KINDS,
	};
	struct pmuctl_data *data;
	struct seen seen;
	size_t i;

	(void)state;
	for (i = 0; i < NR_KINDS; i++)
		s.branches[i] = (struct pmuctl_branch){ 1, 2, of[i].type << 56 | 1ull << 60 | i };
	fake.capabilities |= 0x3f;
	add_sampled("instructions:u", PMUCTL_CONTENT_BRANCHES);
	assert_int_equal(open_dump(path), 0);
	put(&s, sizeof(s));
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	assert_int_equal(close_dump(), 0);
	data = read_back(&seen);
	assert_int_equal(seen.last.branches_count, NR_KINDS);
	for (i = 0; i < NR_KINDS; i++)
		assert_int_equal(seen.branches[i].flags, 2 | i << 4 | of[i].kind << 20);
	pmuctl_data_close(data);
}

static int setup_kinds(void **state)
{
	(void)state;
	fake_hybrid();
	fake_sampling(4);
	fake.features = (fake.features | PMUCTL_FEATURE_RETIRE) & ~(uint64_t)PMUCTL_FEATURE_FD;
	fake.kinds[0].features = PMUCTL_FEATURE_RETIRE;
	return begin_dump();
}

/* One event of the file, though not all kinds of cores tell how long retirement stood still. */
static void records_of_each_kind(void **state)
{
	struct {
		struct pmuctl_sample head;
		uint64_t latency, retire;
	} big = {
		.head = sample_head(2 * sizeof(uint64_t), PMUCTL_RECORD_USER, 0x401000),
		.latency = 30, .retire = 7,
	};
	const struct {
		struct pmuctl_sample head;
		uint64_t latency;
	} small = {
		.head = sample_head(sizeof(uint64_t), PMUCTL_RECORD_USER, 0x402000), .latency = 40,
	};
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	add_sampled("instructions:upp", PMUCTL_SAMPLE_WEIGHT);
	assert_int_equal(open_dump(path), 0);
	memcpy(fake.kinds[0].records, &big, sizeof(big));
	memcpy(fake.kinds[1].records, &small, sizeof(small));
	fake.kinds[0].records_size = sizeof(big);
	fake.kinds[1].records_size = sizeof(small);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	/* Nothing that is left over is read as another record. */
	big.head.record.size -= sizeof(uint64_t);
	memcpy(fake.kinds[0].records, &big, sizeof(big) - sizeof(uint64_t));
	fake.kinds[0].records_size = sizeof(big) - sizeof(uint64_t);
	assert_int_equal(pmuctl_dump_take(dump, true), -EBADMSG);
	close_dump();
	slurp();
	assert_int_equal(find_record(PERF_RECORD_SAMPLE, 1)->size,
			 find_record(PERF_RECORD_SAMPLE, 0)->size);
	data = read_back(&seen);
	assert_int_equal(seen.samples, 2);
	assert_int_equal(seen.last.ip, 0x402000);
	assert_int_equal(seen.last.weight, 40);
	assert_int_equal(seen.last.retire, 0);
	pmuctl_data_close(data);
	assert_int_equal(field(find_record(PERF_RECORD_SAMPLE, 0), 7), 30 | 7ull << 48);
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
	assert_true(inherits(0));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(plain_samples),
		TEST(all_contents),
		TEST(counts_of_a_group),
		TEST(counts_that_are_none_of_the_groups),
		TEST(kinds_of_branches),
		cmocka_unit_test_setup_teardown(records_of_each_kind, setup_kinds, end),
		TEST(old_formats_are_made_certain),
		TEST(narrow_code_is_made_certain),
		TEST(into_a_pipe),
		TEST(header_is_perfs),
		TEST(not_closed),
		TEST(malformed_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
