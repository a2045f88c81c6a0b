// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// The AVIF file, PQ in BT.2020, of an image in any format; a gain map is applied in full.
func pqAVIF(from photo: Data) throws -> [UInt8] {
  let image = try SourceImage.open(ByteSource(photo))
  let file = MemorySink()
  _ = try ImageConverter(ConversionOptions(format: .avif)).write(image, to: file)
  return file.bytes
}
