/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writing perf.data: what the parts of the writer share.
 */
#ifndef LIBPMUCTL_DUMP_H
#define LIBPMUCTL_DUMP_H

#include <linux/perf_event.h>
#include <time.h>

#include "lib/base/build_id.h"
#include "lib/code/file_id.h"
#include "lib/code/perf_features.h"
#include "lib/session/session.h"

/* What every reader of perf.data knows, of struct perf_event_attr. */
#define DUMP_ATTR_SIZE PERF_ATTR_SIZE_VER5
/* Ids of our own; those of the kernel's events are small numbers. */
#define DUMP_ID_BASE 0x706d750000000000ull

/* A PERF_RECORD_MMAP2 up to the name. */
struct mmap2 {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, length, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t prot, flags;
};

/* Behind every record but a sample: what sample_id_all says. */
struct dump_trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, pad;
	uint64_t id;
};

/* Grows; bytes are valid until the next call. */
struct dump_buffer {
	unsigned char *bytes;
	size_t used, room;
};

/* How one event's samples go to the file. */
struct dump_event {
	const char *name;
	struct perf_event_attr attr;
	uint64_t id;
	/* enum pmuctl_content bits: in the module's records by kind of core, and in the file. */
	uint64_t content_of[PMUCTL_KINDS_MAX], content;
	uint64_t lost;		/* samples that its records tell of */
	/* Others that mean it, in samples or in records of the kernel's; own_ids: to be freed. */
	const uint64_t *ids;
	size_t nr_ids;
	uint64_t *own_ids;
	struct dump_group *group;	/* whose counts its samples have, or NULL */
};

/* Of processes that have code of their own making. */
struct dump_owners {
	struct owner *list;
	size_t count;
	size_t old;		/* of them, that a file before this one had */
};

struct carry;
struct dump_files;
struct dump_group;
struct offcpu;
struct sideband;
struct dump_poll;

struct pmuctl_dump {
	struct pmuctl *ctx;
	struct pmuctl_session *session;
	int fd;
	int poll_fd;		/* an epoll instance */
	struct pmuctl_dump_info info;
	uint64_t data_at;	/* where records begin */
	uint64_t began, ended_at;	/* what time it is of, CLOCK_MONOTONIC in ns */
	time_t said_at;		/* when the header was told how many there are */

	/* The session's, then those of waits if they are recorded, then the dummy. */
	struct dump_event *events;
	size_t nr_events;	/* all of them */

	struct sideband *sideband;	/* of the dummy; NULL: the kernel refuses it */
	struct offcpu *offcpu;	/* NULL: waits are not recorded */
	struct dump_files *files;
	struct dump_owners owners;
	struct dump_poll *poll;
	struct carry *carry;	/* NULL: no file follows this one */
	struct dump_buffer samples;	/* of the session, in the file's form */
	struct dump_buffer tasks;	/* about tasks; written first */
	const char **command;
	/* Samples that are to be made certain; so many of them are in the file. */
	struct uncertain *uncertain;
	size_t nr_uncertain, uncertain_room, nr_placed;
	/* LBRs of this CPU say what was mispredicted, and what kind of branch each is. */
	bool branch_flags, branch_kinds;
	bool mapped_data;	/* data addresses want mappings of data */
	bool delayed;		/* hardware buffers may hold older samples back */
	bool piped;		/* nothing that was written can be changed */
	bool live;		/* and nobody reads it later */
	bool ended;
	bool broken;		/* the file could not be written: no more of it */
};

/* record/buffer.c: NULL without memory. */
void *dump_room(struct dump_buffer *buffer, size_t size);
int dump_append(struct dump_buffer *buffer, const void *bytes, size_t size);
/* All ids of the event, its own first. */
int dump_append_ids(struct dump_buffer *to, const struct dump_event *e);
/* With its length in front and zeroes behind, as perf's feature sections have texts. */
int dump_append_text(struct dump_buffer *buffer, const char *text);
/* A record about tasks: its trailer, and its size in `size`, are filled in. */
struct dump_trailer dump_trailer_of(const struct pmuctl_dump *d, uint32_t pid, uint32_t tid,
				    uint64_t time);

/* record/attr.c */
int dump_make_events(struct pmuctl_dump *d, const struct pmuctl_dump_options *options);
struct dump_event *dump_dummy(struct pmuctl_dump *d);
/* Waits of threads that slept, and of such as were ready to run; where waits are recorded. */
struct dump_event *dump_sleeping(struct pmuctl_dump *d);
struct dump_event *dump_preempted(struct pmuctl_dump *d);

/* record/group.c: of events whose samples have the counts of their group. */
int dump_make_groups(struct pmuctl_dump *d);
void dump_free_groups(struct pmuctl_dump *d);
/* Sums begin at 0 again, as in a file of its own. */
void dump_reset_groups(struct pmuctl_dump *d);
/* Whether these are the counts of such a sample: of each of the others, or none. */
bool dump_group_takes(const struct dump_group *group, unsigned int cpu, uint64_t nr_counts);

struct dump_group_counts {
	struct dump_group *group;
	unsigned int cpu;
	uint64_t period;
	const unsigned char *counts;	/* u64 each */
	uint64_t nr;
};

/* They are added to what the group had on the CPU; the end of what it wrote. */
unsigned char *dump_put_group(const struct pmuctl_dump *d, const struct dump_group_counts *counts,
			      unsigned char *to);
/* If event i is the first of such a group and the others follow it: how many they are; else 0. */
size_t dump_group_size(const struct pmuctl_dump *d, size_t i);

/* record/record.c: the session's records, appended to d->samples. */
pmuctl_records_fn dump_take_records;
/* record/certain.c: of the sample that is appended next; where an instruction begins. */
void dump_remember_uncertain(struct pmuctl_dump *d, uint64_t block);
/* Before d->samples is written. */
void dump_place_uncertain(struct pmuctl_dump *d);
/* Once the file is closed for its readers. */
int dump_make_certain(struct pmuctl_dump *d);
/* data_source.c: the hardware's word as union perf_mem_data_src. */
uint64_t dump_data_source(enum generation generation, const struct session_event *e,
			  uint64_t raw);

/* record/carry.c: what the next file has to know of tasks. */
int carry_open(struct pmuctl_dump *d);
/* Before anything is taken: all that happens from `now` on is later. */
void carry_begin_round(struct pmuctl_dump *d, uint64_t now);
/* What is in d->tasks now. */
int carry_take(struct pmuctl_dump *d);
/* To d->tasks, once the file before has all samples of its time. */
int carry_put(struct pmuctl_dump *d, uint64_t lost);
bool carry_knows(const struct pmuctl_dump *d, uint32_t pid);
void carry_close(struct pmuctl_dump *d);

/* record/synth.c: what was there before the recording; to d->tasks. */
int dump_synthesize(struct pmuctl_dump *d);
int dump_synthesize_process(struct pmuctl_dump *d, uint32_t pid, uint64_t time);
int dump_put_comm(struct pmuctl_dump *d, uint32_t pid, uint32_t tid, const char *comm,
		  uint64_t time);
/* Of a process, as far as it is there; free *tids. */
int dump_list_threads(uint32_t pid, uint32_t **tids, size_t *count);
/* record/poll.c: processes known from /proc alone, and what became of them; to d->tasks. */
int dump_poll_open(struct pmuctl_dump *d);
/* A sample names it. */
int dump_poll_see(struct pmuctl_dump *d, uint32_t pid);
int dump_poll_take(struct pmuctl_dump *d);
void dump_poll_close(struct pmuctl_dump *d);
/* record/kernel.c: the kernel and its modules. */
int dump_synthesize_kernel(struct pmuctl_dump *d);

/* record/features.c: all that goes behind the records. */
int dump_write_features(struct pmuctl_dump *d, uint64_t *bits);
/* The same for a pipe, without build-ids; to d->tasks. */
int dump_put_feature_records(struct pmuctl_dump *d);
/* record/files.c: whose build-ids are to be written. */
int dump_files_open(struct pmuctl_dump *d);
struct dump_mapping {
	const char *name;
	uint32_t pid;
	uint64_t start, end;
	struct file_id file;
	bool code;
};

/*
 * While its process lives.  The build-id that its record is to have, since the name alone does
 * not tell the file; NULL: none.
 */
const struct build_id *dump_files_add(struct pmuctl_dump *d, const struct dump_mapping *mapping);
/* record/owners.c: while it lives; and the feature that says it. */
void dump_owners_note(struct pmuctl_dump *d, uint32_t pid);
/* Of the next file: those that live, and those of the file before. */
void dump_owners_renew(struct pmuctl_dump *d,
		       bool (*lives)(const struct pmuctl_dump *d, uint32_t pid));
/* Who wrote the file, and the owners. */
int dump_put_version(struct pmuctl_dump *d, struct dump_buffer *to);
/* record/kept.c: a copy where readers look by build-id; false: it could not be made. */
bool dump_keep_file(int fd, const char *name, const struct build_id *id);
/* Puts it there: into a PERF_RECORD_MMAP2 as the kernel has it. */
void dump_mark_mapping(void *record, const struct build_id *id);
int dump_files_put(struct pmuctl_dump *d, struct dump_buffer *to);
/* Only those are left that a record in d->tasks, from `at` on, is of. */
void dump_files_renew(struct pmuctl_dump *d, size_t at);
void dump_files_close(struct pmuctl_dump *d);

/* record/sideband.c: the dummy event on every CPU. */
int sideband_open(struct pmuctl_dump *d, const struct pmuctl_dump_options *options);
void sideband_close(struct sideband *sideband);
/* Ids of its events in the kernel. */
size_t sideband_ids(const struct pmuctl_dump *d, const uint64_t **ids);
/* d->poll_fd is ready soon after there is something to take. */
int sideband_poll(struct pmuctl_dump *d);
/* Takes what is there, to d->tasks. */
int sideband_take(struct pmuctl_dump *d);

/* record/offcpu.c: context switches, which become samples of waits in d->samples. */
int offcpu_open(struct pmuctl_dump *d, const struct pmuctl_dump_options *options);
int offcpu_poll(const struct pmuctl_dump *d);
int offcpu_take(struct pmuctl_dump *d);
/* Nothing more is taken; waits that are on count until here. */
int offcpu_end(struct pmuctl_dump *d);
void offcpu_close(struct offcpu *offcpu);

/* record/header.c */
int dump_write_beginning(struct pmuctl_dump *d);
void dump_say_size(struct pmuctl_dump *d);
/* Now there is nothing more to come. */
int dump_finish_header(struct pmuctl_dump *d, uint64_t data_size, uint64_t features);

/* record/piped.c: to d->tasks; the features of a pipe are records. */
int dump_put_piped_beginning(struct pmuctl_dump *d);
int dump_put_piped_end(struct pmuctl_dump *d);
int dump_begin_feature(struct dump_buffer *to, unsigned int bit, size_t *at);
int dump_end_feature(struct dump_buffer *to, size_t at);

/* dump.c */
int dump_cannot_write(struct pmuctl_dump *d);
int dump_write(struct pmuctl_dump *d, const void *bytes, size_t size);
/* Both buffers of records, what is about tasks first. */
int dump_flush(struct pmuctl_dump *d);

#endif
