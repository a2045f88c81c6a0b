// SPDX-License-Identifier: Apache-2.0
internal import Conformance
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Opens an image file without decoding samples.
func exerciseOpening(_ bytes: [UInt8]) throws {
  _ = try SourceImage.open(ByteSource(bytes), options: OpeningOptions())
}

/// Decodes Radiance files, which does not involve a third-party library.
func exerciseRadiance(_ bytes: [UInt8]) throws {
  let limits = ImageLimits(pixels: 1 << 20, side: 1 << 12)
  let document = try SourceImage.open(
    ByteSource(bytes), options: OpeningOptions(limits: limits))
  guard document.format == .radiance else { return }
  let reader = try document.image.makeReader()
  for row in 0..<min(document.image.layout.height, 64) { _ = try reader.read(rows: row..<row + 1) }
  _ = try reader.read(rows: 0..<1)
}

/// Applies all conformance rules that do not require decoded samples.
func exerciseValidation(_ bytes: [UInt8]) throws {
  _ = try? exerciseOpening(bytes)
  let checked = try CheckedFile(ImageFile(parsing: ByteSource(bytes)))
  _ = checked.applicableStandards
  _ = checked.judgments(by: Set(Standard.allCases).subtracting([.iso22028]))
}
