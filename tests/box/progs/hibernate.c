// SPDX-License-Identifier: GPL-2.0-only
/*
 * hibernate: the machine hibernates and comes back, without a disk and without going off in
 * between: its image is kept in memory, tasks go on, and then the image is put back, in which
 * this program finds itself at the same place.  Says how large the image was; 1 if the kernel
 * refused anything.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/suspend_ioctls.h>

#define PAGE 4096

static void check(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static int open_snapshot(int mode)
{
	int fd = open("/dev/snapshot", mode);

	check(fd >= 0, "/dev/snapshot");
	return fd;
}

static void put_back(const char *image, size_t size)
{
	int fd = open_snapshot(O_WRONLY);
	size_t at;

	for (at = 0; at < size; at += PAGE)
		check(write(fd, image + at, PAGE) == PAGE, "image");
	check(!ioctl(fd, SNAPSHOT_FREEZE), "SNAPSHOT_FREEZE");
	ioctl(fd, SNAPSHOT_ATOMIC_RESTORE);
	check(0, "SNAPSHOT_ATOMIC_RESTORE");
}

int main(void)
{
	int first = 0, fd = open_snapshot(O_RDONLY);
	long long size;
	char *image;
	size_t at;

	check(!ioctl(fd, SNAPSHOT_FREEZE), "SNAPSHOT_FREEZE");
	check(!ioctl(fd, SNAPSHOT_CREATE_IMAGE, &first), "SNAPSHOT_CREATE_IMAGE");
	if (!first)
		return 0;	/* in the image, behind it all; closing lets tasks go on */
	check(!ioctl(fd, SNAPSHOT_GET_IMAGE_SIZE, &size), "SNAPSHOT_GET_IMAGE_SIZE");
	image = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	check(image != MAP_FAILED, "memory");
	for (at = 0; at < (size_t)size; at += PAGE)
		check(read(fd, image + at, PAGE) == PAGE, "image");
	close(fd);
	fprintf(stderr, "an image of %lld MB\n", size >> 20);
	put_back(image, (size_t)size);
	return 1;
}
