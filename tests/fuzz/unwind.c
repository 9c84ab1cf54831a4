// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer over the unwinder: rules as no compiler makes them, registers and a stack that fit
 * nothing, and from caller to caller as far as they go.
 *
 * What elfutils makes of a file is its own part, and in a process of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "../../lib/unwind/unwind.h"

#define ROWS_MAX 8

struct input {
	const uint8_t *at;
	size_t left;
};

/* What is not there is zero. */
static void take(struct input *in, void *to, size_t size)
{
	size_t have = size < in->left ? size : in->left;

	memset(to, 0, size);
	memcpy(to, in->at, have);
	in->at += have;
	in->left -= have;
}

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* As the reader's answer is taken: so many operations, and not one more. */
static struct rule_row *take_row(struct input *in)
{
	struct rule_row row, *kept;

	take(in, &row, offsetof(struct rule_row, ops));
	row.signal = false;
	row.ops_count %= RULE_OPS + 1;
	take(in, row.ops, row.ops_count * sizeof(row.ops[0]));
	memset(row.ops + row.ops_count, 0, (RULE_OPS - row.ops_count) * sizeof(row.ops[0]));
	kept = malloc(rule_row_size(&row));
	check(kept);
	memcpy(kept, &row, rule_row_size(&row));
	return kept;
}

static void walk(struct rule_row *const *rows, size_t count, const struct stack_copy *stack,
		 struct frame *frame)
{
	enum pmuctl_cut cut = PMUCTL_CUT_NONE;
	struct frame caller;
	size_t i;
	int ret;

	for (i = 0; i < UNWIND_FRAMES; i++) {
		ret = unwind_step(rows[i % count], stack, frame, &caller, &cut);
		check(ret >= -1 && ret <= 1);
		check((ret < 0) == (cut != PMUCTL_CUT_NONE) && cut < PMUCTL_CUTS);
		if (ret <= 0)
			return;
		check(caller.known >> RULE_RA & 1 && caller.known >> RULE_SP & 1);
		check(caller.registers[RULE_SP] > frame->registers[RULE_SP]);
		*frame = caller;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in = { bytes, size };
	struct rule_row *rows[ROWS_MAX];
	struct stack_copy stack = { 0 };
	uint8_t head[2], *copy;
	size_t count, i;
	struct frame frame;

	take(&in, head, sizeof(head));
	take(&in, &frame, sizeof(frame));
	frame.lost = (enum pmuctl_cut)(head[1] % PMUCTL_CUTS);
	frame.known |= 1u << RULE_SP;
	count = 1 + head[0] % ROWS_MAX;
	for (i = 0; i < count; i++)
		rows[i] = take_row(&in);
	/* A copy of its own, so that a sanitizer sees its end. */
	copy = malloc(in.left + 1);
	check(copy);
	memcpy(copy, in.at, in.left);
	stack = (struct stack_copy){ copy, in.left, frame.registers[RULE_SP], in.left + head[0] };
	walk(rows, count, &stack, &frame);
	free(copy);
	for (i = 0; i < count; i++)
		free(rows[i]);
	return 0;
}
