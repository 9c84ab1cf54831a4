# SPDX-License-Identifier: GPL-2.0-only
"""What there is to see of a guest that went wrong."""
import copy
import io
import re

import boot
import places
from guest import Command


def kernel_symbols(options, kernel):
    """From a guest of the same kernel and modules, which stand where they always do."""
    like = copy.copy(options)
    like.add, like.append = [], []
    like.truth, like.smp, like.threads = None, 1, 1
    like.parallel, like.seed = False, 1
    text = io.BytesIO()
    # However short the limit was of the run that went wrong.
    boot.boot(like, [Command(places.COMMAND, write=lambda fd, data: text.write(data))], kernel,
              limit=boot.TIMEOUT)
    return places.Symbols(text.getvalue().decode("ascii", "replace"))


def where(options, kernel, report):
    symbols = kernel_symbols(options, kernel) if places.in_kernel(report) else None
    return places.lines(report, symbols)


def lines(options, kernel, guest, log, problems):
    """The logs, what is wrong, and of a guest that did not end where its CPUs stand."""
    said = guest.qemu_said.decode("utf-8", "replace")
    for title, text in (("kernel log", "\n".join(log)),
                        ("console", guest.console.decode("utf-8", "replace").rstrip()),
                        ("QEMU", re.sub("^pmubox: .*\n", "", said, flags=re.M).rstrip())):
        if text:
            yield f"---- {title} ----\n{text}"
    wrong = list(problems)
    if guest.hung() or not guest.ended and not guest.enough and not guest.refused():
        wrong += where(options, kernel, said)
    for text in wrong:
        yield f"tests/box/run: {text}"
