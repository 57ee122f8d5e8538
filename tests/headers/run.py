#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TOP: each public header compiles alone, as C11 and as C++17, without GLib or libpcap; doxygen finds everything
documented; and the Python package knows all of them."""
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from reference import check_reference  # noqa: E402
from tap import Tap  # noqa: E402

LANGUAGES = [("C11", "cc", "c", "c11"), ("C++17", "c++", "c++", "c++17")]


def compile_alone(top, header, compiler, language, standard):
    command = [compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
               "-fsyntax-only", "-I", str(top / "include"), "-"]
    done = subprocess.run(command, input=f"#include <{header}>\n", text=True, capture_output=True, check=False)
    return done.stderr if done.returncode else None


def told_to_python(top):
    """Is python/tcpwhy/_cdef.py what make_cdef.py makes of the headers?"""
    sys.path.insert(0, str(top / "python"))
    import make_cdef
    have = (top / "python/tcpwhy/_cdef.py").read_text()
    return None if have == make_cdef.make(top / "include") else "run python/make_cdef.py, and give python/tcpwhy/_model.py new members"


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    with Tap() as tap:
        for path in sorted((top / "include").rglob("*.h")):
            header = str(path.relative_to(top / "include"))
            for name, compiler, language, standard in LANGUAGES:
                sentence = f"{header} compiles alone as {name}"
                if shutil.which(compiler):
                    tap.check(sentence, compile_alone(top, header, compiler, language, standard))
                else:
                    tap.skip(sentence, f"no {compiler} here")
        check_reference(tap, top)
        tap.check("the Python package knows what the headers declare", told_to_python(top))


if __name__ == "__main__":
    main()
