// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the library learns from outside the process: the socket's connection to
 * the kernel, bytes of descriptors, and whether threads share cores, made so or now.  Unit tests
 * bring their own outside by linking another one of this file.
 */
#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kmod/uapi/pmuctl.h"
#include "lib/base/private.h"

/* Of one message: a part of a dump is below 64 KiB, the plan of 320 events about as much. */
#define MESSAGE_SIZE 65536
/* The kernel's default, of which libnl leaves too little for a long reply and what follows it. */
#define SOCKET_SIZE 212992

int wire_connect(struct nl_sock *sock)
{
	int one = 1, fd, err = genl_connect(sock);

	/* The kernel answers before a request is sent: what is not there does not come. */
	if (!err)
		err = nl_socket_set_nonblocking(sock);
	if (!err)
		err = nl_socket_set_buffer_size(sock, SOCKET_SIZE, SOCKET_SIZE);
	/* Known, so that libnl need not look at a message before it takes it. */
	if (!err)
		err = nl_socket_set_msg_buf_size(sock, MESSAGE_SIZE);
	if (err)
		return err;
	fd = nl_socket_get_fd(sock);
	/* Both are as old as 4.12; without them there is merely less to read. */
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	return 0;
}

void wire_close(int fd)
{
	close(fd);
}

int wire_open_module(void)
{
	int fd = open("/sys/module/" PMUCTL_FAMILY_NAME "/initstate", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return fd;
}

ssize_t wire_read(int fd, void *bytes, size_t size, long offset)
{
	ssize_t got;

	do
		got = pread(fd, bytes, size, offset);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

void *wire_map(int fd, size_t size)
{
	void *page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return NULL;
	return page;
}

#define CPUID1_EDX_HTT (1u << 28)

/* As the module sees it: threads that a core was made with, switched on or not. */
bool wire_threads_share_cores(void)
{
	uint32_t eax, ebx, ecx, edx;

	if (__get_cpuid_count(0xb, 0, &eax, &ebx, &ecx, &edx) && ebx & 0xffff)
		return (ebx & 0xffff) > 1;
	/* A Pentium 4 tells in leaf 1 alone; others may have that many cores. */
	return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (eax >> 8 & 0xf) == 15 &&
	       edx & CPUID1_EDX_HTT && (ebx >> 16 & 0xff) > 1;
}

int wire_smt_active(void)
{
	int fd = open("/sys/devices/system/cpu/smt/active", O_RDONLY | O_CLOEXEC);
	char active;
	bool told;

	if (fd < 0)
		return -1;
	told = read(fd, &active, 1) == 1;
	close(fd);
	return told ? active == '1' : -1;
}
