/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of event names share; each CPU has a program of its own,
 * because libpfm4 picks its tables once a process.
 */
#ifndef LIB_EVENT_H
#define LIB_EVENT_H

#include <string.h>

#include "lib/pmuctl.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/fake_kernel.h"

/* Rows of tables name what matters, and leave out what is 0. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

struct expected {
	const char *name;
	int err;
	uint64_t value;
	uint64_t counters;
	bool user, kernel;
	enum pmuctl_source source;
	const char *error;	/* part of the text */
	struct pmuctl_register extra;	/* kind 0: none */
	bool pinned;
	const char *note;	/* part of it; NULL: there is none */
};

static inline void parses_as(struct pmuctl *ctx, const struct expected *x)
{
	const struct pmuctl_event_info *info;
	struct pmuctl_event *event = NULL;
	int err = pmuctl_event_parse(ctx, x->name, &event);

	if (err != x->err)
		print_message("%s: %d %s\n", x->name, err, pmuctl_error(ctx));
	assert_int_equal(err, x->err);
	if (x->error && !strstr(pmuctl_error(ctx), x->error))
		fail_msg("%s: '%s' is not in '%s'", x->name, x->error, pmuctl_error(ctx));
	if (err)
		return;
	info = pmuctl_event_get_info(event);
	assert_non_null(strstr(x->name, info->name));
	if (info->registers[0].value != x->value || info->counters != x->counters)
		print_message("%s\n", x->name);
	assert_int_equal(info->registers_count, x->extra.kind ? 2 : 1);
	assert_int_equal(info->registers[0].value, x->value);
	if (x->extra.kind) {
		assert_int_equal(info->registers[1].kind, x->extra.kind);
		assert_int_equal(info->registers[1].index, x->extra.index);
		assert_int_equal(info->registers[1].value, x->extra.value);
	}
	assert_int_equal(info->pinned, x->pinned);
	if (x->note)
		assert_non_null(strstr(info->note, x->note));
	else
		assert_string_equal(info->note, "");
	assert_int_equal(info->counters, x->counters);
	assert_int_equal(info->user, x->user);
	assert_int_equal(info->kernel, x->kernel);
	assert_int_equal(info->source, x->source);
	pmuctl_event_free(event);
}

/* With what the fake module has. */
static inline void all_parse_as(const struct expected *table, size_t count)
{
	struct pmuctl *ctx;
	size_t i;

	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	for (i = 0; i < count; i++)
		parses_as(ctx, &table[i]);
	pmuctl_close(ctx);
}

#endif
