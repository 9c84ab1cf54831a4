/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of event names share; each CPU has a program of its own,
 * because libpfm4 picks its tables once a process.
 */
#ifndef LIB_EVENT_H
#define LIB_EVENT_H

#include <string.h>

#include "../../lib/pmuctl.h"
#include "cmocka_all.h"
#include "fake_kernel.h"

struct expected {
	const char *name;
	int err;
	uint64_t value;
	uint64_t counters;
	bool user, kernel;
	enum pmuctl_source source;
	const char *error;	/* part of the text */
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
	info = pmuctl_event_info(event);
	assert_string_equal(info->name, x->name);
	if (info->registers[0].value != x->value || info->counters != x->counters)
		print_message("%s\n", x->name);
	assert_int_equal(info->registers_count, 1);
	assert_int_equal(info->registers[0].value, x->value);
	assert_int_equal(info->counters, x->counters);
	assert_int_equal(info->user, x->user);
	assert_int_equal(info->kernel, x->kernel);
	assert_int_equal(info->source, x->source);
	pmuctl_event_free(event);
}

#endif
