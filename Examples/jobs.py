# SPDX-License-Identifier: Apache-2.0
"""Jobs with the Python package."""

import hdrconvert


def thumbnails(photos):
    """Thumbnails of many photos within 256 MB; the memory of each file is returned with it."""
    with hdrconvert.Execution(memory_limit=256 << 20) as execution:
        for photo in photos:
            with hdrconvert.open(photo, execution=execution) as image:
                yield image.convert({"geometry": {"longSide": 256}})


def ultra_hdr(photo, show):
    """An Ultra HDR JPEG of a photo in memory, with its progress; `show` ends the work by returning False."""
    with hdrconvert.Execution(progress=show) as execution:
        return hdrconvert.open(photo, execution=execution).encode("jpg")


def develop(raw, output, temperature, exposure):
    """Develops a raw file in HDR, with a white balance in kelvins and an exposure in stops before its tone curve."""
    development = {"temperature": temperature, "highlights": "reconstruct"}
    hdrconvert.open(raw).save(output, {"raw": development, "rendition": {"exposure": exposure}})


def files(frame):
    """AVIF, PNG and Ultra HDR JPEG of an array of half floats, linear in BT.2020."""
    return [hdrconvert.from_array(frame).encode(format) for format in ("avif", "png", "jpg")]


def buffers(photo, headroom):
    """The image as a display of a headroom shows it: PQ of 16 bits, and linear half floats."""
    shown = hdrconvert.open(photo).render(headroom)
    return shown.decode("uint16", color=hdrconvert.PQ_BT2020), shown.decode("float16")


def rendition(photo, peak_luminance=600):
    """The image as a display with that peak, in cd/m², and reference white of 203 cd/m² shows it, as a PQ PNG."""
    display = {"referenceWhite": 203, "peakLuminance": peak_luminance}
    return hdrconvert.open(photo).encode("png", {"rendition": {"display": display}})
