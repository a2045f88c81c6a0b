# SPDX-License-Identifier: Apache-2.0
"""Five jobs with the Python package."""

import hdrconvert


def ultra_hdr(photo, jpeg):
    hdrconvert.open(photo).save(jpeg)


def thumbnail(photo, jpeg):
    hdrconvert.open(photo).save(jpeg, {"geometry": {"longSide": 1024}})


def pq_avif(photo, avif):
    hdrconvert.open(photo).save(avif)


def linear(photo):
    return hdrconvert.open(photo).render(primaries="p3").decode()


def without_location(photo, jpeg):
    hdrconvert.open(photo).save(jpeg, {"copying": "required", "metadata": {"strip": ["gps"]}})
