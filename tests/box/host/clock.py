# SPDX-License-Identifier: GPL-2.0-only
"""Guest time: what QEMU is told of clocks, turns and chance, and when it is up."""
import datetime
import hashlib

# An instruction of the guest takes 2^SHIFT nanoseconds of its time, unless --shift says.
SHIFT = 2
MOST_SHIFT = 10

# The host's limit is the last resort: a hang is found in guest time.
HOST_FACTOR = 10
FIRST_DAY = datetime.datetime(2026, 1, 1)
DAYS = 3650


def date(seed):
    """What the guest's clock says at power-on; seed 1 begins with the year 2026."""
    if seed == 1:
        return FIRST_DAY
    drawn = int.from_bytes(hashlib.sha256(b"date %d" % seed).digest()[:8], "big")
    return FIRST_DAY + datetime.timedelta(seconds=drawn % (DAYS * 86400))


def qemu_options(options, limit):
    """Nothing of the host's clocks, load or chance; limit in seconds or None."""
    if options.parallel:
        return []
    icount = f"shift={options.shift},sleep=off,seed={options.seed}"
    if limit:
        icount += f",limit={max(1, round(limit * 1000))}"
    return ["-icount", icount, "-seed", str(options.seed),
            "-rtc", f"base={date(options.seed):%Y-%m-%dT%H:%M:%S},clock=vm"]


def host_limit(options, limit):
    return limit if options.parallel else limit * HOST_FACTOR
