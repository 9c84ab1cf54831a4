/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ncurses, loaded when there is a screen: its relocations are nothing that every start of the
 * command should pay for.
 */
#ifndef PMUCTL_CURSES_H
#define PMUCTL_CURSES_H

/* Macros of these names would be in the way of the structure's members. */
#define NCURSES_NOMACROS
#include <curses.h>

#define CURSES_FUNCTIONS(X)							\
	X(newterm) X(endwin) X(delscreen) X(cbreak) X(noecho) X(nonl) X(keypad)	\
	X(nodelay) X(set_escdelay) X(curs_set) X(has_colors) X(start_color)	\
	X(use_default_colors) X(init_pair) X(COLOR_PAIR) X(getmaxx) X(getmaxy)	\
	X(werase) X(wattrset) X(wmove) X(waddnstr) X(wrefresh) X(wgetch)	\
	X(resizeterm) X(clearok)

struct curses {
#define CURSES_MEMBER(name) __typeof__(&(name)) name;
	CURSES_FUNCTIONS(CURSES_MEMBER)
#undef CURSES_MEMBER
	WINDOW **window;	/* stdscr, once there is a terminal */
};

/* False: it, or something in it, is not there. */
bool curses_load(struct curses *curses);

#endif
