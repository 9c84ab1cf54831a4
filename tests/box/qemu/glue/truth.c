// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table behind the truth: address spaces with their counts, and marks.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/thread.h"
#include "truth.h"

/* Threads of one space that are in the kernel; older ones are forgotten. */
#define MAX_AWAY 256

struct truth the_truth;

static QemuMutex lock;
static GHashTable *by_cr3;

void truth_lock(void)
{
	qemu_mutex_lock(&lock);
}

void truth_unlock(void)
{
	qemu_mutex_unlock(&lock);
}

bool truth_open(const char *file, const char *profile)
{
	FILE *f = fopen(file, "w");

	if (!f)
		return false;
	fclose(f);
	qemu_mutex_init(&lock);
	by_cr3 = g_hash_table_new(g_int64_hash, g_int64_equal);
	the_truth.file = file;
	the_truth.profile = profile;
	return true;
}

/* Those of a pipeline run only where something asks for them: all of them or none. */
static unsigned int nr_totals(const struct pmu *pmu)
{
	return pmu_wants_code(pmu) && !the_truth.slots ? PMU_P4 : pmu_nr_totals(pmu);
}

struct truth_cpu *truth_add_cpu(unsigned int index, struct pmu *pmu)
{
	struct truth_cpu *cpu = g_new0(struct truth_cpu, 1);

	cpu->index = index;
	cpu->pmu = pmu;
	the_truth.nr_totals = nr_totals(pmu);
	if (index >= the_truth.nr_cpus) {
		the_truth.cpu = g_renew(struct truth_cpu *, the_truth.cpu, index + 1);
		while (the_truth.nr_cpus <= index)
			the_truth.cpu[the_truth.nr_cpus++] = NULL;
	}
	the_truth.cpu[index] = cpu;
	return cpu;
}

struct truth_space *truth_new_space(struct truth_space *parent, const char *origin,
				    const char *name, uint64_t cr3)
{
	struct truth *t = &the_truth;
	struct truth_space *space = g_new0(struct truth_space, 1);

	space->id = t->nr_spaces;
	space->parent = parent ? parent->id : TRUTH_NO_SPACE;
	space->origin = origin;
	space->name = g_strdup(name);
	space->cr3 = cr3;
	space->cpu = g_new0(truth_counts, t->nr_cpus);
	t->space = g_renew(struct truth_space *, t->space, t->nr_spaces + 1);
	t->space[t->nr_spaces++] = space;
	g_hash_table_replace(by_cr3, &space->cr3, space);
	return space;
}

struct truth_space *truth_find(uint64_t cr3)
{
	return g_hash_table_lookup(by_cr3, &cr3);
}

struct truth_space *truth_find_guessed(uint32_t tid)
{
	unsigned int i;

	for (i = the_truth.nr_spaces; i-- > 0;) {
		if (the_truth.space[i]->guessed && the_truth.space[i]->tid == tid)
			return the_truth.space[i];
	}
	return NULL;
}

void truth_charge(struct truth_cpu *cpu)
{
	unsigned int cls, what, nr = the_truth.nr_totals;

	for (cls = 0; cls < PMU_CLASSES; cls++) {
		const uint64_t *now = pmu_totals(cpu->pmu, cls);
		uint64_t *to = cpu->space->cpu[cpu->index][cls];

		for (what = 0; what < nr; what++) {
			to[what] += now[what] - cpu->seen[cls][what];
			cpu->seen[cls][what] = now[what];
		}
	}
}

void truth_away(struct truth_space *space, struct truth_place to)
{
	if (!space->away)
		space->away = g_new(struct truth_place, MAX_AWAY);
	if (space->nr_away < MAX_AWAY) {
		space->away[space->nr_away++] = to;
		return;
	}
	space->next_away = (space->next_away + 1) % MAX_AWAY;
	space->away[space->next_away] = to;
}

bool truth_back(struct truth_space *space, struct truth_place at)
{
	unsigned int i;

	for (i = 0; i < space->nr_away; i++) {
		if (space->away[i].rip == at.rip && space->away[i].rsp == at.rsp) {
			space->away[i] = space->away[--space->nr_away];
			return true;
		}
	}
	return false;
}

void truth_add_sample(struct truth_cpu *cpu, const struct truth_sample *sample)
{
	unsigned int n = cpu->nr_samples;

	cpu->sampled[sample->kind]++;
	if (n == TRUTH_MAX_SAMPLES)
		return;
	/* Grows at 1, 2, 4, ... */
	if (!(n & (n - 1)))
		cpu->sample = g_renew(struct truth_sample, cpu->sample, n ? 2 * n : 1);
	cpu->sample[n] = *sample;
	cpu->nr_samples++;
}

struct truth_mark *truth_new_mark(uint32_t label, const struct truth_cpu *cpu, uint64_t tsc)
{
	struct truth *t = &the_truth;
	struct truth_mark *mark;

	t->mark = g_renew(struct truth_mark, t->mark, t->nr_marks + 1);
	mark = &t->mark[t->nr_marks++];
	mark->label = label;
	mark->cpu = cpu->index;
	mark->space = cpu->space->id;
	mark->nr_spaces = t->nr_spaces;
	mark->tsc = tsc;
	mark->each = g_new0(struct truth_mark_cpu, t->nr_cpus);
	return mark;
}

void truth_note_msr(void *mark_cpu, uint32_t msr, uint64_t value)
{
	struct truth_mark_cpu *cpu = mark_cpu;

	cpu->msr = g_renew(struct truth_msr, cpu->msr, cpu->nr_msrs + 1);
	cpu->msr[cpu->nr_msrs].msr = msr;
	cpu->msr[cpu->nr_msrs++].value = value;
}

void truth_write(void)
{
	FILE *f = fopen(the_truth.file, "w");
	bool bad;

	if (!f) {
		error_report("pmu-truth=%s: %s", the_truth.file, strerror(errno));
		return;
	}
	truth_json(&the_truth, f);
	bad = ferror(f);
	bad |= fclose(f) != 0;
	if (bad)
		error_report("pmu-truth=%s: cannot be written: %s", the_truth.file,
			     strerror(errno));
}
