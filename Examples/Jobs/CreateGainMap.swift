// SPDX-License-Identifier: Apache-2.0
import HDRConversion

/// Writes an Ultra HDR JPEG of an HDR image and its SDR rendition from another file.
func writeUltraHDR(_ hdr: String, sdr: String, to jpeg: String) throws {
  var request = ConversionRequest(content: .gainMap)
  request.companions.standard = sdr
  try ImageFile(path: hdr).convert(to: jpeg, request)
}

/// An Ultra HDR JPEG of an SDR image in Display P3 (RGB of 8 bits) and its HDR rendition (linear RGB).
func ultraHDR(sdr: [UInt8], hdr: [Float], width: Int, height: Int) throws -> [UInt8] {
  let standard = try Image(
    pixels: sdr.span, layout: PixelLayout(.rgb8, width: width, height: height),
    color: ColorEncoding(primaries: .displayP3, transfer: .srgb))
  let high = try Image(
    pixels: hdr.span, layout: PixelLayout(.rgbFloat, width: width, height: height),
    color: ColorEncoding(primaries: .displayP3, transfer: .linear))
  let request = ConversionRequest(format: .jpeg, content: .gainMap)
  return try SourceImage(high).plan(for: request, standard: SourceImage(standard)).bytes().bytes
}
