// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command on a terminal of its own, presses keys, and says what stands there:
 *
 *   pty COLSxROWS STEP... -- COMMAND...
 *
 *   wait=TEXT	until TEXT is on the screen; gone=TEXT: until it is not
 *   keys=TEXT	\e is Escape, \n Enter
 *   size=COLSxROWS
 *   show=NAME	"== NAME COLSxROWS", then the rows, each between two |
 *   signal=N	to the command
 *
 * Behind the last step it waits for the command's end: "ended CODE", "restored" if the terminal's
 * settings are those of before, and what was written behind the screen.  It understands what
 * ncurses writes for TERM=linux, vt100 and xterm, and complains of anything else.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define COLS_MAX 300
#define ROWS_MAX 100
/* Seconds of guest time that a step may take. */
#define PATIENCE 120

/* A character in UTF-8; "" behind one of two columns. */
static char cells[ROWS_MAX][COLS_MAX][8];
static int cols, rows, row, col, top, bottom, saved_row, saved_col;
static bool pending;		/* the last column was written to: the next one goes below */
static bool coloured, failed;
static int master;
static pid_t child;

static void blank(int r, int from, int to)
{
	for (; from < to; from++)
		strcpy(cells[r][from], " ");
}

static void blank_rows(int from, int to)
{
	for (; from < to; from++)
		blank(from, 0, COLS_MAX);
}

static void scroll(int from, int to, int by)
{
	for (; by > 0; by--) {
		memmove(cells[from], cells[from + 1], sizeof(cells[0]) * (size_t)(to - from - 1));
		blank_rows(to - 1, to);
	}
	for (; by < 0; by++) {
		memmove(cells[from + 1], cells[from], sizeof(cells[0]) * (size_t)(to - from - 1));
		blank_rows(from, from + 1);
	}
}

static void line_feed(void)
{
	if (row + 1 == bottom)
		scroll(top, bottom, 1);
	else if (row + 1 < rows)
		row++;
}

static void go(int r, int c)
{
	row = r < 0 ? 0 : r >= rows ? rows - 1 : r;
	col = c < 0 ? 0 : c >= cols ? cols - 1 : c;
	pending = false;
}

/* Of the few wide ones that the tests have. */
static int width_of(const char *c)
{
	return (unsigned char)c[0] >= 0xe3 && (unsigned char)c[0] <= 0xed ? 2 : 1;
}

static void put(const char *c)
{
	int width = width_of(c);

	if (pending || col + width > cols) {
		col = 0;
		pending = false;
		line_feed();
	}
	snprintf(cells[row][col], sizeof(cells[row][col]), "%s", c);
	if (width == 2 && col + 1 < cols)
		cells[row][col + 1][0] = '\0';
	col += width;
	if (col >= cols) {
		col = cols - 1;
		pending = true;
	}
}

static void unknown(const char *sequence)
{
	const char *c;

	printf("unknown sequence: ");
	for (c = sequence; *c; c++)
		printf(*c < ' ' ? "^%c" : "%c", *c < ' ' ? *c + '@' : *c);
	printf("\n");
	failed = true;
}

static void shift(int by)
{
	int c;

	if (by > 0)
		for (c = cols - 1; c >= col; c--)
			strcpy(cells[row][c], c - by >= col ? cells[row][c - by] : " ");
	else
		for (c = col; c < cols; c++)
			strcpy(cells[row][c], c - by < cols ? cells[row][c - by] : " ");
}

static void colours(const int *args, int count)
{
	for (int i = 0; i < count; i++)
		coloured |= (args[i] >= 31 && args[i] <= 37) || (args[i] >= 41 && args[i] <= 47) ||
			    args[i] == 38;
}

static void control(const char *sequence, const int *args, int count, char last)
{
	int n = args[0] ? args[0] : 1, c;

	switch (last) {
	case 'A': go(row - n, col); break;
	case 'B': go(row + n, col); break;
	case 'C': go(row, col + n); break;
	case 'D': go(row, col - n); break;
	case 'G': go(row, n - 1); break;
	case 'd': go(n - 1, col); break;
	case 'H': go(n - 1, (args[1] ? args[1] : 1) - 1); break;
	case 'J':
		blank(row, args[0] ? 0 : col, args[0] == 1 ? col + 1 : COLS_MAX);
		blank_rows(args[0] ? 0 : row + 1, args[0] == 1 ? row : rows);
		break;
	case 'K':
		blank(row, args[0] ? 0 : col, args[0] == 1 ? col + 1 : COLS_MAX);
		break;
	case 'X': blank(row, col, col + n < cols ? col + n : cols); break;
	case '@': shift(n); break;
	case 'P': shift(-n); break;
	case 'L': scroll(row, bottom, -n); break;
	case 'M': scroll(row, bottom, n); break;
	case 'S': scroll(top, bottom, n); break;
	case 'T': scroll(top, bottom, -n); break;
	case 'b':
		for (c = col ? col - 1 : 0; n--;)
			put(cells[row][c]);
		break;
	case 'r':
		top = n - 1;
		bottom = args[1] ? args[1] : rows;
		go(0, 0);
		break;
	case 'm': colours(args, count); break;
	case 'h': case 'l': case 'c': case 't': break;
	default: unknown(sequence);
	}
}

/* Of the bytes that came: how many were used; 0: there have to be more. */
static size_t take_escape(const char *at, size_t left)
{
	char sequence[64] = "";
	int args[16] = { 0 }, count = 0;
	size_t i = 2;

	if (left < 2)
		return 0;
	if (at[1] == '(' || at[1] == ')')
		return left < 3 ? 0 : 3;
	if (at[1] == ']') {
		while (i < left && at[i] != '\a')
			i++;
		return i < left ? i + 1 : 0;
	}
	if (at[1] == '7' || at[1] == '8') {
		if (at[1] == '8')
			go(saved_row, saved_col);
		saved_row = row;
		saved_col = col;
		return 2;
	}
	if (at[1] == 'M') {
		if (row == top)
			scroll(top, bottom, -1);
		else
			go(row - 1, col);
		return 2;
	}
	if (at[1] == '=' || at[1] == '>' || at[1] == 'c')
		return 2;
	if (at[1] != '[') {
		snprintf(sequence, sizeof(sequence), "%.2s", at);
		unknown(sequence);
		return 2;
	}
	while (i < left && (at[i] < '@' || at[i] > '~')) {
		if (at[i] >= '0' && at[i] <= '9')
			args[count] = args[count] * 10 + at[i] - '0';
		else if (at[i] == ';' && count < 15)
			count++;
		i++;
	}
	if (i == left)
		return 0;
	snprintf(sequence, sizeof(sequence), "%.*s", (int)i + 1, at);
	control(sequence, args, count + 1, at[i]);
	return i + 1;
}

static size_t take_character(const char *at, size_t left)
{
	unsigned char first = (unsigned char)*at;
	size_t size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	char c[8] = "";

	if (first == 27)
		return take_escape(at, left);
	if (left < size)
		return 0;
	memcpy(c, at, size);
	switch (first) {
	case '\r': go(row, 0); break;
	case '\n': pending = false; line_feed(); break;
	case '\b': go(row, col - 1); break;
	case '\t': go(row, (col + 8) & ~7); break;
	case '\a': case 0: case 14: case 15: break;
	default:
		if (first < ' ')
			unknown(c);
		else
			put(c);
	}
	return size;
}

static void take(const char *bytes, size_t size)
{
	static char kept[8192];
	static size_t have;
	size_t used = 0, one;

	memcpy(kept + have, bytes, size);
	have += size;
	while (used < have && (one = take_character(kept + used, have - used)))
		used += one;
	memmove(kept, kept + used, have - used);
	have -= used;
}

/* False: there is nothing more to come. */
static bool read_some(int ms)
{
	struct pollfd ready = { .fd = master, .events = POLLIN };
	char bytes[4096];
	ssize_t got;

	if (poll(&ready, 1, ms) <= 0)
		return true;
	got = read(master, bytes, sizeof(bytes));
	if (got <= 0)
		return false;
	take(bytes, (size_t)got);
	return true;
}

/* A page comes in several pieces: until nothing has come for a while. */
static void settle(void)
{
	struct pollfd ready = { .fd = master, .events = POLLIN };

	while (poll(&ready, 1, 40) > 0)
		if (!read_some(0))
			return;
}

static void row_text(int r, char *text)
{
	*text = '\0';
	for (int c = 0; c < cols; c++)
		strcat(text, cells[r][c]);
}

static void show(const char *name)
{
	char text[COLS_MAX * 8];

	printf("== %s %dx%d%s\n", name, cols, rows, coloured ? " coloured" : "");
	for (int r = 0; r < rows; r++) {
		row_text(r, text);
		printf("|%s|\n", text);
	}
	coloured = false;
}

static bool has(const char *what)
{
	char text[COLS_MAX * 8];

	for (int r = 0; r < rows; r++) {
		row_text(r, text);
		if (strstr(text, what))
			return true;
	}
	return false;
}

static long seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static void wait_for(const char *what, bool there)
{
	long until = seconds() + PATIENCE;
	bool more = true;

	while (has(what) != there && more && seconds() < until)
		more = read_some(100);
	if (has(what) == there) {
		settle();
		return;
	}
	printf("'%s' %s\n", what, there ? "did not come" : "stayed");
	show("failed");
	failed = true;
}

static void press(const char *text)
{
	for (; *text; text++) {
		char key = *text;

		if (key == '\\' && text[1])
			key = *++text == 'e' ? 27 : *text == 'n' ? '\r' : *text;
		if (write(master, &key, 1) != 1)
			failed = true;
		/* An Escape is by itself if nothing comes behind it. */
		if (key == 27)
			usleep(200000);
	}
}

static void set_size(const char *text)
{
	struct winsize size;

	if (sscanf(text, "%dx%d", &cols, &rows) != 2 || cols > COLS_MAX || rows > ROWS_MAX)
		exit(2);
	size = (struct winsize){ .ws_col = (unsigned short)cols, .ws_row = (unsigned short)rows };
	top = 0;
	bottom = rows;
	go(row, col);
	/* Other terminals move lines about: whoever is there draws all of it anew. */
	blank_rows(0, ROWS_MAX);
	if (master)
		ioctl(master, TIOCSWINSZ, &size);
}

static void step(const char *text)
{
	if (!strncmp(text, "wait=", 5))
		wait_for(text + 5, true);
	else if (!strncmp(text, "gone=", 5))
		wait_for(text + 5, false);
	else if (!strncmp(text, "keys=", 5))
		press(text + 5);
	else if (!strncmp(text, "size=", 5))
		set_size(text + 5);
	else if (!strncmp(text, "show=", 5))
		show(text + 5);
	else if (!strncmp(text, "signal=", 7))
		kill(child, atoi(text + 7));
	else
		exit(2);
}

/* The slave is kept open, so that its settings can be looked at behind the command's end. */
static void end(int slave, const struct termios *before)
{
	long until = seconds() + PATIENCE;
	struct termios after = { 0 };
	char text[COLS_MAX * 8];
	int status = 0;
	pid_t gone = 0;

	while (!gone && seconds() < until) {
		read_some(50);
		gone = waitpid(child, &status, WNOHANG);
	}
	if (!gone) {
		kill(child, SIGKILL);
		show("never ended");
		exit(1);
	}
	read_some(50);
	tcgetattr(slave, &after);
	printf("ended %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	printf("%s\n", after.c_lflag == before->c_lflag && after.c_iflag == before->c_iflag &&
		       after.c_oflag == before->c_oflag ? "restored" : "not restored");
	for (int r = 0; r < rows; r++) {
		row_text(r, text);
		if (strstr(text, "pmuctl"))
			printf("said: %s\n", text);
	}
}

int main(int argc, char **argv)
{
	struct termios before;
	int i, slave, first = 2;

	setvbuf(stdout, NULL, _IOLBF, 0);
	while (first < argc && strcmp(argv[first], "--") != 0)
		first++;
	if (first + 1 >= argc)
		return 2;
	set_size(argv[1]);
	blank_rows(0, ROWS_MAX);
	if (openpty(&master, &slave, NULL, NULL, NULL))
		return 2;
	fcntl(master, F_SETFD, FD_CLOEXEC);
	fcntl(slave, F_SETFD, FD_CLOEXEC);
	set_size(argv[1]);
	tcgetattr(slave, &before);
	fflush(stdout);
	child = fork();
	if (!child) {
		setsid();
		ioctl(slave, TIOCSCTTY, 0);
		for (i = 0; i < 3; i++)
			dup2(slave, i);
		execvp(argv[first + 1], argv + first + 1);
		_exit(127);
	}
	for (i = 2; i < first && !failed; i++)
		step(argv[i]);
	if (failed)
		kill(child, SIGTERM);
	end(slave, &before);
	return failed;
}
