// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Checks that PNG samples have only the bits that `sBIT` specifies, in one of the scalings that the
/// standard allows.
enum SignificantBits {
  /// - Returns: `nil` for a file without `sBIT` of fewer than 16 bits.
  static func findings(_ checked: CheckedFile) throws(ImageError) -> [Finding]? {
    guard let png = checked.png, png.file.header.bitDepth == 16,
      let bits = try png.file.content(PNGSignificantBits.self)?.bits,
      bits.count == png.file.header.colorType.channels, bits.contains(where: { $0 < 16 }),
      bits.allSatisfy({ (1...16).contains($0) })
    else { return nil }
    var whole = png.file
    whole.remove(.significantBits)
    let image = try SourceImage(decoding: checked.file.replacing(.png(whole))).image
    guard case .integer(bits: 16) = image.layout.samples else {
      throw ImageError(.unsupported, "an ICC profile changes the samples")
    }
    let reader = try image.makeReader()
    var scalings = bits.map { count in Scaling.allCases.map { $0.table(bits: Int(count)) } }
    var first = 0
    while first < image.layout.height {
      let rows = first..<min(first + 64, image.layout.height)
      if let finding = finding(try reader.read(rows: rows), bits, &scalings, at: rows, in: png) {
        return [finding]
      }
      first = rows.upperBound
    }
    return []
  }

  /// Scaling of the bits that `sBIT` specifies to samples of 16 bits.
  ///
  /// Source: PNG Third Edition, 12.4.
  private enum Scaling: CaseIterable {
    /// The upper bits are repeated.
    case replication
    /// The equation: v * 65535 / maximum, rounded.
    case linear
    /// The lower bits are 0.
    case shift

    /// The sample of each value.
    func table(bits: Int) -> [UInt16] {
      let largest = 1 << bits - 1
      return (0...largest).map { value in
        switch self {
        case .replication:
          var (result, shift) = (0, 16 - bits)
          while shift > -bits {
            result |= shift >= 0 ? value << shift : value >> -shift
            shift -= bits
          }
          return UInt16(truncatingIfNeeded: result)
        case .linear:
          return UInt16(truncatingIfNeeded: (2 * value * 65_535 + largest) / (2 * largest))
        case .shift: return UInt16(truncatingIfNeeded: value << (16 - bits))
        }
      }
    }
  }

  /// Removes the scalings of each plane that its samples contradict, and finds a sample that
  /// contradicts all of them.
  private static func finding(
    _ strip: ImagePlanes, _ bits: [UInt8], _ scalings: inout [[[UInt16]]], at rows: Range<Int>,
    in png: CheckedPNG
  ) -> Finding? {
    guard case .integer(let planes) = strip.planes else { return nil }
    for (index, plane) in planes.enumerated() where index < bits.count && bits[index] < 16 {
      let shift = 16 - UInt16(bits[index])
      var tables = scalings[index]
      defer { scalings[index] = tables }
      for y in 0..<plane.height {
        let row = plane.row(y)
        for x in row.indices {
          let (sample, value) = (row[x], Int(row[x] >> shift))
          guard !tables.allSatisfy({ $0[value] == sample }) else { continue }
          tables.removeAll { $0[value] != sample }
          guard tables.isEmpty else { continue }
          return Finding(
            "a sample of \(sample) at \(x), \(rows.lowerBound + y) has more than \(bits[index]) bits",
            at: png.location(.significantBits), declared: "\(bits[index]) bits")
        }
      }
    }
    return nil
  }
}
