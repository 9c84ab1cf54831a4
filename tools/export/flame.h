/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flame graph as an SVG file that brings its own script and needs nothing else.
 */
#ifndef PMUCTL_FLAME_H
#define PMUCTL_FLAME_H

#include "tools/samples/stacks.h"

/* What makes a graph live: the function flameGraph(svg). */
extern const char flame_script[];

enum flame_form {
	FLAME_FILE,
	FLAME_PART,	/* an element of a page, which has the script */
};

/* event's samples of stacks by function; title: the file's name. -ENOMEM. */
int flame_svg(const struct stacks *s, uint32_t event, const char *title, enum flame_form form,
	      FILE *out);

/* A colour, and what it means. */
struct flame_key {
	unsigned int hue, saturation, lightness;
	const char *name;
};

/* How a tree is shown.  What can fail returns 0 or -ENOMEM; texts of others' go by put_xml(). */
struct flame_look {
	enum flame_form form;
	const struct flame_key *keys;
	size_t keys_count;
	const char *widths;	/* what they are: "width: events" */
	int (*title)(const void *data, FILE *out);
	/* Of a node: how wide its box is, beside that of the root; hsl(...); a line about it. */
	double (*weight)(const void *data, uint32_t node);
	void (*colour)(const void *data, uint32_t node, FILE *out);
	int (*about)(const void *data, uint32_t node, FILE *out);
};

/* A tree of stacks, of which nodes and frames alone are looked at. */
int flame_draw(const struct stacks *s, uint32_t root, const struct flame_look *look,
	       const void *data, FILE *out);

struct flame_args {
	uint32_t event;		/* INDEX_NONE: the first that has samples */
	bool inlined;
	const struct filter_args *filter;
};

/* For a subcommand cmd: the flame graph of data into a file; complains, returns the exit code. */
int flame_write(const char *cmd, struct pmuctl *ctx, struct pmuctl_data *data,
		const struct flame_args *args, const char *title, const char *path);

#endif
