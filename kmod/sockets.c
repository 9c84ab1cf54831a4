// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sockets that something of ours belongs to, and when they are closed.
 */
#include <linux/netlink.h>
#include <linux/xarray.h>
#include <net/sock.h>

#include "sockets.h"

/* How much is owned, by port ID: every close looks here, without a lock. */
static struct xarray socket_owned[PMUCTL_OWNED_KINDS] = {
	XARRAY_INIT(socket_owned[PMUCTL_OWNED_SESSION], 0),
	XARRAY_INIT(socket_owned[PMUCTL_OWNED_TEXT], 0),
};

struct pmuctl_socket pmuctl_socket_of(const struct sk_buff *request)
{
	return (struct pmuctl_socket) {
		.sk = NETLINK_CB(request).sk,
		.portid = NETLINK_CB(request).portid,
	};
}

static unsigned long socket_count(u32 portid, enum pmuctl_owned owned)
{
	void *entry = xa_load(&socket_owned[owned], portid);

	return entry ? xa_to_value(entry) : 0;
}

int pmuctl_socket_hold(const struct pmuctl_socket *socket,
		       enum pmuctl_owned owned)
{
	unsigned long count = socket_count(socket->portid, owned);
	int err = xa_err(xa_store(&socket_owned[owned], socket->portid,
				  xa_mk_value(count + 1), GFP_KERNEL));

	if (!err)
		sock_hold(socket->sk);
	return err;
}

void pmuctl_socket_put(const struct pmuctl_socket *socket,
		       enum pmuctl_owned owned)
{
	unsigned long count = socket_count(socket->portid, owned);

	/* What replaces an entry, or takes it away, needs no memory. */
	if (count > 1)
		xa_store(&socket_owned[owned], socket->portid,
			 xa_mk_value(count - 1), GFP_KERNEL);
	else
		xa_erase(&socket_owned[owned], socket->portid);
	sock_put(socket->sk);
}

bool pmuctl_socket_owns(u32 portid, enum pmuctl_owned owned)
{
	return socket_count(portid, owned);
}

/* Set before anybody hears of the closing. */
bool pmuctl_socket_closed(const struct pmuctl_socket *socket)
{
	return sock_flag(socket->sk, SOCK_DEAD);
}
