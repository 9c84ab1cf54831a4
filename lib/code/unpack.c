// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Symbols that are packed in a section of a stripped file, .gnu_debugdata, as Fedora does:
 * an ELF file with a symbol table and nothing else, compressed by xz.
 */
#include <lzma.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/library.h"
#include "lib/base/private.h"
#include "lib/code/object.h"

#define SONAME "liblzma.so.5"
/* Of the largest program's symbols; what claims to be more is not unpacked. */
#define UNPACKED_MAX (256u << 20)
#define MEMORY_MAX (256u << 20)

static struct {
	__typeof__(&lzma_stream_buffer_decode) decode;
	bool usable;
} lib;

static void load(void)
{
	static const struct library_function decode = { "lzma_stream_buffer_decode", &lib.decode };

	lib.usable = library_load(SONAME, &decode, 1);
}

/* Its size is nowhere said: the room grows until it fits.  NULL: it cannot be had. */
static void *unpack(const void *from, size_t size, size_t *unpacked)
{
	size_t room = 8 * size;
	lzma_ret ret;

	for (;; room *= 4) {
		void *to = room <= UNPACKED_MAX ? malloc(room) : NULL;
		uint64_t memory = MEMORY_MAX;
		size_t in = 0;

		*unpacked = 0;
		if (!to)
			return NULL;
		ret = lib.decode(&memory, 0, NULL, from, &in, size, to, unpacked, room);
		if (ret == LZMA_OK)
			return to;
		free(to);
		if (ret != LZMA_BUF_ERROR || in == size)
			return NULL;
	}
}

bool object_unpack(struct object *object)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const struct elfutils *e = elfutils();
	GElf_Shdr header;
	Elf_Scn *section = elf_section(object->file.elf, ".gnu_debugdata", &header);
	Elf_Data *data = section ? e->getdata(section, NULL) : NULL;
	size_t size;

	if (!data || !data->d_buf || !data->d_size)
		return false;
	pthread_once(&once, load);
	if (!lib.usable) {
		say(object->data->ctx, PMUCTL_LOG_WARNING, "%s: its symbols are compressed, and "
		    SONAME " cannot be loaded; install liblzma5", object->name);
		return false;
	}
	object->small_image = unpack(data->d_buf, data->d_size, &size);
	if (object->small_image)
		object->small = e->memory(object->small_image, size);
	return object->small;
}
