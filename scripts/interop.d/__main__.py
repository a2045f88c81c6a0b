# SPDX-License-Identifier: Apache-2.0
"""Checks the output of hdrconvert with independent programs; run by scripts/interop."""

import argparse
import importlib
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")

import runner
import tools

# Modules of --core: samples, gain maps and metadata of every format, by programs that are Python wheels.
CORE = (
    "alpha", "color", "compression", "create", "gainmap", "geometry", "inspect", "json", "matrices", "metadata", "pixels",
    "planes", "reference", "render", "rotation", "validate", "walkers", "xmp",
)

parser = argparse.ArgumentParser(prog="scripts/interop", description=__doc__)
parser.add_argument("-k", dest="part", default="", help="only checks whose names contain this")
parser.add_argument("--core", action="store_true", help="only the checks of the most important properties")
parser.add_argument("-j", dest="jobs", type=int, help="checks at a time (default: all cores)")
parser.add_argument("--bin", required=True, help="folder with hdrconvert and the test tools")
arguments = parser.parse_args()

for module in sorted(pathlib.Path(__file__).parent.glob("checks_*.py")):
    importlib.import_module(module.stem)
tools.binaries = pathlib.Path(arguments.bin).resolve()
modules = {f"checks_{name}" for name in CORE} if arguments.core else None
sys.exit(0 if runner.run(arguments.part, arguments.jobs, modules) else 1)
