// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The MPF directory of the images of a file, in an APP2 segment of the first image.
///
/// Source: CIPA DC-007 (2021), 5.2.
package struct MultiPictureFormat: Hashable, Sendable {
  /// An MP entry: one image.
  package struct Entry: Hashable, Sendable {
    /// Dependence (bits 31...30), representativeness (29), format (26...24) and type (23...0).
    package var attributes: UInt32
    /// Size in bytes, from SOI to EOI; may be outdated.
    package var size: UInt32
    /// Offset of SOI from the TIFF header of the directory, in bytes; 0 for the first image.
    package var offset: UInt32
    /// Numbers of the entries of two dependent images, counted from 1; 0 for none.
    package var dependents: [UInt16]
  }

  /// Byte order of the directory.
  package var byteOrder: TIFFFile.ByteOrder
  /// The images of the file, the first one first.
  package var entries: [Entry]
  /// Offset of the entries from the TIFF header.
  private var listOffset: Int

  private static let entryListTag = TIFFTag(rawValue: 0xB002)

  /// Parses the body of the segment, which begins with a TIFF header.
  ///
  /// - Throws: `.malformed` or `.truncated` if the list of entries is missing or invalid.
  init(parsing body: [UInt8]) throws(ImageError) {
    do throws(ImageError) {
      let file = try TIFFFile(parsing: ByteSource(body), limits: ImageLimits(items: 1 << 12))
      guard let entry = file.directories[0][Self.entryListTag], entry.type == .undefined else {
        throw ImageError(.missingElement, ["element": "the list of MPF entries"])
      }
      byteOrder = file.byteOrder
      listOffset = entry.values.lowerBound
      entries = []
      let bytes = try file.source.bytes(in: entry.values)
      var reader = ByteReader(bytes.span, fileOffset: listOffset, byteOrder: byteOrder)
      try Execution.current.budget.debit(elements: entry.count / 16, of: "MPF entries")
      for _ in 0..<entry.count / 16 {
        entries.append(
          Entry(
            attributes: UInt32(try reader.readUnsigned(bytes: 4)),
            size: UInt32(try reader.readUnsigned(bytes: 4)),
            offset: UInt32(try reader.readUnsigned(bytes: 4)),
            dependents: [
              UInt16(try reader.readUnsigned(bytes: 2)), UInt16(try reader.readUnsigned(bytes: 2)),
            ]))
      }
    } catch {
      throw error.inside("MPF")
    }
  }

  /// Bytes of a segment body other than zeros that no entry of the standard refers to.
  static func unknownBytes(of body: [UInt8]) -> [UInt8] {
    guard let file = try? TIFFFile(parsing: ByteSource(body), limits: ImageLimits(items: 1 << 12))
    else { return body }
    var known = [0..<8]
    for directory in file.directories {
      known.append(directory.offset..<directory.offset + 6 + 12 * directory.entries.count)
      known += directory.entries.filter {
        isKnown($0.tag.rawValue) && $0.values.upperBound <= body.count
      }.map(\.values)
    }
    return SortedRanges(joining: known).removed(from: body.indices).flatMap { body[$0] }
      .filter { $0 != 0 }
  }

  /// Whether a tag is one of the index or of the attributes.
  ///
  /// Source: CIPA DC-007 (2021), tables 3 and 6.
  private static func isKnown(_ tag: UInt16) -> Bool {
    (0xB000...0xB004).contains(tag) || tag == 0xB101 || (0xB201...0xB20E).contains(tag)
  }

  /// Creates a directory of `count` images; sizes and offsets are 0.
  init(count: Int) {
    byteOrder = .bigEndian
    listOffset = 50
    entries = (0..<count).map { index in
      // Type 0x030000 is Baseline MP Primary Image; 0 is Undefined, which is used for gain maps.
      Entry(attributes: index == 0 ? 0x0003_0000 : 0, size: 0, offset: 0, dependents: [0, 0])
    }
  }

  /// A segment body with the entries alone, without identifiers of the images.
  var minimal: [UInt8] {
    var copy = Self(count: entries.count)
    copy.entries = entries
    return copy.serialized()
  }

  /// Serializes a segment body with these entries only.
  func serialized() -> [UInt8] {
    var writer = ByteWriter()
    writer.write("MM")
    writer.writeBigEndian(42 as UInt16)
    writer.writeBigEndian(8 as UInt32)
    writer.writeBigEndian(3 as UInt16)
    writer.write(ifdEntry(tag: 0xB000, type: .undefined, count: 4))
    writer.write("0100")
    writer.write(ifdEntry(tag: 0xB001, type: .long, count: 1))
    writer.writeBigEndian(UInt32(entries.count))
    writer.write(ifdEntry(tag: 0xB002, type: .undefined, count: 16 * entries.count))
    writer.writeBigEndian(UInt32(listOffset))
    writer.writeBigEndian(0 as UInt32)
    for entry in entries { writer.write(bytes(of: entry)) }
    return writer.bytes
  }

  /// Returns `body`, from which this directory was parsed, with the present entries.
  func patched(_ body: [UInt8]) -> [UInt8] {
    var patched = body
    for (index, entry) in entries.enumerated() {
      let start = listOffset + 16 * index
      patched.replaceSubrange(start..<start + 16, with: bytes(of: entry))
    }
    return patched
  }

  private func ifdEntry(tag: UInt16, type: TIFFEntry.ValueType, count: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeBigEndian(tag)
    writer.writeBigEndian(type.rawValue)
    writer.writeBigEndian(UInt32(count))
    return writer.bytes
  }

  private func bytes(of entry: Entry) -> [UInt8] {
    let longs = [entry.attributes, entry.size, entry.offset].map { $0.bytes(byteOrder) }
    return (longs + entry.dependents.map { $0.bytes(byteOrder) }).flatMap { $0 }
  }
}

extension FixedWidthInteger {
  fileprivate func bytes(_ order: TIFFFile.ByteOrder) -> [UInt8] {
    var writer = ByteWriter()
    if order == .bigEndian { writer.writeBigEndian(self) } else { writer.writeLittleEndian(self) }
    return writer.bytes
  }
}
