// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl tune without runs: which settings are tried and kept by what each would take, rules of
 * energy, profiles as files, and phases as both sides tell each other of them.
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/talk/phase.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/random.h"
#include "tools/base/base.h"
#include "tools/run/phases.h"
#include "tools/tune/tune.h"

/* ---- choosing ------------------------------------------------------------------------------- */

/* What a program takes with each set of features; those that are not named are as they are. */
struct world {
	double (*cost)(const char *setting, double *energy);
	double noise;		/* ratios as close to 1 are not told apart */
	unsigned int rounds, fails_at;
};

static struct cell cell_of(double base, double setting, double noise)
{
	double ratio = base / setting, off = ratio > 1 ? ratio - 1 : 1 - ratio;

	return (struct cell){
		.ratio = ratio, .apart = off > noise,
		.interval = { ratio - noise, ratio + noise, 0.95 },
	};
}

static int measure(void *data, const char *base, const char *const *settings, size_t count,
		   struct tried *tried)
{
	struct world *w = data;
	double energy[2] = { 1, 1 };
	double before = w->cost(base, &energy[0]);
	size_t i;

	if (++w->rounds == w->fails_at)
		return 77;
	for (i = 0; i < count; i++) {
		double cost = w->cost(settings[i], &energy[1]);

		tried[i] = (struct tried){
			.cost = cell_of(before, cost, w->noise),
			.energy = cell_of(energy[0], energy[1], w->noise), .pairs = 12,
		};
	}
	return 0;
}

static const char *const features[] = { "a=off", "b=off", "c=off" };
static const struct energy_rule no_rule;

static int choose_in(struct world *w, const struct energy_rule *rule, struct choice *choice)
{
	const struct chooser chooser = {
		.features = features, .count = 3, .rule = rule, .measure = measure, .data = w,
	};

	*choice = (struct choice){ .count = 0 };
	return choose(&chooser, choice);
}

static void chosen(double (*cost)(const char *, double *), const struct energy_rule *rule,
		   const char *kept)
{
	struct world w = { .cost = cost, .noise = 0.01 };
	struct choice choice;

	assert_int_equal(choose_in(&w, rule, &choice), 0);
	assert_string_equal(choice.kept, kept);
	assert_int_equal(!!choice_confirmed(&choice), !!*kept);
	if (*kept) {
		const struct step *last = choice_confirmed(&choice);

		assert_int_equal(last->why, STEP_CONFIRM);
		assert_string_equal(last->base, "");
		assert_string_equal(last->setting, kept);
	}
	choice_free(&choice);
}

static bool has(const char *setting, char feature)
{
	return strchr(setting, feature) != NULL;
}

static double same(const char *setting, double *energy)
{
	(void)setting;
	(void)energy;
	return 1000;
}

/* b alone gains, and c a little more beside it; a costs. */
static double two_gain(const char *setting, double *energy)
{
	(void)energy;
	return 1000 + 300 * has(setting, 'a') - 200 * has(setting, 'b') - 100 * has(setting, 'c');
}

/* Either of them does the work of the other; c is nothing. */
static double only_together(const char *setting, double *energy)
{
	(void)energy;
	return has(setting, 'a') && has(setting, 'b') ? 500 : 1000;
}

/* All gain, but two of them the same. */
static double alike(const char *setting, double *energy)
{
	(void)energy;
	return 1000 - 300 * (has(setting, 'a') || has(setting, 'b')) - 100 * has(setting, 'c');
}

static double all_hurt(const char *setting, double *energy)
{
	(void)energy;
	return 1000 + 100 * (double)strlen(setting);
}

static void kept(void **state)
{
	(void)state;
	chosen(same, &no_rule, "");
	chosen(two_gain, &no_rule, "b=off,c=off");
	chosen(only_together, &no_rule, "a=off,b=off");
	chosen(all_hurt, &no_rule, "");
}

/* All at once is as good as two of them: what does nothing is left as it is. */
static void fewest(void **state)
{
	struct world w = { .cost = alike, .noise = 0.01 };
	struct choice choice;

	(void)state;
	assert_int_equal(choose_in(&w, &no_rule, &choice), 0);
	assert_true(!has(choice.kept, 'a') != !has(choice.kept, 'b'));
	assert_true(has(choice.kept, 'c'));
	choice_free(&choice);
}

/* What was lucky when it was chosen is asked once more. */
static unsigned int lucky;

static double luck(const char *setting, double *energy)
{
	(void)energy;
	return has(setting, 'c') && lucky++ < 1 ? 500 : 1000;
}

static void confirmed(void **state)
{
	struct world w = { .cost = luck, .noise = 0.01 };
	struct choice choice;

	(void)state;
	lucky = 0;
	assert_int_equal(choose_in(&w, &no_rule, &choice), 0);
	assert_string_equal(choice.kept, "");
	assert_int_equal(choice.steps[choice.count - 1].why, STEP_CONFIRM);
	assert_false(choice.steps[choice.count - 1].better);
	choice_free(&choice);
}

static void ends(void **state)
{
	unsigned int at;

	(void)state;
	for (at = 1; at < 5; at++) {
		struct world w = { .cost = two_gain, .noise = 0.01, .fails_at = at };
		struct choice choice;
		int code = choose_in(&w, &no_rule, &choice);

		assert_int_equal(code, w.rounds < at ? 0 : 77);
		choice_free(&choice);
	}
}

/* ---- by chance ------------------------------------------------------------------------------ */

#define TRIALS 1000
#define PAIRS 12

static unsigned int found_some;

/* Runs of a program on which nothing has an effect: all that differs is noise. */
static int measure_noise(void *data, const char *base, const char *const *settings, size_t count,
			 struct tried *tried)
{
	static const struct row row = { ROW_COUNT, "cycles", NULL };
	struct results r = { .rows = &row, .nr_rows = 1, .nr_contests = count, .pairs = PAIRS };
	size_t contest, pair;
	unsigned int side, some = 0;

	(void)data;
	(void)base;
	(void)settings;
	assert_int_equal(results_make(&r, PAIRS), 0);
	r.pairs = PAIRS;
	for (contest = 0; contest < count; contest++)
		for (pair = 0; pair < PAIRS; pair++)
			for (side = 0; side < 2; side++)
				results_of(&r, contest, pair, side)->value =
					1e6 * (1 + 0.01 * normal());
	assert_int_equal(results_judge(&r), 0);
	for (contest = 0; contest < count; contest++) {
		tried[contest] = (struct tried){ .cost = *results_cell(&r, contest, 0) };
		some |= tried[contest].cost.apart;
	}
	found_some += count > 1 && some;
	results_free(&r);
	return 0;
}

/* Something is told apart in 5 % of programs at most, and of those hardly any is kept. */
static void by_chance(void **state)
{
	const struct chooser chooser = {
		.features = features, .count = 3, .rule = &no_rule, .measure = measure_noise,
	};
	unsigned int i, kept_some = 0;

	(void)state;
	seed = 17;
	for (i = 0; i < TRIALS; i++) {
		struct choice choice = { .count = 0 };

		assert_int_equal(choose(&chooser, &choice), 0);
		kept_some += *choice.kept != '\0';
		choice_free(&choice);
	}
	print_message("of %d programs something was told apart in %u, and kept in %u\n", TRIALS,
		      found_some, kept_some);
	assert_in_range(found_some, 1, TRIALS * 5 / 100);
	assert_in_range(kept_some, 0, TRIALS * 5 / 1000);
}

/* a saves 10 % and is 0.5 % slower; b saves 20 % and is 5 % slower; c saves 3 %. */
static double watts(const char *setting, double *energy)
{
	*energy = 100 - 10 * has(setting, 'a') - 20 * has(setting, 'b') - 3 * has(setting, 'c');
	return 1000 + 5 * has(setting, 'a') + 50 * has(setting, 'b');
}

static void by_energy(void **state)
{
	struct energy_rule rule = { .given = true, .slower = 0.02, .saves = 0.05 };

	(void)state;
	chosen(watts, &rule, "a=off");
	rule.slower = 0.08;
	chosen(watts, &rule, "a=off,b=off,c=off");
	rule.slower = 0.001;
	chosen(watts, &rule, "");
}

static void rules(void **state)
{
	struct energy_rule rule;

	(void)state;
	assert_true(energy_rule_parse("slower<1% saves>5%", &rule));
	assert_true(rule.slower > 0.0099 && rule.slower < 0.0101 && rule.saves > 0.0499);
	assert_true(energy_rule_parse("  slower < 0.5%,saves > 12.5 %", &rule) == false);
	assert_true(energy_rule_parse(" slower < 0.5%, saves > 12.5% ", &rule));
	assert_false(energy_rule_parse("saves>5% slower<1%", &rule));
	assert_false(energy_rule_parse("slower<1%", &rule));
	assert_false(energy_rule_parse("slower>1% saves>5%", &rule));
	assert_false(energy_rule_parse("slower<1 saves>5", &rule));
	assert_false(energy_rule_parse("slower<-1% saves>5%", &rule));
	assert_false(energy_rule_parse("slower<100% saves>5%", &rule));
	assert_false(energy_rule_parse("slower<nan% saves>5%", &rule));
	assert_false(energy_rule_parse("slower<1% saves>5% x", &rule));
	assert_false(energy_rule_parse("", &rule));
}

/* ---- profiles ------------------------------------------------------------------------------- */

static char dir[] = "/tmp/tune_test.XXXXXX";

static void remove_all(void)
{
	struct dirent *entry;
	DIR *d = opendir(dir);
	char path[512];

	while (d && (entry = readdir(d))) {
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		unlink(path);
	}
	if (d)
		closedir(d);
}

static int note(void *data, const char *path)
{
	snprintf(data, 512, "%s", path);
	return 0;
}

static void written(void **state)
{
	struct profile p = {
		.id = "0123456789abcdef0123456789abcdef01234567", .program = strdup("/bin/\"a b\""),
		.program_class = strdup("benchmark"), .cpu = { 6, 85, 4, "0x2007006" },
	}, q = { .count = 0 };
	struct profile_setting *s = profile_setting(&p, NULL);
	char why[128], path[512] = "";

	(void)state;
	s->features = strdup("l1-next=off");
	s->evidence = (struct evidence){
		.by = strdup("cycles"), .date = strdup("2026-11-28"), .ratio = 0.57, .low = 0.56,
		.high = 0.58, .level = 0.95, .energy = 0.9, .pairs = 12, .seed = 3,
	};
	s = profile_setting(&p, "gc");
	s->features = strdup("prefetch=off");
	assert_int_equal(profile_write(dir, &p), 0);
	assert_int_equal(profile_each(dir, note, path), 0);
	assert_non_null(strstr(path, "/0123456789abcdef0123456789abcdef01234567.json"));
	assert_int_equal(profile_read(path, &q, why, sizeof(why)), 0);
	assert_string_equal(q.id, p.id);
	assert_string_equal(q.program, "/bin/\"a b\"");
	assert_string_equal(q.program_class, "benchmark");
	assert_null(profile_stale(&q.cpu, &p.cpu));
	assert_int_equal(q.count, 2);
	s = profile_setting(&q, NULL);
	assert_string_equal(s->features, "l1-next=off");
	assert_true(s->evidence.ratio == 0.57 && s->evidence.energy == 0.9);
	assert_int_equal(s->evidence.pairs, 12);
	assert_string_equal(profile_setting(&q, "gc")->features, "prefetch=off");
	assert_int_equal(q.count, 2);
	assert_true(profile_drop(&q, NULL));
	assert_false(profile_drop(&q, NULL));
	assert_int_equal(q.count, 1);
	assert_string_equal(q.settings[0].phase, "gc");
	profile_free(&q);
	/* What JSON cannot hold is no profile, and leaves nothing behind. */
	remove_all();
	free(p.program);
	p.program = strdup("/bin/\xff");
	assert_int_equal(profile_write(dir, &p), -EILSEQ);
	*path = '\0';
	assert_int_equal(profile_each(dir, note, path), 0);
	assert_string_equal(path, "");
	profile_free(&p);
	assert_int_equal(profile_each("/nowhere/at/all", note, path), 0);
}

static void stale(void **state)
{
	const struct profile_cpu here = { 6, 85, 4, "0x1" };
	struct profile_cpu found = here;

	(void)state;
	assert_null(profile_stale(&found, &here));
	strcpy(found.microcode, "0x2");
	assert_string_equal(profile_stale(&found, &here), "it was found with other microcode");
	found.stepping = 5;
	assert_string_equal(profile_stale(&found, &here),
			    "it was found on another stepping of this processor");
	found.model = 86;
	assert_string_equal(profile_stale(&found, &here), "it was found on another processor");
}

static void unreadable(const char *text, const char *want)
{
	struct profile p = { .count = 0 };
	char path[256], why[128] = "";
	FILE *out;

	snprintf(path, sizeof(path), "%s/broken.json", dir);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	assert_int_equal(profile_read(path, &p, why, sizeof(why)), -EINVAL);
	if (!strstr(why, want))
		print_message("'%s': '%s', not '%s'\n", text, why, want);
	assert_non_null(strstr(why, want));
	assert_int_equal(p.count, 0);
	unlink(path);
}

#define HEAD "{\"version\": 1, \"build-id\": \"ab\", \"program\": \"p\", \"processor\": {}, "

static void broken(void **state)
{
	(void)state;
	unreadable("", "line ");
	unreadable("{\"version\": 1", "line ");
	unreadable("[]", "another version");
	unreadable("{\"version\": 2}", "another version");
	unreadable("{\"version\": 1}", "no profile");
	unreadable(HEAD "\"settings\": 3}", "no profile");
	unreadable(HEAD "\"settings\": [3]}", "no features");
	unreadable(HEAD "\"settings\": [{\"features\": 5}]}", "no features");
	unreadable(HEAD "\"settings\": [{\"features\": \"a\"}, {\"features\": \"b\"}]}",
		   "stands there twice");
	unreadable("{\"version\": 1, \"version\": 1}", "line 1");
	unreadable("{\"version\": 1, \"build-id\": \"0123456789012345678901234567890123456789x\", "
		   "\"program\": \"p\", \"processor\": {}, \"settings\": []}", "no profile");
}

/* ---- phases --------------------------------------------------------------------------------- */

struct heard {
	char text[512];
	pid_t pid;
	int answer;
};

static int hear(void *data, pid_t pid, const char *name, bool begins)
{
	struct heard *h = data;
	size_t at = strlen(h->text);

	h->pid = pid;
	snprintf(h->text + at, sizeof(h->text) - at, "%c%s ", begins ? '+' : '-', name);
	return h->answer;
}

/* Serves while a child does this, and returns what its exit code was. */
static int serve_child(struct phases *p, int (*child)(void))
{
	pid_t pid = fork(), ended;
	int status;

	if (!pid)
		_exit(child());
	while (!(ended = waitpid(pid, &status, WNOHANG))) {
		assert_int_equal(phases_serve(p), 0);
		usleep(1000);
	}
	assert_int_equal(ended, pid);
	assert_int_equal(phases_serve(p), 0);
	return WEXITSTATUS(status);
}

static void *in_and_out(void *unused)
{
	(void)unused;
	return pmuctl_phase_begin("t") || pmuctl_phase_end("t") ? "failed" : NULL;
}

static int twice(void)
{
	return pmuctl_phase_begin("gc") || pmuctl_phase_begin("gc") || pmuctl_phase_end("gc") ||
	       pmuctl_phase_begin("other") || pmuctl_phase_end("gc") || pmuctl_phase_end("other") ||
	       pmuctl_phase_end("gc") != -EINVAL;
}

static int dies(void)
{
	return pmuctl_phase_begin("gc") || pmuctl_phase_begin("two") ? 1 : 7;
}

static int threads(void)
{
	pthread_t t[8];
	void *result;
	unsigned int i, failed = 0;

	for (i = 0; i < 8; i++)
		failed += !!pthread_create(&t[i], NULL, in_and_out, NULL);
	for (i = 0; i < 8; i++)
		failed += pthread_join(t[i], &result) || result;
	return (int)failed;
}

/* A child of it has no phases, and a socket of its own. */
static int forks(void)
{
	int status;

	if (pmuctl_phase_begin("parent"))
		return 1;
	if (!fork())
		_exit(pmuctl_phase_end("parent") != -EINVAL || pmuctl_phase_begin("child") ||
		      pmuctl_phase_end("child"));
	return wait(&status) < 0 || status || pmuctl_phase_end("parent");
}

static int refused(void)
{
	char name[PMUCTL_PHASE_NAME_MAX + 2];

	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	if (pmuctl_phase_begin(NULL) != -EINVAL || pmuctl_phase_begin("") != -EINVAL ||
	    pmuctl_phase_end(name) != -EINVAL)
		return 1;
	name[PMUCTL_PHASE_NAME_MAX] = '\0';
	return pmuctl_phase_begin(name) != -EBUSY || pmuctl_phase_end(name) != -EBUSY;
}

static int unheard(void)
{
	return pmuctl_phase_begin("gc") || pmuctl_phase_end("gc");
}

static void phases(void **state)
{
	struct heard h = { .answer = 0 };
	const struct phases_user user = { .change = hear, .data = &h };
	struct phases *p, *again;
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "@tune-test-%d", (int)getpid());
	setenv(PHASE_VARIABLE, path, 1);
	/* Nobody is there. */
	assert_int_equal(pmuctl_phase_begin("gc"), 0);
	assert_int_equal(phases_open(path, &user, &p), 0);
	assert_int_equal(phases_open(path, &user, &again), -EADDRINUSE);
	/* It had looked a moment ago, and looks again later. */
	assert_int_equal(serve_child(p, unheard), 0);
	assert_string_equal(h.text, "");
	phases_close(p);
}

static void heard_of(const char *path, int answer, int (*child)(void), int code, const char *text)
{
	struct heard h = { .answer = answer };
	const struct phases_user user = { .change = hear, .data = &h };
	struct phases *p;

	setenv(PHASE_VARIABLE, path, 1);
	assert_int_equal(phases_open(path, &user, &p), 0);
	assert_int_equal(serve_child(p, child), code);
	if (text)
		assert_string_equal(h.text, text);
	assert_true(h.pid > 0);
	phases_close(p);
}

static void marks(void **state)
{
	char path[64], file[64];
	struct stat st;

	(void)state;
	snprintf(path, sizeof(path), "@tune-test-%d", (int)getpid());
	snprintf(file, sizeof(file), "%s/phases", dir);
	heard_of(path, 0, twice, 0, "+gc +other -gc -other ");
	heard_of(path, 0, dies, 7, "+gc +two -gc -two ");
	heard_of(path, 0, threads, 0, NULL);
	heard_of(path, 0, forks, 0, "+parent +child -child -parent ");
	heard_of(path, -EBUSY, refused, 0, NULL);
	heard_of(file, 0, twice, 0, "+gc +other -gc -other ");
	assert_int_equal(stat(file, &st), -1);
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	remove_all();
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept),
		cmocka_unit_test(fewest),
		cmocka_unit_test(confirmed),
		cmocka_unit_test(ends),
		cmocka_unit_test(by_energy),
		cmocka_unit_test(by_chance),
		cmocka_unit_test(rules),
		cmocka_unit_test(written),
		cmocka_unit_test(stale),
		cmocka_unit_test(broken),
		cmocka_unit_test(marks),
		cmocka_unit_test(phases),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
