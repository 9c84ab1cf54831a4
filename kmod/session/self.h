/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions that their own thread reads: the page and who may have it.
 */
#ifndef PMUCTL_SESSION_SELF_H
#define PMUCTL_SESSION_SELF_H

#include <linux/types.h>

struct mm_struct;
struct page;
struct pmuctl_session;
struct pmuctl_why;
struct vm_area_struct;

/* What a page and its counts take, in bytes; 0 for sessions without. */
size_t pmuctl_self_memory(const struct pmuctl_session *session);
/* Of a session whose events are assigned; by the thread that it is on. */
int pmuctl_self_alloc(struct pmuctl_session *session,
		      const struct pmuctl_why *why);
void pmuctl_self_free(struct pmuctl_session *session);

/* The page and its mm as a descriptor keeps them, which outlives sessions. */
struct pmuctl_self_view {
	struct page *page;
	struct mm_struct *mm;
};

void pmuctl_self_view_get(struct pmuctl_self_view *view,
			  const struct pmuctl_session *session);
void pmuctl_self_view_put(const struct pmuctl_self_view *view);
int pmuctl_self_map(const struct pmuctl_self_view *view,
		    struct vm_area_struct *vma);

#endif
