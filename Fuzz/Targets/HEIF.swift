// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Maximum size of items whose data are read, in bytes.
private let longestItem = 1 << 20

/// Parses the item graph of HEIF and AVIF files, serializes it, and parses it again.
func exerciseHEIF(_ bytes: [UInt8]) throws {
  let file = try HEIFFile(parsing: ByteSource(bytes))
  for item in file.items.prefix(64) {
    var notices: [Notice] = []
    _ = item.lightMetadata(notices: &notices)
    _ = item.icc
    if let size = item.property(ImageSpatialExtentsBox.self) {
      _ = try? ItemGeometry(
        width: Int(size.width), height: Int(size.height), properties: item.properties)
    }
    exerciseData(of: item, in: file)
    if let standalone = try? file.standalone(item.id), let bytes = try? standalone.serialized() {
      _ = try must("an image taken out is a file") { try HEIFFile(parsing: ByteSource(bytes)) }
    }
  }
  guard let written = try? file.serialized() else { return }
  let again = try must("a written file is readable") {
    try HEIFFile(parsing: ByteSource(written))
  }
  var expected = file
  expected.layout.surplus = []
  try require(again == expected, "a file that is written is equal")
}

private func exerciseData(of item: HEIFItem, in file: HEIFFile) {
  guard let parts = try? file.dataParts(of: item.id),
    parts.reduce(0, { $0 + $1.count }) <= longestItem, let data = try? file.data(of: item.id)
  else { return }
  switch item.type {
  case "grid": _ = try? ImageGrid(parsing: data)
  case "iovl":
    let count = file.references(from: item.id, type: "dimg").count
    _ = try? ImageOverlay(parsing: data, count: count)
  case "Exif": _ = try? file.exif(ofItem: item.id)
  case "av01": _ = try? AV1SequenceHeader(ofItem: data)
  default: break
  }
}
