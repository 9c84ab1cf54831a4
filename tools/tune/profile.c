// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Profiles as files of JSON, one a build-id.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/tune/profile.h"
#include "tools/tune/program.h"

#define VERSION 1
#define ENDING ".json"

const char *const program_classes[] = {
	"guest", "os", "os-application", "benchmark", "driver", "embedded", NULL,
};

bool is_program_class(const char *word)
{
	size_t i;

	for (i = 0; program_classes[i]; i++)
		if (!strcmp(program_classes[i], word))
			return true;
	return false;
}

void program_classes_text(char *text, size_t size)
{
	size_t i;
	int at = 0;

	for (i = 0; program_classes[i] && at < (int)size; i++)
		at += snprintf(text + at, size - (size_t)at, "%s%s", !i ? "" :
			       program_classes[i + 1] ? ", " : " or ", program_classes[i]);
}

/* ---- the processor -------------------------------------------------------------------------- */

/* Of the first one: all have the same, or Linux complains. */
static void read_microcode(char *text, size_t size)
{
	FILE *in = fopen("/proc/cpuinfo", "re");
	char line[256], *colon;

	*text = '\0';
	while (in && !*text && fgets(line, sizeof(line), in)) {
		colon = strchr(line, ':');
		if (!colon || strncmp(line, "microcode", strlen("microcode")) != 0)
			continue;
		colon[strcspn(colon, "\n")] = '\0';
		snprintf(text, size, "%s", colon + 1 + strspn(colon + 1, " "));
	}
	if (in)
		fclose(in);
}

int profile_cpu_get(struct pmuctl *ctx, struct profile_cpu *cpu)
{
	struct pmuctl_cpu info = { .size = sizeof(info) };
	int err = pmuctl_get_cpu(ctx, &info);

	if (err)
		return err;
	*cpu = (struct profile_cpu){
		.family = info.family, .model = info.model, .stepping = info.stepping,
	};
	read_microcode(cpu->microcode, sizeof(cpu->microcode));
	return 0;
}

const char *profile_stale(const struct profile_cpu *found, const struct profile_cpu *here)
{
	if (found->family != here->family || found->model != here->model)
		return "it was found on another processor";
	if (found->stepping != here->stepping)
		return "it was found on another stepping of this processor";
	if (strcmp(found->microcode, here->microcode) != 0)
		return "it was found with other microcode";
	return NULL;
}

const char *profile_misfit(const struct profile *p, const struct profile_cpu *here, int *fd)
{
	const char *stale = profile_stale(&p->cpu, here);
	char id[sizeof(p->id)];

	if (stale)
		return stale;
	*fd = open(p->program, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return "the program is not there";
	if (!program_id(*fd, id) && !strcmp(id, p->id))
		return NULL;
	close(*fd);
	return "another build is there now";
}

/* ---- settings ------------------------------------------------------------------------------- */

static bool same_phase(const char *one, const char *other)
{
	return one && other ? !strcmp(one, other) : !one && !other;
}

struct profile_setting *profile_setting(struct profile *p, const char *phase)
{
	struct profile_setting *s;
	size_t i;

	for (i = 0; i < p->count; i++)
		if (same_phase(p->settings[i].phase, phase))
			return &p->settings[i];
	s = reallocarray(p->settings, p->count + 1, sizeof(*s));
	if (!s)
		return NULL;
	p->settings = s;
	s += p->count;
	*s = (struct profile_setting){ .phase = phase ? strdup(phase) : NULL };
	if (phase && !s->phase)
		return NULL;
	p->count++;
	return s;
}

static void free_setting(struct profile_setting *s)
{
	free(s->phase);
	free(s->features);
	free(s->evidence.by);
	free(s->evidence.date);
}

bool profile_drop(struct profile *p, const char *phase)
{
	size_t i;

	for (i = 0; i < p->count; i++) {
		if (!same_phase(p->settings[i].phase, phase))
			continue;
		free_setting(&p->settings[i]);
		p->settings[i] = p->settings[--p->count];
		return true;
	}
	return false;
}

void profile_free(struct profile *p)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		free_setting(&p->settings[i]);
	free(p->settings);
	free(p->program);
	free(p->program_class);
	*p = (struct profile){ .count = 0 };
}

/* ---- reading -------------------------------------------------------------------------------- */

static int bad(char *why, size_t size, const char *what)
{
	snprintf(why, size, "%s", what);
	return -EINVAL;
}

static char *copy_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? strdup(text) : NULL;
}

static uint32_t take_number(const json_t *object, const char *key)
{
	return (uint32_t)json_integer_value(json_object_get(object, key));
}

static int take_setting(const json_t *from, struct profile *p)
{
	const json_t *e = json_object_get(from, "evidence");
	struct profile_setting *s;
	const char *phase = json_string_value(json_object_get(from, "phase"));

	if (!json_is_string(json_object_get(from, "features")))
		return -EINVAL;
	s = profile_setting(p, phase);
	if (!s || s->features)
		return s ? -EINVAL : -ENOMEM;
	s->features = copy_text(from, "features");
	s->evidence = (struct evidence){
		.by = copy_text(e, "by"), .date = copy_text(e, "date"),
		.ratio = json_number_value(json_object_get(e, "ratio")),
		.low = json_number_value(json_object_get(e, "low")),
		.high = json_number_value(json_object_get(e, "high")),
		.level = json_number_value(json_object_get(e, "level")),
		.energy = json_number_value(json_object_get(e, "energy-ratio")),
		.pairs = (uint64_t)json_integer_value(json_object_get(e, "pairs")),
		.seed = (uint64_t)json_integer_value(json_object_get(e, "seed")),
	};
	return s->features ? 0 : -ENOMEM;
}

static int take_all(const json_t *root, struct profile *p, char *why, size_t size)
{
	const char *id = json_string_value(json_object_get(root, "build-id"));
	const json_t *cpu = json_object_get(root, "processor");
	const json_t *settings = json_object_get(root, "settings");
	const char *microcode = json_string_value(json_object_get(cpu, "microcode"));
	size_t i;
	int err = 0;

	if (json_integer_value(json_object_get(root, "version")) != VERSION)
		return bad(why, size, "it is of another version of pmuctl");
	if (!id || strlen(id) >= sizeof(p->id) || !json_is_string(json_object_get(root, "program")) ||
	    !json_is_object(cpu) || !json_is_array(settings))
		return bad(why, size, "it is no profile: build-id, program, processor or settings are "
			   "missing");
	strcpy(p->id, id);
	p->program = copy_text(root, "program");
	p->program_class = copy_text(root, "class");
	p->cpu = (struct profile_cpu){
		.family = take_number(cpu, "family"), .model = take_number(cpu, "model"),
		.stepping = take_number(cpu, "stepping"),
	};
	snprintf(p->cpu.microcode, sizeof(p->cpu.microcode), "%s", microcode ? microcode : "");
	for (i = 0; !err && i < json_array_size(settings); i++)
		err = take_setting(json_array_get(settings, i), p);
	if (err == -EINVAL)
		return bad(why, size, "a setting of it has no features, or stands there twice");
	return err || !p->program ? -ENOMEM : 0;
}

int profile_read(const char *path, struct profile *p, char *why, size_t size)
{
	json_error_t error;
	FILE *in = fopen(path, "re");
	json_t *root;
	int err;

	if (!in) {
		err = -errno;
		snprintf(why, size, "%s", strerror(-err));
		return err;
	}
	root = json_loadf(in, JSON_REJECT_DUPLICATES, &error);
	fclose(in);
	if (!root) {
		snprintf(why, size, "line %d: %s", error.line, error.text);
		return -EINVAL;
	}
	err = take_all(root, p, why, size);
	if (err == -ENOMEM)
		snprintf(why, size, "out of memory");
	json_decref(root);
	if (err)
		profile_free(p);
	return err;
}

/* ---- writing -------------------------------------------------------------------------------- */

static json_t *make_setting(const struct profile_setting *s)
{
	const struct evidence *e = &s->evidence;
	json_t *evidence = json_pack("{s:s?, s:f, s:f, s:f, s:f, s:I, s:I, s:s?}", "by", e->by, "ratio",
				     e->ratio, "low", e->low, "high", e->high, "level", e->level,
				     "pairs", (json_int_t)e->pairs, "seed", (json_int_t)e->seed,
				     "date", e->date);

	if (evidence && e->energy > 0)
		json_object_set_new(evidence, "energy-ratio", json_real(e->energy));
	return json_pack("{s:s?, s:s, s:o}", "phase", s->phase, "features", s->features, "evidence",
			 evidence);
}

static json_t *make_profile(const struct profile *p)
{
	json_t *settings = json_array();
	size_t i;

	for (i = 0; i < p->count; i++)
		json_array_append_new(settings, make_setting(&p->settings[i]));
	return json_pack("{s:i, s:s, s:s, s:s?, s:{s:i, s:i, s:i, s:s}, s:o}", "version", VERSION,
			 "build-id", p->id, "program", p->program, "class", p->program_class,
			 "processor", "family", (int)p->cpu.family, "model", (int)p->cpu.model,
			 "stepping", (int)p->cpu.stepping, "microcode", p->cpu.microcode, "settings",
			 settings);
}

/* The folder and those above it, as far as there are none. */
static int make_folders(const char *dir)
{
	char *path = strdup(dir), *at;
	int err = path ? 0 : -ENOMEM;

	for (at = path; !err && at; at = strchr(at + 1, '/')) {
		if (at == path)
			continue;
		*at = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			err = -errno;
		*at = '/';
	}
	if (!err && mkdir(path, 0755) && errno != EEXIST)
		err = -errno;
	free(path);
	return err;
}

static int write_file(const json_t *root, const char *path)
{
	FILE *out = fopen(path, "we");
	int err = 0;

	if (!out)
		return -errno;
	if (json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(7)) || putc('\n', out) < 0 ||
	    fflush(out) || fsync(fileno(out)))
		err = -(errno ? errno : EIO);
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

char *profile_path(const char *dir, const char *id)
{
	return new_text("%s/%s" ENDING, dir, id);
}

int profile_write(const char *dir, const struct profile *p)
{
	json_t *root = make_profile(p);
	char *path = profile_path(dir, p->id);
	char *fresh = path ? new_text("%s.%d", path, (int)getpid()) : NULL;
	int err = make_folders(dir);

	/* What is no UTF-8 is no JSON. */
	if (!err && !root)
		err = -EILSEQ;
	if (!err && !fresh)
		err = -ENOMEM;
	if (!err)
		err = write_file(root, fresh);
	if (!err && rename(fresh, path))
		err = -errno;
	if (err && fresh)
		unlink(fresh);
	free(fresh);
	free(path);
	json_decref(root);
	return err;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static int is_profile(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return *entry->d_name != '.' && len > strlen(ENDING) &&
	       !strcmp(entry->d_name + len - strlen(ENDING), ENDING);
}

int profile_each(const char *dir, int (*fn)(void *data, const char *path), void *data)
{
	struct dirent **list;
	int count = scandir(dir, &list, is_profile, alphasort), i, result = 0;
	char *path;

	if (count < 0)
		return errno == ENOENT ? 0 : -errno;
	for (i = 0; i < count; i++) {
		if (!result && asprintf(&path, "%s/%s", dir, list[i]->d_name) < 0) {
			result = -ENOMEM;
		} else if (!result) {
			result = fn(data, path);
			free(path);
		}
		free(list[i]);
	}
	free(list);
	return result;
}
