// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFFile {
  /// Media type of XMP packets.
  package static let xmpContentType = "application/rdf+xml"

  /// Adds Exif that describes items.
  ///
  /// The data of Exif and XMP are stored in `mdat`, because old readers warn about metadata in
  /// `idat`.
  ///
  /// - Parameters:
  ///   - tiff: Exif from its TIFF header on.
  ///   - ids: Identifiers of the images that it describes.
  package mutating func addExif(_ tiff: [UInt8], describing ids: [UInt32]) {
    let id = addItem("Exif", isHidden: true, data: .file(ExifBlock.dataBlock(tiff)))
    addReference("cdsc", from: id, to: ids)
  }

  /// Adds an XMP packet (UTF-8) that describes items.
  package mutating func addXMP(_ packet: [UInt8], describing ids: [UInt32]) {
    let id = addItem(
      "mime", isHidden: true, contentType: Self.xmpContentType, data: .file(packet))
    addReference("cdsc", from: id, to: ids)
  }

  /// Returns the metadata items of a type that refer to an item by `cdsc`, in file order.
  package func metadataItems(describing id: UInt32, type: FourCC) -> [HEIFItem] {
    let describing = Set(references(to: id, type: "cdsc"))
    return items.filter { $0.type == type && describing.contains($0.id) }
  }

  /// Returns the XMP items that refer to an item by `cdsc`, in file order.
  package func xmpItems(describing id: UInt32) -> [HEIFItem] {
    metadataItems(describing: id, type: "mime").filter { $0.contentType == Self.xmpContentType }
  }

  /// Returns the content of an Exif item, from the TIFF header on.
  ///
  /// - Throws: Errors of `data(of:)`; `.malformed` if the header offset exceeds the data.
  ///
  /// Source: ISO/IEC 23008-12, A.2.1.
  package func exif(ofItem id: UInt32) throws(ImageError) -> [UInt8] {
    try withData(of: id, copies: 2) { bytes throws(ImageError) in
      try ExifBlock.content(ofDataBlock: bytes, at: .init(path: ["item \(id)", "Exif"]))
    }
  }
}
