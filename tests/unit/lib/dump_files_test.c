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

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(file_of_a_container),
		TEST(files_that_cannot_be),
		TEST(taken_file),
		TEST(nothing_is_sampled),
		TEST(no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
