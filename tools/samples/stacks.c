// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trees of frames out of the samples of a perf.data file.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/samples/stacks.h"

static bool same_frame(const void *data, uint32_t id, const void *key)
{
	const struct frame *a = &((const struct stacks *)data)->frames[id], *b = key;

	return a->kind == b->kind && a->dso == b->dso && !strcmp(a->raw, b->raw);
}

static uint32_t add_frame(struct stacks *s, const char *name, enum frame_kind kind, uint32_t dso)
{
	struct frame frame = { .raw = (char *)(uintptr_t)name, .kind = kind, .dso = dso };
	uint32_t hash = hash_text(name, 3 * dso + kind);
	uint32_t id = index_find(&s->frame_index, hash, same_frame, s, &frame);

	if (id != INDEX_NONE)
		return id;
	frame.raw = strdup(name);
	frame.name = clean_copy(name);
	if (!frame.raw || !frame.name ||
	    !index_room((void **)&s->frames, s->frames_count, &s->frames_room,
			sizeof(*s->frames)) ||
	    !index_add(&s->frame_index, hash, s->frames_count)) {
		free(frame.raw);
		free(frame.name);
		return INDEX_NONE;
	}
	s->frames[s->frames_count] = frame;
	return s->frames_count++;
}

static uint32_t frame_of_spot(struct stacks *s, struct spot *spot)
{
	enum frame_kind kind = spot->kernel ? FRAME_KERNEL : FRAME_USER;
	uint32_t number = spot->place.dso;
	struct pmuctl_symbol symbol = { 0 };
	const char *dso, *slash;
	char name[300];

	callers_symbol(s->data, &spot->place, spot->returns, &symbol);
	spot->nameless = !symbol.name;
	if (symbol.name && *symbol.name)
		return add_frame(s, symbol.name, kind, number);
	dso = pmuctl_data_dso(s->data, number);
	slash = strrchr(dso, '/');
	if (slash)
		dso = slash + 1;
	snprintf(name, sizeof(name), *dso == '[' ? "%s" : "[%s]", dso);
	return add_frame(s, name, kind, number);
}

/* Their frames; false: no memory. */
static bool find_inlined(struct stacks *s, struct spot *spot)
{
	enum frame_kind kind = spot->kernel ? FRAME_KERNEL : FRAME_USER;
	const struct pmuctl_inlined *inlined;
	size_t i, count = inlines_at(&s->inlines, s->data, &spot->place, &inlined);
	char *name;

	spot->inlined = count ? calloc(count, sizeof(*spot->inlined)) : NULL;
	if (count && !spot->inlined)
		return false;
	for (i = 0; i < count; i++) {
		if (asprintf(&name, "%s" INLINED, inlined[i].name) < 0)
			break;
		spot->inlined[i] = add_frame(s, name, kind, spot->place.dso);
		free(name);
		if (spot->inlined[i] == INDEX_NONE)
			break;
	}
	spot->inlined_count = count;
	return i == count;
}

static bool same_spot(const void *data, uint32_t id, const void *key)
{
	const struct spot *a = &((const struct stacks *)data)->spots[id], *b = key;

	return a->place.dso == b->place.dso && a->place.address == b->place.address &&
	       a->kernel == b->kernel && a->returns == b->returns;
}

/* So that a symbol is looked up once for each address. */
static uint32_t find_spot(struct stacks *s, const struct spot *key)
{
	uint32_t hash = hash_u64(key->place.address, 2 * (uint64_t)key->place.dso + key->kernel);
	uint32_t id = index_find(&s->spot_index, hash, same_spot, s, key);
	struct spot spot = *key;

	if (id != INDEX_NONE)
		return id;
	spot.frame = frame_of_spot(s, &spot);
	if (spot.frame == INDEX_NONE || !find_inlined(s, &spot) ||
	    !index_room((void **)&s->spots, s->spots_count, &s->spots_room, sizeof(*s->spots)) ||
	    !index_add(&s->spot_index, hash, s->spots_count)) {
		free(spot.inlined);
		return INDEX_NONE;
	}
	s->spots[s->spots_count] = spot;
	return s->spots_count++;
}

static bool same_node(const void *data, uint32_t id, const void *key)
{
	const struct node *a = &((const struct stacks *)data)->nodes[id], *b = key;

	return a->parent == b->parent && a->frame == b->frame && a->spot == b->spot &&
	       a->task == b->task;
}

static uint32_t find_node(struct stacks *s, const struct node *key)
{
	uint32_t hash = hash_u64((uint64_t)key->parent << 32 | key->frame,
				 (uint64_t)key->task << 32 | key->spot);
	uint32_t id = index_find(&s->node_index, hash, same_node, s, key);

	if (id != INDEX_NONE)
		return id;
	if (!index_room((void **)&s->nodes, s->nodes_count, &s->nodes_room, sizeof(*s->nodes)) ||
	    !index_add(&s->node_index, hash, s->nodes_count))
		return INDEX_NONE;
	s->nodes[s->nodes_count] = *key;
	return s->nodes_count++;
}

static uint32_t add_node(struct stacks *s, uint32_t parent, uint32_t frame, uint32_t spot)
{
	return find_node(s, &(struct node){
		.parent = parent, .frame = frame, .spot = spot, .task = INDEX_NONE,
		.child = INDEX_NONE, .next = INDEX_NONE,
	});
}

static bool same_task(const void *data, uint32_t id, const void *key)
{
	const struct task *a = &((const struct stacks *)data)->tasks[id], *b = key;

	return a->pid == b->pid && a->tid == b->tid && a->cpu == b->cpu;
}

static uint32_t find_task(struct stacks *s, const struct pmuctl_data_sample *sample)
{
	const struct task key = { sample->pid, sample->tid, s->by_cpu ? sample->cpu : UINT32_MAX };
	uint32_t hash = hash_u64((uint64_t)key.pid << 32 | key.tid, key.cpu);
	uint32_t id = index_find(&s->task_index, hash, same_task, s, &key);

	if (id != INDEX_NONE)
		return id;
	if (!index_room((void **)&s->tasks, s->tasks_count, &s->tasks_room, sizeof(*s->tasks)) ||
	    !index_add(&s->task_index, hash, s->tasks_count))
		return INDEX_NONE;
	s->tasks[s->tasks_count] = key;
	return s->tasks_count++;
}

static uint32_t add_command(struct stacks *s, uint32_t root,
			    const struct pmuctl_data_sample *sample)
{
	struct node key = { .parent = root, .spot = INDEX_NONE, .task = INDEX_NONE,
			    .child = INDEX_NONE, .next = INDEX_NONE };

	key.frame = add_frame(s, pmuctl_data_comm(s->data, sample->tid, sample->time), FRAME_COMM,
			      0);
	if (key.frame == INDEX_NONE)
		return INDEX_NONE;
	if (!s->by_task)
		return find_node(s, &key);
	key.task = find_task(s, sample);
	return key.task == INDEX_NONE ? INDEX_NONE : find_node(s, &key);
}

static uint32_t push(struct stacks *s, uint32_t node, const struct pmuctl_data_sample *sample,
		     const struct caller *caller)
{
	struct spot spot = { .kernel = caller->kernel, .returns = caller->returns };
	uint32_t id;
	size_t i;

	callers_place(s->data, sample, caller, &spot.place);
	id = find_spot(s, &spot);
	if (id == INDEX_NONE)
		return INDEX_NONE;
	s->leaf = id;
	node = add_node(s, node, s->spots[id].frame, s->by_address ? id : INDEX_NONE);
	for (i = s->by_address ? 0 : s->spots[id].inlined_count; i-- > 0 && node != INDEX_NONE;)
		node = add_node(s, node, s->spots[id].inlined[i], INDEX_NONE);
	return node;
}

/* Its frames, outermost first; where it was comes last. */
static uint32_t push_chain(struct stacks *s, uint32_t node,
			   const struct pmuctl_data_sample *sample)
{
	size_t i;

	if (callers_take(&s->chain, s->data, sample))
		return INDEX_NONE;
	for (i = s->chain.count; i-- > 0 && node != INDEX_NONE;)
		node = push(s, node, sample, &s->chain.at[i]);
	return node;
}

static bool same_name(const struct pmuctl_data *data, uint32_t event, uint32_t other)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(data);

	return !strcmp(info->events[event].name, info->events[other].name);
}

/* Events of one name cannot be asked for apart: they are one. */
static uint32_t root_of(const struct stacks *s, uint32_t event)
{
	if (event >= s->roots || s->only == INDEX_NONE)
		return event;
	return same_name(s->data, s->only, event) ? s->only : INDEX_NONE;
}

static int add_sample(void *data, const struct pmuctl_data_sample *sample)
{
	struct stacks *s = data;
	uint32_t root = root_of(s, sample->event), node;

	if (root >= s->roots || !filter_wants(&s->filter, sample))
		return 0;
	node = add_command(s, root, sample);
	if (node != INDEX_NONE)
		node = push_chain(s, node, sample);
	if (node == INDEX_NONE)
		return -ENOMEM;
	missing_add(&s->missing, s->spots[s->leaf].place.dso,
		    s->spots[s->leaf].nameless ? NULL : "", 1);
	s->nodes[node].samples++;
	s->nodes[node].events += sample->period;
	return 0;
}

static void add_up(struct stacks *s)
{
	struct node *node, *parent;
	uint32_t i;

	for (i = s->nodes_count; i-- > 0;) {
		node = &s->nodes[i];
		node->all_samples += node->samples;
		node->all_events += node->events;
		if (node->parent == INDEX_NONE)
			continue;
		parent = &s->nodes[node->parent];
		parent->all_samples += node->all_samples;
		parent->all_events += node->all_events;
	}
}

static int by_name(const void *a, const void *b, void *data)
{
	const struct stacks *s = data;
	const struct node *x = &s->nodes[*(const uint32_t *)a];
	const struct node *y = &s->nodes[*(const uint32_t *)b];
	int order = strcmp(s->frames[x->frame].name, s->frames[y->frame].name);

	if (order)
		return order;
	/* Frames are numbered as they come, which a file always repeats. */
	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return x->spot < y->spot ? -1 : x->spot > y->spot;
}

/* Gives every node its children, by name: the same file gives the same output. */
static int link_children(struct stacks *s)
{
	uint32_t count = s->nodes_count - s->roots, *order, i;
	struct node *node, *parent;

	order = malloc((count + 1) * sizeof(*order));
	if (!order)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		order[i] = s->roots + i;
	qsort_r(order, count, sizeof(*order), by_name, s);
	/* Each goes before those that are there, so the last comes first. */
	for (i = count; i-- > 0;) {
		node = &s->nodes[order[i]];
		parent = &s->nodes[node->parent];
		node->next = parent->child;
		parent->child = order[i];
	}
	free(order);
	return 0;
}

static int add_roots(struct stacks *s)
{
	size_t i, count = pmuctl_data_get_info(s->data)->events_count;
	uint32_t root;

	for (i = 0; i < count; i++) {
		/* Told apart by what is no frame's number. */
		root = add_node(s, INDEX_NONE, INDEX_NONE, i);
		if (root == INDEX_NONE)
			return -ENOMEM;
		s->roots++;
	}
	return 0;
}

int stacks_read(struct stacks *s)
{
	int err = add_roots(s);

	if (!err)
		err = pmuctl_data_chains(s->data, add_sample, s);
	if (err)
		return err;
	add_up(s);
	return link_children(s);
}

int stacks_check(const struct stacks *s, const char *cmd, const char *input)
{
	uint32_t root;

	filter_complain_unused(&s->filter);
	for (root = 0; root < s->roots; root++)
		if (s->nodes[root].all_samples)
			return 0;
	return complain(cmd, EXIT_CANNOT, "%s has no samples of what was asked for", input);
}

void stacks_free(struct stacks *s)
{
	uint32_t i;

	filter_close(&s->filter);
	for (i = 0; i < s->frames_count; i++) {
		free(s->frames[i].raw);
		free(s->frames[i].name);
	}
	for (i = 0; i < s->spots_count; i++)
		free(s->spots[i].inlined);
	callers_free(&s->chain);
	missing_free(&s->missing);
	free(s->frames);
	free(s->spots);
	free(s->nodes);
	free(s->tasks);
	index_free(&s->frame_index);
	index_free(&s->spot_index);
	index_free(&s->node_index);
	index_free(&s->task_index);
}

uint32_t stacks_next(const struct stacks *s, uint32_t root, uint32_t node)
{
	if (s->nodes[node].child != INDEX_NONE)
		return s->nodes[node].child;
	while (node != root && s->nodes[node].next == INDEX_NONE)
		node = s->nodes[node].parent;
	return node == root ? INDEX_NONE : s->nodes[node].next;
}

bool only_tracks(const struct pmuctl_data_event *event)
{
	return event->type == PERF_TYPE_SOFTWARE && event->config == PERF_COUNT_SW_DUMMY &&
	       !event->samples;
}

bool is_off_cpu(const struct pmuctl_data_event *event)
{
	static const char name[] = "offcpu-time";

	/* Newer versions of perf have the time in raw data, and a period of 1. */
	return event->type == PERF_TYPE_SOFTWARE && !(event->sample_type & PERF_SAMPLE_RAW) &&
	       !strncmp(event->name, name, sizeof(name) - 1) &&
	       (!event->name[sizeof(name) - 1] || event->name[sizeof(name) - 1] == ':');
}

uint32_t first_sampled(const struct pmuctl_data *data, size_t *count)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(data);
	uint32_t first = INDEX_NONE, i;

	*count = 0;
	for (i = 0; i < info->events_count; i++) {
		if (!info->events[i].samples || (first != INDEX_NONE && same_name(data, first, i)))
			continue;
		if (!(*count)++)
			first = i;
	}
	return first;
}
