"""Contact sheets: other programs read the PNGs, and a browser shows the page without complaint."""

import json
import re

import imagecodecs
import numpy as np

import browser
import color
import tools
from runner import check, require
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
    """Headless Chromium shows the page, whole and without a word on its console."""
    target = sheet(".html", sources=("photo.exr", "edges-61x43.png"))
    text = target.read_text()
    require(not re.search(r"""(?:src|href)=["'](?!data:|#)""", text), "the page needs nothing else")
    embedded = [a for a in re.findall(r'src="([^"]+)"', text) if len(a) > 1 << 15]
    require(len(embedded) == len(set(embedded)), "a picture is embedded twice")
    with browser.page() as shown:
        shown.open(target.as_uri())
        require(shown.value("document.querySelectorAll('.item').length") == 2, "both pictures")
        broken = shown.value("""Promise.all([...document.images].map(image => image.decode().then(
            () => 0, () => 1))).then(results => results.reduce((a, b) => a + b))""")
        require(broken == 0, f"{broken} pictures are not shown")
        for width in (380, 1280):
            shown.resize(width, 900)
            wide = shown.value("document.documentElement.scrollWidth")
            require(wide == width, f"{wide} pixels in a window of {width}")
        picture = imagecodecs.png_decode(shown.screenshot())[..., :3]
        require(len(np.unique(picture[450:].reshape(-1, 3), axis=0)) > 500, "the first picture is seen")
        require(not shown.said, f"the console says {shown.said}")
    return f"{len(text) // 1024} KiB"


FOCUSED = """(e => [e.tagName, e.textContent.trim(), getComputedStyle(e).outlineStyle])(
    document.activeElement)"""


def keyboard():
    """All that the page can do is done by keys, and what has the focus is outlined."""
    target = sheet(".html")
    with browser.page() as shown:
        shown.open(target.as_uri())
        said = lambda: shown.value("document.querySelector('output').value")
        visible = lambda: shown.value("""[...document.querySelectorAll('.layer')].map(
            layer => Number(getComputedStyle(layer).opacity))""")
        reached = []
        for _ in range(7):
            shown.press("Tab")
            tag, text, outline = shown.value(FOCUSED)
            require(outline == "solid", f"nobody sees that {tag} '{text}' has the focus")
            reached.append(text or tag)
            if tag == "INPUT":
                steps = [said()]
                for key in ("ArrowRight", "End", "ArrowLeft", "Home", "PageUp"):
                    shown.press(key)
                    steps.append(said())
                require(len(set(steps[:4])) == 4 and steps[4] == steps[0], f"slider: {steps}")
                require(steps[5].startswith("2x") and visible() == [1 if i == 1 else 0 for i in range(
                    len(visible()))], f"Page Up: {steps[5]}, {visible()}")
        require(reached == ["Simulated", "True HDR", "INPUT", "1x", "2x", "4x", "full"], f"{reached}")
        shown.press("Enter")
        require(visible()[-1] == 1, f"Enter on the last button: {visible()}")
        for _ in range(5):
            shown.press("Tab", modifiers=8)  # Shift
        shown.press("Space")
        require(shown.value("document.body.className") == "true-hdr", "Space on 'True HDR'")
        hidden = shown.value("getComputedStyle(document.querySelector('.layer .sim')).visibility")
        require(hidden == "hidden", "PQ pictures take the place of simulated ones")
        require(shown.value("getComputedStyle(document.querySelector('.real')).dynamicRangeLimit")
                == "no-limit", "all the headroom that there is")
        shown.press("h")
        require(shown.value("document.body.className") == "", "H goes back")
        require(not shown.said, f"the console says {shown.said}")
    return " > ".join(reached)


def schemes():
    """Light and dark, as the reader's system is."""
    target = sheet(".html")
    with browser.page() as shown:
        grays = []
        for scheme in ("dark", "light"):
            shown.open(target.as_uri(), prefers_color_scheme=scheme)
            grays.append(imagecodecs.png_decode(shown.screenshot())[2, 2, :3].mean())
    require(grays[0] < 40 and grays[1] > 215, f"backgrounds {grays}")
    return f"{grays[0]:.0f}, {grays[1]:.0f}"


def uneven():
    """Files of all kinds on one sheet; those that cannot be read are said and left out."""
    single, broken, target = fresh(".png"), fresh(".avif"), fresh(".html")
    single.write_bytes(imagecodecs.png_encode(np.full((1, 1, 3), 200, np.uint8)))
    broken.write_bytes(b"\0\0\0\x18ftypavif")
    report = json.loads(run(
        tools.binaries / "hdrconvert", "sheet", single, broken, REFERENCE / "edges-61x43.png", "-o",
        target, "--json", "--quiet", accept=(1,)))
    require([item["name"] for item in report["items"]] == [single.name, "edges-61x43.png"], f"{report}")
    picture = imagecodecs.png_decode(sheet(".png", sources=(single,)).read_bytes())
    require((picture == picture[300, 150]).all(-1).mean() > 0.005, "the pixel is seen")
    return f"{picture.shape[1]}x{picture.shape[0]}"


check("sheet: simulated PNG")(simulated)
check("sheet: PQ PNG")(high)
check("sheet: page in Chromium")(page)
check("sheet: page by keyboard")(keyboard)
check("sheet: color schemes of the page")(schemes)
check("sheet: tiny and broken files")(uneven)
