// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Data references that refer to the file itself.
///
/// Source: ISO/IEC 14496-12, 8.7.2: flag 1 of an entry of `dref`.
struct DataInformationBox {
  /// Indices of such entries, counted from 1.
  var selfContained: Set<Int> = []

  init() {}

  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError) {
    while !reader.isAtEnd {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      var content = try reader.readSlice(box.contentSize)
      guard box.type == "dref" else { continue }
      do throws(ImageError) {
        _ = try FullBoxHeader(parsing: &content)
        let count = Int(try content.readBigEndian(as: UInt32.self))
        try limits.claim(1, total: count, "data references", content)
        for number in 0..<count {
          let entry = try BoxHeader(parsing: &content, available: content.remaining)
          var body = try content.readSlice(entry.contentSize)
          let header = try FullBoxHeader(parsing: &body)
          if header.flags & 1 == 1 { selfContained.insert(number + 1) }
        }
      } catch {
        throw error.inside("dref")
      }
    }
  }
}
