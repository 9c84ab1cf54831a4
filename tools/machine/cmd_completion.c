// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl completion: the script that a shell loads, and what it asks then: which words may
 * stand at the end of a command line.  All of it comes from the commands' rows of options.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/pmuctl-topdown.h"
#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/base/embed.h"
#include "tools/base/options.h"
#include "tools/base/proc.h"

EMBED(completion_bash, "tools/machine/completion.bash");
EMBED(completion_zsh, "tools/machine/completion.zsh");
EMBED(completion_fish, "tools/machine/completion.fish");

static const struct {
	const char *shell, *text, *script;
} scripts[] = {
	{ "bash", "source <(pmuctl completion bash)", completion_bash },
	{ "zsh", "source <(pmuctl completion zsh)", completion_zsh },
	{ "fish", "pmuctl completion fish | source", completion_fish },
};

/* The word that is to be completed. */
struct cursor {
	const char *word;	/* all of it */
	size_t kept;		/* bytes of it that stay: "--event=cycles," */
	const char *events_dir;	/* of the words before; NULL: none */
};

/* What a value's name in a row or in a command's operands stands for. */
struct value {
	const char *name;
	void (*list)(const struct cursor *cursor);
	const char *ask;	/* the shell completes it by itself */
};

/* ---- what is printed: a word a line, a tab, what it is --------------------------------- */

static void offer(const struct cursor *c, const char *word, const char *text)
{
	if (strncmp(word, c->word + c->kept, strlen(c->word + c->kept)) != 0)
		return;
	printf("%.*s", (int)c->kept, c->word);
	put_clean(stdout, word);
	putchar('\t');
	put_clean(stdout, text);
	putchar('\n');
}

/* Where a list's last item begins: behind this. */
static void keep_list(struct cursor *c, const char *breaks)
{
	size_t i;

	for (i = c->kept; c->word[i]; i++)
		if (strchr(breaks, c->word[i]))
			c->kept = i + 1;
}

static int offer_event(void *data, const struct pmuctl_event_desc *desc)
{
	offer(data, desc->name, desc->text ? desc->text : "");
	return 0;
}

static int offer_metric(void *data, const struct pmuctl_metric_desc *desc)
{
	offer(data, desc->name, desc->text ? desc->text : "");
	return 0;
}

/* A context without a log: whoever completes a word is not told what is missing here. */
static struct pmuctl *open_silent(const struct cursor *c)
{
	const struct pmuctl_options options = {
		.size = sizeof(options), .events_dir = c->events_dir, .alone = true,
	};
	struct pmuctl *ctx;

	return pmuctl_open(&options, &ctx) ? NULL : ctx;
}

static void list_events(const struct cursor *c)
{
	struct cursor cursor = *c;
	struct pmuctl *ctx = open_silent(c);

	if (!ctx)
		return;
	keep_list(&cursor, ",{");
	pmuctl_list_events(ctx, NULL, offer_event, &cursor);
	pmuctl_close(ctx);
}

static void list_metrics(const struct cursor *c)
{
	struct cursor cursor = *c;
	struct pmuctl *ctx = open_silent(c);

	if (!ctx)
		return;
	keep_list(&cursor, ",");
	pmuctl_list_metrics(ctx, NULL, offer_metric, &cursor);
	pmuctl_close(ctx);
}

static void list_nodes(const struct cursor *c)
{
	const struct pmuctl_topdown_options options = { .size = sizeof(options) };
	struct pmuctl *ctx = open_silent(c);
	struct pmuctl_topdown *plan = NULL;
	struct cursor cursor = *c;
	size_t i;

	keep_list(&cursor, ",");
	if (ctx && !pmuctl_topdown_new(ctx, &options, &plan))
		for (i = 0; i < pmuctl_topdown_nodes(plan); i++)
			offer(&cursor, pmuctl_topdown_get_node(plan, i)->name,
			      pmuctl_topdown_get_node(plan, i)->text);
	pmuctl_topdown_free(plan);
	pmuctl_close(ctx);
}

static int offer_process(void *data, pid_t pid)
{
	char number[16], comm[32];

	snprintf(number, sizeof(number), "%d", (int)pid);
	if (task_name(pid, comm, sizeof(comm)))
		offer(data, number, comm);
	return 0;
}

/* Threads are found by their process, which has the first one's number. */
static void list_processes(const struct cursor *c)
{
	struct cursor cursor = *c;

	keep_list(&cursor, ",");
	each_process(offer_process, &cursor);
}

static void list_cpus(const struct cursor *c)
{
	struct cursor cursor = *c;
	unsigned int *cpus;
	size_t count, i;
	char number[16];

	keep_list(&cursor, ",-");
	if (online_cpus(&cpus, &count))
		return;
	for (i = 0; i < count; i++) {
		snprintf(number, sizeof(number), "%u", cpus[i]);
		offer(&cursor, number, "");
	}
	free(cpus);
}

static void list_commands(const struct cursor *c)
{
	const struct command *const *command;

	for (command = all_commands(); *command; command++)
		offer(c, (*command)->name, (*command)->text);
}

static void list_shells(const struct cursor *c)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scripts); i++)
		offer(c, scripts[i].shell, scripts[i].text);
}

/* "a b c" of a row; a list of them where the value is one. */
static void list_words(const struct cursor *c, const struct option_row *row)
{
	struct cursor cursor = *c;
	const char *at = row->words;
	char word[32];
	int length;

	if (strchr(row->argument, ','))
		keep_list(&cursor, ",");
	for (; sscanf(at, " %31s%n", word, &length) == 1; at += length)
		offer(&cursor, word, "");
}

static const struct value values[] = {
	{ "EVENT", list_events, NULL },
	{ "PATTERN", list_events, NULL },
	{ "METRIC", list_metrics, NULL },
	{ "NODE", list_nodes, NULL },
	{ "PIDS", list_processes, NULL },
	{ "TIDS", list_processes, NULL },
	{ "CPUS", list_cpus, NULL },
	{ "SHELL", list_shells, NULL },
	{ "FILE", NULL, ":files" },
	{ "DIR", NULL, ":directories" },
};

/* text: "EVENT[,...]", "[PATTERN]", "FILE.ko"; what its first word stands for, or nothing. */
static void complete_value(const struct cursor *c, const char *text)
{
	size_t length, i;

	text += strcspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		if (strlen(values[i].name) != length || strncmp(values[i].name, text, length) != 0)
			continue;
		if (values[i].list)
			values[i].list(c);
		else
			puts(values[i].ask);
	}
}

static void complete_option_value(const struct cursor *c, const struct option_row *row)
{
	if (row->words)
		list_words(c, row);
	else if (row->argument[0] == '=')
		offer(c, row->argument + 1, "");
	else
		complete_value(c, row->argument);
}

/* ---- the words before -------------------------------------------------------------------- */

static bool is_row(const struct option_row *row)
{
	return row && (row->name || row->letter);
}

static bool has_name(const struct option_row *row, const char *word, size_t length)
{
	return row->name && strlen(row->name) == length && !strncmp(row->name, word, length);
}

/* Of "-x", "-xVALUE", "--name" or "--name=VALUE"; NULL: there is none. */
static const struct option_row *find_option(const struct command *command, const char *word)
{
	const struct option_row *row;

	for (row = command->options; is_row(row); row++)
		if (word[1] == '-' ? has_name(row, word + 2, strcspn(word + 2, "=")) :
				     row->letter && row->letter == word[1])
			return row;
	return NULL;
}

/* Whether the word behind it is its value. */
static bool wants_next(const struct option_row *row, const char *word)
{
	if (!row || !row->argument || row->argument[0] == '[')
		return false;
	return word[1] == '-' ? !strchr(word, '=') : !word[2];
}

static void list_options(const struct command *command, const struct cursor *c)
{
	const struct option_row *row;
	char name[64];

	for (row = command->options; is_row(row); row++) {
		if (!row->help)
			continue;
		snprintf(name, sizeof(name), "--%s%s", row->name,
			 row->argument && row->argument[0] == '=' ? row->argument : "");
		offer(c, name, row->help);
		snprintf(name, sizeof(name), "-%c", row->letter);
		if (row->letter)
			offer(c, name, row->help);
	}
	offer(c, "--help", "how it is used, and what each option does");
}

static void offer_operand(void *data, const char *name, const char *text)
{
	offer(data, name, text);
}

static void complete_operand(const struct command *command, const struct cursor *c)
{
	if (command->list_operands)
		command->list_operands(offer_operand, (void *)(uintptr_t)c);
	else if (command == &command_help)
		list_commands(c);
	else if (command->operands)
		complete_value(c, command->operands);
}

/* What the words before the cursor say of it. */
struct before {
	const struct option_row *row;	/* whose value it is; NULL: none's */
	bool no_options;		/* "--" was there */
	int command;	/* number of the word where another command begins; 0: none */
};

static struct before read_before(const struct command *command, int count, char **words,
				 struct cursor *c)
{
	struct before b = { .command = 0 };
	int i;

	for (i = 1; i < count && !b.command; i++) {
		if (b.row) {
			if (b.row->name && !strcmp(b.row->name, "events-dir"))
				c->events_dir = words[i];
			b.row = NULL;
		} else if (!b.no_options && !strcmp(words[i], "--")) {
			b.no_options = true;
		} else if (!b.no_options && words[i][0] == '-' && words[i][1]) {
			b.row = find_option(command, words[i]);
			b.row = wants_next(b.row, words[i]) ? b.row : NULL;
		} else if (command->runs_command) {
			b.command = i;
		}
	}
	return b;
}

/* words[0] is the command's name, words[count] what is to be completed. */
static void complete_argument(const struct command *command, int count, char **words)
{
	struct cursor c = { .word = words[count] };
	struct before b = read_before(command, count, words, &c);
	bool option = !b.no_options && !b.row && c.word[0] == '-';
	const struct option_row *row = b.row;

	if (b.command || (command->runs_command && !row && !option)) {
		printf(":command %d\n", b.command ? b.command + 1 : count + 1);
		return;
	}
	if (option && !strncmp(c.word, "--", 2) && strchr(c.word, '=')) {
		c.kept = strcspn(c.word, "=") + 1;
		row = find_option(command, c.word);
	}
	if (row && row->argument)
		complete_option_value(&c, row);
	else if (!option)
		complete_operand(command, &c);
	else if (!c.kept)
		list_options(command, &c);
}

/* Of what is behind "pmuctl". */
static int complete(int count, char **words)
{
	const struct cursor first = { .word = count ? words[0] : "" };
	const struct command *command = count > 1 ? find_command(words[0]) : NULL;

	if (command)
		complete_argument(command, count - 1, words);
	if (count > 1)
		return EXIT_OK;
	list_commands(&first);
	offer(&first, "--help", "which commands there are");
	offer(&first, "--version", "which version this is");
	return EXIT_OK;
}

static int print_script(const char *shell)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scripts); i++)
		if (!strcmp(scripts[i].shell, shell))
			return fputs(scripts[i].script, stdout) < 0 ? EXIT_FAILED : EXIT_OK;
	return complain("completion", EXIT_USAGE, "'%s': scripts there are for bash, zsh and fish",
			shell);
}

static int cmd_completion(int argc, char **argv)
{
	int code;

	if (argc > 1 && !strcmp(argv[1], "--"))
		return complete(argc - 2, argv + 2);
	code = options_parse("completion", argc, argv, NULL);
	if (!code && optind == argc)
		code = option_missing("completion", "complete for", "a shell: bash, zsh or fish");
	if (!code)
		code = option_rest("completion", argc, argv, 1, "one shell");
	return code ? code : print_script(argv[optind]);
}

const struct command command_completion = {
	.name = "completion",
	.run = cmd_completion,
	.text = "what a shell needs to complete the words of pmuctl",
	.operands = "SHELL | -- WORD ...",
};
