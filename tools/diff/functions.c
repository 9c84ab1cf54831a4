// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which function of B is which of A, and where its lines and instructions have gone.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/diff/diff.h"
#include "tools/samples/text.h"

/* ---- objects --------------------------------------------------------------------------------- */

/* "libc-2.36.so" and "libc.so.6.1" are other versions of "libc.so". */
static void cut_version(char *name)
{
	char *so = strstr(name, ".so"), *dash = so;

	if (!so || (so[3] && so[3] != '.'))
		return;
	while (dash > name && (isdigit((unsigned char)dash[-1]) || dash[-1] == '.'))
		dash--;
	if (dash > name && dash < so && dash[-1] == '-')
		memmove(dash - 1, ".so", sizeof(".so"));
	else
		so[3] = '\0';
}

/* Code that a program made belongs to none of its processes. */
static char *object_name(const struct diff_side *side, uint32_t dso)
{
	char *name = dso_text(side->data, dso);

	if (name && !strncmp(name, "[JIT]", 5))
		name[5] = '\0';
	else if (name && *name != '[')
		cut_version(name);
	return name;
}

static bool is_program(const struct diff_side *side, uint32_t dso)
{
	const char *path = pmuctl_data_dso(side->data, dso);

	return *path == '/' && !strstr(path, ".so") && !strstr(path, ".ko");
}

/* Of each object that was sampled; there are few, beside their functions. */
static int name_objects(struct diff_side *side)
{
	size_t i;

	for (i = 0; i < side->halves.slots_count; i++) {
		const struct diff_half *half = side->halves.slots[i];
		uint32_t dso = half ? (uint32_t)half->key.a : 0;

		if (!half || (dso < side->objects_count && side->objects[dso]))
			continue;
		while (side->objects_count <= dso) {
			if (!index_room((void **)&side->objects, side->objects_count,
					&side->objects_room, sizeof(*side->objects)))
				return -ENOMEM;
			side->objects[side->objects_count++] = NULL;
		}
		side->objects[dso] = object_name(side, dso);
		if (!side->objects[dso])
			return -ENOMEM;
	}
	return 0;
}

/* Its number; INDEX_NONE: nothing of it was sampled. */
static uint32_t find_object(const struct diff_side *side, const char *name)
{
	uint32_t dso;

	for (dso = 0; dso < side->objects_count; dso++)
		if (side->objects[dso] && !strcmp(side->objects[dso], name))
			return dso;
	return INDEX_NONE;
}

/* The one program that the other side does not have by its name; NULL: none, or several. */
static const char *only_program(const struct diff_side *side, const struct diff_side *other)
{
	const char *only = NULL;
	uint32_t dso;

	for (dso = 0; dso < side->objects_count; dso++) {
		const char *name = side->objects[dso];

		if (!name || !is_program(side, dso) || find_object(other, name) != INDEX_NONE ||
		    (only && !strcmp(name, only)))
			continue;
		if (only)
			return NULL;
		only = name;
	}
	return only;
}

/* "./old" and "./new" are builds of one program, if nothing else could be meant. */
static void pair_programs(struct diff *d)
{
	const char *a = only_program(&d->sides[0], &d->sides[1]);
	const char *b = only_program(&d->sides[1], &d->sides[0]);

	d->programs[0] = b ? a : NULL;
	d->programs[1] = a ? b : NULL;
}

/* As A calls it. */
static const char *common_name(const struct diff *d, unsigned int side, uint32_t dso)
{
	const char *name = d->sides[side].objects[dso];

	return side == 1 && d->programs[1] && !strcmp(name, d->programs[1]) ? d->programs[0] : name;
}

uint32_t diff_object(const struct diff *d, unsigned int side, const char *name)
{
	if (side == 1 && d->programs[0] && !strcmp(name, d->programs[0]))
		name = d->programs[1];
	return find_object(&d->sides[side], name);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Behind the name are copies that the compiler made: "walk.constprop.0", "walk.part.1" */
static size_t plain_length(const char *name)
{
	static const char *const suffixes[] = {
		".constprop.", ".isra.", ".part.", ".cold", ".lto_priv.", ".llvm.",
	};
	size_t length = strlen(name), i;

	for (i = 0; i < ARRAY_SIZE(suffixes); i++) {
		const char *at = strstr(name, suffixes[i]);

		if (at && at > name && (size_t)(at - name) < length)
			length = (size_t)(at - name);
	}
	return length;
}

struct function_key {
	const char *dso, *name;
};

static bool same_function(const void *data, uint32_t id, const void *key)
{
	const struct diff_function *f = &((const struct diff *)data)->functions[id];
	const struct function_key *k = key;

	return !f->name == !k->name && (!f->name || !strcmp(f->name, k->name)) &&
	       !strcmp(f->dso, k->dso);
}

static uint32_t hash_function(const struct function_key *key)
{
	return hash_text(key->name ? key->name : "", hash_text(key->dso, 0));
}

static uint32_t find_function(const struct diff *d, const struct function_key *key)
{
	return index_find(&d->function_index, hash_function(key), same_function, d, key);
}

static uint32_t add_function(struct diff *d, const struct function_key *key)
{
	const struct diff_function f = { .dso = key->dso, .name = key->name };

	if (!index_room((void **)&d->functions, d->functions_count, &d->functions_room,
			sizeof(*d->functions)) ||
	    !index_add(&d->function_index, hash_function(key), d->functions_count))
		return INDEX_NONE;
	d->functions[d->functions_count] = f;
	return d->functions_count++;
}

/*
 * The function of A that nothing of B has the name of, and which is the only one of A with the
 * same plain name; INDEX_NONE: there is none.
 */
static uint32_t find_copy(const struct diff *d, const struct function_key *key)
{
	uint32_t found = INDEX_NONE, i;
	size_t length = plain_length(key->name);

	for (i = 0; i < d->functions_count; i++) {
		const struct diff_function *f = &d->functions[i];

		if (f->of[1] || !f->name || strncmp(f->name, key->name, length) != 0 ||
		    plain_length(f->name) != length || strcmp(f->dso, key->dso) != 0)
			continue;
		if (found != INDEX_NONE)
			return INDEX_NONE;
		found = i;
	}
	return found;
}

static bool is_before(const struct diff_half *a, const struct diff_half *b)
{
	return a->key.a != b->key.a ? a->key.a < b->key.a : a->key.b < b->key.b;
}

static void give_half(struct diff *d, unsigned int side, struct diff_half *half)
{
	struct diff_function *f = &d->functions[half->function];
	struct diff_half **of = &f->of[side];

	f->kernel |= half->kernel;
	/* Of several with the same name the first, whatever order a table has them in. */
	if (!*of || is_before(half, *of))
		*of = half;
}

/* What is done with a function that A has no other of by that name. */
enum unpaired { UNPAIRED_ADD, UNPAIRED_LEAVE, UNPAIRED_COPY };

static int pair_half(struct diff *d, unsigned int side, struct diff_half *half, enum unpaired how)
{
	const char *dso = common_name(d, side, (uint32_t)half->key.a);
	const struct function_key key = { dso, half->name };

	half->function = find_function(d, &key);
	if (half->function == INDEX_NONE && how == UNPAIRED_COPY && half->name)
		half->function = find_copy(d, &key);
	if (half->function == INDEX_NONE && how != UNPAIRED_LEAVE)
		half->function = add_function(d, &key);
	if (half->function != INDEX_NONE)
		give_half(d, side, half);
	return half->function == INDEX_NONE && how != UNPAIRED_LEAVE ? -ENOMEM : 0;
}

static int pair_halves(struct diff *d, unsigned int side, enum unpaired how)
{
	struct table *halves = &d->sides[side].halves;
	size_t i;
	int err = 0;

	for (i = 0; i < halves->slots_count && !err; i++) {
		struct diff_half *half = halves->slots[i];

		if (half && (how != UNPAIRED_COPY || half->function == INDEX_NONE))
			err = pair_half(d, side, half, how);
	}
	return err;
}

/* Names first, so that no copy is taken for what has its very own name. */
int diff_pair_functions(struct diff *d)
{
	int err = name_objects(&d->sides[0]);

	if (!err)
		err = name_objects(&d->sides[1]);
	if (err)
		return err;
	pair_programs(d);
	err = pair_halves(d, 0, UNPAIRED_ADD);
	if (!err)
		err = pair_halves(d, 1, UNPAIRED_LEAVE);
	return err ? err : pair_halves(d, 1, UNPAIRED_COPY);
}

void diff_free_functions(struct diff *d)
{
	uint32_t i;

	for (i = 0; i < d->functions_count; i++) {
		free(d->functions[i].lines);
		align_free(&d->functions[i].aligned);
	}
	free(d->functions);
	index_free(&d->function_index);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* More is no function. */
#define CODE_MOST (1u << 22)

/* All of its code; NULL and size 0 if that is not here, or no memory. */
static uint8_t *code_of(const struct diff_side *side, const struct diff_half *half, size_t *size)
{
	const struct pmuctl_place start = { (uint32_t)half->key.a, half->key.b };
	uint8_t *bytes = half->size && half->size <= CODE_MOST ? malloc(half->size) : NULL;

	*size = bytes ? pmuctl_data_text(side->data, &start, bytes, half->size) : 0;
	if (*size == half->size && bytes)
		return bytes;
	*size = 0;
	free(bytes);
	return NULL;
}

static int align(struct diff *d, struct diff_function *f)
{
	struct align_code code[2];
	uint8_t *bytes[2];
	unsigned int side;
	int err = 0;

	for (side = 0; side < 2; side++) {
		bytes[side] = code_of(&d->sides[side], f->of[side], &code[side].size);
		code[side].bytes = bytes[side];
		code[side].bits = pmuctl_data_bits(d->sides[side].data,
						   (uint32_t)f->of[side]->key.a, NULL);
	}
	f->alike = ALIKE_SAME;
	if (!bytes[0] || !bytes[1] || !code[0].bits || !code[1].bits) {
		d->unaligned++;
	} else if (code[0].size != code[1].size ||
		   memcmp(bytes[0], bytes[1], code[0].size) != 0) {
		f->alike = ALIKE_ALIGNED;
		err = align_make(&code[0], &code[1], &f->aligned);
	}
	free(bytes[0]);
	free(bytes[1]);
	return err;
}

int diff_offset(struct diff *d, struct diff_function *f, unsigned int side, uint64_t *offset,
		bool *alone)
{
	int err = f->of[0] && f->of[1] && f->alike == ALIKE_UNKNOWN ? align(d, f) : 0;
	uint64_t other;

	*alone = false;
	if (f->alike != ALIKE_ALIGNED)
		return err;
	other = align_other(&f->aligned, side, *offset);
	*alone = other == ALIGN_NONE;
	if (side == 1 && !*alone)
		*offset = other;
	return err;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void line_at(const struct diff_side *side, const struct diff_half *half, uint32_t offset,
		    const char **file, unsigned int *line)
{
	const struct pmuctl_place at = { (uint32_t)half->key.a, half->key.b + offset };

	pmuctl_data_line(side->data, &at, file, line);
}

static const char *base_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

static int by_lines(const void *left, const void *right)
{
	const struct line_pair *l = left, *r = right;
	int order = strcmp(l->file, r->file);

	if (order)
		return order;
	if (l->b != r->b)
		return l->b < r->b ? -1 : 1;
	return l->a < r->a ? -1 : l->a > r->a;
}

/* Of each line of B the one that most of its instructions were in; on a draw the first. */
static size_t count_votes(struct line_pair *pairs, size_t count)
{
	size_t i, next, kept = 0;

	qsort(pairs, count, sizeof(*pairs), by_lines);
	for (i = 0; i < count; i = next) {
		for (next = i; next < count && !by_lines(&pairs[i], &pairs[next]); next++)
			;
		pairs[i].votes = (uint32_t)(next - i);
		if (!kept || pairs[kept - 1].b != pairs[i].b ||
		    strcmp(pairs[kept - 1].file, pairs[i].file) != 0)
			pairs[kept++] = pairs[i];
		else if (pairs[i].votes > pairs[kept - 1].votes)
			pairs[kept - 1] = pairs[i];
	}
	return kept;
}

static int pair_lines(struct diff *d, struct diff_function *f)
{
	size_t i, count = 0;

	f->lines = malloc((f->aligned.count + 1) * sizeof(*f->lines));
	if (!f->lines)
		return -ENOMEM;
	for (i = 0; i < f->aligned.count; i++) {
		const struct align_pair *pair = &f->aligned.pairs[i];
		const char *file_a, *file_b;
		unsigned int a, b;

		line_at(&d->sides[0], f->of[0], pair->a, &file_a, &a);
		line_at(&d->sides[1], f->of[1], pair->b, &file_b, &b);
		if (file_a && file_b && a && b && !strcmp(base_of(file_a), base_of(file_b)))
			f->lines[count++] = (struct line_pair){ base_of(file_b), b, a, 1 };
	}
	f->lines_count = count_votes(f->lines, count);
	return 0;
}

int diff_line(struct diff *d, struct diff_function *f, unsigned int side, const char *file,
	      unsigned int *line, bool *alone)
{
	const struct line_pair *pair;
	uint64_t unused = 0;
	int err = diff_offset(d, f, 0, &unused, alone);

	*alone = false;
	if (err || f->alike != ALIKE_ALIGNED)
		return err;
	if (!f->lines && pair_lines(d, f))
		return -ENOMEM;
	for (pair = f->lines; pair < f->lines + f->lines_count; pair++)
		if ((side ? pair->b : pair->a) == *line && !strcmp(pair->file, base_of(file))) {
			*line = pair->a;
			return 0;
		}
	*alone = true;
	return 0;
}
