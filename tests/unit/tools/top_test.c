// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl top without a terminal: what samples add up to, how lines are filtered and sorted, that a
 * page is never too wide, what keys do, and what is remembered.
 */
#include <locale.h>
#include <sys/stat.h>

#include "tests/unit/lib/data.h"
#include "tools/top/top.h"

/* ---- text ---------------------------------------------------------------------------------- */

static void check_fit(const char *text, int columns, bool utf8, const char *want)
{
	char got[64];
	int width = text_fit(got, sizeof(got), text, columns, utf8);

	assert_string_equal(got, want);
	assert_int_equal(width, text_width(want, utf8));
	assert_true(width <= columns);
}

static void texts_are_cut_by_columns(void **state)
{
	(void)state;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	check_fit("hello", 5, true, "hello");
	check_fit("hello", 4, true, "hel~");
	check_fit("hello", 1, true, "~");
	check_fit("hello", 0, true, "");
	/* Two columns each, and one that has none. */
	check_fit("日本語", 6, true, "日本語");
	check_fit("日本語", 5, true, "日本~");
	check_fit("日本語", 4, true, "日~");
	check_fit("e\xcc\x81x", 2, true, "e\xcc\x81x");
	check_fit("日本語", 3, false, "???");
	check_fit("日本語", 2, false, "?~");
}

/* ---- a profile ------------------------------------------------------------------------------- */

static struct top_profile profile;
static struct top_lines lines;

static void begin_profile(void)
{
	make_plain();
	end_file(&file);
	assert_int_equal(pmuctl_data_open(ctx, file.path, &data), 0);
	top_profile_init(&profile, data, 2);
}

static void end_profile(void)
{
	top_lines_free(&lines);
	top_profile_free(&profile);
}

static void take(uint32_t event, uint32_t tid, uint32_t cpu, uint64_t ip, uint64_t period)
{
	const struct pmuctl_data_sample sample = {
		.event = event, .pid = 7, .tid = tid, .cpu = cpu, .ip = ip, .period = period,
		.time = 10, .kernel = ip >> 63,
	};

	assert_int_equal(top_profile_take(&profile, &sample), 0);
}

static void make(const struct top_state *state)
{
	assert_int_equal(top_lines_make(&lines, &profile, NULL, state), 0);
}

static void samples_add_up(void **unused)
{
	struct top_state state = { .view = VIEW_SYMBOLS };

	(void)unused;
	begin_profile();
	take(0, 7, 1, 0x400123, 3000);
	take(0, 8, 2, 0x400555, 3000);
	take(0, 8, 2, 0xffffffff81000010, 2000);
	take(1, 8, 2, 0x400123, 50);
	take(2, 8, 2, 0x400123, 50);
	make(&state);
	/* No file is there, so no symbol: one line a file. */
	assert_int_equal(lines.count, 2);
	assert_string_equal(lines.list[0].text[2], "program");
	assert_string_equal(lines.list[0].text[3], "[.] [no symbol]");
	assert_true(lines.list[0].number[0] == 75);
	assert_true(lines.list[0].number[1] == 2);
	assert_string_equal(lines.list[1].text[3], "[k] [no symbol]");
	state.hide_kernel = true;
	make(&state);
	assert_int_equal(lines.count, 1);
	assert_int_equal(lines.hidden, 1);
	/* Of all even so. */
	assert_true(lines.list[0].number[0] == 75);
	state = (struct top_state){ .view = VIEW_TASKS };
	make(&state);
	assert_int_equal(lines.count, 2);
	assert_true(lines.list[0].number[3] == 8 && lines.list[0].number[0] == 62.5);
	assert_string_equal(lines.list[1].text[4], "burner");
	state.view = VIEW_CPUS;
	make(&state);
	assert_true(lines.list[1].number[2] == 1 && lines.list[1].number[0] == 37.5);
	state.event = 1;
	make(&state);
	assert_int_equal(lines.count, 1);
	assert_true(lines.list[0].number[0] == 100);
	state = (struct top_state){ .view = VIEW_CODE, .code_dso = 1, .code_start = NO_START };
	make(&state);
	assert_int_equal(lines.count, 2);
	assert_string_equal(lines.list[0].text[4], "(no code here)");
	/* Without shares the tasks are there, with dashes. */
	state = (struct top_state){ .view = VIEW_TOPDOWN };
	make(&state);
	assert_int_equal(lines.count, 2);
	assert_true(lines.list[0].number[1] == NO_VALUE);
	end_profile();
}

static void older_samples_count_less(void **unused)
{
	struct top_state state = { .view = VIEW_TASKS };
	int i;

	(void)unused;
	begin_profile();
	take(0, 7, 0, 0x400123, 1000);
	top_profile_age(&profile, 1);
	top_profile_age(&profile, 0.5);
	take(0, 8, 0, 0x400124, 1000);
	make(&state);
	assert_true(lines.list[1].number[3] == 7 && lines.list[1].number[1] == 0.5);
	assert_true(lines.list[0].number[0] > 66.6 && lines.list[0].number[0] < 66.7);
	/* What is left of the older one is next to nothing: it is not shown, and goes sometime. */
	for (i = 0; i < 6; i++)
		top_profile_age(&profile, 0.5);
	make(&state);
	assert_int_equal(lines.count, 1);
	assert_true(lines.list[0].number[1] == 1.0 / 64);
	assert_true(lines.list[0].number[0] == 100);
	take(0, 8, 0, 0x400124, 1000);
	top_profile_age(&profile, 1.0 / 64);
	assert_int_equal(profile.spots.count, 1);
	make(&state);
	assert_int_equal(lines.count, 1);
	assert_true(lines.list[0].number[3] == 8);
	top_profile_age(&profile, 0);
	assert_int_equal(profile.tasks.count + profile.symbols.count + profile.cpus.count, 0);
	end_profile();
}

static void take_tasks(unsigned int count)
{
	unsigned int i;

	begin_profile();
	for (i = 0; i < count; i++)
		take(0, 1000 + i, i, 0x400123, 1000 + i);
}

static void lines_are_sorted_and_filtered(void **unused)
{
	struct top_state state = { .view = VIEW_TASKS };

	(void)unused;
	take_tasks(200);
	make(&state);
	assert_int_equal(lines.count, 200);
	assert_true(lines.list[0].number[3] == 1199 && lines.list[199].number[3] == 1000);
	state.sort[VIEW_TASKS] = top_column_named(VIEW_TASKS, "tid");
	make(&state);
	assert_true(lines.list[0].number[3] == 1000);
	state.sort[VIEW_TASKS] = top_column_named(VIEW_TASKS, "comm");
	make(&state);
	assert_string_equal(lines.list[0].text[4], ":1000");
	assert_int_equal(top_column_named(VIEW_TASKS, "dso"), 5);
	strcpy(state.filter, "105");
	make(&state);
	assert_int_equal(lines.count, 11);
	assert_int_equal(lines.hidden, 189);
	state = (struct top_state){ .view = VIEW_SYMBOLS, .filter = "PROG" };
	make(&state);
	assert_int_equal(lines.count, 1);
	strcpy(state.filter, "none such");
	make(&state);
	assert_int_equal(lines.count, 0);
	end_profile();
}

/* ---- pages ---------------------------------------------------------------------------------- */

static const struct top_head head = {
	.event = "cycles", .rate = "-F 1000", .per_second = 123456, .lost = 7, .own = 0.5,
};

/* The cells of the last column begin where its heading does, and none is wider than the page. */
static void check_page(const struct top_page *page, const struct top_state *state)
{
	const struct top_layout *l = &top_layouts[state->view];
	int row;

	for (row = 0; row < page->height; row++)
		assert_true(text_width(page->rows[row].text, page->utf8) <= page->width);
	assert_non_null(strstr(page->rows[page->height - 1].text, "q "));
	assert_non_null(strstr(page->rows[0].text, "cycles"));
	assert_non_null(strstr(page->rows[2].text, l->columns[0].heading));
	assert_non_null(strstr(page->rows[2].text, l->columns[l->count - 1].heading));
}

static void pages_have_their_size(void **unused)
{
	static const int widths[] = { 40, 41, 60, 79, 80, 81, 100, 132, 200, 300 };
	struct top_state state = { .delay = 1, .selected = 3, .filter = "\x1b[2J" };
	struct top_page page;
	size_t i;

	(void)unused;
	take_tasks(200);
	for (i = 0; i < 2 * ARRAY_SIZE(widths); i++) {
		assert_int_equal(top_page_init(&page, widths[i / 2], 24, i % 2), 0);
		for (state.view = 0; state.view < VIEWS; state.view++) {
			state.filter[0] = '\0';
			state.code_dso = 1;
			state.code_start = NO_START;
			make(&state);
			strcpy(state.filter, "\x1b[2J");
			top_page_draw(&page, &state, &head, &lines);
			check_page(&page, &state);
			assert_null(strchr(page.rows[1].text, 27));
		}
		top_page_free(&page);
	}
	end_profile();
}

/* All of its words are there, on any page. */
static void a_note_is_not_cut(void **unused)
{
	static const char note[] = "Top-Down is for Sandy Bridge and what came after it, up to "
				   "Sapphire Rapids, and this is another one";
	struct top_head noted = head;
	struct top_state state = { .view = VIEW_TOPDOWN, .delay = 1 };
	struct top_page page;
	char all[1024];
	int width, row;

	(void)unused;
	take_tasks(200);
	make(&state);
	noted.note = note;
	for (width = WIDTH_LEAST; width < 130; width++) {
		assert_int_equal(top_page_init(&page, width, 24, true), 0);
		top_page_draw(&page, &state, &noted, &lines);
		all[0] = '\0';
		for (row = 2; !strstr(page.rows[row].text, ">Overh"); row++) {
			assert_true(text_width(page.rows[row].text, true) <= width);
			sprintf(all + strlen(all), "%s%s", *all ? " " : "", page.rows[row].text);
		}
		assert_string_equal(all, note);
		assert_int_equal(page.room, 24 - 2 - row);
		assert_true(*page.rows[22].text);
		top_page_free(&page);
	}
	end_profile();
}

static void small_pages_say_so(void **unused)
{
	struct top_state state = { .delay = 1 };
	struct top_page page;
	int width, height;

	(void)unused;
	take_tasks(3);
	make(&state);
	for (width = 1; width < WIDTH_LEAST; width++) {
		for (height = 1; height < 10; height++) {
			assert_int_equal(top_page_init(&page, width, height, true), 0);
			top_page_draw(&page, &state, &head, &lines);
			assert_true(text_width(page.rows[0].text, true) <= width);
			if (width > 10)
				assert_memory_equal(page.rows[0].text, "too small", 9);
			top_page_free(&page);
		}
	}
	end_profile();
}

/* ---- keys ----------------------------------------------------------------------------------- */

static struct top_keys keys = { &lines, 20, 2 };

static enum top_deed press(struct top_state *state, const char *text)
{
	enum top_deed deed = DEED_NONE;

	for (; *text; text++)
		deed = top_press(state, (unsigned char)*text, &keys);
	return deed;
}

static void keys_change_the_view(void **unused)
{
	struct top_state state = { .delay = 1 };

	(void)unused;
	take_tasks(3);
	make(&state);
	press(&state, "t");
	assert_int_equal(state.view, VIEW_TASKS);
	press(&state, "<");
	assert_int_equal(state.sort[VIEW_TASKS], 4);
	press(&state, ">>");
	assert_int_equal(state.sort[VIEW_TASKS], 1);
	press(&state, "\n");
	assert_int_equal(state.view, VIEW_TASKS);
	press(&state, "c");
	assert_int_equal(state.view, VIEW_CPUS);
	press(&state, "d");
	assert_int_equal(state.view, VIEW_TOPDOWN);
	press(&state, "s");
	make(&state);
	press(&state, "\n");
	assert_int_equal(state.view, VIEW_CODE);
	assert_int_equal(state.code_start, NO_START);
	assert_int_equal(press(&state, "q"), DEED_DRAW);
	assert_int_equal(state.view, VIEW_SYMBOLS);
	press(&state, "e");
	assert_int_equal(state.event, 1);
	press(&state, "e");
	assert_int_equal(state.event, 0);
	press(&state, "p");
	assert_true(state.paused);
	press(&state, " ");
	assert_false(state.paused);
	press(&state, "a");
	assert_int_equal(state.past, PAST_KEPT);
	press(&state, "KU");
	assert_true(state.hide_user && !state.hide_kernel);
	press(&state, "--------");
	assert_true(state.delay >= DELAY_LEAST);
	press(&state, "++++++++++++++++++++");
	assert_true(state.delay <= DELAY_MOST && state.delay > DELAY_MOST / 4);
	assert_int_equal(press(&state, "z"), DEED_ZERO);
	press(&state, "h");
	assert_int_equal(press(&state, "q"), DEED_DRAW);
	assert_int_equal(press(&state, "q"), DEED_QUIT);
	end_profile();
}

static void a_filter_is_typed(void **unused)
{
	struct top_state state = { .delay = 1, .selected = 2 };
	int i;

	(void)unused;
	press(&state, "/qz\xe6\x97\xa5");
	assert_true(state.typing);
	assert_string_equal(state.typed, "qz\xe6\x97\xa5");
	top_press(&state, KEY_ERASED, &keys);
	assert_string_equal(state.typed, "qz");
	press(&state, "\n");
	assert_false(state.typing);
	assert_string_equal(state.filter, "qz");
	assert_int_equal(state.selected, 0);
	/* The next begins with it, and may be left. */
	press(&state, "/x\x1b");
	assert_string_equal(state.filter, "qz");
	press(&state, "\x1b");
	assert_string_equal(state.filter, "");
	press(&state, "/");
	for (i = 0; i < 100; i++)
		top_press(&state, 'a', &keys);
	assert_int_equal(strlen(state.typed), FILTER_SIZE - 1);
	for (i = 0; i < 100; i++)
		top_press(&state, KEY_ERASED, &keys);
	press(&state, "\n");
	assert_string_equal(state.filter, "");
}

static void the_cursor_stays_on_the_page(void **unused)
{
	struct top_state state = { .view = VIEW_TASKS, .delay = 1 };

	(void)unused;
	take_tasks(200);
	make(&state);
	top_press(&state, KEY_MOVE_UP, &keys);
	assert_int_equal(state.selected, 0);
	top_press(&state, KEY_MOVE_PAGE_DOWN, &keys);
	assert_int_equal(state.selected, 20);
	assert_int_equal(state.first, 1);
	top_press(&state, KEY_MOVE_LAST, &keys);
	assert_int_equal(state.selected, 199);
	assert_int_equal(state.first, 180);
	top_press(&state, KEY_MOVE_DOWN, &keys);
	assert_int_equal(state.selected, 199);
	/* Most of them are gone at the next look. */
	strcpy(state.filter, "105");
	make(&state);
	top_keep_cursor(&state, &keys);
	assert_int_equal(state.selected, 10);
	assert_int_equal(state.first, 0);
	strcpy(state.filter, "nobody");
	make(&state);
	top_keep_cursor(&state, &keys);
	assert_int_equal(state.selected, 0);
	end_profile();
}

/* ---- what is remembered --------------------------------------------------------------------- */

static void what_was_chosen_is_read_again(void **unused)
{
	struct top_state state = {
		.view = VIEW_TOPDOWN, .sort = { 1, 2, 0, 4 }, .filter = "a b = c", .delay = 2.5,
		.past = PAST_DROPPED, .paused = true,
	}, got = { .delay = 1 };
	char text[512] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	(void)unused;
	top_state_write(out, &state);
	fclose(out);
	assert_true(top_state_read(&got, text));
	state.paused = false;
	assert_memory_equal(&got, &state, sizeof(state));
}

static void what_is_no_such_file_changes_nothing(void **unused)
{
	static const char *const bad[] = {
		"", "\n", "pmuctl top 2\n", "view task\n", "pmuctl top 1\nview\n",
		"pmuctl top 1\nview nowhere\n", "pmuctl top 1\nview task \n",
		"pmuctl top 1\nsort task\n", "pmuctl top 1\nsort task dso\n",
		"pmuctl top 1\nsort nowhere pid\n", "pmuctl top 1\ndelay 0\n",
		"pmuctl top 1\ndelay nan\n", "pmuctl top 1\ndelay 1x\n", "pmuctl top 1\ndelay 1e9\n",
		"pmuctl top 1\npast perfect\n", "pmuctl top 1\nview task\nwhat else\n",
		"pmuctl top 1\nfilter 0123456789012345678901234567890123456789012345678901234567890123\n",
	};
	const struct top_state before = { .delay = 1 };
	struct top_state state;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		state = before;
		assert_false(top_state_read(&state, bad[i]));
		assert_memory_equal(&state, &before, sizeof(state));
	}
	state = before;
	assert_true(top_state_read(&state, "pmuctl top 1\n"));
}

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
}

static void the_file_is_ours_or_none(void **unused)
{
	char home[] = "/tmp/top-XXXXXX", path[128];
	struct top_state state = { .view = VIEW_CPUS, .delay = 4 }, got = { .delay = 1 };

	(void)unused;
	assert_non_null(mkdtemp(home));
	setenv("XDG_STATE_HOME", home, 1);
	top_recall(&got);
	assert_true(got.delay == 1);
	top_remember(&state);
	top_recall(&got);
	assert_true(got.view == VIEW_CPUS && got.delay == 4);
	snprintf(path, sizeof(path), "%s/pmuctl/top", home);
	got = (struct top_state){ .delay = 1 };
	put_file(path, "pmuctl top 1\nview nowhere\n");
	top_recall(&got);
	assert_true(got.view == VIEW_SYMBOLS && got.delay == 1);
	/* Nobody would ever write into it. */
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	top_recall(&got);
	assert_true(got.delay == 1);
	top_remember(&state);
	top_recall(&got);
	assert_true(got.delay == 4);
	/* Of somebody else, as sudo may leave it. */
	if (!geteuid()) {
		assert_int_equal(chown(home, 12345, 12345), 0);
		state.delay = 8;
		top_remember(&state);
		got.delay = 1;
		top_recall(&got);
		assert_true(got.delay == 1);
	}
	unlink(path);
	snprintf(path, sizeof(path), "%s/pmuctl", home);
	rmdir(path);
	rmdir(home);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_cut_by_columns),
		TEST(samples_add_up),
		TEST(older_samples_count_less),
		TEST(lines_are_sorted_and_filtered),
		TEST(pages_have_their_size),
		TEST(a_note_is_not_cut),
		TEST(small_pages_say_so),
		TEST(keys_change_the_view),
		cmocka_unit_test(a_filter_is_typed),
		TEST(the_cursor_stays_on_the_page),
		cmocka_unit_test(what_was_chosen_is_read_again),
		cmocka_unit_test(what_is_no_such_file_changes_nothing),
		cmocka_unit_test(the_file_is_ours_or_none),
	};

	return cmocka_run_group_tests_name("tools_top", tests, NULL, NULL);
}
