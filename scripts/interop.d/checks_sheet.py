# SPDX-License-Identifier: Apache-2.0
"""Contact sheets: other programs read the PNGs, and a browser shows the page without warnings."""

import base64
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


def lit(image):
    """The largest code values in each quarter of the sheet's width: one of four renditions."""
    quarters = np.array_split(image[: image.shape[0] // 2, 40:-40], 4, axis=1)
    return [int(np.percentile(q[200:].max(-1), 99.9)) for q in quarters]


def simulated():
    """More headroom shows a higher luminance, in 8 bits for any display."""
    image = imagecodecs.png_decode(sheet(".png").read_bytes())
    require(image.dtype == np.uint8 and image.ndim == 3, f"{image.shape} {image.dtype}")
    levels = lit(image)
    require(all(a < b for a, b in zip(levels[:3], levels[1:3])), f"peaks {levels}")
    return f"{image.shape[1]}x{image.shape[0]}, peaks {levels}"


def high():
    """Each rendition of a PQ sheet reaches the peak of its display."""
    target = sheet(".png", "--transfer", "pq")
    image = imagecodecs.png_decode(target.read_bytes())
    require(image.dtype == np.uint16, f"{image.dtype}")
    require(b"cICP\x09\x10\x00\x01" in target.read_bytes(), "code points of PQ")
    peaks = [float(color.pq_luminance(code / 65535)) / color.WHITE for code in lit(image)]
    for peak, headroom in zip(peaks, (1, 2, 4)):
        require(0.7 * headroom <= peak <= 1.02 * headroom, f"{peak} at headroom {headroom}")
    return ", ".join(f"{peak:.3g}x" for peak in peaks)


def page():
    """Headless Chromium shows the whole page without messages on its console."""
    target = sheet(".html", sources=("photo.exr", "edges-61x43.png"))
    text = target.read_text()
    require(not re.search(r"""(?:src|href)=["'](?!data:|#)""", text), "the page needs nothing else")
    embedded = [a for a in re.findall(r'src="([^"]+)"', text) if len(a) > 1 << 15]
    require(len(embedded) == len(set(embedded)), "an image is embedded twice")
    with browser.page() as shown:
        shown.open(target.as_uri())
        require(shown.value("document.querySelectorAll('.item').length") == 2, "both images")
        broken = shown.value("""Promise.all([...document.images].map(image => image.decode().then(
            () => 0, () => 1))).then(results => results.reduce((a, b) => a + b))""")
        require(broken == 0, f"{broken} images are not shown")
        for width in (380, 1280):
            shown.resize(width, 900)
            wide = shown.value("document.documentElement.scrollWidth")
            require(wide == width, f"{wide} pixels in a window of {width}")
        pixels = imagecodecs.png_decode(shown.screenshot())[..., :3]
        require(len(np.unique(pixels[450:].reshape(-1, 3), axis=0)) > 500, "the first image is seen")
        require(not shown.console, f"the console contains {shown.console}")
    return f"{len(text) // 1024} KiB"


def ordinary():
    """The page opens with SDR images that are as bright as those of `render`; the slider leads to the simulation."""
    target = sheet(".html")
    shot = fresh(".png")
    run(tools.binaries / "hdrconvert", "render", REFERENCE / "photo.exr", "-o", shot, "--level", "standard", "--primaries", "bt709",
        "--quiet")
    meant = np.median(imagecodecs.png_decode(shot.read_bytes())[..., :3])
    with browser.page() as shown:
        shown.open(target.as_uri(), 1280, 900)

        def brightness():
            top, bottom, width = shown.value(BOX % ".stage")
            left = int((1280 - width) / 2)
            return np.median(imagecodecs.png_decode(shown.screenshot())[int(top):int(bottom), left:left + int(width), :3])

        first = brightness()
        hint = "[...document.querySelectorAll('.hint')].filter(hint => !hint.hidden).map(hint => hint.textContent).join()"
        require(abs(first - meant) <= 0.15 * meant, f"a median of {first}, meant is {meant}")
        require("white is the white of this screen" in shown.value(hint), "the brightness that is meant is named")
        shown.value("document.querySelector('input').focus()")
        shown.press("ArrowRight")
        dimmed = brightness()
        require(dimmed < 0.7 * first, f"{dimmed} in the simulation")
        require("25 %" in shown.value(hint), f"no word about the darker images: {shown.value(hint)}")
        shown.value("document.querySelector('[data-mode=own]').click()")
        require(abs(brightness() - first) <= 1 and shown.value("document.querySelector('output').value").startswith("1x"),
                "back to SDR")
        require(not shown.console, f"the console contains {shown.console}")
    return f"median {first:.0f} of 255 (render: {meant:.0f}), simulated {dimmed:.0f}"


FOCUSED = """(e => [e.tagName, e.textContent.trim(), getComputedStyle(e).outlineStyle])(
    document.activeElement)"""


def keyboard():
    """All functions of the page work by keyboard, and the focused element is outlined."""
    target = sheet(".html")
    with browser.page() as shown:
        shown.open(target.as_uri())
        displayed = lambda: shown.value("document.querySelector('output').value")
        visible = lambda: shown.value("""[...document.querySelectorAll('.layer')].map(
            layer => Number(getComputedStyle(layer).opacity))""")
        reached = []
        for _ in range(9):
            shown.press("Tab")
            tag, text, outline = shown.value(FOCUSED)
            require(outline == "solid", f"the focus of {tag} '{text}' is not visible")
            reached.append(text or tag)
            if tag == "INPUT":
                steps = [displayed()]
                for key in ("ArrowRight", "End", "ArrowLeft", "Home", "ArrowRight", "PageUp"):
                    shown.press(key)
                    steps.append(displayed())
                require(len(set(steps[:4])) == 4 and steps[0].startswith("1x") and steps[4].startswith("1x"),
                        f"slider: {steps}")
                require(steps[6].startswith("2x") and visible() == [1 if i == 1 else 0 for i in range(
                    len(visible()))], f"Page Up: {steps[6]}, {visible()}")
        require(reached == ["SDR", "Simulated", "True HDR", "INPUT", "Enlarge", "1x", "2x", "4x", "full"],
                f"{reached}")
        shown.press("Enter")
        require(visible()[-1] == 1, f"Enter on the last button: {visible()}")
        for _ in range(6):
            shown.press("Tab", modifiers=8)  # Shift
        shown.press("Space")
        require(shown.value("document.body.className") == "true-hdr", "Space on 'True HDR'")
        hidden = shown.value("getComputedStyle(document.querySelector('.layer .sim')).visibility")
        require(hidden == "hidden", "PQ images take the place of simulated ones")
        require(shown.value("getComputedStyle(document.querySelector('.real')).dynamicRangeLimit")
                == "no-limit", "all the headroom that there is")
        shown.press("h")
        require(shown.value("document.body.className") == "", "H goes back")
        require(not shown.console, f"the console contains {shown.console}")
    return " > ".join(reached)


def schemes():
    """Both color schemes have a neutral gray background, not brighter than the dimmed reference white, and legible text."""
    target = sheet(".html")
    with browser.page() as shown:
        grays = []
        for scheme in ("dark", "light"):
            shown.open(target.as_uri(), prefers_color_scheme=scheme)
            pixels = imagecodecs.png_decode(shown.screenshot())[..., :3].astype(int)
            background, header = pixels[2, 2], pixels[:120]
            require(np.ptp(background) == 0 and 35 <= background[0] <= 100, f"{scheme}: {background}")
            require(np.percentile(header, 90) < 140, f"{scheme}: bright areas in the header")
            luminance = [color.srgb_light(code / 255) for code in (header.max(), background[0])]
            contrast = (luminance[0] + 0.05) / (luminance[1] + 0.05)
            require(contrast >= 7, f"{scheme}: text has a contrast of {contrast:.1f}")
            grays.append(background[0])
    require(grays[0] < grays[1], f"backgrounds {grays}")
    return f"{grays[0]}, {grays[1]}"


BOX = "(e => [e.top, e.bottom, e.width])(document.querySelector('%s').getBoundingClientRect())"


def fold():
    """In a window of 1280x720, slider and image are visible together, without scrolling."""
    sources = ("photo.exr", "edges-61x43.png", "edges-alpha-61x43.png")
    with browser.page() as shown:
        shown.open(sheet(".html", sources=sources).as_uri(), 1280, 720)
        ends = [shown.value(BOX % part)[1] for part in ("input", ".stage")]
        require(max(ends) <= 720, f"slider and image end at {ends}")
        require(shown.value(BOX % ".stage")[2] > 480, "the image is small")
    return f"slider to {ends[0]:.0f}, image to {ends[1]:.0f} of 720"


def enlarged():
    """Plots and images fill the window after a click or Enter; Escape and another click close them."""
    with browser.page() as shown:
        shown.open(sheet(".html").as_uri(), 1280, 720)
        count = shown.value("document.querySelectorAll('figure button, .stage, .enlarge').length")
        require(count == 6, f"{count} elements that are enlarged")
        sizes = []
        for index in range(count):
            button = f"document.querySelectorAll('figure button, .stage, .enlarge')[{index}]"
            shown.value(f"{button}.focus(), {button}.click()")
            top, bottom, width = shown.value(BOX % "dialog[open] .panel, dialog[open] .stage")
            require(width > 900 and top >= 0 and bottom <= 720, f"{index}: {width} wide, {top} to {bottom}")
            sizes.append(width)
            if index % 2:
                shown.press("Escape")
            else:
                shown.value("document.querySelector('dialog button').click()")
            require(not shown.value("document.querySelector('dialog').open"), f"{index} stays open")
        shown.value("document.querySelector('figure button').focus()")
        shown.press("Enter")
        require(shown.value("document.querySelector('dialog').open"), "Enter enlarges")
        require(not shown.console, f"the console contains {shown.console}")
    return f"{min(sizes):.0f} to {max(sizes):.0f} pixels wide"


def uneven():
    """Files of all kinds on one sheet; those that cannot be read are reported and omitted."""
    single, broken, target = fresh(".png"), fresh(".avif"), fresh(".html")
    single.write_bytes(imagecodecs.png_encode(np.full((1, 1, 3), 200, np.uint8)))
    broken.write_bytes(b"\0\0\0\x18ftypavif")
    report = json.loads(run(
        tools.binaries / "hdrconvert", "sheet", single, broken, REFERENCE / "edges-61x43.png", "-o",
        target, "--json", "--quiet", accept=(1,)))
    require([item["name"] for item in report["results"]] == [single.name, "edges-61x43.png"], f"{report}")
    require([entry["file"] for entry in report["failures"]] == [str(broken)], f"{report}")
    require(f"Not read: {broken.name}" in target.read_text(), "the page lists what is not on it")
    image = imagecodecs.png_decode(sheet(".png", sources=(single,)).read_bytes())
    require((image == image[300, 150]).all(-1).mean() > 0.005, "the pixel is seen")
    return f"{image.shape[1]}x{image.shape[0]}"


def exr(light):
    """OpenEXR by OpenImageIO, of gray linear values, 1.0 for reference white."""
    return tools.write_exr(np.repeat(light[..., None], 3, -1))


def described(*sources, options=(), accept=(0,)):
    """A page, and the items of the command's report."""
    target = fresh(".html")
    report = json.loads(run(tools.binaries / "hdrconvert", "sheet", *sources, "-o", target, "--json",
                            "--quiet", *options, accept=accept))
    return target, report


def explained(source, *options):
    """Headroom of an image, from `render --json`."""
    return json.loads(run(tools.binaries / "hdrconvert", "render", source, "-o", fresh(".png"), "--json",
                          "--quiet", *options))["results"][0]["rendering"]


def star():
    """A few bright pixels, too few for the content headroom; a rendition that clips them is not labeled as full."""
    light = np.linspace(0, 1.8, 512 * 512).reshape(512, 512)
    light[100, 100:110] = 30
    source = exr(light)
    target, report = described(source)
    item, text = report["results"][0], target.read_text()
    require(abs(item["fullHeadroom"]["ratio"] - 30) < 1e-3 and item["contentHeadroom"]["ratio"] < 2, f"{item}")
    require(abs(item["lightLevels"]["maxCLLNits"] - 30 * 203) < 1, f"{item['lightLevels']}")
    require(text.count("&lt;0.01 % above") == 2 and "0 % above" not in text.replace("&lt;0.0", ""),
            "pixels above 2x and 4x")
    rendered = explained(source, "--headroom", "2x")
    require(abs(rendered["contentHeadroom"]["ratio"] - item["contentHeadroom"]["ratio"]) < 1e-9, f"{rendered}")
    pixels = rendered["pixelCounts"]
    require(pixels["clippedAbove"] == 10 and pixels["gamutMapped"] == 0, f"{pixels}")
    return f"full {item['fullHeadroom']['ratio']:.3g}x, headroom {item['contentHeadroom']['ratio']:.3g}x"


def jpeg_xl():
    """A sheet of JPEG XL files is that of the AVIF files with the same samples."""
    images = [imagecodecs.png_decode(sheet(".png", sources=[f"containers/iso22028-5-{name}.{suffix}" for name in
                                                            ("pq", "hlg")]).read_bytes()).astype(int)
              for suffix in ("jxl", "avif")]
    require(images[0].shape == images[1].shape, f"{images[0].shape}, not {images[1].shape}")
    # The names of the files differ.
    same = float((np.abs(images[0] - images[1]).max(-1) <= 1).mean())
    require(same > 0.95, f"{100 * same:.1f} % of the pixels are the same")
    return f"{100 * same:.1f} % of the pixels are the same"


def beyond_pq():
    """Luminance above 10 000 cd/m2 is measured without a limit."""
    light = np.linspace(0, 160, 4096).reshape(64, 64)
    item = described(exr(light))[1]["results"][0]
    require(abs(item["lightLevels"]["maxCLLNits"] / (160 * 203) - 1) < 1e-4, f"{item}")
    require(abs(item["fullHeadroom"]["ratio"] / 160 - 1) < 1e-4, f"{item}")
    return f"MaxCLL {item['lightLevels']['maxCLLNits']:.0f}"


def ordered():
    """A crop of an image that uses less headroom than its gain map: brightness never decreases along
    the slider, and full is the headroom of the map."""
    command, whole, part = tools.binaries / "hdrconvert", fresh(".jpg"), fresh(".jpg")
    ramp = exr(np.tile(np.linspace(0, 1, 256) ** 2 * 5, (128, 1)))
    run(command, "gainmap", "create", "--hdr", ramp, "-o", whole, "--quiet")
    run(command, whole, "-o", part, "--gainmap", "keep", "--crop", "0,0,160,128", "--quiet")
    page, report = described(part, options=("--headroom", "1x,1.5x,2x,3x,4x,full"))
    item, displayed = report["results"][0], explained(part, "--headroom", "2x")
    require(item["contentHeadroomSource"] == displayed["contentHeadroomSource"] == "gain map", f"{item} {displayed}")
    require(abs(item["contentHeadroom"]["ratio"] - displayed["contentHeadroom"]["ratio"]) < 1e-9, f"{item} {displayed}")
    require(item["lightLevels"]["contentHeadroomStops"] < 1.2 < 2 < item["contentHeadroom"]["stops"], f"{item}")
    coded = re.findall(r'class="sim"[^>]* src="data:image/jpeg;base64,([^"]+)"', page.read_text())
    shown = [imagecodecs.jpeg_decode(base64.b64decode(code)).mean() for code in coded]
    require(len(shown) == 6 and all(a < b for a, b in zip(shown, shown[1:])), f"{shown}")
    return ", ".join(f"{mean:.1f}" for mean in shown)


def streamed():
    """Standard output has the format specified by --to; inputs are never replaced."""
    source = exr(np.linspace(0, 3, 64).reshape(8, 8))
    command = (tools.binaries / "hdrconvert", "sheet", source, "--quiet", "-o")
    image = run(*command, "-", "--to", "png", binary=True)
    require(imagecodecs.png_decode(image).ndim == 3, "a PNG")
    run(*command, "-", accept=(64,))
    before = source.read_bytes()
    run(*command, source, "-f", "--to", "png", accept=(64,))
    require(source.read_bytes() == before, "the input stays")


check("sheet: simulated PNG")(simulated)
check("sheet: few bright pixels")(star)
check("sheet: JPEG XL files")(jpeg_xl)
check("sheet: luminance above the PQ range")(beyond_pq)
check("sheet: order of displays")(ordered)
check("sheet: standard output and inputs")(streamed)
check("sheet: PQ PNG")(high)
check("sheet: page in Chromium")(page)
check("sheet: opens at ordinary brightness")(ordinary)
check("sheet: page by keyboard")(keyboard)
check("sheet: slider and image in a window of 1280x720")(fold)
check("sheet: enlarged panels")(enlarged)
check("sheet: color schemes of the page")(schemes)
check("sheet: tiny and broken files")(uneven)
