# SPDX-License-Identifier: Apache-2.0
"""JSON documents: every report of the command is valid against the JSON Schema of its verb."""

import json
import pathlib
import subprocess

import jsonschema
import referencing

import tools
from runner import check, require
from tools import REFERENCE, ROOT, convert, corpus, fresh, run

SCHEMAS = {path.name: json.loads(path.read_text()) for path in (ROOT / "Documentation" / "schemas").glob("*.json")}
REGISTRY = referencing.Registry().with_resources(
    (name, referencing.Resource.from_contents(schema)) for name, schema in SCHEMAS.items())


def valid(document, name):
    """Fails with the first violation of a schema."""
    validator = jsonschema.Draft202012Validator({"$ref": name}, registry=REGISTRY)
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    require(error is None, error and f"{name}: {error.json_path}: {error.message[:300]}")


def printed(*words, accept=(0,)):
    """The schema of a report, after validation."""
    document = json.loads(run(tools.binaries / "hdrconvert", *words, "--json", accept=accept))
    _, verb, _ = document["schema"].split("/")
    valid(document, f"{verb}.json")
    require(document["results"], f"{words}: no results")
    return verb


def named(node, found):
    """Schemas of all properties by name, without descriptions."""
    if isinstance(node, dict):
        if node.get("type") == "object":
            for name, part in node.get("properties", {}).items():
                text = json.dumps({key: value for key, value in part.items() if key != "description"}, sort_keys=True)
                found.setdefault(name, set()).add(text.replace("common.json", ""))
        for part in node.values():
            named(part, found)
    elif isinstance(node, list):
        for part in node:
            named(part, found)


@check("json: the schemas are valid, and a key has one type in all reports")
def schemas():
    found = {}
    for name, schema in SCHEMAS.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        if name not in ("gainmap-metadata.json", "journal-line.json", "request.json"):  # No reports.
            named(schema, found)
    several = {name: kinds for name, kinds in found.items() if len(kinds) > 1 and name not in ("schema", "results")}
    require(not several, f"{several}")
    return f"{len(found)} keys in {len(SCHEMAS)} schemas"


@check("json: every report is valid")
def reports():
    scene = REFERENCE / "photo.exr"
    image = convert(scene, ".avif", "-s", "10")
    both, base, coded, record = fresh(".jpg"), fresh(".jpg"), fresh(".jpg"), fresh(".json")
    seen = [printed("gainmap", "create", scene, "-o", both), printed("gainmap", "flatten", both, "-o", base)]
    for words in (
            ("gainmap", "extract", both, "-o", coded, "--metadata", record),
            ("convert", scene, "-o", fresh(".avif"), "-s", "10"),
            ("convert", both, "-o", fresh(".jpg"), "--resize", "100"), ("convert", scene, "-o", fresh(".jpg")),
            ("render", image, "-o", fresh(".png"), "--headroom", "2x"), ("render", "--display", "list"),
            ("gainmap", "apply", both, "-o", fresh(".png"), "--headroom", "2x"),
            ("gainmap", "join", "--baseline", base, "--map", coded, "--metadata", record, "-o", fresh(".jpg")),
            ("gainmap", "swap", both, "-o", fresh(".avif"), "--allow-reencode", "-s", "10"),
            ("remux", both, "-o", fresh(".jpg"), "--flavors", "iso"), ("remux", both, "-o", fresh(".jxl")),
            ("convert", both, "-o", fresh(".avif"), "--dry-run"), ("validate", "--rules"),
            ("tag", image, "-o", fresh(".avif"), "--set", "clli=1000:200"), ("extract", both, "-o", fresh(".xmp"), "--xmp"),
            ("inspect", image, both, "--structure", "--measure"), ("validate", image, both), ("compare", both, base),
            ("sheet", image, "-o", fresh(".png"), "--headroom", "1x,full"), ("codecs",)):
        seen.append(printed(*words, accept=(0, 1)))
    valid(json.loads(record.read_text()), "gainmap-metadata.json")
    folder, journal = fresh(""), fresh(".journal")
    folder.mkdir()
    seen.append(printed("convert", scene, "--out-dir", folder, "--to", "avif", "-s", "10", "--resume", journal))
    for line in journal.read_text().splitlines():
        valid(json.loads(line), "journal-line.json")
    seen += [printed("journal", journal), "journal-line"]
    missing = {pathlib.Path(name).stem for name in SCHEMAS} - set(seen) - {"common", "gainmap-metadata", "request"}
    require(not missing, f"schemas without a report: {missing}")
    return f"{len(set(seen))} schemas"


@check("json: reports about real files are valid")
def real():
    names = [entry["name"] for entry in json.loads((corpus("MANIFEST.json")).read_text())["files"]
             if entry["expected"] != "reject"]
    files = [corpus(name) for name in names if corpus(name).exists()]
    count = 0
    for start in range(0, len(files), 64):
        part = files[start:start + 64]
        for words in (("inspect", "--structure"), ("validate",)):
            document = json.loads(run(tools.binaries / "hdrconvert", *words, "--json", *part, accept=(0, 1)))
            valid(document, f"{words[0]}.json")
            count += len(document["results"])
    return f"{count} results"


@check("json: failures are valid reports")
def failures():
    for words, verb in ((("convert", "missing.exr", "-o", fresh(".avif")), "convert"), (("tag", "a.avif"), "tag"),
                        (("gainmap", "swap", REFERENCE / "photo.exr", "-o", fresh(".avif")), "gainmap-swap")):
        done = subprocess.run([tools.binaries / "hdrconvert", *map(str, words), "--json"], capture_output=True, text=True)
        document = json.loads(done.stdout)
        valid(document, f"{verb}.json")
        require(done.returncode == document["failures"][0]["exitCode"], f"{done.returncode}: {document}")


@check("json: progress is one object per line")
def progress():
    done = subprocess.run([tools.binaries / "hdrconvert", REFERENCE / "photo.exr", "-o", fresh(".avif"), "-s", "10",
                           "--progress", "json"], capture_output=True, text=True, timeout=tools.MINUTES)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    require(lines and all(set(line) == {"progress", "stage"} and 0 <= line["progress"] <= 100 for line in lines),
            done.stderr)
    return f"{len(lines)} lines"
