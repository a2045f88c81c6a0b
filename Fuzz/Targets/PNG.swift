// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Parses PNG chunks: order, checksums, contents, and compressed text and profiles.
func exercisePNG(_ bytes: [UInt8]) throws {
  let file = try PNGFile(parsing: ByteSource(bytes))
  var notices: [Notice] = []
  _ = try file.lightMetadata(notices: &notices)
  _ = try file.content(PNGCodePoints.self, notices: &notices)
  _ = try file.content(PNGGamma.self, notices: &notices)
  _ = try file.content(PNGChromaticities.self, notices: &notices)
  _ = try file.content(PNGStandardRGB.self, notices: &notices)
  _ = try file.content(PNGSignificantBits.self, notices: &notices)
  _ = try file.content(PNGPalette.self, notices: &notices)
  _ = try file.content(PNGTransparency.self, notices: &notices)
  _ = try file.content(PNGPixelSize.self, notices: &notices)
  _ = try? file.exif()
  _ = try? file.profile()
  _ = try? file.xmp()

  let written = try file.serialized().allBytes()
  let again = try must("a written file is readable") {
    try PNGFile(parsing: ByteSource(written))
  }
  try require(again.chunks.map(\.type) == file.chunks.map(\.type), "chunks keep their order")

  var tagged = file
  tagged.set(PNGCodePoints(.bt2020PQ))
  tagged.setXMP(XMPPacket.empty)
  let retagged = try tagged.serialized().allBytes()
  let read = try must("a tagged file is readable") {
    try PNGFile(parsing: ByteSource(retagged))
  }
  try require(try read.content(PNGCodePoints.self)?.cicp == .bt2020PQ, "a new chunk is read")
  try require(try read.xmp() == XMPPacket.empty, "a new text is read")
}

extension CICP {
  fileprivate static let bt2020PQ = CICP(
    primaries: .bt2020, transfer: .pq, matrix: .identity, isFullRange: true)
}
