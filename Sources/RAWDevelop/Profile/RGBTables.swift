// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Color tables at the end of a look: for areas of semantic masks, and for the background.
///
/// Source: DNG 1.7.1, RGBTables.
struct RGBTables: Hashable, Sendable {
  /// Combination of the results of the tables.
  enum Method: Int, Hashable, Sendable {
    /// The mean weighted by masks; the remaining weight is that of the background.
    case weightedSum
    /// Each table is applied to the result of the preceding ones, weighted by its mask.
    case sequential
  }

  /// A table and its mask.
  struct Masked: Hashable, Sendable {
    /// Name of the mask, case-sensitive; `nil` for the background.
    let mask: String?
    let table: RGBTable
  }

  let method: Method
  /// Tables in the order of the file; at most one is for the background.
  let tables: [Masked]

  /// Applies the tables to a color in linear ROMM RGB, without clamping.
  ///
  /// - Parameters:
  ///   - color: A color.
  ///   - coverage: Values of masks, 0...1, by name; tables whose mask is missing have no effect.
  ///   - isHDR: Whether the profile is for values above white.
  /// - Returns: The combined color.
  func color(_ color: SIMD3<Double>, coverage: [String: Double], isHDR: Bool) -> SIMD3<Double> {
    func covered(_ table: Masked) -> Double { table.mask.flatMap { coverage[$0] } ?? 0 }
    let sum = tables.reduce(0) { $0 + covered($1) }
    let rest = 1 - min(1, sum)
    func share(_ table: Masked) -> Double { table.mask == nil ? rest : covered(table) }
    switch method {
    case .weightedSum:
      let hasBackground = tables.contains { $0.mask == nil }
      let total = tables.reduce(hasBackground ? .zero : rest * color) { total, table in
        total + share(table) * table.table.color(color, isHDR: isHDR)
      }
      return total / (sum + rest)
    case .sequential:
      return tables.reduce(color) { color, table in
        color + share(table) * (table.table.color(color, isHDR: isHDR) - color)
      }
    }
  }
}

extension RGBTables {
  /// Limit of tables.
  private static let maximumTables = 20
  private static let maximumBytes = 1 << 23

  /// Reads the tables of a profile; `nil` if the directory has none.
  ///
  /// - Throws: `.malformed` and `.truncated` for invalid tables.
  init?(_ directory: DNGDirectory) throws(ImageError) {
    let tag = TIFFTag.rgbTables
    guard let bytes = try directory.bytes(tag, atMost: Self.maximumBytes) else { return nil }
    do throws(ImageError) {
      try self.init(
        bytes, order: directory.file.byteOrder,
        fileOffset: directory.entries[tag]?.values.lowerBound ?? 0)
    } catch {
      throw (directory.path + ["tag \(tag.rawValue)"]).reversed()
        .reduce(error) { $0.inside($1) }
    }
  }

  /// Reads the value of the tag; `nil` if it has no tables.
  init?(_ bytes: [UInt8], order: TIFFFile.ByteOrder, fileOffset: Int = 0) throws(ImageError) {
    var reader = ByteReader(bytes.span, fileOffset: fileOffset, byteOrder: order)
    let (count, code) = (try reader.readInteger(), try reader.readInteger())
    guard count <= Self.maximumTables, let method = Method(rawValue: code) else {
      throw reader.error(
        .invalidValue, ["field": "color tables", "value": "\(count) tables, method \(code)"])
    }
    guard count > 0 else { return nil }
    var tables: [Masked] = []
    for _ in 0..<count {
      let name = try reader.readBytes(try reader.readInteger(bytes: 2))
      let mask = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
      guard mask != nil || tables.allSatisfy({ $0.mask != nil }) else {
        throw reader.error(
          .duplicateElement, ["element": "color table for the area outside of semantic masks"])
      }
      tables.append(Masked(mask: mask, table: try RGBTable(&reader)))
    }
    guard reader.remaining == 0 else {
      throw reader.error(
        .malformed, "{size byte} follow the last of {count color table}",
        ["size": reader.remaining, "count": count])
    }
    self.init(method: method, tables: tables)
  }
}

extension RGBTable {
  /// Reads a table without its name.
  fileprivate init(_ reader: inout ByteReader) throws(ImageError) {
    let divisions = try reader.readInteger(bytes: 1)
    let sampleType = try reader.readInteger(bytes: 1)
    let encoding = Encoding(rawValue: try reader.readInteger(bytes: 1))
    let primaries = try reader.readInteger(bytes: 1)
    let outside = try reader.readInteger(bytes: 1)
    let known: [ColorPrimaries] = [.bt709, .adobeRGB, .displayP3, .bt2020, .look]
    guard (2...32).contains(divisions), (0...2).contains(sampleType), let encoding,
      known.indices.contains(primaries), outside <= 1
    else {
      throw reader.error(
        .invalidValue, ["field": "color table", "value": "\(divisions) divisions"])
    }
    let (samples, size) = (3 * divisions * divisions * divisions, [1, 2, 4][sampleType])
    try reader.require(samples * size)
    var entries: [Float] = []
    entries.reserveCapacity(samples)
    for _ in 0..<samples {
      let code = UInt32(truncatingIfNeeded: try reader.readUnsigned(bytes: size))
      let value =
        switch size {
        case 1: Float(code) / 255
        case 2: Float(code) / 65_535
        default: Float(bitPattern: code)
        }
      guard value.isFinite else {
        throw reader.error(.valueNotFinite, ["field": "number", "value": value])
      }
      entries.append(min(max(value, 0), 1))
    }
    self.init(
      encoding: encoding, primaries: known[primaries], isExtending: outside == 1,
      divisions: divisions, entries: entries)
  }
}
