// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

/// Local tone curves: at each point of a grid, a table of gains by brightness.
///
/// Source: DNG 1.7.1, ProfileGainTableMap and ProfileGainTableMap2.
struct GainTableMap: Hashable, Sendable {
  let rows: Int
  let columns: Int
  /// Number of gains in each table.
  let tableSize: Int
  /// Vertical and horizontal spacing of points, as shares of the height and the width of the image.
  let spacing: SIMD2<Double>
  let origin: SIMD2<Double>
  /// Weights of red, green, blue, their minimum and their maximum in brightness.
  let weights: [Double]
  /// Exponent of the brightness that selects gains.
  let gamma: Double
  /// Gains, row by row, with the table of a point contiguous.
  private(set) var gains: [Float]

  init(
    rows: Int, columns: Int, tableSize: Int, spacing: SIMD2<Double>, origin: SIMD2<Double>,
    weights: [Double], gamma: Double = 1, gains: [Float]
  ) {
    precondition(rows >= 1 && columns >= 1 && tableSize >= 1 && weights.count == 5)
    precondition(gains.count == rows * columns * tableSize)
    self.rows = rows
    self.columns = columns
    self.tableSize = tableSize
    self.spacing = spacing
    self.origin = origin
    self.weights = weights
    self.gamma = gamma
    self.gains = gains
  }

  /// The map with each gain to the power of `amount`: 1 is the map itself, 0 the identity.
  func scaled(by amount: Double) -> GainTableMap {
    guard amount != 1 else { return self }
    var map = self
    map.gains = gains.map { amount == 0 ? 1 : Float(pow(Double($0), amount)) }
    return map
  }

  /// A position between two points.
  struct Position: Hashable, Sendable {
    var index: Int
    var next: Int
    var share: Double
  }

  /// Position of a row whose center is at `y` of `height`.
  func position(row y: Double, of height: Int) -> Position {
    Self.position(y, of: height, spacing: spacing.x, origin: origin.x, points: rows)
  }

  /// Position of a column whose center is at `x` of `width`.
  func position(column x: Double, of width: Int) -> Position {
    Self.position(x, of: width, spacing: spacing.y, origin: origin.y, points: columns)
  }

  private static func position(
    _ center: Double, of count: Int, spacing: Double, origin: Double, points: Int
  ) -> Position {
    let relative = center / Double(count)
    let place = min(max((relative - origin) / spacing, 0), Double(points - 1))
    let first = Int(clamping: place)
    return Position(index: first, next: min(first + 1, points - 1), share: place - Double(first))
  }

  /// Brightness of a linear color with baseline exposure, which selects its gain: 0 to 1.
  func brightness(of color: SIMD3<Double>) -> Double {
    let sum =
      weights[0] * color.x + weights[1] * color.y + weights[2] * color.z
      + weights[3] * color.min() + weights[4] * color.max()
    return pow(min(max(sum, 0), 1), gamma)
  }

  /// The gain for a brightness at a position, interpolated trilinearly.
  func gain(_ brightness: Double, row: Position, column: Position) -> Double {
    // By definition scaled by the size of the table, not by the last index.
    let index = brightness * Double(tableSize)
    let first = min(Int(clamping: index), tableSize - 1)
    let next = min(first + 1, tableSize - 1)
    func between(_ a: Double, _ b: Double, _ share: Double) -> Double { a + (b - a) * share }
    func point(_ row: Int, _ column: Int) -> Double {
      let table = (row * columns + column) * tableSize
      return between(
        Double(gains[table + first]), Double(gains[table + next]), index - Double(first))
    }
    return between(
      between(point(row.index, column.index), point(row.index, column.next), column.share),
      between(point(row.next, column.index), point(row.next, column.next), column.share),
      row.share)
  }
}

extension GainTableMap {
  /// Limit of gains, above those of any file.
  private static let maximumGains = 1 << 24
  private static let maximumBytes = 1 << 27

  /// Reads the map of a tag; `nil` if the directory lacks it.
  ///
  /// - Throws: `.malformed` and `.truncated` for an invalid map.
  init?(_ directory: DNGDirectory, _ tag: TIFFTag) throws(ImageError) {
    guard let bytes = try directory.bytes(tag, atMost: Self.maximumBytes) else { return nil }
    do throws(ImageError) {
      try self.init(
        bytes, order: directory.file.byteOrder, isSecond: tag == .profileGainTableMap2,
        fileOffset: directory.entries[tag]?.values.lowerBound ?? 0)
    } catch {
      throw (directory.path + ["tag \(tag.rawValue)"]).reversed()
        .reduce(error) { $0.inside($1) }
    }
  }

  /// Reads the value of a tag.
  ///
  /// - Parameters:
  ///   - bytes: The value of the tag.
  ///   - order: Byte order of the file.
  ///   - isSecond: Whether the tag is ProfileGainTableMap2.
  ///   - fileOffset: Offset of the value in the file, for errors.
  /// - Throws: `.malformed` and `.truncated` for an invalid map.
  init(
    _ bytes: [UInt8], order: TIFFFile.ByteOrder, isSecond: Bool, fileOffset: Int = 0
  ) throws(ImageError) {
    var reader = ByteReader(bytes.span, fileOffset: fileOffset, byteOrder: order)
    let (rows, columns) = (try reader.readInteger(), try reader.readInteger())
    let spacing = SIMD2(try reader.readFiniteDouble(), try reader.readFiniteDouble())
    let origin = SIMD2(try reader.readFiniteDouble(), try reader.readFiniteDouble())
    let size = try reader.readInteger()
    var weights: [Double] = []
    for _ in 0..<5 { weights.append(Double(try reader.readFiniteFloat())) }
    guard [rows, columns, size].allSatisfy({ (1...Self.maximumGains).contains($0) }),
      rows * columns <= Self.maximumGains, rows * columns * size <= Self.maximumGains
    else {
      throw reader.error(
        .invalidValue,
        ["field": "gain table map", "value": "\(rows)x\(columns) points with \(size) gains"])
    }
    guard spacing.min() > 0 else {
      throw reader.error(.invalidValue, ["field": "spacing of points", "value": "\(spacing)"])
    }
    let count = rows * columns * size
    let coding = isSecond ? try Coding(&reader) : Coding(sampleType: .float)
    guard reader.remaining == count * coding.sampleType.size else {
      throw reader.error(
        .malformed, "truncated: {count gain} of {size byte} in {available byte}",
        ["available": reader.remaining, "count": count, "size": coding.sampleType.size])
    }
    let budget = Execution.current.budget
    try budget.debit(
      memory: count * MemoryLayout<Float>.stride, for: "gains", at: .init(offset: fileOffset))
    try budget.debit(steps: count >> 4, for: "gains", at: .init(offset: fileOffset))
    var gains: [Float] = []
    gains.reserveCapacity(count)
    for _ in 0..<count {
      let gain = coding.gain(try reader.readUnsigned(bytes: coding.sampleType.size))
      guard gain >= 0, gain <= 65_536 else {
        throw reader.error(.invalidValue, ["field": "gain", "value": "\(gain)"])
      }
      gains.append(gain)
    }
    self.init(
      rows: rows, columns: columns, tableSize: size, spacing: spacing, origin: origin,
      weights: weights, gamma: coding.gamma, gains: gains)
  }

  /// Encoding of the gains.
  private struct Coding {
    enum SampleType: Int {
      case byte, short, half, float

      var size: Int {
        switch self {
        case .byte: 1
        case .short, .half: 2
        case .float: 4
        }
      }
    }

    var sampleType: SampleType
    var gamma = 1.0
    /// Gains of the smallest and the largest integer.
    var least: Float = 0
    var largest: Float = 1

    init(sampleType: SampleType) { self.sampleType = sampleType }

    init(_ reader: inout ByteReader) throws(ImageError) {
      let code = try reader.readInteger()
      guard let sampleType = SampleType(rawValue: code) else {
        throw reader.error(.invalidValue, ["field": "type of gains", "value": "\(code)"])
      }
      self.sampleType = sampleType
      gamma = Double(try reader.readFiniteFloat())
      (least, largest) = (try reader.readFiniteFloat(), try reader.readFiniteFloat())
      guard (0.25...4).contains(gamma) else {
        throw reader.error(.invalidValue, ["field": "gamma", "value": "\(gamma)"])
      }
      guard least <= largest else {
        throw reader.error(.invalidValue, ["field": "gains", "value": "\(least) to \(largest)"])
      }
    }

    func gain(_ code: UInt64) -> Float {
      switch sampleType {
      case .byte: least + Float(code) / 255 * (largest - least)
      case .short: least + Float(code) / 65_535 * (largest - least)
      case .half: Float(bits: UInt32(truncatingIfNeeded: code), exponentBits: 5, fractionBits: 10)
      case .float: Float(bitPattern: UInt32(truncatingIfNeeded: code))
      }
    }
  }
}
