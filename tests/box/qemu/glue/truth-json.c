// SPDX-License-Identifier: GPL-2.0-only
/*
 * The truth as JSON; Documentation/box.rst describes the format.
 */
#include "qemu/osdep.h"
#include "truth.h"

static const char *const total_names[PMU_GAPS] = {
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
	[PMU_ENERGY] = "energy_nj",
	[PMU_CORE_ENERGY] = "core_energy_nj",
#define NAME(name, text, needs) [PMU_P4_##name] = text,
	P4_SIGNALS(NAME)
#undef NAME
#define NAME(name, text, part) [PMU_SLOT_##name] = text,
	SLOT_CAUSES(NAME)
#undef NAME
#define NAME(name, text) [PMU_SIG_##name] = text,
	PIPE_SIGNALS(NAME)
#undef NAME
};

#define SLOTS_END (PMU_SLOTS + SLOT_CAUSE_COUNT)

const char *const truth_gap_tags[GAP_TAG_COUNT] = {
#define TAG(name, text) text,
	GAP_TAGS(TAG)
#undef TAG
};

static const char *const load_origins[LOAD_ORIGIN_COUNT] = {
#define ORIGIN(name, text) text,
	LOAD_ORIGINS(ORIGIN)
#undef ORIGIN
};

/* Level 1 and 2 of the causes' tree: their names, and whose part each is. */
enum slot_group {
#define GROUP(name, text) GROUP_##name,
	SLOT_GROUPS(GROUP)
#undef GROUP
	NR_GROUPS
};

enum slot_part {
#define PART(name, text, group) PART_##name,
	SLOT_PARTS(PART)
#undef PART
	NR_PARTS
};

static const char *const group_names[NR_GROUPS] = {
#define GROUP(name, text) text,
	SLOT_GROUPS(GROUP)
#undef GROUP
};

static const struct {
	const char *name;
	enum slot_group group;
} parts[NR_PARTS] = {
#define PART(name, text, group) { text, GROUP_##group },
	SLOT_PARTS(PART)
#undef PART
};

static const enum slot_part part_of[SLOT_CAUSE_COUNT] = {
#define CAUSE(name, text, part) PART_##part,
	SLOT_CAUSES(CAUSE)
#undef CAUSE
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

static void json_totals(FILE *to, const uint64_t counts[PMU_TOTALS], unsigned int from,
			unsigned int end)
{
	unsigned int i;

	for (i = from; i < end; i++)
		fprintf(to, "%s\"%s\":%" PRIu64, i == from ? "" : ",", total_names[i], counts[i]);
}

/* {"memory":[cycles,instructions of each bin...],...} */
static void json_bins(FILE *to, const uint64_t *counts, const char *const *names,
		      unsigned int nr)
{
	unsigned int row, i;

	for (row = 0; row < nr; row++) {
		fprintf(to, "%s\"%s\":[", row ? "," : "", names[row]);
		for (i = 0; i < PMU_GAP_TOTALS; i++)
			fprintf(to, "%s%" PRIu64, i ? "," : "", *counts++);
		fputc(']', to);
	}
}

static void json_class(FILE *to, const char *name, const uint64_t counts[PMU_TOTALS])
{
	unsigned int nr = the_truth.nr_totals;

	fprintf(to, "\"%s\":{", name);
	json_totals(to, counts, 0, nr > PMU_SLOTS ? PMU_P4 : nr);
	if (the_truth.slots) {
		fputs(",\"slots\":{", to);
		json_totals(to, counts, PMU_SLOTS, SLOTS_END);
		fputs("},\"signals\":{", to);
		json_totals(to, counts, SLOTS_END, PMU_GAPS);
		fputs("},\"pushout\":{", to);
		json_bins(to, counts + PMU_GAPS, truth_gap_tags, GAP_TAG_COUNT);
		fputs("},\"load_latency\":{", to);
		json_bins(to, counts + PMU_LOAD_LATENCIES, load_origins, LOAD_ORIGIN_COUNT);
		fputc('}', to);
	}
	fputc('}', to);
}

static void json_causes(FILE *to, enum slot_part part)
{
	const char *comma = "";
	unsigned int i;

	fprintf(to, "\"%s\":[", parts[part].name);
	for (i = 0; i < SLOT_CAUSE_COUNT; i++) {
		if (part_of[i] != part)
			continue;
		fprintf(to, "%s\"%s\"", comma, total_names[PMU_SLOTS + i]);
		comma = ",";
	}
	fputc(']', to);
}

/* {"retiring":{"light":["retiring_light"],...},...} */
static void json_slot_tree(FILE *to)
{
	const char *comma;
	unsigned int g, p;

	fputs(",\n\"slot_tree\":{", to);
	for (g = 0; g < NR_GROUPS; g++) {
		fprintf(to, "%s\n \"%s\":{", g ? "," : "", group_names[g]);
		comma = "";
		for (p = 0; p < NR_PARTS; p++) {
			if (parts[p].group != g)
				continue;
			fputs(comma, to);
			json_causes(to, p);
			comma = ",";
		}
		fputc('}', to);
	}
	fputc('}', to);
}

/* The least gap of each bin. */
static void json_gap_bins(FILE *to)
{
	unsigned int bin;

	fputs(",\n\"gap_bins\":[", to);
	for (bin = 0; bin < GAP_BINS; bin++)
		fprintf(to, "%s%u", bin ? "," : "", gap_bin_from(bin));
	fputc(']', to);
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

static const char *name_of(const struct truth *t, const struct truth_space *space)
{
	while (!space->name)
		space = t->space[space->parent];
	return space->name;
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
	json_string(to, name_of(t, space));
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

	fprintf(to, "{\"label\":%u,\"cpu\":%u,\"space\":%u,\"spaces\":%u,\"tsc\":%" PRIu64
		",\n  \"totals\":[", mark->label, mark->cpu, mark->space, mark->nr_spaces,
		mark->tsc);
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

static void json_known(FILE *to, bool known, uint64_t value)
{
	if (known)
		fprintf(to, ",%" PRIu64, value);
	else
		fputs(",null", to);
}

static const char *const sample_kinds[TRUTH_SAMPLE_KINDS] = {
	[TRUTH_PMI] = "pmi", [TRUTH_PEBS_FULL] = "full", [TRUTH_PEBS] = "pebs",
	[TRUTH_PEBS_LOST] = "lost",
};

static void json_sample(FILE *to, unsigned int cpu, const struct truth_sample *s)
{
	fprintf(to, "[\"%s\",%u,%u,\"%s\",%" PRIu64, sample_kinds[s->kind], cpu, s->space,
		s->cls == PMU_USER ? "user" : "kernel", s->counters);
	json_known(to, s->has_ip, s->ip);
	fprintf(to, ",%" PRIu64 ",%" PRIu64, s->next, s->at);
	json_known(to, s->has_address, s->address);
	fprintf(to, ",%" PRIu64 "]", s->tsc);
}

/* What there was, kept or not; returns how many of them were not. */
static uint64_t json_sampled(FILE *to, const struct truth *t)
{
	uint64_t n, dropped = 0;
	unsigned int i, k;

	fputs(",\n\"sampled\":[", to);
	for (i = 0; i < t->nr_cpus; i++) {
		fprintf(to, "%s\n {\"cpu\":%u", i ? "," : "", i);
		for (k = 0; k < TRUTH_SAMPLE_KINDS; k++) {
			n = t->cpu[i] ? t->cpu[i]->sampled[k] : 0;
			fprintf(to, ",\"%s\":%" PRIu64, sample_kinds[k], n);
			dropped += n;
		}
		fputc('}', to);
		dropped -= t->cpu[i] ? t->cpu[i]->nr_samples : 0;
	}
	fputc(']', to);
	return dropped;
}

static void json_samples(FILE *to, const struct truth *t)
{
	const char *comma = "";
	uint64_t dropped;
	unsigned int i, k;

	fputs(",\n\"sample_fields\":[\"kind\",\"cpu\",\"space\",\"ring\",\"counters\",\"ip\","
	      "\"next\",\"at\",\"address\",\"tsc\"],\n\"samples\":[", to);
	for (i = 0; i < t->nr_cpus; i++) {
		for (k = 0; t->cpu[i] && k < t->cpu[i]->nr_samples; k++) {
			fprintf(to, "%s\n ", comma);
			json_sample(to, i, &t->cpu[i]->sample[k]);
			comma = ",";
		}
	}
	fputc(']', to);
	dropped = json_sampled(to, t);
	fprintf(to, ",\n\"dropped_samples\":%" PRIu64, dropped);
}

void truth_json(const struct truth *t, FILE *to)
{
	unsigned int i;

	fputs("{\"profile\":", to);
	json_string(to, t->profile);
	fprintf(to, ",\"cpus\":%u,\"cores\":[", t->nr_cpus);
	for (i = 0; i < t->nr_cpus; i++) {
		fputs(i ? "," : "", to);
		json_string(to, t->cpu[i] ? pmu_profile_name(t->cpu[i]->pmu) : "");
	}
	fputc(']', to);
	if (t->slots) {
		json_slot_tree(to);
		json_gap_bins(to);
	}
	fputs(",\n\"spaces\":[", to);
	for (i = 0; i < t->nr_spaces; i++) {
		fputs(i ? ",\n " : "\n ", to);
		json_space(to, t, t->space[i]);
	}
	fputs("],\n\"marks\":[", to);
	for (i = 0; i < t->nr_marks; i++) {
		fputs(i ? ",\n " : "\n ", to);
		json_mark(to, t, &t->mark[i]);
	}
	fputs("]", to);
	json_samples(to, t);
	fputs("}\n", to);
}
