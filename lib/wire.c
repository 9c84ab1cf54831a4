// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The socket's connection to the kernel; unit tests bring their own kernel by
 * linking another wire_connect().
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <netlink/genl/genl.h>
#include <sys/socket.h>

#include "private.h"

int wire_connect(struct nl_sock *sock)
{
	int one = 1, fd;

	if (nl_connect(sock, NETLINK_GENERIC))
		return errno ? -errno : -EIO;
	fd = nl_socket_get_fd(sock);
	/* A command that the caller starts must not keep the sessions alive. */
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	/* Both are as old as 4.12; without them there is merely less to read. */
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	return 0;
}
