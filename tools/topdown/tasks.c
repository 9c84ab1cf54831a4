// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A session for each task: of a command as it starts them, else of those that are there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/proc.h"
#include "tools/topdown/run.h"

struct topdown_tasks {
	struct topdown_watch **list;
	size_t count;
	size_t missed;
	char why[256];		/* of the first one that was missed */
};

static int out_of_memory(const struct topdown_run *r)
{
	return complain(r->c.cmd, EXIT_FAILED, "out of memory");
}

struct topdown_watch *topdown_task(const struct topdown_run *r, size_t i)
{
	return r->tasks && i < r->tasks->count ? r->tasks->list[i] : NULL;
}

size_t topdown_tasks_missed(const struct topdown_run *r, const char **why)
{
	*why = r->tasks ? r->tasks->why : "";
	return r->tasks ? r->tasks->missed : 0;
}

/* A number may come again: the latest that has it and still runs. */
static struct topdown_watch *find(const struct topdown_run *r, pid_t tid)
{
	size_t i;

	for (i = r->tasks->count; i--;)
		if (r->tasks->list[i]->tid == tid && !r->tasks->list[i]->ended)
			return r->tasks->list[i];
	return NULL;
}

/* ---- what /proc says of one ---------------------------------------------------------- */

static void name_as_command(const struct topdown_run *r, struct topdown_watch *task)
{
	const char *path = r->c.command[0], *slash = strrchr(path, '/');

	snprintf(task->comm, sizeof(task->comm), "%.15s", slash ? slash + 1 : path);
}

static void read_name(struct topdown_watch *task)
{
	task_name(task->tid, task->comm, sizeof(task->comm));
}

static void read_process(struct topdown_watch *task)
{
	char path[64], line[128];
	FILE *status;

	task->pid = task->tid;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)task->tid);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status))
		if (!strncmp(line, "Tgid:", 5))
			task->pid = (pid_t)strtol(line + 5, NULL, 10);
	if (status)
		fclose(status);
}

void topdown_task_name(struct topdown_run *r, pid_t tid)
{
	struct topdown_watch *task = find(r, tid);

	if (task)
		read_name(task);
}

/* ---- one more, one less ---------------------------------------------------------------- */

static struct topdown_watch *grow(struct topdown_run *r)
{
	struct topdown_tasks *tasks = r->tasks;
	struct topdown_watch **grown = reallocarray(tasks->list, tasks->count + 1,
						    sizeof(struct topdown_watch *));
	struct topdown_watch *task = calloc(1, sizeof(*task));

	if (grown)
		tasks->list = grown;
	if (grown && task && !topdown_watch_init(r, task))
		return grown[tasks->count++] = task;
	if (task)
		topdown_watch_free(task);
	free(task);
	return NULL;
}

static int make_session(struct topdown_run *r, struct topdown_watch *task, bool inherit)
{
	int err = pmuctl_session_new(r->c.ctx, &task->session);

	if (!err)
		err = topdown_add_events(r, task->session);
	if (!err)
		err = pmuctl_session_add_thread(task->session, task->tid);
	if (!err)
		err = pmuctl_session_create(task->session,
					    (r->c.no_multiplex ? 0 : PMUCTL_MULTIPLEX) |
					    (inherit ? PMUCTL_INHERIT : 0));
	return err ? err : pmuctl_session_start(task->session);
}

/* One that cannot be counted is no reason not to count the others. */
static void miss(struct topdown_run *r, struct topdown_watch *task, int err)
{
	struct topdown_tasks *tasks = r->tasks;

	if (err != -ESRCH && !tasks->missed++)
		snprintf(tasks->why, sizeof(tasks->why), "%s", pmuctl_error(r->c.ctx));
	pmuctl_session_free(task->session);
	topdown_watch_free(task);
	free(task);
	tasks->count--;
}

int topdown_task_add(struct topdown_run *r, pid_t tid, bool inherit)
{
	struct topdown_watch *task;
	int err;

	/* Its own stop and its parent's word of it may both come. */
	if (find(r, tid))
		return 0;
	task = grow(r);
	if (!task)
		return out_of_memory(r);
	task->tid = tid;
	read_process(task);
	read_name(task);
	/* What waits for its exec has our name yet. */
	if (r->c.command && tid == r->c.child.pid)
		name_as_command(r, task);
	err = make_session(r, task, inherit);
	if (err)
		miss(r, task, err);
	return 0;
}

static void end_session(struct topdown_run *r, struct topdown_watch *task)
{
	if (task->session && task->session != r->c.session)
		pmuctl_session_free(task->session);
	task->session = NULL;
	task->ended = true;
}

int topdown_task_ended(struct topdown_run *r, pid_t tid)
{
	struct topdown_watch *task = find(r, tid);
	bool thinned;
	int code;

	if (!task || !task->session)
		return 0;
	code = topdown_watch_read(r, task, &thinned);
	end_session(r, task);
	return code;
}

/* ---- those that are there ------------------------------------------------------------------ */

static int add_thread(void *data, pid_t tid)
{
	struct topdown_run *r = data;

	return topdown_task_add(r, tid, !r->c.no_inherit);
}

/* None of a process that is gone. */
static int add_process(void *data, pid_t pid)
{
	int code = each_thread(pid, add_thread, data);

	return code < 0 ? 0 : code;
}

static int add_targets(struct topdown_run *r)
{
	const struct targets *t = r->c.targets;
	int code = 0;
	size_t i;

	if (t->kind == TARGET_ALL_CPUS) {
		code = each_process(add_process, r);
		return code < 0 ? 0 : code;
	}
	for (i = 0; !code && i < t->nr_pids; i++)
		code = (t->kind == TARGET_THREADS ? add_thread : add_process)(r, t->pids[i]);
	return code;
}

/* The command's session has been made; its task is the first. */
static int add_command(struct topdown_run *r)
{
	struct topdown_watch *task = grow(r);

	if (!task)
		return out_of_memory(r);
	task->tid = task->pid = r->c.child.pid;
	task->session = r->c.session;
	name_as_command(r, task);
	return r->first_alone ? 0 : topdown_follow_begin(r);
}

int topdown_tasks_begin(struct topdown_run *r)
{
	int code;

	r->tasks = calloc(1, sizeof(*r->tasks));
	if (!r->tasks)
		return out_of_memory(r);
	allow_many_files();
	if (r->c.targets->kind == TARGET_COMMAND)
		return add_command(r);
	code = add_targets(r);
	if (!code && !r->tasks->count)
		return complain(r->c.cmd, EXIT_FAILED, "--per-task: no task could be counted: %s",
				*r->tasks->why ? r->tasks->why : "there is none any more");
	return code;
}

/* Those that go on are called what they are called now. */
void topdown_tasks_end(struct topdown_run *r)
{
	struct topdown_watch *task;
	size_t i;

	topdown_follow_end(r);
	for (i = 0; (task = topdown_task(r, i)); i++) {
		if (task->session)
			read_name(task);
		end_session(r, task);
	}
}

void topdown_tasks_free(struct topdown_run *r)
{
	struct topdown_watch *task;
	size_t i;

	topdown_tasks_end(r);
	for (i = 0; (task = topdown_task(r, i)); i++) {
		topdown_watch_free(task);
		free(task);
	}
	if (r->tasks)
		free(r->tasks->list);
	free(r->tasks);
	r->tasks = NULL;
}
