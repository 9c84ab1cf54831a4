// SPDX-License-Identifier: GPL-2.0-only
/*
 * The buffers of PEBS: pages of our own, and a debug store area where the
 * kernel has room for it, unless PEBS is architectural.
 *
 * With page-table isolation a user program runs on page tables of which the
 * cpu_entry_area is about all that is the kernel's, so that is where the
 * buffer is mapped, with isolation or without it.  The kernel keeps page
 * tables for it there, empty; we fill in the entries of each CPU on that CPU,
 * while we hold the PMU (so that perf does not), and put back what they were.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/pgtable.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <asm/cpu_entry_area.h>
#include <asm/intel_ds.h>

#include "kmod/base/why.h"
#include "kmod/hold/ds.h"
#include "kmod/pmu/ds_area.h"
#include "kmod/pmu/msr.h"
#include "kmod/pmu/pmu.h"
#include "kmod/state/cpu.h"

#define PAGES		(PEBS_BUFFER_SIZE / PAGE_SIZE)
/* Core 2 hangs with a larger buffer. */
#define PAGES_FORMAT_0	1

/* What of struct debug_store we write: for PEBS, and what lies below narrow. */
struct pebs_words {
	u64 bts[4];
	u64 base, index, maximum, threshold;
	u64 reset[MAX_PEBS_EVENTS + MAX_FIXED_PEBS_EVENTS];
};

struct ds_cpu {
	struct page *pages;		/* in a row; NULL: none */
	pte_t found_pte[PAGES];
	struct pebs_words found_words;
	u64 found_area;			/* MSR_DS_AREA */
	const char *refusal;
};

/* Allocated: modules have little per CPU. */
static struct ds_cpu __percpu *ds_cpus;

static unsigned int holds;

int pmuctl_ds_init(void)
{
	ds_cpus = alloc_percpu(struct ds_cpu);
	return ds_cpus ? 0 : -ENOMEM;
}

void pmuctl_ds_exit(void)
{
	free_percpu(ds_cpus);
}

static unsigned int nr_pages(void)
{
	return pmuctl_caps.pebs_format ? PAGES : PAGES_FORMAT_0;
}

static unsigned int ds_order(void)
{
	return get_order(nr_pages() * PAGE_SIZE);
}

/* --- the page-table entries --- */

static unsigned long buffer_address(unsigned int cpu, unsigned int page)
{
	struct cpu_entry_area *area = get_cpu_entry_area(cpu);

	return (unsigned long)area->cpu_debug_buffers.pebs_buffer +
	       page * PAGE_SIZE;
}

/* The bit itself: pte_present() takes PROT_NONE for present as well. */
static bool is_mapped(pte_t pte)
{
	return pte_val(pte) & _PAGE_PRESENT;
}

/* An entry that is there to be filled, or NULL and why not. */
static pte_t *find_entry(unsigned long address, const char **refusal)
{
	unsigned int level;
	pte_t *entry = lookup_address(address, &level);

	if (!entry)
		*refusal = "this kernel has no page table for it in the cpu_entry_area";
	else if (level != PG_LEVEL_4K)
		*refusal = "this kernel maps the cpu_entry_area with large pages";
	else if (is_mapped(*entry))
		*refusal = "somebody has mapped a buffer there already";
	else
		return entry;
	return NULL;
}

static const char *look_at_entries(unsigned int cpu)
{
	const char *refusal = NULL;
	unsigned int i;

	for (i = 0; i < nr_pages() && !refusal; i++)
		find_entry(buffer_address(cpu, i), &refusal);
	return refusal;
}

/*
 * Global, as the kernel's own entries here: with isolation there are two sets
 * of translations for a process, and invlpg drops both of global pages only.
 */
static void map_pages(struct ds_cpu *mine, unsigned int cpu)
{
	unsigned int i, level;
	pte_t *entry, pte;

	for (i = 0; i < nr_pages(); i++) {
		entry = lookup_address(buffer_address(cpu, i), &level);
		mine->found_pte[i] = *entry;
		pte = pfn_pte(page_to_pfn(mine->pages) + i, PAGE_KERNEL);
		set_pte(entry, __pte(pte_val(pte) | _PAGE_GLOBAL));
	}
}

static void unmap_pages(struct ds_cpu *mine, unsigned int cpu)
{
	unsigned int i, level;

	for (i = 0; i < nr_pages(); i++) {
		set_pte(lookup_address(buffer_address(cpu, i), &level),
			mine->found_pte[i]);
		hw_invlpg(buffer_address(cpu, i));
	}
}

/* --- one CPU --- */

static struct pebs_words *words_of(struct debug_store *area)
{
	return (struct pebs_words *)area;
}

static void set_up_area(struct ds_cpu *mine, unsigned int cpu)
{
	struct debug_store *area = &get_cpu_entry_area(cpu)->cpu_debug_store;
	struct pmuctl_ds *ds = pmuctl_ds_here();

	BUILD_BUG_ON(offsetof(struct debug_store, pebs_event_reset) !=
		     offsetof(struct pebs_words, reset));
	mine->found_words = *words_of(area);
	memset(words_of(area), 0, sizeof(struct pebs_words));
	ds_set_base(area, buffer_address(cpu, 0));
	ds_set_index(area, ds_base(area));
	mine->found_area = hw_rdmsr(PMUCTL_MSR_DS_AREA);
	hw_wrmsr(PMUCTL_MSR_DS_AREA, (unsigned long)area);
	ds->records = page_address(mine->pages);
	ds->size = nr_pages() * PAGE_SIZE;
	ds->area = area;
	this_cpu_ptr(pmuctl_cpus)->regs.pebs_area = (unsigned long)area;
}

/* The processor knows it by its physical address, which nothing maps. */
static void set_up_buffer(const struct ds_cpu *mine)
{
	struct pmuctl_ds *ds = pmuctl_ds_here();

	ds->size = nr_pages() * PAGE_SIZE;
	pmuctl_backend->buffer->on(&this_cpu_ptr(pmuctl_cpus)->regs, ds,
				   page_to_phys(mine->pages), ds_order());
	ds->records = page_address(mine->pages);
}

void pmuctl_ds_on_here(void)
{
	struct ds_cpu *mine = this_cpu_ptr(ds_cpus);
	unsigned int cpu = smp_processor_id();

	if (!mine->pages || pmuctl_ds_here()->records)
		return;
	if (pmuctl_backend->buffer) {
		set_up_buffer(mine);
		return;
	}
	mine->refusal = look_at_entries(cpu);
	if (mine->refusal)
		return;
	map_pages(mine, cpu);
	set_up_area(mine, cpu);
}

static void take_down_area(struct ds_cpu *mine, struct pmuctl_ds *ds)
{
	hw_wrmsr(PMUCTL_MSR_DS_AREA, mine->found_area);
	*words_of(ds->area) = mine->found_words;
	ds->area = NULL;
	unmap_pages(mine, smp_processor_id());
}

void pmuctl_ds_off_here(void)
{
	struct pmuctl_regs *regs = &this_cpu_ptr(pmuctl_cpus)->regs;
	struct pmuctl_ds *ds = pmuctl_ds_here();

	if (!ds->records)
		return;
	ds->records = NULL;
	if (pmuctl_backend->buffer)
		pmuctl_backend->buffer->off(regs);
	else
		take_down_area(this_cpu_ptr(ds_cpus), ds);
	regs->pebs_area = 0;
}

/* --- all CPUs --- */

static bool alloc_pages_of(unsigned int cpu)
{
	struct ds_cpu *mine = per_cpu_ptr(ds_cpus, cpu);
	struct page *pages;

	if (mine->pages)
		return true;
	pages = alloc_pages_node(cpu_to_node(cpu), GFP_KERNEL_ACCOUNT |
				 __GFP_ZERO | __GFP_NOWARN, ds_order());
	/* Before its PMU is taken there, by itself. */
	WRITE_ONCE(mine->pages, pages);
	return pages;
}

/* Off everywhere. */
static void free_all_pages(void)
{
	struct ds_cpu *mine;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		mine = per_cpu_ptr(ds_cpus, cpu);
		if (mine->pages)
			__free_pages(mine->pages, ds_order());
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
		pmuctl_ds_on_here();
	local_irq_restore(flags);
}

static void off_here(void *info)
{
	unsigned long flags;

	local_irq_save(flags);
	pmuctl_ds_off_here();
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
		refusal = per_cpu_ptr(ds_cpus, cpu)->refusal;
		if (refusal)
			return pmuctl_why(why, -EOPNOTSUPP,
					  "PEBS cannot be used: the buffer of CPU %u cannot be mapped: %s; sample by interrupt",
					  cpu, refusal);
	}
	return 0;
}

int pmuctl_ds_hold(const struct pmuctl_why *why)
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

void pmuctl_ds_release(void)
{
	if (!--holds)
		off_everywhere();
}

void pmuctl_ds_cpu_online(unsigned int cpu)
{
	if (holds && !alloc_pages_of(cpu))
		pr_warn("no memory for the PEBS buffer of CPU %u: its samples are missing\n",
			cpu);
}

const char *pmuctl_ds_refusal(void)
{
	return holds || pmuctl_backend->buffer ?
	       NULL : look_at_entries(raw_smp_processor_id());
}
