# SPDX-License-Identifier: Apache-2.0
"""Converts the images below WORK/in in shards, as Ray tasks that are tried again when a worker is lost.

If the Python package `hdrconvert` is installed, tasks then open the results and measure the brightest pixel of each.

usage: convert.py HDRCONVERT WORK
"""

import importlib.util
import pathlib
import subprocess
import sys

import ray

SHARDS = 4
# Exit codes that may succeed if the command runs again (Documentation/ExitCodes.md). A negative status is a signal.
TRANSIENT = {73, 74, 75, 130, 143}


class Transient(Exception):
    """A failure that another attempt may cure."""


@ray.remote(num_cpus=1, max_retries=3, retry_exceptions=[Transient])
def convert(command: str, work: str, shard: int) -> int:
    """Converts one shard; its journal skips what an earlier attempt has done."""
    status = subprocess.run(
        [
            command, "-r", f"{work}/in", "--out-dir", f"{work}/out", "--to", "avif",
            "--speed", "10", "--quality", "60", "--jobs", "1", "--quiet",
            "--shard", f"{shard}/{SHARDS}", "--resume", f"{work}/journals/{shard}.journal",
        ],
        check=False,
    ).returncode
    if status < 0 or status in TRANSIENT:
        raise Transient(f"shard {shard}: status {status}")
    return status


@ray.remote(num_cpus=1, max_retries=3)
def brightest(paths: list[str]) -> float:
    """The largest linear value of some images; 1.0 is reference white."""
    import hdrconvert

    return max(float(hdrconvert.open(path).render().decode().max()) for path in paths)


def main() -> int:
    command, work = sys.argv[1:]
    ray.init(num_cpus=2, include_dashboard=False, logging_level="warning")
    statuses = ray.get([convert.remote(command, work, shard) for shard in range(1, SHARDS + 1)])
    if importlib.util.find_spec("hdrconvert"):
        results = sorted(str(path) for path in pathlib.Path(work, "out").rglob("*.avif"))
        values = ray.get([brightest.remote(results[shard::SHARDS]) for shard in range(SHARDS)])
        print(f"{len(results)} results decoded, brightest pixel {max(values):.2f} times reference white")
    ray.shutdown()
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main())
