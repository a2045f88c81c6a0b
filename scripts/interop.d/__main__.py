"""Independent programs read what hdrconvert writes; run by scripts/interop."""

import argparse
import importlib
import pathlib
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")

import runner
import tools

parser = argparse.ArgumentParser(prog="scripts/interop", description=__doc__)
parser.add_argument("-k", dest="part", default="", help="only checks whose names contain this")
parser.add_argument("-j", dest="jobs", type=int, help="checks at a time (default: all cores)")
parser.add_argument("--bin", required=True, help="folder with hdrconvert and the test tools")
parser.add_argument("--keep", help="folder to leave outputs in (default: a temporary one)")
arguments = parser.parse_args()

for module in sorted(pathlib.Path(__file__).parent.glob("checks_*.py")):
    importlib.import_module(module.stem)
with tempfile.TemporaryDirectory() as folder:
    if arguments.keep:
        folder = pathlib.Path(arguments.keep)
        folder.mkdir(parents=True, exist_ok=True)
    tools.set_up(folder, arguments.bin)
    sys.exit(0 if runner.run(arguments.part, arguments.jobs) else 1)
