// SPDX-License-Identifier: Apache-2.0
import HDRConversion

/// An Ultra HDR JPEG of an SDR image in Display P3 (RGB of 8 bits) and its HDR rendition (linear RGB).
func ultraHDR(sdr: [UInt8], hdr: [Float], width: Int, height: Int) throws -> [UInt8] {
  let standard = try Image(
    pixels: sdr.span, layout: PixelLayout(.rgb8, width: width, height: height),
    color: ColorEncoding(primaries: .displayP3, transfer: .srgb))
  let high = try Image(
    pixels: hdr.span, layout: PixelLayout(.rgbFloat, width: width, height: height),
    color: ColorEncoding(primaries: .displayP3, transfer: .linear))
  let encoder = try GainMapEncoder(GainMapEncoder.Options(format: .jpeg))
  let file = try encoder.run(hdr: SourceImage(high), sdr: SourceImage(standard))
  return try ByteSource(file.bytes).allBytes()
}
