// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts instructions by address and by the calls that led there.
 *
 * A call leaves a frame, known by the stack pointer behind it, and whatever raises the stack
 * pointer above that takes it away: returns, IRET, longjmp, an unwinder.  So does a return to
 * behind the call, where a function has left something on the stack (error_entry).  A thread is
 * known by its kernel stack, to which its frames in user mode belong as well.  What is called from
 * where is a tree, of which a node has a cell for each instruction that ran under it.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "cpu.h"
#include "guest-stack.h"
#include "where.h"

/* The kernel's stacks are aligned to their size (THREAD_SIZE, without KASAN). */
#define STACK_BITS 14
#define STACK_SIZE (UINT64_C(1) << STACK_BITS)
/* Whoever calls from so near to its end has just come from another stack: interrupts. */
#define STACK_TOP 32
/* Stacks of NMIs, and the one from which an entry goes on to the thread's: cpu_entry_area. */
#define ENTRY_AREA_BITS 39
#define ENTRY_AREA (UINT64_C(0xfffffe0000000000) >> ENTRY_AREA_BITS)

#define GUEST_PAGE_BITS 12
#define GUEST_PAGE (1u << GUEST_PAGE_BITS)
/* What calls itself deeper than that stays in its deepest node. */
#define MAX_DEPTH 1000

enum kind { ROOT, CALL, SYSCALL, EVENT };
static const char *const kind_names[] = { "root", "call", "syscall", "event" };

struct cell {
	uint64_t ip, count;
};

struct node {
	struct node *parent;
	uint64_t site;			/* the instruction that called, or was interrupted */
	uint64_t target;		/* where it led, or the number of the system call */
	enum kind kind;
	uint32_t id, space;
	uint64_t calls;
	struct cell *cell;		/* by address, at most half of them used */
	unsigned int nr_cells, used;
	bool written;
};

struct frame {
	uint64_t sp;			/* behind the call */
	uint64_t back;			/* where it returns to; 0: it was no call */
	struct node *node;
};

struct frames {
	struct frame *frame;
	unsigned int nr;
};

/* A stack of the kernel, and of a thread that has it what it does in user mode. */
struct stack {
	uint64_t number;
	struct node *root;		/* where its first frame stands on */
	struct frames kernel, user;
	struct truth_space *space;	/* that user's frames are of */
};

struct where {
	struct stack *stack;
	struct node *now;
	uint64_t ip;			/* of the last instruction */
	struct cell *last;		/* of the last instruction, until that is undone */
	bool user;
};

static FILE *file;
static bool counting;			/* from the first mark on */
static GHashTable *nodes, *stacks, *pages;
static GPtrArray *all_nodes;		/* in the order of their numbers */
static GHashTable *forks;		/* frames of the thread of a space that forked last */

/* --- the tree --- */

static guint node_hash(gconstpointer key)
{
	const struct node *n = key;
	uint64_t h = (uint64_t)(uintptr_t)n->parent ^ n->space;

	h = (h ^ n->site) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 29 ^ n->target) * UINT64_C(0xbf58476d1ce4e5b9);
	return (guint)(h >> 32) + n->kind;
}

static gboolean node_same(gconstpointer a, gconstpointer b)
{
	const struct node *x = a, *y = b;

	return x->parent == y->parent && x->site == y->site && x->target == y->target &&
	       x->kind == y->kind && x->space == y->space;
}

static struct node *find_node(struct node *parent, enum kind kind, uint64_t site, uint64_t target,
			      uint32_t space)
{
	struct node key = {
		.parent = parent, .kind = kind, .site = site, .target = target, .space = space,
	};
	struct node *node = g_hash_table_lookup(nodes, &key);

	if (node)
		return node;
	node = g_new(struct node, 1);
	*node = key;
	node->id = all_nodes->len;
	g_hash_table_add(nodes, node);
	g_ptr_array_add(all_nodes, node);
	return node;
}

static struct node *below(struct node *parent, enum kind kind, uint64_t site, uint64_t target)
{
	return find_node(parent, kind, site, target, parent->space);
}

static struct node *root_of(const struct truth_space *space)
{
	return find_node(NULL, ROOT, 0, 0, space ? space->id : TRUTH_NO_SPACE);
}

static struct cell *slot(struct cell *cell, unsigned int nr, uint64_t ip)
{
	unsigned int i = (unsigned int)(ip * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (nr - 1);

	while (cell[i].ip && cell[i].ip != ip)
		i = (i + 1) & (nr - 1);
	return &cell[i];
}

static void grow(struct node *node)
{
	unsigned int i, nr = node->nr_cells ? 2 * node->nr_cells : 8;
	struct cell *cell = g_new0(struct cell, nr);

	for (i = 0; i < node->nr_cells; i++) {
		if (node->cell[i].ip)
			*slot(cell, nr, node->cell[i].ip) = node->cell[i];
	}
	g_free(node->cell);
	node->cell = cell;
	node->nr_cells = nr;
}

/* --- what stands on a page: whoever has the files finds the one that it is of --- */

static void note_page(CPUX86State *env, const struct node *node, uint64_t ip)
{
	uint64_t page = ip >> GUEST_PAGE_BITS;
	/* Addresses have 57 bits at most. */
	gint64 key = (gint64)((uint64_t)node->space << 45 ^ page);
	g_autofree char *sum = NULL;
	uint8_t text[GUEST_PAGE];

	if (g_hash_table_contains(pages, &key))
		return;
	g_hash_table_add(pages, g_memdup2(&key, sizeof(key)));
	if (!guest_read(env, page << GUEST_PAGE_BITS, text, sizeof(text)))
		return;
	sum = g_compute_checksum_for_data(G_CHECKSUM_SHA1, text, sizeof(text));
	fprintf(file, "page %u %" PRIx64 " %s\n", node->space, page, sum);
}

void where_count(CPUX86State *env, struct where *w, uint64_t ip)
{
	struct node *node = w->now;
	struct cell *cell;

	w->ip = ip;
	if (!counting)
		return;
	if (unlikely(2 * node->used >= node->nr_cells))
		grow(node);
	cell = slot(node->cell, node->nr_cells, ip);
	if (unlikely(!cell->ip)) {
		cell->ip = ip;
		node->used++;
		if (w->user)
			note_page(env, node, ip);
	}
	cell->count++;
	w->last = cell;
}

void where_undo(struct where *w)
{
	if (w->last)
		w->last->count--;
	w->last = NULL;
}

/* --- frames --- */

static bool in_entry_area(uint64_t sp)
{
	return sp >> ENTRY_AREA_BITS == ENTRY_AREA;
}

/* The stack pointer is there: what is below has returned. */
static void drop(struct frames *frames, uint64_t sp)
{
	bool entry = in_entry_area(sp);

	while (frames->nr) {
		uint64_t top = frames->frame[frames->nr - 1].sp;

		if (in_entry_area(top) == entry ? top >= sp : entry)
			break;
		frames->nr--;
	}
}

static void push(struct where *w, struct frames *frames, struct frame frame)
{
	struct node *node = frame.node;

	node->calls += counting;
	if (frames->nr == MAX_DEPTH)
		return;
	if (!frames->frame)
		frames->frame = g_new(struct frame, MAX_DEPTH);
	frames->frame[frames->nr++] = frame;
	w->now = node;
}

static struct node *top(const struct frames *frames, struct node *root)
{
	return frames->nr ? frames->frame[frames->nr - 1].node : root;
}

static struct stack *new_stack(uint64_t number)
{
	struct stack *stack = g_new0(struct stack, 1);

	stack->number = number;
	stack->root = root_of(NULL);
	return stack;
}

static struct stack *find_stack(uint64_t number)
{
	gint64 key = (gint64)number;
	struct stack *stack = g_hash_table_lookup(stacks, &key);

	if (stack)
		return stack;
	stack = new_stack(number);
	g_hash_table_insert(stacks, g_memdup2(&key, sizeof(key)), stack);
	return stack;
}

static bool is_near_end(uint64_t sp)
{
	return (sp & (STACK_SIZE - 1)) >= STACK_SIZE - STACK_TOP;
}

/* In the kernel, which changes stacks as it likes; a call may be on an interrupts' stack. */
static void go_on(struct where *w, uint64_t sp, bool call)
{
	struct stack *stack = w->stack;

	if (!in_entry_area(sp) && stack->number != sp >> STACK_BITS) {
		w->stack = find_stack(sp >> STACK_BITS);
		stack = w->stack;
		drop(&stack->kernel, sp);
		if (!stack->kernel.nr && call && is_near_end(sp)) {
			stack->root = w->now;
		} else if (!stack->kernel.nr) {
			/* A new thread. */
			stack->root = root_of(NULL);
			stack->user.nr = 0;
			stack->space = NULL;
		}
	}
	drop(&stack->kernel, sp);
	w->now = top(&stack->kernel, stack->root);
}

static void returned(struct frames *frames, uint64_t to)
{
	if (frames->nr && frames->frame[frames->nr - 1].back == to)
		frames->nr--;
}

void where_branch(CPUX86State *env, struct where *w, const struct pmu_branch *branch)
{
	bool user = branch->cls == PMU_USER;
	bool call = branch->kind == PMU_CALL || branch->kind == PMU_CALL_INDIRECT;
	uint64_t sp = env->regs[R_ESP];
	struct node *root;
	struct frames *frames;

	if (user != w->user || !(call || branch->kind == PMU_RET || branch->kind == PMU_FAR))
		return;
	/* A frame that is left over at the same place has returned as well. */
	if (user) {
		frames = &w->stack->user;
		drop(frames, call ? sp + 1 : sp);
		root = root_of(w->stack->space);
	} else {
		go_on(w, call ? sp + 1 : sp, call);
		frames = &w->stack->kernel;
		root = w->stack->root;
	}
	if (branch->kind == PMU_RET)
		returned(frames, branch->to);
	w->now = top(frames, root);
	if (call)
		push(w, frames, (struct frame){
			sp, branch->fall, below(w->now, CALL, branch->from, branch->to),
		});
}

void where_event(CPUX86State *env, struct where *w)
{
	uint64_t sp = env->regs[R_ESP];

	if (w->user)
		return;
	go_on(w, sp, false);
	push(w, &w->stack->kernel, (struct frame){
		.sp = sp, .node = below(w->now, EVENT, w->ip, env->eip),
	});
}

/* --- in and out of user mode --- */

/* A child goes on in the functions that its parent is in. */
static void keep_frames(const struct stack *stack)
{
	GArray *kept = g_array_new(false, false, sizeof(struct frame));

	if (stack->user.nr)
		g_array_append_vals(kept, stack->user.frame, stack->user.nr);
	g_hash_table_insert(forks, stack->space, kept);
}

static void inherit(struct where *w, struct truth_space *space)
{
	struct truth_space *parent;
	struct node *node = root_of(space);
	GArray *kept;
	guint i;

	if (space->parent == TRUTH_NO_SPACE || strcmp(space->origin, "fork"))
		return;
	parent = the_truth.space[space->parent];
	kept = g_hash_table_lookup(forks, parent);
	for (i = 0; kept && i < kept->len; i++) {
		struct frame *frame = &g_array_index(kept, struct frame, i);

		node = below(node, CALL, frame->node->site, frame->node->target);
		push(w, &w->stack->user, (struct frame){ frame->sp, frame->back, node });
	}
}

void where_kernel(CPUX86State *env, struct where *w, bool syscall, uint64_t nr, bool forking)
{
	struct stack *stack = w->stack;

	w->user = false;
	stack->kernel.nr = 0;
	stack->root = below(w->now, syscall ? SYSCALL : EVENT, w->ip, syscall ? nr : env->eip);
	stack->root->calls += counting;
	w->now = stack->root;
	if (forking)
		keep_frames(stack);
}

void where_user(CPUX86State *env, struct where *w, struct truth_space *space)
{
	struct stack *stack = w->stack;

	w->user = true;
	stack->kernel.nr = 0;
	if (stack->space != space) {
		stack->user.nr = 0;
		stack->space = space;
		inherit(w, space);
	}
	drop(&stack->user, env->regs[R_ESP]);
	w->now = top(&stack->user, root_of(space));
}

/* --- the file --- */

static void write_node(struct node *node)
{
	node->written = true;
	if (node->parent && !node->parent->written)
		write_node(node->parent);
	fprintf(file, "node %u %d %s %" PRIx64 " %" PRIx64 "\n", node->id,
		node->parent ? (int)node->parent->id : (int)node->space, kind_names[node->kind],
		node->site, node->target);
}

/* What was counted since the last time. */
static void write_counts(void)
{
	unsigned int i, j;

	for (i = 0; i < all_nodes->len; i++) {
		struct node *node = g_ptr_array_index(all_nodes, i);
		bool named = false;

		if (node->calls) {
			if (!node->written)
				write_node(node);
			fprintf(file, "calls %u %" PRIu64 "\n", node->id, node->calls);
			node->calls = 0;
		}
		for (j = 0; j < node->nr_cells; j++) {
			struct cell *cell = &node->cell[j];

			if (!cell->count)
				continue;
			if (!node->written)
				write_node(node);
			if (!named)
				fprintf(file, "in %u\n", node->id);
			named = true;
			fprintf(file, "%" PRIx64 " %" PRIu64 "\n", cell->ip, cell->count);
			cell->count = 0;
		}
	}
}

void where_mark(uint32_t label, unsigned int cpu)
{
	if (!file)
		return;
	write_counts();
	fprintf(file, "mark %u %u\n", label, cpu);
	counting = true;
}

void where_end(void)
{
	unsigned int i;

	if (!file)
		return;
	write_counts();
	for (i = 0; i < the_truth.nr_spaces; i++) {
		const struct truth_space *space = the_truth.space[i];

		fprintf(file, "space %u %d %s %s\n", space->id, (int)space->parent, space->origin,
			space->name ? space->name : "");
	}
	fprintf(file, "end\n");
	fclose(file);
	file = NULL;
}

static void start(const char *name)
{
	file = fopen(name, "w");
	if (!file) {
		error_report("PMUBOX_WHERE=%s: %s", name, strerror(errno));
		exit(1);
	}
	nodes = g_hash_table_new(node_hash, node_same);
	stacks = g_hash_table_new(g_int64_hash, g_int64_equal);
	pages = g_hash_table_new(g_int64_hash, g_int64_equal);
	forks = g_hash_table_new(NULL, NULL);
	all_nodes = g_ptr_array_new();
}

bool where_wanted(void)
{
	static int wanted = -1;

	if (wanted < 0)
		wanted = getenv("PMUBOX_WHERE") != NULL;
	return wanted;
}

struct where *where_new(void)
{
	struct where *w = g_new0(struct where, 1);

	if (!file)
		start(getenv("PMUBOX_WHERE"));
	/* Until it calls something. */
	w->stack = new_stack(0);
	w->now = root_of(NULL);
	return w;
}
