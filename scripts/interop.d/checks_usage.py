# SPDX-License-Identifier: Apache-2.0
"""Contradictory requests: status 64; files without the requested data: 65. With a reason and a remedy."""

import json
import re
import shlex
import subprocess

from PIL import Image

import tools
from runner import check, require
from tools import DATA_ERROR, NO_INPUT, REFERENCE, USAGE, command, convert, corpus, fresh


def refused(*arguments, expected=USAGE):
    target = fresh(".png")
    status, words = command(*arguments, *(("-o", target) if arguments[0] != "validate" else ()))
    require(status == expected, f"exit {status}: {words[-300:]}")
    require("  try: " in words, words)
    require(not target.exists(), "an output all the same")
    return words.splitlines()[0]


@check("usage: images are not re-encoded for another file name")
def other_name():
    return refused("tag", convert(REFERENCE / "photo.exr", ".avif"), "--set", "ndwt=203")


@check("usage: a file name that begins as an option does")
def dashed():
    folder = fresh(".d")
    folder.mkdir()
    (folder / "-dash.jpg").write_bytes(convert(REFERENCE / "photo.exr", ".jpg").read_bytes())
    program = tools.binaries / "hdrconvert"
    done = subprocess.run([program, "-dash.jpg", "-o", "d.png"], cwd=folder, capture_output=True, text=True)
    require(done.returncode == USAGE and "  try: ./-dash.jpg" in done.stderr, done.stderr)
    subprocess.run([program, "./-dash.jpg", "-o", "d.png", "--quiet"], cwd=folder, check=True)
    return done.stderr.splitlines()[0]


@check("usage: a request from standard input serves all inputs")
def request_of_standard_input():
    images, outputs = [REFERENCE / "containers" / f"gain-map-{kind}.jpg" for kind in ("iso", "xmp")], []
    request = fresh(".json")
    request.write_text('{"content": "sdr"}')
    for name in ("-", request):
        folder = fresh(".d")
        done = subprocess.run([tools.binaries / "hdrconvert", *images, "--out-dir", folder, "--to", "png", "--request", name],
                              input=request.read_bytes(), capture_output=True, timeout=600)
        require(done.returncode == 0, done.stderr.decode())
        outputs.append([path.read_bytes() for path in sorted(folder.iterdir())])
    require(outputs[0] == outputs[1] and len(outputs[0]) == 2, "other files")
    return f"{len(images)} inputs"


@check("usage: a missing map cannot be applied")
def no_map():
    return refused("gainmap", "apply", convert(REFERENCE / "photo.exr", ".avif"), expected=DATA_ERROR)


@check("usage: a missing map cannot be extracted, dropped, described or converted")
def no_map_to_move():
    image, lines = convert(REFERENCE / "photo.exr", ".avif"), []
    for verb in (("gainmap", "extract"), ("gainmap", "flatten"), ("gainmap", "swap", "--allow-reencode"),
                 ("remux", "--flavors", "iso")):
        target = fresh(".avif")
        status, words = command(*verb, image, "-o", target)
        require(status == DATA_ERROR and not target.exists(), f"{verb}: exit {status}: {words}")
        require(str(image) in words.splitlines()[0], words)
        remedy = f"hdrconvert gainmap create {image}" if "remux" in verb else f"hdrconvert inspect {image}"
        require("  why: " in words and "  try: " in words and remedy in words, words)
        lines.append(words.splitlines()[0])
    return lines[-1]


@check("usage: an average above its maximum")
def average():
    return refused("tag", convert(REFERENCE / "photo.exr", ".png"), "--set", "clli=100:200")


@check("usage: rules that do not apply to the file")
def no_rule():
    return refused("validate", "--standard", "png", convert(REFERENCE / "photo.exr", ".avif"))


@check("usage: joined files keep their container, and JPEG cannot store an HDR base")
def joined():
    made, base, image, record = fresh(".jpg"), fresh(".jpg"), fresh(".jpg"), fresh(".json")
    for words in (("create", REFERENCE / "photo.exr", "-o", made),
                  ("extract", made, "-o", image, "--metadata", record), ("flatten", made, "-o", base)):
        tools.run(tools.binaries / "hdrconvert", "gainmap", *words, "--quiet")
    parts = ("gainmap", "join", "--baseline", base, "--map", image, "--metadata")
    lines = [refused(*parts, record)]
    numbers = json.loads(record.read_text())
    iso = numbers["iso21496"]
    for first, second in (("alternate_hdr_headroom", "base_hdr_headroom"), ("base_hdr_headroom", "base_hdr_headroom")):
        other, target = fresh(".json"), fresh(".jpg")
        swapped = dict(iso, base_hdr_headroom=iso[first], alternate_hdr_headroom=iso[second])
        other.write_text(json.dumps(dict(numbers, iso21496=swapped, others=[])))
        status, words = command(*parts, other, "-o", target)
        if first == "alternate_hdr_headroom":
            require(status == USAGE and not target.exists(), words)
            lines.append(words.splitlines()[0])
        else:
            # Equal headrooms, which readers of XMP reject, are described by ISO metadata only.
            require(status == 0 and b"hdrgm:HDRCapacityMax" not in target.read_bytes(), words)
    return "; ".join(lines)


def run_verb(source, suffix, *arguments, verb="remux", expected=0):
    """Standard error of a command for a file of the corpus or of the project, and the path of its output."""
    target = fresh(suffix)
    status, words = command(*verb.split(), source, "-o", target, *arguments)
    require(status == expected, f"exit {status}: {words[-300:]}")
    require(target.exists() == (status == 0), "an output all the same" if status else "no output")
    return words, target


@check("usage: --exact computes Apple samples if other metadata fit them")
def exact_for_two():
    source = corpus("jpeg-uhdr/glide-android-xmp-iso.jpg")
    words, _ = run_verb(source, ".jpg", "--flavors", "iso,apple", expected=USAGE)
    require("try: add --exact" in words, words)
    words, target = run_verb(source, ".jpg", "--flavors", "iso,apple", "--exact")
    require("(gain-map/approximated)" in words, words)
    found = tools.run(tools.binaries / "hdrconvert", "inspect", target)
    require("gain map (ISO 21496-1, Apple)" in found, found)
    return words.splitlines()[-1]


@check("usage: reason why a map cannot be applied")
def no_reader():
    words = ""
    for name, reason in (("min-version99", "(gain-map/not-applicable)"), ("v0-extra-bytes", "(gain-map/not-applicable)"),
                         ("tmap-version99", "(gain-map/not-applicable)")):
        source = corpus(f"avif-gainmap-broken/libavif-{name}.avif")
        words, _ = run_verb(source, ".png", verb="gainmap apply", expected=DATA_ERROR)
        require(reason in words, words)
    return words.splitlines()[1]


@check("usage: kept alpha is not reported as dropped")
def kept_alpha():
    words, target = run_verb(corpus("avif-gainmap/libavif-nogrid-gridmap.avif"), ".avif", "--resize", "100",
                         verb="convert")
    require("alpha" not in words, words)
    image = tools.run(tools.binaries / "hdrconvert", "inspect", target)
    require("with alpha" in image, image)
    return "alpha stays, and no notice about it"


@check("usage: a JPEG image without its map is cropped and resized")
def dropped_and_sized():
    source = corpus("jpeg-uhdr/glide-android-xmp-iso.jpg")
    words, target = run_verb(source, ".jpg", "--gainmap", "drop", "--resize", "400", "-v", verb="convert")
    require("(convert/gain-map-dropped)" in words, words)
    with Image.open(target) as image:
        require(max(image.size) == 400, f"{image.size}")
        require(getattr(image, "n_frames", 1) == 1, "more than one image")
    refused, _ = run_verb(source, ".jpg", "--resize", "400", "--set", "ndwt=203", "--gainmap", "drop", verb="convert", expected=USAGE)
    require("leave out --set ndwt" in refused, refused)
    # Without other options, the coded image is copied.
    _, copied = run_verb(source, ".jpg", "--gainmap", "drop", verb="convert")
    with Image.open(source) as old, Image.open(copied) as new:
        require(new.tobytes() == old.tobytes(), "other samples")
        require(getattr(new, "n_frames", 1) == 1, "more than one image")
    return words.strip()


@check("usage: remedies match the verb and the request")
def remedies():
    source, bright = corpus("jpeg-uhdr/glide-android-xmp-iso.jpg"), corpus("avif-gainmap/libavif-seine-hdrbase.avif")
    lines = []
    for file, suffix, arguments, verb, remedy in (
            (source, ".png", (), "gainmap flatten", "--gainmap drop"),
            (bright, ".avif", ("--flavors", "apple"), "remux", "try: --flavors iso")):
        words, _ = run_verb(file, suffix, *arguments, verb=verb, expected=USAGE)
        require(remedy in words.splitlines()[-1], words)
        lines.append(words.splitlines()[-1].strip())
    # JPEG cannot store the HDR baseline image; the alternate image becomes the baseline image.
    _, swapped = run_verb(bright, ".jpg", "--flavors", "iso", "--allow-reencode", verb="remux")
    report = json.loads(tools.run(tools.binaries / "hdrconvert", "inspect", swapped, "--json"))["results"][0]
    require(report["gainMaps"][0]["isApplicable"] and Image.open(swapped).mode == "RGB", "no SDR baseline image")
    # OpenEXR specifies the meaning of its samples; a PNG without color metadata does not.
    dim = fresh(".png")
    Image.new("RGB", (32, 32), (90, 120, 90)).save(dim)
    linear = convert(dim, ".exr")
    for file, helps in ((linear, False), (dim, True)):
        words, _ = run_verb(file, ".jpg", verb="gainmap create", expected=DATA_ERROR)
        require(("--assume" in words) == helps and "(create/no-headroom)" in words, words)
    return lines[1]


@check("usage: swap reports that flavors disagree")
def disagreeing():
    data = corpus("jpeg-uhdr/glide-android-xmp-iso.jpg").read_bytes()
    old = b'hdrgm:GainMapMax="'
    start = data.index(old) + len(old)
    require(data[start:start + 1] in b"12", data[start:start + 8])
    changed = fresh(".jpg")
    changed.write_bytes(data[:start] + b"3" + data[start + 1:])
    words, _ = run_verb(changed, ".avif", "--allow-reencode", "--speed", "10", verb="gainmap swap")
    require("(gain-map/descriptions-differ)" in words, words)
    return words.splitlines()[0]


@check("usage: quality is unnecessary if nothing is encoded")
def nothing_coded():
    notice = "(recode/not-needed)"
    source = corpus("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    for words, verb, is_expected in ((("--flavors", "iso", "--allow-reencode", "-q", "50"), "remux", True),
                                 (("--flavors", "iso", "--allow-reencode"), "remux", False),
                                 (("--gainmap", "keep", "--rotate", "90", "-q", "50"), "convert", False),
                                 (("--gainmap", "keep", "--rotate", "90"), "convert", False),
                                 (("--gainmap", "keep", "--resize", "300", "-q", "50"), "convert", False)):
        told, _ = run_verb(source, ".jpg", *words, verb=verb)
        require((notice in told) == is_expected, f"{verb} {words}: {told}")
    return notice


def typed(words, folder):
    """Runs the first command of a remedy."""
    parts = shlex.split(words[words.index("hdrconvert "):])[1:]
    status, told = command(*parts, cwd=folder)
    require(status == 0, f"{parts}: exit {status}: {told[-300:]}")


@check("usage: remedies about gain maps run as printed")
def remedies():
    folder = fresh("")
    folder.mkdir()
    name = "my photo.avif"
    (folder / name).write_bytes(corpus("avif-gainmap/libavif-seine-sdr.avif").read_bytes())
    count = 0
    for words in (("gainmap", "swap", name, "-o", "a b.avif"), ("gainmap", "flatten", name, "-o", "base.heic"),
                  ("gainmap", "flatten", name, "-o", "base.jpg"), ("gainmap", "flatten", name, "-o", "base.png"),
                  ("gainmap", "extract", name, "-o", "the map.jpg")):
        status, told = command(*words, cwd=folder)
        require(status == USAGE, f"{words}: exit {status}: {told[-300:]}")
        typed(told.split("  try: ")[1].strip().split(", or -o")[0], folder)
        count += 1
    # The new base has the primaries of the old alternate; the notice names the command for BT.2020.
    status, told = command("gainmap", "swap", name, "-o", "c d.avif", "--allow-reencode", cwd=folder)
    require(status == 0 and "(color/primaries-nonconforming)" in told, told)
    typed(told.split("for BT.2020: ")[1].splitlines()[0], folder)
    tools.run(tools.binaries / "hdrconvert", "validate", folder / "c d-bt2020.avif", "--standard", "all")
    return f"{count + 1} commands"


# Other arguments that each verb needs, so that the option is the reason for rejection.
NEEDED = {"convert": "a.avif -o b.avif", "render": "a.avif -o b.png --level standard",
          "remux": "a.avif -o b.avif --flavors iso --allow-reencode", "tag": "a.avif --force --set ndwt=203", "extract": "a.avif -o b --exif",
          "inspect": "a.avif", "validate": "a.avif", "sheet": "a.avif -o b.png", "compare": "a.avif b.avif",
          "journal": "a.journal", "codecs": "", "gainmap create": "a.exr -o b.jpg", "gainmap apply": "a.avif -o b.png",
          "gainmap extract": "a.avif -o b.avif", "gainmap join": "--baseline a.avif --map m.avif -o b.avif",
          "gainmap swap": "a.avif -o b.avif --allow-reencode", "gainmap flatten": "a.avif -o b.avif"}
# The value of these is a name, and its error does not contain the name of the option.
NAMES = {"--output", "--to", "--display", "--out-dir", "--name", "--resume"}


def verbs(*group):
    """Verbs of a group of commands."""
    _, listed = tools.run(tools.binaries / "hdrconvert", "help", *group, "--all").split("SUBCOMMANDS:\n")
    return {" ".join((*group, name)) for name in re.findall("^  ([a-z]+)", listed, re.M)}


@check("usage: every option with a value accepts a negative number as its value")
def below_zero():
    known = verbs() - {"gainmap"} | verbs("gainmap")
    require(known == set(NEEDED), f"explained and not run here, or the other way: {known ^ set(NEEDED)}")
    folder, names, count = fresh(".d"), set(), 0
    folder.mkdir()
    for verb, needed in NEEDED.items():
        words = verb.split()
        explained = tools.run(tools.binaries / "hdrconvert", "help", *words, "--all")
        options = re.findall(r"^  (?:-\w, )?(--[\w-]+)(?:, --[\w-]+)? <", explained, re.M)
        lines = re.findall(r"^  -(?:\S|\s(?! ))*<", explained, re.M)
        require(len(options) == len(lines), f"{verb}: options {options} in {lines}")
        for option in options:
            if option in NAMES:
                names.add(option)
                continue
            rest = needed.split()
            if option in rest:
                del rest[rest.index(option):rest.index(option) + 2]
            if option == "--files-from":
                # A list excludes --output, and validate writes with --fix only.
                rest = re.sub(r"-o \S+", "", " ".join(rest)).split() + ["--out-dir", "out"]
                rest += ["--fix"] if verb == "validate" else []
            status, told = command(*words, *rest, option, "-1", cwd=folder)
            what = f"{verb} {option} -1: exit {status}: {told}"
            # If the option accepts the value, the missing file is the only remaining error.
            first = told.splitlines()[0]
            require(status == NO_INPUT or status == USAGE and option in first, what)
            require("Missing" not in told and "Unknown" not in told, what)
            count += 1
    require(names == NAMES, f"no option is called {NAMES - names}")
    return f"{count} options"


def described(path):
    """The report of inspect about a file."""
    return json.loads(tools.run(tools.binaries / "hdrconvert", "inspect", path, "--json"))["results"][0]


@check("usage: metadata are left out of files that keep or get a gain map")
def left_out():
    apart, photo = "exif,xmp,clli,mdcv,cclv,ndwt,reve,amve", corpus("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    heif = convert(photo, ".heic", "--gainmap", "keep", "--resize", "300")
    for source, suffix, options in (
            (photo, ".jpg", ()), (photo, ".jpg", ("--resize", "300")), (photo, ".avif", ("--gainmap", "keep", "--resize", "300")),
            (heif, ".heic", ()), (heif, ".heic", ("--resize", "200")), (heif, ".jpg", ()),
            (convert(photo, ".avif", "--resize", "300"), ".jpg", ())):
        before, what = described(source), f"{source.name} {suffix} {options}"
        words, target = run_verb(source, suffix, "--strip", apart, *options, verb="convert")
        after = described(target)
        require(after["gainMaps"] and after["gainMaps"][0]["isApplicable"], f"{what}: no gain map: {words}")
        require("exif" in before and "exif" not in after, f"{what}: Exif")
        require(not after["images"][0]["lightMetadata"], f"{what}: {after['images'][0]['lightMetadata']}")
        require(b"photoshop:" not in target.read_bytes(), f"{what}: XMP")
    # A profile is left out where readers assume the same color without it.
    _, target = run_verb(photo, ".jpg", "--strip", "icc", verb="convert")
    require(b"ICC_PROFILE" not in target.read_bytes()[:4096] and described(target)["gainMaps"], "profile of an sRGB image")
    words, _ = run_verb(corpus("jpeg-uhdr/glide-android-xmp-iso.jpg"), ".jpg", "--strip", "icc", verb="convert", expected=USAGE)
    require("leave out --strip icc" in words, words)
    words, _ = run_verb(photo, ".jpg", "--strip", "cicp", verb="convert", expected=USAGE)
    require("--strip cicp requires the verb tag" in words, words)
    return words.splitlines()[0]


@check("usage: the time limit is the cause where it ends an encoder")
def time_limit():
    source = fresh(".png")
    Image.effect_noise((3000, 2000), 80).convert("RGB").save(source)
    target = fresh(".avif")
    status, words = command(source, "-o", target, "--speed", "0", "--time-limit", "3")
    require(status == DATA_ERROR and "it takes longer than 3 seconds" in words, f"exit {status}: {words}")
    return words.splitlines()[1].strip()


@check("usage: a web set has every size and format once, with its HTML")
def web_set():
    folder, photo = fresh(".d"), corpus("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    text = tools.run(tools.binaries / "hdrconvert", photo, "--sizes", "160,320,4000,5000", "--to", "avif,jpg", "--out-dir", folder,
                     "--html", "--quiet")
    with Image.open(photo) as image:
        longest = max(image.size)
    names = {f"{photo.stem}-{size}.{suffix}" for size in (160, 320, longest) for suffix in ("avif", "jpg")}
    require({path.name for path in folder.iterdir()} == names, f"{sorted(path.name for path in folder.iterdir())}")
    for name in names:
        size = described(folder / name)["images"][0]
        require(max(size["displayedWidth"], size["displayedHeight"]) == int(name.split("-")[-1].split(".")[0]), name)
    addresses = re.findall(r"([^\s\"]+) (\d+)w", text)
    require({address for address, _ in addresses} == names, text)
    for address, width in addresses:
        require(described(folder / address)["images"][0]["displayedWidth"] == int(width), f"{address} {width}w")
    require(text.index("image/avif") < text.index("<img") and f'src="{photo.stem}-{longest}.jpg"' in text, text)
    return f"{len(names)} files"


@check("usage: a dry run lists what the run does not copy")
def foreseen():
    count, starts = 0, ("not copied: ", "dropped: ")
    for source, suffix, options in (
            ("jpeg-uhdr/lrc14-1-xmp-iso.jpg", ".png", ()), ("jpeg-uhdr/lrc14-1-xmp-iso.jpg", ".heic", ("--gainmap", "keep")),
            ("jpeg-uhdr/lrc14-1-xmp-iso.jpg", ".jpg", ("--resize", "300")), ("heic-hdr/canon-hdrpq.hif", ".jpg", ("--resize", "300")),
            ("heic-hdr/sony-33mp-10b-o1.hif", ".avif", ("--resize", "300")), ("jpeg-uhdr/pixel6pro-xmp-sky.jpg", ".avif", ("--resize", "100")),
            ("heic-apple-tmap/iphone-24mp-tmap-mattes.heic", ".avif", ("--resize", "100"))):
        words, _ = run_verb(corpus(source), suffix, *options, verb="convert")
        wanted = {re.sub(r" \([a-z0-9/-]+\)$", "", line.split(": ", 2)[2]) for line in words.splitlines()
                  if any(part in line for part in starts)}
        listed = tools.run(tools.binaries / "hdrconvert", corpus(source), "-o", fresh(suffix), *options, "--dry-run")
        told = {line.removeprefix("  note: ") for line in listed.splitlines() if any(f"  note: {part}" in line for part in starts)}
        require(wanted == told, f"{source} {suffix}: {wanted ^ told}")
        count += len(wanted)
    require(count >= 3, f"{count} notices")
    return f"{count} notices"


@check("usage: inspect measures the image with its gain map")
def measured():
    photo = corpus("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    report = json.loads(tools.run(tools.binaries / "hdrconvert", "inspect", photo, "--measure", "--json"))["results"][0]
    hdr, sdr = report["lightLevels"]["maxCLLNits"], report["baselineLightLevels"]["maxCLLNits"]
    whole = described(convert(photo, ".exr", "--gainmap", "apply"))
    require(hdr > 1.5 * sdr and sdr <= 204, f"{hdr}, {sdr}")
    return f"{hdr:.0f} and {sdr:.0f} cd/m², {whole['format']}"


@check("usage: the color volume is the same with code points and with a profile")
def volumes():
    found = []
    for tags in ("cicp", "icc", "both"):
        image = described(convert(REFERENCE / "photo.exr", ".avif", "--set", f"color-tags={tags},cclv=auto"))["images"][0]
        found.append(image["lightMetadata"]["contentColorVolume"])
    require(found[0] == found[1] == found[2], f"{found}")
    return f"up to {found[0]['maximumLuminanceNits']:.0f} cd/m²"


@check("usage: folders that are files, and options for raw files in mixed folders")
def mixed():
    file, folder = fresh(".txt"), fresh(".d")
    file.write_text("a file")
    status, words = command(REFERENCE / "photo.exr", "--out-dir", file, "--to", "png")
    require(status != 0 and f"{file} is a file, not a folder" in words, words)
    status, words = command(REFERENCE / "photo.exr", REFERENCE / "containers" / "bayer.dng", "--out-dir", folder, "--to", "png",
                            "--raw", "exposure=1")
    require(status == 0 and len(list(folder.iterdir())) == 2, words)
    status, words = command(REFERENCE / "photo.exr", REFERENCE / "ramps.exr", "--out-dir", folder, "--to", "png", "--raw", "tint=1")
    require(status == USAGE and "--raw is for raw files only" in words, words)
    # The image of the camera is found next to the raw file, which is the only input.
    pair = fresh(".d")
    pair.mkdir()
    (pair / "a.dng").write_bytes((REFERENCE / "containers" / "bayer.dng").read_bytes())
    status, words = command(pair / "a.dng", "-o", pair / "b.jpg", "--raw", "camera-jpeg=auto")
    require(status == NO_INPUT and "finds no JPEG" in words, words)
    return words.splitlines()[0]


@check("usage: an option that only a sentence of the help mentions is unknown")
def mentioned():
    status, words = command("convert", REFERENCE / "photo.exr", "-o", fresh(".jpg"), "--level", "standard")
    require(status == USAGE and "unknown option '--level'" in words and "option of render" in words, words)
    return words.splitlines()[0]
