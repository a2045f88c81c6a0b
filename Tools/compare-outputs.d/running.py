# SPDX-License-Identifier: Apache-2.0
"""Runs cases in temporary folders, and caches results."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

TIMEOUT = 60
# Part of the key of cached results: to be changed with the content of a result.
RESULT_FORMAT = 1
# Statuses that a busy machine or a person causes: a timeout, SIGINT, SIGKILL and SIGTERM.
FOREIGN_STATUSES = ("timeout", -2, -9, -15)


class Program:
    """An hdrconvert binary."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        self.digest = file_digest(self.path)
        self.environment = {
            "PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "TZ": "UTC",
            # Reports of crashes contain addresses.
            "SWIFT_BACKTRACE": "enable=no",
        }

    def run(self, arguments, folder):
        """Status (negative for a signal, "timeout" if ended), standard output and error."""
        try:
            done = subprocess.run(
                [self.path, *arguments], cwd=folder, env=self.environment, timeout=TIMEOUT,
                stdin=subprocess.DEVNULL, capture_output=True)
        except subprocess.TimeoutExpired:
            return "timeout", "", ""
        texts = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
        # Messages may contain the path of the folder.
        return done.returncode, *(text.replace(str(folder), "FOLDER") for text in texts)


def file_digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def run_case(program, file, case, folder):
    """Results of the steps in order; None for a step whose inputs are missing."""
    source = folder / f"in{file.path.suffix}"
    source.symlink_to(file.path.resolve())
    results, known = [], {source.name}
    for step in case.steps:
        if not all((folder / name).exists() for name in step.needs):
            results.append(None)
            continue
        status, stdout, stderr = program.run(step.arguments, folder)
        outputs = {}
        for path in sorted(folder.iterdir()):
            if path.name not in known:
                known.add(path.name)
                outputs[path.name] = {"size": path.stat().st_size, "sha256": file_digest(path)}
        results.append(
            {"status": status, "stdout": stdout, "stderr": stderr, "outputs": outputs})
    return results


class Cache:
    """Results of one program and the files that it wrote, in a folder."""

    def __init__(self, folder, program):
        self.folder, self.program = pathlib.Path(folder), program
        self.digests = {}

    def results(self, file, case):
        """Cached results of a case, which is run if they are missing."""
        entry = self.entry(file, case)
        if entry.exists():
            return json.loads(entry.read_text())
        with tempfile.TemporaryDirectory(prefix="outputs-") as name:
            folder = pathlib.Path(name)
            results = run_case(self.program, file, case, folder)
            for result in filter(None, results):
                for output, properties in result["outputs"].items():
                    self.store(folder / output, self.output(properties["sha256"]))
        if all(result is None or result["status"] not in FOREIGN_STATUSES for result in results):
            entry.parent.mkdir(parents=True, exist_ok=True)
            temporary = entry.with_suffix(f".{os.getpid()}")
            temporary.write_text(json.dumps(results))
            temporary.replace(entry)
        return results

    def entry(self, file, case):
        if file.name not in self.digests:
            self.digests[file.name] = file_digest(file.path)
        steps = [[step.arguments, step.needs] for step in case.steps]
        key = json.dumps([RESULT_FORMAT, self.program.digest, self.digests[file.name], steps])
        digest = hashlib.sha256(key.encode()).hexdigest()
        return self.folder / "results" / digest[:2] / f"{digest}.json"

    def output(self, digest):
        """Path of a file with this content."""
        return self.folder / "files" / digest[:2] / digest

    def store(self, path, target):
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as temporary:
            with path.open("rb") as file:
                shutil.copyfileobj(file, temporary)
        os.replace(temporary.name, target)
