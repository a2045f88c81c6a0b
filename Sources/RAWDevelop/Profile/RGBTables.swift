// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import PixelKernels
internal import Platform

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

/// A color lookup table by red, green and blue.
///
/// Source: DNG 1.7.1, RGBTables; interpolation and the toes of powers as in Adobe's
/// SDK.
struct RGBTable: Hashable, Sendable {
  /// Encoding of the components of indices and entries.
  enum Encoding: Int, Hashable, Sendable, CaseIterable {
    case linear, sRGB, power18, power22, bt2020
  }

  let encoding: Encoding
  let primaries: ColorPrimaries
  /// Whether the out-of-gamut part of a color is kept instead of clipped.
  let isExtending: Bool
  /// Entries per side.
  let divisions: Int
  /// Red, green and blue of each entry, 0...1; red varies slowest.
  let entries: [Float]

  init(
    encoding: Encoding, primaries: ColorPrimaries, isExtending: Bool, divisions: Int,
    entries: [Float]
  ) {
    precondition(divisions >= 2 && entries.count == 3 * divisions * divisions * divisions)
    self.encoding = encoding
    self.primaries = primaries
    self.isExtending = isExtending
    self.divisions = divisions
    self.entries = entries
  }

  /// Linear ROMM RGB to the linear primaries of the table.
  var toPrimaries: Matrix3x3 { ColorPrimaries.look.conversion(to: primaries) }

  /// Applies the table to a color in linear ROMM RGB, without clamping.
  ///
  /// - Parameters:
  ///   - color: A color.
  ///   - isHDR: Whether the profile is for values above white, which are compressed for the table.
  /// - Returns: The color of the table.
  func color(_ color: SIMD3<Double>, isHDR: Bool) -> SIMD3<Double> {
    func each(_ color: SIMD3<Double>, _ change: (Double) -> Double) -> SIMD3<Double> {
      SIMD3(change(color.x), change(color.y), change(color.z))
    }
    let linear = toPrimaries * color
    let whole = isHDR ? each(linear, ExtendedRange.compressed) : linear
    let inside = whole.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1))
    var found = each(entry(at: each(inside, encoding.encode)), encoding.decode)
    if isExtending { found += whole - inside }
    return toPrimaries.inverse * (isHDR ? each(found, ExtendedRange.expanded) : found)
  }

  /// Tetrahedral interpolation of entries.
  func entry(at place: SIMD3<Double>) -> SIMD3<Double> {
    let scaled = place * Double(divisions - 1)
    let strides = [3 * divisions * divisions, 3 * divisions, 3]
    var index = 0
    var shares: [(share: Double, stride: Int)] = []
    for (component, stride) in strides.enumerated() {
      let first = min(max(Int(clamping: scaled[component]), 0), divisions - 2)
      index += first * stride
      shares.append((scaled[component] - Double(first), stride))
    }
    func entry(_ index: Int) -> SIMD3<Double> {
      SIMD3(Double(entries[index]), Double(entries[index + 1]), Double(entries[index + 2]))
    }
    var result = entry(index)
    for (share, stride) in shares.sorted(by: { $0.share > $1.share }) {
      result += share * (entry(index + stride) - entry(index))
      index += stride
    }
    return result
  }
}

extension RGBTable.Encoding {
  /// Source: Adobe's SDK for the powers, whose toe is a cubic with slope 32 at 0.
  func encode(_ linear: Double) -> Double {
    switch self {
    case .linear: linear
    case .sRGB: SRGB.inverseEOTF(linear)
    case .power18, .power22: linear > toe ? pow(linear, 1 / gamma) : cubic(linear)
    case .bt2020:
      linear < Self.bt2020Toe
        ? 4.5 * linear : Self.bt2020Scale * pow(linear, 0.45) + 1 - Self.bt2020Scale
    }
  }

  func decode(_ signal: Double) -> Double {
    switch self {
    case .linear: signal
    case .sRGB: SRGB.eotf(signal)
    case .power18, .power22: linear(signal)
    case .bt2020:
      signal < 4.5 * Self.bt2020Toe
        ? signal / 4.5 : pow((signal - 1 + Self.bt2020Scale) / Self.bt2020Scale, 1 / 0.45)
    }
  }

  /// Source: Recommendation ITU-R BT.2020, table 4, with more digits.
  private static let bt2020Scale = 1.099_296_826_809_44
  private static let bt2020Toe = 0.018_053_968_510_807

  private func linear(_ signal: Double) -> Double {
    guard signal < pow(toe, 1 / gamma) else { return pow(signal, gamma) }
    var (low, high) = (0.0, toe)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if cubic(middle) < signal { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private var gamma: Double { self == .power18 ? 1.8 : 2.2 }

  /// Lower limit of the power.
  private var toe: Double { self == .power18 ? 8.211_879_055_2e-4 : 0.003_480_073_1 }

  /// The cubic toe: slope 32 at 0, joined smoothly to the power.
  private func cubic(_ linear: Double) -> Double {
    let end = pow(toe, 1 / gamma)
    let (startSlope, endSlope) = (32 * toe, end / gamma)
    let t = linear / toe
    return t
      * (startSlope + t * (3 * end - 2 * startSlope - endSlope)
        + t * t * (startSlope + endSlope - 2 * end))
  }
}

/// An `RGBTable` on rows.
struct RGBTableRows: Sendable {
  private let table: RGBTable
  private let isHDR: Bool
  private let toPrimaries: [Float]
  private let fromPrimaries: [Float]
  private let encode: SampledFunction<Float>?
  private let decode: SampledFunction<Float>?

  init(_ table: RGBTable, isHDR: Bool) {
    self.table = table
    self.isHDR = isHDR
    toPrimaries = table.toPrimaries.elements.map(Float.init)
    fromPrimaries = table.toPrimaries.inverse.elements.map(Float.init)
    func sampled(_ definition: (Double) -> Double) -> SampledFunction<Float>? {
      table.encoding == .linear
        ? nil
        : SampledFunction(octaves: -20..<1, stepsPerOctave: 512, largest: 1, definition: definition)
    }
    encode = sampled { table.encoding.encode($0) }
    decode = sampled { table.encoding.decode($0) }
  }

  private static let compress = SampledFunction(
    octaves: -20..<20, stepsPerOctave: 512, definition: ExtendedRange.compressed)
  private static let expand = SampledFunction(
    octaves: -20..<20, stepsPerOctave: 512, definition: ExtendedRange.expanded)

  func apply(to row: inout LinearRow) {
    row.multiply(by: toPrimaries)
    if isHDR { Self.compress.apply(to: &row) }
    let whole = row
    row.pin(to: 1)
    var outside = table.isExtending ? whole : nil
    outside?.subtract(row)
    encode?.apply(to: &row)
    unsafe row.withPointers { red, green, blue, count in
      unsafe table.entries.withUnsafeBufferPointer { entries in
        guard let entries = entries.baseAddress else { return }
        // SAFETY: the rows have `count` samples; the table has three components for each entry.
        unsafe pk_rgb_table(red, green, blue, count, entries, Int32(table.divisions))
      }
    }
    decode?.apply(to: &row)
    if let outside { row.add(outside) }
    if isHDR { Self.expand.apply(to: &row) }
    row.multiply(by: fromPrimaries)
  }
}

extension SampledFunction<Float> {
  fileprivate func apply(to row: inout LinearRow) {
    apply(to: &row.red)
    apply(to: &row.green)
    apply(to: &row.blue)
  }
}

extension LinearRow {
  /// Clamps components to 0...peak.
  mutating func pin(to peak: Float) {
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows have `count` samples.
      unsafe pk_pin(red, green, blue, count, peak)
    }
  }

  fileprivate mutating func subtract(_ row: LinearRow) {
    for x in red.indices {
      red[x] -= row.red[x]
      green[x] -= row.green[x]
      blue[x] -= row.blue[x]
    }
  }

  fileprivate mutating func add(_ row: LinearRow) {
    for x in red.indices {
      red[x] += row.red[x]
      green[x] += row.green[x]
      blue[x] += row.blue[x]
    }
  }
}
