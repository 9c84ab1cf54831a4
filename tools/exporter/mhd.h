/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libmicrohttpd, loaded when there is a socket: it brings ten libraries with it, which no other
 * subcommand should wait for or need.
 */
#ifndef PMUCTL_MHD_H
#define PMUCTL_MHD_H

#include <microhttpd.h>
#include <stdbool.h>

#define MHD_SONAME "libmicrohttpd.so.12"

#define MHD_FUNCTIONS(X)							\
	X(start_daemon) X(stop_daemon) X(run) X(get_timeout) X(get_daemon_info)	\
	X(get_connection_info) X(lookup_connection_value)			\
	X(create_response_from_buffer) X(add_response_header) X(queue_response)	\
	X(destroy_response)

struct mhd {
#define MHD_MEMBER(name) __typeof__(&(MHD_##name)) name;
	MHD_FUNCTIONS(MHD_MEMBER)
#undef MHD_MEMBER
};

/* False: it, or something in it, is not there. */
bool mhd_load(struct mhd *mhd);

#endif
