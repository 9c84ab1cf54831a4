// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rings that records wait in: their memory, their producer, their consumer.
 */
#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "kmod/access/limits.h"
#include "kmod/base/why.h"
#include "kmod/pmu/kinds.h"
#include "kmod/sample/ring.h"
#include "kmod/state/session.h"

/* --- memory --- */

/* Where it may be on. */
static bool needs_ring(const struct pmuctl_session *session, unsigned int cpu)
{
	return session->on_task ? pmuctl_kind_may_have(session->kind, cpu) :
				  cpumask_test_cpu(cpu, session->cpus);
}

static unsigned int nr_rings(const struct pmuctl_session *session)
{
	unsigned int cpu, n = 0;

	for_each_possible_cpu(cpu)
		n += needs_ring(session, cpu);
	return n;
}

u64 pmuctl_rings_memory(const struct pmuctl_session *session)
{
	struct pmuctl_ring *ring;
	u64 one = session->ring_size +
		  struct_size(ring, tally, session->nr_sampled) +
		  2 * (session->ring_size >> PAGE_SHIFT) * sizeof(*ring->pages);

	if (!session->nr_sampled)
		return 0;
	return nr_rings(session) * one +
	       nr_cpu_ids * sizeof(ring);
}

/* So many of the largest samples, at least, and by default. */
#define SAMPLES_LEAST	4
#define SAMPLES_DEFAULT	128

u32 pmuctl_rings_least(const struct pmuctl_session *session)
{
	return max_t(u32, PMUCTL_RING_MIN,
		     roundup_pow_of_two(SAMPLES_LEAST * session->room));
}

/* A quarter of what a user may have, for many CPUs. */
u32 pmuctl_rings_default(const struct pmuctl_session *session)
{
	u64 most = pmuctl_limit(PMUCTL_LIMIT_MEMORY) / 4;
	unsigned int cpus = nr_rings(session);
	u32 least = pmuctl_rings_least(session);
	u32 size = max_t(u32, PMUCTL_RING_SIZE,
			 roundup_pow_of_two(SAMPLES_DEFAULT * session->room));

	while (size > least && (u64)size * cpus > most)
		size /= 2;
	return size;
}

static void free_pages_of(struct pmuctl_ring *ring)
{
	unsigned int i;

	for (i = 0; i < ring->size >> PAGE_SHIFT; i++)
		if (ring->pages[i])
			__free_page(ring->pages[i]);
}

static void ring_free(struct pmuctl_ring *ring)
{
	if (!ring)
		return;
	if (ring->data)
		vunmap(ring->data);
	if (ring->pages)
		free_pages_of(ring);
	kvfree(ring->pages);
	kfree(ring);
}

/* Twice in a row: what begins before the end goes on behind it. */
static int map_pages(struct pmuctl_ring *ring, int node)
{
	unsigned int i, n = ring->size >> PAGE_SHIFT;

	/* The second half of the array is there for this call alone. */
	for (i = 0; i < n; i++) {
		ring->pages[i] = alloc_pages_node(node, GFP_KERNEL_ACCOUNT |
						  __GFP_ZERO | __GFP_NOWARN, 0);
		if (!ring->pages[i])
			return -ENOMEM;
		ring->pages[n + i] = ring->pages[i];
	}
	ring->data = vmap(ring->pages, 2 * n, VM_MAP, PAGE_KERNEL);
	return ring->data ? 0 : -ENOMEM;
}

static struct pmuctl_ring *ring_alloc(const struct pmuctl_session *session,
				      int node)
{
	unsigned int n = session->ring_size >> PAGE_SHIFT;
	struct pmuctl_ring *ring;

	ring = kzalloc_node(struct_size(ring, tally, session->nr_sampled),
			    GFP_KERNEL_ACCOUNT, node);
	if (!ring)
		return NULL;
	ring->size = session->ring_size;
	ring->watermark = session->watermark;
	ring->pages = kvcalloc(2 * n, sizeof(*ring->pages), GFP_KERNEL_ACCOUNT);
	if (!ring->pages || map_pages(ring, node)) {
		ring_free(ring);
		return NULL;
	}
	return ring;
}

int pmuctl_rings_alloc(struct pmuctl_session *session,
		       const struct pmuctl_why *why)
{
	unsigned int cpu;

	if (!session->nr_sampled)
		return 0;
	session->ring = kcalloc(nr_cpu_ids, sizeof(*session->ring),
				GFP_KERNEL_ACCOUNT);
	if (!session->ring)
		return pmuctl_why(why, -ENOMEM, "no memory for rings");
	for_each_possible_cpu(cpu) {
		if (!needs_ring(session, cpu))
			continue;
		session->ring[cpu] = ring_alloc(session, cpu_to_node(cpu));
		if (!session->ring[cpu])
			return pmuctl_why(why, -ENOMEM,
					  "no memory for a ring of %u bytes for each of %u CPUs: ask for smaller ones",
					  session->ring_size,
					  nr_rings(session));
	}
	return 0;
}

void pmuctl_rings_free(struct pmuctl_session *session)
{
	unsigned int cpu;

	if (!session->ring)
		return;
	for_each_possible_cpu(cpu)
		ring_free(session->ring[cpu]);
	kfree(session->ring);
}

/* --- the consumer --- */

static u32 whole_records(const u8 *from, u32 bytes, u32 room)
{
	const struct pmuctl_record *record;
	u32 n = 0;

	if (bytes <= room)
		return bytes;
	for (;;) {
		record = (const void *)(from + n);
		if (n + record->size > room)
			return n;
		n += record->size;
	}
}

u32 pmuctl_ring_peek(const struct pmuctl_ring *ring, unsigned long end,
		     u32 room, const void **from)
{
	u32 bytes = end - ring->tail;

	/* Pairs with pmuctl_ring_commit(): end was its head. */
	smp_rmb();
	*from = ring->data + (ring->tail & (ring->size - 1));
	return whole_records(*from, bytes, room);
}

void pmuctl_ring_consume(struct pmuctl_ring *ring, u32 bytes)
{
	/* Pairs with pmuctl_ring_reserve(). */
	smp_store_release(&ring->tail, ring->tail + bytes);
}

void pmuctl_ring_listen(struct pmuctl_ring *ring)
{
	WRITE_ONCE(ring->woken, false);
	/* Pairs with wake_up_at() of sample.c: it sees this, or we its head. */
	smp_mb();
}
