/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames that the guest's init sends to whoever started QEMU.
 */
#ifndef PMUBOX_CHANNEL_H
#define PMUBOX_CHANNEL_H

/*
 * Writes a frame to the file descriptor that PMUBOX_CHANNEL in the environment
 * names: its type (a byte), its length (32 bits) and so many bytes of the guest's
 * memory.  False without a channel.  The guest stands still meanwhile, however
 * long that takes: no time goes by for it.
 */
bool box_channel_send(CPUState *cpu, uint8_t type, uint64_t address, uint32_t length);

#endif
