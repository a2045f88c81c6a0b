# SPDX-License-Identifier: Apache-2.0
"""Processor time of whole conversions by the installed command, from file to file; run by scripts/benchmark --files.

Each job and its peers run alternately, and the least processor time of all threads and child processes counts, since other load
on the machine affects it least. The inputs are made from one photo, an Ultra HDR JPEG. Lossy outputs are compared with their
inputs by hdrconvert; peers have the quality of about the same error, if they can reach it.

`--update` writes the tables to Documentation/Speed.md and README.md. `--cores` writes a table of how jobs scale (see cores.py).

`--baseline` and `--check` measure hdrconvert only, with the reference photo enlarged to 12 megapixels: the former writes the
processor time of each job, as a multiple of the time to copy memory, to baseline.json, and the latter fails if a job exceeds that
by a quarter. The check runs weekly, since a busy machine is not repeatable.
"""

import argparse
import os
import pathlib
import sys
import tempfile
import time

import baseline
import cores
from jobs import GOALS, REFERENCE, ROOT, SUMMARY, Jobs
from programs import LONG, measure

PAGES = ROOT / "Documentation/Speed.md", ROOT / "README.md"
CORPUS = pathlib.Path(os.environ.get("HDR_CORPUS") or ROOT.parent / "shared" / "corpus")
PHOTO = CORPUS / "jpeg-uhdr/pixel6pro-xmp-sky.jpg"
# Times whose ratio is smaller are equal: they differ by as much from run to run.
TIE = 1.03


def seconds_text(seconds):
    return f"{seconds:.{3 if seconds < 0.1 else 2}f}"


def text(name, use, result):
    return f"{name} {seconds_text(use.processor)}".strip() + (f" ({result})" if result else "")


def winner(own, others):
    """The name of the fastest program, bold if it is another."""
    if not others:
        return ""
    first = min(others, key=others.get)
    if max(own, others[first]) < TIE * min(own, others[first]):
        return "equal"
    return "hdrconvert" if own < others[first] else f"**{first}**"


def line(*cells):
    return f"| {' | '.join(cells)} |"


def tables(command, jobs, part, runs, copy):
    """The rows of the whole table and of the short one, and the seconds of each job."""
    seconds = {}
    heads = (["job", "goal", "hdrconvert", "elapsed", "MiB", "others, same run", "times ours", "ahead"],
             ["job", "hdrconvert", "others, same run", "ahead"])
    rows, short = ([line(*head), "|" + "---|" * len(head)] for head in heads)
    print(rows[0], flush=True)
    for job, ours, peers in jobs:
        if part not in job:
            continue
        copy.measure()
        found = measure([ours, *peers], runs, command)
        own = found.pop("hdrconvert")
        use = own[0]
        ahead = winner(use.processor, {name: entry[0].processor for name, entry in found.items()})
        seconds[job] = use.processor
        cells = text("", *own), ", ".join(text(name, *entry) for name, entry in found.items())
        ratios = ", ".join(f"{entry[0].processor / use.processor:.1f}" for entry in found.values())
        rows.append(line(job, str(GOALS.get(job, "")), cells[0], seconds_text(use.elapsed), f"{use.memory:.0f}", cells[1], ratios, ahead))
        if job in SUMMARY:
            short.append(line(job, *cells, ahead))
        print(rows[-1], flush=True)
    return rows, short, seconds


def write(page, name, options, note, rows):
    """Replaces the part of a page between two comments."""
    content = page.read_text()
    start, end = f"<!-- {name}: written by scripts/benchmark --files {options} -->\n", f"<!-- end of {name} -->\n"
    before, rest = content.split(start)
    page.write_text(before + start + f"\n{note}\n\n" + "\n".join(rows) + "\n\n" + end + rest.split(end)[1])


def update(rows, short, photo, runs, loads):
    count = "one run" if runs == 1 else f"the least of {runs} runs, one if it takes more than {LONG} s"
    conditions = f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores ({baseline.processor()})"
    notes = (
        "Seconds of processor time, all threads together, seconds of elapsed time, and the most memory of hdrconvert,"
        f" {conditions}; {count}; load average {loads[0]:.1f} at the beginning, {loads[1]:.1f} at the end; inputs are made from"
        f" `{photo.name}`. Where another program takes less time, its name is bold.",
        f"Seconds of processor time of whole conversions at 12 megapixels, all threads together, {conditions}, with sizes and mean"
        " errors of outputs. Where another program takes less time, its name is bold. [Speed.md](Documentation/Speed.md) has all jobs"
        " and the conditions; `scripts/benchmark --files` repeats them.")
    for page, note, lines in zip(PAGES, notes, (rows, short)):
        write(page, "files", "--update", note, lines)


def main():
    parser = argparse.ArgumentParser(prog="scripts/benchmark --files", description=__doc__.splitlines()[0])
    parser.add_argument("-k", dest="part", default="", help="only jobs whose names contain this")
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / ".build/installed/bin/hdrconvert")
    parser.add_argument("--photo", type=pathlib.Path, default=PHOTO if PHOTO.exists() else None,
                        help="an Ultra HDR JPEG of about 12 megapixels; without the corpus, made from the reference photo")
    parser.add_argument("--runs", type=int, default=3)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--update", action="store_true", help="write Documentation/Speed.md and README.md")
    action.add_argument("--cores", action="store_true", help="count instructions instead, and write Documentation/Speed.md")
    action.add_argument("--baseline", action="store_true", help="write baseline.json")
    action.add_argument("--check", action="store_true", help="fail if a job is slower than in the baseline")
    options = parser.parse_args()
    without_peers = options.cores or options.baseline or options.check
    copy = baseline.CopyTimer()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        photo = None if options.baseline or options.check else options.photo
        jobs = Jobs(options.command, photo, pathlib.Path(folder), with_peers=not without_peers)
        if options.cores:
            rows = cores.rows(options.command, jobs.all(), options.part, line)
            write(PAGES[0], "cores", "--cores", f"{time.strftime('%Y-%m-%d')}, photos of 12 megapixels.", rows)
            return
        rows, short, seconds = tables(options.command, jobs.all(), options.part, options.runs, copy)
    if options.update:
        update(rows, short, options.photo or REFERENCE, options.runs, (load, os.getloadavg()[0]))
    if options.baseline:
        baseline.write(seconds, copy.least)
    if options.check and not baseline.check(seconds, copy.least):
        sys.exit(1)


if __name__ == "__main__":
    main()
