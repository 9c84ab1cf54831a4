/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of costs on this processor, and what a user knows better: of cost and cpi.
 */
#ifndef PMUCTL_FIGURES_H
#define PMUCTL_FIGURES_H

#include "lib/pmuctl.h"
#include "tools/base/options.h"

struct cost_figure {
	struct pmuctl_cost cost;	/* cycles and source may be the user's */
	bool given;
	char *own;		/* the name of a row that the user made; NULL: of others */
};

struct cost_figures {
	struct cost_figure *list;
	size_t count;
	char why_not[256];	/* "": they are known for this processor */
};

#define COST_GIVEN "given"

/* EVENT=N, into a struct option_list, if it is that. */
int take_figure(const struct option_use *use);
/*
 * Those of the processor, and in place of them the user's.  A user's event that is no row's
 * becomes one.  0, or the exit code.
 */
int figures_read(struct pmuctl *ctx, const char *cmd, const struct option_list *given,
		 struct cost_figures *figures);
void figures_free(struct cost_figures *figures);
/* Of this name, of a row or of its event, without modifiers; NULL: there is none. */
const struct cost_figure *figures_named(const struct cost_figures *figures, const char *name,
					size_t len);
/* The one that is counted by the same registers, whatever it is called; NULL: none. */
const struct cost_figure *figures_of_event(struct pmuctl *ctx, const struct cost_figures *figures,
					   const struct pmuctl_event *event);

#endif
