// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kernel and its modules as mappings, under the names that perf's readers
 * know them by.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/record/dump.h"

static int put_mapping(struct pmuctl_dump *d, uint64_t start, uint64_t length, uint64_t offset,
		       const char *name)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t start, length, offset;
		char name[64];
		struct dump_trailer trailer;
	} r = {
		.header = {
			.type = PERF_RECORD_MMAP,
			.misc = PERF_RECORD_MISC_KERNEL,
			.size = sizeof(r),
		},
		.pid = ~0u,
		.start = start,
		.length = length,
		.offset = offset,
		.trailer = dump_trailer_of(d, ~0u, 0, 0),
	};

	snprintf(r.name, sizeof(r.name), "%s", name);
	return dump_append(&d->tasks, &r, sizeof(r)) ?
	       fail(d->ctx, -ENOMEM, "out of memory") : 0;
}

/* More parts than the memory of any kernel of ours has, but for machines of many nodes. */
#define PARTS_MAX 64

/* By the list of parts that /proc/kcore begins with; 0: we may not know, or it has too many. */
static uint64_t find_text_in_memory(void)
{
	int fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC);
	Elf64_Phdr parts[PARTS_MAX];
	uint64_t found = 0;
	Elf64_Ehdr header;
	ssize_t got = -1;
	size_t i;

	if (fd >= 0 && pread(fd, &header, sizeof(header), 0) == sizeof(header) &&
	    !memcmp(header.e_ident, ELFMAG, SELFMAG) && header.e_phentsize == sizeof(parts[0]) &&
	    header.e_phnum <= PARTS_MAX)
		got = pread(fd, parts, header.e_phnum * sizeof(parts[0]), (off_t)header.e_phoff);
	/* Without KASLR modules are in there as well, behind it. */
	for (i = 0; got > 0 && i < (size_t)got / sizeof(parts[0]); i++)
		if (parts[i].p_type == PT_LOAD && parts[i].p_vaddr >= KERNEL_IMAGE_START &&
		    parts[i].p_vaddr < (found ? found : KERNEL_IMAGE_END))
			found = parts[i].p_vaddr;
	if (fd >= 0)
		close(fd);
	return found;
}

/*
 * Where the image begins; 0 if we may not know.  The list of symbols has few before it, but the
 * kernel spends some 1500 instructions on each.
 */
static uint64_t find_text(void)
{
	uint64_t found = find_text_in_memory();
	FILE *f = found ? NULL : fopen("/proc/kallsyms", "re");
	char line[512];

	/* By hand: sscanf() of a thousand lines is as much as half of a short recording. */
	while (f && !found && fgets(line, sizeof(line), f))
		if (strstr(line, " _text\n"))
			found = strtoull(line, NULL, 16);
	if (f)
		fclose(f);
	return found;
}

/* The code's length without reading all symbols; those who may not know read zeros. */
static uint64_t code_length(uint64_t start)
{
	FILE *f = fopen("/proc/iomem", "re");
	uint64_t from = 0, to = 0;
	char line[256];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, " : Kernel code") &&
			sscanf(line, "%" SCNx64 "-%" SCNx64, &from, &to) == 2 && to > from;
	if (f)
		fclose(f);
	return found ? to - from + 1 : KERNEL_IMAGE_END - start;
}

static int put_module(struct pmuctl_dump *d, const char *line)
{
	char name[56], quoted[64];
	uint64_t size, address;

	if (sscanf(line, "%55s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &size, &address) != 3 ||
	    !address)
		return 0;
	snprintf(quoted, sizeof(quoted), "[%s]", name);
	return put_mapping(d, address, size, 0, quoted);
}

static int put_modules(struct pmuctl_dump *d)
{
	FILE *f = fopen("/proc/modules", "re");
	char line[4096];
	int err = 0;

	while (f && !err && fgets(line, sizeof(line), f))
		err = put_module(d, line);
	if (f)
		fclose(f);
	return err;
}

int dump_synthesize_kernel(struct pmuctl_dump *d)
{
	uint64_t text = find_text();
	int err;

	if (!text)
		return 0;
	err = put_mapping(d, text, code_length(text), text, "[kernel.kallsyms]_text");
	return err ? err : put_modules(d);
}
