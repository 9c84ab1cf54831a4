/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files that read perf.data share: the open file, its records, and
 * what was where in which process at what time.
 */
#ifndef LIBPMUCTL_DATA_H
#define LIBPMUCTL_DATA_H

#include <linux/perf_event.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/build_id.h"
#include "lib/pmuctl.h"

/* A piece of a file that says itself where it is and how long. */
struct data_section {
	uint64_t offset;
	uint64_t size;
};

/* One event, and how its records are laid out. */
struct data_event {
	struct perf_event_attr attr;
	struct data_section ids;
	/* Words of each of its samples, see data_lay_out(). */
	uint32_t head;		/* up to its period */
	uint32_t whole;		/* all; 0: not all have as many, or no ip, task or time */
	/* If all have as many: where in a record the ip is, behind it the task and the time... */
	uint32_t ip;
	uint32_t cpu, period;	/* ...and these; 0: they have none */
};

/* perfdata/ids.c: ids of perf events, to numbers of events. */
struct data_ids {
	uint64_t *ids;
	uint32_t *events;	/* + 1; 0: the slot is free */
	size_t slots, count;
};

/* What counters had at a sample, as PERF_SAMPLE_READ has it; count 0: nothing. */
struct data_values {
	const uint64_t *at;
	size_t count;
	unsigned int words;	/* of each */
	unsigned int id;	/* the word that has it; 0: none */
};

/* strings.c: each text once. */
struct strings {
	struct strings_chunk *chunks;
	const char **slots;
	size_t room, count;
};

struct maps;
struct comms;
struct look;
struct dsos;
struct file_id;
struct owner;

/* A file of records and nothing else. */
struct data_part {
	int fd;
	uint64_t size;
};

/* Where files of code are looked for; strings are the data's own, NULL: as usual. */
struct data_where {
	char *symfs, *kallsyms, *vmlinux;
	bool download;		/* files that are not here as well */
	pmuctl_progress_fn *progress;
	void *progress_data;
	pmuctl_reading_fn *reading;
	void *reading_data;
};

#define DATA_SPLITS 63

struct pmuctl_data {
	struct pmuctl *ctx;
	struct data_where where;
	char *path;
	int fd;
	uint64_t file_size;
	int64_t written;	/* last, in seconds since 1970 */
	struct data_section records;
	uint64_t features[4];
	uint64_t features_at;
	bool closed;		/* by its writer, who filled in the header */
	bool timed;		/* records have times; else the place in the file is one */
	uint32_t id_at;		/* word of a sample that says of which event it is; 0: of one */
	struct data_event *events;
	struct pmuctl_data_event *described;	/* the same, for our user */
	size_t events_count;
	struct data_ids ids;
	uint64_t *values;	/* that counters had last, by place in `ids`; NULL: none are told */
	struct pmuctl_data_info info;
	uint64_t first_time;	/* as the header has it; 0: it has none */
	uint64_t lost_records, lost_sideband, lost_samples;
	struct strings strings;
	struct maps *maps;
	struct comms *comms;
	struct dsos *dsos;
	struct look *look;
	bool directory;
	struct data_part *parts;	/* of a directory, beside the file itself */
	size_t parts_count;
	uint32_t *cores;	/* of each CPU; NULL: not known; features.c */
	struct owner *owners;	/* users of processes, as far as they are known */
	size_t owners_count;
	bool piped;		/* what is else in the header is in records */
	uint8_t *build_ids;	/* records of them, as they came */
	size_t build_ids_size, build_ids_room;
	struct pmuctl_data_cut *cuts;	/* chains that were unwound and cut, by reason and DSO */
	size_t cuts_count, cuts_room;
	uint64_t unwound;	/* chains */
	/* Where records begin, so far apart that it can be read in parts. */
	uint64_t splits[DATA_SPLITS], next_split;
	size_t splits_count;
	bool packed;		/* there was a compressed record */
	pthread_mutex_t lock;	/* see look.c */
};

/* perfdata/data.c */
void data_set_place(struct pmuctl_data *data, uint64_t offset);
/* Sees each sample before it is given, and may change it; not 0 ends the walk. */
typedef int data_amend_fn(void *amend_data, struct pmuctl_data_sample *sample);
/* pmuctl_data_samples(); amend may be NULL. */
int data_samples_with(struct pmuctl_data *data, data_amend_fn *amend, void *amend_data,
		      pmuctl_data_sample_fn *fn, void *fn_data);
/* perfdata/file.c */
/* -EBADMSG with the name of the file, and where in it. */
__attribute__((format(printf, 3, 4))) int data_bad(struct pmuctl_data *data, uint64_t offset,
						   const char *fmt, ...);
/* -EOPNOTSUPP: a file that is in order, but not for us. */
int data_refuse(struct pmuctl_data *data, const char *why);
int data_no_memory(struct pmuctl_data *data);
/* All of it, or -EBADMSG: the file ends before. */
int data_pread(struct pmuctl_data *data, void *to, size_t size, uint64_t offset);
/* Makes room for one more of `size` bytes; NULL: no memory, and the array stays. */
void *data_grow(void *array, size_t *room, size_t count, size_t size);
/*
 * How many of an array, whose members begin with a uint64_t and are sorted by it, have one that is
 * not above; the last of these is the one before.
 */
static inline size_t data_begun(const void *array, size_t count, size_t size, uint64_t at)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (*(const uint64_t *)(const void *)((const char *)array + mid * size) <= at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* perfdata/header.c: the header, the events, their ids; of a piped file what it is. */
int data_read_header(struct pmuctl_data *data);
/* Events that are in data->events already. */
int data_describe_events(struct pmuctl_data *data);
/* perfdata/pipe.c: the same of a file that was written to a pipe. */
int data_read_piped_header(struct pmuctl_data *data);
/* perfdata/directory.c: the file and the parts of a directory; -errno with words. */
struct stat;
int data_open_directory(struct pmuctl_data *data, int dir, struct stat *st);
void data_close_parts(struct pmuctl_data *data);
/* A descriptor of all that comes out of this one, which is no file; -errno. */
int data_spool(int fd);
const char *data_spool_dir(void);
/* perfdata/features.c: what stands behind the records. */
int data_read_features(struct pmuctl_data *data);
/* The same of a record that is one; -EBADMSG without words. */
int data_read_feature(struct pmuctl_data *data, const struct perf_event_header *record);
/* A record of a build-id is kept, and used once every DSO has its name; -ENOMEM. */
int data_keep_build_id(struct pmuctl_data *data, const struct perf_event_header *record);
void data_give_build_ids(struct pmuctl_data *data);
/* perfdata/names.c: what an event without a name would be called. */
void data_name_event(const struct perf_event_attr *attr, char *name, size_t size);
/* perfdata/sideband.c: everything but samples, and how many samples there are. */
int data_read_sideband(struct pmuctl_data *data);
/* Behind that and the features. */
void data_sum_lost(struct pmuctl_data *data);

/* perfdata/sums.c: pmuctl_data_sums(), with at most so many samples in one sum. */
int data_sums(struct pmuctl_data *data, const struct pmuctl_data_sums_options *options,
	      uint32_t most, pmuctl_data_sum_fn *fn, void *fn_data);

/* perfdata/records.c: one record after the other. */
struct data_reader {
	struct pmuctl_data *data;
	uint8_t *buffer;
	size_t filled, used;
	uint64_t offset;	/* in the file, of what is in the buffer */
	uint64_t left;		/* bytes of records that are not in the buffer yet */
	/* Of the record that was last given: in the file, as if no record were compressed. */
	uint64_t at;
	uint64_t before;	/* bytes that came before what is in this file */
	uint64_t taken;		/* bytes of records that were read or passed over, of all files */
	uint64_t all;		/* ... that there are */
	int fd;
	size_t part;		/* the next one to be read */
	struct unpacking *unpacking;	/* NULL: there was no compressed record yet */
	unsigned int parts;	/* that are read at once, of which it is told here how far */
};

int data_reader_open(struct data_reader *reader, struct pmuctl_data *data);
/* Only one of so many parts, which are about as large; 0 is the one that tells how far it is. */
void data_reader_limit(struct data_reader *reader, size_t number, size_t count);
/* Where a record begins, while all of them are read: it may become the first of a part. */
void data_note_split(struct pmuctl_data *data, uint64_t at);
/* Whether its samples can be read in parts: each by itself, and as they are in the file. */
bool data_can_split(const struct pmuctl_data *data);
void data_reader_close(struct data_reader *reader);
/* 1: a whole record, until the next call; 0: no more of them; or -EBADMSG. */
int data_reader_next(struct data_reader *reader, const struct perf_event_header **record);

/* The place of the next record. */
static inline uint64_t data_reader_place(const struct data_reader *reader)
{
	return reader->offset + reader->used + reader->before;
}

/* perfdata/zstd.c: a compressed record; before the next is given, all that is in it is taken. */
int data_unpack(struct data_reader *reader, const struct perf_event_header *record);
/* 1: a record out of it; 0: no more. */
int data_unpacked_next(struct data_reader *reader, const struct perf_event_header **record);
/* At the end of the file: a record was cut. */
bool data_unpack_left(const struct data_reader *reader);
void data_unpack_end(struct data_reader *reader);

/*
 * Of every record, whose place is reader->at, but for what it takes itself in a run; what it
 * returns ends the walk if not 0.
 */
typedef int data_record_fn(void *fn_data, struct data_reader *reader,
			   const struct perf_event_header *record);
int data_each_record(struct pmuctl_data *data, data_record_fn *fn, void *fn_data);

/* perfdata/sample.c: -EBADMSG without words, or -ENOENT: of an event that is not in the file. */
int data_parse_sample(const struct pmuctl_data *data, const struct perf_event_header *record,
		      uint64_t offset, struct pmuctl_data_sample *sample,
		      struct data_values *values);
/* Of samples of this event, once its attributes are known. */
void data_lay_out(struct data_event *event);
/* Where ids are in samples, once all events are known. */
void data_find_id(struct pmuctl_data *data);

static inline bool data_is_guest(unsigned int mode)
{
	return mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER ||
	       mode == PERF_RECORD_MISC_HYPERVISOR;
}

/*
 * A run: samples in the buffer of a reader one behind the other, whose fields are where their
 * event says, so that nothing has to be parsed.  Any other record ends it.
 */
struct data_run {
	const struct pmuctl_data *data;
	const uint64_t *at, *end;	/* the next record, and what is in the buffer */
	uint64_t id;			/* of the last one */
	uint32_t event;			/* its event */
	const struct data_event *layout;	/* ... and what is known of it; NULL: none yet */
};

/* Begins at what is in the buffer now; data_run_end() behind it. */
void data_run_begin(struct data_run *run, const struct data_reader *reader);
void data_run_end(const struct data_run *run, struct data_reader *reader);
/* Another event's; false: the run is at its end. */
bool data_run_turn(struct data_run *run, uint64_t id);

/* The next sample, as words of which the first is its header; NULL: the run is at its end. */
static inline const uint64_t *data_run_next(struct data_run *run)
{
	const uint64_t *at = run->at;
	const struct perf_event_header *h = (const void *)at;
	size_t words, id_at = run->data->id_at;

	if (at >= run->end || h->type != PERF_RECORD_SAMPLE)
		return NULL;
	words = h->size / 8;
	if (h->size % 8 || words > (size_t)(run->end - at) || words <= id_at)
		return NULL;
	if ((!run->layout || (id_at && at[id_at] != run->id)) && !data_run_turn(run, at[id_at]))
		return NULL;
	if (words <= run->layout->whole)
		return NULL;
	run->at += words;
	return at;
}

/* perfdata/values.c: before the first sample of the file; -ENOMEM. */
int data_values_begin(struct pmuctl_data *data);
/* The sample, or one for each event that its values say something new of. */
int data_give_sample(struct pmuctl_data *data, struct pmuctl_data_sample *sample,
		     const struct data_values *values, pmuctl_data_sample_fn *fn, void *fn_data);
/* Whether records of events with these sample types have their ids at the same places. */
bool data_same_id_place(uint64_t type, uint64_t other);
/* What follows a record that is none: of which event, when, and who. */
struct data_trailer {
	uint32_t event;
	uint64_t time;
	size_t size;
};

int data_parse_trailer(const struct pmuctl_data *data, const struct perf_event_header *record,
		       uint64_t offset, struct data_trailer *trailer);

/* perfdata/ids.c */
int data_ids_add(struct data_ids *ids, uint64_t id, uint32_t event);
/* -1: there is no such id. */
int64_t data_ids_find(const struct data_ids *ids, uint64_t id);
/* Below `slots`, of its own; -1: there is no such id. */
int64_t data_ids_place(const struct data_ids *ids, uint64_t id);
void data_ids_free(struct data_ids *ids);

/* strings.c: NULL: no memory.  Valid until all are freed. */
const char *strings_add(struct strings *strings, const char *text, size_t len);
/* Of so many characters, another time if it is there already: many are, and none is looked for. */
const char *strings_keep(struct strings *strings, const char *text, size_t len);
void strings_free(struct strings *strings);

/* maps.c */
#define MAPS_KERNEL UINT32_MAX	/* the process that stands for the kernel */

struct map {
	uint64_t start, end;
	uint64_t offset;	/* of start, in the file */
	uint32_t dso;
	bool as_it_is;		/* addresses of the DSO are those of the process */
};

struct maps *maps_new(void);
void maps_free(struct maps *maps);
/*
 * Where in the file we are: what happened at one time happened in its order.
 * UINT64_MAX, as at first: behind all that was said.
 */
void maps_set_place(struct maps *maps, uint64_t offset);
/* These tell what happened, in the order of the file; -ENOMEM. */
int maps_add(struct maps *maps, uint32_t pid, uint64_t time, const struct map *map);
int maps_fork(struct maps *maps, uint32_t pid, uint32_t parent, uint64_t time);
int maps_exec(struct maps *maps, uint32_t pid, uint64_t time);
/* Then all that happened can be looked up; after more has happened it is called again. */
int maps_finish(struct maps *maps);
/*
 * What is known by now stays as far as it is needed from now on: of processes that are there what
 * they have mapped, by themselves or from their parents.  Does nothing until that is worth it.
 */
void maps_forget(struct maps *maps, bool (*gone)(uint32_t pid));
/* The number of the life, from a fork or an exec on, that a process then had; 0: none is known. */
uint32_t maps_image(const struct maps *maps, uint32_t pid, uint64_t time);
/* NULL: nothing was there. */
const struct map *maps_find(const struct maps *maps, uint32_t pid, uint64_t time,
			    uint64_t address);
/*
 * What is at an address, and as far as the same is at all of them: from start on and below end,
 * later than `after` and earlier than `before`.
 */
struct maps_spell {
	uint64_t start, end;
	uint64_t after, before;
	const struct map *map;	/* NULL: nothing */
};

/* number: instead of what maps_set_place() said. */
void maps_find_spell(const struct maps *maps, uint32_t pid, uint64_t time, uint64_t number,
		     uint64_t address, struct maps_spell *spell);
/* The code from which the kernel was entered: also what an exec replaces, where nothing else is. */
const struct map *maps_find_entry(const struct maps *maps, uint32_t pid, uint64_t time,
				  uint64_t ip);
/*
 * The first of those that were there in turn, all of one DSO: as it was before the kernel
 * joined it with its neighbours.
 */
const struct map *maps_find_first(const struct maps *maps, uint32_t pid, uint64_t time,
				  uint64_t address);

/* comms.c */
struct comms *comms_new(void);
void comms_free(struct comms *comms);
void comms_set_place(struct comms *comms, uint64_t offset);
int comms_set(struct comms *comms, uint32_t tid, uint64_t time, const char *name);
int comms_fork(struct comms *comms, uint32_t tid, uint32_t parent, uint64_t time);
int comms_finish(struct comms *comms);
/* Likewise: the last name of each task that is there. */
void comms_forget(struct comms *comms, bool (*gone)(uint32_t tid));
/* NULL: nobody said. */
const char *comms_find(const struct comms *comms, uint32_t tid, uint64_t time);
/* The same at all times later than *after and earlier than *before. */
const char *comms_find_spell(const struct comms *comms, uint32_t tid, uint64_t time,
			     uint64_t number, uint64_t *after, uint64_t *before);

/* look.c: what was looked up last, so that it is not looked up again. */
struct look *look_new(void);
void look_free(struct look *look);
/* More has happened, or some of it is forgotten. */
void look_forget(struct look *look);
/* As maps_set_place() and comms_set_place() do. */
void look_set_place(struct look *look, uint64_t offset);
/* Where an address is, as pmuctl_data_place() has it, and pmuctl_data_comm(). */
void look_place(struct pmuctl_data *data, struct look *look, uint32_t pid, uint64_t time,
		uint64_t ip, struct pmuctl_place *place);
const char *look_comm(struct pmuctl_data *data, struct look *look, uint32_t tid, uint64_t time);

/* dsos.c */
struct dsos *dsos_new(struct pmuctl_data *data);
void dsos_free(struct dsos *dsos);
/* The number of a DSO, new or not; -ENOMEM. */
int dsos_add(struct dsos *dsos, const char *name, const struct build_id *id, uint32_t *dso);
/* Without a build-id the file tells those of one name apart. */
int dsos_add_file(struct dsos *dsos, const char *name, const struct build_id *id,
		  const struct file_id *file, uint32_t *dso);
/* That a process has it mapped; code: as code, from there in the file on. */
void dsos_set_mapped(struct dsos *dsos, uint32_t dso, uint32_t pid, bool code, uint64_t offset);
/* Of the one that has this name and no build-id of its own; if there are several, of none. */
void dsos_set_build_id(struct dsos *dsos, const char *name, const struct build_id *id);
/* Where the kernel's _text was, and a module's start. */
void dsos_set_kernel(struct dsos *dsos, uint64_t text);
void dsos_set_module(struct dsos *dsos, uint32_t dso, uint64_t start);
/* It is one function of so many bytes, whose name it has. */
void dsos_set_whole(struct dsos *dsos, uint32_t dso, uint32_t size);
const char *dsos_name(const struct dsos *dsos, uint32_t dso);
/* The address that a DSO's symbol table has for what is at this offset of its file. */
uint64_t dsos_address(struct dsos *dsos, uint32_t dso, uint64_t offset);
/* The same, and from *start on and below *end offsets are as far from their addresses. */
uint64_t dsos_address_spell(struct dsos *dsos, uint32_t dso, uint64_t offset, uint64_t *start,
			    uint64_t *end);
uint64_t dsos_offset(struct dsos *dsos, uint32_t dso, uint64_t address);
/* code/code.h */
struct dso *dsos_get(struct dsos *dsos, uint32_t dso);

#define DSO_KERNEL	"[kernel.kallsyms]"
#define DSO_VDSO	"[vdso]"
#define DSO_VDSO32	"[vdso32]"	/* of a process of 32 bits */
#define DSO_ANON	"//anon"

#endif
