# SPDX-License-Identifier: Apache-2.0
"""Builds the C library and puts it into the wheel; pyproject.toml has the metadata.

HDRCONVERT_PREFIX names a prefix that scripts/build-library has filled, to use its library.
"""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).parent


def version():
    text = (ROOT / "Sources/HDRConversion/Version.swift").read_text()
    return re.search(r'toolVersion = "([^"]+)"', text).group(1)


def library():
    """The C library, which is built unless a prefix is given."""
    prefix = os.environ.get("HDRCONVERT_PREFIX")
    if not prefix:
        prefix = ROOT / ".build" / "library"
        environment = os.environ | {"SKIP_PACKAGES": os.environ.get("SKIP_PACKAGES", "1")}
        subprocess.run(
            ["scripts/build-library", "--prefix", prefix], cwd=ROOT, env=environment, check=True)
    pattern = "libhdrconvert.[0-9]*.dylib" if sys.platform == "darwin" else "libhdrconvert.so.[0-9]*"
    return next((pathlib.Path(prefix) / "lib").glob(pattern))


class BuildWithLibrary(build_py):
    """Copies the library next to the modules."""

    def run(self):
        super().run()
        folder = ROOT / "python" if self.editable_mode else pathlib.Path(self.build_lib)
        source = library()
        self.copy_file(str(source), str(folder / "hdrconvert" / source.name))


class PlatformWheel(bdist_wheel):
    """A wheel for any Python 3 of one platform."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class PlatformDistribution(Distribution):
    """Makes setuptools choose the folder and the tag of a platform."""

    def has_ext_modules(self):
        return True


setup(
    version=version(), distclass=PlatformDistribution,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel})
