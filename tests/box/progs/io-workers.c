// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * io-workers FILE N: reads 1 MiB from FILE's beginning N times, each by a worker
 * that the kernel gives this process (io_uring, IOSQE_ASYNC): nearly all of
 * what it does is done in those.
 */
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SIZE (1 << 20)

static char buffer[SIZE];

static struct {
	int fd;
	struct io_uring_params p;
	char *sq, *cq;
	struct io_uring_sqe *sqe;
} ring;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void *map(size_t size, off_t what)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd,
			what);

	if (at == MAP_FAILED)
		fail("mmap");
	return at;
}

static void make_ring(void)
{
	ring.fd = syscall(SYS_io_uring_setup, 1, &ring.p);
	if (ring.fd < 0)
		fail("io_uring_setup");
	ring.sq = map(ring.p.sq_off.array + sizeof(unsigned int), IORING_OFF_SQ_RING);
	ring.cq = map(ring.p.cq_off.cqes + ring.p.cq_entries * sizeof(struct io_uring_cqe),
		      IORING_OFF_CQ_RING);
	ring.sqe = map(sizeof(*ring.sqe), IORING_OFF_SQES);
}

static void read_by_worker(int file)
{
	_Atomic unsigned int *tail = (void *)(ring.sq + ring.p.sq_off.tail);
	_Atomic unsigned int *head = (void *)(ring.cq + ring.p.cq_off.head);
	const unsigned int *mask = (void *)(ring.cq + ring.p.cq_off.ring_mask);
	const struct io_uring_cqe *cqes = (void *)(ring.cq + ring.p.cq_off.cqes);
	unsigned int at;

	*ring.sqe = (struct io_uring_sqe){
		.opcode = IORING_OP_READ,
		.flags = IOSQE_ASYNC,
		.fd = file,
		.addr = (unsigned long)buffer,
		.len = SIZE,
	};
	*(unsigned int *)(ring.sq + ring.p.sq_off.array) = 0;
	atomic_fetch_add(tail, 1);
	if (syscall(SYS_io_uring_enter, ring.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		fail("io_uring_enter");
	at = atomic_load(head);
	if (cqes[at & *mask].res != SIZE) {
		fprintf(stderr, "read: %d\n", cqes[at & *mask].res);
		exit(1);
	}
	atomic_store(head, at + 1);
}

int main(int argc, char **argv)
{
	int file = argc > 2 ? open(argv[1], O_RDONLY) : -1;
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

	if (file < 0)
		fail("io-workers FILE N");
	make_ring();
	while (n--)
		read_by_worker(file);
	return 0;
}
