// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Parses TIFF directories, as a file and as an Exif block, and edits the latter; and searches bytes
/// of other formats for a location.
func exerciseExif(_ bytes: [UInt8]) throws {
  _ = (try LocationEvidence.isPresent(in: bytes), try JUMBF.mayContainLocation(bytes))
  if let file = try? TIFFFile(parsing: ByteSource(bytes)) {
    for directory in file.directories.prefix(16) { exercise(directory, of: file) }
  }
  let block = try ExifBlock(parsing: ExifBlock.withoutPrefix(bytes))
  _ = (block.orientation, block.isMarkedSRGB, block.thumbnail, block.exposure)
  _ = (try block.text(.make), block.number(.exposureTime))
  _ = try AppleMakerNote(block)
  if try block.hasLocation {
    let isFound = try LocationEvidence.isPresent(in: block.bytes)
    try require(isFound, "a location is found in any bytes")
  }

  var rotated = block
  if (try? rotated.setOrientation(.rotated270)) != nil {
    let again = try must("rotated Exif is readable") { try ExifBlock(parsing: rotated.bytes) }
    try require(again.orientation == .rotated270, "a new orientation is read")
  }
  var anonymous = block
  if (try? anonymous.removeLocation()) != nil {
    let again = try must("Exif without location is readable") {
      try ExifBlock(parsing: anonymous.bytes)
    }
    let isLeft = try again.hasLocation
    try require(!isLeft, "no location is left")
  }
  var notices: [Notice] = []
  let fitted = try? ExifBlock.fitted(
    block.bytes, width: 8, height: 4, keepsThumbnail: false, notices: &notices)
  if let fitted {
    let again = try must("Exif of a resized image is readable") { try ExifBlock(parsing: fitted) }
    try require(again.thumbnail == nil, "no thumbnail is left")
  }
  var noted = block.bytes
  if (try? AppleMakerNote(hdrHeadroom: 1, hdrGain: 0.5).write(into: &noted)) != nil {
    let again = try must("Exif with a maker note is readable") { try ExifBlock(parsing: noted) }
    try require(AppleMakerNote(again)?.hdrGain == 0.5, "a new maker note is read")
  }
}

private func exercise(_ directory: TIFFDirectory, of file: TIFFFile) {
  for entry in directory.entries.prefix(256) {
    _ = try? file.bytes(of: entry)
    _ = try? file.unsigned(entry)
    _ = try? file.numbers(entry)
    _ = try? file.text(entry)
    if entry.tag == .subdirectories || entry.tag == .exifDirectory {
      _ = try? file.subdirectories(entry)
    }
  }
}
