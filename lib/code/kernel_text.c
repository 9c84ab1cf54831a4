// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Code of the kernel that runs, as it runs (it patches itself): from /proc/kcore,
 * which root alone may read.
 */
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "lib/code/code.h"

#define KCORE		"/proc/kcore"
/* A kernel has a few for each node of its memory. */
#define HEADERS_MAX	4096

/* How much of a piece of memory there is in this part of the file. */
static size_t overlap(const Elf64_Phdr *part, uint64_t address, size_t size)
{
	uint64_t offset = address - part->p_vaddr;

	if (part->p_type != PT_LOAD || address < part->p_vaddr || offset >= part->p_filesz)
		return 0;
	return size < part->p_filesz - offset ? size : (size_t)(part->p_filesz - offset);
}

static size_t read_memory(int fd, uint64_t address, void *text, size_t size)
{
	Elf64_Ehdr header;
	Elf64_Phdr part;
	unsigned int i;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_phentsize != sizeof(part) || header.e_phnum > HEADERS_MAX)
		return 0;
	for (i = 0; i < header.e_phnum; i++) {
		off_t at = (off_t)(header.e_phoff + i * sizeof(part));
		size_t there;
		ssize_t got;

		if (pread(fd, &part, sizeof(part), at) != sizeof(part))
			return 0;
		there = overlap(&part, address, size);
		if (!there)
			continue;
		got = pread(fd, text, there, (off_t)(part.p_offset + address - part.p_vaddr));
		return got > 0 ? (size_t)got : 0;
	}
	return 0;
}

/* Only where a symbol is: a file may name any address, and the rest is no code. */
size_t kernel_text(struct pmuctl_data *data, const struct dso *dso, uint64_t address,
		   void *text, size_t size)
{
	char list[PATH_MAX];
	size_t got;
	int fd;

	address += dso->shift;
	/* Symbols of another machine say nothing of this one's memory. */
	if (!symbols_kernel_list(data, list) || !symbol_table_find(&dso->table, address))
		return 0;
	fd = open(KCORE, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	got = read_memory(fd, address, text, size);
	close(fd);
	return got;
}
