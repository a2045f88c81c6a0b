# SPDX-License-Identifier: Apache-2.0
"""Type-checks the Swift code of all articles as another package would: check_public.py SWIFTC [FLAGS...].

Each block of code is a file of its own that imports the library modules; declarations with `package` access are not
visible to it, as they are to Examples/, which is part of this package.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ("Foundation", "HDRCore", "GainMap", "ImageFiles", "ImageCodecs", "RAWDevelop", "HDRConversion",
           "Conformance")


def blocks():
    """Name and code of each block; manifests of packages and code for Core Image are left out."""
    pages = [*ROOT.glob("Sources/*/*.docc/*.md"), *ROOT.glob("Documentation/**/*.md"), ROOT / "README.md"]
    for page in sorted(pages):
        for number, code in enumerate(re.findall(r"^```swift\n(.*?)^```", page.read_text(), re.M | re.S), 1):
            if not re.search(r"\.package\(|\b(CIContext|CGImage)", code):
                yield f"{page.relative_to(ROOT)}, block {number}", code


problems = []
count = 0
with tempfile.TemporaryDirectory() as folder:
    for name, code in blocks():
        is_program = "@main" in code
        path = pathlib.Path(folder) / ("program.swift" if is_program else "main.swift")
        path.write_text("".join(f"import {module}\n" for module in MODULES) + code)
        done = subprocess.run(
            [*sys.argv[1:], "-typecheck", "-swift-version", "6", "-package-name", "reader",
             *(["-parse-as-library"] if is_program else []), path], capture_output=True, text=True)
        count += 1
        if done.returncode:
            problems.append(f"{name}:\n{done.stderr}")
if problems or not count:
    sys.exit("\n".join(problems) or "no code found")
print(f"{count} blocks of code use public declarations only")
