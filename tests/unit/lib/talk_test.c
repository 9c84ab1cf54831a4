// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libpmuctl's transport: what the kernel says reaches the caller word for
 * word, and what makes no sense is refused.
 */
#include <errno.h>
#include <string.h>

#include "lib/pmuctl.h"
#include "tests/unit/cmocka_all.h"
#include "tests/unit/lib/fake_kernel.h"

static char logged[256];

static void take_log(void *data, enum pmuctl_log_level level, const char *text)
{
	(void)data;
	if (level == PMUCTL_LOG_WARNING)
		strncpy(logged, text, sizeof(logged) - 1);
}

static int setup(void **state)
{
	const struct pmuctl_options options = { .size = sizeof(options), .log = take_log };

	fake_skylake();
	logged[0] = '\0';
	return pmuctl_open(&options, (struct pmuctl **)state);
}

static int teardown(void **state)
{
	pmuctl_close(*state);
	return 0;
}

static int get_info(struct pmuctl *ctx)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	return pmuctl_get_info(ctx, &info);
}

static void info_arrives_whole(void **state)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	assert_int_equal(pmuctl_get_info(*state, &info), 0);
	assert_int_equal(info.abi, 1);
	assert_int_equal(info.features, 0xff);
	assert_string_equal(info.backend, "perfmon");
	assert_int_equal(info.holder, PMUCTL_HOLDER_NONE);
	assert_int_equal(info.signature, FAKE_SKYLAKE);
	assert_int_equal(info.version, 4);
	assert_int_equal(info.counters, 0x70000000full);
	assert_int_equal(info.gp_width, 48);
	assert_int_equal(info.arch_events, 0x7f);
	assert_int_equal(info.size, sizeof(info));
	assert_string_equal(pmuctl_error(*state), "");
}

/* An older module tells less, a newer one more. */
static void info_of_newer_modules(void **state)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	assert_int_equal(pmuctl_get_info(*state, &info), 0);
	assert_int_equal(info.any, 1);
	assert_int_equal(info.interval, 0);
	fake.info_new = true;
	fake.arch_only = 1;
	assert_int_equal(pmuctl_get_info(*state, &info), 0);
	assert_int_equal(info.any, 0);
	assert_int_equal(info.arch_only, 1);
	assert_int_equal(info.unprivileged, 1);
	assert_int_equal(info.interval, 1000000);
	assert_int_equal(info.sessions_max, 11);
	assert_int_equal(info.events_max, 12);
	assert_int_equal(info.tasks_max, 13);
	assert_int_equal(info.memory_max, 14);
}

/* The reply is the answer: nothing else is sent, nothing else is read. */
static void replies_are_not_acknowledged(void **state)
{
	assert_int_equal(get_info(*state), 0);
	assert_int_equal(fake.acks, 0);
}

/* A program built against an older, shorter structure. */
static void info_keeps_to_the_callers_size(void **state)
{
	struct {
		struct pmuctl_info info;
		char after[8];
	} room;

	memset(&room, 0x5a, sizeof(room));
	room.info.size = offsetof(struct pmuctl_info, backend);
	assert_int_equal(pmuctl_get_info(*state, &room.info), 0);
	assert_int_equal(room.info.abi, 1);
	assert_int_equal(room.info.backend[0], 0x5a);
}

static void heard(void *data, enum pmuctl_log_level level, const char *text)
{
	(void)data;
	(void)level;
	(void)text;
}

/* Nothing is asked of the kernel, and nothing of the caller's is written over. */
static void sizes_that_cannot_be(void **state)
{
	const size_t sizes[] = { 0, sizeof(size_t) - 1, sizeof(size_t) + 1,
				 2 * sizeof(size_t) - 1, 4097, SIZE_MAX };
	struct pmuctl_options options = { .log = heard };
	struct pmuctl *ctx;
	struct {
		struct pmuctl_info info;
		char after[8];
	} room;
	size_t i;

	memset(&room, 0x5a, sizeof(room));
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		room.info.size = options.size = sizes[i];
		assert_int_equal(pmuctl_get_info(*state, &room.info), -EINVAL);
		assert_non_null(strstr(pmuctl_error(*state), "set .size to its sizeof"));
		assert_int_equal(room.info.abi, 0x5a5a5a5a);
		assert_int_equal(pmuctl_open(&options, &ctx), -EINVAL);
	}
	assert_int_equal(fake.requests[PMUCTL_CMD_INFO_GET], 0);
	assert_int_equal(pmuctl_get_info(*state, NULL), -EINVAL);
	assert_int_equal(pmuctl_open(NULL, NULL), -EINVAL);
	/* One of a newer header: what this library knows of it, and no byte more. */
	room.info.size = sizeof(room) + 104;
	assert_int_equal(pmuctl_get_info(*state, &room.info), 0);
	assert_int_equal(room.info.abi, 1);
	assert_int_equal(room.info.size, sizeof(room) + 104);
	assert_int_equal(room.after[0], 0x5a);
}

static void module_missing(void **state)
{
	fake.missing = true;
	assert_int_equal(get_info(*state), -ENOENT);
	assert_non_null(strstr(pmuctl_error(*state), "not loaded"));
	/* And the context is not spoilt by it. */
	fake.missing = false;
	assert_int_equal(get_info(*state), 0);
}

/* Each beginning with a family that is not there. */
static void module_comes_and_goes(void **state)
{
	static const struct {
		const char *states[3];
		bool comes_back;
		int err;
		const char *text;
	} rows[] = {
		{ { "coming" }, false, -ENOENT, "just being loaded or unloaded" },
		{ { "going" }, false, -ENOENT, "just being loaded or unloaded" },
		{ { "live" }, true, 0, "" },
		/* The one of before has gone, and another one has come. */
		{ { "live", NULL }, false, -ENOENT, "just being loaded or unloaded" },
		{ { "live", "going" }, false, -ENOENT, "just being loaded or unloaded" },
		{ { "live", "live" }, false, -ENONET, "initial network namespace only" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fake.missing = true;
		memcpy(fake.states, rows[i].states, sizeof(fake.states));
		fake.looks = 0;
		fake.comes_back = rows[i].comes_back;
		assert_int_equal(get_info(*state), rows[i].err);
		assert_non_null(strstr(pmuctl_error(*state), rows[i].text));
		if (!rows[i].err) {
			pmuctl_close(*state);
			assert_int_equal(pmuctl_open(NULL, (struct pmuctl **)state), 0);
		}
	}
}

static void extack_word_for_word(void **state)
{
	fake.fail_cmd = PMUCTL_CMD_INFO_GET;
	fake.fail_errno = -EBUSY;
	fake.extack = "counter 3 is held by 'perf' % and that's that";
	assert_int_equal(get_info(*state), -EBUSY);
	assert_string_equal(pmuctl_error(*state), fake.extack);
	fake.not_capped = true;
	fake.extack = "another";
	assert_int_equal(get_info(*state), -EBUSY);
	assert_string_equal(pmuctl_error(*state), "another");
}

static void refusal_without_words(void **state)
{
	fake.fail_cmd = PMUCTL_CMD_INFO_GET;
	fake.fail_errno = -EPERM;
	assert_int_equal(get_info(*state), -EPERM);
	assert_non_null(strstr(pmuctl_error(*state), "CAP_PERFMON"));
	fake.fail_errno = -ENOENT;
	assert_int_equal(get_info(*state), -ENOENT);
	assert_non_null(strstr(pmuctl_error(*state), "not loaded any more"));
	fake.fail_errno = -ENOSPC;
	assert_int_equal(get_info(*state), -ENOSPC);
	assert_non_null(strstr(pmuctl_error(*state), strerror(ENOSPC)));
}

static void other_abi_names_both(void **state)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	fake.abi = 9;
	assert_int_equal(pmuctl_get_info(*state, &info), -EPROTO);
	assert_int_equal(info.abi, 9);
	assert_non_null(strstr(pmuctl_error(*state), "ABI 9"));
	assert_non_null(strstr(pmuctl_error(*state), "ABI 1"));
}

static void nonsense_is_refused(void **state)
{
	fake.abi = 0;
	assert_int_equal(get_info(*state), -EBADMSG);
	fake.abi = 1;
	fake.counters = 0;
	assert_int_equal(get_info(*state), -EBADMSG);
	fake.no_reply = true;
	assert_int_equal(get_info(*state), -EBADMSG);
}

static int take_session(void *data, const struct pmuctl_session_info *s)
{
	assert_int_equal(s->id, 3);
	assert_int_equal(s->flags, PMUCTL_INHERIT);
	assert_int_equal(s->counters, 0x100000001ull);
	assert_int_equal(s->owner_pid, 1234);
	assert_string_equal(s->owner_comm, "somebody");
	assert_int_equal(s->running, 1);
	assert_int_equal(s->events, 5);
	assert_int_equal(s->sets, 2);
	assert_int_equal(s->tasks, 0);
	assert_int_equal(s->cpus_count, 2);
	assert_int_equal(s->cpus[1], 3);
	return *(int *)data;
}

static void dump_arrives(void **state)
{
	int stop = 0;

	assert_int_equal(pmuctl_list_sessions(*state, take_session, &stop), 0);
	stop = 17;
	assert_int_equal(pmuctl_list_sessions(*state, take_session, &stop), 17);
	stop = 0;
	assert_int_equal(pmuctl_list_sessions(*state, take_session, &stop), 0);
}

static void dump_fails_at_its_end(void **state)
{
	int stop = 0;

	fake.fail_cmd = PMUCTL_CMD_SESSION_GET;
	fake.fail_errno = -EINTR;
	fake.fail_at_done = true;
	fake.extack = "it changed under the dump";
	assert_int_equal(pmuctl_list_sessions(*state, take_session, &stop), -EINTR);
	assert_string_equal(pmuctl_error(*state), fake.extack);
}

static void warning_reaches_the_log(void **state)
{
	int stop = 0;

	fake.warning = "this will go away";
	assert_int_equal(pmuctl_list_sessions(*state, take_session, &stop), 0);
	assert_string_equal(logged, "this will go away");
}

static void strangers_are_ignored(void **state)
{
	int stop = 0;

	fake.strange = true;
	assert_int_equal(get_info(*state), 0);
	assert_int_equal(pmuctl_list_sessions(*state, take_session, &stop), 0);
	fake.fail_cmd = PMUCTL_CMD_INFO_GET;
	fake.fail_errno = -EBUSY;
	fake.extack = "to us";
	assert_int_equal(get_info(*state), -EBUSY);
	assert_string_equal(pmuctl_error(*state), "to us");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(info_arrives_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(info_of_newer_modules, setup, teardown),
		cmocka_unit_test_setup_teardown(replies_are_not_acknowledged, setup, teardown),
		cmocka_unit_test_setup_teardown(info_keeps_to_the_callers_size, setup, teardown),
		cmocka_unit_test_setup_teardown(sizes_that_cannot_be, setup, teardown),
		cmocka_unit_test_setup_teardown(module_missing, setup, teardown),
		cmocka_unit_test_setup_teardown(module_comes_and_goes, setup, teardown),
		cmocka_unit_test_setup_teardown(extack_word_for_word, setup, teardown),
		cmocka_unit_test_setup_teardown(refusal_without_words, setup, teardown),
		cmocka_unit_test_setup_teardown(other_abi_names_both, setup, teardown),
		cmocka_unit_test_setup_teardown(nonsense_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(dump_arrives, setup, teardown),
		cmocka_unit_test_setup_teardown(dump_fails_at_its_end, setup, teardown),
		cmocka_unit_test_setup_teardown(warning_reaches_the_log, setup, teardown),
		cmocka_unit_test_setup_teardown(strangers_are_ignored, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
