# SPDX-License-Identifier: Apache-2.0
"""Manual pages without warnings of groff, and completion scripts that shells parse."""

import re
import shutil
import subprocess

import tools
from runner import Skip, check, require
from tools import fresh, run

VERBS = ("convert", "render", "remux", "tag", "extract", "inspect", "validate", "compare", "sheet", "journal", "codecs",
         *(f"gainmap-{verb}" for verb in ("create", "apply", "extract", "join", "swap", "flatten")))


@check("help: manual pages of the command and each verb, without warnings of groff")
def manual():
    if not shutil.which("groff"):
        raise Skip("groff is not installed")
    folder = fresh("")
    folder.mkdir()
    run(tools.binaries / "hdrconvert", "help", "--man", folder)
    names = {path.name for path in folder.iterdir()}
    require(names == {"hdrconvert.1", *(f"hdrconvert-{verb}.1" for verb in VERBS)}, f"{names}")
    for path in sorted(folder.iterdir()):
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou", path], capture_output=True, text=True)
        require(done.returncode == 0 and not done.stderr, f"{path.name}: {done.stderr[:300]}")
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "SEE ALSO"):
            require(f"\n{section}\n" in done.stdout, f"{path.name}: no section {section}")
        verb = path.stem.removeprefix("hdrconvert-").replace("-", " ", 1) if "-" in path.stem else None
        if verb and verb != "codecs":
            # The page has all options of the third layer of help, and its examples verbatim.
            text = run(tools.binaries / "hdrconvert", "help", *verb.split(), "--all")
            options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.M)) - {"--help", "--version"}
            missing = options - set(re.findall(r"(?<![\w-])--[a-z-]+", done.stdout))
            require(options and not missing, f"{path.name}: without {missing}")
            for line in text.split("examples:")[1].split("\n\n")[0].splitlines()[1:]:
                require(line.strip() in done.stdout, f"{path.name}: without {line}")
    return f"{len(names)} pages"


@check("help: completion scripts")
def completion():
    checked = []
    for shell, arguments in (("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])):
        text = run(tools.binaries / "hdrconvert", "--generate-completion-script", shell)
        listed = run(tools.binaries / "hdrconvert", "help", "convert", "--all")
        options = set(re.findall(r"^  (?:-\w, )?--([a-z-]+)", listed, re.M)) - {"help", "version"}
        missing = {option for option in options if not re.search(rf"(?<![\w-])(--)?{option}(?![\w-])", text)}
        require(len(options) > 30 and not missing, f"{shell}: without {missing}")
        if shutil.which(shell):
            script = fresh(f".{shell}")
            script.write_text(text)
            run(shell, *arguments, script)
            checked.append(shell)
    return f"parsed by {', '.join(checked)}"
