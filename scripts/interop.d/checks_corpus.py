"""Every picture of the corpus that is in scope converts, and foreign programs read the result."""

from runner import check, require
from tools import CORPUS, avif_codes, convert, corpus, heif_codes, png_codes

FOLDERS = ("exr", "radiance", "tiff-hdr", "png-hdr", "avif-hdr", "avif-sdr-deep", "avif-gainmap",
           "heic-hdr", "heic-apple", "heic-apple-tmap", "heic-gainmap-other", "jpeg-uhdr",
           "jpeg-iso", "jpeg-apple", "peer-made")
PICTURES = {".exr", ".hdr", ".tif", ".png", ".avif", ".heic", ".hif", ".jpg"}
# Above this, only the quick PNG is made, to stay within minutes.
LARGE = 4_000_000


def swept(name):
    path = corpus(name)
    picture = png_codes(convert(path, ".png", "--orientation", "bake"))
    pixels = picture.shape[0] * picture.shape[1]
    if pixels > LARGE:
        return f"PNG {picture.shape[1]}x{picture.shape[0]}"
    avif = avif_codes(convert(path, ".avif", "--orientation", "bake", "-s", "9"))
    heif = heif_codes(convert(path, ".heic", "--orientation", "bake", "-s", "9"), 10)
    require(avif.shape[:2] == heif.shape[:2] == picture.shape[:2],
            f"sizes {picture.shape}, {avif.shape}, {heif.shape}")
    # A lossy picture at quality 90 stays close to the exact one on the whole.
    scale = 1023 / 65535
    for kind, codes in (("AVIF", avif), ("HEIF", heif)):
        off = abs(codes[..., :3].astype(float) - picture[..., :3] * scale).mean()
        require(off < 12, f"{kind} is {off:.1f} codes off in the mean")
    return f"PNG, AVIF, HEIF {picture.shape[1]}x{picture.shape[0]}"


if CORPUS.is_dir():
    for folder in FOLDERS:
        for path in sorted((CORPUS / folder).iterdir()):
            if path.suffix in PICTURES:
                name = f"{folder}/{path.name}"
                check(f"corpus: {name}", name)(swept)
