// SPDX-License-Identifier: GPL-2.0-only
/*
 * The truth as JSON; Documentation/box.rst describes the format.
 */
#include "qemu/osdep.h"
#include "truth.h"

static const char *const total_names[PMU_TOTALS] = {
	[PMU_INSTRUCTIONS] = "instructions",
	[PMU_CYCLES] = "cycles",
	[PMU_REF_CYCLES] = "ref_cycles",
	[PMU_BRANCHES] = "branches",
	[PMU_BRANCH_MISSES] = "branch_misses",
	[PMU_LOADS] = "loads",
	[PMU_STORES] = "stores",
	[PMU_L1D_MISSES] = "l1d_misses",
	[PMU_CACHE_REFERENCES] = "cache_references",
	[PMU_CACHE_MISSES] = "cache_misses",
	[PMU_MSR_READS] = "msr_reads",
	[PMU_MSR_WRITES] = "msr_writes",
	[PMU_RDPMCS] = "rdpmcs",
	[PMU_PMIS] = "pmis",
};

/* Names come from the guest: any byte may be in them. */
static void json_string(FILE *to, const char *s)
{
	fputc('"', to);
	for (; *s; s++) {
		unsigned char c = *s;

		if (c == '"' || c == '\\')
			fprintf(to, "\\%c", c);
		else if (c < 0x20 || c > 0x7e)
			fprintf(to, "\\u%04x", c);
		else
			fputc(c, to);
	}
	fputc('"', to);
}

static void json_class(FILE *to, const char *name, const uint64_t counts[PMU_TOTALS])
{
	unsigned int i;

	fprintf(to, "\"%s\":{", name);
	for (i = 0; i < PMU_TOTALS; i++)
		fprintf(to, "%s\"%s\":%" PRIu64, i ? "," : "", total_names[i], counts[i]);
	fputc('}', to);
}

static void json_counts(FILE *to, truth_counts counts)
{
	json_class(to, "user", counts[PMU_USER]);
	fputc(',', to);
	json_class(to, "kernel", counts[PMU_KERNEL]);
}

static bool add_counts(truth_counts sum, truth_counts more)
{
	unsigned int cls, what;
	bool any = false;

	for (cls = 0; cls < PMU_CLASSES; cls++) {
		for (what = 0; what < PMU_TOTALS; what++) {
			sum[cls][what] += more[cls][what];
			any |= more[cls][what] != 0;
		}
	}
	return any;
}

static void json_space(FILE *to, const struct truth *t, struct truth_space *space)
{
	truth_counts sum = { { 0 } };
	const char *comma = "";
	unsigned int i;

	fprintf(to, "{\"id\":%u,\"parent\":", space->id);
	if (space->parent == TRUTH_NO_SPACE)
		fputs("null", to);
	else
		fprintf(to, "%u", space->parent);
	fprintf(to, ",\"origin\":\"%s\",\"name\":", space->origin);
	json_string(to, space->name);
	fprintf(to, ",\"cr3\":\"0x%" PRIx64 "\",\n  \"cpu\":[", space->cr3);
	for (i = 0; i < t->nr_cpus; i++) {
		if (!add_counts(sum, space->cpu[i]))
			continue;
		fprintf(to, "%s\n   {\"cpu\":%u,", comma, i);
		json_counts(to, space->cpu[i]);
		fputc('}', to);
		comma = ",";
	}
	fputs("],\n  ", to);
	json_counts(to, sum);
	fputc('}', to);
}

static void json_msrs(FILE *to, const struct truth_mark_cpu *cpu)
{
	unsigned int i;

	fputc('{', to);
	for (i = 0; i < cpu->nr_msrs; i++)
		fprintf(to, "%s\"0x%x\":\"0x%" PRIx64 "\"", i ? "," : "", cpu->msr[i].msr,
			cpu->msr[i].value);
	fputc('}', to);
}

static void json_mark(FILE *to, const struct truth *t, const struct truth_mark *mark)
{
	unsigned int i;

	fprintf(to, "{\"label\":%u,\"cpu\":%u,\"space\":%u,\n  \"totals\":[", mark->label,
		mark->cpu, mark->space);
	for (i = 0; i < t->nr_cpus; i++) {
		fprintf(to, "%s\n   {\"cpu\":%u,", i ? "," : "", i);
		json_counts(to, mark->each[i].totals);
		fputc('}', to);
	}
	fputs("],\n  \"msrs\":[", to);
	for (i = 0; i < t->nr_cpus; i++) {
		fputs(i ? ",\n   " : "\n   ", to);
		json_msrs(to, &mark->each[i]);
	}
	fputs("]}", to);
}

void truth_json(const struct truth *t, FILE *to)
{
	unsigned int i;

	fputs("{\"profile\":", to);
	json_string(to, t->profile);
	fprintf(to, ",\"cpus\":%u,\n\"spaces\":[", t->nr_cpus);
	for (i = 0; i < t->nr_spaces; i++) {
		fputs(i ? ",\n " : "\n ", to);
		json_space(to, t, t->space[i]);
	}
	fputs("],\n\"marks\":[", to);
	for (i = 0; i < t->nr_marks; i++) {
		fputs(i ? ",\n " : "\n ", to);
		json_mark(to, t, &t->mark[i]);
	}
	fputs("]}\n", to);
}
