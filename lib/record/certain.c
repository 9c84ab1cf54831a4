// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Samples whose address is that of the next instruction, as the records of old
 * formats have it: once the file is whole, the one before it is found by decoding
 * the code that ran, from a place where an instruction is known to begin.
 *
 * What was mapped there is known from the file by now, so that code which is gone
 * from its process is found as well.  Where it is not, or does not end at the
 * address, the sample stays flagged as it is: no guesses.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/record/dump.h"

/* Memory for so many; the others stay flagged. */
#define UNCERTAIN_MAX (8u << 20)
/* No block is longer: see the module's pebs_fixup.c. */
#define BLOCK_MAX 4096
#define INSN_MAX 15
/* Answers that are kept; hot code asks the same again and again. */
#define ANSWERS 4096

struct uncertain {
	uint64_t at;		/* of the record: in d->samples, once written in the file */
	uint64_t block;
};

/* Of a sample in the file. */
#define MISC_AT 4
#define IP_AT 16
#define PID_AT 24
#define TIME_AT 32

struct answer {
	struct pmuctl_place place;	/* of the block */
	uint64_t ip;
	uint64_t before;	/* from the block's beginning on; 0: not known */
};

struct search {
	struct pmuctl_dump *d;
	struct pmuctl_data *data;
	unsigned char *file;
	size_t size;
	struct answer *answers;
};

void dump_remember_uncertain(struct pmuctl_dump *d, uint64_t block)
{
	size_t room = d->uncertain_room ? 2 * d->uncertain_room : 1024;
	struct uncertain *grown;

	if (!block || d->live || d->nr_uncertain == UNCERTAIN_MAX)
		return;
	if (d->nr_uncertain == d->uncertain_room) {
		grown = reallocarray(d->uncertain, room, sizeof(*grown));
		if (!grown)
			return;
		d->uncertain = grown;
		d->uncertain_room = room;
	}
	d->uncertain[d->nr_uncertain++] =
		(struct uncertain){ .at = d->samples.used, .block = block };
}

/* All of them are being written now, where the file ends. */
void dump_place_uncertain(struct pmuctl_dump *d)
{
	for (; d->nr_placed < d->nr_uncertain; d->nr_placed++)
		d->uncertain[d->nr_placed].at += d->info.bytes;
}

/* ---- one ------------------------------------------------------------------------------ */

/* In its rounds the next instruction is still this one: it may be either. */
static bool repeats(unsigned int bits, const unsigned char *code, size_t size)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };

	return !pmuctl_insn_decode_bits(bits, code, size, 0, &insn) && insn.repeats;
}

/* As the file of that code says: a task of 32 bits runs other instructions of the same bytes. */
static uint64_t decode(struct search *s, const struct pmuctl_place *block, uint64_t start,
		       uint64_t ip)
{
	unsigned int bits = pmuctl_data_bits(s->data, block->dso, NULL);
	unsigned char code[BLOCK_MAX + INSN_MAX];
	size_t got, size = (size_t)(ip - start);
	uint64_t before;

	got = pmuctl_data_text(s->data, block, code, size + INSN_MAX);
	if (got < size || repeats(bits, code + size, got - size))
		return 0;
	before = pmuctl_insn_before_bits(bits, code, size, start, ip);
	return before ? before - start + 1 : 0;
}

static struct answer *answer_for(struct search *s, const struct pmuctl_place *place, uint64_t ip)
{
	uint64_t hash = (place->address ^ ip << 7 ^ place->dso) * 0x9e3779b97f4a7c15ull;

	return &s->answers[hash >> 52];
}

/* The distance is kept, and one more, so that 0 stands for none. */
static uint64_t find_before(struct search *s, uint32_t pid, uint64_t time, uint64_t ip,
			    uint64_t start, bool kernel)
{
	struct pmuctl_place place;
	struct answer *a;

	if (ip <= start || ip - start > BLOCK_MAX)
		return 0;
	pmuctl_data_place(s->data, pid, time, start, kernel, &place);
	a = answer_for(s, &place, ip - start);
	if (a->place.dso != place.dso || a->place.address != place.address ||
	    a->ip != ip - start) {
		a->place = place;
		a->ip = ip - start;
		a->before = place.dso ? decode(s, &place, start, ip) : 0;
	}
	return a->before ? start + a->before - 1 : 0;
}

static void make_certain(struct search *s, const struct uncertain *u)
{
	unsigned char *record = s->file + u->at;
	uint64_t ip, time, before;
	uint16_t misc;
	uint32_t pid;

	if (u->at + TIME_AT + sizeof(time) > s->size)
		return;
	memcpy(&misc, record + MISC_AT, sizeof(misc));
	memcpy(&ip, record + IP_AT, sizeof(ip));
	memcpy(&pid, record + PID_AT, sizeof(pid));
	memcpy(&time, record + TIME_AT, sizeof(time));
	before = find_before(s, pid, time, ip, u->block,
			     (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL);
	if (!before)
		return;
	misc |= PERF_RECORD_MISC_EXACT_IP;
	memcpy(record + MISC_AT, &misc, sizeof(misc));
	memcpy(record + IP_AT, &before, sizeof(before));
	s->d->info.uncertain--;
}

/* ---- all of them ------------------------------------------------------------------------ */

static int search_all(struct search *s)
{
	size_t i;

	s->answers = calloc(ANSWERS, sizeof(*s->answers));
	if (!s->answers)
		return fail(s->d->ctx, -ENOMEM, "out of memory");
	for (i = 0; i < s->d->nr_placed; i++)
		make_certain(s, &s->d->uncertain[i]);
	free(s->answers);
	return 0;
}

int dump_make_certain(struct pmuctl_dump *d)
{
	struct search s = { .d = d, .size = (size_t)d->info.bytes };
	char path[32];
	int err;

	if (!d->nr_placed)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", d->fd);
	s.file = mmap(NULL, s.size, PROT_READ | PROT_WRITE, MAP_SHARED, d->fd, 0);
	if (s.file == MAP_FAILED)
		return fail(d->ctx, -errno, "cannot map the file: %s", strerror(errno));
	err = pmuctl_data_open(d->ctx, path, &s.data);
	if (!err) {
		err = search_all(&s);
		pmuctl_data_close(s.data);
	}
	munmap(s.file, s.size);
	return err;
}
