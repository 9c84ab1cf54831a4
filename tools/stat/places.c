// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl stat shows its counts by, other than CPU by CPU: cores, sockets and nodes, which
 * are sums over their CPUs, threads, or control groups.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/proc.h"
#include "tools/stat/stat.h"

static int out_of_memory(void)
{
	return complain("stat", EXIT_FAILED, "out of memory");
}

void stat_places_free(struct stat_places *places)
{
	free(places->list);
	free(places->of_cpu);
	free(places->tids);
	*places = (struct stat_places){ .list = NULL };
}

/* ---- of CPUs, by sysfs ---------------------------------------------------------------------- */

/* Which place a CPU is in: numbers that all of its CPUs have. */
struct position {
	int socket, die, core, node;
};

static bool read_number(const char *directory, unsigned int cpu, const char *file, int *number)
{
	char path[160], line[32];

	snprintf(path, sizeof(path), "%s/cpu/cpu%u/topology/%s", directory, cpu, file);
	if (!read_line(path, line, sizeof(line)))
		return false;
	*number = atoi(line);
	return true;
}

/* Of each of the targets' CPUs; a kernel without NUMA has one node. */
static void find_nodes(const char *directory, const struct targets *t, int *nodes)
{
	unsigned int *online = NULL, *cpus;
	size_t nr_online = 0, nr_cpus, i, j;
	char path[160], line[4096];
	const char *why;

	snprintf(path, sizeof(path), "%s/node/online", directory);
	if (!read_line(path, line, sizeof(line)) || parse_cpulist(line, &online, &nr_online, &why))
		return;
	for (i = 0; i < nr_online; i++) {
		snprintf(path, sizeof(path), "%s/node/node%u/cpulist", directory, online[i]);
		/* One that has memory alone has no CPU in it. */
		if (!read_line(path, line, sizeof(line)) ||
		    parse_cpulist(line, &cpus, &nr_cpus, &why))
			continue;
		for (j = 0; j < t->nr_cpus; j++)
			if (is_one_of_cpus(t->cpus[j], cpus, nr_cpus))
				nodes[j] = (int)online[i];
		free(cpus);
	}
	free(online);
}

/* What is not asked about is the same for all. */
static bool find_position(const char *directory, enum stat_split split, unsigned int cpu,
			  struct position *p)
{
	if (split == SPLIT_NODES)
		return true;
	if (!read_number(directory, cpu, "physical_package_id", &p->socket))
		return false;
	if (split == SPLIT_SOCKETS)
		return true;
	/* Before Linux 5.3 there is none. */
	read_number(directory, cpu, "die_id", &p->die);
	return read_number(directory, cpu, "core_id", &p->core);
}

/* As perf writes them, by which tools know them. */
static void name_place(struct stat_place *place, enum stat_split split, const struct position *p)
{
	switch (split) {
	case SPLIT_CORES:
		snprintf(place->name, sizeof(place->name), "S%d-D%d-C%d", p->socket, p->die, p->core);
		snprintf(place->text, sizeof(place->text), "S%d-D%d-C%-8d", p->socket, p->die, p->core);
		break;
	case SPLIT_SOCKETS:
		snprintf(place->name, sizeof(place->name), "S%d", p->socket);
		snprintf(place->text, sizeof(place->text), "S%-5d", p->socket);
		break;
	default:
		snprintf(place->name, sizeof(place->name), "N%d", p->node);
		snprintf(place->text, sizeof(place->text), "N%-5d", p->node);
	}
}

static int by_position(const void *a, const void *b)
{
	return memcmp(((const struct stat_place *)a)->order, ((const struct stat_place *)b)->order,
		      sizeof(((const struct stat_place *)a)->order));
}

/* The order of their numbers, also as memcmp() sees it. */
static void set_order(struct stat_place *place, const struct position *p)
{
	const int numbers[] = { p->socket, p->die, p->core, p->node };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		place->order[2 * i] = (unsigned char)(numbers[i] >> 8);
		place->order[2 * i + 1] = (unsigned char)numbers[i];
	}
}

static size_t find_place(const struct stat_places *places, const char *name)
{
	size_t i;

	for (i = 0; i < places->count; i++)
		if (!strcmp(places->list[i].name, name))
			break;
	return i;
}

/* The place that each CPU is in. */
static int place_cpus(const char *directory, const struct stat_args *args, const int *nodes,
		      struct stat_place *all)
{
	const struct targets *t = &args->targets;
	size_t i;

	for (i = 0; i < t->nr_cpus; i++) {
		struct position p = { .node = nodes[i] };

		if (!find_position(directory, args->split, t->cpus[i], &p))
			return complain("stat", EXIT_FAILED, "CPU %u: %s does not tell which core and "
					"socket it is of: there is none that is online", t->cpus[i],
					directory);
		name_place(&all[i], args->split, &p);
		set_order(&all[i], &p);
	}
	return 0;
}

/* Each place once, in order, with the number of its CPUs; and where each CPU is. */
static void gather(struct stat_places *places, const struct stat_place *all, size_t count)
{
	size_t i, at;

	for (i = 0; i < count; i++) {
		at = find_place(places, all[i].name);
		if (at == places->count)
			places->list[places->count++] = all[i];
		places->list[at].cpus++;
	}
	qsort(places->list, places->count, sizeof(*places->list), by_position);
	for (i = 0; i < count; i++)
		places->of_cpu[i] = find_place(places, all[i].name);
}

int stat_places_of_cpus(const char *directory, const struct stat_args *args,
			struct stat_places *places)
{
	const struct targets *t = &args->targets;
	struct stat_place *all = calloc(t->nr_cpus + 1, sizeof(*all));
	int *nodes = calloc(t->nr_cpus + 1, sizeof(*nodes)), code;

	places->list = calloc(t->nr_cpus + 1, sizeof(*places->list));
	places->of_cpu = calloc(t->nr_cpus + 1, sizeof(*places->of_cpu));
	if (!all || !nodes || !places->list || !places->of_cpu) {
		free(nodes);
		free(all);
		return out_of_memory();
	}
	if (args->split == SPLIT_NODES)
		find_nodes(directory, t, nodes);
	code = place_cpus(directory, args, nodes, all);
	if (!code)
		gather(places, all, t->nr_cpus);
	free(nodes);
	free(all);
	return code;
}

/* ---- threads -------------------------------------------------------------------------------- */

static int add_thread(void *data, pid_t tid)
{
	struct stat_places *places = data;
	struct stat_place *list = reallocarray(places->list, places->count + 1, sizeof(*list));
	pid_t *tids;
	char comm[32] = "?";

	if (list)
		places->list = list;
	tids = reallocarray(places->tids, places->count + 1, sizeof(*tids));
	if (tids)
		places->tids = tids;
	if (!list || !tids)
		return out_of_memory();
	task_name(tid, comm, sizeof(comm));
	list += places->count;
	*list = (struct stat_place){ .cpus = 0 };
	snprintf(list->name, sizeof(list->name), "%s-%d", comm, (int)tid);
	snprintf(list->text, sizeof(list->text), "%16s-%-8d", comm, (int)tid);
	tids[places->count++] = tid;
	return 0;
}

/* None of a process that is gone. */
static int add_process(void *places, pid_t pid)
{
	int code = each_thread(pid, add_thread, places);

	return code < 0 ? 0 : code;
}

static int list_threads(const struct targets *t, struct stat_places *places)
{
	int code = 0;
	size_t i;

	for (i = 0; !code && i < t->nr_pids; i++)
		code = (t->kind == TARGET_THREADS ? add_thread : add_process)(places, t->pids[i]);
	return code;
}

static bool has_thread(const struct stat_places *places, pid_t tid)
{
	size_t i;

	for (i = 0; i < places->count; i++)
		if (places->tids[i] == tid)
			return true;
	return false;
}

bool stat_threads_came(const struct stat_args *args)
{
	struct stat_places now = { .list = NULL };
	bool came = list_threads(&args->targets, &now);
	size_t i;

	for (i = 0; !came && i < now.count; i++)
		came = !has_thread(&args->places, now.tids[i]);
	stat_places_free(&now);
	return came;
}

/* ---- control groups -------------------------------------------------------------------------- */

static int list_cgroups(const struct cgroups *groups, struct stat_places *places)
{
	places->list = calloc(groups->count, sizeof(*places->list));
	if (!places->list)
		return out_of_memory();
	for (; places->count < groups->count; places->count++)
		places->list[places->count].path = groups->paths[places->count];
	return 0;
}

/* As perf has it; a machine gets the path. */
void stat_print_cgroup(struct writer *w, const struct stat_place *place, bool last)
{
	char label[256];

	if (writer_format(w) == FORMAT_TEXT)
		writer_text(w, last ? " %s" : " %-24s",
			    cgroup_label(place->path, label, sizeof(label)));
	else
		writer_string(w, "cgroup", NULL, place->path);
}

/* ---- any of them ---------------------------------------------------------------------------- */

int stat_find_places(struct stat_args *args)
{
	int code;

	stat_places_free(&args->places);
	if (args->split == SPLIT_NOT)
		return 0;
	if (args->split == SPLIT_CGROUPS)
		return list_cgroups(&args->targets.cgroups, &args->places);
	if (args->split != SPLIT_THREADS)
		return stat_places_of_cpus("/sys/devices/system", args, &args->places);
	code = list_threads(&args->targets, &args->places);
	if (!code && !args->places.count)
		return complain("stat", EXIT_FAILED, "--per-thread: there is no process '%s'",
				args->targets.text);
	return code;
}

size_t stat_args_cpus(const struct stat_args *args)
{
	if (args->split != SPLIT_NOT)
		return args->places.count;
	return args->per_cpu ? args->targets.nr_cpus : 1;
}

void stat_set_place(const struct stat_args *args, size_t place, struct stat_count *c)
{
	c->cpu = -1;
	if (args->split != SPLIT_NOT) {
		c->cpu = (int)place;
		c->place = &args->places.list[place];
	} else if (args->per_cpu) {
		c->cpu = (int)args->targets.cpus[place];
	}
}

size_t stat_place_of_cpu(const struct stat_args *args, int cpu)
{
	size_t i;

	for (i = 0; i < args->targets.nr_cpus; i++)
		if ((int)args->targets.cpus[i] == cpu)
			return args->places.of_cpu ? args->places.of_cpu[i] : i;
	return SIZE_MAX;
}

size_t stat_place_of_thread(const struct stat_args *args, pid_t tid)
{
	size_t i;

	for (i = 0; i < args->places.count; i++)
		if (args->places.tids[i] == tid)
			return i;
	return SIZE_MAX;
}

void stat_print_place_head(struct writer *w, const struct stat_args *args)
{
	static const char *const heads[] = {
		[SPLIT_NOT] = "", [SPLIT_CORES] = "core            cpus ",
		[SPLIT_SOCKETS] = "socket cpus ", [SPLIT_NODES] = "node   cpus ",
		[SPLIT_THREADS] = "            comm-pid      ",
		[SPLIT_CGROUPS] = "                         ",
	};

	/* In a line that has an event it stands behind that. */
	if (args->split == SPLIT_CGROUPS && !args->metric_only)
		return;
	writer_text(w, "%s", args->per_cpu ? "CPU    " : heads[args->split]);
}

void stat_print_place(struct writer *w, const struct stat_args *args,
		      const struct stat_place *place)
{
	static const char *const keys[] = {
		[SPLIT_NOT] = "", [SPLIT_CORES] = "core", [SPLIT_SOCKETS] = "socket",
		[SPLIT_NODES] = "node", [SPLIT_THREADS] = "thread",
	};

	if (place->path) {
		stat_print_cgroup(w, place, false);
		return;
	}
	writer_string(w, keys[args->split], "%s ",
		      writer_format(w) == FORMAT_TEXT ? place->text : place->name);
	if (args->split != SPLIT_THREADS)
		writer_u64(w, "aggregate-number", "%4" PRIu64 " ", place->cpus);
}
