// SPDX-License-Identifier: GPL-2.0-only
/*
 * The buffers that PEBS writes into, one a CPU: pages in a row, which a debug
 * store area or a register of the processor says the place of.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <asm/intel_ds.h>

#include "kmod/base/why.h"
#include "kmod/hold/buffers.h"
#include "kmod/hold/ds.h"
#include "kmod/pmu/ds_area.h"
#include "kmod/pmu/pmu.h"
#include "kmod/state/cpu.h"

/* Core 2 hangs with a larger one. */
#define PAGES_FORMAT_0	1

struct buffer {
	struct page *pages;		/* in a row; NULL: none */
	const char *refusal;
};

static struct buffer __percpu *buffers;

static unsigned int holds;

int pmuctl_buffers_init(void)
{
	int err = pmuctl_ds_init();

	if (err)
		return err;
	buffers = alloc_percpu(struct buffer);
	if (buffers)
		return 0;
	pmuctl_ds_exit();
	return -ENOMEM;
}

void pmuctl_buffers_exit(void)
{
	free_percpu(buffers);
	pmuctl_ds_exit();
}

static unsigned int nr_pages(void)
{
	return pmuctl_caps.pebs_format ? PEBS_BUFFER_SIZE / PAGE_SIZE :
					 PAGES_FORMAT_0;
}

static unsigned int order(void)
{
	return get_order(nr_pages() * PAGE_SIZE);
}

/* --- one CPU --- */

void pmuctl_buffers_on_here(void)
{
	struct buffer *mine = this_cpu_ptr(buffers);
	struct pmuctl_ds *ds = pmuctl_ds_here();

	if (!mine->pages || ds->records)
		return;
	ds->size = nr_pages() * PAGE_SIZE;
	if (pmuctl_backend->buffer) {
		/* Known by its physical address, which nothing maps. */
		pmuctl_backend->buffer->on(&this_cpu_ptr(pmuctl_cpus)->regs, ds,
					   page_to_phys(mine->pages), order());
	} else {
		mine->refusal = pmuctl_ds_refusal(smp_processor_id(),
						  nr_pages());
		if (mine->refusal)
			return;
		pmuctl_ds_set_up(mine->pages, nr_pages());
	}
	/* Last: by that others go. */
	ds->records = page_address(mine->pages);
}

void pmuctl_buffers_off_here(void)
{
	struct pmuctl_regs *regs = &this_cpu_ptr(pmuctl_cpus)->regs;
	struct pmuctl_ds *ds = pmuctl_ds_here();

	if (!ds->records)
		return;
	ds->records = NULL;
	if (pmuctl_backend->buffer)
		pmuctl_backend->buffer->off(regs);
	else
		pmuctl_ds_take_down(nr_pages());
	regs->pebs_area = 0;
}

/* --- all CPUs --- */

static bool alloc_pages_of(unsigned int cpu)
{
	struct buffer *mine = per_cpu_ptr(buffers, cpu);
	struct page *pages;

	if (mine->pages)
		return true;
	pages = alloc_pages_node(cpu_to_node(cpu), GFP_KERNEL_ACCOUNT |
				 __GFP_ZERO | __GFP_NOWARN, order());
	/* Before its PMU is taken there, by itself. */
	WRITE_ONCE(mine->pages, pages);
	return pages;
}

/* Off everywhere. */
static void free_all_pages(void)
{
	struct buffer *mine;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		mine = per_cpu_ptr(buffers, cpu);
		if (mine->pages)
			__free_pages(mine->pages, order());
		mine->pages = NULL;
	}
}

static int alloc_all_pages(const struct pmuctl_why *why)
{
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		if (alloc_pages_of(cpu))
			continue;
		free_all_pages();
		return pmuctl_why(why, -ENOMEM,
				  "no memory for the PEBS buffer of CPU %u: %lu bytes in a row are needed; sample by interrupt",
				  cpu, nr_pages() * PAGE_SIZE);
	}
	return 0;
}

static void on_here(void *info)
{
	unsigned long flags;

	local_irq_save(flags);
	if (this_cpu_ptr(pmuctl_cpus)->held)
		pmuctl_buffers_on_here();
	local_irq_restore(flags);
}

static void off_here(void *info)
{
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_buffers_off_here();
	local_irq_restore(flags);
}

static void off_everywhere(void)
{
	on_each_cpu(off_here, NULL, true);
	free_all_pages();
}

static int check_all(const struct pmuctl_why *why)
{
	const char *refusal;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		refusal = per_cpu_ptr(buffers, cpu)->refusal;
		if (refusal)
			return pmuctl_why(why, -EOPNOTSUPP,
					  "PEBS cannot be used: the buffer of CPU %u cannot be mapped: %s; sample by interrupt",
					  cpu, refusal);
	}
	return 0;
}

int pmuctl_buffers_hold(const struct pmuctl_why *why)
{
	int err;

	if (holds) {
		holds++;
		return 0;
	}
	err = alloc_all_pages(why);
	if (err)
		return err;
	on_each_cpu(on_here, NULL, true);
	err = check_all(why);
	if (err)
		off_everywhere();
	else
		holds++;
	return err;
}

void pmuctl_buffers_release(void)
{
	if (!--holds)
		off_everywhere();
}

void pmuctl_buffers_cpu_online(unsigned int cpu)
{
	if (holds && !alloc_pages_of(cpu))
		pr_warn("no memory for the PEBS buffer of CPU %u: its samples are missing\n",
			cpu);
}

const char *pmuctl_buffers_refusal(void)
{
	return holds || pmuctl_backend->buffer ?
	       NULL : pmuctl_ds_refusal(raw_smp_processor_id(),
						nr_pages());
}
