// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions that their own thread reads: the page and who may have it.
 */
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <asm/tsc.h>

#include "kmod/base/compat.h"
#include "kmod/base/why.h"
#include "kmod/session/self.h"
#include "kmod/state/self.h"
#include "kmod/state/session.h"
#include "kmod/uapi/pmuctl-self.h"

static_assert(sizeof(struct pmuctl_self_page) <= PMUCTL_SELF_SIZE);
static_assert(PMUCTL_SELF_SIZE == PAGE_SIZE);

/* ns are ticks * mult / 2^TIME_SHIFT. */
#define TIME_SHIFT	22

static size_t self_size(const struct pmuctl_session *session)
{
	struct pmuctl_self *self;

	return struct_size(self, cell, pmuctl_nr_cells(session));
}

size_t pmuctl_self_memory(const struct pmuctl_session *session)
{
	if (!(session->flags & PMUCTL_SESSION_SELF))
		return 0;
	return PAGE_SIZE + self_size(session);
}

static void begin_page(struct pmuctl_self_page *page,
		       const struct pmuctl_session *session)
{
	page->abi = PMUCTL_ABI;
	page->events = session->nr_events;
	page->why = PMUCTL_SELF_WHY_PRIVILEGE;
	if (!boot_cpu_has(X86_FEATURE_CONSTANT_TSC) || !tsc_khz)
		return;
	page->mult = div_u64(1000000ULL << TIME_SHIFT, tsc_khz);
	page->shift = TIME_SHIFT;
	page->flags = PMUCTL_SELF_TIME;
}

int pmuctl_self_alloc(struct pmuctl_session *session,
		      const struct pmuctl_why *why)
{
	struct pmuctl_self *self;

	if (!(session->flags & PMUCTL_SESSION_SELF))
		return 0;
	self = kzalloc(self_size(session), GFP_KERNEL_ACCOUNT);
	if (self)
		self->page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!self || !self->page) {
		kfree(self);
		return pmuctl_why(why, -ENOMEM,
				  "no memory for a page to count oneself by");
	}
	self->shown = page_address(self->page);
	self->mm = current->mm;
	mmgrab(self->mm);
	begin_page(self->shown, session);
	session->self = self;
	return 0;
}

void pmuctl_self_free(struct pmuctl_session *session)
{
	struct pmuctl_self *self = session->self;

	if (!self)
		return;
	mmdrop(self->mm);
	/* Who has mapped it keeps it. */
	put_page(self->page);
	kfree(self);
}

/* --- the page in a program --- */

void pmuctl_self_view_get(struct pmuctl_self_view *view,
			  const struct pmuctl_session *session)
{
	if (!session->self)
		return;
	view->page = session->self->page;
	view->mm = session->self->mm;
	get_page(view->page);
	mmgrab(view->mm);
}

void pmuctl_self_view_put(const struct pmuctl_self_view *view)
{
	if (!view->page)
		return;
	put_page(view->page);
	mmdrop(view->mm);
}

/*
 * Of the process that it counts, whoever else was handed the descriptor; to
 * be read, for good; and not by its children.
 */
int pmuctl_self_map(const struct pmuctl_self_view *view,
		    struct vm_area_struct *vma)
{
	if (!view->page)
		return -ENODEV;
	if (vma->vm_mm != view->mm)
		return -EACCES;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	/* Of a file that cannot be written VM_SHARED is taken away. */
	if (!(vma->vm_flags & VM_MAYSHARE) || vma->vm_pgoff ||
	    vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	pmuctl_vm_flags(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
			VM_MAYWRITE | VM_MAYEXEC);
	return vm_insert_page(vma, vma->vm_start, view->page);
}
