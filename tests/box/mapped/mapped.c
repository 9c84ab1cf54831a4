// SPDX-License-Identifier: GPL-2.0-only
/*
 * A buffer that somebody has mapped where the PEBS buffer of a CPU goes: one page of it,
 * "page", on CPU "cpu", while this is loaded.  Its bytes are the module's own, so that what
 * is written there all the same is seen when it goes.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/pgtable.h>
#include <linux/smp.h>

#include <asm/cpu_entry_area.h>

static uint cpu;
module_param(cpu, uint, 0444);
static uint page;
module_param(page, uint, 0444);

static struct page *buffer;
static pte_t found;

static unsigned long mapped_address(void)
{
	return (unsigned long)get_cpu_entry_area(cpu)->cpu_debug_buffers.pebs_buffer +
	       page * PAGE_SIZE;
}

static pte_t *mapped_entry(void)
{
	unsigned int level;
	pte_t *entry = lookup_address(mapped_address(), &level);

	return entry && level == PG_LEVEL_4K ? entry : NULL;
}

static void mapped_forget(void *info)
{
	asm volatile("invlpg (%0)" :: "r" (mapped_address()) : "memory");
}

static int __init mapped_init(void)
{
	pte_t *entry = cpu < nr_cpu_ids ? mapped_entry() : NULL;

	if (!entry)
		return -ENXIO;
	buffer = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (!buffer)
		return -ENOMEM;
	found = *entry;
	set_pte(entry, mk_pte(buffer, PAGE_KERNEL));
	return 0;
}

static void __exit mapped_exit(void)
{
	if (memchr_inv(page_address(buffer), 0, PAGE_SIZE))
		pr_err("mapped: somebody has written to the buffer\n");
	if (pte_pfn(*mapped_entry()) != page_to_pfn(buffer))
		pr_err("mapped: somebody has mapped something else\n");
	set_pte(mapped_entry(), found);
	on_each_cpu(mapped_forget, NULL, true);
	__free_page(buffer);
}

module_init(mapped_init);
module_exit(mapped_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A buffer in the way of the PEBS buffer, of pmuctl's tests");
