# SPDX-License-Identifier: Apache-2.0
"""Differences between two results of the same step."""

import difflib
import itertools
import json
import pathlib
import re
import tempfile
from typing import NamedTuple

from structure import changed_parts

try:
    import imagecodecs
    import numpy
except ImportError:
    imagecodecs = None

IMAGES = {".avif", ".heic", ".png", ".jpg", ".exr", ".tif"}
# Keys of JSON whose values are wording.
TEXT_KEYS = {
    "notices", "firstNotices", "secondNotices", "message", "reason", "remedy", "fix", "effect", "title",
    "hint"}
# List elements are matched by the first of these keys that identifies them.
IDENTITIES = ("id", "name", "file", "flavor", "location")
MISSING = object()

# Classes of differences, the gravest first: files and statuses, reports as JSON, wording.
FILES, REPORT, TEXT = range(3)


class Difference(NamedTuple):
    """`kind` is common to all differences of a kind, `detail` is specific."""

    rank: int
    kind: str
    detail: str


class Comparison:
    """Compares results; old outputs are in a cache, new ones in a folder, `program` is the new one."""

    def __init__(self, cache, program, folder):
        self.cache, self.program, self.folder = cache, program, folder

    def differences(self, old, new):
        if old is None or new is None:
            if old is new:
                return []
            text = "is run only with the " + ("new" if old is None else "old") + " program"
            return [Difference(FILES, text, text)]
        found = []
        if old["status"] != new["status"]:
            text = f"status {old['status']} is now {new['status']}"
            found.append(Difference(FILES, text, text))
        found += self.outputs(old["outputs"], new["outputs"])
        found += texts("stdout", old["stdout"], new["stdout"])
        found += lines("stderr", old["stderr"], new["stderr"])
        return found

    def outputs(self, old, new):
        for name in sorted({*old, *new}):
            if name not in new or name not in old:
                text = f"{name} is {'not written any more' if name in old else 'written now'}"
                yield Difference(FILES, text, text)
            elif old[name] != new[name]:
                yield from self.files(self.cache.output(old[name]["sha256"]), self.folder / name)

    def files(self, old, new):
        before, after = old.read_bytes(), new.read_bytes()
        if new.suffix in (".json", ".html"):
            pages = [content.decode("utf-8", "replace") for content in (before, after)]
            differences = texts if new.suffix == ".json" else page_differences
            for difference in differences(new.name, *pages):
                yield difference._replace(rank=FILES) if difference.rank == REPORT else difference
            return
        changed = ", ".join(changed_parts(before, after)) or "bytes"
        kind = f"{new.name}: {changed}"
        details = [f"{new.name}: {len(before)} bytes, now {len(after)}", changed]
        if new.suffix in IMAGES:
            error, measured = self.measured(old, new)
            size = "unknown" if error is None else "above 0" if error > 0 else "0"
            kind += f"; Delta E {size}"
            details.append(measured)
        if new.suffix == ".png" and imagecodecs:
            details.append(counted_pixels(old, new))
        yield Difference(FILES, kind, "; ".join(details))

    def measured(self, old, new):
        """The largest Delta E ITP by the new program, None if unknown, and a description."""
        with tempfile.TemporaryDirectory(prefix="outputs-") as name:
            folder = pathlib.Path(name)
            (folder / f"old{new.suffix}").symlink_to(old.resolve())
            (folder / f"new{new.suffix}").symlink_to(new.resolve())
            arguments = ["compare", f"old{new.suffix}", f"new{new.suffix}", "--json", "-j", "1"]
            status, stdout, _ = self.program.run(arguments, folder)
        if status != 0:
            return None, f"compare ends with status {status}"
        try:
            report = json.loads(stdout)["results"][0]
            names = [entry["name"] for entry in report["properties"] if not entry["isSame"]]
            metadata = f"; metadata: {', '.join(names)}" if names else ""
            error = (report.get("pixels") or {}).get("deltaEITP")
            if not error:
                return None, f"pixels not comparable{metadata}"
            mean, largest = error["mean"], error["maximum"]
            return largest, f"Delta E ITP {mean:.3g} mean, {largest:.3g} maximum{metadata}"
        except (KeyError, TypeError, ValueError) as problem:
            return None, f"unexpected report of compare: {problem!r}"


def counted_pixels(old, new):
    try:
        first, second = (imagecodecs.png_decode(path.read_bytes()) for path in (old, new))
    except (RuntimeError, ValueError) as problem:
        return f"not decoded: {problem}"
    if first.shape != second.shape:
        return f"{first.shape}, now {second.shape}"
    apart = numpy.abs(first.astype(int) - second.astype(int)).reshape(*first.shape[:2], -1).max(2)
    return f"{numpy.count_nonzero(apart)} of {apart.size} pixels, by up to {apart.max()}"


def texts(name, old, new):
    """Differences of JSON by key path, of other text by line."""
    if old == new:
        return
    first, second = parsed(old), parsed(new)
    if first is MISSING and second is MISSING:
        yield from lines(name, old, new)
    elif first is MISSING or second is MISSING:
        text = f"{name}: {'JSON now' if first is MISSING else 'no JSON any more'}"
        yield Difference(REPORT, text, text)
    else:
        for path, kind, values in changes(first, second, ()):
            exact = "".join(path).lstrip(".")
            general = "".join("[]" if key[0] == "[" else key for key in path).lstrip(".")
            is_text = not TEXT_KEYS.isdisjoint(key.lstrip(".") for key in path)
            yield Difference(
                TEXT if is_text else REPORT, f"{name}: {general} {kind}",
                f"{name}: {exact} {kind}: {values}")


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return MISSING


def lines(name, old, new):
    """Lines that were removed or added, as differences of text."""
    difference = itertools.islice(
        difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""), 2, None)
    for line in difference:
        if not line.startswith("@@"):
            line = shortened(line)
            kind = re.sub(r"\d[\d.]*", "N", line)
            yield Difference(TEXT, f"{name}: {kind}", f"{name}: {line}")


def page_differences(name, old, new):
    """HTML: embedded images and numbers count as content, the rest as text."""
    embedded = re.compile(r"data:[\w/+.-]+;base64,[\w+/=]*")
    rest, new_rest = (embedded.sub("data:", page) for page in (old, new))
    for kind, pattern, pages in (
            ("embedded images", embedded, (old, new)),
            ("numbers", re.compile(r"\d[\d.]*"), (rest, new_rest))):
        before, after = (pattern.findall(page) for page in pages)
        if before != after:
            apart = sum(a != b for a, b in zip(before, after))
            yield Difference(
                FILES, f"{name}: {kind}",
                f"{name}: {len(before)} {kind}, now {len(after)}; {apart} differ")
    yield from lines(name, rest, new_rest)


def changes(old, new, path):
    """Triples of a path (a tuple of ".key" and "[element]"), what happened, and the values."""
    if isinstance(old, dict) and isinstance(new, dict):
        yield from changed_members(
            {f".{key}": value for key, value in old.items()},
            {f".{key}": value for key, value in new.items()}, path)
    elif isinstance(old, list) and isinstance(new, list):
        names, new_names = identities(old, new), identities(new, old)
        yield from changed_members(dict(zip(names, old)), dict(zip(new_names, new)), path)
        if names != new_names and sorted(names) == sorted(new_names):
            yield path, "reordered", f"{shown(names)} -> {shown(new_names)}"
    elif old != new or isinstance(old, bool) != isinstance(new, bool):
        yield path, "changed", f"{shown(old)} -> {shown(new)}"


def changed_members(old, new, path):
    for key in dict.fromkeys([*old, *new]):
        if key not in new:
            yield (*path, key), "removed", shown(old[key])
        elif key not in old:
            yield (*path, key), "added", shown(new[key])
        else:
            yield from changes(old[key], new[key], (*path, key))


def identities(elements, others):
    """Names of list elements: by a key that is unique in both lists, else by index."""
    for key in IDENTITIES:
        values = [[element.get(key) if isinstance(element, dict) else None for element in one]
                  for one in (elements, others)]
        if all(None not in one and len(set(map(str, one))) == len(one) for one in values):
            return [f"[{key}={value}]" for value in values[0]]
    return [f"[{index}]" for index in range(len(elements))]


def shown(value):
    return shortened(json.dumps(value, ensure_ascii=False))


def shortened(text):
    return text if len(text) <= 200 else text[:197] + "..."
