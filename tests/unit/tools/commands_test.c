// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command's other subcommands than stat, against the kernel of paper.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "tests/unit/tools/run.h"
#include "tools/base/options.h"

static void usage_is_129(void **state)
{
	(void)state;
	RUN_HAS("", 129, "stat ");
	RUN_HAS("nonsense", 129, "there is no command 'nonsense'");
	RUN_HAS("sta true", 129, "there is no command 'sta'; did you mean stat?\n");
	RUN_HAS("statt true", 129, "there is no command 'statt'; did you mean stat?\n");
	RUN_HAS("stta true", 129, "did you mean stat?\n");
	RUN_HAS("reocrd true", 129, "did you mean record?\n");
	RUN_HAS("xyz true", 129, "there is no command 'xyz'\nusage: ");
	RUN_HAS("stat --timeuot 5 true", 129, "'--timeuot'; did you mean --timeout?\nusage: ");
	RUN_HAS("stat --repeta=5 true", 129, "'--repeta'; did you mean --repeat?\n");
	RUN_HAS("help stat more", 129, "help: 'more': it takes one command\nusage: pmuctl help");
	RUN_HAS("--help stat more", 129, "'more': it takes one command\n");
	RUN_HAS("help statt", 129, "did you mean stat?\n");
	RUN_HAS("--version more", 129, "'more': --version takes nothing\n");
	RUN_HAS("-v more", 129, "'more': -v takes nothing\n");
	RUN_HAS("explain", 129, "nothing to explain; name an event\nusage: pmuctl explain ");
	RUN_HAS("info more", 129, "'more': it takes no argument\nusage: pmuctl info [-j]\n");
	RUN_HAS("list a b c", 129, "'b': it takes one pattern\nusage: pmuctl list");
	RUN_HAS("help nonsense", 129, "nonsense");
	RUN_HAS("load -x", 129, "there is no option '-x'\nusage: pmuctl load");
	RUN_HAS("load a.ko b.ko", 129, "'b.ko': it takes one file\nusage: pmuctl load");
	RUN_HAS("unload all", 129, "'all': it takes no argument\nusage: pmuctl unload [--force]\n");
	RUN_HAS("skid -n 9 more", 129, "'more': it takes no argument\nusage: pmuctl skid");
}

static void export_says_what_is_wrong(void **state)
{
	(void)state;
	RUN_HAS("export", 129, "in which one format?");
	RUN_HAS("export --folded --pprof", 129, "in which one format?");
	RUN_HAS("export --folded --input=", 129, "-i: the file name is empty");
	RUN_HAS("export --folded --output=", 129, "-o: the file name is empty");
	RUN_HAS("export --folded more", 129, "'more': it takes a file by -i alone\nusage: pmuctl export");
	RUN_HAS("export --speedscope --samples", 129, "goes with --folded");
	RUN_HAS("export --folded -i /nonexistent/file", 255, "/nonexistent/file: No such file");
	RUN_HAS("export --folded -i /proc/self/exe", 255, "no perf.data file");
	RUN_HAS("report more", 129, "'more': it takes a file by -i alone\nusage: pmuctl report");
	RUN_HAS("script more", 129, "'more': it takes a file by -i alone\nusage: pmuctl script");
	RUN_HAS("report --svg graph.svg -j", 129, "--svg is the whole output");
	RUN_HAS("report --svg graph.svg -s dso", 129, "--svg draws the stacks as they are");
	RUN_HAS("report --svg graph.svg -g caller", 129, "--svg draws the stacks as they are");
	RUN_HAS("report --svg graph.svg --no-children", 129, "--svg draws the stacks as they are");
	RUN_HAS("report --svg graph.svg --percent-limit 5", 129, "--svg draws the stacks");
	RUN_HAS("report --svg graph.svg -i /nonexistent/file", 255, "No such file");
}

static void help_and_version(void **state)
{
	(void)state;
	RUN_HAS("--help", 0, "");
	assert_non_null(strstr(out, "explain"));
	RUN_HAS("--version", 0, "");
	assert_non_null(strstr(out, "ABI 1"));
	RUN_HAS("help stat", 0, "");
	assert_non_null(strstr(out, "usage: pmuctl stat"));
	RUN_HAS("stat --help", 0, "");
	assert_non_null(strstr(out, "usage: pmuctl stat"));
	assert_non_null(strstr(out, "\n  --append                       add to the file of -o"));
	assert_null(strstr(out, "--strict"));
	RUN_HAS("stat -a -e cycles --help", 0, "");
	assert_non_null(strstr(out, "usage: pmuctl stat"));
	RUN_HAS("report -n -h", 0, "");
	assert_non_null(strstr(out, "usage: pmuctl report"));
	RUN_HAS("end --help", 0, "");
	assert_non_null(strstr(out, "usage: pmuctl end ID...\n\nSee"));
	RUN_HAS("unload --help", 0, "");
	assert_non_null(strstr(out, "usage: pmuctl unload [--force]\n"));
	RUN_HAS("stat --frequency 5 true", 129, "there is no option '--frequency'\n"
		"usage: pmuctl stat [-e EVENT[,...]] [-M METRIC[,...]]");
	assert_non_null(strstr(err, "\n`pmuctl stat --help` says what each option does\n"));
	RUN_HAS("stat -z true", 129, "there is no option '-z'");
	RUN_HAS("stat --app true", 129, "there is no -o");
	RUN_HAS("stat --no true", 129, "option '--no' is the beginning of several: "
		"--no-aggr, --no-inherit, --no-multiplex");
	RUN_HAS("stat --append=x true", 129, "option '--append' takes no value");
	RUN_HAS("record --count", 129, "option '--count' needs a value");
	RUN_HAS("report -s", 129, "option '--sort' needs a value");
	RUN_HAS("mem -d x", 129, "there is no option '-d'");
	RUN_HAS("mem a b", 129, "'b': it takes one file\nusage: pmuctl mem");
	RUN_HAS("mem -i a b", 129, "-i 'a' or 'b', one file");
	RUN_HAS("mem a -n x", 129, "-n 'x'");
	RUN_HAS("mem /no/such --sharing -n 3", 255, "/no/such");
	RUN_HAS("mem -p 1", 129, "it reads a file; --sharing records as well");
	RUN_HAS("mem --ldlat 30 a", 129, "--ldlat: it says how to record, which is done with "
		"--sharing alone");
	RUN_HAS("mem --sharing -o a", 129, "-o: it says how to record, and nothing is named");
	RUN_HAS("mem --sharing -i a true", 129, "-i 'a' is read, a command or -a");
	RUN_HAS("mem --sharing -i a -a", 129, "one of them");
	RUN_HAS("mem --sharing -e cycles true", 129, "-e and --sharing");
	RUN_HAS("mem --sharing -c 5 -F 5 true", 129, "-c or -F, one of them");
	RUN_HAS("mem --sharing -u -k true", 129, "-u and -k: one of them");
	RUN_HAS("mem --sharing --ldlat 2 true", 129, "--ldlat '2': not a number from 3 to 65535");
	RUN_HAS("mem --sharing -a -p 1", 129, "one of them at a time");
	RUN_HAS("mem --sharing -i /no/such", 255, "/no/such");
	RUN_HAS("mem --sharing true", 255, "--sharing needs loads with their addresses: ");
	RUN_HAS("skid -e nosuch", 129, "event 'nosuch': no such event");
	RUN_HAS("skid -e instructions:upp", 129, "leave :p away");
	RUN_HAS("mem --stdio", 129, "there is no option '--stdio'");
	RUN_HAS("annotate -s one two", 129, "'two': it takes one symbol\nusage: pmuctl annotate");
	RUN_HAS("annotate --stdio -s one -i /no/such", 255, "/no/such");
	RUN_HAS("analyze --tma5 --classical true", 129, "--tma5 or --classical, not both");
	RUN_HAS("topdown -o k --svg k true", 129, "need files of their own");
	RUN_HAS("topdown --svg k --counts k true", 129, "need files of their own");
	RUN_HAS("workload --rounds 3 --list", 129, "--list runs none: no --rounds");
	RUN_HAS("info --metrics", 129, "there is no option '--metrics'");
}

/* Of each processor that --for knows there is something to be told; a shell knows the same ones. */
static void other_processors(void **state)
{
	char line[128];
	const struct option_row *row = command_list.options;
	const char *word, *name;
	size_t i, words = 1, without = 0;

	(void)state;
	while (row->name && strcmp(row->name, "for") != 0)
		row++;
	for (word = row->words; *word; word++)
		words += *word == ' ';
	for (i = 0; (name = pmuctl_cpu_name(i)); i++) {
		word = strstr(row->words, name);
		assert_non_null(word);
		snprintf(line, sizeof(line), "list --for %s", name);
		assert_int_equal(run(line), 0);
		/* Of the first Pentium all are ours. */
		if (!strcmp(name, "pentium") || !strcmp(name, "pentium-mmx")) {
			snprintf(line, sizeof(line), "Events of %s (Intel's manual):\n", name);
			assert_non_null(strstr(out, line));
			assert_non_null(strstr(out, "cpu/event=0xNN,counter=0"));
			continue;
		}
		/* Of some libpfm4 has none, or not the one that is installed, and says so. */
		if (strstr(err, "libpfm4 knows no processor like") ||
		    strstr(err, "this libpfm4 does not know")) {
			assert_true(count_text(out, "\n") > 40);
			without++;
			continue;
		}
		assert_true(count_text(out, "\n") > 90);
		snprintf(line, sizeof(line), "Events of %s (libpfm4):\n", name);
		assert_non_null(strstr(out, line));
	}
	assert_int_equal(words, i);
	assert_in_range(without, 2, 5);
	RUN_HAS("list --for skylak", 129, "--for 'skylak': no processor that is known here");
}

/* Two rows of one command that begin with the same would hide one another. */
static void options_are_rows_of_their_own(void **state)
{
	static const struct command *const commands[] = {
		&command_analyze, &command_annotate, &command_explain, &command_export,
		&command_exporter,
		&command_info, &command_list, &command_mem, &command_record, &command_report,
		&command_script, &command_selftest, &command_skid, &command_stat,
		&command_topdown, &command_workload,
	};
	const struct option_row *row, *other;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		for (row = commands[i]->options; row->name || row->letter; row++) {
			assert_non_null(row->take);
			assert_true(row - commands[i]->options < 48);
			assert_true(row->least <= row->most || !row->most);
			for (other = commands[i]->options; other < row; other++) {
				assert_true(!row->letter || row->letter != other->letter);
				assert_true(!row->name || !other->name ||
					    strcmp(row->name, other->name) != 0);
			}
		}
}

/* That completing `line` offers this line, and how many there are; -1: any number. */
static void completes(const char *line, const char *offered, int lines)
{
	char text[256], wanted[128];
	const char *at;
	int count = 0;

	snprintf(text, sizeof(text), "completion -- %s", line);
	assert_int_equal(run(text), 0);
	assert_string_equal(err, "");
	for (at = out; (at = strchr(at, '\n')); at++)
		count++;
	snprintf(wanted, sizeof(wanted), "\n%s", offered);
	if (strncmp(out, offered, strlen(offered)) != 0 && !strstr(out, wanted))
		fail_msg("'%s' offers '%s', not '%s'", line, out, offered);
	if (lines >= 0 && count != lines)
		fail_msg("'%s' offers %d lines: '%s'", line, count, out);
}

static void words_are_completed(void **state)
{
	static const struct {
		const char *line, *offered;
		int lines;
	} rows[] = {
		{ "sta", "stat\trun a command", 1 },
		{ "", "topdown\t", -1 },
		{ "--v", "--version\t", 1 },
		{ "stat --nmi", "--nmi-watchdog=off\t", 1 },
		{ "stat --nmi-watchdog=", "--nmi-watchdog=off\t", 1 },
		{ "stat -", "-e\tevents, and", -1 },
		{ "stat -a --d", "--detailed\t", 2 },
		{ "stat -e l1d-load-m", "l1d-load-misses\t", 1 },
		{ "stat -e cycles,l1d-load-m", "cycles,l1d-load-misses\t", 1 },
		{ "stat --event={cycles,l1d-load-m", "--event={cycles,l1d-load-misses\t", 1 },
		{ "explain cycles l1d-load-m", "l1d-load-misses\t", 1 },
		{ "stat -M IP", "IPC\t", -1 },
		{ "topdown --nodes Bad_Speculation,Front", "Bad_Speculation,Frontend_Bound\t", -1 },
		{ "topdown -l 2", "2\t", 1 },
		{ "report -s dso,sym", "dso,symbol\t", 3 },
		{ "report --call-graph=fra", "--call-graph=fractal\t", 1 },
		{ "script -F ip,sy", "ip,sym\t", 2 },
		{ "record --call-graph f", "fp\t", 1 },
		{ "record -o ", ":files", 1 },
		{ "stat --events-dir /et", ":directories", 1 },
		{ "load pmu", ":files", 1 },
		{ "workload pointer", "pointer-chase\t", 1 },
		{ "completion z", "zsh\t", 1 },
		{ "help anno", "annotate\t", 1 },
		{ "stat -e cycles tr", ":command 4", 1 },
		{ "stat -ecycles -- -a", ":command 4", 1 },
		{ "stat -a sh -c -", ":command 3", 1 },
		{ "record -c 5 a b c", ":command 4", 1 },
		/* What is wrong, or takes nothing, offers nothing. */
		{ "nosuch --", "", 0 },
		{ "stat --nosuch=", "", 0 },
		{ "stat -c ", ":command 3", 1 },
		{ "unload x", "", 0 },
		{ "record -c ", "", 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		completes(rows[i].line, rows[i].offered, rows[i].lines);
	RUN_HAS("completion bash", 0, "");
	assert_non_null(strstr(out, "complete -F _pmuctl pmuctl\n"));
	RUN_HAS("completion tcsh", 129, "'tcsh': scripts there are for bash, zsh and fish");
	RUN_HAS("completion", 129, "name a shell: bash, zsh or fish\nusage: pmuctl completion");
	RUN_HAS("completion --", 0, "");
}

/* Every word that a row offers is taken: what is complained of then is the file. */
static void offered_words_are_taken(void **state)
{
	static const struct command *const commands[] = {
		&command_report, &command_script,
	};
	const struct option_row *row;
	char word[32], line[128];
	const char *at;
	int length;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		for (row = commands[i]->options; row->name || row->letter; row++)
			for (at = row->words; at && sscanf(at, " %31s%n", word, &length) == 1;
			     at += length) {
				snprintf(line, sizeof(line), "%s --%s=%s -i /no/such", commands[i]->name,
					 row->name, word);
				/* -F symoff goes with another. */
				if (strcmp(word, "symoff") != 0)
					RUN_HAS(line, 255, "/no/such");
			}
}

/* As wide as the terminal, and in one piece where there is none. */
static void help_is_wrapped(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave;
	struct winsize size = { .ws_row = 50, .ws_col = 70 };
	struct words w;
	char *line, *rest = out;
	ssize_t got, at = 0;
	pid_t pid;

	(void)state;
	assert_int_equal(grantpt(master), 0);
	assert_int_equal(unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
	split(&w, "topdown --help");
	pid = start_to(w.argc, w.argv, slave, slave);
	close(slave);
	while ((got = read(master, out + at, sizeof(out) - 1 - (size_t)at)) > 0)
		at += got;
	out[at] = '\0';
	close(master);
	assert_int_equal(exit_of(pid), 0);
	assert_non_null(strstr(out, "\n                                 "));
	assert_non_null(strstr(out, "\n       [-a | -C CPUS | -p PIDS | -t TIDS | -G CGROUP]"));
	while ((line = strsep(&rest, "\n")))
		assert_true(strcspn(line, "\r") <= 70);
	RUN_HAS("topdown --help", 0, "");
	assert_non_null(strstr(out, "run the command so many times; errors are by how the runs differ\n"));
}

/* Who holds a socket is whoever has it open now, be it who made the session or not. */
static void sessions_and_who_holds_them(void **state)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	struct stat status;
	char text[128];

	(void)state;
	assert_int_equal(run("sessions"), 0);
	assert_non_null(strstr(out, "  session 3 of process 1234 (somebody): gp0, fixed0, running, 5 "
			       "events in 2 sets of CPUs 1,3; held by nobody"));
	assert_int_equal(fstat(fd, &status), 0);
	fake.inode = status.st_ino;
	fake.no_maker = true;
	assert_int_equal(run("sessions"), 0);
	snprintf(text, sizeof(text), "; held by process %d (", getpid());
	assert_non_null(strstr(out, "of a process that has ended (somebody): "));
	assert_non_null(strstr(out, text));
	assert_int_equal(run("sessions -j"), 0);
	snprintf(text, sizeof(text), "\"holders\": [{\"pid\": %d, ", getpid());
	assert_non_null(strstr(out, "\"pid\": null"));
	assert_non_null(strstr(out, text));
	close(fd);
	assert_int_equal(run("sessions"), 0);
	assert_non_null(strstr(out, "; held by nobody"));
	fake.lost = true;
	assert_int_equal(run("info"), 0);
	assert_non_null(strstr(out, "of a process that has ended (somebody): gp0, fixed0, lost"));
	fake.cgroup = "/system.slice";
	assert_int_equal(run("sessions"), 0);
	assert_non_null(strstr(out, " of 2 tasks in control group /system.slice; held by"));
	RUN_HAS("sessions 3", 129, "'3': it takes no argument");
}

static void ends_of_sessions(void **state)
{
	(void)state;
	RUN_HAS("end", 129, "ID");
	RUN_HAS("end 0", 129, "'0'");
	RUN_HAS("end 3 x", 129, "'x'");
	RUN_HAS("end 3", 1, "the loaded module ends no session of others");
	fake.features = PMUCTL_FEATURE_END;
	RUN_HAS("end 3 4", 0, "");
	fake.fail_cmd = PMUCTL_CMD_SESSION_END;
	fake.fail_errno = -EPERM;
	RUN_HAS("end 3", 1, "session 3: ");
}

static void info_and_explain(void **state)
{
	(void)state;
	assert_int_equal(run("info"), 0);
	assert_non_null(strstr(out, ", SMT unknown\n"));
	fake.smt = 0;
	assert_int_equal(run("info"), 0);
	assert_non_null(strstr(out, ", SMT off\n"));
	fake.smt = 1;
	assert_int_equal(run("info"), 0);
	assert_non_null(strstr(out, ", SMT on\n"));
	assert_non_null(strstr(out, "gp0-3, fixed0-2, 48 bits"));
	assert_non_null(strstr(out, "session 3 of process 1234 (somebody): gp0, fixed0, running"));
	assert_int_equal(run("info -j"), 0);
	assert_non_null(strstr(out, "\"abi\": 1, \"backend\": \"perfmon\""));
	fake.abi = 5;
	assert_int_equal(run("info"), 1);
	fake.abi = 1;
	fake.state = PMUCTL_STATE_FOREIGN;
	assert_int_equal(run("info"), 1);
	assert_non_null(strstr(out, "NMI watchdog"));
	assert_int_equal(run("explain instructions:u"), 0);
	assert_non_null(strstr(out, "allowed    gp0-3, fixed0"));
	assert_non_null(strstr(out, "assigned   gp0"));
	assert_non_null(strstr(out, "IA32_PERFEVTSEL0 = 0x4300c0"));
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EPERM;
	RUN_HAS("explain -j cycles", 1, "the kernel's half");
	assert_non_null(strstr(out, "\"counter\": null"));
}

static void explain_plans(void **state)
{
	(void)state;
	assert_int_equal(run("explain {cycles,instructions}:u branches"), 0);
	assert_int_equal(count_text(out, "group      1, counted as a whole"), 2);
	assert_int_equal(run("explain -j {cycles,instructions}:u branches"), 0);
	assert_int_equal(count_text(out, "\"group\": 1"), 2);
	assert_int_equal(count_text(out, "\"group\": null"), 1);
	assert_int_equal(count_text(out, "\"set\": 0"), 3);
	RUN_HAS("explain {cycles", 129, "not closed");
	/* As record would sample it. */
	fake_sampling(3);
	assert_int_equal(run("explain instructions:pp"), 0);
	assert_non_null(strstr(out, "allowed    gp0-3\n"));
	assert_non_null(strstr(out, "precise    2, by PEBS\n"));
	RUN_HAS("explain r0283:pp", 1, "these events are refused: event 'r0283:pp'");
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EPERM;
	RUN_HAS("explain cycles:D", 1, "the kernel's half");
	assert_non_null(strstr(out, "pinned     always on"));
	assert_non_null(strstr(out, "assigned   unknown"));
}

static void events_dir(void **state)
{
	char name[] = "/tmp/pmuctl-test-XXXXXX", line[128], file[64];
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(name));
	snprintf(file, sizeof(file), "%s/core.json", name);
	f = fopen(file, "w");
	fputs("[\n{ \"EventName\": \"A\" \n oops\n", f);
	fclose(f);
	snprintf(line, sizeof(line), "stat --events-dir %s -e NO.SUCH true", name);
	RUN_HAS(line, 129, "core.json:3");
	unlink(file);
	rmdir(name);
	RUN_HAS("stat --events-dir /no/such/dir -e NO.SUCH true", 129, "/no/such/dir");
	RUN_HAS("list --events-dir /no/such/dir", 129, "/no/such/dir");
	/* Even where they are not needed. */
	RUN_HAS("stat --events-dir /no/such/dir -e cycles true", 129,
		"--events-dir /no/such/dir: No such file");
	RUN_HAS("record --events-dir /no/such/dir true", 129, "/no/such/dir");
	RUN_HAS("info --events-dir /tmp", 129, "usage");
}

/* Without counters that count there is nothing good, and the kernel of paper has none. */
static void selftest_verdicts(void **state)
{
	(void)state;
	memset(fake.counts, 0, sizeof(fake.counts));
	assert_int_equal(run("selftest"), 1);
	assert_non_null(strstr(out, "gp0, instructions:u: broken, expected 200000, got 0"));
	assert_non_null(strstr(out, "fake: the machine announces a PMU that does not count"));
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EBUSY;
	fake.state = PMUCTL_STATE_HELD;
	fake.extack = "process 1234 (somebody) holds gp0";
	assert_int_equal(run("selftest -j"), 1);
	assert_non_null(strstr(out, "\"verdict\": \"held\""));
	assert_non_null(strstr(err, "session 3 of process 1234 (somebody) holds gp0"));
	fake.fail_errno = -EIO;
	fake.extack = "its counters are stuck";
	assert_int_equal(run("selftest"), 1);
	assert_int_equal(count_text(out, "its counters are stuck"), 1);
	assert_non_null(strstr(out, "fake: the machine"));
	fake.fail_errno = -EPERM;
	fake.extack = NULL;
	RUN_HAS("selftest", 1, "CAP_PERFMON");
	assert_non_null(strstr(out, "untested: "));
	RUN_HAS("selftest now", 129, "'now': it takes no argument\nusage: pmuctl selftest");
}

#define EVIL "\033[31m\x9b\xc2\x9b\x7f"

static void assert_nothing_obeyed(const char *line, const char *text)
{
	const unsigned char *c = (const unsigned char *)text;

	for (; *c; c++) {
		if ((*c >= ' ' && *c < 0x7f) || *c == '\n' || *c == '\t')
			continue;
		print_message("%s: byte %#x in\n%s", line, *c, text);
		fail();
	}
}

/* What a terminal obeys comes from names of processes, events, files and from words typed. */
static void nothing_reaches_the_terminal_raw(void **state)
{
	static const char *const lines[] = {
		"info", "info -j", "stat true", "stat -v -e cpu/event=0xc4,name=" EVIL "/ true",
		"stat -e " EVIL " true", "stat -e cycles:" EVIL " true", "stat --" EVIL " true",
		"stat -\x9b true", "stat --json=" EVIL, "stat --t" EVIL, "stat -o /no" EVIL "/x true",
		"stat " EVIL, "stat -C " EVIL, "stat -M " EVIL " true", "stat -p " EVIL,
		"stat --events-dir /no" EVIL " -e X true", "stat true " EVIL,
		"stat --cascade " EVIL ",x true", "record -e " EVIL " true", "record -m " EVIL " true",
		"record -o /no" EVIL "/x true", "report -i /no" EVIL, "report -s " EVIL, "report " EVIL,
		"script -F " EVIL, "annotate -i " EVIL, "mem -i " EVIL, "export --folded -i " EVIL,
		"explain " EVIL, "list " EVIL, "list --metrics " EVIL, "topdown --nodes " EVIL " true",
		"analyze --node " EVIL " true", "skid -e " EVIL, "workload " EVIL, "load " EVIL,
		"exporter --events-file /no" EVIL, "exporter --listen " EVIL,
		"exporter --by " EVIL, "exporter --textfile /no" EVIL, "help " EVIL, EVIL, "selftest " EVIL, "unload " EVIL,
	};
	size_t i;

	(void)state;
	fake.owner = "so" EVIL "\n";
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		run(lines[i]);
		assert_nothing_obeyed(lines[i], out);
		assert_nothing_obeyed(lines[i], err);
	}
	fake.fail_cmd = PMUCTL_CMD_SESSION_NEW;
	fake.fail_errno = -EBUSY;
	fake.state = PMUCTL_STATE_HELD;
	fake.extack = "pid 1234 (so" EVIL ") holds gp0";
	RUN_HAS("stat true", 255, "pid 1234 (so?[31m" "???" "?) holds gp0\n");
	assert_non_null(strstr(err, "process 1234 (so?[31m" "????" "?) holds gp0, fixed0\n"));
	assert_nothing_obeyed("stat", err);
	fake.extack = NULL;
	fake.warning = "pid 7 (" EVIL ") is in the way";
	fake.fail_cmd = 0;
	RUN_HAS("stat true", 0, "is in the way");
	assert_nothing_obeyed("stat", err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(usage_is_129, setup),
		cmocka_unit_test_setup(export_says_what_is_wrong, setup),
		cmocka_unit_test_setup(help_and_version, setup),
		cmocka_unit_test(options_are_rows_of_their_own),
		cmocka_unit_test(other_processors),
		cmocka_unit_test_setup(words_are_completed, setup),
		cmocka_unit_test_setup(offered_words_are_taken, setup),
		cmocka_unit_test_setup(help_is_wrapped, setup),
		cmocka_unit_test_setup(sessions_and_who_holds_them, setup),
		cmocka_unit_test_setup(ends_of_sessions, setup),
		cmocka_unit_test_setup(info_and_explain, setup),
		cmocka_unit_test_setup(explain_plans, setup),
		cmocka_unit_test_setup(events_dir, setup),
		cmocka_unit_test_setup(selftest_verdicts, setup),
		cmocka_unit_test_setup(nothing_reaches_the_terminal_raw, setup),
	};

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	setenv("LC_ALL", "C", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
