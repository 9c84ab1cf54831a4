/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The debug store area of a CPU, for whoever has pages for its buffer.
 */
#ifndef PMUCTL_DS_H
#define PMUCTL_DS_H

struct page;

/* With the module. */
int pmuctl_ds_init(void);
void pmuctl_ds_exit(void);

/* NULL, or why this kernel's layout leaves no room for nr pages. */
const char *pmuctl_ds_refusal(unsigned int cpu, unsigned int nr);
/* On the CPU, IRQs off, its PMU taken: so many pages in a row. */
void pmuctl_ds_set_up(struct page *pages, unsigned int nr);
void pmuctl_ds_take_down(unsigned int nr);

#endif
