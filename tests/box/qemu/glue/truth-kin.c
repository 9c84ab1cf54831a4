// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose child a new process is, and which exec a new program.
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "guest-stack.h"
#include "truth-kin.h"

#define NO_FLUSH (UINT64_C(1) << 63)	/* of CR3 */

/* All that a system call leaves as they were, but for the stack. */
static const unsigned char kept_regs[TRUTH_NR_KEPT] = {
	R_EBX, R_EBP, R_EDX, R_ESI, R_EDI, 8, 9, 10, 12, 13, 14, 15
};

/* An address space to which a CPU went from that of a pending exec. */
struct next {
	uint64_t key, when;
};

#define MAX_NEXT 8

/* A thread that is in the middle of making a process. */
struct pending {
	struct truth_space *space;
	struct truth_place place;
	char *path;			/* of an exec, or NULL */
	struct truth_child child;	/* of a fork... */
	uint32_t tid;			/* ...that has returned this, but was not seen yet */
	struct next next[MAX_NEXT];	/* of an exec */
	unsigned int nr_next;
};

#define MAX_PENDING 512

struct pending_list {
	struct pending entry[MAX_PENDING];
	unsigned int nr;
};

static struct pending_list forks, execs;

/* --- lists of what is pending --- */

static void forget(struct pending_list *list, unsigned int i)
{
	g_free(list->entry[i].path);
	list->nr--;
	memmove(&list->entry[i], &list->entry[i + 1], (list->nr - i) * sizeof(list->entry[0]));
}

static struct pending *remember(struct pending_list *list, struct truth_space *space,
				struct truth_place place, char *path)
{
	struct pending *p;

	if (list->nr == MAX_PENDING)
		forget(list, 0);
	p = &list->entry[list->nr++];
	*p = (struct pending){ .space = space, .place = place, .path = path };
	return p;
}

/* What that thread has asked for and has not been told yet. */
static struct pending *asked(struct pending_list *list, const struct truth_space *space,
			     struct truth_place place)
{
	unsigned int i;

	for (i = list->nr; i-- > 0;) {
		struct pending *p = &list->entry[i];

		if (p->space == space && !p->tid && p->place.rip == place.rip &&
		    p->place.rsp == place.rsp)
			return p;
	}
	return NULL;
}

static void keep_regs(const CPUX86State *env, uint64_t kept[TRUTH_NR_KEPT])
{
	unsigned int i;

	for (i = 0; i < TRUTH_NR_KEPT; i++)
		kept[i] = env->regs[kept_regs[i]];
}

static uint64_t stack_page(CPUX86State *env, uint64_t rsp)
{
	return cpu_get_phys_page_debug(env_cpu(env), rsp & TARGET_PAGE_MASK);
}

void truth_child_of(CPUX86State *env, uint64_t rsp, uint64_t tid_at, struct truth_child *child)
{
	keep_regs(env, child->kept);
	child->rsp = rsp;
	child->page = stack_page(env, rsp);
	child->tid_at = tid_at;
}

void truth_forks(struct truth_space *space, struct truth_place place,
		 const struct truth_child *child)
{
	remember(&forks, space, place, NULL)->child = *child;
}

void truth_execs(struct truth_space *space, struct truth_place place, char *path)
{
	remember(&execs, space, place, path);
}

static void fork_returned(struct pending *p, int64_t result)
{
	struct truth_space *child;

	if (result <= 0) {
		forget(&forks, p - forks.entry);
		return;
	}
	if (!p->child.tid_at)
		return;
	p->tid = result;
	child = truth_find_guessed(p->tid);
	if (!child)
		return;
	child->parent = p->space->id;
	child->guessed = false;
	forget(&forks, p - forks.entry);
}

void truth_came_back(struct truth_space *space, struct truth_place place, int64_t result)
{
	struct pending *exec = asked(&execs, space, place), *fork = asked(&forks, space, place);

	if (exec)
		forget(&execs, exec - execs.entry);
	if (fork)
		fork_returned(fork, result);
}

/* As far as registers tell: programs that run with the same addresses have the same. */
static bool may_be_child(const CPUX86State *env, const struct pending *p)
{
	uint64_t kept[TRUTH_NR_KEPT];

	if (p->place.rip != env->eip || p->child.rsp != env->regs[R_ESP])
		return false;
	keep_regs(env, kept);
	return !memcmp(p->child.kept, kept, sizeof(kept));
}

/*
 * Of those that may be it: a child has its parent's page for a stack until one of
 * both writes to it, and the child has not yet.  Else the youngest, as a child that was
 * killed before it ran leaves an entry that nobody will take.
 */
static struct pending *likely_parent(CPUX86State *env, const struct truth_space *owner,
				     bool with_tid)
{
	struct pending *found = NULL;
	unsigned int i;

	for (i = forks.nr; i-- > 0;) {
		struct pending *p = &forks.entry[i];

		if ((p->child.tid_at != 0) != with_tid || p->tid || p->space == owner ||
		    !may_be_child(env, p))
			continue;
		if (p->child.page == stack_page(env, env->regs[R_ESP]))
			return p;
		if (!found)
			found = p;
	}
	return found;
}

/* The thread ID that the kernel has given to what may be the child of a pending fork, or 0. */
static uint32_t tid_here(CPUX86State *env)
{
	unsigned int i;
	uint32_t tid;

	for (i = forks.nr; i-- > 0;) {
		const struct pending *p = &forks.entry[i];

		if (p->child.tid_at && may_be_child(env, p) &&
		    guest_read(env, p->child.tid_at, &tid, sizeof(tid)) && tid)
			return tid;
	}
	return 0;
}

static struct truth_space *new_child(struct pending *p, uint64_t key, uint32_t tid)
{
	struct truth_space *space = truth_new_space(p->space, "fork", NULL, key);

	space->tid = tid;
	return space;
}

/*
 * A fork that has returned has told its child's thread ID.  One that has not may still
 * turn out to be another's: it stays in the list, and its parent a guess, until it does.
 */
struct truth_space *truth_known_child(CPUX86State *env, const struct truth_space *owner,
				      uint64_t key)
{
	uint32_t tid = tid_here(env);
	struct truth_space *space;
	struct pending *p;
	unsigned int i;

	if (!tid || (owner && owner->tid == tid))
		return NULL;
	for (i = forks.nr; i-- > 0;) {
		p = &forks.entry[i];
		if (p->tid != tid)
			continue;
		space = new_child(p, key, tid);
		forget(&forks, i);
		return space;
	}
	p = likely_parent(env, owner, true);
	if (!p)
		return NULL;
	space = new_child(p, key, tid);
	space->guessed = true;
	return space;
}

struct truth_space *truth_likely_child(CPUX86State *env, const struct truth_space *owner,
				       uint64_t key)
{
	struct pending *p = likely_parent(env, owner, false);
	struct truth_space *space;

	if (!p)
		return NULL;
	space = new_child(p, key, 0);
	forget(&forks, p - forks.entry);
	return space;
}

/* --- which pending exec became a new address space --- */

static struct next *find_next(struct pending *p, uint64_t key)
{
	unsigned int i;

	for (i = 0; i < p->nr_next; i++) {
		if (p->next[i].key == key)
			return &p->next[i];
	}
	return NULL;
}

#define USER_ENTRIES 256		/* of the top table */
#define PRESENT 1

/* In the space of a program that is being started is nothing but the stack, at its top. */
static bool is_new(CPUX86State *env)
{
	uint64_t entry[USER_ENTRIES - 1];
	unsigned int i;

	if (!(env->hflags & HF_LMA_MASK))
		return true;
	cpu_physical_memory_read(env->cr[3] & TARGET_PAGE_MASK & ~NO_FLUSH, entry, sizeof(entry));
	for (i = 0; i < ARRAY_SIZE(entry); i++)
		if (entry[i] & PRESENT)
			return false;
	return true;
}

/*
 * An execve goes from the old CR3 straight to the new one; so do switches to
 * other tasks, but those come back to user mode without having been started.  A table
 * of one that ends without coming back may be the next program's.
 */
void truth_went_from(CPUX86State *env, const struct truth_space *from, uint64_t key)
{
	static uint64_t now;
	unsigned int i;

	if (!execs.nr || !is_new(env))
		return;
	for (i = 0; i < execs.nr; i++) {
		struct pending *p = &execs.entry[i];

		if (p->space == from && p->nr_next < MAX_NEXT && !find_next(p, key))
			p->next[p->nr_next++] = (struct next){ key, ++now };
	}
}

void truth_is_no_exec(uint64_t key)
{
	unsigned int i;

	for (i = 0; i < execs.nr; i++) {
		struct pending *p = &execs.entry[i];
		struct next *next = find_next(p, key);

		if (next)
			*next = p->next[--p->nr_next];
	}
}

bool truth_execs_to(uint64_t key)
{
	unsigned int i;

	for (i = 0; i < execs.nr; i++) {
		if (find_next(&execs.entry[i], key))
			return true;
	}
	return false;
}

/*
 * Of those with the right name the one that went to this CR3 first, else the one
 * that waits longest.  Without a path (execveat) or a name that can be read any
 * name is right, if CR3 is.
 */
struct truth_space *truth_take_exec(const char *name, uint64_t key)
{
	unsigned int i, best = MAX_PENDING, oldest = MAX_PENDING;
	uint64_t first = UINT64_MAX;
	struct truth_space *space;

	for (i = 0; i < execs.nr; i++) {
		struct pending *p = &execs.entry[i];
		const struct next *next = find_next(p, key);
		bool known = name && p->path && *p->path;

		if (known && strcmp(name, p->path))
			continue;
		if (known && oldest == MAX_PENDING)
			oldest = i;
		if (next && next->when < first) {
			best = i;
			first = next->when;
		}
	}
	if (best == MAX_PENDING)
		best = oldest;
	/* Others that went there went to a task whose exec was about to end. */
	truth_is_no_exec(key);
	if (best == MAX_PENDING)
		return NULL;
	space = execs.entry[best].space;
	forget(&execs, best);
	return space;
}
