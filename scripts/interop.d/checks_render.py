# SPDX-License-Identifier: Apache-2.0
"""Renditions for displays: output read by third-party decoders, compared with the operators' formulas.

The formulas are written here in double precision from the published texts (BT.2390, BT.2446,
ST 2094-50, BT.2100) and the project's own definitions (shoulder, gamut mapping), independently of the Swift code.
"""

import io
import itertools
import json

import imagecodecs
import numpy as np
import pillow_heif
from PIL import Image, ImageCms

import color
import tools
from runner import check, require
from tools import (
    REFERENCE, avif_codes, corpus, fresh, heif_codes, png_codes, read_light, run, tiff_codes)

PHOTO = REFERENCE / "photo.exr"
SRGB = "bt709"


def render(source, suffix, *options):
    """File of the rendition, and the report of the command."""
    target = fresh(suffix)
    report = run(tools.binaries / "hdrconvert", "render", source, "-o", target, "--quiet", "--json",
                 *options)
    return target, json.loads(report)["results"][0]


def headroom(report):
    """Content and display, as ratios."""
    return report["rendering"]["contentHeadroom"]["ratio"], report["rendering"]["usedHeadroom"]["ratio"]


# Operators: linear BT.2020 (1.0 is reference white) of the content to that of the display.


def by_maximum(curve):
    """Applies a curve to the largest component."""

    def apply(light, content, display):
        if content <= display * (1 + 1e-6):
            return light
        largest = light.max(-1, keepdims=True)
        positive = np.where(largest > 0, largest, 1)
        mapped = np.where(largest >= content, display, curve(positive, content, display))
        return np.where(largest > 0, light * mapped / positive, light)

    return apply


def shoulder(m, content, display, share=0.5):
    knee = share * display
    kappa = (content - display) / ((display - knee) * (content - knee))
    d = np.maximum(m - knee, 0)
    return np.minimum(m, knee) + d / (1 + kappa * d)


def adaptive(m, content, display):
    """The shoulder with mid-tones that depend on the bright tones of the photo, in BT.2020."""
    levels = np.sort(photo().max(-1), axis=None)
    key = 2 ** np.log2(levels[int(0.65 * levels.size):int(0.85 * levels.size)]).mean()
    stops, reach = np.log2(content), min(np.log2(content), np.log2(8 / 3))
    share = max(1 - np.log2(display) / reach, 0)
    gain = 2 ** (-share * min(np.clip(np.log2(key / 0.5), 0, 1.5), stops / 2))
    return shoulder(gain * m, gain * content, display, 0.5 - 0.25 * share)


def reinhard(m, content, display):
    return m * (1 + m * display / content**2) / (1 + m / display)


def bt2390(m, content, display):
    peak = color.pq_signal(content * color.WHITE)
    largest = color.pq_signal(display * color.WHITE) / peak
    knee = 1.5 * largest - 0.5
    e = np.minimum(color.pq_signal(m * color.WHITE) / peak, 1)
    t = (e - knee) / (1 - knee)
    spline = (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1 - knee) \
        + (-2 * t**3 + 3 * t**2) * largest
    return color.pq_luminance(np.where(e > knee, np.maximum(spline, 0), e) * peak) / color.WHITE


def reference_white(m, content, display):
    """ST 2094-50, C.3.8: two alternates of eight points, cubic Hermite between them."""
    base, target = min(np.log2(content), 4.6), np.log2(display)
    share = min(base / np.log2(1000 / 203), 1)

    def gain(stops, white):
        kappa, end = 0.65, np.array([2.0**base, 2.0**stops])
        start = np.array([1.0, white])
        middle = np.array([(1 - kappa) + kappa * end[1] / white, (1 - kappa) * white + kappa * end[1]])
        t = np.arange(8)[:, None] / 7
        x, y = ((1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end).T
        dx, dy = (2 * (1 - t) * (middle - start) + 2 * t * (end - middle)).T
        slope = (x * dy / dx - y) / (np.log(2) * x * y)
        log = np.log2(y / x)
        low = np.clip(np.searchsorted(x, m, side="right") - 1, 0, 6)
        width = x[low + 1] - x[low]
        u = (m - x[low]) / width
        inside = (2 * u**3 - 3 * u**2 + 1) * log[low] + (u**3 - 2 * u**2 + u) * width * slope[low] \
            + (3 * u**2 - 2 * u**3) * log[low + 1] + (u**3 - u**2) * width * slope[low + 1]
        return np.where(m <= 1, log[0], np.where(m >= x[7], log[7] + np.log2(x[7] / m), inside))

    stops = [0.0, np.log2(8 / 3) * share, base]
    gains = [gain(0.0, 1 - share / 2), gain(stops[1], 1.0), np.zeros_like(m)]
    upper = next(i for i, s in enumerate(stops) if target <= s)
    if upper == 0:
        return m * 2.0 ** gains[0]
    weight = (target - stops[upper]) / (stops[upper - 1] - stops[upper])
    return np.minimum(m * 2.0 ** (weight * gains[upper - 1] + (1 - weight) * gains[upper]), display)


def clip(light, content, display):
    return np.minimum(light, display)


def bt2446a(light, content, display):
    """Method A; SDR of 100 cd/m2 times the display's headroom."""
    weights = np.array([0.2627, 0.6780, 0.0593])
    signal = np.minimum(np.maximum(light, 0) / content, 1) ** (1 / 2.4)
    y = (signal @ weights)[..., None]
    hdr = 1 + 32 * (content * color.WHITE / 10_000) ** (1 / 2.4)
    sdr = 1 + 32 * (display * 100 / 10_000) ** (1 / 2.4)
    p = np.log(1 + (hdr - 1) * y) / np.log(hdr)
    c = np.where(p <= 0.7399, 1.077 * p,
                 np.where(p < 0.9909, -1.151 * p**2 + 2.7811 * p - 0.6302, 0.5 * p + 0.5))
    ys = (sdr**c - 1) / (sdr - 1)
    f = ys / (1.1 * np.maximum(y, 1e-12))
    cb, cr = f * (signal[..., 2:] - y) / 1.8814, f * (signal[..., :1] - y) / 1.4746
    yt = ys - np.maximum(0.1 * cr, 0)
    red, blue = yt + 1.4746 * cr, yt + 1.8814 * cb
    green = (yt - weights[0] * red - weights[2] * blue) / weights[1]
    mapped = np.concatenate([red, green, blue], -1)
    return np.sign(mapped) * np.abs(mapped) ** 2.4 * display


OPERATORS = {
    "adaptive": by_maximum(adaptive), "shoulder": by_maximum(shoulder), "reinhard": by_maximum(reinhard), "bt2390": by_maximum(bt2390),
    "reference-white": by_maximum(reference_white), "clip": clip, "bt2446a": bt2446a,
}


# Decision 24: cone responses in whose cube roots lines to gray have constant hue, and planes that bound the real colors.
CONES = np.array([[0.3734, 0.6969, -0.0476], [-0.2084, 1.1404, 0.0530], [-0.0007, 0.0469, 0.8757]])
REAL = np.array([
    [0.5514, 0.6038, -0.1174], [0.9161, 0.3007, -0.1573], [1.0672, 0.1280, -0.1307], [1.0854, 0.0351, -0.0612],
    [1.0077, -0.0407, 0.0762], [0.6789, -0.1052, 0.4223], [0.1984, -0.0755, 0.8144], [0.0008, -0.0024, 0.9197],
    [-0.4924, 1.3636, 0.0959]])
# Oklab: XYZ under D65 to cone responses, and their cube roots to a and b.
OKLAB = np.array([
    [0.8189330101, 0.3618667424, -0.1288597137], [0.0329845436, 0.9293118715, 0.0361456387],
    [0.0482003018, 0.2643662691, 0.6338517070]])
OPPONENTS = np.array([[1.9779984951, -2.4285922050, 0.4505937099], [0.0259040371, 0.7827717662, -0.8086757660]])


def norm(numbers):
    """The fourth-power norm of numbers of at least 0."""
    most = np.maximum(numbers.max(-1, keepdims=True), 1e-300)
    return ((numbers / most) ** 4).sum(-1) ** 0.25 * most[..., 0]


def compressed(excess):
    return excess / np.sqrt(1 + excess * excess)


def gamut_map(light, primaries, display, exceeds=True):
    """Linear BT.2020 limited to the primaries and the peak with the same largest component."""
    target = color.CHROMATICITIES[primaries]
    v = color.convert(light, color.CHROMATICITIES["bt2020"], target)
    to_xyz = color.rgb_to_xyz(target)
    weights = to_xyz[1]
    knee = 1.0 if primaries == "bt2020" else 0.9
    knee_at_peak = knee if exceeds else 1.0
    margin, margin_at_peak = max(1 - knee, 1e-3), max(1 - knee_at_peak, 1e-3)
    cones, real = CONES @ to_xyz, REAL @ to_xyz
    cones, real = cones / cones.sum(-1, keepdims=True), real / real.sum(-1, keepdims=True)

    def roots(u):
        d = norm(np.maximum(-u @ real.T - 0.95, 0) / 0.05)
        u = u * ((0.95 + 0.05 * compressed(d)) / (0.95 + 0.05 * d))[..., None]
        return np.cbrt(1 + u @ cones.T) - 1

    def on_line(share, line, largest):
        found = np.maximum((1 + share[..., None] * line) ** 3 @ np.linalg.inv(cones).T, 0)
        return found * (largest / found.max(-1))[..., None]

    def chroma(rgb):
        return np.linalg.norm(np.cbrt(np.maximum(rgb @ (OKLAB @ to_xyz).T, 1e-6)) @ OPPONENTS.T, axis=-1)

    # Outside the primaries: between the color of constant hue and the color of which each component is compressed.
    largest = np.maximum(v.max(-1), 1e-9)
    y = np.maximum(v @ weights, 1e-3 * largest)
    u = v / y[..., None] - 1
    excesses = np.maximum(-u - knee, 0) / margin
    excess, line = norm(excesses), roots(u)
    low, high = np.zeros_like(y), np.ones_like(y)
    for _ in range(50):
        middle = (low + high) / 2
        found = (1 + middle[..., None] * line) ** 3 @ np.linalg.inv(cones).T
        distance = 1 - found / (found @ weights)[..., None]
        over = norm(np.maximum(distance - knee, 0) / margin) > compressed(excess)
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    same_hue = on_line(low, line, largest)
    vivid = np.where(excesses > 0, np.maximum(y[..., None] * (1 - knee - margin * compressed(excesses)), 0), v)
    loss = np.maximum(1 - chroma(same_hue / largest[..., None]) / chroma(vivid / largest[..., None]), 0)
    allowed = 0.12 - 0.072 * weights.min() * largest / (vivid @ weights)
    share = 1 - allowed / (allowed**4 + loss**4) ** 0.25
    mixed = same_hue + share[..., None] * (vivid - same_hue)
    v = np.where((excess > 0)[..., None], mixed * (largest / mixed.max(-1))[..., None], v)
    # Above the peak: scaled, then toward white between the peak and twice the peak.
    y = v @ weights
    distance = (largest - y) / np.maximum(display - y, 1e-6 * display)
    kept = knee_at_peak + margin_at_peak * compressed(np.maximum(distance - knee_at_peak, 0) / margin_at_peak)
    scale = np.where(distance > knee_at_peak, kept * display / np.maximum(largest - y + kept * y, 1e-9), 1)
    scaled = v * np.minimum(scale, np.minimum(display / largest, 1))[..., None]
    beyond = np.clip(y / display - 1, 0, 1)
    white = beyond * beyond * (3 - 2 * beyond)
    line = roots(v / np.maximum(y, 1e-9)[..., None] - 1)
    mapped = np.where((white > 0)[..., None], on_line(1 - white, line, scaled.max(-1)), scaled)
    return np.where((v.max(-1) > 0)[..., None], np.clip(mapped, 0, display), 0)


def toward_white(light, mapped, primaries):
    """Decision 46: along the line of constant hue, by the reduction of the largest component, which is kept."""
    cones = CONES @ color.rgb_to_xyz(primaries)
    cones /= cones.sum(-1, keepdims=True)
    largest = mapped.max(-1, keepdims=True)
    reduction = np.maximum(light.max(-1, keepdims=True) - largest, 0)
    share = 1 - 1 / (1 + 0.05 * reduction)
    roots = np.cbrt(mapped / np.maximum(largest, 1e-30) @ cones.T)
    whiter = (roots + share * (1 - roots)) ** 3 @ np.linalg.inv(cones).T
    return np.where((reduction > 0) & (largest > 0), whiter * (largest / whiter.max(-1, keepdims=True)), mapped)


def photo():
    return read_light(PHOTO)[0] / color.WHITE


def require_codes(got, signal, bits, most, what):
    """Code values within `most` of the exact, fractional ones."""
    exact = signal * (2**bits - 1)
    require(got.shape == exact.shape, f"{what}: shape {got.shape}, not {exact.shape}")
    error = np.abs(got.astype(float) - exact).max()
    require(error <= most, f"{what}: {error:.3f} codes off")
    return f"at most {error:.3f} codes off"


def standard(operator, primaries):
    """8-bit PNG without headroom: dithered by less than half a code value, so the error is less than one code value."""
    path, report = render(PHOTO, ".png", "--level", "standard", "--operator", operator,
                          "--primaries", primaries)
    content, display = headroom(report)
    # Method A of BT.2446 is applied in BT.2020, the others in the target's primaries.
    spaces = (color.CHROMATICITIES["bt2020"],
              color.CHROMATICITIES["bt2020" if operator == "bt2446a" else primaries])
    source = color.convert(photo(), *spaces)
    mapped = OPERATORS[operator](source, content, display)
    if operator == "adaptive":
        mapped = toward_white(source, mapped, spaces[1])
    light = gamut_map(color.convert(mapped, *spaces[::-1]), primaries, display,
                      exceeds=operator in ("bt2446a", "clip"))
    return require_codes(png_codes(path), color.srgb_signal(light), 8, 1.01, operator)


def display(operator, ratio):
    """16-bit PQ."""
    path, report = render(PHOTO, ".png", "--headroom", f"{ratio}x", "--operator", operator)
    content, _ = headroom(report)
    light = OPERATORS[operator](photo(), content, ratio)
    if operator == "adaptive":
        light = toward_white(photo(), light, color.CHROMATICITIES["bt2020"])
    if operator == "bt2446a":
        light = gamut_map(light, "bt2020", ratio)
    signal = color.pq_signal(np.clip(light, 0, ratio) * color.WHITE)
    # Linear interpolation between samples of a curve: up to 1e-4 of the linear value is 1e-5 of signal.
    return require_codes(png_codes(path), signal, 16, 2.5, operator)


@check("render: every operator has its formula here")
def operators():
    named = json.loads(run(tools.binaries / "hdrconvert", "codecs", "--json"))["results"][0]["operators"]
    require({entry["name"] for entry in named} == set(OPERATORS), named)


for operator, primaries in itertools.product(OPERATORS, ("bt709", "p3")):
    check(f"render: {operator} to SDR {primaries}, as its formula", operator, primaries)(standard)
for operator, ratio in itertools.product(OPERATORS, (1.7, 4)):
    check(f"render: {operator} to headroom {ratio}, as its formula", operator, ratio)(display)


def profile_name(data):
    return ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(data))).strip()


def read_standard(path):
    """RGB of 8 bits, and the name of the profile that Pillow finds."""
    if path.suffix == ".png":
        codes = png_codes(path)
    elif path.suffix == ".tif":
        codes = tiff_codes(path)
    elif path.suffix == ".avif":
        codes = avif_codes(path)
    elif path.suffix == ".heic":
        codes = np.asarray(pillow_heif.open_heif(path))
    else:
        codes = imagecodecs.jpeg8_decode(path.read_bytes())
    if path.suffix == ".heic":
        return codes, None
    icc = Image.open(path).info.get("icc_profile")
    return codes, icc and profile_name(icc)


@check("render: SDR in every format, close to the PNG, with its profile")
def formats():
    found = []
    for primaries, name in (("bt709", "sRGB"), ("p3", "Display P3")):
        options = ("--level", "standard", "--primaries", primaries)
        reference = png_codes(render(PHOTO, ".png", *options)[0]).astype(int)
        for suffix in (".jpg", ".heic", ".avif", ".tif"):
            path, _ = render(PHOTO, suffix, *options, *([] if suffix == ".tif" else ["-q", "95"]))
            codes, profile = read_standard(path)
            mean = np.abs(codes.astype(int) - reference).mean()
            require(mean < (0.01 if suffix == ".tif" else 3), f"{suffix} {primaries}: {mean:.2f} off")
            wanted = name if suffix in (".jpg", ".tif") or (suffix, primaries) == (".avif", "p3") else None
            require(profile == wanted, f"{suffix} {primaries}: profile {profile}, not {wanted}")
            found.append(f"{suffix} {mean:.2f}")
    return ", ".join(found)


@check("render: chunks and code points of SDR outputs")
def signaling():
    for primaries, number in (("bt709", 1), ("p3", 12)):
        options = ("--level", "standard", "--primaries", primaries)
        path, report = render(PHOTO, ".png", *options)
        data = path.read_bytes()
        require(b"cICP" + bytes([number, 13, 0, 1]) in data, f"{primaries}: no cICP")
        require((b"sRGB" in data) == (number == 1), f"{primaries}: sRGB chunk")
        for suffix in (".heic", ".avif"):
            _, report = render(PHOTO, suffix, *options)
            require(report["cicp"] == f"{number}/13/6/full", f"{suffix}: {report['cicp']}")
        words = avif_words(render(PHOTO, ".avif", *options)[0])
        require((f"{number}", "13", "6") == words, f"avifdec reports {words}")


def avif_words(path):
    """Code points printed by avifdec."""
    text = run("avifdec", "--info", path)
    lines = {line.split(":")[0].strip(" *"): line.split(":")[1].strip() for line in text.splitlines()
             if ":" in line}
    return tuple(lines[name].split()[0] for name in
                 ("Color Primaries", "Transfer Char.", "Matrix Coeffs."))


@check("render: code values of an SDR image are unchanged")
def identity():
    pixels = (np.arange(64 * 48 * 3) * 37 % 256).astype(np.uint8).reshape(48, 64, 3)
    source = fresh(".png")
    Image.fromarray(pixels).save(source)
    path, report = render(source, ".png", "--level", "standard")
    require(np.array_equal(png_codes(path), pixels), "codes changed")
    require(report["rendering"]["isIdentity"], "not called the identity")


@check("render: a display with the full headroom equals the output of convert")
def full():
    path, report = render(PHOTO, ".png", "--headroom", "full")
    plain = tools.convert(PHOTO, ".png")
    require(np.array_equal(png_codes(path), png_codes(plain)), "codes differ")
    require(report["rendering"]["isIdentity"], "not called the identity")


@check("render: HLG with the system gamma of a display (BT.2100)")
def hlg():
    source = tools.convert(PHOTO, ".png", "--transfer", "hlg")
    path, report = render(source, ".png", "--display", "laptop")
    require(report["rendering"]["operator"] == "hlg", report["rendering"]["operator"])
    white, peak, surround = 250, 500, 20
    gamma = 1.2 * 1.111 ** np.log2(peak / 1000) * 0.98 ** np.log2(surround / 5)
    signal = png_codes(source) / 65_535
    low = signal**2 / 3
    scene = np.where(signal <= 0.5, low, (np.exp((signal - color.HLG_C) / color.HLG_A) + color.HLG_B) / 12)
    light = peak * (scene @ color.HLG_LUMA)[..., None] ** (gamma - 1) * scene / white
    # The display has P3 primaries; colors well inside are not changed by gamut mapping.
    p3 = color.convert(light, color.CHROMATICITIES["bt2020"], color.CHROMATICITIES["p3"])
    weights = color.rgb_to_xyz(color.CHROMATICITIES["p3"])[1]
    y = (p3 @ weights)[..., None]
    inside = (p3.min(-1, keepdims=True) > 0.12 * y) & (p3.max(-1, keepdims=True) - y < 0.88 * (2 - y))
    require(inside.mean() > 0.5, "too little is inside")
    exact = color.pq_signal(light * color.WHITE) * 65_535
    error = (np.abs(png_codes(path) - exact) * inside).max()
    require(error <= 8, f"{error:.1f} of 65535 codes off")
    return f"at most {error:.1f} of 65535 codes off"


@check("render: a gain map is applied for the display, like gainmap apply")
def gain_map():
    source = corpus("jpeg-uhdr/google-galleria-rgbmap.jpg")
    path, report = render(source, ".png", "--headroom", "2x")
    require(report["rendering"]["operator"] == "gain-map", report["rendering"]["operator"])
    applied = fresh(".png")
    run(tools.binaries / "hdrconvert", "gainmap", "apply", source, "-o", applied, "--quiet",
        "--headroom", "2x")
    got, expected = png_codes(path).astype(int), png_codes(applied).astype(int)
    peak = color.pq_signal(2 * color.WHITE) * 65_535
    below = (expected.max(-1, keepdims=True) < peak) & (expected.min(-1, keepdims=True) > 0)
    require(below.mean() > 0.9, "the map goes far beyond its headroom")
    require((np.abs(got - expected) * below).max() <= 2, "not what gainmap apply makes")
    require(got.max() <= peak + 2, "above the display's peak")


@check("render: displays have names and numbers")
def displays():
    listed = json.loads(run(tools.binaries / "hdrconvert", "render", "--display", "list", "--json"))
    ratios = {entry["name"]: entry["headroom"]["ratio"] for entry in listed["results"]}
    for name, ratio in (("sdr", 1), ("laptop", 2), ("phone", 8), ("laptop-xdr", 16),
                        ("tv-1000", 1000 / 203), ("tv-4000", 4000 / 203)):
        require(abs(ratios[name] - ratio) < 1e-9, f"{name}: {ratios[name]}")


@check("convert: ST 2094-50 in the bitstream does not change the pixels of third-party decoders")
def adaptation():
    prefix = bytes.fromhex("b500900001")  # United States, SMPTE, ST 2094-50.
    for suffix, codes in ((".avif", avif_codes), (".heic", lambda path: heif_codes(path, 10))):
        files = {}
        for use in ("none", "shoulder"):
            files[use] = fresh(suffix)
            run(tools.binaries / "hdrconvert", PHOTO, "-o", files[use], "--quiet", "--depth", "10",
                "--set", "color-tags=cicp", "--set", f"adaptation={use}")
        require(np.array_equal(codes(files["none"]), codes(files["shoulder"])), f"{suffix}: other pixels")
        data = files["shoulder"].read_bytes()
        require(prefix not in files["none"].read_bytes(), f"{suffix}: a message that was not requested")
        require(data.count(prefix) == 1, f"{suffix}: {data.count(prefix)} messages")
        payload = data[data.index(prefix) + len(prefix):]
        stops = int.from_bytes(payload[2:4], "big") / 10000
        report = json.loads(run(tools.binaries / "hdrconvert", "inspect", "--json", files["shoulder"]))
        adaptation = report["results"][0]["images"][0]["headroomAdaptation"]
        require(adaptation["carrierNames"] == ["bitstream (ITU-T T.35)"], f"{suffix}: {adaptation['carrierNames']}")
        require(abs(adaptation["baselineHeadroomStops"] - stops) < 1e-9, f"{suffix}: {adaptation}, not {stops}")
        shown = json.loads(run(tools.binaries / "hdrconvert", "render", files["shoulder"], "--headroom",
                               "2x", "-o", fresh(".png"), "--quiet", "--json"))
        require(shown["results"][0]["rendering"]["operator"] == "st2094-50", f"{suffix}: {shown['results']}")
