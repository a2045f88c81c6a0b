# SPDX-License-Identifier: Apache-2.0
"""Isolation: outputs, notices and statuses are those of a command without it, and a library in the hands of a file is
confined."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import tools
from checks_robustness import SOURCES, converted
from runner import Skip, check, require
from tools import CORPUS, DATA_ERROR, MINUTES, REFERENCE, command, convert, corpus, fresh

LARGEST = 3 << 20
OUT_OF_MEMORY = 75


def both(path):
    """Converts a file with and without isolation; returns the status."""
    results = []
    for options in ([], ["--no-isolation"]):
        target = fresh(".tiff")
        status, text = command(path, "-o", target, *options, timeout=5 * MINUTES)
        # Without lines that libraries print, which isolation drops.
        text = "\n".join(line for line in text.splitlines() if line.startswith(("hdrconvert:", "  ")))
        results.append((status, text.replace(str(target), "OUT").replace(" --no-isolation", ""),
                        target.read_bytes() if target.exists() else None))
        target.unlink(missing_ok=True)
    for isolated, direct, name in zip(*results, ("status", "messages", "samples")):
        require(direct == isolated, f"{path.name}: other {name}:\n{isolated!r:.2000}\n{direct!r:.2000}")
    return results[0][0]


def source(make):
    both(make())


JPEG_XL = {
    "chart.jxl": converted("chart.exr", ".jxl", "--lossless"),
    "photo.jxl": converted("photo.exr", ".jxl"),
    "edges-alpha.jxl": converted("edges-alpha-61x43.png", ".jxl"),
}
for name, make in (SOURCES | JPEG_XL).items():
    check(f"isolation: {name}", make)(source)


def suffix(ending):
    if not CORPUS.is_dir():
        raise Skip("no corpus (HDR_CORPUS)")
    paths = [path for path in sorted(CORPUS.rglob(f"*.{ending}")) if path.stat().st_size < LARGEST]
    statuses = [both(path) for path in paths]
    return f"{len(paths)} files, {statuses.count(0)} decoded"


for ending in ("avif", "heic", "heif", "hif", "jpg", "png", "tif", "exr", "dng", "raf", "cr2", "nef", "jxl", "bin", "fuzz"):
    check(f"isolation: corpus of .{ending}", ending)(suffix)


@check("isolation: a time limit holds for the whole job, isolated or not")
def time_limit():
    path = SOURCES["edges-61x43.png"]()
    for words in ([], ["--no-isolation"]):
        status, text = command(path, "-o", fresh(".tiff"), "--time-limit", "0.000001", *words)
        require(status == DATA_ERROR, f"exit {status}")
        require("(budget/time-exceeded)" in text, text)


@check("isolation: every verb has the outputs of one without it")
def verbs():
    image, folder = convert(REFERENCE / "photo.exr", ".png"), fresh("")
    map = convert(REFERENCE / "photo.exr", ".jpg")
    folder.mkdir()
    for name in ("a.png", "b.png"):
        shutil.copyfile(image, folder / name)
    for suffix, words in ((".tiff", ["convert", image, "-o", "OUT"]), (".png", ["render", image, "-o", "OUT", "--level", "standard"]),
                          ("", ["compare", image, image]), (".png", ["sheet", image, map, "-o", "OUT"]),
                          ("", ["inspect", image, map, "missing.png"]), ("", ["inspect", "--measure", "--json", image, map]),
                          ("", ["validate", image, map, "missing.png"]), ("", ["validate", "--json", "-r", folder]),
                          (".jpg", ["tag", map, "--set", "orientation=6", "-o", "OUT"]), (".jpg", ["remux", map, "--rotate", "90", "-o", "OUT"]),
                          (".jpg", ["gainmap", "create", image, "-o", "OUT"]), (".png", ["gainmap", "apply", map, "-o", "OUT"]),
                          (".png", ["gainmap", "extract", map, "-o", "OUT"]), (".jpg", ["gainmap", "flatten", map, "-o", "OUT"]),
                          (".jpg", ["gainmap", "swap", map, "-o", "OUT", "--allow-reencode"]),
                          ("/", ["convert", folder / "a.png", folder / "b.png", "--out-dir", "OUT", "--to", "tiff"]),
                          ("/", ["convert", "-r", folder, "--out-dir", "OUT", "--to", "avif", "--json"])):
        results = []
        for options in ([], ["--no-isolation"]):
            out = fresh(suffix.replace("/", ""))
            if suffix == "/":
                out.mkdir()
            done = subprocess.run([tools.binaries / "hdrconvert", *(str(out) if word == "OUT" else str(word) for word in words), *options],
                                  capture_output=True, text=True, timeout=MINUTES)
            files = sorted(out.iterdir()) if out.is_dir() else [out] * out.exists()
            messages = re.sub(r"[0-9.]+ s$", "", done.stderr.replace(str(out), "OUT").replace(" --no-isolation", ""), flags=re.MULTILINE)
            results.append((done.returncode, done.stdout.replace(str(out), "OUT"), messages, [file.read_bytes() for file in files]))
        for isolated, direct, name in zip(*results, ("status", "results", "messages", "files")):
            require(isolated == direct, f"{words}: other {name}:\n{isolated!r:.2000}\n{direct!r:.2000}")


@check("isolation: the next file is read after one that fails")
def next_file():
    path = SOURCES["edges-61x43.png"]()
    damaged = fresh(".png")
    data = path.read_bytes()
    damaged.write_bytes(data[: len(data) // 2])
    status, text = command("validate", damaged, path)
    require(status == 1 and damaged.name in text, f"exit {status}: {text}")


# Libraries of the system, of Swift, and those that inflate metadata.
FRONT = r"(ld-linux.*|linux-vdso|libc|libm|libgcc_s|libstdc\+\+|libz|libbrotli(common|dec)|lib(_)?(swift|Foundation|Blocks|dispatch).*)\.so.*"


@check("isolation: the command is not linked to image libraries, and starts the other program for samples only")
def two_programs():
    if sys.platform != "linux":
        raise Skip("needs ldd")
    binary = tools.binaries / "hdrconvert"
    linked = re.findall(r"^\s*(?:\S*/)?(\S+)", subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout, re.M)
    others = [name for name in linked if not re.fullmatch(FRONT, name)]
    require(not others, f"linked to {others}")
    folder, image = fresh(""), convert(REFERENCE / "photo.exr", ".avif")
    (folder / "bin").mkdir(parents=True)
    shutil.copy(binary, folder / "bin")

    def alone(*words):
        environment = dict(os.environ, LD_LIBRARY_PATH=str(tools.binaries))
        done = subprocess.run([folder / "bin/hdrconvert", *map(str, words)], capture_output=True, text=True, timeout=MINUTES, env=environment)
        return done.returncode, done.stdout + done.stderr

    for words in (["--version"], ["inspect", image], ["help", "tag"]):
        status, text = alone(*words)
        require(status == 0, f"{words[0]}: exit {status}: {text}")
    for words in (["convert", image, "-o", folder / "a.png"], ["codecs"], ["--no-isolation", image, "-o", folder / "a.png"]):
        status, text = alone(*words)
        require(status == 74 and "(worker/missing)" in text, f"{words[0]}: exit {status}: {text}")
    (folder / "libexec/hdrconvert").mkdir(parents=True)
    shutil.copy(tools.binaries / "hdrconvert-worker", folder / "libexec/hdrconvert")
    status, text = alone("convert", image, "-o", folder / "a.png")
    require(status == 0 and (folder / "a.png").exists(), f"exit {status}: {text}")


@check("isolation: --time-limit includes the start of the worker")
def worker_that_does_not_start():
    folder = fresh("")
    (folder / "bin").mkdir(parents=True)
    shutil.copy(tools.binaries / "hdrconvert", folder / "bin")
    stuck = folder / "bin/hdrconvert-worker"
    stuck.write_text("#!/bin/sh\nexec sleep 600\n")
    stuck.chmod(0o755)
    done = subprocess.run([folder / "bin/hdrconvert", REFERENCE / "chart.exr", "-o", folder / "a.png", "--time-limit", "1"],
                          capture_output=True, text=True, timeout=MINUTES,
                          env=dict(os.environ, LD_LIBRARY_PATH=str(tools.binaries)))
    require(done.returncode == DATA_ERROR and "(worker/timed-out)" in done.stderr, f"exit {done.returncode}: {done.stderr}")
    require(not (folder / "a.png").exists(), "an output")


@check("isolation: a server that is killed is started again")
def killed_server():
    if sys.platform != "linux":
        raise Skip("needs /proc")
    folder, out = fresh(""), fresh("")
    folder.mkdir()
    image = convert(REFERENCE / "photo.exr", ".png")
    for index in range(40):
        shutil.copyfile(image, folder / f"{index}.png")
    running = subprocess.Popen([tools.binaries / "hdrconvert", "-r", folder, "--out-dir", out, "--to", "png", "--jobs", "4"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while running.poll() is None and not (out.is_dir() and len(list(out.glob("[!.]*.png"))) > 3):
        time.sleep(0.01)
    servers = pathlib.Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
    os.kill(int(servers[0]), signal.SIGKILL)
    text = running.communicate(timeout=MINUTES)[1]
    done = len(list(out.iterdir()))
    require(done >= 36 and running.returncode == (0 if done == 40 else 1), f"{done} of 40, exit {running.returncode}: {text}")
    require(text.count("(worker/killed)") == 40 - done, text)


def hostile_library():
    if sys.platform != "linux" or not (compiler := shutil.which("clang") or shutil.which("cc")):
        raise Skip("needs Linux and a C compiler")
    library = fresh("") / "libjpeg.so.hostile"
    library.parent.mkdir()
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, pathlib.Path(__file__).with_name("hostile_library.c"), "-ldl"],
                   check=True)
    return library


def hostile(action, *words, message=""):
    """Converts a JPEG file by a library that does something else; returns status, messages and the output."""
    image, out, victim = convert(REFERENCE / "photo.exr", ".jpg"), fresh(".png"), fresh("")
    victim.write_text("kept")
    environment = dict(os.environ, LD_PRELOAD=str(hostile_library()), HOSTILE=action, HOSTILE_FILE=str(victim) + "x" * (action == "create"),
                       HOSTILE_MESSAGE=message.replace("OUT", str(out)))
    done = subprocess.run([tools.binaries / "hdrconvert", image, "-o", out, *words], env=environment, capture_output=True,
                          text=True, errors="replace", timeout=MINUTES)
    if "--no-isolation" not in words:
        require(victim.exists() and not pathlib.Path(f"{victim}x").exists(), "a file of the user changed")
        require(not list(out.parent.glob(f".*{out.name}*")), "a partial output is left")
    return done.returncode, done.stderr, out.read_bytes() if out.exists() else None


# Refused: the library continues, and the output is complete.
REFUSED = ("open", "create", "remove", "internet", "socket", "fork", "execute", "trace", "signal", "limit", "code", "descriptors")


def refused(action):
    expected = hostile("nothing")
    require(expected[0] == 0 and expected[2], f"exit {expected[0]}: {expected[1]}")
    require(hostile(action) == expected, f"{action} changed the result: {hostile(action)[:2]}")
    # The same library can do it outside; it ends itself then.
    if action not in ("signal", "descriptors"):
        status, text, _ = hostile(action, "--no-isolation")
        require(status != 0 or action in ("fork", "execute"), f"{action}: exit {status}: {text}")


for action in REFUSED:
    check(f"isolation: a library cannot {action}", action)(refused)


def ended(action, words, status, code):
    found, text, output = hostile(action, *words)
    require(found == status and f"({code})" in text, f"exit {found}: {text[-600:]}")
    require(code != "worker/crashed" or "crashed in libjpeg (signal" in text, text)
    require(output is None, "an output")


for action, words, status, code in (
        ("crash", [], DATA_ERROR, "worker/crashed"), ("abort", [], DATA_ERROR, "worker/crashed"),
        ("exit", [], DATA_ERROR, "worker/reply-invalid"), ("nonsense", [], DATA_ERROR, "worker/reply-invalid"),
        ("spin", ["--time-limit", "2"], DATA_ERROR, "worker/timed-out"), ("sleep", ["--time-limit", "2"], DATA_ERROR, "worker/timed-out"),
        ("allocate", ["--memory-limit", "500M"], OUT_OF_MEMORY, "worker/out-of-memory"),
        ("flood", ["--time-limit", "60"], DATA_ERROR, "worker/reply-invalid")):
    check(f"isolation: a library that does {action} ends its file", action, words, status, code)(ended)


@check("isolation: messages of a process that ask for too much end its file")
def messages():
    for message in ('{"open":{"_0":"/etc/passwd"}}', '{"begin":{"_0":{"path":"/tmp/other.png","mayReplace":true,"keepsBackup":false}}}',
                    '{"begin":{"_0":{"path":"OUT","mayReplace":true,"keepsBackup":false}}}',
                    '{"check":{"_0":[{"path":"/tmp/other.png","mayReplace":true,"keepsBackup":false}],"inputs":[]}}',
                    '{"publish":{"_0":{"7":0}}}', '{"publish":{"_0":{"1":-5}}}', '{"ended":{}}', "[" * 100_000, "{}", "null",
                    '{"finished":{"_0":{}}}'):
        status, text, output = hostile("message", message=message)
        require(status == DATA_ERROR and "(worker/reply-invalid)" in text and output is None, f"{message:.80}: exit {status}: {text[-400:]}")
    status, text, _ = hostile("message", message='{"message":{"_0":"\\u001b[2J red"}}', *["--time-limit", "2"])
    require("\x1b" not in text and "[2J red" in text, text)


@check("isolation: a crash ends one file of many, in every verb that takes many")
def one_of_many():
    folder, out = fresh(""), fresh("")
    folder.mkdir()
    shutil.copyfile(convert(REFERENCE / "photo.exr", ".jpg"), folder / "a.jpg")
    shutil.copyfile(convert(REFERENCE / "chart.exr", ".png"), folder / "b.png")
    for words in (["inspect", "--measure", folder / "a.jpg", folder / "b.png"], ["validate", folder / "a.jpg", folder / "b.png"],
                  ["convert", "-r", folder, "--out-dir", out, "--to", "tiff"]):
        done = subprocess.run([tools.binaries / "hdrconvert", *map(str, words)], capture_output=True, text=True, timeout=MINUTES,
                              env=dict(os.environ, LD_PRELOAD=str(hostile_library()), HOSTILE="crash"))
        require(done.returncode == 1 and "(worker/crashed)" in done.stderr, f"{words[0]}: exit {done.returncode}: {done.stderr}")
        require(words[0] == "convert" or "b.png" in done.stdout, f"{words[0]}: {done.stdout}")
    require([path.name for path in out.iterdir()] == ["b.tif"], "other outputs")


@check("isolation: gain maps and transcoding of JPEG XL")
def jpeg_xl():
    original = corpus("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    results = []
    for options in ([], ["--no-isolation"]):
        transcoded, back, applied = fresh(".jxl"), fresh(".jpg"), fresh(".tiff")
        for words in (["remux", original, "-o", transcoded], ["remux", transcoded, "-o", back],
                      ["gainmap", "apply", transcoded, "-o", applied]):
            status, text = command(*words, *options, timeout=5 * MINUTES)
            require(status == 0, f"{words} {options}: exit {status}: {text}")
        require(back.read_bytes() == original.read_bytes(), f"{options}: another JPEG file")
        results.append((transcoded.read_bytes(), applied.read_bytes()))
    require(results[0] == results[1], "other files")
