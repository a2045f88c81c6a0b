// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A table of color corrections by hue, saturation and value: ProfileHueSatMap or ProfileLookTable.
///
/// Source: DNG 1.7.1, ProfileHueSatMapDims and ProfileLookTableDims.
struct HueSatMap: Hashable, Sendable {
  /// An entry, or an interpolation of entries.
  struct Change: Hashable, Sendable {
    /// Hue shift in degrees.
    var hueShift: Double
    var saturationScale: Double
    var valueScale: Double
  }

  let hues: Int
  let saturations: Int
  let values: Int
  /// Whether values are sRGB-encoded for lookup and scaling.
  let isEncoded: Bool
  /// Hue shifts, saturation scales and value scales, by value, then hue, then saturation.
  let entries: [Float]

  /// Limit of entries, above those of any profile.
  private static let maximumEntries = 1 << 20

  init(hues: Int, saturations: Int, values: Int, isEncoded: Bool = false, entries: [Float]) {
    precondition(hues >= 1 && saturations >= 2 && values >= 1)
    precondition(entries.count == hues * saturations * values * 3)
    self.hues = hues
    self.saturations = saturations
    self.values = values
    self.isEncoded = isEncoded && values > 1
    self.entries = entries
  }

  /// Reads a table; `nil` if the directory has none.
  init?(
    _ directory: DNGDirectory, dimensions: TIFFTag, data: TIFFTag, encoding: TIFFTag
  ) throws(ImageError) {
    guard let sizes = try directory.integers(dimensions, atMost: 3) else { return nil }
    let (hues, saturations) = (sizes[0], sizes.count > 1 ? sizes[1] : 0)
    let values = sizes.count > 2 ? sizes[2] : 1
    let sides = [hues, saturations, values]
    guard hues >= 1, saturations >= 2, values >= 1, sides.allSatisfy({ $0 <= Self.maximumEntries }),
      hues * saturations <= Self.maximumEntries, hues * saturations * values <= Self.maximumEntries
    else {
      throw directory.error(
        .invalidValue, dimensions, ["field": "size of the table", "value": "\(sizes)"])
    }
    guard let entries = try directory.numbers(data, atMost: 3 * Self.maximumEntries) else {
      return nil
    }
    guard entries.count == 3 * hues * saturations * values else {
      throw directory.error(
        .malformed, "the table of {sizes} has {count number}", data,
        ["count": entries.count, "sizes": "\(sizes)"])
    }
    // Keeps single precision finite.
    guard entries.allSatisfy({ abs($0) <= 1e6 }) else {
      throw directory.error(
        .invalidValue, data, ["field": "table", "value": "changes of more than a million"])
    }
    self.init(
      hues: hues, saturations: saturations, values: values,
      isEncoded: try directory.integer(encoding) == 1, entries: entries.map { Float($0) })
  }

  /// A weighted mean of tables of the same size; the first table if sizes differ.
  static func mix(_ maps: [HueSatMap], _ weights: [Double]) -> HueSatMap? {
    guard let first = maps.first else { return nil }
    guard maps.count == weights.count, maps.allSatisfy({ $0.entries.count == first.entries.count })
    else { return first }
    let entries = first.entries.indices.map { index in
      Float(zip(weights, maps).reduce(0) { $0 + $1.0 * Double($1.1.entries[index]) })
    }
    return HueSatMap(
      hues: first.hues, saturations: first.saturations, values: first.values,
      isEncoded: first.isEncoded, entries: entries)
  }

  /// The correction of a color, interpolated trilinearly.
  ///
  /// Hues are 0 to 6, cyclic; saturations and values, encoded if the table requires it, are 0 to 1.
  func change(hue: Double, saturation: Double, value: Double) -> Change {
    let (h, s, v) = (
      hue * Double(hues) / 6, saturation * Double(saturations - 1), value * Double(values - 1)
    )
    let h0 = min(Int(clamping: h), hues - 1)
    let s0 = min(Int(clamping: s), saturations - 2)
    let v0 = min(Int(clamping: v), max(values - 2, 0))
    var sum = SIMD3<Double>.zero
    for (dv, dh, ds) in [
      (0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1),
    ] where v0 + dv < values {
      func share(_ place: Double, _ first: Int, _ step: Int) -> Double {
        step == 1 ? place - Double(first) : 1 - (place - Double(first))
      }
      let weight = share(h, h0, dh) * share(s, s0, ds) * (values > 1 ? share(v, v0, dv) : 1)
      let entry = 3 * (((v0 + dv) * hues + (h0 + dh) % hues) * saturations + s0 + ds)
      sum +=
        weight
        * SIMD3(Double(entries[entry]), Double(entries[entry + 1]), Double(entries[entry + 2]))
    }
    return Change(hueShift: sum.x, saturationScale: sum.y, valueScale: sum.z)
  }
}
