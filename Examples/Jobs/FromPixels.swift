// SPDX-License-Identifier: Apache-2.0
import HDRConversion

/// A PQ file of interleaved linear RGB, where 1.0 is reference white (203 cd/m²); MaxCLL and MaxFALL
/// are measured.
func pqFile(_ format: FileFormat, of floats: [Float], width: Int, height: Int) throws -> [UInt8] {
  let image = try Image(
    pixels: floats.span, layout: PixelLayout(.rgbFloat, width: width, height: height),
    color: ColorEncoding(primaries: .bt2020, transfer: .linear))
  return try SourceImage(image).converted(ConversionRequest(format: format)).bytes
}
