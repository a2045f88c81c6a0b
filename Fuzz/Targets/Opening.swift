// SPDX-License-Identifier: Apache-2.0
internal import Conformance
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import RAWDevelop

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
  _ = try checked.judgments(by: Set(Standard.allCases).subtracting([.iso22028]))
}

/// Reports contents and structure of files of all formats.
func exerciseInspection(_ bytes: [UInt8]) throws {
  let limits = ImageLimits(pixels: 1 << 24, memory: 1 << 24)
  let file = try opened(bytes, limits)
  _ = try? file.structure()
  _ = (try file.attachments, try file.depthMapNotices)
  if let embedded = try? EmbeddedRawImages(file) {
    _ = try? embedded.preview()
    for name in try embedded.matteNames { _ = try? embedded.matte(named: name) }
  }
  let contents = try file.contentsWithRaw().file
  for image in contents.images {
    _ = (image.isHighDynamicRange, image.isRaw, image.isCMYK)
  }
  _ = (contents.isHighDynamicRange, contents.gainMap)
}

/// Parses the boxes of Canon CR3 files.
func exerciseCR3(_ bytes: [UInt8]) throws {
  let file = try ImageFile(parsing: ByteSource(bytes))
  guard file.format == .cr3 else { return }
  _ = try? file.structure()
  let contents = try file.contents()
  try require(!contents.images.isEmpty, "a CR3 file has an image")
}

/// Parses SMPTE ST 2094-50 metadata, serializes it, and parses it again.
func exerciseAdaptation(_ bytes: [UInt8]) throws {
  _ = try? HeadroomAdaptation(parsingT35: bytes)
  let adaptation = try HeadroomAdaptation(parsing: bytes)
  guard let written = try? adaptation.serialized() else { return }
  let again = try must("written metadata are readable") {
    try HeadroomAdaptation(parsing: written)
  }
  try require(try again.serialized() == written, "written metadata are the same")
  if let message = try? adaptation.t35Payload() {
    try require(try HeadroomAdaptation(parsingT35: message) != nil, "a message is recognized")
  }
}
