// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Parses the boxes and the image header of JPEG XL files.
func exerciseJPEGXL(_ bytes: [UInt8]) throws {
  _ = try? JPEGXLColorEncoding(parsing: bytes)
  if let map = try? JPEGXLGainMapBox(parsing: SourceBytes(bytes)) { _ = try? map.imageHeader() }
  let file = try JPEGXLFile(parsing: ByteSource(bytes))
  _ = try? file.exif()
  _ = try? file.xmp()
  _ = try? file.profileSize()
  _ = try? file.profile(limit: 1 << 20)
  try exerciseHeader(of: file)
  _ = try GainMapInventory(of: file)
  _ = try? Brotli.decompress(bytes, limit: 1 << 20)
  try exerciseEdits(of: file)
}

/// Changes the header of the codestream; only the changed fields differ, and the data after it are
/// the same.
private func exerciseHeader(of file: JPEGXLFile) throws {
  guard file.damage.isEmpty, let header = try? file.imageHeader(), header.byteCount != nil else {
    return
  }
  let hlg = CICP(primaries: .displayP3, transfer: .hlg, matrix: .identity, isFullRange: true)
  var edited = file
  let orientation = header.orientation.followed(by: .rotated90)
  let cicp = !header.color.hasProfile && header.color.canStore(hlg) ? hlg : nil
  try must("a header is written again") {
    try edited.setHeader(orientation: orientation, cicp: cicp)
  }
  try edited.setGainMapOrientation(orientation)
  let written = try must("a file with a new header is readable") {
    try JPEGXLFile(parsing: ByteSource(try edited.spliced()))
  }
  let changed = try must("a new header is readable") { try written.imageHeader() }
  try require(changed.orientation == orientation, "the orientation is the new one")
  try require(cicp == nil || changed.color.transfer == .hlg, "the color is the new one")
  try require(
    changed.width == header.width && changed.height == header.height
      && changed.preview == header.preview && changed.extraChannels == header.extraChannels
      && changed.depth == header.depth && changed.isXYB == header.isXYB
      && changed.toneMapping == header.toneMapping && changed.isAnimation == header.isAnimation,
    "other fields are unchanged")
  try require(try data(written) == data(file), "data after the header are unchanged")
  try must("a header is restored") { try edited.setHeader(orientation: header.orientation) }
  try require(
    try edited.imageHeader().orientation == header.orientation, "the orientation is restored")
}

private func data(_ file: JPEGXLFile) throws -> [UInt8] {
  try file.codedData.flatMap { try $0.bytes() }
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
