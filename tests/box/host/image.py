# SPDX-License-Identifier: GPL-2.0-only
"""Builds the guest's initramfs: a cached base, the parts of this tree, and the command."""
import fcntl
import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile

from cpio import Archive

LIBRARIES = "/usr/lib/x86_64-linux-gnu"

# What the guest has from Debian's packages, beside busybox for everything else.
PROGRAMS = ("bash", "dash", "gzip", "perf", "setpriv")

# Loaded by the library when something needs them, so no program names them.
LOADED = ("libpfm.so.4", "libjansson.so.4", "libkmod.so.2", "libZydis.so.4.[0-9]", "libdw.so.1",
          "libncursesw.so.6")

# What `pmuctl top` knows of terminals: one without colours, and two with.
TERMINFO = ("l/linux", "v/vt100", "x/xterm-256color")

PASSWD = b"""root:x:0:0:root:/root:/bin/sh
user:x:1000:1000:user:/tmp:/bin/sh
nobody:x:65534:65534:nobody:/tmp:/bin/sh
"""
GROUP = b"""root:x:0:
user:x:1000:
nogroup:x:65534:
"""


class Missing(Exception):
    """Something the image needs is not there; the text says what to do."""


def find_program(name):
    path = shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin")
    if not path:
        raise Missing(f"{name} is not installed: run tests/setup")
    return os.path.realpath(path)


def guest_path(path):
    """Where a path leads in the guest, whose /bin, /sbin and /lib are links."""
    path = "/" + path.strip("/")
    path = re.sub(r"^/(usr/)?s?bin/", "/usr/bin/", path)
    return re.sub(r"^/(lib(64)?)/", r"/usr/\1/", path)


def libraries(path, library_path=""):
    """The shared libraries of a program: {path in the guest: path here}."""
    with open(path, "rb") as file:
        if file.read(4) != b"\x7fELF":
            return {}
    env = dict(os.environ, LC_ALL="C", LD_LIBRARY_PATH=library_path)
    out = subprocess.run(["ldd", path], env=env, capture_output=True, text=True,
                         check=False).stdout
    found = {}
    for line in out.splitlines():
        missing = re.match(r"\s*(\S+) => not found", line)
        if missing:
            raise Missing(f"{path} needs {missing[1]}, which is not on this machine")
        match = re.match(r"\s*(?:\S+ => )?(/\S+) \(0x", line)
        if match:
            found[library_place(match[1])] = match[1]
    return found


def library_place(path):
    place = guest_path(path)
    if place.startswith(("/usr/lib/", "/usr/lib64/")):
        return place
    return f"{LIBRARIES}/{os.path.basename(path)}"


def base_programs():
    """{path in the guest: path here}, without the libraries that these need."""
    found = {f"/usr/bin/{name}": find_program(name) for name in (*PROGRAMS, "busybox")}
    for name in LOADED:
        paths = glob.glob(f"{LIBRARIES}/{name}")
        if not paths:
            raise Missing(f"{name} is not installed: run tests/setup")
        found.update((path, path) for path in paths)
    found.update(terminal(name) for name in TERMINFO)
    return found


def terminal(name):
    """(path in the guest, path here) of what ncurses knows of it, which looks there as here."""
    for path in (f"/lib/terminfo/{name}", f"/usr/share/terminfo/{name}"):
        if os.path.exists(path):
            return guest_path(path), path
    raise Missing(f"nothing is known of the terminal {name} (ncurses-base): run tests/setup")


def base_key(programs):
    """Of what decides the base: which libraries there are is known by ldconfig's cache."""
    with open(__file__, "rb") as script:
        key = hashlib.sha256(script.read())
    for name, path in sorted({**programs, "": "/etc/ld.so.cache"}.items()):
        info = os.stat(path)
        key.update(f"{name} {path} {info.st_size} {info.st_mtime_ns}\n".encode())
    return key.hexdigest()[:16]


def base_archive(programs):
    archive = Archive()
    for name in ("dev", "proc", "sys", "run", "usr/bin", "usr/lib", "usr/lib64", "var/log"):
        archive.directory(name)
    archive.directory("root", 0o755)
    archive.directory("tmp", 0o1777)
    for name, target in (("bin", "usr/bin"), ("sbin", "usr/bin"), ("usr/sbin", "bin"),
                         ("lib", "usr/lib"), ("lib64", "usr/lib64"),
                         ("etc/mtab", "/proc/self/mounts")):
        archive.symlink(name, target)
    archive.data("etc/passwd", PASSWD)
    archive.data("etc/group", GROUP)
    applets = subprocess.run([programs["/usr/bin/busybox"], "--list"], capture_output=True,
                             text=True, check=True).stdout.split()
    for applet in applets:
        archive.symlink(f"usr/bin/{applet}", "busybox")
    archive.symlink("usr/bin/sh", "dash")
    files = dict(programs)
    for name, path in programs.items():
        files.update(libraries(path))
    for name, path in files.items():
        archive.file(name, path)
    return archive


def prune(pattern, keep):
    """Removes all but the newest of what matches."""
    paths = sorted(glob.glob(pattern), key=os.path.getmtime, reverse=True)
    for path in paths[keep:]:
        if os.path.isdir(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)


def base(cache):
    """The path of the base archive and the set of names in it."""
    programs = base_programs()
    path = os.path.join(cache, f"initramfs-{base_key(programs)}", "base.cpio")
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=os.path.dirname(path), delete=False) as tmp:
            archive = base_archive(programs)
            archive.write(tmp)
        with open(path + ".names", "w", encoding="utf-8") as names:
            names.write("\n".join(sorted(archive.names())))
        os.rename(tmp.name, path)
        prune(os.path.join(cache, "initramfs-*"), 3)
    with open(path + ".names", encoding="utf-8") as names:
        return path, set(names.read().split("\n"))


def add_program(archive, name, path, library_path=""):
    """Adds a file, and for a program the libraries that the guest lacks."""
    archive.file(name, path)
    if not os.path.isfile(path):
        return
    for place, library in libraries(path, library_path).items():
        if place.strip("/") not in archive.names():
            archive.file(place, library)


def with_depends(kernel_dir, names):
    """The paths of modules of the kernel's package, and of those that they need, by name."""
    found, wanted = {}, list(names)
    while wanted:
        name = wanted.pop()
        path = os.path.join(kernel_dir, "modules", f"{name}.ko")
        if not os.path.exists(path):
            raise Missing(f"--module: no {name} beside the kernel; tests/box/kernel says which "
                          "modules are kept of its package")
        if name not in found:
            out = subprocess.run(["/usr/sbin/modinfo", "-F", "depends", path], check=True,
                                 capture_output=True, text=True).stdout
            wanted += [one for one in out.strip().split(",") if one]
        found[name] = path
    return found


def add_modules(archive, kernel_dir, release, pmuctl, more=()):
    """Adds the modules, indexed for modprobe; returns those to load at boot, not more of them."""
    top = f"usr/lib/modules/{release}"
    modules = {f"kernel/{name}.ko": os.path.join(kernel_dir, "modules", f"{name}.ko")
               for name in ("msr", "cpuid")}
    kept = {f"kernel/{name}.ko": path for name, path in with_depends(kernel_dir, more).items()}
    if pmuctl:
        modules["extra/pmuctl.ko"] = pmuctl
    with tempfile.TemporaryDirectory() as tmp:
        root = os.path.join(tmp, "lib/modules", release)
        for name, path in {**kept, **modules}.items():
            os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
            shutil.copy(path, os.path.join(root, name))
        subprocess.run(["depmod", "-b", tmp, release], check=True,
                       env=dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin:/sbin"),
                       stderr=subprocess.DEVNULL)
        archive.file(top, root, 0o755)
    return [f"/{top}/{name}" for name in modules]


class lock:
    """Holds a lock file of the cache, so that parallel runs build things once."""

    def __init__(self, path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.path = path

    def __enter__(self):
        self.fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        fcntl.flock(self.fd, fcntl.LOCK_EX)

    def __exit__(self, *_):
        os.close(self.fd)
