// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call chains: which of their entries are addresses, and of what mode.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "tools/samples/callers.h"

static void push(struct callers *callers, struct caller caller)
{
	caller.returns = caller.ip != caller.raw;
	callers->at[callers->count++] = caller;
}

static bool is_guest(uint64_t context)
{
	return context == PERF_CONTEXT_GUEST || context == PERF_CONTEXT_GUEST_KERNEL ||
	       context == PERF_CONTEXT_GUEST_USER || context == PERF_CONTEXT_HV;
}

/*
 * The first entry of a context is where that was left; the others are where calls
 * return to, so that the call itself is before.
 */
static void push_chain(struct callers *callers, const struct pmuctl_data_sample *sample)
{
	bool kernel = sample->kernel, guest = sample->guest, first = true, leaf = true;
	size_t i;

	for (i = 0; i < sample->chain_count; i++) {
		uint64_t ip = sample->chain[i];

		if (ip >= PERF_CONTEXT_MAX) {
			kernel = ip == PERF_CONTEXT_KERNEL;
			guest = is_guest(ip);
			first = true;
			continue;
		}
		/* The sample's own address is the better one: it may have been corrected. */
		if (!leaf || kernel != sample->kernel)
			push(callers, (struct caller){
				.ip = first || !ip ? ip : ip - 1, .raw = ip, .kernel = kernel,
				.guest = guest,
			});
		leaf = false;
		first = false;
	}
}

int callers_take(struct callers *callers, const struct pmuctl_data_sample *sample)
{
	size_t room = sample->chain_count + 1;
	struct caller *more;

	if (room > callers->room) {
		more = reallocarray(callers->at, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		callers->at = more;
		callers->room = room;
	}
	callers->count = 0;
	push(callers, (struct caller){
		.ip = sample->ip, .raw = sample->ip, .kernel = sample->kernel,
		.guest = sample->guest,
	});
	push_chain(callers, sample);
	return 0;
}

/*
 * What a call returns to is read from the stack, and without frame pointers that may be
 * anything; a register is what it is, in the middle of an exec, too.
 */
void callers_place(const struct pmuctl_data *data, const struct pmuctl_data_sample *sample,
		   const struct caller *caller, struct pmuctl_place *place)
{
	if (caller->guest)
		*place = (struct pmuctl_place){ .dso = 0, .address = caller->ip };
	else if (sample->kernel && !caller->kernel && !caller->returns)
		pmuctl_data_entry(data, sample->pid, sample->time, caller->ip, place);
	else
		pmuctl_data_place(data, sample->pid, sample->time, caller->ip, caller->kernel,
				  place);
}

void callers_symbol(struct pmuctl_data *data, const struct pmuctl_place *place, bool returns,
		    struct pmuctl_symbol *symbol)
{
	const struct pmuctl_place recorded = { place->dso, place->address + 1 };

	if (returns) {
		pmuctl_data_symbol(data, &recorded, symbol);
		if (symbol->name && symbol->start == recorded.address)
			return;
	}
	pmuctl_data_symbol(data, place, symbol);
}

void callers_free(struct callers *callers)
{
	free(callers->at);
	*callers = (struct callers){ 0 };
}
