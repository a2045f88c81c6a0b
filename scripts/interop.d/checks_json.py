"""Documents for programs: each that the command prints is described key by key in a page of Documentation."""

import json
import re
import subprocess

import tools
from runner import check, require
from tools import REFERENCE, ROOT, convert, fresh, run

PAGES = {page.name: page.read_text() for page in (ROOT / "Documentation").glob("*JSON.md")}


def documented(schema):
    """Keys in the tables of the page about a schema, and of all that it refers to; those with names of their own."""
    pages = [name for name, text in PAGES.items() if f"`{schema}`" in text.split("\n## ")[0]]
    require(pages, f"no page is about {schema}")
    keys, free = set(), set()
    for name in pages:
        # Pages go on in those that they refer to.
        named = re.findall(r"\]\((\w+\.md)\)", PAGES[name])
        pages += [other for other in named if other in PAGES and other not in pages]
        for row in re.findall(r"^\| `.*", PAGES[name], re.M):
            _, names, kind, meaning, *_ = row.split("|")
            # The page of gain maps says a.b and a[].b for keys in keys, and some beside their meaning.
            words = re.findall(r"`([^`]*)`", names + (meaning if kind.strip() == "no" else ""))
            parts = {part for word in words for part in re.split(r"\.|\[\]", word) if part}
            keys |= parts
            free |= parts if kind.strip().startswith("object") else set()
    return keys, free


def keys_of(value, free):
    if isinstance(value, list):
        return set().union(*(keys_of(part, free) for part in value))
    if not isinstance(value, dict):
        return set()
    return set(value).union(*(keys_of(part, free) for name, part in value.items() if name not in free))


def printed(*words, accept=(0,)):
    """The schema of a document, all of whose keys are explained."""
    document = json.loads(run(tools.binaries / "hdrconvert", *words, accept=accept))
    schema = document["schema"]
    keys, free = documented(schema)
    missing = keys_of(document, free) - keys
    require(not missing, f"{schema}: {', '.join(sorted(missing))} not documented")
    return schema


@check("json: every key of every document is documented")
def explained():
    scene = REFERENCE / "photo.exr"
    picture = convert(scene, ".avif", "-s", "10")
    both, base, coded, record = fresh(".jpg"), fresh(".jpg"), fresh(".jpg"), fresh(".json")
    seen = [printed("gainmap", "create", scene, "-o", both, "--json"),
            printed("gainmap", "flatten", both, "-o", base, "--json")]
    run(tools.binaries / "hdrconvert", "gainmap", "extract", both, "-o", coded, "--metadata", record, "--quiet")
    for words in (
            ("convert", scene, "-o", fresh(".avif"), "-s", "10"),
            ("convert", both, "-o", fresh(".jpg"), "--resize", "100"),
            ("render", picture, "-o", fresh(".png"), "--headroom", "2x"), ("render", "--display", "list"),
            ("gainmap", "apply", both, "-o", fresh(".png"), "--headroom", "2x"),
            ("gainmap", "extract", both, "-o", fresh(".jpg")),
            ("gainmap", "join", "--base", base, "--map", coded, "--metadata", record, "-o", fresh(".jpg")),
            ("gainmap", "swap", both, "-o", fresh(".avif"), "--allow-reencode", "-s", "10"),
            ("remux", both, "-o", fresh(".jpg"), "--flavors", "iso"),
            ("tag", picture, "-o", fresh(".avif"), "--clli", "1000,200"),
            ("inspect", picture, both, "--structure"), ("validate", picture, both), ("compare", both, base),
            ("sheet", picture, "-o", fresh(".png"), "--headroom", "1x,full"), ("codecs",)):
        seen.append(printed(*words, "--json", accept=(0, 1)))
    stated = {schema for text in PAGES.values()
              for schema in re.findall(r"`(hdrconvert/[\w-]+/\d+)`", text.split("\n## ")[0])}
    require(stated == set(seen), f"documented and not printed, or the other way: {stated ^ set(seen)}")
    return f"{len(set(seen))} schemas"


@check("json: progress is one object a line")
def progress():
    done = subprocess.run([tools.binaries / "hdrconvert", REFERENCE / "photo.exr", "-o", fresh(".avif"), "-s", "10",
                           "--progress", "json"], capture_output=True, text=True, timeout=tools.MINUTES)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    require(lines and all(set(line) == {"progress", "stage"} and 0 <= line["progress"] <= 100 for line in lines),
            done.stderr)
    require(PAGES["ConvertJSON.md"].count("`progress`") == 1, "not documented")
    return f"{len(lines)} lines"
