// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl top on a terminal: draws pages and reads keys, by ncurses, and puts all back as it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tools/base/colour.h"
#include "tools/run/signals.h"
#include "tools/top/curses.h"
#include "tools/top/top.h"

struct screen {
	struct top *t;
	struct curses curses;
	SCREEN *term;
	struct top_page page;
	bool utf8, colours;
	int poll;		/* of keys, sizes, and samples */
	int sizes;		/* SIGWINCH comes out here */
	bool changed;		/* the page is to be drawn anew */
	int errors;		/* our standard error, while that goes to `said` */
	int said;
};

/* ---- standard error ------------------------------------------------------------------------ */

/* What is said meanwhile would be written over the page: it is said behind it. */
static int hold_errors(struct screen *s)
{
	s->said = memfd_create("pmuctl", MFD_CLOEXEC);
	s->errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (s->said < 0 || s->errors < 0)
		return complain("top", EXIT_FAILED, "standard error: %s", strerror(errno));
	fflush(stderr);
	dup2(s->said, STDERR_FILENO);
	return 0;
}

static void say_errors(struct screen *s)
{
	char text[4096];
	ssize_t got;

	if (s->errors >= 0 && s->said >= 0) {
		fflush(stderr);
		dup2(s->errors, STDERR_FILENO);
		lseek(s->said, 0, SEEK_SET);
		while ((got = read(s->said, text, sizeof(text))) > 0)
			fwrite(text, 1, (size_t)got, stderr);
	}
	if (s->errors >= 0)
		close(s->errors);
	if (s->said >= 0)
		close(s->said);
}

/* ---- the terminal --------------------------------------------------------------------------- */

enum {
	PAIR_HOT = 1,
	PAIR_WARM,
};

static void start_colours(struct screen *s)
{
	const struct curses *c = &s->curses;

	s->colours = colours_wanted(COLOUR_AUTO, STDOUT_FILENO) && c->has_colors() &&
		     c->start_color() == OK && c->use_default_colors() == OK;
	if (!s->colours)
		return;
	c->init_pair(PAIR_HOT, COLOR_RED, -1);
	c->init_pair(PAIR_WARM, COLOR_GREEN, -1);
}

static int open_terminal(struct screen *s)
{
	struct curses *c = &s->curses;

	if (!curses_load(c))
		return complain("top", EXIT_FAILED, "the screen is ncurses', which cannot be loaded: "
				"install it (Debian: libncursesw6); --stdio does without");
	setlocale(LC_CTYPE, "");
	s->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	s->term = c->newterm(NULL, stdout, stdin);
	if (!s->term)
		return complain("top", EXIT_FAILED, "TERM=%s: there is no description of such a "
				"terminal, or it cannot move its cursor; --stdio does without",
				getenv("TERM"));
	c->cbreak();
	c->noecho();
	c->nonl();
	c->keypad(*c->window, TRUE);
	c->nodelay(*c->window, TRUE);
	c->set_escdelay(50);
	c->curs_set(0);
	start_colours(s);
	return 0;
}

static void close_terminal(struct screen *s)
{
	if (!s->term)
		return;
	s->curses.endwin();
	s->curses.delscreen(s->term);
	s->term = NULL;
}

static chtype attribute(const struct screen *s, enum top_look look)
{
	switch (look) {
	case LOOK_HEAD:
	case LOOK_HEADING:
		return look == LOOK_HEADING ? A_REVERSE : A_BOLD;
	case LOOK_SELECTED:
		return A_REVERSE;
	case LOOK_KEYS:
		return A_BOLD;
	case LOOK_HOT:
		return s->colours ? (chtype)s->curses.COLOR_PAIR(PAIR_HOT) : A_NORMAL;
	case LOOK_WARM:
		return s->colours ? (chtype)s->curses.COLOR_PAIR(PAIR_WARM) : A_NORMAL;
	default:
		return A_NORMAL;
	}
}

static struct top_keys keys_of(const struct screen *s)
{
	return (struct top_keys){ &s->t->lines, s->page.room, s->t->profile.events };
}

static int draw(struct screen *s)
{
	const struct curses *c = &s->curses;
	struct top *t = s->t;
	struct top_keys keys;
	int row, height, width, room = s->page.room;

	height = c->getmaxy(*c->window);
	width = c->getmaxx(*c->window);
	if (s->page.rows && (s->page.height != height || s->page.width != width))
		top_page_free(&s->page);
	if (!s->page.rows && top_page_init(&s->page, width, height, s->utf8))
		return complain("top", EXIT_FAILED, "out of memory");
	top_page_draw(&s->page, &t->state, &t->head, &t->lines);
	/* On another page the cursor may be elsewhere. */
	if (s->page.room != room) {
		keys = keys_of(s);
		top_keep_cursor(&t->state, &keys);
		top_page_draw(&s->page, &t->state, &t->head, &t->lines);
	}
	c->werase(*c->window);
	for (row = 0; row < height; row++) {
		c->wattrset(*c->window, (int)attribute(s, s->page.rows[row].look));
		c->wmove(*c->window, row, 0);
		c->waddnstr(*c->window, s->page.rows[row].text, -1);
	}
	c->wattrset(*c->window, A_NORMAL);
	return c->wrefresh(*c->window) == ERR ? complain("top", EXIT_FAILED, "the terminal is gone") : 0;
}

/* ---- keys ----------------------------------------------------------------------------------- */

static int translated(int key)
{
	static const struct {
		int curses, own;
	} keys[] = {
		{ KEY_UP, KEY_MOVE_UP }, { KEY_DOWN, KEY_MOVE_DOWN },
		{ KEY_PPAGE, KEY_MOVE_PAGE_UP }, { KEY_NPAGE, KEY_MOVE_PAGE_DOWN },
		{ KEY_HOME, KEY_MOVE_FIRST }, { KEY_END, KEY_MOVE_LAST },
		{ KEY_F(1), KEY_HELPED }, { KEY_ENTER, KEY_ENTERED },
		{ KEY_BACKSPACE, KEY_ERASED }, { KEY_DC, KEY_ERASED },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].curses == key)
			return keys[i].own;
	return key > 0xff ? KEY_NONE : key;
}

/* 0, an exit code, or -1: it is over. */
static int press(struct screen *s, int key)
{
	struct top *t = s->t;
	const struct top_keys keys = keys_of(s);
	int code;

	switch (top_press(&t->state, key, &keys)) {
	case DEED_QUIT:
		return -1;
	case DEED_NONE:
		return 0;
	case DEED_ZERO:
		top_profile_age(&t->profile, 0);
		break;
	default:
		break;
	}
	code = top_make_lines(t);
	top_keep_cursor(&t->state, &keys);
	return code;
}

static int read_keys(struct screen *s)
{
	int key, code = 0;

	while (!code && (key = s->curses.wgetch(*s->curses.window)) != ERR)
		if (key != KEY_RESIZE)
			code = press(s, translated(key));
	return code;
}

static void take_size(struct screen *s)
{
	struct signalfd_siginfo info;
	struct winsize size;

	while (read(s->sizes, &info, sizeof(info)) > 0)
		;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row && size.ws_col)
		s->curses.resizeterm(size.ws_row, size.ws_col);
	/* What it made of the old page nobody knows. */
	s->curses.clearok(*s->curses.window, TRUE);
}

/* ---- what is waited for --------------------------------------------------------------------- */

static int watch(struct screen *s, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(s->poll, EPOLL_CTL_ADD, fd, &event) ?
	       complain("top", EXIT_FAILED, "cannot wait: %s", strerror(errno)) : 0;
}

static int open_waits(struct screen *s)
{
	sigset_t size;
	int code;

	sigemptyset(&size);
	sigaddset(&size, SIGWINCH);
	sigprocmask(SIG_BLOCK, &size, NULL);
	s->poll = epoll_create1(EPOLL_CLOEXEC);
	s->sizes = signalfd(-1, &size, SFD_CLOEXEC | SFD_NONBLOCK);
	code = watch(s, s->sizes);
	if (!code)
		code = watch(s, STDIN_FILENO);
	return code ? code : watch(s, pmuctl_dump_fd(s->t->r.dump));
}

/* A terminal that has hung up has no keys, for ever. */
static int take_ready(struct screen *s)
{
	struct epoll_event ready[3];
	int i, code = 0, count = epoll_wait(s->poll, ready, (int)ARRAY_SIZE(ready), 0);

	for (i = 0; i < count && !code; i++) {
		s->changed |= ready[i].data.fd == STDIN_FILENO || ready[i].data.fd == s->sizes;
		if (ready[i].data.fd == STDIN_FILENO)
			code = ready[i].events & (EPOLLHUP | EPOLLERR) ? -1 : read_keys(s);
		else if (ready[i].data.fd == s->sizes)
			take_size(s);
		else
			code = top_drain(s->t);
	}
	return code;
}

static int look(struct screen *s)
{
	const struct top_keys keys = keys_of(s);
	int code = top_look(s->t);

	top_keep_cursor(&s->t->state, &keys);
	s->changed = true;
	return code;
}

static int loop(struct screen *s, struct waiter *w)
{
	struct top *t = s->t;
	uint64_t due = 0, now;
	unsigned int looks = 0;
	int code = 0, what;

	while (!code && !(t->args.iterations && looks > t->args.iterations)) {
		code = s->changed ? draw(s) : 0;
		s->changed = false;
		what = code ? 0 : waiter_wait(w, due ? due : now_ns() + 1, 1);
		if (what < 0)
			return complain("top", EXIT_FAILED, "cannot wait: %s", strerror(-what));
		if (what == WAIT_SIGNAL)
			return 0;
		if (what == WAIT_ENDED && !t->head.ended) {
			t->head.ended = t->r.args.command ? "the command has ended" :
							    "the tasks have ended";
			s->changed = true;
			waiter_forget(w);
		}
		if (!code && what == WAIT_READY)
			code = take_ready(s);
		now = now_ns();
		if (code || now < due)
			continue;
		code = look(s);
		looks++;
		due = now + (uint64_t)(t->state.delay * 1e9);
	}
	return code;
}

static int run(struct screen *s)
{
	const struct record_args *args = &s->t->r.args;
	const pid_t *pids = args->command ? &s->t->r.child.pid : args->targets.pids;
	size_t count = args->command ? 1 : args->targets.nr_pids;
	struct waiter *w;
	int code, err = waiter_open(&w, pids, count);

	code = err ? complain("top", EXIT_FAILED, "cannot wait: %s", strerror(-err)) :
		     open_waits(s);
	if (!code)
		code = top_start(s->t);
	if (!code) {
		waiter_watch(w, s->poll);
		code = loop(s, w);
	}
	waiter_close(w);
	return code < 0 ? 0 : code;
}

int top_screen(struct top *t)
{
	struct screen s = {
		.t = t, .changed = true, .poll = -1, .sizes = -1, .errors = -1, .said = -1,
	};
	int code = hold_errors(&s);

	if (!code)
		code = open_terminal(&s);
	if (!code)
		code = run(&s);
	close_terminal(&s);
	say_errors(&s);
	top_page_free(&s.page);
	if (s.poll >= 0)
		close(s.poll);
	if (s.sizes >= 0)
		close(s.sizes);
	return code;
}
