// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Build-ids of ELF files and of the running kernel, out of their notes.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/build_id.h"

/* Notes are small; of larger ones the build-id comes first. */
#define NOTES_MAX 4096
#define SEGMENTS_MAX 64

static size_t aligned(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

void build_id_set(struct build_id *id, const void *bytes, size_t size)
{
	*id = (struct build_id){ .size = (uint8_t)(size < BUILD_ID_MAX ? size : BUILD_ID_MAX) };
	memcpy(id->bytes, bytes, id->size);
}

bool build_id_same(const struct build_id *a, const struct build_id *b)
{
	return !a->size == !b->size && !memcmp(a->bytes, b->bytes, BUILD_ID_MAX);
}

void build_id_text(const struct build_id *id, bool bare, char *text)
{
	size_t i, size = id->size;

	while (bare && size && !id->bytes[size - 1])
		size--;
	*text = '\0';
	for (i = 0; i < size; i++)
		snprintf(text + 2 * i, 3, "%02x", id->bytes[i]);
}

/* Both classes have the same notes. */
bool build_id_in_notes(const void *bytes, size_t size, struct build_id *id)
{
	const unsigned char *notes = bytes;
	size_t name, desc, at = 0;
	Elf64_Nhdr n;

	while (size - at >= sizeof(n)) {
		memcpy(&n, notes + at, sizeof(n));
		name = at + sizeof(n);
		if (n.n_namesz > size - name)
			return false;
		desc = name + aligned(n.n_namesz);
		if (desc > size || n.n_descsz > size - desc)
			return false;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(notes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU))) {
			build_id_set(id, notes + desc, n.n_descsz);
			return id->size;
		}
		at = desc + aligned(n.n_descsz);
		if (at > size)
			return false;
	}
	return false;
}

static bool read_notes(int fd, uint64_t offset, uint64_t size, struct build_id *id)
{
	unsigned char notes[NOTES_MAX];
	ssize_t got = pread(fd, notes, size < sizeof(notes) ? size : sizeof(notes), (off_t)offset);

	return got > 0 && build_id_in_notes(notes, (size_t)got, id);
}

/* Of the program headers at `at`, of either class. */
static bool of_segments(int fd, bool wide, uint64_t at, unsigned int count, struct build_id *id)
{
	union {
		Elf64_Phdr e64;
		Elf32_Phdr e32;
	} p;
	size_t size = wide ? sizeof(p.e64) : sizeof(p.e32);
	unsigned int i;

	for (i = 0; i < count && i < SEGMENTS_MAX; i++) {
		if (pread(fd, &p, size, (off_t)(at + i * size)) != (ssize_t)size)
			return false;
		/* The type comes first in both. */
		if (p.e64.p_type == PT_NOTE &&
		    read_notes(fd, wide ? p.e64.p_offset : p.e32.p_offset,
			       wide ? p.e64.p_filesz : p.e32.p_filesz, id))
			return true;
	}
	return false;
}

bool build_id_of_fd(int fd, struct build_id *id)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf64_Ehdr e64;
		Elf32_Ehdr e32;
	} e;

	memset(&e, 0, sizeof(e));
	if (pread(fd, &e, sizeof(e), 0) < (ssize_t)sizeof(e.e32) ||
	    memcmp(e.ident, ELFMAG, SELFMAG) != 0)
		return false;
	if (e.ident[EI_CLASS] == ELFCLASS64)
		return of_segments(fd, true, e.e64.e_phoff, e.e64.e_phnum, id);
	return e.ident[EI_CLASS] == ELFCLASS32 &&
	       of_segments(fd, false, e.e32.e_phoff, e.e32.e_phnum, id);
}

bool build_id_of_kernel(struct build_id *id)
{
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	bool found;

	if (fd < 0)
		return false;
	found = read_notes(fd, 0, NOTES_MAX, id);
	close(fd);
	return found;
}
