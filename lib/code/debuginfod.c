// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Files by their build-id from the servers of DEBUGINFOD_URLS: elfutils' libdebuginfod asks
 * for them and keeps what it got.  It is loaded when the environment names a server.
 */
#include <elfutils/debuginfod.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/library.h"
#include "lib/base/private.h"
#include "lib/code/code.h"
#include "lib/code/debuginfod.h"

#define SONAME "libdebuginfod.so.1"

static struct {
	__typeof__(&debuginfod_begin) begin;
	__typeof__(&debuginfod_end) end;
	__typeof__(&debuginfod_find_debuginfo) find_debuginfo;
	__typeof__(&debuginfod_find_executable) find_executable;
	__typeof__(&debuginfod_set_progressfn) set_progress;
	__typeof__(&debuginfod_set_user_data) set_user_data;
	__typeof__(&debuginfod_get_user_data) get_user_data;
	bool usable;
} lib;

static void load(void)
{
	static const struct library_function functions[] = {
		{ "debuginfod_begin", &lib.begin },
		{ "debuginfod_end", &lib.end },
		{ "debuginfod_find_debuginfo", &lib.find_debuginfo },
		{ "debuginfod_find_executable", &lib.find_executable },
		{ "debuginfod_set_progressfn", &lib.set_progress },
		{ "debuginfod_set_user_data", &lib.set_user_data },
		{ "debuginfod_get_user_data", &lib.get_user_data },
	};

	lib.usable = library_load(SONAME, functions, ARRAY_SIZE(functions));
}

static bool is_asked_for(const struct pmuctl_data *data)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const char *urls = secure_getenv("DEBUGINFOD_URLS");

	if (!urls || !urls[strspn(urls, " ")])
		return false;
	pthread_once(&once, load);
	if (!lib.usable)
		say(data->ctx, PMUCTL_LOG_WARNING, "DEBUGINFOD_URLS is set, but " SONAME
		    " cannot be loaded; install libdebuginfod1");
	return lib.usable;
}

/* Not 0 ends it. */
static int tell(debuginfod_client *client, long got, long all)
{
	const struct pmuctl_data *data = lib.get_user_data(client);

	return data->where.progress ? data->where.progress(data->where.progress_data, got, all) : 0;
}

char *debuginfod_fetch(const struct pmuctl_data *data, const struct build_id *id, bool debug)
{
	char digits[2 * BUILD_ID_MAX + 1], *path = NULL;
	debuginfod_client *client;
	int fd;

	if (!id->size || !is_asked_for(data))
		return NULL;
	client = lib.begin();
	if (!client)
		return NULL;
	lib.set_user_data(client, (void *)(uintptr_t)data);
	lib.set_progress(client, tell);
	build_id_text(id, false, digits);
	fd = (debug ? lib.find_debuginfo : lib.find_executable)(client,
		(const unsigned char *)digits, 0, &path);
	if (fd >= 0)
		close(fd);
	lib.end(client);
	if (fd < 0)
		return NULL;
	return path;
}
