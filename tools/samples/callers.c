// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call chains: which of their entries are addresses, and of what mode.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "tools/samples/callers.h"

static void push(struct callers *callers, struct caller caller, bool unwound)
{
	caller.returns = caller.ip != caller.raw && !unwound;
	callers->at[callers->count++] = caller;
}

static bool is_guest(uint64_t context)
{
	return context == PERF_CONTEXT_GUEST || context == PERF_CONTEXT_GUEST_KERNEL ||
	       context == PERF_CONTEXT_GUEST_USER || context == PERF_CONTEXT_HV;
}

/* A call has 2 bytes or more; 8 with all its prefixes that compilers write. */
static bool returns_behind(uint64_t ip, uint64_t call)
{
	return ip >= call + 2 && ip <= call + 8;
}

/*
 * Frame pointers lack callers, but those that they know are in order: how many of their
 * entries from i on belong to recorded calls.  If the outermost call is not among them
 * nothing tells what the rest belongs to, and none of it is to be taken.
 */
static size_t known_by_frames(const struct pmuctl_data_sample *sample, size_t i)
{
	size_t from = i, call = 0, calls = sample->branches_count;
	bool outermost = false;

	for (; i < sample->chain_count; i++) {
		while (call < calls &&
		       !returns_behind(sample->chain[i], sample->branches[call].from))
			call++;
		if (call == calls)
			return outermost ? i - from : sample->chain_count - from;
		outermost = ++call == calls;
	}
	return i - from;
}

/*
 * The calls of user mode as the processor had them, each by its own address.  Where its
 * records end frame pointers may go on: returns how many of theirs are passed over.
 */
static size_t push_calls(struct callers *callers, const struct pmuctl_data_sample *sample, size_t i)
{
	if (!sample->calls)
		return 0;
	for (size_t b = 0; b < sample->branches_count; b++) {
		uint64_t call = sample->branches[b].from;

		push(callers, (struct caller){ .ip = call, .raw = call, .recorded = true },
		     false);
	}
	return known_by_frames(sample, i);
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
			}, sample->unwound && !kernel);
		if (first && !kernel && !guest)
			i += push_calls(callers, sample, i + 1);
		leaf = false;
		first = false;
	}
}

/* The innermost one of the program; count: there is none. */
static size_t first_user(const struct callers *callers)
{
	size_t i = 0;

	while (i < callers->count && (callers->at[i].kernel || callers->at[i].guest))
		i++;
	return i;
}

static bool is_precise(const struct pmuctl_data *data, const struct pmuctl_data_sample *sample)
{
	return sample->exact && pmuctl_data_get_info(data)->events[sample->event].precise;
}

/* Whom the chain passed over, since a function had no frame (yet, or any more). */
static void add_frameless(struct callers *callers, struct pmuctl_data *data,
			  const struct pmuctl_data_sample *sample)
{
	size_t i = first_user(callers);
	struct caller *at = &callers->at[i];
	struct frameless_caller found;
	struct pmuctl_place place;

	if (i == callers->count || !sample->stack_size || sample->has & PERF_SAMPLE_REGS_USER)
		return;
	callers_place(data, sample, at, &place);
	/* A record's ip is that of the instruction that its registers are behind. */
	if (!frameless_find(&callers->frameless, data, sample, &place,
			    i || !is_precise(data, sample), &found))
		return;
	if (i + 1 < callers->count && at[1].raw == found.raw)
		return;
	memmove(at + 2, at + 1, (callers->count - i - 1) * sizeof(*at));
	at[1] = (struct caller){
		.ip = found.raw - 1, .raw = found.raw, .returns = true, .found = true,
		.unsure = !found.sure,
	};
	callers->count++;
}

int callers_take(struct callers *callers, struct pmuctl_data *data,
		 const struct pmuctl_data_sample *sample)
{
	/* Itself, and one that is found. */
	size_t room = sample->chain_count + 2 + (sample->calls ? sample->branches_count : 0);
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
	}, false);
	push_chain(callers, sample);
	add_frameless(callers, data, sample);
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
	else if (sample->kernel && !caller->kernel && !caller->returns && !caller->recorded)
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
	frameless_free(&callers->frameless);
	*callers = (struct callers){ 0 };
}
