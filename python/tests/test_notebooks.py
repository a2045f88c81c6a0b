# SPDX-License-Identifier: Apache-2.0
"""Images as notebooks show them."""

import base64
import re

import numpy as np
import pytest

import hdrconvert


def renditions(html):
    """The PNG files of the HTML by their headroom."""
    found = re.findall(r'<img title="(\w+)".*? src="data:image/png;base64,([^"]+)">', html)
    return {name: hdrconvert.open(base64.b64decode(text)) for name, text in found}


@pytest.fixture
def photo(ramp):
    return hdrconvert.open(hdrconvert.create_gainmap(None, np.tile(ramp, (30, 30, 1))))


def test_png(photo, ramp):
    shown = hdrconvert.open(photo._repr_png_())
    assert shown.format == "png" and not shown.is_hdr and shown.color.transfer == 13
    assert (shown.width, shown.height) == (1024, 768)
    small = hdrconvert.open(hdrconvert.from_array(ramp)._repr_png_())  # Not enlarged.
    assert (small.width, small.height) == (64, 48)


def test_html(photo):
    html = photo._repr_html_()
    shown = renditions(html)
    assert list(shown) == ["1", "2", "4", "full"]
    assert all((image.width, image.height) == (512, 384) for image in shown.values())
    assert not shown["1"].is_hdr and shown["full"].is_hdr
    assert 1.7 < shown["2"].render().decode().max() < 2.1
    assert 3.5 < shown["full"].render().decode().max() < 4.3
    assert html.count("display: none") == 3 and 'type="range" min="0" max="3"' in html
    assert "script" not in html and "http" not in html


def test_sdr(ramp):
    image = hdrconvert.from_array(np.clip(64 * ramp, 0, 255).astype(np.uint8))
    assert image._repr_html_() is None and not hdrconvert.open(image._repr_png_()).is_hdr
    assert hdrconvert.from_array(ramp).render(1)._repr_html_() is None


def test_renditions(ramp):
    shown = renditions(hdrconvert.from_array(ramp).render(2)._repr_html_())
    assert shown["full"].render().decode().max() < 2.1
