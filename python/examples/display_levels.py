# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # One HDR image on displays of several headrooms
#
# Cells are separated by `# %%`: editors show this file as a notebook. The tests run it as a script:
# `python display_levels.py IMAGE FOLDER`.

# %%
import pathlib
import sys

import hdrconvert
import numpy as np

source, folder = (pathlib.Path(argument) for argument in sys.argv[1:3])
image = hdrconvert.open(source)
print(image, "MaxCLL", image.describe(light_levels=True)["lightLevels"]["maxCLLNits"])

# %% [markdown]
# ## Renditions
#
# `render()` returns linear values, of which 1.0 is reference white. None exceeds the headroom.

# %%
headrooms = [1, 2, 4]
renditions = [image.render(headroom) for headroom in headrooms]
for headroom, rendition in zip(headrooms, renditions):
    largest = rendition.decode().max()
    print(f"headroom {headroom}: largest value {largest:.2f}")
    assert largest <= headroom * 1.0001

# %% [markdown]
# ## Side by side
#
# Linear values can be joined, and saved as one PQ image.

# %%
sheet = np.concatenate([rendition.decode()[..., :3] for rendition in renditions], axis=1)
written = hdrconvert.from_array(sheet).save(folder / "display-levels.avif")
print(len(written), "bytes", [notice["code"] for notice in written.notices])

# %% [markdown]
# ## An Ultra HDR JPEG
#
# The SDR rendition may be any image of the same size; here it is darkened where it is brightest.

# %%
standard = renditions[0].decode(np.float32, color=hdrconvert.SRGB)[..., :3]
graded = np.round(255 * np.clip(standard - 0.1 * standard**8, 0, 1)).astype(np.uint8)
both = hdrconvert.create_gainmap(graded, image)
both.save(folder / "graded.jpg")
print(f"{len(both)} bytes, mean error {both.mean_error:.2f} Delta E ITP")

# %%
shown = hdrconvert.open(both)
assert shown.has_gain_map
difference = np.abs(shown.render(1).decode(np.uint8, color=hdrconvert.SRGB).astype(int) - graded)
print(f"the baseline image differs by {difference.mean():.2f} code values on average")
assert difference.mean() < 3
