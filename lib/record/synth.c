// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names and mappings of tasks that run already, from /proc, as records like
 * those that the kernel makes of new ones.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/record/dump.h"

#define COMM_SIZE 16

/* In what order they were made nobody knows: what has no time holds from the beginning. */
#define FROM_THE_BEGINNING 0

static int no_memory(struct pmuctl_dump *d)
{
	return fail(d->ctx, -ENOMEM, "out of memory");
}

/* ---- names --------------------------------------------------------------------- */

int dump_put_comm(struct pmuctl_dump *d, uint32_t pid, uint32_t tid, const char *comm,
		  uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[COMM_SIZE];
		struct dump_trailer trailer;
	} r = {
		.header = { .type = PERF_RECORD_COMM, .size = sizeof(r) },
		.pid = pid,
		.tid = tid,
		.trailer = dump_trailer_of(d, pid, tid, time),
	};

	memcpy(r.comm, comm, strnlen(comm, COMM_SIZE - 1));
	return dump_append(&d->tasks, &r, sizeof(r)) ? no_memory(d) : 0;
}

/* A task that has just ended has no name, which is no error. */
static int synthesize_comm(struct pmuctl_dump *d, uint32_t pid, uint32_t tid, uint64_t time)
{
	char path[64], comm[64] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", pid, tid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (!fgets(comm, sizeof(comm), f))
		comm[0] = '\0';
	fclose(f);
	comm[strcspn(comm, "\n")] = '\0';
	return dump_put_comm(d, pid, tid, comm, time);
}

/* ---- mappings ------------------------------------------------------------------- */

/* A number and what has to stand behind it, and goes with it. */
static bool take_number(const char **at, int base, char behind, uint64_t *value)
{
	char *end;

	/* strtoull() would take signs and leading space. */
	if (!isxdigit((unsigned char)**at))
		return false;
	*value = strtoull(*at, &end, base);
	*at = end + 1;
	return *end == behind;
}

/*
 * A line of /proc/PID/maps; name: where in it the file's begins.  By hand: sscanf() of a
 * program's few dozen was a quarter of the user instructions of a short recording.
 */
static bool parse_mapping(const char *line, struct mmap2 *m, const char **name)
{
	uint64_t end, major, minor;
	const char *perms;

	if (!take_number(&line, 16, '-', &m->start) || !take_number(&line, 16, ' ', &end) ||
	    strcspn(line, " ") != 4)
		return false;
	perms = line;
	line += 5;
	if (!take_number(&line, 16, ' ', &m->offset) || !take_number(&line, 16, ':', &major) ||
	    !take_number(&line, 16, ' ', &minor) || !take_number(&line, 10, ' ', &m->inode))
		return false;
	m->major = (uint32_t)major;
	m->minor = (uint32_t)minor;
	m->length = end - m->start;
	m->prot = (perms[0] == 'r' ? PROT_READ : 0) | (perms[1] == 'w' ? PROT_WRITE : 0) |
		  (perms[2] == 'x' ? PROT_EXEC : 0);
	m->flags = perms[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	line += strspn(line, " ");
	*name = *line ? line : "//anon";
	return true;
}

static int put_mapping(struct pmuctl_dump *d, struct mmap2 *m, const char *name, uint64_t time)
{
	const struct dump_trailer trailer = dump_trailer_of(d, m->pid, m->tid, time);
	size_t len = (strlen(name) + 1 + 7) & ~7ul;
	const struct build_id *id = dump_files_add(d, &(struct dump_mapping){
		.name = name, .pid = m->pid, .start = m->start, .end = m->start + m->length,
		.file = { m->major, m->minor, m->inode }, .code = m->prot & PROT_EXEC,
	});
	char *text;

	if (id)
		dump_mark_mapping(m, id);
	m->header.size = (uint16_t)(sizeof(*m) + len + sizeof(trailer));
	if (dump_append(&d->tasks, m, sizeof(*m)))
		return no_memory(d);
	text = dump_room(&d->tasks, len);
	if (!text)
		return no_memory(d);
	memset(text, 0, len);
	snprintf(text, len, "%s", name);
	return dump_append(&d->tasks, &trailer, sizeof(trailer)) ? no_memory(d) : 0;
}

static int take_mapping(struct pmuctl_dump *d, char *line, uint32_t pid, uint64_t time)
{
	struct mmap2 m = {
		.header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
		.pid = pid, .tid = pid,
	};
	const char *name;

	line[strcspn(line, "\n")] = '\0';
	if (!parse_mapping(line, &m, &name))
		return 0;
	if (!(m.prot & PROT_EXEC)) {
		if (!d->mapped_data || !(m.prot & PROT_READ))
			return 0;
		m.header.misc |= PERF_RECORD_MISC_MMAP_DATA;
	}
	return put_mapping(d, &m, name, time);
}

static int synthesize_maps(struct pmuctl_dump *d, uint32_t pid, uint64_t time)
{
	char path[64], *line = NULL;
	size_t room = 0;
	int err = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (!err && getline(&line, &room, f) > 0)
		err = take_mapping(d, line, pid, time);
	free(line);
	fclose(f);
	return err;
}

/* ---- tasks ---------------------------------------------------------------------- */

typedef int task_fn(struct pmuctl_dump *d, uint32_t number, uint32_t pid, uint64_t time);

/* Every directory of this one whose name is a number. */
static int for_each_task(struct pmuctl_dump *d, const char *path, task_fn *fn, uint32_t pid,
			 uint64_t time)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	int err = 0;

	/* It has ended. */
	if (!dir)
		return 0;
	while (!err && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			err = fn(d, (uint32_t)strtoul(entry->d_name, NULL, 10), pid, time);
	closedir(dir);
	return err;
}

int dump_list_threads(uint32_t pid, uint32_t **tids, size_t *count)
{
	const struct dirent *entry;
	uint32_t *grown;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	*tids = NULL;
	*count = 0;
	while (dir && (entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		grown = reallocarray(*tids, *count + 1, sizeof(*grown));
		if (!grown)
			break;
		*tids = grown;
		grown[(*count)++] = (uint32_t)strtoul(entry->d_name, NULL, 10);
	}
	if (dir)
		closedir(dir);
	return 0;
}

static int synthesize_thread(struct pmuctl_dump *d, uint32_t tid, uint32_t pid, uint64_t time)
{
	return synthesize_comm(d, pid, tid, time);
}

int dump_synthesize_process(struct pmuctl_dump *d, uint32_t pid, uint64_t time)
{
	char path[64];
	int err;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	err = for_each_task(d, path, synthesize_thread, pid, time);
	return err ? err : synthesize_maps(d, pid, time);
}

static int synthesize_any(struct pmuctl_dump *d, uint32_t pid, uint32_t unused, uint64_t time)
{
	(void)unused;
	return dump_synthesize_process(d, pid, time);
}

/* The process that a thread belongs to; 0: it has ended. */
static uint32_t process_of(uint32_t tid)
{
	char path[64], line[128];
	uint32_t pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/status", tid);
	f = fopen(path, "re");
	while (f && !pid && fgets(line, sizeof(line), f))
		if (sscanf(line, "Tgid: %u", &pid) != 1)
			pid = 0;
	if (f)
		fclose(f);
	return pid;
}

int dump_synthesize(struct pmuctl_dump *d)
{
	const struct pmuctl_session *s = d->session;
	uint32_t pid;
	size_t i;
	int err = dump_synthesize_kernel(d);

	if (!err && !names_tasks(s))
		return for_each_task(d, "/proc", synthesize_any, 0, FROM_THE_BEGINNING);
	for (i = 0; !err && i < s->nr_targets; i++) {
		pid = process_of(s->targets[i]);
		if (pid)
			err = dump_synthesize_process(d, pid, FROM_THE_BEGINNING);
	}
	return err;
}
