/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rings that records wait in, one a session and CPU, and the ledger of
 * what became of them.
 *
 * One producer, which is that CPU with its NMIs kept away or in one; one
 * consumer, which is whoever holds the ring's reader.  The pages are mapped
 * twice in a row, so that every record is in one piece.
 */
#ifndef PMUCTL_RING_H
#define PMUCTL_RING_H

#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/barrier.h>

#include "kmod/uapi/pmuctl.h"

struct page;
struct pmuctl_session;
struct pmuctl_why;

#define PMUCTL_RING_SIZE	(512U << 10)
#define PMUCTL_RING_MIN		(16U << 10)
#define PMUCTL_RING_MAX		(16U << 20)

/* An event's part of the ledger. */
struct pmuctl_tally {
	u64 produced;
	u64 written;
	u64 lost;
	u64 collisions;
	u64 overruns;
	u64 throttled;
	u64 uncertain;
	u64 stalled;			/* no interrupt came for them */
	u64 untold;			/* lost, and no record says so yet */
};

struct pmuctl_ring {
	/* The producer's. */
	u8 *data;
	u32 size;
	u32 watermark;
	unsigned long head;		/* bytes, of all time */
	bool woken;			/* the reader was told */
	/* The consumer's. */
	unsigned long tail ____cacheline_aligned_in_smp;
	const void *reader;		/* NULL: nobody */
	/* Where the pages are: freed by them. */
	struct page **pages;
	struct pmuctl_tally tally[];	/* of sampled events, by phase */
};

/*
 * Those that a session needs, charged before by their bytes; NULL members: no
 * ring for that CPU.
 */
int pmuctl_rings_alloc(struct pmuctl_session *session,
		       const struct pmuctl_why *why);
void pmuctl_rings_free(struct pmuctl_session *session);
u64 pmuctl_rings_memory(const struct pmuctl_session *session);
/* For who names none: as large as the user's memory makes sensible. */
u32 pmuctl_rings_default(const struct pmuctl_session *session);
/* With room for some of the session's samples. */
u32 pmuctl_rings_least(const struct pmuctl_session *session);

/*
 * The producer: room for so many bytes, or NULL; they count once committed.
 * Inline, as every sample comes by here.
 */
static inline void *pmuctl_ring_reserve(const struct pmuctl_ring *ring,
					u32 bytes)
{
	/* Pairs with pmuctl_ring_consume(): what was there has been read. */
	unsigned long tail = smp_load_acquire(&ring->tail);

	if (unlikely(ring->head - tail + bytes > ring->size))
		return NULL;
	return ring->data + (ring->head & (ring->size - 1));
}

static inline void pmuctl_ring_commit(struct pmuctl_ring *ring, u32 bytes)
{
	/* Pairs with pmuctl_ring_peek(): the record is whole. */
	smp_store_release(&ring->head, ring->head + bytes);
}

static inline u32 pmuctl_ring_used(const struct pmuctl_ring *ring)
{
	/* Any CPU asks. */
	return READ_ONCE(ring->head) - READ_ONCE(ring->tail);
}

/*
 * The consumer: whole records of at most room bytes, up to what was the head
 * (end); *from is where.
 */
u32 pmuctl_ring_peek(const struct pmuctl_ring *ring, unsigned long end,
		     u32 room, const void **from);
void pmuctl_ring_consume(struct pmuctl_ring *ring, u32 bytes);
/* From the next watermark on the reader is told again. */
void pmuctl_ring_listen(struct pmuctl_ring *ring);

#endif
