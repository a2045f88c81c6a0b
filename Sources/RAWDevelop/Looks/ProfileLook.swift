// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

/// Rendering by a camera profile: the definition of `LookRows`.
///
/// Colors are linear in the primaries of ISO 22028-2 (ROMM RGB).
///
/// Source: DNG 1.7.1, chapter 6; Adobe DNG SDK for the order.
struct ProfileLook: Hashable, Sendable {
  /// Whether the profile is for values above white.
  let isHDR: Bool
  let hueSatMap: HueSatMap?
  let gainTableMap: GainTableMap?
  /// Exposure of the brightness that selects gains, as a factor.
  let gainExposure: Double
  /// Total exposure in stops.
  let exposure: Double
  let ramp: ExposureRamp
  let lookTable: HueSatMap?
  let tone: ToneRendering
  var rgbTables: RGBTables?

  /// Upper limit of linear values: white, or more than any file has.
  static func peak(isHDR: Bool) -> Double { isHDR ? 1e6 : 1 }

  /// Exposure as a factor.
  var sceneExposure: Double { exp2(exposure) }

  private var peak: Double { Self.peak(isHDR: isHDR) }

  /// A color, and the brightness of its scene.
  struct Shown {
    var color: SIMD3<Double>
    /// Largest component of the exposed scene, before tone mapping.
    var scene: Double
  }

  /// Renders the color of a pixel.
  ///
  /// - Parameters:
  ///   - color: Color of the scene.
  ///   - row: Row of the pixel in the gain table map.
  ///   - column: Column of the pixel in the gain table map.
  ///   - coverage: Values of semantic masks, by name.
  /// - Returns: The rendered color.
  func shown(
    _ color: SIMD3<Double>, row: GainTableMap.Position, column: GainTableMap.Position,
    coverage: [String: Double] = [:]
  ) -> Shown {
    let exposed = exposed(color, row: row, column: column, peak: peak)
    return Shown(color: finished(toned(exposed.color), coverage), scene: exposed.scene)
  }

  /// The color that highlights have in the scene, as bright as the look.
  ///
  /// Nothing limits the stages before the tone curve; tables extend as they end. The result has the
  /// largest component that the look has after its tone curve.
  ///
  /// - Parameters:
  ///   - color: Color of the scene.
  ///   - row: Row of the pixel in the gain table map.
  ///   - column: Column of the pixel in the gain table map.
  ///   - coverage: Values of semantic masks, by name.
  /// - Returns: The color, and the brightness of its scene without a limit.
  func sceneColor(
    _ color: SIMD3<Double>, row: GainTableMap.Position, column: GainTableMap.Position,
    coverage: [String: Double] = [:]
  ) -> Shown {
    let look = toned(exposed(color, row: row, column: column, peak: peak).color).max()
    let scene = exposed(color, row: row, column: column, peak: Self.peak(isHDR: true))
    let most = scene.color.max()
    let scaled = most > 0 ? scene.color * (look / most) : .zero
    return Shown(color: finished(scaled, coverage), scene: scene.scene)
  }

  /// A color after the stages before the tone curve.
  private func exposed(
    _ color: SIMD3<Double>, row: GainTableMap.Position, column: GainTableMap.Position, peak: Double
  ) -> Shown {
    var color = color.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: peak))
    if let hueSatMap { color = changed(color, by: hueSatMap, peak: peak) }
    let scene = color.max() * sceneExposure
    if let gainTableMap {
      let brightness = gainTableMap.brightness(of: color * gainExposure)
      color *= gainTableMap.gain(brightness, row: row, column: column)
    }
    let ramp = ramp.limited(to: peak)
    color = SIMD3(ramp(color.x), ramp(color.y), ramp(color.z))
    if let lookTable { color = changed(color, by: lookTable, peak: peak) }
    return Shown(color: color, scene: scene)
  }

  /// A color after the color tables.
  private func finished(_ color: SIMD3<Double>, _ coverage: [String: Double]) -> SIMD3<Double> {
    guard let rgbTables else { return color }
    return rgbTables.color(color, coverage: coverage, isHDR: isHDR)
      .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: peak))
  }

  /// Applies the tone curve to the largest and the smallest component, and interpolates the third.
  func toned(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let (least, most) = (color.min(), color.max())
    let (newLeast, newMost) = (tone(least), tone(most))
    guard most > least else { return SIMD3(repeating: newMost) }
    return newLeast + (color - least) * ((newMost - newLeast) / (most - least))
  }

  private func changed(_ color: SIMD3<Double>, by map: HueSatMap, peak: Double) -> SIMD3<Double> {
    var (hue, saturation, value) = Self.hsv(color)
    let isCompressed = isHDR && map.values > 1
    if isCompressed { value = ExtendedRange.compressed(value) }
    if map.isEncoded { value = SRGB.inverseEOTF(value) }
    let change = map.change(hue: hue, saturation: saturation, value: min(value, 1))
    hue += change.hueShift * 6 / 360
    hue = hue < 0 ? hue + 6 : hue
    hue = hue >= 6 ? hue - 6 : hue
    saturation = min(max(saturation * change.saturationScale, 0), 1)
    value = min(max(value * change.valueScale, 0), peak)
    if map.isEncoded { value = SRGB.eotf(value) }
    if isCompressed { value = ExtendedRange.expanded(value) }
    return Self.rgb(hue, saturation, value)
  }

  private static func hsv(
    _ color: SIMD3<Double>
  ) -> (hue: Double, saturation: Double, value: Double) {
    let (most, range) = (color.max(), color.max() - color.min())
    guard range > 0 else { return (0, 0, most) }
    let hue =
      color.x == most
      ? (color.y - color.z) / range
      : color.y == most
        ? 2 + (color.z - color.x) / range : 4 + (color.x - color.y) / range
    return (hue < 0 ? hue + 6 : hue, range / most, most)
  }

  private static func rgb(_ hue: Double, _ saturation: Double, _ value: Double) -> SIMD3<Double> {
    func component(_ shift: Double) -> Double {
      let place = (hue + shift).truncatingRemainder(dividingBy: 6)
      return value - value * saturation * max(min(place, 4 - place, 1), 0)
    }
    return SIMD3(component(5), component(3), component(1))
  }
}
