"""The platforms that are built without a container, and zig, which is the compiler for each."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

# glibc 2.17 is that of manylinux2014.
GLIBC, MUSL = "manylinux_2_17", "musllinux_1_2"
# `Generic` ends the search for libraries of this machine, which are not those of the platform.
TOOLCHAIN = """\
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR {machine})
set(CMAKE_CXX_COMPILER "{programs}/c++")
set(CMAKE_AR "{programs}/ar" CACHE FILEPATH "")
set(CMAKE_RANLIB "{programs}/ranlib" CACHE FILEPATH "")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(Python_INCLUDE_DIR "{headers}")
# With it CMake does not find a Python without a global lock for another machine.
unset(Python_FIND_ABI CACHE)
set(BLEUET_CXX_RUNTIME "{runtime}")
# zig compiles with -O2 and keeps frame pointers, even where -O3 is wanted.
set(CMAKE_CXX_FLAGS_RELEASE_INIT "-fomit-frame-pointer -Xclang -O3")
"""


class Platform(NamedTuple):
    """A platform of wheels, such as manylinux_2_17_aarch64."""

    kind: str
    machine: str

    @property
    def tag(self) -> str:
        """The last part of a wheel's name."""
        return f"{self.kind}_{self.machine}"

    @property
    def library(self) -> str:
        """The C library, as the names of extension modules have it."""
        return "musl" if self.kind == MUSL else "gnu"

    @property
    def target(self) -> str:
        """The platform as zig names it."""
        version = "" if self.kind == MUSL else ".2.17"
        return f"{self.machine}-linux-{self.library}{version}"


PLATFORMS = [Platform(kind, machine) for kind in (GLIBC, MUSL) for machine in ("x86_64", "aarch64")]

_DESCRIBE = """
import json, os, sys, sysconfig
configuration = sysconfig.get_config_h_filename()
# On Debian this file includes that of the machine.
folder, name = os.path.split(sysconfig.get_path("include"))
own = os.path.join(folder, sysconfig.get_config_var("MULTIARCH") or "", name, "pyconfig.h")
print(json.dumps({
    "version": ".".join(map(str, sys.version_info[:2])),
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "suffix": sysconfig.get_config_var("EXT_SUFFIX"),
    "headers": sysconfig.get_path("include"),
    "configuration": own if os.path.exists(own) else configuration,
}))
"""


class Python(NamedTuple):
    """An interpreter of this machine, for which wheels are built."""

    program: str
    version: str
    free_threaded: bool
    suffix: str
    headers: str
    configuration: str

    @property
    def tag(self) -> str:
        """The first two parts of a wheel's name, such as cp314-cp314t."""
        number = self.version.replace(".", "")
        return f"cp{number}-cp{number}{'t' * self.free_threaded}"

    @property
    def name(self) -> str:
        """The version, with a `t` for an interpreter without a global lock."""
        return self.version + "t" * self.free_threaded

    def suffix_on(self, platform: Platform) -> str:
        """Return the ending of extension modules, such as .cpython-314-aarch64-linux-musl.so."""
        start = self.suffix.partition("-linux")[0].rpartition("-")[0]
        return f"{start}-{platform.machine}-linux-{platform.library}.so"

    def runs(self, platform: Platform) -> bool:
        """Whether this interpreter can import what is built for the platform."""
        return self.suffix == self.suffix_on(platform)


def find_python(program: str) -> Python | None:
    """Return the interpreter of this name or path, or None if it is not on this machine."""
    try:
        done = subprocess.run(
            [program, "-c", _DESCRIBE], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return Python(program, **json.loads(done.stdout))


def write_toolchain(folder: Path, platform: Platform, headers: Path) -> Path:
    """Write the programs of a platform, and return the file that names them for CMake."""
    programs = folder / "programs"
    programs.mkdir(parents=True, exist_ok=True)
    for name, options in (("c++", f" -target {platform.target}"), ("ar", ""), ("ranlib", "")):
        file = programs / name
        file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ziglang {name}{options} "$@"\n')
        file.chmod(0o755)
    file = folder / "toolchain.cmake"
    text = TOOLCHAIN.format(
        machine=platform.machine, programs=programs, headers=headers, runtime=f"libc++ {_libcxx()}"
    )
    file.write_text(text)
    return file


def _libcxx() -> str:
    """Return the version of the C++ library that zig links into the module."""
    folder = Path(str(import_module("ziglang").__file__)).parent
    text = (folder / "lib" / "libcxx" / "include" / "__config").read_text()
    (number,) = [line.split()[-1] for line in text.splitlines() if "define _LIBCPP_VERSION" in line]
    return f"{int(number[:-4])}.{int(number[-4:-2])}.{int(number[-2:])}"
