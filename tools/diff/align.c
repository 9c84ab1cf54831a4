// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Aligning the instructions of two builds of a function.
 *
 * A compiler that is told to do one thing otherwise moves all that is behind it and allots
 * registers anew.  What stays is the order of what is done: mnemonics, and which operands are
 * registers, memory or constants.  Of those the longest common subsequence is found by Myers'
 * algorithm (An O(ND) difference algorithm and its variations, 1986), the greedy one.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/pmuctl-data.h"
#include "tools/base/index.h"
#include "tools/diff/align.h"

/* Insertions and deletions beyond which two functions are not taken for the same one. */
#define EDITS_MAX 2000

struct insn {
	uint32_t at;
	uint32_t kind;		/* hash of what it does */
};

struct insns {
	struct insn *at;
	size_t count;
};

/* "mov %rax,0x8(%rbx)" is "mov %,#(%)"; of a string instruction the text says all. */
static uint32_t kind_of(const char *text)
{
	char kind[sizeof(((struct pmuctl_insn *)NULL)->text)];
	size_t n = 0;

	while (*text) {
		if (*text == '%') {
			kind[n++] = *text++;
			while (isalnum((unsigned char)*text))
				text++;
		} else if (isdigit((unsigned char)*text) && n &&
			   !isalnum((unsigned char)kind[n - 1])) {
			kind[n++] = '#';
			while (isxdigit((unsigned char)*text) || *text == 'x')
				text++;
		} else if (*text == '-') {
			text++;		/* -0x8(%rbp) is an offset like others */
		} else {
			kind[n++] = *text++;
		}
	}
	kind[n] = '\0';
	return hash_text(kind, 0);
}

/* What is no instruction is a byte of its own. */
static int decode(const struct align_code *code, struct insns *out)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	size_t at;

	out->count = 0;
	out->at = calloc(code->size + 1, sizeof(*out->at));
	if (!out->at)
		return -ENOMEM;
	for (at = 0; at < code->size; at += insn.length) {
		struct insn *next = &out->at[out->count++];

		if (pmuctl_insn_decode_bits(code->bits, code->bytes + at, code->size - at, at,
					    &insn)) {
			insn.length = 1;
			*next = (struct insn){ (uint32_t)at, code->bytes[at] };
			continue;
		}
		*next = (struct insn){ (uint32_t)at, kind_of(insn.text) };
	}
	return 0;
}

/* The part of both that is neither at the start nor at the end alike. */
struct middle {
	const struct insn *a, *b;
	int32_t na, nb;
};

static void add_pair(struct alignment *made, const struct insn *a, const struct insn *b)
{
	made->pairs[made->count++] = (struct align_pair){ a->at, b->at };
}

/* As far as both go on alike. */
static int32_t slide(const struct middle *m, int32_t x, int32_t y)
{
	while (x < m->na && y < m->nb && m->a[x].kind == m->b[y].kind) {
		x++;
		y++;
	}
	return x;
}

/*
 * The furthest x on each diagonal x - y from -d to d, by edits d: rows one behind the other, the
 * row of d begins at d * d.  Returns the edits, or a negative errno; -E2BIG: too many.
 */
static int32_t explore(const struct middle *m, int32_t **rows)
{
	int32_t d, k, x, *row, *last;

	*rows = NULL;
	for (d = 0; d <= EDITS_MAX && d <= m->na + m->nb; d++) {
		/* Twice as much whenever it is full. */
		if (!(d & (d - 1))) {
			size_t room = 4 * ((size_t)d + 1) * ((size_t)d + 1);
			int32_t *more = reallocarray(*rows, room, sizeof(*more));

			if (!more)
				return -ENOMEM;
			*rows = more;
		}
		row = *rows + (size_t)d * (size_t)d + d;
		last = *rows + (size_t)(d - 1) * (size_t)(d - 1) + (d - 1);
		for (k = -d; k <= d; k += 2) {
			if (!d)
				x = 0;
			else if (k == -d || (k != d && last[k - 1] < last[k + 1]))
				x = last[k + 1];
			else
				x = last[k - 1] + 1;
			if (x > m->na || x - k > m->nb || x - k < 0) {
				row[k] = x;
				continue;
			}
			row[k] = slide(m, x, x - k);
			if (row[k] >= m->na && row[k] - k >= m->nb)
				return d;
		}
	}
	return -E2BIG;
}

/* From the end back: what was slid over is alike. */
static void trace(const struct middle *m, const int32_t *rows, int32_t edits, struct align_pair *to)
{
	int32_t x = m->na, y = m->nb, d, k, before;

	for (d = edits; d >= 0; d--) {
		const int32_t *last = rows + (size_t)(d - 1) * (size_t)(d - 1) + (d - 1);

		k = x - y;
		if (!d)
			before = 0;
		else if (k == -d || (k != d && last[k - 1] < last[k + 1]))
			before = last[k + 1];
		else
			before = last[k - 1] + 1;
		while (x > before) {
			x--;
			y--;
			*--to = (struct align_pair){ m->a[x].at, m->b[y].at };
		}
		if (!d)
			return;
		/* One back along the edit: down is of B alone. */
		if (k == -d || (k != d && last[k - 1] < last[k + 1]))
			y--;
		else
			x--;
	}
}

static int align_middle(const struct middle *m, struct alignment *made)
{
	int32_t *rows, edits = explore(m, &rows);
	size_t pairs = edits < 0 ? 0 : (size_t)(m->na + m->nb - edits) / 2;

	if (edits >= 0) {
		trace(m, rows, edits, made->pairs + made->count + pairs);
		made->count += pairs;
	}
	free(rows);
	return edits == -ENOMEM ? -ENOMEM : 0;
}

static int pair_up(const struct insns *a, const struct insns *b, struct alignment *made)
{
	size_t least = a->count < b->count ? a->count : b->count, front, back, i;
	struct middle m;
	int err;

	made->pairs = malloc((least + 1) * sizeof(*made->pairs));
	if (!made->pairs)
		return -ENOMEM;
	for (front = 0; front < least && a->at[front].kind == b->at[front].kind; front++)
		add_pair(made, &a->at[front], &b->at[front]);
	for (back = 0; back < least - front; back++)
		if (a->at[a->count - 1 - back].kind != b->at[b->count - 1 - back].kind)
			break;
	m = (struct middle){ a->at + front, b->at + front, (int32_t)(a->count - front - back),
			     (int32_t)(b->count - front - back) };
	err = align_middle(&m, made);
	for (i = back; i > 0; i--)
		add_pair(made, &a->at[a->count - i], &b->at[b->count - i]);
	return err;
}

int align_make(const struct align_code *a, const struct align_code *b, struct alignment *made)
{
	struct insns in_a = { NULL, 0 }, in_b = { NULL, 0 };
	int err = decode(a, &in_a);

	*made = (struct alignment){ NULL, 0 };
	if (!err)
		err = decode(b, &in_b);
	if (!err)
		err = pair_up(&in_a, &in_b, made);
	free(in_a.at);
	free(in_b.at);
	return err;
}

void align_free(struct alignment *made)
{
	free(made->pairs);
	*made = (struct alignment){ NULL, 0 };
}

uint64_t align_other(const struct alignment *made, unsigned int side, uint64_t offset)
{
	size_t low = 0, high = made->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct align_pair *pair = &made->pairs[middle];
		uint32_t here = side ? pair->b : pair->a;

		if (here == offset)
			return side ? pair->a : pair->b;
		if (here < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return ALIGN_NONE;
}
