// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sockets that something of ours belongs to, and when they are closed.
 */
#include <linux/hashtable.h>
#include <linux/netlink.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <net/sock.h>

#include "kmod/base/sockets.h"

/* Those with a port ID that own so much. */
struct port {
	struct hlist_node node;
	struct rcu_head rcu;
	u32 portid;
	u32 owned;
};

/* Every close looks here, without a lock. */
static struct hlist_head ports[PMUCTL_OWNED_KINDS][256];

struct pmuctl_socket pmuctl_socket_of(const struct sk_buff *request)
{
	return (struct pmuctl_socket) {
		.sk = NETLINK_CB(request).sk,
		.portid = NETLINK_CB(request).portid,
	};
}

/* NULL: none.  Without the lock of what is owned it may be gone already. */
static struct port *port_find(u32 portid, enum pmuctl_owned owned)
{
	struct port *port;

	rcu_read_lock();
	hash_for_each_possible_rcu(ports[owned], port, node, portid)
		if (port->portid == portid)
			break;
	rcu_read_unlock();
	return port;
}

int pmuctl_socket_hold(const struct pmuctl_socket *socket,
		       enum pmuctl_owned owned)
{
	struct port *port = port_find(socket->portid, owned);

	if (!port) {
		port = kzalloc(sizeof(*port), GFP_KERNEL_ACCOUNT);
		if (!port)
			return -ENOMEM;
		port->portid = socket->portid;
		hash_add_rcu(ports[owned], &port->node, port->portid);
	}
	port->owned++;
	sock_hold(socket->sk);
	return 0;
}

void pmuctl_socket_put(const struct pmuctl_socket *socket,
		       enum pmuctl_owned owned)
{
	struct port *port = port_find(socket->portid, owned);

	if (!--port->owned) {
		hash_del_rcu(&port->node);
		kfree_rcu(port, rcu);
	}
	sock_put(socket->sk);
}

bool pmuctl_socket_owns(u32 portid, enum pmuctl_owned owned)
{
	return port_find(portid, owned);
}

/* Set before anybody hears of the closing. */
bool pmuctl_socket_closed(const struct pmuctl_socket *socket)
{
	return sock_flag(socket->sk, SOCK_DEAD);
}
