# SPDX-License-Identifier: Apache-2.0
"""Sums samples of `perf script` by library, module and function; run by Tools/profile."""

import collections
import re
import sys

# Libraries that encode and decode samples. Everything else is work of this project, or on its behalf.
CODECS = (
    "libpng", "libz", "libdeflate", "libisal", "libjpeg", "libtiff", "libOpenEXR", "libIex", "libImath", "libaom", "libdav1d",
    "libSvt", "librav1e", "libheif", "libx265", "libde265", "libjxl", "libraw")
# Modules of mangled names that are not the outermost context: the first identifier with its length.
MANGLED = re.compile(r"\$s(\d+)")


def module(symbol):
    """The module of a symbol of the command: Swift modules by their mangled names, kernels by their prefix."""
    if symbol.startswith(("pk_", "pk")):
        return "PixelKernels"
    if symbol.startswith("deflate_") or symbol in ("skip_symbols", "build", "read_lengths"):
        return "CShims"
    found = MANGLED.match(symbol)
    if found:
        start = found.end()
        return symbol[start:start + int(found[1])]
    return "other"


def main(command):
    libraries, modules, functions = (collections.Counter() for _ in range(3))
    total = 0
    for line in sys.stdin:
        found = re.match(r"\s*(\d+)\s+[0-9a-f]+\s+(.*) \((.*)\)\s*$", line)
        if not found:
            continue
        period, symbol, file = int(found[1]), found[2], found[3].rsplit("/", 1)[-1]
        library = "kernel" if file.startswith("[") else file
        total += period
        libraries[library] += period
        if library == command:
            modules[module(symbol)] += period
        functions[(library, symbol)] += period
    if not total:
        raise SystemExit("no samples")
    codec = sum(time for name, time in libraries.items() if name.startswith(CODECS))
    print(f"{total / 1e9:.3f} s of processor time: {codec / total:.0%} in codecs, {1 - codec / total:.0%} elsewhere")
    for title, counter, count in (
            ("library", libraries, 12), (f"module of {command}", modules, 12), ("function", functions, 20)):
        print(f"\n{'s':>8} {'%':>5}  {title}")
        for name, time in counter.most_common(count):
            label = name if isinstance(name, str) else f"{name[1][:100]} ({name[0]})"
            print(f"{time / 1e9:8.3f} {100 * time / total:5.1f}  {label}")


main(sys.argv[1])
