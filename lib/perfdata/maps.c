// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What was mapped where, in which process, at what time.
 *
 * Samples come in any order of time, so nothing is replayed: the lives of each
 * process, from a fork or an exec to the next of the same number, are kept apart, and
 * each has a segment tree over its addresses.  A node lists the maps that cover all of
 * its addresses, by time; the latest of the few nodes above an address is the one.
 *
 * An exec takes away what was there, but until it is over the code that called it is where
 * the kernel was entered.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/perfdata/perfdata.h"

/* Children of children; deeper ones look no further up. */
#define GENERATIONS_MAX 256
/* Of so many happenings more than were needed the last time, some are not any more. */
#define FORGET_STEP 4096

enum what {
	WHAT_MAP,
	WHAT_FORK,
	WHAT_EXEC,
};

struct happening {
	uint64_t time;
	uint64_t number;	/* in the order of the file */
	uint32_t pid;
	uint32_t what;		/* enum what */
	uint32_t parent;	/* whose maps it had: of a fork; of an exec its own number */
	struct map map;
};

struct life {
	uint32_t pid;
	uint32_t parent;
	enum what began;	/* WHAT_MAP: it was there already */
	uint64_t from;
	uint64_t number;	/* of the happening that began it */
	uint64_t last;		/* of its last map */
	const struct happening *maps;	/* by time */
	size_t count;
	uint64_t *points;	/* ascending: all starts and ends */
	size_t points_count;
	uint32_t *first;	/* of each node in `listed`, and one more */
	uint32_t *listed;	/* indices into maps */
	bool needed;		/* while maps_forget() looks */
};

struct maps {
	struct happening *happenings;
	size_t count, room;
	size_t finished;	/* of them, in order and in lives */
	size_t forget_at;	/* when there are so many; see maps_forget() */
	uint64_t place;		/* in the file; UINT64_MAX: behind all of it */
	struct life *lives;	/* by process, then time */
	size_t lives_count, lives_room;
};

struct maps *maps_new(void)
{
	struct maps *maps = calloc(1, sizeof(*maps));

	if (!maps)
		return NULL;
	maps->place = UINT64_MAX;
	maps->forget_at = FORGET_STEP;
	return maps;
}

void maps_set_place(struct maps *maps, uint64_t offset)
{
	maps->place = offset;
}

static void free_tree(const struct life *life)
{
	free(life->points);
	free(life->first);
	free(life->listed);
}

static void free_lives(struct life *lives, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free_tree(&lives[i]);
	free(lives);
}

void maps_free(struct maps *maps)
{
	if (!maps)
		return;
	free_lives(maps->lives, maps->lives_count);
	free(maps->happenings);
	free(maps);
}

static int add(struct maps *maps, const struct happening *h)
{
	void *more = data_grow(maps->happenings, &maps->room, maps->count, sizeof(*h));

	if (!more)
		return -ENOMEM;
	maps->happenings = more;
	maps->happenings[maps->count] = *h;
	maps->happenings[maps->count].number = maps->place == UINT64_MAX ? maps->count :
										 maps->place;
	maps->count++;
	return 0;
}

int maps_add(struct maps *maps, uint32_t pid, uint64_t time, const struct map *map)
{
	return add(maps, &(struct happening){
		.pid = pid, .time = time, .what = WHAT_MAP, .map = *map,
	});
}

int maps_fork(struct maps *maps, uint32_t pid, uint32_t parent, uint64_t time)
{
	return add(maps, &(struct happening){
		.pid = pid, .time = time, .what = WHAT_FORK, .parent = parent,
	});
}

int maps_exec(struct maps *maps, uint32_t pid, uint64_t time)
{
	return add(maps, &(struct happening){
		.pid = pid, .time = time, .what = WHAT_EXEC, .parent = pid,
	});
}

static int by_process(const void *left, const void *right)
{
	const struct happening *l = left, *r = right;

	if (l->pid != r->pid)
		return l->pid < r->pid ? -1 : 1;
	if (l->time != r->time)
		return l->time < r->time ? -1 : 1;
	return l->number < r->number ? -1 : 1;
}

static int by_address(const void *left, const void *right)
{
	const uint64_t *l = left, *r = right;

	return *l < *r ? -1 : *l > *r;
}

static int find_points(struct life *life)
{
	size_t i, n = 0;

	life->points = malloc(2 * life->count * sizeof(*life->points));
	if (!life->points)
		return -ENOMEM;
	for (i = 0; i < life->count; i++) {
		life->points[2 * i] = life->maps[i].map.start;
		life->points[2 * i + 1] = life->maps[i].map.end;
	}
	qsort(life->points, 2 * life->count, sizeof(*life->points), by_address);
	for (i = 0; i < 2 * life->count; i++)
		if (!n || life->points[i] != life->points[n - 1])
			life->points[n++] = life->points[i];
	life->points_count = n;
	return 0;
}

/* The last point that is not above; count: there is none. */
static size_t point_at(const struct life *life, uint64_t address)
{
	size_t begun = data_begun(life->points, life->points_count, sizeof(uint64_t), address);

	return begun ? begun - 1 : life->points_count;
}

/* Leaves of the tree: what lies between two points. */
static size_t leaves(const struct life *life)
{
	return life->points_count - 1;
}

typedef void node_fn(struct life *life, size_t node, uint32_t map);

/* The nodes that together cover a map, bottom up from both ends. */
static void each_node(struct life *life, uint32_t map, node_fn *fn)
{
	size_t low = point_at(life, life->maps[map].map.start) + leaves(life);
	size_t high = point_at(life, life->maps[map].map.end) + leaves(life);

	for (; low < high; low /= 2, high /= 2) {
		if (low & 1)
			fn(life, low++, map);
		if (high & 1)
			fn(life, --high, map);
	}
}

static void count_node(struct life *life, size_t node, uint32_t map)
{
	(void)map;
	life->first[node]++;
}

/* From the end of its part backwards, as the maps come: the latest first. */
static void fill_node(struct life *life, size_t node, uint32_t map)
{
	life->listed[--life->first[node]] = map;
}

static int build_tree(struct life *life)
{
	size_t nodes = 2 * leaves(life), i;
	uint32_t total = 0, m;

	life->first = calloc(nodes + 1, sizeof(*life->first));
	if (!life->first)
		return -ENOMEM;
	for (m = 0; m < life->count; m++)
		each_node(life, m, count_node);
	for (i = 0; i <= nodes; i++) {
		total += life->first[i];
		life->first[i] = total;
	}
	life->listed = malloc((total ? total : 1) * sizeof(*life->listed));
	if (!life->listed)
		return -ENOMEM;
	for (m = (uint32_t)life->count; m--;)
		each_node(life, m, fill_node);
	return 0;
}

static int finish_life(struct life *life)
{
	int err;

	if (!life->count)
		return 0;
	err = find_points(life);
	return err ? err : build_tree(life);
}

/* Maps from i on, up to what ends this life; where that is comes back. */
static size_t end_of_life(const struct maps *maps, size_t i, uint32_t pid)
{
	while (i < maps->count && maps->happenings[i].pid == pid &&
	       maps->happenings[i].what == WHAT_MAP)
		i++;
	return i;
}

/* Lives as they were before more happened, by process, then time. */
struct former {
	struct life *lives;
	size_t count, next;
};

/*
 * The tree of the same life, if nothing happened in it since: its last map is still the last, so
 * that as many as before are the same ones.
 */
static bool take_tree(struct former *former, struct life *life)
{
	struct life *old;

	for (; former->next < former->count; former->next++) {
		old = &former->lives[former->next];
		if (old->pid > life->pid || (old->pid == life->pid && old->from >= life->from))
			break;
	}
	if (former->next == former->count || !life->count)
		return false;
	old = &former->lives[former->next];
	if (old->pid != life->pid || old->number != life->number || old->count != life->count ||
	    old->last != life->last)
		return false;
	life->points = old->points;
	life->points_count = old->points_count;
	life->first = old->first;
	life->listed = old->listed;
	old->points = NULL;
	old->first = old->listed = NULL;
	return true;
}

static int add_life(struct maps *maps, size_t *i, struct former *former)
{
	const struct happening *h = &maps->happenings[*i];
	size_t first = *i + (h->what != WHAT_MAP);
	void *more = data_grow(maps->lives, &maps->lives_room, maps->lives_count,
			       sizeof(*maps->lives));
	struct life *life;

	if (!more)
		return -ENOMEM;
	maps->lives = more;
	life = &maps->lives[maps->lives_count++];
	*i = end_of_life(maps, first, h->pid);
	*life = (struct life){
		.pid = h->pid,
		.parent = h->parent,
		.began = h->what,
		.from = h->what == WHAT_MAP ? 0 : h->time,
		.number = h->number,
		.maps = maps->happenings + first,
		.count = *i - first,
	};
	if (life->count)
		life->last = life->maps[life->count - 1].number;
	return take_tree(former, life) ? 0 : finish_life(life);
}

/* What happened since goes between what is in order already. */
static int put_in_order(struct maps *maps)
{
	size_t old = 0, more = maps->finished, n = 0;
	const struct happening *from = maps->happenings;
	struct happening *merged;

	qsort(maps->happenings + more, maps->count - more, sizeof(*from), by_process);
	if (!more)
		return 0;
	merged = malloc(maps->room * sizeof(*merged));
	if (!merged)
		return -ENOMEM;
	while (n < maps->count)
		if (old < maps->finished &&
		    (more == maps->count || by_process(&from[old], &from[more]) < 0))
			merged[n++] = from[old++];
		else
			merged[n++] = from[more++];
	free(maps->happenings);
	maps->happenings = merged;
	return 0;
}

int maps_finish(struct maps *maps)
{
	struct former former = { .lives = maps->lives, .count = maps->lives_count };
	size_t i = 0;
	int err = 0;

	/* Of nothing at all there is no array to sort. */
	if (maps->finished == maps->count)
		return 0;
	err = put_in_order(maps);
	if (err)
		return err;
	maps->lives = NULL;
	maps->lives_count = maps->lives_room = 0;
	maps->finished = maps->count;
	while (i < maps->count && !err)
		err = add_life(maps, &i, &former);
	free_lives(former.lives, former.count);
	return err;
}

/*
 * How many lives are before what a process then does, in their order: the last of them is the one
 * that it lives, if that is its own.  Of those that begin then it is those begun before `number`.
 */
static size_t lives_before(const struct maps *maps, uint32_t pid, uint64_t time, uint64_t number)
{
	size_t low = 0, high = maps->lives_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct life *life = &maps->lives[mid];

		if (life->pid < pid ||
		    (life->pid == pid && (life->from < time ||
					  (life->from == time && life->number < number))))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct life *find_life(const struct maps *maps, uint32_t pid, uint64_t time,
			      uint64_t number)
{
	size_t before = lives_before(maps, pid, time, number);

	return before && maps->lives[before - 1].pid == pid ? &maps->lives[before - 1] : NULL;
}

/* Where in a node's list, which is by time, the first is that had not happened yet. */
static uint32_t next_in_node(const struct life *life, size_t node, uint64_t time, uint64_t number)
{
	uint32_t low = life->first[node], high = life->first[node + 1];

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct happening *h = &life->maps[life->listed[mid]];

		if (h->time < time || (h->time == time && h->number < number))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The last that had happened; -1: none. */
static int64_t latest(const struct life *life, size_t node, uint64_t time, uint64_t number)
{
	uint32_t next = next_in_node(life, node, time, number);

	return next == life->first[node] ? -1 : (int64_t)life->listed[next - 1];
}

static const struct map *find_in_life(const struct life *life, uint64_t time, uint64_t number,
				      uint64_t ip)
{
	int64_t best = -1;
	size_t node;

	if (!life->count)
		return NULL;
	node = point_at(life, ip);
	if (node >= leaves(life))
		return NULL;
	for (node += leaves(life); node; node /= 2) {
		int64_t found = latest(life, node, time, number);

		if (found > best)
			best = found;
	}
	return best < 0 ? NULL : &life->maps[best].map;
}

/* ---- what is no longer asked for ------------------------------------------------------------ */

/* What it has not mapped itself a child has from its parent, even when that is gone. */
static void need(struct maps *maps, struct life *life)
{
	unsigned int depth;

	for (depth = 0; life && !life->needed && depth < GENERATIONS_MAX; depth++) {
		life->needed = true;
		if (life->began != WHAT_FORK)
			return;
		life = find_life(maps, life->parent, life->from, life->number);
	}
}

/* What is not needed goes; the others keep their trees. */
static void drop_lives(struct maps *maps)
{
	size_t i, happenings = 0, lives = 0;

	for (i = 0; i < maps->lives_count; i++) {
		struct life life = maps->lives[i];
		size_t begin = life.began != WHAT_MAP, own = begin + life.count;

		if (!life.needed) {
			free_tree(&life);
			continue;
		}
		memmove(maps->happenings + happenings, life.maps - begin,
			own * sizeof(*maps->happenings));
		life.maps = maps->happenings + happenings + begin;
		life.needed = false;
		happenings += own;
		maps->lives[lives++] = life;
	}
	maps->count = maps->finished = happenings;
	maps->lives_count = lives;
}

void maps_forget(struct maps *maps, bool (*gone)(uint32_t pid))
{
	size_t i;

	if (maps->finished != maps->count || maps->count < maps->forget_at)
		return;
	for (i = 0; i < maps->lives_count; i++) {
		struct life *life = &maps->lives[i];

		if (i + 1 < maps->lives_count && life[1].pid == life->pid)
			continue;
		if (life->pid == MAPS_KERNEL || !gone(life->pid))
			need(maps, life);
	}
	drop_lives(maps);
	maps->forget_at = 2 * maps->count + FORGET_STEP;
}

/* ---- looking up ----------------------------------------------------------------------------- */

/* What lies between two points, or beside all of them, is as it is at an address. */
static void bound_by_points(const struct life *life, uint64_t address, struct maps_spell *s)
{
	size_t begun = data_begun(life->points, life->points_count, sizeof(uint64_t), address);

	if (begun && life->points[begun - 1] > s->start)
		s->start = life->points[begun - 1];
	if (begun < life->points_count && life->points[begun] < s->end)
		s->end = life->points[begun];
}

/* From the last map of a node to the next. */
static void bound_by_node(const struct life *life, size_t node, uint64_t time, uint64_t number,
			  struct maps_spell *s)
{
	uint32_t next = next_in_node(life, node, time, number);
	const struct happening *h;

	if (next > life->first[node]) {
		h = &life->maps[life->listed[next - 1]];
		if (h->time > s->after)
			s->after = h->time;
	}
	if (next < life->first[node + 1]) {
		h = &life->maps[life->listed[next]];
		if (h->time < s->before)
			s->before = h->time;
	}
}

/* By what of its own happens to a process there: a parent's part is as it was at the fork. */
static void bound_by_time(const struct maps *maps, uint32_t pid, uint64_t time, uint64_t number,
			  uint64_t address, struct maps_spell *s)
{
	size_t before = lives_before(maps, pid, time, number), node;
	const struct life *life;

	if (before < maps->lives_count && maps->lives[before].pid == pid)
		s->before = maps->lives[before].from;
	life = before ? &maps->lives[before - 1] : NULL;
	if (!life || life->pid != pid)
		return;
	s->after = life->from;
	if (!life->count)
		return;
	node = point_at(life, address);
	if (node >= leaves(life))
		return;
	for (node += leaves(life); node; node /= 2)
		bound_by_node(life, node, time, number, s);
}

/* A map, and in which life. */
struct found {
	const struct map *map;	/* NULL: there is none */
	const struct life *life;
};

/* With `old` also in what was there before an exec. */
static struct found map_find(const struct maps *maps, uint32_t pid, uint64_t time,
			     uint64_t address, bool old)
{
	const struct life *life;
	const struct map *map;
	uint64_t number = maps->place;
	unsigned int depth;

	for (depth = 0; depth < GENERATIONS_MAX; depth++) {
		life = find_life(maps, pid, time, number);
		if (!life)
			break;
		map = find_in_life(life, time, number, address);
		if (map || life->began == WHAT_MAP || (life->began == WHAT_EXEC && !old))
			return (struct found){ map, life };
		/* What it has not mapped itself it has from its parent, as that was then. */
		pid = life->parent;
		time = life->from;
		number = life->number;
	}
	return (struct found){ .map = NULL };
}

uint32_t maps_image(const struct maps *maps, uint32_t pid, uint64_t time)
{
	const struct life *life = find_life(maps, pid, time, maps->place);

	return life ? (uint32_t)(life - maps->lives) + 1 : 0;
}

const struct map *maps_find(const struct maps *maps, uint32_t pid, uint64_t time,
			    uint64_t address)
{
	return map_find(maps, pid, time, address, false).map;
}

void maps_find_spell(const struct maps *maps, uint32_t pid, uint64_t time, uint64_t number,
		     uint64_t address, struct maps_spell *s)
{
	const struct life *life = find_life(maps, pid, time, number);
	unsigned int depth;

	*s = (struct maps_spell){ .end = UINT64_MAX, .before = UINT64_MAX };
	bound_by_time(maps, pid, time, number, address, s);
	for (depth = 0; life && depth < GENERATIONS_MAX; depth++) {
		if (life->count)
			bound_by_points(life, address, s);
		s->map = find_in_life(life, time, number, address);
		if (s->map || life->began != WHAT_FORK)
			return;
		time = life->from;
		number = life->number;
		life = find_life(maps, life->parent, time, number);
	}
}

const struct map *maps_find_entry(const struct maps *maps, uint32_t pid, uint64_t time,
				  uint64_t ip)
{
	return map_find(maps, pid, time, ip, true).map;
}

/* Of a node's list the first of that DSO; `best`, if none is before that. */
static uint32_t earliest(const struct life *life, size_t node, uint32_t dso, uint32_t best)
{
	uint32_t i;

	for (i = life->first[node]; i < life->first[node + 1] && life->listed[i] < best; i++)
		if (life->maps[life->listed[i]].map.dso == dso)
			return life->listed[i];
	return best;
}

const struct map *maps_find_first(const struct maps *maps, uint32_t pid, uint64_t time,
				  uint64_t address)
{
	struct found found = map_find(maps, pid, time, address, false);
	uint32_t best;
	size_t node;

	if (!found.map)
		return NULL;
	best = (uint32_t)found.life->count;
	for (node = point_at(found.life, address) + leaves(found.life); node; node /= 2)
		best = earliest(found.life, node, found.map->dso, best);
	return &found.life->maps[best].map;
}
