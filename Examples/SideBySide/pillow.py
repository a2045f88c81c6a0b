# SPDX-License-Identifier: Apache-2.0
"""The job that pillow-heif can do; the gain map is dropped."""

import PIL.Image
import pillow_heif

pillow_heif.register_heif_opener()


def without_location(photo, heic):
    image = PIL.Image.open(photo)
    exif = image.getexif()
    del exif[0x8825]
    image.save(heic, exif=exif)
