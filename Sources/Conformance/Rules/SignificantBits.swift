// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Checks that the lower bits of PNG samples repeat the upper ones, as required by `sBIT`.
///
/// Source: PNG Third Edition, 12.4.
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
    let image = try SourceImage.open(checked.file.replacing(.png(whole))).image
    guard case .integer(bits: 16) = image.layout.samples else {
      throw ImageError(.bitsChangedByProfile)
    }
    let reader = try image.makeReader()
    var first = 0
    while first < image.layout.height {
      let rows = first..<min(first + 64, image.layout.height)
      if let finding = finding(try reader.read(rows: rows), bits, at: rows, in: png) {
        return [finding]
      }
      first = rows.upperBound
    }
    return []
  }

  private static func finding(
    _ strip: ImagePlanes, _ bits: [UInt8], at rows: Range<Int>, in png: CheckedPNG
  ) -> Finding? {
    guard case .integer(let planes) = strip.planes else { return nil }
    for (plane, count) in zip(planes, bits) where count < 16 {
      for y in 0..<plane.height {
        let row = plane.row(y)
        for x in row.indices where row[x] != repeated(row[x], bits: Int(count)) {
          return Finding(
            "a sample of \(row[x]) at \(x), \(rows.lowerBound + y) has more than \(count) bits",
            at: png.location(.significantBits), declared: "\(count) bits")
        }
      }
    }
    return nil
  }

  /// The upper bits of a sample, repeated over all sixteen.
  private static func repeated(_ sample: UInt16, bits: Int) -> UInt16 {
    var result: UInt16 = 0
    let upper = sample >> (16 - bits)
    var shift = 16 - bits
    while shift > -bits {
      result |= shift >= 0 ? upper << shift : upper >> -shift
      shift -= bits
    }
    return result
  }
}
