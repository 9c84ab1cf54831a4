// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The JSON of speedscope.app: a sampled profile an event, whose weights are events.
 *
 * Written as it goes, not through a tree of JSON values: a file has many stacks.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/clean.h"
#include "tools/export/export.h"

#ifndef PMUCTL_VERSION
#define PMUCTL_VERSION "0.1"
#endif

static int print_clean(FILE *out, const char *text)
{
	char *clean = clean_copy(text);

	if (!clean)
		return -ENOMEM;
	put_json(out, clean);
	free(clean);
	return 0;
}

static int print_frames(const struct stacks *s, FILE *out)
{
	uint32_t i;

	for (i = 0; i < s->frames_count; i++) {
		fputs(i ? ",\n{\"name\":" : "\n{\"name\":", out);
		put_json(out, s->frames[i].name);
		if (s->frames[i].kind != FRAME_COMM) {
			fputs(",\"file\":", out);
			if (print_clean(out, pmuctl_data_dso(s->data, s->frames[i].dso)))
				return -ENOMEM;
		}
		fputc('}', out);
	}
	return 0;
}

static void print_stack(const struct stacks *s, uint32_t node, uint32_t *path, FILE *out)
{
	uint32_t depth = 0;

	for (; s->nodes[node].parent != INDEX_NONE; node = s->nodes[node].parent)
		path[depth++] = s->nodes[node].frame;
	while (depth--)
		fprintf(out, "%" PRIu32 "%s", path[depth], depth ? "," : "");
}

static void print_stacks(const struct stacks *s, uint32_t root, uint32_t *path, FILE *out)
{
	const char *comma = "";
	uint32_t node;

	for (node = root; node != INDEX_NONE; node = stacks_next(s, root, node)) {
		if (!s->nodes[node].samples)
			continue;
		fprintf(out, "%s\n[", comma);
		print_stack(s, node, path, out);
		fputc(']', out);
		comma = ",";
	}
}

static void print_weights(const struct stacks *s, uint32_t root, FILE *out)
{
	const char *comma = "";
	uint32_t node;

	for (node = root; node != INDEX_NONE; node = stacks_next(s, root, node)) {
		if (!s->nodes[node].samples)
			continue;
		fprintf(out, "%s%" PRIu64, comma, s->nodes[node].events);
		comma = ",";
	}
}

static int print_profile(const struct stacks *s, uint32_t root, uint32_t *path, FILE *out)
{
	const struct pmuctl_data_event *event = &pmuctl_data_get_info(s->data)->events[root];

	fputs("\n{\"type\":\"sampled\",\"name\":", out);
	if (print_clean(out, event->name))
		return -ENOMEM;
	fprintf(out, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRIu64 ",\n\"samples\":[",
		is_off_cpu(event) ? "nanoseconds" : "none", s->nodes[root].all_events);
	print_stacks(s, root, path, out);
	fputs("],\n\"weights\":[", out);
	print_weights(s, root, out);
	fputs("]}", out);
	return 0;
}

static int print_profiles(const struct stacks *s, FILE *out)
{
	uint32_t *path = malloc((s->nodes_count + 1) * sizeof(*path));
	const char *comma = "";
	uint32_t root;
	int err = path ? 0 : -ENOMEM;

	for (root = 0; !err && root < s->roots; root++) {
		if (!s->nodes[root].all_samples)
			continue;
		fputs(comma, out);
		err = print_profile(s, root, path, out);
		comma = ",";
	}
	free(path);
	return err;
}

int export_speedscope(const struct stacks *s, const struct export_options *options, FILE *out)
{
	int err;

	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\":\"pmuctl@" PMUCTL_VERSION "\",\"activeProfileIndex\":0,\"name\":", out);
	err = print_clean(out, options->title);
	if (err)
		return err;
	fputs(",\n\"shared\":{\"frames\":[", out);
	err = print_frames(s, out);
	if (err)
		return err;
	fputs("]},\n\"profiles\":[", out);
	err = print_profiles(s, out);
	fputs("]}\n", out);
	return err;
}
