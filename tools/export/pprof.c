// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pprof's format: profile.proto of github.com/google/pprof, gzipped.
 *
 * Each stack of addresses is a sample with the number of samples and, for every
 * event of the file, of events; the command, its process and thread are its labels.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "tools/base/clean.h"
#include "tools/export/export.h"
#include "tools/export/proto.h"

/* Digits of the longest that perf.data has, and the end. */
#define BUILD_ID_TEXT 41

enum profile_field {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION,
	PROFILE_FUNCTION, PROFILE_STRING,
	PROFILE_TIME = 9, PROFILE_DURATION, PROFILE_PERIOD_TYPE, PROFILE_PERIOD,
	PROFILE_DEFAULT_TYPE = 14,
};

enum { VALUE_TYPE = 1, VALUE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT, LABEL_NUMBER, LABEL_UNIT };
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE,
       MAPPING_BUILD_ID, MAPPING_HAS_FUNCTIONS };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_NUMBER };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

/* Strings are named by number, in the order of their writing; these come first. */
enum fixed_string {
	STRING_EMPTY, STRING_COUNT, STRING_SAMPLES, STRING_COMM, STRING_NS, STRING_PID, STRING_TID,
	STRING_CPU, STRINGS_FIXED,
};

static const char *const fixed_strings[STRINGS_FIXED] = {
	"", "count", "samples", "comm", "nanoseconds", "pid", "tid", "cpu",
};

struct pprof {
	const struct stacks *s;
	gzFile out;
	struct proto field;	/* one of the profile's, with its number */
	struct proto message;	/* what it holds... */
	struct proto part;	/* ...and what that holds */
	uint32_t dsos;		/* numbers of them that frames have */
	char **files;		/* of each frame, its source; NULL: not known */
	int err;
};

/* The numbers of strings: events, frames, DSOs, their build-ids, source files of frames. */
static uint64_t event_string(uint32_t event)
{
	return STRINGS_FIXED + event;
}

static uint64_t frame_string(const struct pprof *p, uint32_t frame)
{
	return event_string(p->s->roots) + frame;
}

static uint64_t dso_string(const struct pprof *p, uint32_t dso)
{
	return frame_string(p, p->s->frames_count) + dso;
}

static uint64_t build_id_string(const struct pprof *p, uint32_t dso)
{
	return dso_string(p, p->dsos) + dso;
}

static uint64_t file_string(const struct pprof *p, uint32_t frame)
{
	return p->files[frame] ? build_id_string(p, p->dsos) + frame : STRING_EMPTY;
}

static void write_field(struct pprof *p)
{
	if (p->field.failed || p->message.failed || p->part.failed)
		p->err = -ENOMEM;
	errno = EIO;
	if (!p->err && gzwrite(p->out, p->field.bytes, p->field.size) != (int)p->field.size)
		p->err = -errno;
	proto_clear(&p->field);
	proto_clear(&p->message);
}

static void write_message(struct pprof *p, enum profile_field field)
{
	proto_part(&p->field, field, &p->message);
	write_field(p);
}

static void write_text(struct pprof *p, const char *text)
{
	proto_text(&p->field, PROFILE_STRING, text);
	write_field(p);
}

static void write_clean(struct pprof *p, const char *text)
{
	char *clean = clean_copy(text);

	if (clean)
		write_text(p, clean);
	else
		p->err = -ENOMEM;
	free(clean);
}

static void write_type(struct pprof *p, enum profile_field field, uint64_t string,
		       enum fixed_string unit)
{
	proto_number(&p->message, VALUE_TYPE, string);
	proto_number(&p->message, VALUE_UNIT, unit);
	write_message(p, field);
}

static void write_event_type(struct pprof *p, enum profile_field field, uint32_t event)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(p->s->data);

	write_type(p, field, event_string(event),
		   is_off_cpu(&info->events[event]) ? STRING_NS : STRING_COUNT);
}

/* What is not of the chosen event is left out of the columns, and what no sample is of. */
static bool is_chosen(const struct pprof *p, uint32_t event)
{
	if (p->s->only != INDEX_NONE)
		return p->s->only == event;
	return !only_tracks(&pmuctl_data_get_info(p->s->data)->events[event]);
}

/* The roots if there is none. */
static uint32_t first_chosen(const struct pprof *p)
{
	uint32_t event;

	for (event = 0; event < p->s->roots && !is_chosen(p, event); event++)
		;
	return event;
}

static void write_types(struct pprof *p)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(p->s->data);
	uint32_t event, first = first_chosen(p);

	write_type(p, PROFILE_SAMPLE_TYPE, STRING_SAMPLES, STRING_COUNT);
	for (event = 0; event < p->s->roots; event++)
		if (is_chosen(p, event))
			write_event_type(p, PROFILE_SAMPLE_TYPE, event);
	proto_number(&p->field, PROFILE_TIME, info->began);
	proto_number(&p->field, PROFILE_DURATION, info->duration);
	write_field(p);
	if (first >= p->s->roots)
		return;
	write_event_type(p, PROFILE_PERIOD_TYPE, first);
	proto_number(&p->field, PROFILE_PERIOD, info->events[first].period);
	proto_number(&p->field, PROFILE_DEFAULT_TYPE, event_string(first));
	write_field(p);
}

static void write_strings(struct pprof *p)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(p->s->data);
	char id[BUILD_ID_TEXT];
	uint32_t i;

	for (i = 0; i < STRINGS_FIXED; i++)
		write_text(p, fixed_strings[i]);
	for (i = 0; i < p->s->roots; i++)
		write_clean(p, info->events[i].name);
	for (i = 0; i < p->s->frames_count; i++)
		write_text(p, p->s->frames[i].name);
	for (i = 0; i < p->dsos; i++)
		write_clean(p, pmuctl_data_dso(p->s->data, i));
	for (i = 0; i < p->dsos; i++)
		write_text(p, pmuctl_data_build_id(p->s->data, i, id, sizeof(id)) ? "" : id);
	for (i = 0; i < p->s->frames_count; i++)
		write_text(p, p->files[i] ? p->files[i] : "");
}

/* Addresses are those of the DSO's own symbol table: it is as if loaded at 0. */
static void write_mapping(struct pprof *p, uint32_t dso)
{
	char id[BUILD_ID_TEXT];

	proto_number(&p->message, MAPPING_ID, dso);
	proto_number(&p->message, MAPPING_LIMIT, UINT64_MAX);
	proto_number(&p->message, MAPPING_FILE, dso_string(p, dso));
	if (!pmuctl_data_build_id(p->s->data, dso, id, sizeof(id)))
		proto_number(&p->message, MAPPING_BUILD_ID, build_id_string(p, dso));
	proto_number(&p->message, MAPPING_HAS_FUNCTIONS, 1);
	write_message(p, PROFILE_MAPPING);
}

/* The first one is taken for the program: what is no file, like the kernel, comes last. */
static void write_mappings(struct pprof *p)
{
	uint32_t i;

	for (i = 1; i < p->dsos; i++)
		if (*pmuctl_data_dso(p->s->data, i) == '/')
			write_mapping(p, i);
	for (i = 1; i < p->dsos; i++)
		if (*pmuctl_data_dso(p->s->data, i) != '/')
			write_mapping(p, i);
}

static void write_functions(struct pprof *p)
{
	uint32_t i;

	for (i = 0; i < p->s->frames_count; i++) {
		if (p->s->frames[i].kind == FRAME_COMM)
			continue;
		proto_number(&p->message, FUNCTION_ID, i + 1);
		proto_number(&p->message, FUNCTION_NAME, frame_string(p, i));
		proto_number(&p->message, FUNCTION_SYSTEM_NAME, frame_string(p, i));
		proto_number(&p->message, FUNCTION_FILE, file_string(p, i));
		write_message(p, PROFILE_FUNCTION);
	}
}

/* Of one frame of the spot's, and also keeps the file for its function. */
static unsigned int find_line(struct pprof *p, const struct spot *spot, size_t frame,
			      uint32_t function)
{
	char **kept = &p->files[function];
	const struct pmuctl_inlined *inlined = NULL;
	const char *file = NULL;
	unsigned int line = 0;

	if (frame)
		pmuctl_data_inlined(p->s->data, &spot->place, &inlined);
	inlines_line(p->s->data, &spot->place, inlined, frame, &file, &line);
	if (!file)
		return 0;
	if (!*kept)
		*kept = clean_copy(file);
	if (!*kept)
		p->err = -ENOMEM;
	return line;
}

/* What was inlined comes first, and the function itself last. */
static void put_line(struct pprof *p, const struct spot *spot, size_t frame)
{
	uint32_t function = frame < spot->inlined_count ? spot->inlined[frame] : spot->frame;

	proto_clear(&p->part);
	proto_number(&p->part, LINE_FUNCTION, function + 1);
	proto_number(&p->part, LINE_NUMBER, find_line(p, spot, frame, function));
	proto_part(&p->message, LOCATION_LINE, &p->part);
}

static void write_locations(struct pprof *p)
{
	const struct spot *spot;
	size_t frame;
	uint32_t i;

	for (i = 0; i < p->s->spots_count; i++) {
		spot = &p->s->spots[i];
		proto_number(&p->message, LOCATION_ID, i + 1);
		proto_number(&p->message, LOCATION_MAPPING, spot->place.dso);
		proto_number(&p->message, LOCATION_ADDRESS, spot->place.address);
		for (frame = 0; frame <= spot->inlined_count; frame++)
			put_line(p, spot, frame);
		write_message(p, PROFILE_LOCATION);
	}
}

/* Innermost first; the command, which has no spot, is what comes back: its labels are. */
static const struct node *put_locations(struct pprof *p, uint32_t node)
{
	const struct node *n = &p->s->nodes[node];

	proto_clear(&p->part);
	for (; n->spot != INDEX_NONE; n = &p->s->nodes[n->parent])
		proto_varint(&p->part, n->spot + 1);
	proto_part(&p->message, SAMPLE_LOCATIONS, &p->part);
	return n;
}

static void put_task(struct pprof *p, const struct task *task)
{
	/* A number that is 0 and has no unit is no label to pprof: of CPU 0 it is one. */
	const struct {
		enum fixed_string key, unit;
		uint32_t number;
	} labels[] = {
		{ STRING_PID, STRING_EMPTY, task->pid }, { STRING_TID, STRING_EMPTY, task->tid },
		{ STRING_CPU, STRING_CPU, task->cpu },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(labels); i++) {
		if (labels[i].number == UINT32_MAX)
			continue;
		proto_clear(&p->part);
		proto_number(&p->part, LABEL_KEY, labels[i].key);
		proto_number(&p->part, LABEL_NUMBER, labels[i].number);
		proto_number(&p->part, LABEL_UNIT, labels[i].unit);
		proto_part(&p->message, SAMPLE_LABEL, &p->part);
	}
}

static void write_sample(struct pprof *p, uint32_t event, uint32_t node)
{
	const struct node *n = &p->s->nodes[node];
	const struct node *command = put_locations(p, node);
	uint32_t i;

	proto_clear(&p->part);
	proto_varint(&p->part, n->samples);
	for (i = 0; i < p->s->roots; i++)
		if (is_chosen(p, i))
			proto_varint(&p->part, i == event ? n->events : 0);
	proto_part(&p->message, SAMPLE_VALUES, &p->part);
	proto_clear(&p->part);
	proto_number(&p->part, LABEL_KEY, STRING_COMM);
	proto_number(&p->part, LABEL_TEXT, frame_string(p, command->frame));
	proto_part(&p->message, SAMPLE_LABEL, &p->part);
	if (command->task != INDEX_NONE)
		put_task(p, &p->s->tasks[command->task]);
	write_message(p, PROFILE_SAMPLE);
}

static void write_samples(struct pprof *p)
{
	uint32_t event, node;

	for (event = 0; event < p->s->roots && !p->err; event++)
		for (node = event; node != INDEX_NONE && !p->err;
		     node = stacks_next(p->s, event, node))
			if (p->s->nodes[node].samples)
				write_sample(p, event, node);
}

static void write_profile(struct pprof *p)
{
	write_types(p);
	write_samples(p);
	write_mappings(p);
	write_locations(p);
	write_functions(p);
	write_strings(p);
}

static gzFile open_gzip(FILE *out)
{
	int fd = dup(fileno(out));
	gzFile gzip = fd < 0 ? NULL : gzdopen(fd, "wb");

	if (!gzip && fd >= 0)
		close(fd);
	return gzip;
}

int export_pprof(const struct stacks *s, const struct export_options *options, FILE *out)
{
	struct pprof p = { .s = s, .out = open_gzip(out) };
	uint32_t i;

	(void)options;	/* the format has no place for a title */
	p.files = calloc(s->frames_count + 1, sizeof(*p.files));
	if (!p.out || !p.files)
		p.err = -ENOMEM;
	for (i = 0; i < s->frames_count; i++)
		if (s->frames[i].dso >= p.dsos)
			p.dsos = s->frames[i].dso + 1;
	if (!p.err)
		write_profile(&p);
	errno = EIO;
	if (p.out && gzclose(p.out) != Z_OK && !p.err)
		p.err = -errno;
	for (i = 0; p.files && i < s->frames_count; i++)
		free(p.files[i]);
	free(p.files);
	proto_free(&p.field);
	proto_free(&p.message);
	proto_free(&p.part);
	return p.err;
}
