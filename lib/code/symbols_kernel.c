// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Symbols of the kernel and its modules, from /proc/kallsyms, if the kernel
 * that runs is the one that was recorded.
 */
#include <ctype.h>
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "lib/code/code.h"

#define NOTES	"/sys/kernel/notes"
#define NOTE_GNU_BUILD_ID 3

static size_t align4(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

/* False: it cannot be read. */
static bool running_build_id(struct build_id *id)
{
	uint8_t notes[4096];
	FILE *f = fopen(NOTES, "re");
	size_t size = f ? fread(notes, 1, sizeof(notes), f) : 0, at = 0;
	Elf64_Nhdr note;

	if (f)
		fclose(f);
	while (at + sizeof(note) <= size) {
		size_t name = at + sizeof(note), text;

		memcpy(&note, notes + at, sizeof(note));
		text = name + align4(note.n_namesz);
		at = text + align4(note.n_descsz);
		if (at > size || at < text)
			break;
		if (note.n_type == NOTE_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(notes + name, "GNU", 4) && note.n_descsz <= BUILD_ID_MAX) {
			id->size = (uint8_t)note.n_descsz;
			memcpy(id->bytes, notes + text, id->size);
			return true;
		}
	}
	return false;
}

/* A file that was not closed says nothing of its kernel: then its place must tell. */
bool symbols_is_running_kernel(struct pmuctl_data *data, const struct dso *dso)
{
	struct build_id running = { .size = 0 };
	struct utsname name;

	if (data->info.release[0] &&
	    (uname(&name) || strcmp(name.release, data->info.release) != 0))
		return false;
	if (!dso->id.size || strcmp(dso->name, DSO_KERNEL) != 0)
		return true;
	return running_build_id(&running) && running.size == dso->id.size &&
	       !memcmp(running.bytes, dso->id.bytes, running.size);
}

/* "[pmuctl]" or "/lib/modules/6.1/extra/pmuctl.ko.xz": "pmuctl". */
static void module_name(const char *dso, char *name, size_t size)
{
	const char *slash = strrchr(dso, '/'), *from = slash ? slash + 1 : dso;
	size_t len, i;

	from += *from == '[';
	len = strcspn(from, ".]");
	if (len >= size)
		len = size - 1;
	for (i = 0; i < len; i++)
		name[i] = from[i];
	name[len] = '\0';
	for (i = 0; i < len; i++)
		if (name[i] == '-')
			name[i] = '_';
}

/* Where a module is now; 0: it is not loaded, or we may not know. */
static uint64_t module_start(const char *module)
{
	FILE *f = fopen("/proc/modules", "re");
	char line[512], name[128];
	uint64_t start = 0, found;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%127s %*s %*s %*s %*s %" SCNx64, name, &found) == 2 &&
		    !strcmp(name, module))
			start = found;
	if (f)
		fclose(f);
	return start;
}

struct kallsyms {
	struct pmuctl_data *data;
	struct symbol_table *table;
	const char *module;	/* "" for the kernel itself */
	uint64_t text;		/* where _text is now */
};

static void take_line(struct kallsyms *k, char *line)
{
	char *end, *name, *module;
	uint64_t start = strtoull(line, &end, 16);
	char type;

	if (*end != ' ' || !start || !end[1] || end[2] != ' ')
		return;
	type = end[1];
	name = end + 3;
	module = name + strcspn(name, "\t\n");
	if (*module == '\t') {
		*module++ = '\0';
		module += *module == '[';
		module[strcspn(module, "]\n")] = '\0';
	} else {
		*module = '\0';
	}
	if (!k->module[0] && !strcmp(name, "_text"))
		k->text = start;
	if (!strchr("TWDB", toupper((unsigned char)type)) || strcmp(module, k->module) != 0)
		return;
	name = (char *)(uintptr_t)strings_add(&k->data->strings, name, strlen(name));
	if (name)
		symbol_table_add(k->table, &(struct symbol){
			.start = start,
			.name = name,
			.rank = type == 'W' || type == 'w' ? SYMBOL_WEAK :
				isupper((unsigned char)type) ? SYMBOL_GLOBAL : SYMBOL_LOCAL,
			.demangled = true,
		});
}

static void read_kallsyms(struct kallsyms *k)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[1024];

	while (f && fgets(line, sizeof(line), f))
		take_line(k, line);
	if (f)
		fclose(f);
}

static void drop(struct symbol_table *table)
{
	free(table->symbols);
	*table = (struct symbol_table){ 0 };
}

/* Zeros are what one sees without the privilege; a module may be gone. */
static bool is_believed(const struct pmuctl_data *data, const struct dso *dso,
			const struct kallsyms *k)
{
	if (k->module[0])
		return dso->shift;
	return k->text && (data->info.release[0] || !dso->shift);
}

void symbols_read_kernel(struct pmuctl_data *data, struct dso *dso, uint64_t text)
{
	char module[128] = "";
	struct kallsyms k = { .data = data, .table = &dso->table, .module = module };

	if (!symbols_is_running_kernel(data, dso))
		return;
	if (strcmp(dso->name, DSO_KERNEL) != 0)
		module_name(dso->name, module, sizeof(module));
	read_kallsyms(&k);
	/* Since the recording the kernel may have moved: each boot it is elsewhere. */
	dso->shift = module[0] ? module_start(module) : k.text - text;
	if (!is_believed(data, dso, &k))
		drop(&dso->table);
}
