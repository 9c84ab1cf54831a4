// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a perf.data file with as many samples as one likes, for measuring what
 * reads them: gen-perfdata [-m] FILE SAMPLES PROGRAM...
 *
 * Each sample has ip, tid, time, CPU and period, as `perf record -c` writes them.
 * The addresses are in the code of the programs given and of the kernel, a few of
 * them hot and many of them cold, in processes that have them at places of their own.
 * -m: of loads, with data addresses in the heap of each process, latencies and sources, as
 * `perf mem record` writes them.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROCESSES	64
#define CPUS		8
#define PERIOD		10007
#define SPOTS		60000	/* addresses that samples are at */
#define PROGRAMS_MAX	32

#define SAMPLE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
		     PERF_SAMPLE_PERIOD)
#define LOAD_TYPE (SAMPLE_TYPE | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC)
#define HEAP_SIZE	(4u << 20)
/* Of perf's, not of the kernel's header. */
#define FINISHED_ROUND	68
#define ROUND		16384	/* samples */

struct section {
	uint64_t offset, size;
};

struct file_header {
	uint64_t magic, size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

struct file_attr {
	struct perf_event_attr attr;
	struct section ids;
};

struct trailer {
	uint32_t pid, tid;
	uint64_t time, cpu;
};

struct sample {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t cpu;
	uint64_t period;
};

struct load {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t addr;
	uint64_t cpu;
	uint64_t period;
	uint64_t weight;
	uint64_t source;
};

struct program {
	const char *path;
	uint64_t offset, size;	/* of its code, in the file */
};

static struct program programs[PROGRAMS_MAX];
static unsigned int count;
static uint64_t kernel_start, kernel_size;
static FILE *out;
static bool loads;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void put(const void *bytes, size_t size)
{
	if (fwrite(bytes, 1, size, out) != size)
		die("write");
}

static uint64_t random64(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

/* Of its code: the segment that may be executed. */
static void add_program(const char *path)
{
	int fd = open(path, O_RDONLY);
	const Elf64_Ehdr *e;
	const Elf64_Phdr *p;
	struct stat st;
	unsigned int i;

	if (fd < 0 || fstat(fd, &st))
		die(path);
	e = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (e == MAP_FAILED)
		die(path);
	p = (const void *)((const char *)e + e->e_phoff);
	for (i = 0; i < e->e_phnum && count < PROGRAMS_MAX; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_flags & PF_X)
			programs[count++] = (struct program){ path, p[i].p_offset & ~0xfffULL,
							      p[i].p_filesz };
	close(fd);
}

static void find_kernel(void)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[512], name[256], type;
	uint64_t address, end = 0;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 " %c %255s", &address, &type, name) != 3)
			continue;
		if (!strcmp(name, "_text"))
			kernel_start = address;
		if (!strcmp(name, "_etext"))
			end = address;
	}
	if (f)
		fclose(f);
	kernel_size = end - kernel_start;
}

/* Every process has every program at a place of its own, as with randomised addresses. */
static uint64_t place(unsigned int process, unsigned int program)
{
	return 0x7f0000000000 + (uint64_t)process * 0x1000000000 + (uint64_t)program * 0x20000000;
}

static uint64_t heap(unsigned int process)
{
	return 0x550000000000 + (uint64_t)process * 0x1000000000;
}

static void put_record(uint32_t type, uint16_t misc, const void *body, size_t size,
		       const char *name)
{
	char text[4096] = "";
	size_t room = name ? (strlen(name) + 8) & ~(size_t)7 : 0;
	struct trailer trailer = { 0 };
	struct perf_event_header header = {
		type, misc, (uint16_t)(sizeof(header) + size + room + sizeof(trailer)),
	};

	if (name)
		snprintf(text, sizeof(text), "%s", name);
	put(&header, sizeof(header));
	put(body, size);
	put(text, room);
	put(&trailer, sizeof(trailer));
}

static void put_map(uint32_t pid, uint64_t start, uint64_t size, uint64_t offset, uint16_t misc,
		    const char *name)
{
	const struct {
		uint32_t pid, tid;
		uint64_t start, size, offset;
	} map = { pid, pid, start, size, offset };

	put_record(PERF_RECORD_MMAP, misc, &map, sizeof(map), name);
}

static void put_processes(void)
{
	unsigned int i, k;
	char name[16];

	if (kernel_size)
		put_map(UINT32_MAX, kernel_start, kernel_size, kernel_start,
			PERF_RECORD_MISC_KERNEL, "[kernel.kallsyms]_text");
	for (i = 0; i < PROCESSES; i++) {
		const uint32_t ids[2] = { 1000 + i, 1000 + i };

		snprintf(name, sizeof(name), "worker-%u", i % 8);
		put_record(PERF_RECORD_COMM, PERF_RECORD_MISC_USER, ids, sizeof(ids), name);
		for (k = 0; k < count; k++)
			put_map(ids[0], place(i, k), (programs[k].size + 0xfff) & ~0xfffULL,
				programs[k].offset, PERF_RECORD_MISC_USER, programs[k].path);
		if (loads)
			put_map(ids[0], heap(i), HEAP_SIZE, 0,
				PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, "[heap]");
	}
}

struct spot {
	unsigned int program;	/* count: the kernel */
	uint64_t offset;
};

static struct spot spots[SPOTS];

static void choose_spots(void)
{
	unsigned int i;

	for (i = 0; i < SPOTS; i++) {
		unsigned int program = (unsigned int)(random64() % (count + !!kernel_size));
		uint64_t size = program < count ? programs[program].size : kernel_size;

		spots[i] = (struct spot){ program, random64() % size };
	}
}

/* The product of three evenly spread numbers: a few spots have most of the samples. */
static const struct spot *choose(void)
{
	uint64_t a = random64() & 0xffff, b = random64() & 0xffff, c = random64() & 0xffff;

	return &spots[(a * b * c >> 32) * SPOTS >> 16];
}

static void put_sample(uint64_t number)
{
	const struct spot *spot = choose();
	uint32_t process = (uint32_t)(random64() % PROCESSES);
	bool user = spot->program < count;
	const struct sample s = {
		.header = { PERF_RECORD_SAMPLE,
			    user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL, sizeof(s) },
		.ip = (user ? place(process, spot->program) : kernel_start) + spot->offset,
		.pid = 1000 + process,
		.tid = 1000 + process,
		.time = 1000000000 + number * 1000,
		.cpu = process % CPUS,
		.period = PERIOD,
	};

	put(&s, sizeof(s));
}

static uint64_t choose_source(uint64_t latency)
{
	static const uint64_t levels[] = { PERF_MEM_LVL_L1, PERF_MEM_LVL_L2, PERF_MEM_LVL_L3,
					   PERF_MEM_LVL_LOC_RAM };
	uint64_t level = latency < 8 ? 0 : latency < 16 ? 1 : latency < 64 ? 2 : 3;

	return PERF_MEM_S(OP, LOAD) | PERF_MEM_S(SNOOP, NONE) |
	       (levels[level] | PERF_MEM_LVL_HIT) << PERF_MEM_LVL_SHIFT;
}

static void put_load(uint64_t number)
{
	const struct spot *spot = choose();
	uint32_t process = (uint32_t)(random64() % PROCESSES);
	bool user = spot->program < count;
	uint64_t latency = 4 + random64() % (1u << random64() % 8);
	const struct load s = {
		.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_EXACT_IP |
			    (user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL), sizeof(s) },
		.ip = (user ? place(process, spot->program) : kernel_start) + spot->offset,
		.pid = 1000 + process,
		.tid = 1000 + process,
		.time = 1000000000 + number * 1000,
		.addr = (user ? heap(process) : 0xffff888000000000) +
			random64() % HEAP_SIZE / 8 * 8,
		.cpu = process % CPUS,
		.period = PERIOD,
		.weight = latency,
		.source = choose_source(latency),
	};

	put(&s, sizeof(s));
}

/* A sorting reader sorts from one of these to the next. */
static void put_samples(uint64_t samples)
{
	const struct perf_event_header round = { FINISHED_ROUND, 0, sizeof(round) };
	uint64_t i;

	for (i = 0; i < samples; i++) {
		if (loads)
			put_load(i);
		else
			put_sample(i);
		if (i % ROUND == ROUND - 1)
			put(&round, sizeof(round));
	}
}

static void put_file(uint64_t samples)
{
	struct file_attr event = { .attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(event.attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = PERIOD,
		.sample_type = loads ? LOAD_TYPE : SAMPLE_TYPE,
		.sample_id_all = 1,
		.mmap_data = loads,
		.mmap = 1,
		.comm = 1,
	} };
	struct file_header header = {
		.magic = 0x32454c4946524550,
		.size = sizeof(header),
		.attr_size = sizeof(event),
		.attrs = { sizeof(header), sizeof(event) },
		.data = { sizeof(header) + sizeof(event), 0 },
	};

	put(&header, sizeof(header));
	put(&event, sizeof(event));
	put_processes();
	put_samples(samples);
	header.data.size = (uint64_t)ftell(out) - header.data.offset;
	rewind(out);
	put(&header, sizeof(header));
}

int main(int argc, char **argv)
{
	int i;

	loads = argc > 1 && !strcmp(argv[1], "-m");
	argc -= loads;
	argv += loads;
	if (argc < 4) {
		fprintf(stderr, "usage: gen-perfdata [-m] FILE SAMPLES PROGRAM...\n");
		return 2;
	}
	for (i = 3; i < argc; i++)
		add_program(argv[i]);
	find_kernel();
	choose_spots();
	out = fopen(argv[1], "w");
	if (!out)
		die(argv[1]);
	put_file(strtoull(argv[2], NULL, 10));
	if (fclose(out))
		die(argv[1]);
	return 0;
}
