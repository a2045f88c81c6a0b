# SPDX-License-Identifier: Apache-2.0
"""Images in notebooks."""

from __future__ import annotations

import base64

_FIGURE = """<figure style="margin: 0">
{images}
<figcaption><label>Headroom <input type="range" min="0" max="{last}" value="0" oninput="
  const figure = this.closest('figure');
  figure.querySelectorAll('img').forEach((image, index) => {{
    image.style.display = index == this.value ? '' : 'none';
    if (index == this.value) figure.querySelector('output').value = image.title;
  }});"></label> <output>{first}</output></figcaption>
</figure>"""
_IMAGE = '<img title="{name}" alt="headroom {name}" style="{style}" src="data:image/png;base64,{text}">'


def slider(renditions: list[tuple[str, bytes]]) -> str:
    """HTML that shows one of several PNG files, each with its headroom; the first one at first."""
    images = [
        _IMAGE.format(
            name=name, style="display: none" if index else "", text=base64.b64encode(file).decode())
        for index, (name, file) in enumerate(renditions)]
    return _FIGURE.format(images="\n".join(images), last=len(images) - 1, first=renditions[0][0])
