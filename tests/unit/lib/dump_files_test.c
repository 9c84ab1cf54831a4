// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files that a recording writes to, and those of code in namespaces that it keeps.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "lib/record/dump.h"
#include "tests/unit/lib/dump.h"

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

/* ---- one file after the other ---------------------------------------------------------------- */

/* Numbers that no process has. */
enum { SHELL = 0x7fff0001, CHILD, WORKER, GONE, KERNELS };

#define TIME(t) { .time = (t) }

static void tell_comm(uint32_t pid, const char *name, uint16_t misc, uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[16];
		struct dump_trailer trailer;
	} r = {
		.header = { PERF_RECORD_COMM, misc, sizeof(r) }, .pid = pid, .tid = pid,
		.trailer = TIME(time),
	};

	strncpy(r.comm, name, sizeof(r.comm) - 1);
	assert_int_equal(dump_append(&dump->tasks, &r, sizeof(r)), 0);
}

static void tell_birth(uint32_t type, uint32_t pid, uint32_t parent, uint64_t time)
{
	const struct {
		struct perf_event_header header;
		uint32_t pid, parent, tid, parent_tid;
		uint64_t time;
		struct dump_trailer trailer;
	} r = {
		.header = { type, 0, sizeof(r) }, .pid = pid, .parent = parent, .tid = pid,
		.parent_tid = parent, .time = time, .trailer = TIME(time),
	};

	assert_int_equal(dump_append(&dump->tasks, &r, sizeof(r)), 0);
}

static void tell_map(uint32_t pid, uint64_t start, const char *name, uint64_t time)
{
	struct {
		struct mmap2 map;
		char name[16];
		struct dump_trailer trailer;
	} r = {
		.map = { .header = { PERF_RECORD_MMAP2, 0, sizeof(r) }, .pid = pid, .tid = pid,
			 .start = start, .length = 0x1000, .prot = PROT_EXEC },
		.trailer = TIME(time),
	};

	strncpy(r.name, name, sizeof(r.name) - 1);
	assert_int_equal(dump_append(&dump->tasks, &r, sizeof(r)), 0);
}

/* The other of two names. */
static void flip(void)
{
	path[strlen(path) - 1] ^= 1;
}

static void switch_file(struct pmuctl_dump_info *ended)
{
	flip();
	assert_int_equal(pmuctl_dump_switch(dump, path, ended), 0);
}

static void open_switched(void)
{
	add_sampled("instructions:u", 0);
	assert_int_equal(open_dump_with((struct pmuctl_dump_options){
		.path = path, .switched = true,
	}), 0);
}

/* Of a process in the file, in order: names of mappings, or its command's. */
static void check_told(uint32_t type, size_t name_at, uint32_t pid, const char *expected)
{
	const struct perf_event_header *h;
	char text[256] = "";
	uint32_t of;
	int i;

	for (i = 0; (h = find_record(type, i)); i++) {
		memcpy(&of, h + 1, sizeof(of));
		if (of != pid)
			continue;
		strcat(text, (const char *)h + name_at);
		strcat(text, " ");
	}
	assert_string_equal(text, expected);
}

static void check_task(uint32_t pid, const char *comm, const char *maps)
{
	check_told(PERF_RECORD_COMM, 16, pid, comm);
	check_told(PERF_RECORD_MMAP2, 72, pid, maps);
}

/* Each sample and each loss is in one of them, and each file is whole. */
static void one_after_the_other(void **state)
{
	struct pmuctl_dump_info ended = { .size = sizeof(ended) }, info = ended;
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	open_switched();
	put_plain(0x401234, PMUCTL_RECORD_USER);
	put_plain(0x401235, PMUCTL_RECORD_USER);
	assert_int_equal(pmuctl_dump_take(dump, false), 0);
	/* What has not been taken yet is of the time before. */
	put_plain(0x401236, PMUCTL_RECORD_USER);
	switch_file(&ended);
	assert_true(fake.flushed);
	assert_int_equal(ended.samples, 3);
	put_plain(0x401237, PMUCTL_RECORD_USER);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	assert_int_equal(pmuctl_dump_get_info(dump, &info), 0);
	assert_int_equal(info.samples, 1);
	assert_int_equal(close_dump(), 0);
	data = read_back(&seen);
	assert_int_equal(seen.samples, 1);
	assert_int_equal(seen.last.ip, 0x401237);
	assert_true(pmuctl_data_get_info(data)->began > 0);
	pmuctl_data_close(data);
	flip();
	data = read_back(&seen);
	assert_int_equal(seen.samples, 3);
	assert_int_equal(seen.last.ip, 0x401236);
	assert_false(pmuctl_data_get_info(data)->cut);
	assert_true(pmuctl_data_get_info(data)->duration > 0);
	pmuctl_data_close(data);
	flip();
	unlink(path);
	flip();
}

/* What a file has of others is what one that began there would have from /proc, and no more. */
static void names_from_before(void **state)
{
	uint64_t now = monotonic_ns();

	(void)state;
	open_switched();
	/* As a ring of another CPU has them, behind each other's time. */
	tell_map(CHILD, 0x8000, "/child", 6);
	tell_comm(SHELL, "shell", 0, 1);
	tell_map(SHELL, 0x1000, "/old", 2);
	tell_map(SHELL, 0x1000, "/lib", 3);
	tell_map(SHELL, 0x4000, "/shell", 3);
	tell_birth(PERF_RECORD_FORK, CHILD, SHELL, 4);
	tell_birth(PERF_RECORD_FORK, WORKER, SHELL, 4);
	tell_birth(PERF_RECORD_FORK, GONE, SHELL, 4);
	tell_comm(CHILD, "child", PERF_RECORD_MISC_COMM_EXEC, 5);
	/* Of a parent that has mapped nothing. */
	tell_birth(PERF_RECORD_FORK, KERNELS, 2, 5);
	tell_birth(PERF_RECORD_FORK, KERNELS + 1, KERNELS, 6);
	tell_birth(PERF_RECORD_EXIT, GONE, SHELL, 6);
	tell_birth(PERF_RECORD_EXIT, SHELL, SHELL, 7);
	/* It has samples that are still to come, whatever became of it. */
	tell_birth(PERF_RECORD_EXIT, CHILD, SHELL, now + 3600000000000ull);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	switch_file(NULL);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	slurp();
	check_task(CHILD, "child ", "/child ");
	check_task(WORKER, "shell ", "/lib /shell ");
	check_task(SHELL, "", "");
	check_task(GONE, "", "");
	/* A text of one byte, the lowest of its number. */
	check_told(PERF_RECORD_EXIT, 8, CHILD, "\x02 ");
	/* It is in /proc no more, and nobody told: one file is enough. */
	switch_file(NULL);
	slurp();
	check_task(WORKER, "", "");
	assert_int_equal(close_dump(), 0);
	flip();
	unlink(path);
	flip();
}

/* Where records about tasks were lost, what runs is read from /proc again. */
static void what_was_lost_is_looked_up(void **state)
{
	const uint32_t own = (uint32_t)getpid();

	(void)state;
	open_switched();
	tell_birth(PERF_RECORD_EXIT, own, own, 1);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	switch_file(NULL);
	slurp();
	check_told(PERF_RECORD_COMM, 16, own, "");
	dump->info.tasks_lost = 1;
	switch_file(NULL);
	slurp();
	check_told(PERF_RECORD_COMM, 16, own, "dump_files_test ");
	/* ... and is known from then on. */
	switch_file(NULL);
	slurp();
	check_told(PERF_RECORD_COMM, 16, own, "dump_files_test ");
	assert_int_equal(close_dump(), 0);
	flip();
	unlink(path);
	flip();
}

/* Readers take the first sum for a difference. */
static void sums_begin_again(void **state)
{
	const struct pmuctl_sampling sampling = {
		.size = sizeof(sampling), .period = 10007, .content = PMUCTL_SAMPLE_COUNTS,
	};
	struct pmuctl_event *group[] = { parsed("instructions:u"), parsed("branches:u") };
	struct {
		struct pmuctl_sample head;
		uint64_t nr, count;
	} s = { .head = sample_head(sizeof(s) - sizeof(s.head), PMUCTL_RECORD_USER, 0x401000),
		.nr = 1, .count = 700 };
	size_t i;

	(void)state;
	assert_int_equal(pmuctl_event_sample(group[0], &sampling), 0);
	assert_int_equal(pmuctl_session_add_group(fixture.session, group, 2), 0);
	for (i = 0; i < 2; i++)
		pmuctl_event_free(group[i]);
	assert_int_equal(open_dump_with((struct pmuctl_dump_options){
		.path = path, .switched = true,
	}), 0);
	for (i = 0; i < 2; i++) {
		put(&s, sizeof(s));
		switch_file(NULL);
		flip();
		slurp();
		assert_int_equal(field(find_record(PERF_RECORD_SAMPLE, 0), 8), 10007);
		assert_int_equal(field(find_record(PERF_RECORD_SAMPLE, 0), 10), 700);
		flip();
	}
	close_dump();
	flip();
	unlink(path);
	flip();
}

static void switches_that_cannot_be(void **state)
{
	struct pmuctl_data *data;
	struct seen seen;

	(void)state;
	open_switched();
	put_plain(0x401234, PMUCTL_RECORD_USER);
	assert_int_equal(pmuctl_dump_switch(dump, "/nowhere/next", NULL), -ENOENT);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "/nowhere/next"));
	assert_int_equal(pmuctl_dump_switch(dump, NULL, NULL), -EINVAL);
	/* The file before goes on. */
	put_plain(0x401235, PMUCTL_RECORD_USER);
	assert_int_equal(pmuctl_dump_take(dump, true), 0);
	assert_int_equal(pmuctl_dump_end(dump), 0);
	assert_int_equal(pmuctl_dump_switch(dump, path, NULL), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "has ended"));
	assert_int_equal(close_dump(), 0);
	data = read_back(&seen);
	assert_int_equal(seen.samples, 2);
	pmuctl_data_close(data);
}

static void nobody_asked_for_another(void **state)
{
	(void)state;
	add_sampled("instructions:u", 0);
	assert_int_equal(open_dump(path), 0);
	assert_int_equal(pmuctl_dump_switch(dump, "/tmp/other", NULL), -EINVAL);
	assert_non_null(strstr(pmuctl_error(fixture.ctx), "no other file was to follow"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(file_of_a_container),
		TEST(files_that_cannot_be),
		TEST(taken_file),
		TEST(nothing_is_sampled),
		TEST(no_room),
		TEST(one_after_the_other),
		TEST(names_from_before),
		TEST(what_was_lost_is_looked_up),
		TEST(sums_begin_again),
		TEST(switches_that_cannot_be),
		TEST(nobody_asked_for_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
