"""Contact sheets: other programs read the PNGs, and a browser shows the page without complaint."""

import re
import shutil
import subprocess

import imagecodecs
import numpy as np

import color
import tools
from runner import Skip, check, require
from tools import REFERENCE, fresh, run


def sheet(suffix, *options, sources=("photo.exr",)):
    target = fresh(suffix)
    run(tools.binaries / "hdrconvert", "sheet", *(REFERENCE / name for name in sources), "-o", target,
        "--quiet", *options)
    return target


def lit(picture):
    """The largest codes in a quarter of the sheet's width each: one rendition of four."""
    quarters = np.array_split(picture[: picture.shape[0] // 2, 40:-40], 4, axis=1)
    return [int(np.percentile(q[200:].max(-1), 99.9)) for q in quarters]


def simulated():
    """More headroom shows more light, in 8 bits that any display shows."""
    picture = imagecodecs.png_decode(sheet(".png").read_bytes())
    require(picture.dtype == np.uint8 and picture.ndim == 3, f"{picture.shape} {picture.dtype}")
    levels = lit(picture)
    require(all(a < b for a, b in zip(levels[:3], levels[1:3])), f"peaks {levels}")
    return f"{picture.shape[1]}x{picture.shape[0]}, peaks {levels}"


def high():
    """Each rendition of a PQ sheet reaches the peak of its display."""
    target = sheet(".png", "--transfer", "pq")
    picture = imagecodecs.png_decode(target.read_bytes())
    require(picture.dtype == np.uint16, f"{picture.dtype}")
    require(b"cICP\x09\x10\x00\x01" in target.read_bytes(), "code points of PQ")
    peaks = [float(color.pq_luminance(code / 65535)) / color.WHITE for code in lit(picture)]
    for peak, headroom in zip(peaks, (1, 2, 4)):
        require(0.7 * headroom <= peak <= 1.02 * headroom, f"{peak} at headroom {headroom}")
    return ", ".join(f"{peak:.3g}x" for peak in peaks)


def page():
    """Headless Chromium runs the page: no console messages, and the slider has been read."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        raise Skip("no Chromium here")
    target = sheet(".html", sources=("photo.exr", "edges-61x43.png"))
    text = target.read_text()
    require(not re.search(r"""(?:src|href)=["'](?!data:)""", text), "the page needs nothing else")
    shot, profile = fresh(".png"), fresh("")
    dom = run(browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
              "--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom", target.as_uri())
    require(dom.count('class="item"') == 2, "both pictures")
    values = re.findall(r'aria-valuetext="([^"]+)"', dom)
    require(values and values[0].startswith("1x"), f"the slider says {values}")
    run(browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
        "--hide-scrollbars", "--window-size=1280,900", f"--screenshot={shot}", target.as_uri())
    picture = imagecodecs.png_decode(shot.read_bytes())[..., :3]
    require(len(np.unique(picture[450:].reshape(-1, 3), axis=0)) > 500, "the first picture is seen")
    return f"{len(text) // 1024} KiB"


def console():
    """Nothing is logged while the page loads and runs."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        raise Skip("no Chromium here")
    target, profile = sheet(".html"), fresh("")
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
         "--enable-logging=stderr", "--v=0", "--virtual-time-budget=5000", "--dump-dom",
         target.as_uri()], capture_output=True, timeout=300)
    said = [line for line in done.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line]
    require(not said, f"the console says {said}")
    return "silent"


check("sheet: simulated PNG")(simulated)
check("sheet: PQ PNG")(high)
check("sheet: page in Chromium")(page)
check("sheet: console of the page")(console)
