// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// The image as a display of a headroom shows it: PQ of 10 bits, and linear half floats.
func buffers(of photo: Data, headroom: Headroom) throws -> (pq: [UInt8], linear: [UInt8]) {
  let shown = try SourceImage.open(ByteSource(photo)).rendition(for: .high, display: headroom)
  let (width, height) = (shown.layout.width, shown.layout.height)
  let pq = ColorEncoding(primaries: .bt2020, transfer: .pq)
  return (
    try shown.pixels(as: PixelLayout(.rgb10a2, width: width, height: height), color: pq),
    try shown.pixels(as: PixelLayout(.rgbHalf, width: width, height: height))
  )
}

/// AVIF, PNG and Ultra HDR JPEG of a frame of linear half floats.
func files(ofHalfFloats frame: [UInt16], width: Int, height: Int) throws -> [[UInt8]] {
  let image = try Image(
    pixels: frame.span, layout: PixelLayout(.rgbHalf, width: width, height: height),
    color: ColorEncoding(primaries: .bt2020, transfer: .linear))
  return try [FileFormat.avif, .png, .jpeg].map {
    try SourceImage(image).converted(ConversionRequest(format: $0)).bytes
  }
}
