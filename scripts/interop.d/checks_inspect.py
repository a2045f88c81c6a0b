# SPDX-License-Identifier: Apache-2.0
"""Compares `inspect --json` of real files with the manifest of the corpus."""

import json
import re
import struct
import subprocess

import tools
from runner import check, require
from tools import CORPUS, fresh, run

BATCH = 64
# MiB of a box that is never read.
PADDING = 50


def manifest():
    """Available files of the corpus, by folder."""
    folders = {}
    for entry in json.loads((CORPUS / "MANIFEST.json").read_text())["files"]:
        if (CORPUS / entry["name"]).exists():
            folders.setdefault(entry["name"].split("/")[0], []).append(entry)
    return folders


def inspect(entries, *options):
    """Reports by name, and standard error for files without a report."""
    reports, messages = {}, ""
    for start in range(0, len(entries), BATCH):
        # The first file twice, so that a single file is also an array.
        part = entries[start:start + BATCH] + entries[start:start + 1]
        paths = [str(CORPUS / entry["name"]) for entry in part]
        done = subprocess.run(
            [tools.binaries / "hdrconvert", "inspect", "--json", *options, *paths],
            capture_output=True, timeout=tools.MINUTES)
        require(done.returncode in (0, 1), f"exit {done.returncode}: {done.stderr[-300:]}")
        for report in json.loads(done.stdout)["results"]:
            reports[report["input"][len(str(CORPUS)) + 1:]] = report
        messages += done.stderr.decode(errors="replace")
    return reports, messages


# The manifest contains ExifTool's values from maker notes there; the directories differ.
OTHER_SIZE = {"raw/sony-a330-cut100k.arw": (3880, 2600)}


def require_size(entry, image):
    if not entry["dimensions"]:
        return
    width, height = map(int, entry["dimensions"].split("x"))
    allowed = {(width, height), OTHER_SIZE.get(entry["name"])}
    layout = image["layout"]
    sizes = {(layout["width"], layout["height"]), (image["displayedWidth"], image["displayedHeight"])}
    require(sizes & allowed, f"{sizes}, not {width}x{height}")


def require_depth(entry, image):
    words = entry["bit_depth"].split()
    names = {"half": (16, "float"), "float": (32, "float")}
    if not words or words == ["rgbe"]:
        return
    depth, kind = names.get(words[0], (words[0], words[1] if words[1:] else None))
    layout = image["layout"]
    require(layout["bitsPerSample"] == int(depth), f"{layout['bitsPerSample']} bits, not {depth}")
    require(kind is None or layout["sampleType"] == kind, f"{layout['sampleType']}, not {kind}")


CODES = {"unspec": 2, "bt709": 1, "bt2020": 9, "p3": 12, "srgb": 13, "pq": 16, "hlg": 18,
         "identity": 0, "bt601": 6, "bt2020ncl": 9, "bt2020cl": 10, "chroma-ncl": 12, "linear": 8}


def code_points(text):
    *codes, extent = text.split("/")
    return "/".join(str(CODES[code]) for code in codes) + "/" + extent


def require_color(entry, image):
    """Every carrier in the manifest is present with the same content."""
    carriers = (image.get("color") or {}).get("colorCarriers", [])

    def some(test, what):
        require(any(map(test, carriers)), f"no {what} in {carriers}")

    def profile(name):
        some(lambda c: (c.get("iccProfile") or {}).get("description", "").strip() == name.strip("\0 "),
             f"profile '{name}'")  # Some descriptions include their terminating zero.

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
        some(lambda c: c["description"] == f"exponent {int(match[1]) / 1e5}", "gAMA")
    if text.startswith("chromaticities"):
        points = [float(number) for number in re.findall(r"\d+\.\d+", text)]
        some(lambda c: c["name"] == "chromaticities" and all(
            abs(float(number) - point) < 5e-5
            for number, point in zip(re.findall(r"\d+\.\d+", c["description"]), points)), "points")
    if text in ("Linear Raw", "Color Filter Array"):
        require(image.get("interpretation") == text, f"{image.get('interpretation')}")
    details = entry.get("details") or {}
    damaged = " ".join(details.get("warn", [])) if "cLLI" in details else ""
    for key, light in (("clli", "MaxCLL"), ("cLLI", "MaxCLL")):
        if key in details and key not in damaged:
            numbers = details[key] if isinstance(details[key], list) else \
                [float(n) for n in re.findall(r"=([\d.]+)", details[key])]
            messages = image["lightMetadata"].get("contentLightLevel") or {}
            require([messages.get("maxCLLNits"), messages.get("maxFALLNits")] == numbers, f"{light} {messages}")


def agrees(folder, entries):
    readable = [e for e in entries if e["expected"] != "reject"]
    reports, messages = inspect(readable)
    for entry in readable:
        name = entry["name"]
        if name not in reports:
            require(entry["expected"] in MAY_REFUSE, f"{name} is refused: {messages[-400:]}")
            continue
        report = reports[name]
        require(report["bytes"] == entry["size"], f"{name}: {report['bytes']} bytes")
        image = report["images"][0]
        for test, value in ((require_size, image), (require_depth, image),
                            (require_color, image), (require_gain_map, report)):
            try:
                test(entry, value)
            except Exception as error:
                require(False, f"{name}: {test.__name__}: {error!r}")
        if "exif" in entry and isinstance(entry["orientation_exif"], int):
            told = (report.get("exif") or {}).get("orientation")
            require(told in (None, entry["orientation_exif"]), f"{name}: orientation {told}")
        maker = entry["producer"].split(" / ")[0]
        model = (report.get("exif") or {}).get("model")
        require(not (model and maker) or model.split()[0] in entry["producer"],
                f"{name}: {model}, not {entry['producer']}")
    return f"{len(reports)} of {len(entries)} files"


def close(ours, theirs):
    """Equal within the seven digits of the manifest."""
    return abs(ours - theirs) <= 2e-6 * max(1, abs(theirs))


def require_channels(spelling, expected):
    """Lists of the manifest are per channel; a single value applies to all."""
    for key, values in expected.items():
        got = [channel[key] for channel in spelling["channels"]]
        values = values * len(got) if len(values) == 1 else values
        got = got * len(values) if len(got) == 1 else got
        require(len(got) == len(values) and all(map(close, got, values)), f"{key} {got}, not {values}")


def require_iso(spelling, iso):
    require_channels(spelling, {
        "minimumGainStops": iso["min"], "maximumGainStops": iso["max"], "gamma": iso["gamma"],
        "baselineOffset": iso["base_offset"], "alternateOffset": iso["alt_offset"]})
    require(close(spelling["baselineHeadroomStops"], iso["base_headroom_log2"])
            and close(spelling["alternateHeadroomStops"], iso["alt_headroom_log2"]), "ISO headrooms")
    require(spelling["usesBaselineColorSpace"] == iso["use_base_cg"], "color space of the gain")


def require_xmp(spelling, xmp):
    """Adobe's defaults replace missing values; an HDR base exchanges base and alternate."""
    def numbers(name, default):
        value = xmp.get(name, default)
        return [float(v) for v in (value if isinstance(value, list) else [value])]

    sdr, hdr = numbers("OffsetSDR", 1 / 64), numbers("OffsetHDR", 1 / 64)
    low, high = numbers("HDRCapacityMin", 0)[0], numbers("HDRCapacityMax", 1)[0]
    swapped = str(xmp.get("BaseRenditionIsHDR", "False")).lower() == "true"
    require_channels(spelling, {
        "minimumGainStops": numbers("GainMapMin", 0), "maximumGainStops": numbers("GainMapMax", 1),
        "gamma": numbers("Gamma", 1), "baselineOffset": hdr if swapped else sdr,
        "alternateOffset": sdr if swapped else hdr})
    ours = (spelling["baselineHeadroomStops"], spelling["alternateHeadroomStops"])
    require(all(map(close, ours, (high, low) if swapped else (low, high))), f"XMP headrooms {ours}")


def maker_note_stops(note):
    """Apple's rule for the two tags."""
    gain = note.get("HDRGain", 0)
    if note["HDRHeadroom"] < 1:
        return max(-20 * gain + 1.8 if gain <= 0.01 else -0.101 * gain + 1.601, 0)
    return max(-70 * gain + 3 if gain <= 0.01 else -0.303 * gain + 2.303, 0)


def require_apple(spelling, xmp, note):
    if "HDRGainMapHeadroom" in xmp:
        ratio = float(xmp["HDRGainMapHeadroom"])
        require(close(2 ** spelling["alternateHeadroomStops"], ratio), f"Apple headroom, not {ratio}")
    else:
        stops = maker_note_stops(note)
        require(close(spelling["alternateHeadroomStops"], stops), f"Apple headroom, not {stops} stops")
    sources = {number["source"] for number in spelling["numbers"]}
    require(("xmp" if "HDRGainMapHeadroom" in xmp else "maker-note") in sources, f"origins {sources}")


def described(entry):
    """Descriptions of the manifest that a reader should find: flavor and a test."""
    map, note = entry["gain_map"], entry["apple_makernote"]
    for tone in map.get("tmap", []):
        if tone.get("iso"):
            yield "iso", lambda spelling, iso=tone["iso"]: require_iso(spelling, iso)
    for auxiliary in map.get("aux_gainmap", []):
        xmp = auxiliary.get("xmp") or {}
        if "apple" in auxiliary["auxC"] and ("HDRGainMapHeadroom" in xmp or "HDRHeadroom" in note):
            yield "apple", lambda spelling, xmp=xmp: require_apple(spelling, xmp, note)
        elif "GainMapMax" in xmp:
            yield "xmp", lambda spelling, xmp=xmp: require_xmp(spelling, xmp)
    for image in map.get("images", []):
        if (iso := image.get("iso21496")) and "max" in iso:
            yield "iso", lambda spelling, iso=iso: require_iso(spelling, iso)
        xmp = image.get("xmp") or {}
        if "GainMapMax" in xmp:
            yield "xmp", lambda spelling, xmp=xmp: require_xmp(spelling, xmp)
        if "HDRGainMapVersion" in xmp and ("HDRGainMapHeadroom" in xmp or "HDRHeadroom" in note):
            yield "apple", lambda spelling, xmp=xmp: require_apple(spelling, xmp, note)


def require_gain_map(entry, report):
    """Flavors and values of applicable gain maps; files with stale hints do not have one."""
    maps = [m for m in report["gainMaps"] if m["isApplicable"]]
    if entry["expected"] in ("ok-sdr", "ok-base", "reject-or-base"):
        require(not maps, f"a map is applicable: {maps}")
        return
    expected = list(described(entry))
    spellings = {s["flavor"]: s for m in maps for s in m["gainMapCarriers"] if "error" not in s}
    require(set(spellings) == {flavor for flavor, _ in expected},
            f"flavors {set(spellings)}, not {[flavor for flavor, _ in expected]}")
    for flavor, test in expected:
        test(spellings[flavor])
    require(not expected or report["isHighDynamicRange"], "not of high dynamic range")


MAY_REFUSE = {"reject-or-base", "meta-or-unsupported", "ok-or-unsupported", "ok-or-reject"}


def refused(entries):
    """Each file separately, because the exit code is checked."""
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
    """The tree is within the file, and its top level covers the file without gaps."""
    readable = [e for e in entries if e["expected"] != "reject"]
    reports, _ = inspect(readable, "--structure")
    nodes = 0
    for name, report in reports.items():
        size, root = report["bytes"], report["structure"]
        for node in walk(root):
            nodes += 1
            if node["name"] in ("extent", "MP entry 1", "MP entry 2") or "byteOffset" not in node:
                continue
            require(0 <= node["byteOffset"] and node["byteOffset"] + node["bytes"] <= size,
                    f"{name}: {node['name']} at {node['byteOffset']} +{node['bytes']} of {size}")
        if report["format"] in ("heif", "avif", "jpeg", "jxl"):
            end = 0
            for node in root["children"]:
                if "byteOffset" in node:
                    require(node["byteOffset"] == end, f"{name}: a gap from {end} to {node['byteOffset']}")
                    end += node["bytes"]
            require(end == size, f"{name}: {end} of {size} bytes")
    return f"{nodes} nodes in {len(reports)} files"


def hostile(folder, entries):
    """Malformed files are described as far as possible or rejected, without a crash."""
    reports, _ = inspect(entries, "--structure")
    return f"{len(reports)} of {len(entries)} described"


def cost(name):
    """A large file does not take more reads or memory than a small one."""
    source, padded = tools.corpus(name), fresh(".heic")
    size = PADDING << 20
    padded.write_bytes(source.read_bytes() + struct.pack(">I4s", size, b"free") + bytes(size - 8))
    (read, resident), (more_read, more_resident) = (
        tools.cost(tools.binaries / "hdrconvert", "inspect", path) for path in (source, padded))
    require(more_read < read + (64 << 10), f"{more_read} bytes read, {read} of the file alone")
    require(more_resident < resident + 4 * tools.BLOCK, f"{more_resident} bytes resident, not {resident}")
    return f"{more_read >> 10} KiB read of {padded.stat().st_size >> 20} MiB, {more_resident >> 20} MiB resident"


if CORPUS.is_dir():
    check("inspect: a HEIC file of 50 MB", "heic-apple/iphone12pro-16-7-portrait.heic")(cost)
    for folder, entries in manifest().items():
        if folder.startswith("malformed"):
            check(f"inspect: {folder}", folder, entries)(hostile)
            continue
        check(f"inspect: {folder}", folder, entries)(agrees)
        check(f"inspect: structure of {folder}", folder, entries)(structure)
        if rejected := [e for e in entries if e["expected"] == "reject"]:
            check(f"inspect: {folder} refused", rejected)(refused)
