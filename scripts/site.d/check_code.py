# SPDX-License-Identifier: Apache-2.0
"""Checks that the Swift code of the articles is part of the examples: check_code.py CATALOG EXAMPLES."""

import pathlib
import re
import sys

catalog, examples = map(pathlib.Path, sys.argv[1:3])
compiled = [path.read_text() for path in examples.rglob("*.swift")]
missing = [
    f"{page.name}: {block.splitlines()[0]}"
    for page in sorted(catalog.rglob("*.md"))
    for block in re.findall(r"^```swift\n(.*?)^```", page.read_text(), re.M | re.S)
    if not any(block.strip() in text for text in compiled)
]
if missing:
    sys.exit("not in the examples:\n" + "\n".join(missing))
