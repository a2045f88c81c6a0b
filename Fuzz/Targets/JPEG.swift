// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Parses segments, image directories and the data after the first image of a JPEG file.
func exerciseJPEG(_ bytes: [UInt8]) throws {
  // Without EOI, the scans are decoded.
  if bytes.suffix(2) == [0xFF, 0xD9] {
    _ = try? JPEGFile(parsing: ByteSource(Array(bytes.dropLast(2))))
  }
  let file = try JPEGFile(parsing: ByteSource(bytes))
  var notices: [Notice] = []
  for image in file.images.prefix(16) {
    _ = try? image.xmp(notices: &notices)
    _ = image.profile(notices: &notices)
    _ = try? image.multiPicture()
    _ = image.exif.flatMap { try? ExifBlock(parsing: $0) }
    _ = (image.adobeTransform, image.isoGainMap)
  }
  // An image without EOI gets one.
  let hasEnds = !file.images.contains { image in
    image.notices.contains { $0.code.id == "jpeg/end-missing" }
  }
  let unchanged = try file.serialized().allBytes()
  try require(unchanged == bytes || !hasEnds, "an unchanged file keeps its bytes")

  var longer = file
  try longer.primary.setExif(ExifBlock.minimal(orientation: .rotated90))
  let written = try longer.serialized().allBytes()
  let again = try must("a written file is readable") {
    try JPEGFile(parsing: ByteSource(written))
  }
  try require(
    again.primary.exif.flatMap { try? ExifBlock(parsing: $0) }?.orientation == .rotated90,
    "what is written is read")
  try require(again.primary.scans.count == file.primary.scans.count, "scans stay")
}
