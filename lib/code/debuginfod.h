/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files by their build-id from the servers of DEBUGINFOD_URLS.
 */
#ifndef LIBPMUCTL_DEBUGINFOD_H
#define LIBPMUCTL_DEBUGINFOD_H

#include <stdbool.h>

struct build_id;
struct pmuctl_data;

/* debug: what was stripped off; else the file itself.  Its path here, to be freed; NULL: none. */
char *debuginfod_fetch(const struct pmuctl_data *data, const struct build_id *id, bool debug);

#endif
