// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Symbols of one DSO, sorted by address, one an address.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/code/code.h"

/* How many symbols before an address may reach over it without being the last. */
#define NESTED_MAX 64

void symbol_table_add(struct symbol_table *table, const struct symbol *symbol)
{
	void *more = data_grow(table->symbols, &table->room, table->count, sizeof(*symbol));

	if (!more) {
		table->failed = true;
		return;
	}
	table->symbols = more;
	table->symbols[table->count] = *symbol;
	table->symbols[table->count].order = (uint32_t)table->count & 0x0fffffff;
	table->count++;
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/* Negative: a is the better name.  As perf has it, so that both show the same one. */
static int compare_names(const struct symbol *a, const struct symbol *b)
{
	size_t la = strlen(a->name), lb = strlen(b->name);

	if (!a->size != !b->size)
		return a->size ? -1 : 1;
	if ((a->rank == SYMBOL_WEAK) != (b->rank == SYMBOL_WEAK))
		return a->rank == SYMBOL_WEAK ? 1 : -1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	if (underscores(a->name) != underscores(b->name))
		return underscores(a->name) < underscores(b->name) ? -1 : 1;
	return la == lb ? 0 : la > lb ? -1 : 1;
}

static int by_start(const void *left, const void *right)
{
	const struct symbol *l = left, *r = right;

	if (l->start != r->start)
		return l->start < r->start ? -1 : 1;
	return l->order < r->order ? -1 : 1;
}

/* As the kernel lists its own. */
static bool is_sorted(const struct symbol_table *table)
{
	size_t i;

	for (i = 1; i < table->count; i++)
		if (by_start(&table->symbols[i - 1], &table->symbols[i]) > 0)
			return false;
	return true;
}

/*
 * A symbol of assembly code often has no size: it goes on to the next address
 * that has one.  Of several with the same address that is said of the last.
 */
static void set_sizes(struct symbol *symbols, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		uint64_t size = i + 1 < count ? symbols[i + 1].start - symbols[i].start : 4096;

		if (!symbols[i].size)
			symbols[i].size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
	}
}

static size_t keep_best(struct symbol *symbols, size_t count)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++) {
		if (!n || symbols[i].start != symbols[n - 1].start)
			symbols[n++] = symbols[i];
		else if (compare_names(&symbols[i], &symbols[n - 1]) < 0)
			symbols[n - 1] = symbols[i];
	}
	return n;
}

static bool covers(const struct symbol *symbol, uint64_t address)
{
	return address - symbol->start < symbol->size;
}

/* Whether one that was added later lies over the start of this one. */
static bool is_replaced(const struct symbol *kept, size_t count, const struct symbol *symbol)
{
	size_t i;

	for (i = count; i && count - i < NESTED_MAX; i--)
		if (kept[i - 1].order > symbol->order && covers(&kept[i - 1], symbol->start))
			return true;
	return false;
}

static size_t keep_latest(struct symbol *symbols, size_t count)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++) {
		/* Of one start the later comes later. */
		if (n && symbols[i].start == symbols[n - 1].start)
			symbols[n - 1] = symbols[i];
		else if (!is_replaced(symbols, n, &symbols[i]))
			symbols[n++] = symbols[i];
	}
	return n;
}

static void finish(struct symbol_table *table, size_t (*keep)(struct symbol *, size_t))
{
	struct symbol *less;

	if (!table->count)
		return;
	if (!is_sorted(table))
		qsort(table->symbols, table->count, sizeof(*table->symbols), by_start);
	set_sizes(table->symbols, table->count);
	table->count = keep(table->symbols, table->count);
	less = reallocarray(table->symbols, table->count, sizeof(*less));
	if (less)
		table->symbols = less;
	table->room = table->count;
}

void symbol_table_finish(struct symbol_table *table)
{
	finish(table, keep_best);
}

void symbol_table_finish_latest(struct symbol_table *table)
{
	finish(table, keep_latest);
}

struct symbol *symbol_table_find(const struct symbol_table *table, uint64_t address)
{
	size_t begun = data_begun(table->symbols, table->count, sizeof(struct symbol), address), i;

	for (i = begun; i && begun - i < NESTED_MAX; i--)
		if (covers(&table->symbols[i - 1], address))
			return &table->symbols[i - 1];
	return NULL;
}
