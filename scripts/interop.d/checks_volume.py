# SPDX-License-Identifier: Apache-2.0
"""Many inputs in one command: names, collisions, journals and shards; outputs are those of single commands."""

import hashlib
import json
import os
import shutil
import subprocess

import jsonschema
import kubernetes_validate
import numpy as np
import pyvips
import yaml

import tools
from runner import check, require
from tools import REFERENCE, ROOT, command, fresh

SMALL = ("edges-61x43.png", "edges-alpha-61x43.png", "chart.exr", "ramps.exr", "photo-alpha.exr")
INPUT_OUTPUT, TEMPORARY = 74, 75


def folder():
    """A new folder with images in two folders."""
    root = fresh("")
    for name in SMALL:
        target = root / "in" / ("a" if name.endswith("png") else "b/c") / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(REFERENCE / name, target)
    return root


def batch(root, *options, status=0, to="png"):
    """Converts the folder; returns standard error."""
    code, errors = command("-r", root / "in", "--out-dir", root / "out", "--to", to, *options, timeout=5 * tools.MINUTES)
    require(code == status, f"exit {code}, not {status}: {errors[-400:]}")
    return errors


def made(root, name="out"):
    """Digests of the files of a folder by their relative paths."""
    return {str(path.relative_to(root / name)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((root / name).rglob("*")) if path.is_file()}


def lines(journal):
    return [json.loads(line) for line in journal.read_text().splitlines()]


@check("volume: outputs are those of single commands, whatever the number of threads")
def same_outputs():
    root = folder()
    batch(root, to="avif")
    several = made(root)
    require(set(several) == {"a/edges-61x43.avif", "a/edges-alpha-61x43.avif", "b/c/chart.avif", "b/c/ramps.avif",
                             "b/c/photo-alpha.avif"}, f"{set(several)}")
    batch(root, "--force", "-j", "1", to="avif")
    require(made(root) == several, "-j 1 writes other files")
    for name, digest in several.items():
        source = next((root / "in").rglob(os.path.splitext(os.path.basename(name))[0] + ".*"))
        target = fresh(".avif")
        tools.run(tools.binaries / "hdrconvert", source, "-o", target, "--quiet")
        require(hashlib.sha256(target.read_bytes()).hexdigest() == digest, f"{name} differs")
    return f"{len(several)} files"


@check("volume: names of sizes are those that libvips reads")
def sizes():
    root = folder()
    batch(root, "--resize", "40", "--name", "{stem}-{width}x{height}.{ext}")
    found = made(root)
    for name in found:
        size = pyvips.Image.new_from_file(str(root / "out" / name))
        require(name.endswith(f"-{size.width}x{size.height}.png"), f"{name}: {size.width}x{size.height}")
    return ", ".join(sorted(found))


@check("volume: of two inputs with one output, the second fails")
def collisions():
    root = folder()
    errors = batch(root, "--name", "x.{ext}", status=1)
    require("(batch/same-output)" in errors, errors)
    require(set(made(root)) == {"x.png"}, f"{made(root)}")
    return errors.splitlines()[0]


@check("volume: a bad file does not end the others, and is counted by code")
def failures():
    root = folder()
    (root / "in" / "a" / "bad.png").write_bytes(b"\x89PNG\r\n\x1a\n truncated")
    (root / "in" / "a" / "none.jpg").write_bytes(b"")
    errors = batch(root, "--resume", root / "j", status=1)
    require(len(made(root)) == len(SMALL), f"{made(root)}")
    require("7 inputs: 5 done, 2 failed" in errors, errors)
    codes = {line["input"]: line["diagnostics"][0] for line in lines(root / "j") if line["status"] == "failed"}
    for code in codes.values():
        # A category is not printed with the error.
        require(f"1 {code}" in errors and ("/" not in code or f"({code})" in errors), f"{code}: {errors}")
    status, errors = command("journal", root / "j", "--failed")
    require(status == 0, errors)
    return f"{codes}"


@check("volume: an input that needs too much memory is tried three times, after the others")
def attempts():
    root = folder()
    shutil.copyfile(REFERENCE / "photo.exr", root / "in" / "a" / "large.exr")
    errors = batch(root, "--resume", root / "j", "--memory-limit", "3M", status=1)
    require("5 done, 1 failed" in errors, errors)
    last = lines(root / "j")[-1]
    require(last["input"] == "a/large.exr" and last["attempts"] == 3 and last["exitCode"] == TEMPORARY, f"{last}")
    return last["diagnostics"][0]


@check("volume: tag --dry-run writes nothing")
def dry_run():
    root = folder()
    status, errors = command("tag", "-r", root / "in" / "a", "--out-dir", root / "out", "--set", "clli=300:200", "-n")
    require(status == 0 and not (root / "out").exists(), errors)
    status, errors = command("-r", root / "in", "--out-dir", root / "out", "--to", "png", "-n")
    require(status == 0 and not (root / "out").exists(), errors)
    return ""


@check("volume: lines of a journal match their schema and the files")
def journal_lines():
    root = folder()
    batch(root, "--resume", root / "j", "--quiet")
    schema = json.loads((ROOT / "Documentation" / "schemas" / "journal-line.json").read_text())
    found, done = made(root), 0
    for line in lines(root / "j"):
        jsonschema.validate(line, schema)
        if line["status"] != "done":
            continue
        done += 1
        source = root / "in" / line["input"]
        require(os.path.samefile(line["file"], source), f"{line['file']}")
        require(line["inputSHA256"] == hashlib.sha256(source.read_bytes()).hexdigest(), f"{line}")
        (output,) = line["outputs"]
        require(found[os.path.relpath(output["path"], root / "out")] == output["sha256"], f"{line}")
        require(os.path.getsize(output["path"]) == output["bytes"], f"{line}")
        require(line["lightLevels"]["maxCLLNits"] >= line["lightLevels"]["maxFALLNits"], f"{line}")
    require(done == len(SMALL), f"{done} done")
    # Of a computed gain map, those of the HDR image.
    status, errors = command(root / "in" / "b" / "c" / "chart.exr", "--out-dir", root / "jpeg", "--to", "jpeg", "--quiet",
                             "--resume", root / "j2")
    require(status == 0, errors)
    first, second = [[line["lightLevels"] for line in lines(root / name) if line["status"] == "done"
                      and line["input"].endswith("chart.exr")][0] for name in ("j", "j2")]
    require(abs(first["maxCLLNits"] - second["maxCLLNits"]) <= 0.01 * first["maxCLLNits"], f"{first}, {second}")
    report = json.loads(tools.run(tools.binaries / "hdrconvert", "journal", root / "j", "--json"))
    require(report["results"][0]["done"] == done, f"{report}")
    return f"{done} inputs"


@check("volume: a run whose journal cannot be written continues later, whichever line does not fit")
def full_journal():
    root = folder()
    words = [tools.binaries / "hdrconvert", "-r", root / "in" / "a", "--out-dir", root / "out", "--to", "png", "--quiet",
             "-j", "1", "--resume", root / "j"]
    tools.run(*words)
    size = (root / "j").stat().st_size
    limit = 1 << 16  # Larger than the outputs.
    other = {"schema": "hdrconvert-journal/1", "input": "other", "file": "other", "status": "started", "outputs": [],
             "optionsKey": "", "version": "", "diagnostics": [], "attempts": 0}
    made_first = []
    for room in range(50, size, 250):
        shutil.rmtree(root / "out", ignore_errors=True)
        other["version"] = ""
        other["version"] = "x" * (limit - room - len(json.dumps(other)) - 1)
        (root / "j").write_text(json.dumps(other) + "\n")
        done = subprocess.run(["bash", "-c", f'ulimit -f {limit >> 10}; exec "$@"', "_", *words], capture_output=True, text=True)
        require(done.returncode == INPUT_OUTPUT, f"{room} bytes: exit {done.returncode}: {done.stderr}")
        require((root / "j").read_text().endswith("\n"), "a torn line")
        made_first.append(len(made(root)))
        again = subprocess.run(words, capture_output=True, text=True)
        require(again.returncode == 0 and len(made(root)) == 2, f"{room} bytes: {again.stderr}")
    require(set(made_first) >= {0, 1}, f"{made_first}")
    return f"outputs of the first runs: {made_first}"


@check("volume: what is done is not done again, and what changed is")
def resumed():
    root = folder()
    options = ("--resume", root / "j", "--quiet")
    batch(root, *options)
    times = {path: path.stat().st_mtime_ns for path in (root / "out").rglob("*.png")}
    for path in (root / "in").rglob("*.*"):
        os.utime(path)  # Other times, same bytes.
    batch(root, *options)
    require(all(path.stat().st_mtime_ns == time for path, time in times.items()), "done again")
    changed = root / "in" / "b" / "c" / "ramps.exr"
    shutil.copyfile(REFERENCE / "extremes.exr", changed)
    (root / "out" / "a" / "edges-61x43.png").write_bytes(b"torn")
    errors = batch(root, "--resume", root / "j")
    require("5 inputs: 2 done, 0 failed, 3 done before" in errors, errors)
    errors = batch(root, "--resume", root / "j", "--exposure", "1")
    require("5 inputs: 5 done, 0 failed;" in errors, errors)
    return errors.splitlines()[-1]


@check("volume: shards cover every input once, and journal proves it")
def shards():
    root = folder()
    names = fresh(".txt")
    names.write_text("".join(f"{path.relative_to(root / 'in')}\n" for path in sorted((root / "in").rglob("*.*"))))
    journals = [root / f"{part}.journal" for part in (1, 2, 3)]
    words = ["journal", *journals, "--expect", names]
    for part, journal in enumerate(journals, 1):
        environment = os.environ | {"SLURM_ARRAY_TASK_ID": str(part + 6), "SLURM_ARRAY_TASK_MIN": "7",
                                    "SLURM_ARRAY_TASK_COUNT": "3"}
        subprocess.run([tools.binaries / "hdrconvert", "-r", root / "in", "--out-dir", root / "out", "--to", "png",
                        "--quiet", "--shard", "auto", "--resume", journal], env=environment, check=True,
                       capture_output=True)
        if part == 1:
            status, errors = command("journal", journal, "--expect", names)
            require(status == 1, f"exit {status}: {errors}")
    text = tools.run(tools.binaries / "hdrconvert", *words)
    require(f"expected: {len(SMALL)} of {len(SMALL)} done" in text, text)
    require(len(made(root)) == len(SMALL), f"{made(root)}")
    shutil.copyfile(journals[0], root / "copy")
    status, errors = command(*words, root / "copy")
    require(status == 1 or not journals[0].read_text(), f"work that was done twice is not reported: {errors}")
    return text.splitlines()[0]


@check("volume: lists, NUL, and the inputs that journal --failed prints")
def lists():
    root = folder()
    odd = root / "in" / "a" / "new\nline.png"
    shutil.move(root / "in" / "a" / "edges-61x43.png", odd)
    marked = [f"{root}/in/./{path.relative_to(root / 'in')}" for path in (root / "in").rglob("*.*")]
    done = subprocess.run([tools.binaries / "hdrconvert", "--files-from", "-", "--out-dir", root / "out", "--to",
                           "png", "--quiet"], input="\0".join(marked).encode(), capture_output=True)
    require(done.returncode == 0, done.stderr.decode())
    first = made(root)
    require(len(first) == len(SMALL) and "a/new\nline.png" in first, f"{first}")
    shutil.rmtree(root / "out")
    (root / "out" / "a").mkdir(parents=True)
    (root / "out" / "a" / "new\nline.png").mkdir()  # In the way.
    batch(root, "--resume", root / "j", "--quiet", status=1)
    again = tools.run(tools.binaries / "hdrconvert", "journal", root / "j", "--failed", "-0", binary=True)
    require(again == f"{root}/in/./a/new\nline.png\0".encode(), f"{again}")
    (root / "out" / "a" / "new\nline.png").rmdir()
    done = subprocess.run([tools.binaries / "hdrconvert", "--files-from", "-", "--out-dir", root / "out", "--to",
                           "png", "--quiet"], input=again, capture_output=True)
    require(done.returncode == 0 and made(root) == first, done.stderr.decode())
    return f"{len(first)} files"


@check("volume: raw files and images of the same name become one file with a gain map")
def pairs():
    root = fresh("")
    (root / "in").mkdir(parents=True)
    raw = tools.corpus("dng/adobe-lossy-linear-eos6d.dng")
    shutil.copyfile(raw, root / "in" / "IMG_1.DNG")
    tools.run(tools.binaries / "hdrconvert", root / "in" / "IMG_1.DNG", "-o", root / "in" / "IMG_1.JPG", "--sdr",
              "--quiet")
    shutil.copyfile(REFERENCE / "chart.exr", root / "in" / "other.exr")
    batch(root, "--raw", "camera-jpeg=auto", "--resume", root / "j", "--quiet", to="jpeg")
    require(set(made(root)) == {"IMG_1.jpg", "other.jpg"}, f"{made(root)}")
    (root / "list").write_text("IMG_1.DNG\nIMG_1.JPG\nother.exr\n")
    text = tools.run(tools.binaries / "hdrconvert", "journal", root / "j", "--expect", root / "list")
    require("expected: 3 of 3 done" in text, text)
    both = pyvips.Image.uhdrload(str(root / "out" / "IMG_1.jpg"))
    require("gainmap-data" in both.get_fields(), "no gain map")
    given = pyvips.Image.new_from_file(str(root / "in" / "IMG_1.JPG"))
    require((both.width, both.height) == (given.width, given.height), f"{both.width}x{both.height}")
    error = np.abs(both.numpy().astype(int) - given.numpy().astype(int)).mean()
    require(error < 4, f"the baseline image is another one: {error:.2f}")
    return f"mean difference of the baseline image {error:.2f}"


@check("volume: other verbs take many inputs")
def verbs():
    root = folder()
    batch(root, "--quiet", to="jpeg")
    maps = [path for path in (root / "out").rglob("*.jpg")]
    for words, suffix in ((("remux", "--flavors", "iso"), "jpg"), (("tag", "--strip", "gps"), "jpg"),
                          (("extract", "--xmp"), "xmp"), (("validate", "--fix"), "jpg"),
                          (("gainmap", "flatten"), "jpg"), (("render", "--level", "standard", "--to", "png"), "png"),
                          (("gainmap", "apply", "--to", "avif"), "avif")):
        target = fresh("")
        status, errors = command(*words, *maps, "--out-dir", target)
        require(status == 0, f"{words}: exit {status}: {errors[-300:]}")
        found = {path.name for path in target.iterdir()}
        require(found == {f"{path.stem}.{suffix}" for path in maps}, f"{words}: {found}")
    target = fresh("")
    status, errors = command("gainmap", "create", *(root / "in" / "b" / "c").iterdir(), "--out-dir", target, "--to", "jpeg")
    require(status == 0 and len(list(target.iterdir())) == 3, f"gainmap create: exit {status}: {errors[-300:]}")
    return f"{len(maps)} files each"


@check("volume: a journal in use is refused")
def locked():
    import fcntl
    root = folder()
    with open(root / "j", "w") as journal:
        fcntl.flock(journal, fcntl.LOCK_EX)
        errors = batch(root, "--resume", root / "j", status=TEMPORARY)
    require("(journal/in-use)" in errors and not (root / "out").exists(), errors)
    return errors.splitlines()[0]


@check("volume: progress over all files is one object per line")
def progress():
    root = folder()
    errors = batch(root, "--quiet", "--progress", "json")
    shown = [json.loads(line) for line in errors.splitlines()]
    ended = [line["done"] for line in shown if "input" in line]
    require(ended == list(range(1, len(SMALL) + 1)), f"{shown}")
    require(shown[-1]["progress"] == 100 and shown[-1]["stage"] == "complete", f"{shown[-1]}")
    return f"{len(shown)} lines"


@check("volume: progress moves while a large file is encoded, and never decreases")
def progress_of_one():
    root = fresh("")
    (root / "in").mkdir(parents=True)
    for name in ("one", "two"):
        shutil.copyfile(REFERENCE / "photo.exr", root / "in" / f"{name}.exr")
    errors = batch(root, "--quiet", "--progress", "json", "--resize", "1500,enlarge", "--speed", "4", to="avif")
    shown = [json.loads(line) for line in errors.splitlines()]
    shares = [line["progress"] for line in shown]
    require(shares == sorted(shares) and shares[-1] == 100 and shares.count(100) == 1, f"{shares}")
    moving = [line["progress"] for line in shown if line["done"] == 0]
    require(any(0 < share < 100 for share in moving), f"{shown}")
    return f"{shares}"


@check("volume: verbs that re-encode show progress")
def progress_of_verbs():
    source, map_file, numbers = fresh(".heic"), fresh(".heic"), fresh(".json")
    tools.run(tools.binaries / "hdrconvert", "gainmap", "create", REFERENCE / "photo.exr", "-o", source, "--speed", "10",
              "--quiet")
    tools.run(tools.binaries / "hdrconvert", "gainmap", "extract", source, "-o", map_file, "--metadata", numbers, "--quiet")
    for words in (("remux", source, "--flavors", "iso"), ("gainmap", "swap", source),
                  ("gainmap", "join", "--baseline", source, "--map", map_file, "--metadata", numbers)):
        status, errors = command(*words, "-o", fresh(".avif"), "--allow-reencode", "--speed", "10", "--quiet",
                                 "--progress", "json")
        require(status == 0, f"{words}: exit {status}: {errors[-300:]}")
        shown = [json.loads(line) for line in errors.splitlines()]
        require(shown[-1] == {"progress": 100, "stage": "complete"}, f"{words}: {shown}")
        require([line["progress"] for line in shown] == sorted(line["progress"] for line in shown), f"{shown}")
    return f"{len(shown)} lines"


@check("volume: the Kubernetes manifest is valid, and its rules name every exit code")
def manifest():
    job = yaml.safe_load((ROOT / "Examples" / "fleet" / "kubernetes" / "job.yaml").read_text())
    versions = ("1.33", "1.37")
    for version in versions:
        kubernetes_validate.validate(job, version, strict=True)
    spec = job["spec"]
    actions = {code: rule["action"] for rule in spec["podFailurePolicy"]["rules"]
               for code in rule.get("onExitCodes", {}).get("values", ())}
    table = (ROOT / "Documentation" / "ExitCodes.md").read_text()
    again = {int(code): row.rsplit("|", 2)[1].strip() for row in table.splitlines() if row[:3] in ("| 1", "| 6", "| 7")
             for code in row.split("|")[1].split(",")}
    require(set(actions) == set(again), f"{set(actions) ^ set(again)}")
    # A defect may depend on the machine.
    for code, action in actions.items():
        tries = again.get(code, "yes") != "no" or code == 70
        require((action == "Count") == tries, f"{code}: {action}, but try again: {again.get(code)}")
    (container,) = spec["template"]["spec"]["containers"]
    (count,) = [entry["value"] for entry in container["env"] if entry["name"] == "JOB_COMPLETIONS"]
    require(int(count) == spec["completions"], f"JOB_COMPLETIONS is {count}")
    return f"Kubernetes {' and '.join(versions)}; {actions}"
