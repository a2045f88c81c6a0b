# SPDX-License-Identifier: Apache-2.0
"""The jobs that pyvips can do."""

import pyvips


def thumbnail(photo, jpeg):
    pyvips.Image.thumbnail(photo, 1024).write_to_file(jpeg)


def linear(photo):
    return pyvips.Image.new_from_file(photo).uhdr2scRGB().numpy()


def without_location(photo, jpeg):
    image = pyvips.Image.new_from_file(photo).copy()
    for field in image.get_fields():
        if field.startswith("exif-ifd3-"):
            image.remove(field)
    image.write_to_file(jpeg)
