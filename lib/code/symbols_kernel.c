// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Symbols of the kernel and its modules: from a list that was named or lies below the root
 * that was, or from /proc/kallsyms, if the kernel that runs is the one that was recorded.
 */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/base/regular.h"
#include "lib/code/code.h"

/* A file that was not closed says nothing of its kernel: then its place must tell. */
bool symbols_is_running_kernel(struct pmuctl_data *data, const struct dso *dso)
{
	struct build_id running;
	struct utsname name;

	if (data->info.release[0] &&
	    (uname(&name) || strcmp(name.release, data->info.release) != 0))
		return false;
	if (!dso->id.size || strcmp(dso->name, DSO_KERNEL) != 0)
		return true;
	return build_id_of_kernel(&running) && build_id_same(&running, &dso->id);
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

/* As it stands there: sixteen digits; what is behind them. */
static char *take_hex(char *text, uint64_t *value)
{
	for (*value = 0; isxdigit((unsigned char)*text); text++)
		*value = *value << 4 | (uint64_t)(*text <= '9' ? *text - '0' : (*text & 7) + 9);
	return text;
}

static void take_line(struct kallsyms *k, char *line)
{
	const char *kept;
	uint64_t start;
	char *end = take_hex(line, &start), *name, *module, type;
	size_t len;

	if (*end != ' ' || !start || !end[1] || end[2] != ' ')
		return;
	type = end[1];
	name = end + 3;
	len = strcspn(name, "\t\n");
	module = name + len;
	if (*module == '\t') {
		*module++ = '\0';
		module += *module == '[';
		module[strcspn(module, "]\n")] = '\0';
	} else {
		*module = '\0';
	}
	if (!*module && !strcmp(name, "_text"))
		k->text = start;
	if (!strchr("TWDB", toupper((unsigned char)type)) || strcmp(module, k->module) != 0)
		return;
	kept = strings_keep(&k->data->strings, name, len);
	if (kept)
		symbol_table_add(k->table, &(struct symbol){
			.start = start,
			.name = kept,
			.rank = type == 'W' || type == 'w' ? SYMBOL_WEAK :
				isupper((unsigned char)type) ? SYMBOL_GLOBAL : SYMBOL_LOCAL,
			.demangled = true,
		});
}

/* The kernel's own is no regular file; what others name has to be one. */
static FILE *open_list(const char *path, bool own)
{
	int fd = own ? -1 : open_regular(path);

	return own ? fopen(path, "re") : fd < 0 ? NULL : fdopen(fd, "re");
}

bool symbols_kernel_list(const struct pmuctl_data *data, char *path)
{
	const struct data_where *where = &data->where;

	if (where->kallsyms) {
		snprintf(path, PATH_MAX, "%s", where->kallsyms);
		return !strcmp(path, KALLSYMS);
	}
	if (where->symfs) {
		snprintf(path, PATH_MAX, "%.3000s" KALLSYMS, where->symfs);
		if (!access(path, R_OK))
			return false;
	}
	snprintf(path, PATH_MAX, KALLSYMS);
	return true;
}

static bool read_kallsyms(struct kallsyms *k, const char *path, bool own)
{
	FILE *f = open_list(path, own);
	char line[1024];

	while (f && fgets(line, sizeof(line), f))
		take_line(k, line);
	if (f)
		fclose(f);
	return f;
}

static void drop(struct symbol_table *table)
{
	free(table->symbols);
	*table = (struct symbol_table){ 0 };
}

/* Zeros are what one sees without the privilege; a module may be gone. */
static bool is_believed(const struct pmuctl_data *data, const struct dso *dso,
			const struct kallsyms *k, bool own)
{
	if (k->module[0])
		return dso->shift && (own || k->table->count);
	if (!own)
		return k->text;
	return k->text && (data->info.release[0] || !dso->shift);
}

/* Of another machine's list modules are where they were, unless all has moved since. */
static uint64_t shift_of(const struct dso *dso, const struct kallsyms *k, uint64_t text, bool own)
{
	if (!k->module[0])
		return k->text - text;
	return own ? module_start(k->module) : k->text == text ? dso->start : 0;
}

static const char *why_not(const struct dso *dso, const struct kallsyms *k, bool own)
{
	if (!own)
		return k->module[0] ? "the list of the kernel's symbols does not have it" :
				      "the list of the kernel's symbols has no _text";
	if (geteuid())
		return "its symbols are shown to root alone";
	return k->module[0] && !dso->shift ? "it is not loaded" :
					     "its symbols have no addresses (kernel.kptr_restrict)";
}

void symbols_read_kernel(struct pmuctl_data *data, struct dso *dso, uint64_t text)
{
	char module[128] = "", path[PATH_MAX];
	struct kallsyms k = { .data = data, .table = &dso->table, .module = module };
	bool own = symbols_kernel_list(data, path);

	if (own && !symbols_is_running_kernel(data, dso)) {
		dso->why = "another kernel runs here";
		return;
	}
	if (strcmp(dso->name, DSO_KERNEL) != 0)
		module_name(dso->name, module, sizeof(module));
	if (!read_kallsyms(&k, path, own)) {
		dso->why = "the list of the kernel's symbols cannot be read";
		return;
	}
	/* Since the recording the kernel may have moved: each boot it is elsewhere. */
	dso->shift = shift_of(dso, &k, text, own);
	if (is_believed(data, dso, &k, own))
		return;
	dso->why = why_not(dso, &k, own);
	drop(&dso->table);
}

void symbols_shift_kernel(struct dso *dso, uint64_t text)
{
	size_t i;

	for (i = 0; text && i < dso->table.count; i++)
		if (!strcmp(dso->table.symbols[i].name, "_text"))
			dso->shift = dso->table.symbols[i].start - text;
}
