// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pieces of JSON that all parts of a page are made of.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/clean.h"
#include "tools/html/html.h"

int page_no_memory(void)
{
	return complain("html", EXIT_FAILED, "out of memory");
}

int page_put(json_t *object, const char *key, json_t *value)
{
	return json_object_set_new(object, key, value) ? page_no_memory() : 0;
}

json_t *page_text(const char *text)
{
	char *clean = clean_copy(text);
	json_t *json = clean ? json_string(clean) : NULL;

	free(clean);
	return json;
}

void page_key(char key[PAGE_KEY_SIZE], uint32_t dso, uint64_t start)
{
	snprintf(key, PAGE_KEY_SIZE, "%" PRIu32 ":%" PRIx64, dso, start);
}
