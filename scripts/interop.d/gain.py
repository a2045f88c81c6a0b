# SPDX-License-Identifier: Apache-2.0
"""Gain maps applied in double precision: as the standard specifies, and as libultrahdr implements it.

ISO 21496-1 interpolates un-normalized gain, bilinear with aligned centers. libultrahdr repeats
chroma, linearizes by a table of 1024 entries, weights the *encoded* samples by their inverse
distance from the pixel's upper left corner, and looks up gain in another such table. Both are implemented here so
that every difference from libultrahdr can be attributed to these choices.
"""

from fractions import Fraction

import numpy as np

import color

ENTRIES = 1024


class Metadata:
    """Metadata from `gainmap extract`; one entry per component in each array."""

    def __init__(self, record):
        iso = record["iso21496"]
        channels = (iso["channels"] * 3)[:3] if len(iso["channels"]) == 1 else iso["channels"]

        def numbers(name):
            return np.array([float(Fraction(channel[name])) for channel in channels])

        self.minimum, self.maximum = numbers("gain_map_min"), numbers("gain_map_max")
        self.gamma = numbers("gain_map_gamma")
        self.base_offset, self.alternate_offset = numbers("base_offset"), numbers("alternate_offset")
        self.base_headroom = float(Fraction(iso["base_hdr_headroom"]))
        self.alternate_headroom = float(Fraction(iso["alternate_hdr_headroom"]))

    @property
    def full_weight(self):
        return -1 if self.base_headroom > self.alternate_headroom else 1

    def log_gain(self, samples):
        return self.minimum + (self.maximum - self.minimum) * np.clip(samples, 0, 1) ** (1 / self.gamma)


def three(codes, largest=255):
    """Samples in 0...1 with three components."""
    samples = np.asarray(codes, np.float64) / largest
    return np.repeat(samples[..., None], 3, -1) if samples.ndim == 2 else samples[..., :3]


def bilinear(values, width, height):
    """Resamples with aligned centers; edge samples are repeated."""

    def positions(count, samples):
        center = np.clip((np.arange(count) + 0.5) * samples / count - 0.5, 0, samples - 1)
        low = np.floor(center).astype(int)
        return low, np.minimum(low + 1, samples - 1), center - low

    top, bottom, down = positions(height, values.shape[0])
    left, right, across = positions(width, values.shape[1])
    down, across = down[:, None, None], across[None, :, None]
    upper = values[top][:, left] * (1 - across) + values[top][:, right] * across
    lower = values[bottom][:, left] * (1 - across) + values[bottom][:, right] * across
    return upper * (1 - down) + lower * down


def applied(base, samples, metadata, weight):
    """ISO 21496-1, clause 6: linear values of the base with a share of the gain, in the primaries of the gain."""
    gain = bilinear(metadata.log_gain(samples), base.shape[1], base.shape[0])
    return (base + metadata.base_offset) * 2 ** (weight * gain) - metadata.alternate_offset


def rgb_of_jpeg(planes):
    """R'G'B' code values, not rounded, of Y'CbCr planes of equal size."""
    luma, blue, red = (plane.astype(np.float64) for plane in planes)
    blue, red = blue - 128, red - 128
    return np.stack([luma + 1.402 * red,
                     luma - (0.114 * 1.772 * blue + 0.299 * 1.402 * red) / 0.587,
                     luma + 1.772 * blue], -1)


def full_chroma(planes):
    """Planes of equal size: chroma, which JPEG sites in the center, is interpolated."""
    height, width = planes[0].shape

    def full(plane):
        down, across = -(-height // plane.shape[0]), -(-width // plane.shape[1])
        wide = bilinear(plane[..., None].astype(np.float64), across * plane.shape[1],
                        down * plane.shape[0])
        return wide[:height, :width, 0]

    return [planes[0]] + [full(plane) for plane in planes[1:]]


# As implemented in libultrahdr.


def by_distance(samples, width, height):
    """Shepard's weights; distances in samples from the pixel's corner, not its center."""
    scale = np.float32(width) / np.float32(samples.shape[1])
    x = (np.arange(width, dtype=np.float32) / scale).astype(np.float64)
    y = (np.arange(height, dtype=np.float32) / scale).astype(np.float64)
    if scale == np.floor(scale):  # The weights then come from a table of the exact remainders.
        x, y = np.arange(width) / float(scale), np.arange(height) / float(scale)
    low_x, low_y = np.floor(x).astype(int), np.floor(y).astype(int)
    right, bottom = samples.shape[1] - 1, samples.shape[0] - 1
    columns = [np.minimum(low_x, right), np.minimum(low_x + 1, right)]
    rows = [np.minimum(low_y, bottom), np.minimum(low_y + 1, bottom)]
    corners = []
    for row in rows:
        for column in columns:
            # At the right and lower edge both neighbors are the last sample.
            distance = np.sqrt((y - row)[:, None] ** 2 + (x - column)[None, :] ** 2)
            corners.append((distance[..., None], samples[row][:, column]))
    total = np.zeros((height, width, 1))
    result = np.zeros((height, width, samples.shape[2]))
    for distance, here in corners:
        weight = 1 / np.maximum(distance, 1e-12)
        result += here * weight
        total += weight
    return result / total


def table(values, entries):
    """Looks up values in 0...1 in a table of a function."""
    return entries[np.clip((values * (ENTRIES - 1) + 0.5).astype(int), 0, ENTRIES - 1)]


CHOICES = ("tables", "chroma", "weights")


def as_libultrahdr(planes, samples, metadata, primaries, output, choices=CHOICES, matrix=6):
    """Linear values at full gain as computed by libultrahdr, from the decoded planes of an 8-bit base.

    Each of `choices` may be omitted: functions are then exact, chroma is interpolated, or un-normalized
    gain is interpolated with aligned centers, as in the standard.
    For HEIF and AVIF files its input is R'G'B' rounded to 8 bits: "rounding".
    """
    height, width = planes[0].shape

    def repeat(plane):
        down, across = -(-height // plane.shape[0]), -(-width // plane.shape[1])
        return plane.repeat(down, 0).repeat(across, 1)[:height, :width]

    planes = [repeat(plane) for plane in planes] if "chroma" in choices else full_chroma(planes)
    signal = color.rgb_signal(np.stack(planes, -1), matrix, 8) if len(planes) == 3 \
        else three(planes[0])
    steps = np.arange(ENTRIES) / (ENTRIES - 1)
    if "rounding" in choices:
        signal = np.round(signal * 255) / 255
    has_tables = "tables" in choices
    signal = np.clip(signal, 0, 1)
    base = table(signal, color.srgb_light(steps)) if has_tables \
        else np.sign(signal) * color.srgb_light(np.abs(signal))
    base = color.convert(base, color.CHROMATICITIES[primaries], color.CHROMATICITIES[output])
    if "weights" in choices:
        relative = np.clip(by_distance(samples, width, height), 0, 1) ** (1 / metadata.gamma)
    else:
        relative = bilinear(np.clip(samples, 0, 1) ** (1 / metadata.gamma), width, height)
    light = np.empty_like(base)
    for c in range(3):
        low, high = metadata.minimum[c], metadata.maximum[c]
        gains = table(relative[..., c], 2 ** (low * (1 - steps) + high * steps)) if has_tables \
            else 2 ** (low + (high - low) * relative[..., c])
        light[..., c] = (base[..., c] + metadata.base_offset[c]) * gains
        light[..., c] -= metadata.alternate_offset[c]
    return light


def relative_difference(got, expected, floor=0.01):
    """Per component, where values are large enough to compare: above a hundredth of reference white."""
    got, expected = np.asarray(got, np.float64), np.asarray(expected, np.float64)
    visible = expected > floor
    return np.abs(got - expected)[visible] / expected[visible]
