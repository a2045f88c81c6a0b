// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// References of a type from one item to others (a box in `iref`); their order is significant.
///
/// Source: ISO/IEC 14496-12, 8.11.12.
package struct ItemReference: Hashable, Sendable {
  /// Reference type: `dimg` from a derived image to its inputs, `auxl` from an auxiliary image to
  /// its master image, `cdsc` from metadata to the described item, `thmb` from a thumbnail to its
  /// master image, `prem` from a premultiplied image to its alpha.
  package var type: FourCC
  /// Identifier of the referring item.
  package var from: UInt32
  /// Identifiers of the referenced items, in order.
  package var to: [UInt32]

  package init(type: FourCC, from: UInt32, to: [UInt32]) {
    self.type = type
    self.from = from
    self.to = to
  }
}

/// All references between items.
///
/// Source: ISO/IEC 14496-12, 8.11.12.
package struct ItemReferenceBox: LimitedBoxContent {
  package static let boxType: FourCC = "iref"

  package var references: [ItemReference]
  /// Bytes after the fields of references, which are not written.
  var surplus: [UInt8] = []

  package init(references: [ItemReference]) { self.references = references }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError) {
    let header = try FullBoxHeader(parsing: &reader)
    try header.require(version: 0...1, reader)
    let isWide = header.version == 1
    references = []
    var total = 0
    while !reader.isAtEnd {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      var content = try reader.readSlice(box.contentSize)
      do throws(ImageError) {
        var reference = ItemReference(
          type: box.type, from: try content.readItemID(isWide: isWide), to: [])
        let count = Int(try content.readBigEndian(as: UInt16.self))
        total += 1 + count
        try limits.claim(1 + count, total: total, "references", content)
        for _ in 0..<count { reference.to.append(try content.readItemID(isWide: isWide)) }
        references.append(reference)
        surplus += content.readRest()
      } catch {
        throw error.inside(box.type.description)
      }
    }
  }

  package func write(to writer: inout ByteWriter) {
    let isWide = references.contains { $0.from > UInt16.max || $0.to.contains { $0 > UInt16.max } }
    FullBoxHeader(version: isWide ? 1 : 0).write(to: &writer)
    for reference in references {
      writer.writeBox(reference.type) { writer in
        writer.writeItemID(reference.from, isWide: isWide)
        writer.writeBigEndian(UInt16(reference.to.count))
        for id in reference.to { writer.writeItemID(id, isWide: isWide) }
      }
    }
  }
}
