# SPDX-License-Identifier: Apache-2.0
"""XMP larger than one JPEG segment: exiftool and Pillow read the output."""

from PIL import Image

import tools
from runner import check, require
from tools import REFERENCE, fresh, run

CAMERA = "http://ns.google.com/photos/1.0/camera/"
NOTE = "SERSUAP" + "0123456789abcdef" * 19_000


@check("xmp: camera notes in a file with a gain map are stored in extended XMP")
def extended():
    source, packet = fresh(".jpg"), fresh(".xmp")
    run(tools.binaries / "hdrconvert", "gainmap", "create", REFERENCE / "photo.exr", "-o", source, "--quiet")
    packet.write_text(
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f'<rdf:Description rdf:about="" xmlns:GCamera="{CAMERA}" GCamera:HdrPlusMakernote="{NOTE}" '
        f'GCamera:hdrp_makernote="{NOTE[:90_000]}"/></rdf:RDF></x:xmpmeta>')
    tagged = fresh(".jpg")
    run(tools.binaries / "hdrconvert", "tag", source, "-o", tagged, "--set", f"xmp={packet}", "--quiet")
    for flavors in ("iso,xmp", "iso", "xmp"):
        target = fresh(".jpg")
        run(tools.binaries / "hdrconvert", "remux", tagged, "-o", target, "--flavors", flavors, "--quiet")
        run(tools.binaries / "hdrconvert", "validate", target)
        found = run("exiftool", "-b", "-XMP-GCamera:HdrPlusMakernote", target)
        require(len(found) > 200_000, f"{flavors}: exiftool finds {len(found)} characters")
        warnings = run("exiftool", "-s3", "-warning", target)
        require(not warnings, f"{flavors}: {warnings}")
        main = Image.open(target).info["xmp"]
        require(len(main) < 65_503 and b"HasExtendedXMP" in main, f"{flavors}: {len(main)} bytes in front")
        version = run("exiftool", "-s3", "-XMP-hdrgm:Version", target).strip()
        require(version == ("1.0" if "xmp" in flavors else ""), f"{flavors}: hdrgm:Version is '{version}'")
