// SPDX-License-Identifier: GPL-2.0-only
/*
 * The debug store area, and the buffer mapped where the kernel has room for it.
 *
 * With page-table isolation a user program runs on page tables of which the
 * cpu_entry_area is about all that is the kernel's, so that is where the
 * buffer is mapped, with isolation or without it.  The kernel keeps page
 * tables for it there, empty; we fill in the entries of each CPU on that CPU,
 * while we hold the PMU (so that perf does not), and put back what they were.
 */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/pgtable.h>
#include <linux/smp.h>
#include <asm/cpu_entry_area.h>
#include <asm/intel_ds.h>

#include "kmod/hold/ds.h"
#include "kmod/pmu/ds_area.h"
#include "kmod/pmu/msr.h"
#include "kmod/state/cpu.h"

#define PAGES		(PEBS_BUFFER_SIZE / PAGE_SIZE)

/* What of struct debug_store we write: for PEBS, and what lies below narrow. */
struct pebs_words {
	u64 bts[4];
	u64 base, index, maximum, threshold;
	u64 reset[MAX_PEBS_EVENTS + MAX_FIXED_PEBS_EVENTS];
};

struct found {
	pte_t pte[PAGES];
	struct pebs_words words;
	u64 area;			/* MSR_DS_AREA */
};

/* Allocated: modules have little per CPU. */
static struct found __percpu *found_of;

int pmuctl_ds_init(void)
{
	found_of = alloc_percpu(struct found);
	return found_of ? 0 : -ENOMEM;
}

void pmuctl_ds_exit(void)
{
	free_percpu(found_of);
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

const char *pmuctl_ds_refusal(unsigned int cpu, unsigned int nr)
{
	const char *refusal = NULL;
	unsigned int i;

	for (i = 0; i < nr && !refusal; i++)
		find_entry(buffer_address(cpu, i), &refusal);
	return refusal;
}

/*
 * Global, as the kernel's own entries here: with isolation there are two sets
 * of translations for a process, and invlpg drops both of global pages only.
 */
static void map_pages(struct page *pages, unsigned int nr, unsigned int cpu)
{
	struct found *found = this_cpu_ptr(found_of);
	unsigned int i, level;
	pte_t *entry, pte;

	for (i = 0; i < nr; i++) {
		entry = lookup_address(buffer_address(cpu, i), &level);
		found->pte[i] = *entry;
		pte = pfn_pte(page_to_pfn(pages) + i, PAGE_KERNEL);
		set_pte(entry, __pte(pte_val(pte) | _PAGE_GLOBAL));
	}
}

static void unmap_pages(unsigned int nr, unsigned int cpu)
{
	struct found *found = this_cpu_ptr(found_of);
	unsigned int i, level;

	for (i = 0; i < nr; i++) {
		set_pte(lookup_address(buffer_address(cpu, i), &level),
			found->pte[i]);
		hw_invlpg(buffer_address(cpu, i));
	}
}

/* --- the area --- */

static struct pebs_words *words_of(struct debug_store *area)
{
	return (struct pebs_words *)area;
}

void pmuctl_ds_set_up(struct page *pages, unsigned int nr)
{
	struct found *found = this_cpu_ptr(found_of);
	unsigned int cpu = smp_processor_id();
	struct debug_store *area = &get_cpu_entry_area(cpu)->cpu_debug_store;

	BUILD_BUG_ON(offsetof(struct debug_store, pebs_event_reset) !=
		     offsetof(struct pebs_words, reset));
	map_pages(pages, nr, cpu);
	found->words = *words_of(area);
	memset(words_of(area), 0, sizeof(struct pebs_words));
	ds_set_base(area, buffer_address(cpu, 0));
	ds_set_index(area, ds_base(area));
	found->area = hw_rdmsr(PMUCTL_MSR_DS_AREA);
	hw_wrmsr(PMUCTL_MSR_DS_AREA, (unsigned long)area);
	pmuctl_ds_here()->area = area;
	this_cpu_ptr(pmuctl_cpus)->regs.pebs_area = (unsigned long)area;
}

void pmuctl_ds_take_down(unsigned int nr)
{
	struct found *found = this_cpu_ptr(found_of);
	struct pmuctl_ds *ds = pmuctl_ds_here();

	hw_wrmsr(PMUCTL_MSR_DS_AREA, found->area);
	*words_of(ds->area) = found->words;
	ds->area = NULL;
	unmap_pages(nr, smp_processor_id());
}
