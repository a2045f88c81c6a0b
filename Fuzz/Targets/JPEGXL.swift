// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Parses the boxes and the image header of JPEG XL files.
func exerciseJPEGXL(_ bytes: [UInt8]) throws {
  _ = try? JPEGXLColorEncoding(parsing: bytes)
  if let map = try? JPEGXLGainMapBox(parsing: SourceBytes(bytes)) { _ = try? map.imageHeader() }
  let file = try JPEGXLFile(parsing: ByteSource(bytes))
  _ = try? file.exif()
  _ = try? file.xmp()
  _ = try? file.imageHeader()
  _ = GainMapInventory(of: file)
  _ = try? Brotli.decompress(bytes, limit: 1 << 20)
  try exerciseEdits(of: file)
}

/// Replaces metadata and gain map; other boxes and the codestream must stay the same.
private func exerciseEdits(of file: JPEGXLFile) throws {
  guard file.damage.isEmpty else { return }
  let codestream = try file.wholeCodestream()
  var edited = file
  edited.setXMP([0x3C])
  edited.setBox(JPEGXLGainMapBox.boxType, [0, 0, 0], followsCodestream: true)
  let written = try must("an edited file is readable") {
    try JPEGXLFile(parsing: ByteSource(try edited.spliced()))
  }
  try require(try written.xmp() == [0x3C], "the XMP packet is the new one")
  try require(try written.wholeCodestream() == codestream, "the codestream is unchanged")
}
