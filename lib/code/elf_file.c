// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A file of code in memory: opening it, and what its headers say of it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/regular.h"
#include "lib/code/object.h"

/* Of a note that ends where its bytes do, without padding, elfutils knows nothing. */
static bool id_of_segments(const struct elf_file *file, struct build_id *id)
{
	const struct elfutils *e = elfutils();
	size_t i, headers = 0;
	GElf_Phdr header;

	if (!file->image || e->getphdrnum(file->elf, &headers))
		return false;
	for (i = 0; i < headers; i++)
		if (e->getphdr(file->elf, (int)i, &header) && header.p_type == PT_NOTE &&
		    header.p_offset <= file->size &&
		    header.p_filesz <= file->size - header.p_offset &&
		    build_id_in_notes((const char *)file->image + header.p_offset,
				      header.p_filesz, id))
			return true;
	return false;
}

bool elf_file_id(const struct elf_file *file, struct build_id *id)
{
	const void *bytes;
	ssize_t size = elfutils()->build_id(file->elf, &bytes);

	if (size <= 0)
		return id_of_segments(file, id);
	build_id_set(id, bytes, (size_t)size);
	return true;
}

bool elf_file_has_id(const struct elf_file *file, const struct build_id *id)
{
	struct build_id own;

	return !id->size || (elf_file_id(file, &own) && build_id_same(&own, id));
}

/* 0 or errno.  What is unpacked of it changes its headers, in our copy of that page. */
static int map_file(const char *path, struct elf_file *file)
{
	int fd = open_regular(path);
	struct stat st = { .st_size = 0 };
	void *image = MAP_FAILED;
	int err = 0;

	if (fd < 0)
		return errno;
	if (!fstat(fd, &st))
		image = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_NORESERVE, fd, 0);
	if (image == MAP_FAILED)
		err = errno;
	close(fd);
	if (err)
		return err;
	file->image = image;
	file->size = (size_t)st.st_size;
	return 0;
}

bool elf_file_open(const char *path, const struct build_id *id, struct elf_file *file,
		   const char **why)
{
	const struct elfutils *e = elfutils();
	int err;

	*file = (struct elf_file){ .elf = NULL };
	err = map_file(path, file);
	if (err) {
		*why = err == EINVAL ? "it is empty" : regular_error(err);
		return false;
	}
	file->path = strdup(path);
	if (file->size > EI_NIDENT && !memcmp(file->image, ELFMAG, SELFMAG))
		file->elf = e->memory(file->image, file->size);
	if (!file->elf)
		*why = "it is no ELF file";
	else if (!elf_file_has_id(file, id))
		*why = "another build has its name here";
	else if (file->path)
		return true;
	else
		*why = "out of memory";
	elf_file_close(file);
	return false;
}

void elf_file_close(struct elf_file *file)
{
	if (file->elf)
		elfutils()->end(file->elf);
	if (file->image)
		munmap(file->image, file->size);
	free(file->path);
	*file = (struct elf_file){ .elf = NULL };
}

Elf_Scn *elf_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	const struct elfutils *e = elfutils();
	Elf_Scn *section = NULL;
	size_t names;

	if (e->getshdrstrndx(elf, &names))
		return NULL;
	while ((section = e->nextscn(elf, section))) {
		const char *own;

		if (!e->getshdr(section, header))
			continue;
		own = e->strptr(elf, names, header->sh_name);
		if (own && !strcmp(own, name))
			return section;
	}
	return NULL;
}

bool elf_file_is_debug(const struct elf_file *file)
{
	const struct elfutils *e = elfutils();
	Elf_Scn *section = NULL;
	bool empty = false;
	GElf_Shdr header;

	while ((section = e->nextscn(file->elf, section))) {
		if (!e->getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR))
			continue;
		if (header.sh_type != SHT_NOBITS)
			return false;
		empty = true;
	}
	return empty;
}

/* By e_machine; those that a file of perf may well come from. */
static const struct {
	unsigned int number;
	const char *name;
} machines[] = {
	{ EM_AARCH64, "aarch64" }, { EM_ARM, "arm" }, { EM_RISCV, "riscv" },
	{ EM_PPC64, "ppc64" }, { EM_PPC, "ppc" }, { EM_S390, "s390" }, { EM_MIPS, "mips" },
	{ EM_SPARCV9, "sparc64" }, { EM_IA_64, "ia64" }, { EM_BPF, "bpf" }, { 258, "loongarch" },
};

unsigned int elf_file_bits(const struct elf_file *file, const char **machine)
{
	GElf_Ehdr header;
	size_t i;

	*machine = "an unknown machine";
	if (!elfutils()->getehdr(file->elf, &header))
		return 0;
	/* x32 is of 64 bits as well, whatever its ELF class. */
	if (header.e_machine == EM_X86_64)
		return 64;
	if (header.e_machine == EM_386)
		return 32;
	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].number == header.e_machine)
			*machine = machines[i].name;
	return 0;
}
