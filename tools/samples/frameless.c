// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Callers of functions without a frame.
 *
 * What is at the top of a stack may be an old address of anything.  So it is taken for
 * a return address only where the function's code says that it is one, at any sample
 * there: before the stack pointer was moved, or where it never is.  And a call has to
 * stand in front of it that leads to this function.
 */
#include <linux/perf_event.h>
#include <asm/perf_regs.h>
#include <stdlib.h>
#include <string.h>

#include "tools/samples/frameless.h"

/* Larger functions are looked at so far. */
#define CODE_MAX 4096
#define CALL_MAX 8
#define CALL_DIRECT 0xe8
#define CALL_DIRECT_SIZE 5
#define PUSH_RBP 0x55

/* ---- the function ------------------------------------------------------------------------- */

static bool is_return(const struct pmuctl_insn *insn)
{
	return !strncmp(insn->text, "ret", 3);
}

static bool moves_stack(const struct pmuctl_insn *insn)
{
	return insn->stack_step || insn->writes & 1ull << PERF_REG_X86_SP;
}

static bool decode(const struct pmuctl_place *place, const unsigned char *code, size_t size,
		   struct pmuctl_insn *insn)
{
	*insn = (struct pmuctl_insn){ .size = sizeof(*insn) };
	return !pmuctl_insn_decode(code, size, place->address, insn) && insn->length;
}

/* From its start, each instruction behind the other. */
static void walk(struct pmuctl_data *data, uint64_t size, struct frameless_function *f)
{
	struct pmuctl_place at = { f->dso, f->start };
	unsigned char code[CODE_MAX + 1];
	bool straight = true, still = size && size <= CODE_MAX;
	size_t there = pmuctl_data_text(data, &at, code, size && size < CODE_MAX ? size : CODE_MAX);
	struct pmuctl_insn insn;
	size_t n = 0;

	f->straight = f->start;
	for (; n < there && (straight || still); n += insn.length) {
		at.address = f->start + n;
		if (straight)
			f->straight = at.address;
		if (!decode(&at, code + n, there - n, &insn))
			break;
		if (straight && code[n] == PUSH_RBP)
			f->pushed = at.address + insn.length;
		straight &= !insn.branch && !moves_stack(&insn);
		still &= !moves_stack(&insn) || is_return(&insn);
	}
	f->still = still && n == size;
}

static bool same_function(const void *data, uint32_t id, const void *key)
{
	const struct frameless_function *a = &((const struct frameless *)data)->functions[id];
	const struct frameless_function *b = key;

	return a->dso == b->dso && a->start == b->start;
}

static const struct frameless_function *function_at(struct frameless *f, struct pmuctl_data *data,
						    uint32_t dso,
						    const struct pmuctl_symbol *symbol)
{
	struct frameless_function key = { .dso = dso, .start = symbol->start }, *more;
	uint32_t hash = hash_u64(key.start, dso);
	uint32_t id = index_find(&f->index, hash, same_function, f, &key);

	if (id != INDEX_NONE)
		return &f->functions[id];
	if (f->count == f->room) {
		more = reallocarray(f->functions, 2 * (size_t)f->room + 64, sizeof(*more));
		if (!more)
			return NULL;
		f->functions = more;
		f->room = 2 * f->room + 64;
	}
	if (!index_add(&f->index, hash, f->count))
		return NULL;
	walk(data, symbol->size, &key);
	f->functions[f->count] = key;
	return &f->functions[f->count++];
}

/* ---- where it is ---------------------------------------------------------------------------- */

/*
 * The instruction at a place leaves the stack pointer where it is.  Registers behind it are
 * as good as those before it then.
 */
static bool leaves_stack(struct pmuctl_data *data, const struct pmuctl_place *at, bool *returns)
{
	unsigned char code[16];
	struct pmuctl_insn insn;
	size_t size = pmuctl_data_text(data, at, code, sizeof(code));

	*returns = false;
	if (!decode(at, code, size, &insn))
		return false;
	*returns = is_return(&insn);
	return !moves_stack(&insn);
}

/* Which of the words is the return address; -1: it cannot be told. */
static int word_of(struct pmuctl_data *data, const struct frameless_function *f,
		   const struct pmuctl_place *at, bool registers)
{
	bool returns, leaves = leaves_stack(data, at, &returns);

	if (!registers && !leaves)
		return -1;
	if (f->still || returns || at->address <= f->straight)
		return 0;
	return at->address == f->pushed && registers ? 1 : -1;
}

/* ---- the call ------------------------------------------------------------------------------- */

/* The name of a stub is that of what it calls. */
static bool is_stub_of(const struct pmuctl_symbol *stub, const struct pmuctl_symbol *symbol)
{
	size_t length = strlen(symbol->name);

	return stub->name && !strncmp(stub->name, symbol->name, length) &&
	       !strcmp(stub->name + length, "@plt");
}

static bool is_indirect_call(const struct pmuctl_place *next, const unsigned char *code,
			     size_t size)
{
	struct pmuctl_place at = *next;
	struct pmuctl_insn insn;
	size_t length;

	for (length = 2; length <= size; length++) {
		at.address = next->address - length;
		if (decode(&at, code + size - length, length, &insn) && insn.length == length &&
		    !strncmp(insn.text, "call", 4) && !insn.target)
			return true;
	}
	return false;
}

/* The call in front of a place leads to the function of a symbol. */
static bool is_called_from(struct pmuctl_data *data, const struct pmuctl_place *next,
			   uint32_t dso, const struct pmuctl_symbol *symbol, bool *sure)
{
	struct pmuctl_place before = { next->dso, next->address - CALL_MAX }, target = *next;
	unsigned char code[CALL_MAX];
	struct pmuctl_symbol stub;
	int32_t distance;

	if (pmuctl_data_text(data, &before, code, sizeof(code)) < sizeof(code))
		return false;
	*sure = false;
	if (code[CALL_MAX - CALL_DIRECT_SIZE] == CALL_DIRECT) {
		memcpy(&distance, code + CALL_MAX - sizeof(distance), sizeof(distance));
		target.address += (uint64_t)(int64_t)distance;
		*sure = target.dso == dso && target.address == symbol->start;
		if (*sure)
			return true;
		pmuctl_data_symbol(data, &target, &stub);
		if (is_stub_of(&stub, symbol))
			return true;
	}
	return is_indirect_call(next, code, sizeof(code));
}

bool frameless_find(struct frameless *f, struct pmuctl_data *data,
		    const struct pmuctl_data_sample *sample, const struct pmuctl_place *at,
		    bool registers, struct frameless_caller *caller)
{
	const struct frameless_function *function;
	struct pmuctl_symbol symbol, callers;
	struct pmuctl_place next;
	const char *machine;
	int word;

	pmuctl_data_symbol(data, at, &symbol);
	if (!symbol.name || at->address < symbol.start ||
	    pmuctl_data_bits(data, at->dso, &machine) != 64)
		return false;
	function = function_at(f, data, at->dso, &symbol);
	word = function ? word_of(data, function, at, registers) : -1;
	if (word < 0 || sample->stack_size < ((size_t)word + 1) * sizeof(caller->raw))
		return false;
	memcpy(&caller->raw, (const char *)sample->stack + (size_t)word * sizeof(caller->raw),
	       sizeof(caller->raw));
	if (!caller->raw)
		return false;
	pmuctl_data_place(data, sample->pid, sample->time, caller->raw - 1, false, &next);
	pmuctl_data_symbol(data, &next, &callers);
	next.address++;
	return callers.name && is_called_from(data, &next, at->dso, &symbol, &caller->sure);
}

void frameless_free(struct frameless *f)
{
	free(f->functions);
	index_free(&f->index);
	*f = (struct frameless){ 0 };
}
