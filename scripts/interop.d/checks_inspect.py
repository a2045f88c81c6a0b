"""What `inspect --json` says of real files is what the corpus' manifest says."""

import json
import re
import subprocess

import tools
from runner import check, require
from tools import CORPUS

BATCH = 64


def manifest():
    """The files of the corpus that are there, by folder."""
    folders = {}
    for entry in json.loads((CORPUS / "MANIFEST.json").read_text())["files"]:
        if (CORPUS / entry["name"]).exists():
            folders.setdefault(entry["name"].split("/")[0], []).append(entry)
    return folders


def inspect(entries, *options):
    """Reports by name, and what is said on standard error of those that have none."""
    reports, said = {}, ""
    for start in range(0, len(entries), BATCH):
        # Twice the first file, so that one file is no special case.
        part = entries[start:start + BATCH] + entries[start:start + 1]
        paths = [str(CORPUS / entry["name"]) for entry in part]
        done = subprocess.run(
            [tools.binaries / "hdrconvert", "inspect", "--json", *options, *paths],
            capture_output=True, timeout=tools.MINUTES)
        require(done.returncode in (0, 1), f"exit {done.returncode}: {done.stderr[-300:]}")
        for report in json.loads(done.stdout)["files"]:
            reports[report["file"][len(str(CORPUS)) + 1:]] = report
        said += done.stderr.decode(errors="replace")
    return reports, said


# The manifest has what ExifTool makes of a camera's own tags there; the directories say otherwise.
OTHER_SIZE = {"raw/sony-a330-cut100k.arw": (3880, 2600)}


def require_size(entry, picture):
    if not entry["dimensions"]:
        return
    width, height = map(int, entry["dimensions"].split("x"))
    allowed = {(width, height), OTHER_SIZE.get(entry["name"])}
    sizes = {(picture["width"], picture["height"]), (picture["shownWidth"], picture["shownHeight"])}
    require(sizes & allowed, f"{sizes}, not {width}x{height}")


def require_depth(entry, picture):
    words = entry["bit_depth"].split()
    names = {"half": (16, "float"), "float": (32, "float")}
    if not words or words == ["rgbe"]:
        return
    depth, kind = names.get(words[0], (words[0], words[1] if words[1:] else None))
    require(picture["depth"] == int(depth), f"{picture['depth']} bits, not {depth}")
    require(kind is None or picture["samples"] == kind, f"{picture['samples']}, not {kind}")


CODES = {"unspec": 2, "bt709": 1, "bt2020": 9, "p3": 12, "srgb": 13, "pq": 16, "hlg": 18,
         "identity": 0, "bt601": 6, "bt2020ncl": 9, "bt2020cl": 10, "chroma-ncl": 12, "linear": 8}


def code_points(text):
    *codes, extent = text.split("/")
    return "/".join(str(CODES[code]) for code in codes) + "/" + extent


def require_color(entry, picture):
    """Every carrier that the manifest names is there and says the same."""
    carriers = (picture.get("color") or {}).get("carriers", [])

    def some(test, what):
        require(any(map(test, carriers)), f"no {what} in {carriers}")

    def profile(name):
        some(lambda c: (c.get("profile") or {}).get("description", "").strip() == name.strip(),
             f"profile '{name}'")

    text = entry["colour"]
    for codes in re.findall(r"(?:nclx:|cICP )(\S+?/\S+?/\S+?/\w+)", text):
        some(lambda c: c.get("cicp") == code_points(codes), f"{codes}")
    for name in re.findall(r"prof:([^;]+)", text):
        profile(name)
    if match := re.match(r"ICC (.+)", text):
        profile(match[1])
    for name in re.findall(r"iCCP [^(;]*\((.+)\)", text):
        profile(name)
    if "cHRM" in text:
        some(lambda c: c["name"] == "cHRM", "cHRM")
    if match := re.search(r"gAMA (\d+)", text):
        some(lambda c: c["says"] == f"exponent {int(match[1]) / 1e5}", "gAMA")
    if text.startswith("chromaticities"):
        points = [float(number) for number in re.findall(r"\d+\.\d+", text)]
        some(lambda c: c["name"] == "chromaticities" and all(
            abs(float(number) - point) < 5e-5
            for number, point in zip(re.findall(r"\d+\.\d+", c["says"]), points)), "points")
    if text in ("Linear Raw", "Color Filter Array"):
        require(picture.get("interpretation") == text, f"{picture.get('interpretation')}")
    details = entry.get("details") or {}
    for key, light in (("clli", "MaxCLL"), ("cLLI", "MaxCLL")):
        if key in details:
            numbers = details[key] if isinstance(details[key], list) else \
                [float(n) for n in re.findall(r"=([\d.]+)", details[key])]
            said = picture["hdr"].get("contentLightLevel") or {}
            require([said.get("maxCLL"), said.get("maxFALL")] == numbers, f"{light} {said}")


def agrees(folder, entries):
    readable = [e for e in entries if e["expected"] != "reject"]
    reports, said = inspect(readable)
    for entry in readable:
        name = entry["name"]
        if name not in reports:
            require(entry["expected"] in MAY_REFUSE, f"{name} is refused: {said[-400:]}")
            continue
        report = reports[name]
        require(report["bytes"] == entry["size"], f"{name}: {report['bytes']} bytes")
        picture = report["pictures"][0]
        for test in (require_size, require_depth, require_color):
            try:
                test(entry, picture)
            except Exception as error:
                require(False, f"{name}: {error}")
        if "exif" in entry and isinstance(entry["orientation_exif"], int):
            told = (report.get("exif") or {}).get("orientation")
            require(told in (None, entry["orientation_exif"]), f"{name}: orientation {told}")
        maker = entry["producer"].split(" / ")[0]
        model = (report.get("exif") or {}).get("model")
        require(not (model and maker) or model.split()[0] in entry["producer"],
                f"{name}: {model}, not {entry['producer']}")
    return f"{len(reports)} of {len(entries)} files"


MAY_REFUSE = {"reject-or-base", "meta-or-unsupported", "ok-or-unsupported", "ok-or-reject"}


def refused(entries):
    """Each on its own, because the exit code counts."""
    for entry in entries:
        done = subprocess.run([tools.binaries / "hdrconvert", "inspect", CORPUS / entry["name"]],
                              capture_output=True, text=True, timeout=tools.MINUTES)
        require(done.returncode == 65 and "why:" in done.stderr,
                f"{entry['name']}: exit {done.returncode}: {done.stderr[-300:]}")
        require(not done.stdout, f"{entry['name']} is described all the same")
    return f"{len(entries)} files"


def walk(node):
    yield node
    for child in node["children"]:
        yield from walk(child)


def structure(folder, entries):
    """The tree lies within the file, and the top level covers it without gaps."""
    readable = [e for e in entries if e["expected"] != "reject"]
    reports, _ = inspect(readable, "--structure")
    nodes = 0
    for name, report in reports.items():
        size, root = report["bytes"], report["structure"]
        for node in walk(root):
            nodes += 1
            if node["name"] in ("extent", "MP entry 1", "MP entry 2") or "offset" not in node:
                continue
            require(0 <= node["offset"] and node["offset"] + node["length"] <= size,
                    f"{name}: {node['name']} at {node['offset']} +{node['length']} of {size}")
        if report["format"] in ("heif", "avif", "jpeg", "jxl"):
            end = 0
            for node in root["children"]:
                if "offset" in node:
                    require(node["offset"] == end, f"{name}: a gap from {end} to {node['offset']}")
                    end += node["length"]
            require(end == size, f"{name}: {end} of {size} bytes")
    return f"{nodes} nodes in {len(reports)} files"


def hostile(folder, entries):
    """Malformed files are described as far as they go, or refused; nothing crashes."""
    reports, _ = inspect(entries, "--structure")
    return f"{len(reports)} of {len(entries)} described"


if CORPUS.is_dir():
    for folder, entries in manifest().items():
        if folder.startswith("malformed"):
            check(f"inspect: {folder}", folder, entries)(hostile)
            continue
        check(f"inspect: {folder}", folder, entries)(agrees)
        check(f"inspect: structure of {folder}", folder, entries)(structure)
        if rejected := [e for e in entries if e["expected"] == "reject"]:
            check(f"inspect: {folder} refused", rejected)(refused)
