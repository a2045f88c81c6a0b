# SPDX-License-Identifier: Apache-2.0
"""Checks that code of the articles is part of the examples: check_code.py CATALOG EXAMPLES.

This is all Swift code, which the tests compile and run, and all code of SideBySide.md, whose lines are counted.
"""

import pathlib
import re
import sys

catalog, examples = map(pathlib.Path, sys.argv[1:3])
tested = [path.read_text() for path in examples.rglob("*") if path.suffix in (".swift", ".py", ".sh")]
problems = []
for page in sorted(catalog.rglob("*.md")):
    languages = "swift|python|sh" if page.name == "SideBySide.md" else "swift"
    for code in re.findall(rf"^```(?:{languages})\n(.*?)^```", page.read_text(), re.M | re.S):
        if not any(code.strip() in text for text in tested):
            problems.append(f"{page.name}: not in the examples: {code.splitlines()[0]}")

overview, *jobs = (catalog / "SideBySide.md").read_text().split("\n## ")[1:]
header = re.search(r"^\| \| (.*) \|$", overview, re.M)[1].split(" | ")
for job in jobs:
    lines = {}
    for library, count, code in re.findall(r"^\*\*([^*]+)\*\*, (\d+) lines?\n\n```\w+\n(.*?)^```", job, re.M | re.S):
        lines[library] = sum(bool(line.strip()) for line in code.splitlines())
        if lines[library] != int(count):
            problems.append(f"SideBySide.md: {library} has {lines[library]} lines, not {count}")
    row = " | ".join([job.splitlines()[0], *(str(lines.get(library, "none")) for library in header)])
    if f"\n| {row} |\n" not in overview:
        problems.append(f"SideBySide.md: the row is not | {row} |")
if problems:
    sys.exit("\n".join(problems))
