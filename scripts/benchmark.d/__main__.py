# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of this project compared with other programs; run by scripts/benchmark.

Times are nanoseconds per pixel at 12 megapixels: elapsed time with two threads, and processor time
divided by two cores, which other load on the machine affects less. Each is the best of several runs.
"""

import argparse
import importlib
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")

import table

parser = argparse.ArgumentParser(prog="scripts/benchmark", description=__doc__.splitlines()[0])
parser.add_argument("-k", dest="part", default="", help="only cases whose names contain this")
parser.add_argument("--bin", required=True, help="folder with Benchmarks")
arguments = parser.parse_args()

for module in sorted(pathlib.Path(__file__).parent.glob("peers_*.py")):
    importlib.import_module(module.stem)
print(__doc__.split("\n\n")[1])
table.program = pathlib.Path(arguments.bin) / "Benchmarks"
sys.exit(0 if table.run(arguments.part) else 1)
