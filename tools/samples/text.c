// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What samples name, in words: lines of sources, places in programs, where data came from.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/pmuctl.h"
#include "lib/base/regular.h"
#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/base/writer.h"
#include "tools/samples/text.h"

/* "xfs.ko.xz": "[xfs]"; NULL: it is none. */
static char *module_text(const char *name)
{
	const char *dot = strstr(name, ".ko");

	if (!dot || (dot[3] && dot[3] != '.'))
		return NULL;
	return new_text("[%.*s]", (int)(dot - name), name);
}

char *dso_text(struct pmuctl_data *data, uint32_t dso)
{
	const char *name = pmuctl_data_dso(data, dso), *slash = strrchr(name, '/');
	char *base, *text;
	int pid;

	if (is_made_code(name, &pid))
		return new_text("[JIT] tid %d", pid);
	base = clean_copy(slash ? slash + 1 : name);
	text = base ? module_text(base) : NULL;
	if (!text)
		return base;
	free(base);
	return text;
}

/* No source is larger; what debug information names may be anything. */
#define FILE_MAX (16 << 20)

struct sources {
	struct sources *next;
	char *name;
	char *text;		/* lines end with NUL; NULL: cannot be read */
	size_t *starts;		/* of each line in it */
	size_t lines;
};

static char *read_file(const char *name, size_t *size)
{
	int fd = open_regular(name);
	char *text = NULL;
	struct stat st;
	ssize_t len;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && st.st_size < FILE_MAX)
		text = malloc((size_t)st.st_size + 1);
	len = text ? read(fd, text, (size_t)st.st_size) : -1;
	close(fd);
	if (len < 0) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	*size = (size_t)len;
	return text;
}

/* A terminal obeys control characters; of those at a line's end DOS writes two. */
static void make_plain(char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (text[i] == '\r' && text[i + 1] == '\n')
			text[i] = '\0';
		else if (((unsigned char)text[i] < ' ' && text[i] != '\t' && text[i] != '\n') ||
		    text[i] == 0x7f)
			text[i] = '?';
}

static void cut_lines(struct sources *s, size_t size)
{
	size_t i, lines = 1;

	for (i = 0; i < size; i++)
		lines += s->text[i] == '\n';
	s->starts = calloc(lines, sizeof(*s->starts));
	if (!s->starts)
		return;
	s->lines = 1;
	for (i = 0; i < size; i++) {
		if (s->text[i] != '\n')
			continue;
		s->text[i] = '\0';
		s->starts[s->lines++] = i + 1;
	}
}

static struct sources *load(const char *name)
{
	struct sources *s = calloc(1, sizeof(*s));
	size_t size = 0;

	if (!s)
		return NULL;
	s->name = strdup(name);
	s->text = read_file(name, &size);
	if (s->text) {
		make_plain(s->text, size);
		cut_lines(s, size);
	}
	return s;
}

/* As perf has it. */
const char *source_path(const char *prefix, unsigned int strip, const char *file, char *path,
			size_t size)
{
	unsigned int i;

	if (!prefix)
		return file;
	for (i = 0; i < strip && strchr(file + 1, '/'); i++)
		file = strchr(file + 1, '/');
	snprintf(path, size, "%s%s%s", prefix, *file == '/' ? "" : "/", file);
	return path;
}

const char *source_line(struct sources **sources, const char *file, unsigned int line)
{
	struct sources *s;

	for (s = *sources; s; s = s->next)
		if (s->name && !strcmp(s->name, file))
			break;
	if (!s) {
		s = load(file);
		if (!s)
			return NULL;
		s->next = *sources;
		*sources = s;
	}
	return line && line <= s->lines ? s->text + s->starts[line - 1] : NULL;
}

void sources_free(struct sources *sources)
{
	struct sources *next;

	for (; sources; sources = next) {
		next = sources->next;
		free(sources->name);
		free(sources->text);
		free(sources->starts);
		free(sources);
	}
}

/* ---- a place in a program --------------------------------------------------------------- */

#define INSN_MAX 15

void place_text(struct pmuctl_data *data, const struct pmuctl_place *place, char *text,
		size_t size)
{
	const char *dso = pmuctl_data_dso(data, place->dso), *base = strrchr(dso, '/');
	struct pmuctl_symbol symbol = { .name = NULL };

	pmuctl_data_symbol(data, place, &symbol);
	if (symbol.name && place->address == symbol.start)
		snprintf(text, size, "%s", symbol.name);
	else if (symbol.name)
		snprintf(text, size, "%s+%#" PRIx64, symbol.name, place->address - symbol.start);
	else
		snprintf(text, size, "%#" PRIx64 " in %s", place->address, base ? base + 1 : dso);
}

void write_source_line(struct writer *w, struct pmuctl_data *data,
		       const struct pmuctl_place *place)
{
	const char *file = NULL;
	unsigned int line = 0;

	pmuctl_data_line(data, place, &file, &line);
	writer_string(w, "file", "    %s", file);
	if (file)
		writer_u64(w, "line", ":%" PRIu64, line);
	else
		writer_null(w, "line", NULL, "");
}

int place_insn(struct pmuctl_data *data, const struct pmuctl_place *place,
	       struct pmuctl_insn *insn)
{
	unsigned char code[INSN_MAX];
	size_t size = pmuctl_data_text(data, place, code, sizeof(code));
	const char *machine;
	unsigned int bits = pmuctl_data_bits(data, place->dso, &machine);
	int err = bits ? pmuctl_insn_decode_bits(bits, code, size, place->address, insn) : -EBADMSG;

	if (!bits)
		snprintf(insn->text, sizeof(insn->text), "(code of %.24s)", machine);
	else if (err)
		snprintf(insn->text, sizeof(insn->text), "(no code here)");
	return err;
}

/* ---- where data came from, as struct perf_event.h has it -------------------------------- */

struct word {
	uint64_t bit;
	const char *text;
};

static const struct word levels[] = {
	{ PERF_MEM_LVL_L1, "L1" },
	{ PERF_MEM_LVL_LFB, "line fill buffer" },
	{ PERF_MEM_LVL_L2, "L2" },
	{ PERF_MEM_LVL_L3, "L3" },
	{ PERF_MEM_LVL_LOC_RAM, "local memory" },
	{ PERF_MEM_LVL_REM_RAM1, "remote memory" },
	{ PERF_MEM_LVL_REM_RAM2, "remote memory (2 hops)" },
	{ PERF_MEM_LVL_REM_CCE1, "remote cache" },
	{ PERF_MEM_LVL_REM_CCE2, "remote cache (2 hops)" },
	{ PERF_MEM_LVL_IO, "I/O" },
	{ PERF_MEM_LVL_UNC, "uncached" },
};

/* Of Linux 6.11, which headers need not be of. */
#ifndef PERF_MEM_LVLNUM_L2_MHB
#define PERF_MEM_LVLNUM_L2_MHB 0x05
#define PERF_MEM_LVLNUM_MSC 0x06
#endif

/* Newer writers number the level as well. */
static const char *const numbered[16] = {
	[PERF_MEM_LVLNUM_L1] = "L1",
	[PERF_MEM_LVLNUM_L2] = "L2",
	[PERF_MEM_LVLNUM_L3] = "L3",
	[PERF_MEM_LVLNUM_L4] = "L4",
	[PERF_MEM_LVLNUM_L2_MHB] = "L2 miss buffer",
	[PERF_MEM_LVLNUM_MSC] = "memory-side cache",
	[PERF_MEM_LVLNUM_ANY_CACHE] = "some cache",
	[PERF_MEM_LVLNUM_LFB] = "line fill buffer",
	[PERF_MEM_LVLNUM_RAM] = "memory",
	[PERF_MEM_LVLNUM_PMEM] = "persistent memory",
};

static const struct word snoops[] = {
	{ PERF_MEM_SNOOP_HIT, "snoop hit" },
	{ PERF_MEM_SNOOP_MISS, "snoop miss" },
	{ PERF_MEM_SNOOP_HITM, "snoop hit modified" },
};

static const struct word ops[] = {
	{ PERF_MEM_OP_LOAD, "load" },
	{ PERF_MEM_OP_STORE, "store" },
	{ PERF_MEM_OP_PFETCH, "prefetch" },
};

uint64_t source_key(uint64_t data_src)
{
	union perf_mem_data_src src = { .val = data_src }, key = { .val = 0 };

	key.mem_op = src.mem_op;
	key.mem_lvl = src.mem_lvl;
	key.mem_lvl_num = src.mem_lvl_num;
	key.mem_remote = src.mem_remote;
	key.mem_snoop = src.mem_snoop;
	key.mem_dtlb = src.mem_dtlb;
	key.mem_lock = src.mem_lock & PERF_MEM_LOCK_LOCKED;
	return key.val;
}

bool source_is_known(uint64_t data_src)
{
	union perf_mem_data_src src = { .val = data_src };

	return (src.mem_op && src.mem_op != PERF_MEM_OP_NA) ||
	       (src.mem_lvl && src.mem_lvl != PERF_MEM_LVL_NA) ||
	       (src.mem_lvl_num && src.mem_lvl_num != PERF_MEM_LVLNUM_NA);
}

static void append(char *text, size_t size, const char *mark, const char *word)
{
	size_t len = strlen(text);

	snprintf(text + len, size - len, "%s%s", len ? mark : "", word);
}

static void append_words(char *text, size_t size, const struct word *words, size_t count,
			 uint64_t bits)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (bits & words[i].bit)
			append(text, size, ", ", words[i].text);
}

static void append_level(char *text, size_t size, union perf_mem_data_src src)
{
	const char *name = numbered[src.mem_lvl_num];
	size_t before = strlen(text);

	if (name && src.mem_remote)
		append(text, size, ", ", "remote");
	if (name)
		append(text, size, src.mem_remote ? " " : ", ", name);
	else
		append_words(text, size, levels, ARRAY_SIZE(levels), src.mem_lvl);
	if (strlen(text) == before)
		append(text, size, ", ", "unknown level");
	if (src.mem_lvl & PERF_MEM_LVL_HIT)
		append(text, size, " ", "hit");
	else if (src.mem_lvl & PERF_MEM_LVL_MISS)
		append(text, size, " ", "miss");
}

void source_text_of(uint64_t key, char *text, size_t size)
{
	union perf_mem_data_src src = { .val = key };

	snprintf(text, size, "%s", source_is_known(key) ? "" : "not available");
	if (*text)
		return;
	append_words(text, size, ops, ARRAY_SIZE(ops), src.mem_op);
	append_level(text, size, src);
	append_words(text, size, snoops, ARRAY_SIZE(snoops), src.mem_snoop);
	if (src.mem_dtlb & PERF_MEM_TLB_WK)
		append(text, size, ", ", "page walk");
	if (src.mem_lock)
		append(text, size, ", ", "locked");
}

bool source_hit_l1(uint64_t data_src)
{
	union perf_mem_data_src src = { .val = data_src };
	bool l1 = src.mem_lvl_num == PERF_MEM_LVLNUM_L1 || (src.mem_lvl & PERF_MEM_LVL_L1);

	return l1 && !(src.mem_lvl & PERF_MEM_LVL_MISS);
}
