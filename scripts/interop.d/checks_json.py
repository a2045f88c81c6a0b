"""JSON documents: each document of the command is described key by key in a page of Documentation."""

import json
import re
import subprocess

import tools
from runner import Failed, check, require
from tools import REFERENCE, ROOT, convert, fresh, run

PAGES = {page.name: page.read_text() for page in (ROOT / "Documentation").glob("*JSON.md")}
SCALARS = {"string": str, "integer": int, "number": (int, float), "boolean": bool}
COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "eight": 8, "nine": 9}


def tables(page):
    """Rows of each table by heading: page, type and meaning of a key."""
    found = {}
    for part in PAGES[page].split("\n## ")[1:]:
        title, body = part.split("\n", 1)
        rows = {}
        for other, name in re.findall(r'All keys of "([^"]+)" in \[[^]]*\]\((\w+\.md)\)', body):
            rows |= tables(name)[other]
        for names, kind, meaning in re.findall(r"^\| (`[^|]*) \| ([^|]*) \|([^|]*)\|$", body, re.M):
            rows |= {name: (page, kind, meaning) for name in re.findall("`([^`]*)`", names)}
        found[title] = rows
    return found


def table(page, title):
    """The table named by a type: on the page itself, or on a page that it refers to."""
    linked = [name for name in re.findall(r"\]\((\w+\.md)\)", PAGES[page]) if name in PAGES]
    for name in dict.fromkeys((page, *linked)):
        if title in (found := tables(name)):
            return found[title]
    raise Failed(f"{page}: no table of '{title}'")


def require_object(value, rows, place):
    """An object has the mandatory keys of its table, and only keys of the table."""
    require(isinstance(value, dict), f"{place} is no object")
    always = {name for name, (_, kind, _) in rows.items() if kind.endswith(", always")}
    require(always <= set(value) <= set(rows),
            f"{place}: missing {sorted(always - set(value))}, not documented {sorted(set(value) - set(rows))}")
    for name, part in value.items():
        page, kind, meaning = rows[name]
        require_kind(part, page, kind.removesuffix(", always"), meaning, f"{place}.{name}")


def require_kind(value, page, kind, meaning, place):
    """A value has the type in the type column."""
    if match := re.fullmatch(f"arrays? of (?:({'|'.join(COUNTS)}) )?(.*)", kind):
        require(isinstance(value, list) and len(value) == COUNTS.get(match[1], len(value)), f"{place} is no {kind}")
        for part in value:
            require_kind(part, page, match[2], meaning, f"{place}[]")
    elif scalar := SCALARS.get(kind.removesuffix("s")):
        require(isinstance(value, scalar) and (scalar == bool) == isinstance(value, bool), f"{place} is no {kind}")
    elif kind == "object of strings":
        require(isinstance(value, dict) and all(isinstance(part, str) for part in value.values()), f"{place}: {value}")
    elif kind == "object of values":
        # Diagnostics.md lists the keys of each code.
        require(isinstance(value, dict), f"{place} is no {kind}")
    elif kind == "object":
        # Its keys are listed in the meaning column.
        require(isinstance(value, dict) and set(value) <= set(re.findall("`([^`]*)`", meaning)), f"{place}: {value}")
    else:
        require_object(value, table(page, kind), place)


def require_named(value, names, place):
    """The page of gain maps has one table, with a.b and a[].b for nested keys."""
    for part in value if isinstance(value, list) else [value]:
        for name, inner in part.items() if isinstance(part, dict) else ():
            require(name in names, f"{place}.{name} is not documented")
            require_named(inner, names, f"{place}.{name}")


def printed(*words, accept=(0,)):
    """The schema of a document, after comparison with its page."""
    document = json.loads(run(tools.binaries / "hdrconvert", *words, accept=accept))
    schema = document["schema"]
    (page,) = (name for name, text in PAGES.items() if f"`{schema}`" in text.split("\n## ")[0])
    if page == "GainMapJSON.md":
        rows = re.findall(r"^\| (`[^|]*)\|([^|]*)\|([^|]*)", PAGES[page], re.M)
        # Some nested keys are listed in the meaning column.
        cells = " ".join(names + (meaning if needed.strip() == "no" else "") for names, needed, meaning in rows)
        words = re.findall("`([^`]*)`", cells)
        require_named(document, {part for word in words for part in re.split(r"\.|\[\]", word)}, schema)
        return schema
    roots = [rows for rows in tables(page).values()
             if "schema" in rows and (f"`{schema}`" in rows["schema"][2] or "as above" in rows["schema"][2])]
    require(len(roots) == 1, f"{page}: {len(roots)} tables of {schema}")
    require_object(document, roots[0], schema)
    return schema


@check("json: every document has the documented keys and types")
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


@check("json: progress is one object per line")
def progress():
    done = subprocess.run([tools.binaries / "hdrconvert", REFERENCE / "photo.exr", "-o", fresh(".avif"), "-s", "10",
                           "--progress", "json"], capture_output=True, text=True, timeout=tools.MINUTES)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    require(lines and all(set(line) == {"progress", "stage"} and 0 <= line["progress"] <= 100 for line in lines),
            done.stderr)
    require(PAGES["ConvertJSON.md"].count("`progress`") == 1, "not documented")
    return f"{len(lines)} lines"
