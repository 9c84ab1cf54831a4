/* SPDX-License-Identifier: GPL-2.0-only */
/* Removes what a command leaves in the directories that it may write to. */
#ifndef BOX_TIDY_H
#define BOX_TIDY_H

/* What is there now stays. */
void tidy_remember(void);
/* What has come since goes. */
void tidy_up(void);

#endif
