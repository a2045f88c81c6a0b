// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

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
        ErrorCode(.malformed, "truncated: {count gain} of {size byte} in {available byte}"),
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
        throw reader.error(
          .invalidValue, ["field": "gains", "value": "\(least) to \(largest)"])
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
