// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spin SAMPLES: executes the instructions of so many samples and very few else, so that
 * there is one sample more at most.
 */
#include <stdlib.h>

#include "spin.h"

int main(int argc, char **argv)
{
	spin(argc > 1 ? strtoul(argv[1], NULL, 10) : 0);
	return 0;
}
