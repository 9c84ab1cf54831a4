// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program of which it is known where its instructions go: into-parts ROUNDS
 *
 * Mark 1; ROUNDS calls of outer(), which calls inner() and goes on in last() without a call;
 * mark 2; ROUNDS times getppid() by a stub of its own, called by outer_call(); mark 3; a child
 * that calls outer() ten times from where the parent is, in fork_here().
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../guest/mark.h"

/* Ten instructions, seven, and five, those that return among them. */
__asm__(".type inner, @function\n"
	"inner: .rept 9\nnop\n.endr\nret\n"
	".size inner, . - inner\n"
	".type last, @function\n"
	"last: .rept 4\nnop\n.endr\nret\n"
	".size last, . - last\n"
	".globl outer\n.type outer, @function\n"
	"outer: .rept 5\nnop\n.endr\ncall inner\njmp last\n"
	".size outer, . - outer\n"
	".globl outer_call\n.type outer_call, @function\n"
	"outer_call: call stub\nret\n"
	".size outer_call, . - outer_call\n"
	".type stub, @function\n"
	"stub: mov $110, %eax\nsyscall\nret\n"
	".size stub, . - stub\n");

void outer(void);
/* It clobbers what a system call does. */
void outer_call(void);

static __attribute__((noinline)) void rounds(unsigned int n)
{
	while (n--)
		outer();
}

static __attribute__((noinline)) void calls(unsigned int n)
{
	while (n--)
		outer_call();
}

__attribute__((noinline)) void fork_here(void)
{
	pid_t child = fork();

	if (!child) {
		rounds(10);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	unsigned int n = argc > 1 ? (unsigned int)atoi(argv[1]) : 1;

	pmubox_mark(1);
	rounds(n);
	pmubox_mark(2);
	calls(n);
	pmubox_mark(3);
	fork_here();
	return 0;
}
