// SPDX-License-Identifier: Apache-2.0
/// A tone-mapping operator, identified by its name in commands and reports.
///
/// All operators map linear values of an image to those of a display with less headroom, and are
/// the identity if the display has the headroom of the image.
public struct ToneMapOperator: RawRepresentable, Codable, Hashable, Sendable, CaseIterable {
  /// The operators; the first is the default.
  public static let allCases: [ToneMapOperator] = [
    .adaptive,
    .shoulder,
    .referenceWhite,
    .bt2390,
    .bt2446a,
    .reinhard,
    .clip,
  ]

  /// The name of the operator, such as `adaptive`.
  public let rawValue: String
  /// A short description of the effect, in English.
  public let summary: String
  /// Whether the operator depends on the key of the image, which has to be measured.
  public let usesKey: Bool
  /// Rate at which highlights approach white by default, see `Rendition.highlightDesaturation`; other
  /// operators are those of standards and programs.
  package var highlightDesaturation: Double { self == .adaptive ? 0.05 : 0 }
  private let make:
    @Sendable (
      _ content: ToneMapOperator.ContentStatistics, _ display: Headroom, _ referenceWhite: Double
    )
      throws(ImageError) -> any HeadroomMapping

  /// Makes an entry of the list, in the file of the operator.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - summary: A short description of the effect.
  ///   - usesKey: Whether the operator depends on the key of the image.
  ///   - make: Makes the operator between two headrooms; throws for a display below reference white
  ///     and for headrooms that are not numbers.
  init(
    _ name: String, _ summary: String, usesKey: Bool = false,
    _ make:
      @escaping @Sendable (
        _ content: ToneMapOperator.ContentStatistics, _ display: Headroom, _ referenceWhite: Double
      )
      throws(ImageError) -> any HeadroomMapping
  ) {
    (rawValue, self.summary, self.usesKey, self.make) = (name, summary, usesKey, make)
  }

  /// Finds an operator by name; `nil` for unknown names.
  public init?(rawValue: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = found
  }

  public static func == (first: ToneMapOperator, second: ToneMapOperator) -> Bool {
    first.rawValue == second.rawValue
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// Makes the operator between two headrooms.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; values below 1 count as 1.
  ///   - key: Key of the image, `LightLevels.key`; `nil` if it was not measured.
  ///   - display: Headroom of the display, at least 1.
  ///   - referenceWhite: Luminance of linear 1.0, in cd/m²; used by operators that are defined on
  ///     luminance.
  /// - Returns: The operator, ready to be applied to linear values in BT.2020.
  /// - Throws: `.invalidArgument` for a display below reference white, for headrooms above 100
  ///   stops and for headrooms that are not numbers.
  package func toneMap(
    content: Headroom, key: Double? = nil, display: Headroom,
    referenceWhite: Double = ColorEncoding.defaultReferenceWhite
  ) throws(ImageError) -> ToneMap {
    guard ColorEncoding.referenceWhites.contains(referenceWhite) else {
      throw ImageError(.referenceWhiteInvalid, ["white": referenceWhite])
    }
    return ToneMap(
      erasing: try make(
        ToneMapOperator.ContentStatistics(headroom: content, key: key), display, referenceWhite))
  }
}

extension ToneMap {
  fileprivate init(erasing mapping: any HeadroomMapping) { self.init(mapping) }
}

extension ToneMapOperator {
  /// Statistics of an image that tone-mapping operators use.
  public struct ContentStatistics: Hashable, Sendable {
    /// Headroom of the image; below 0 stops it counts as 0.
    public var headroom: Headroom
    /// The key: level of the bright tones, 1.0 for reference white, as `LightLevels.key`; `nil` if
    /// it was not measured.
    public var key: Double?

    public init(headroom: Headroom, key: Double? = nil) {
      self.headroom = headroom
      self.key = key
    }
  }
}

/// A tone-mapping operator between two headrooms.
///
/// An operator is defined in one file: a type that conforms to this protocol or to `ToneCurve`, and
/// its entry in `ToneMapOperator.allCases`.
package protocol HeadroomMapping: Hashable, Sendable {
  /// Linear value of the display's peak, the maximum that it can show.
  var displayPeak: Double { get }
  /// Linear value that replaces infinite ones; `nil` for operators that do not specify one.
  var contentPeak: Double? { get }
  /// Whether the operator is the identity, usually because the display has enough headroom.
  var isIdentity: Bool { get }
  /// The primaries in which the operator is defined.
  var primaries: ColorPrimaries { get }
  /// Whether values above the display's peak are passed on, to be clipped later.
  var letsLightPass: Bool { get }
  /// Notice about an unexpected property of the operator between these headrooms.
  var notice: Notice? { get }
  /// Whether the operator runs in the primaries of the target instead of its own.
  func runsInTargetPrimaries(with mapping: GamutMapping) -> Bool
  /// The first function, if it maps each component independently; otherwise `nil`.
  var componentFunction: (@Sendable (Double) -> Double)? { get }
  /// Returns the operator for rows.
  ///
  /// - Parameter isBegun: Whether `componentFunction` has already been applied to rows.
  /// - Returns: The operator, prepared for any number of rows.
  func onRows(isBegun: Bool) -> RowToneMap
  /// Maps a color for the display: the definition, in double precision.
  ///
  /// - Parameter color: Red, green, blue, 1.0 for reference white. NaN becomes 0, infinite values
  ///   the content's peak.
  /// - Returns: The color, possibly outside the display's primaries.
  func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double>
}

extension HeadroomMapping {
  package var primaries: ColorPrimaries { .bt2020 }
  package var letsLightPass: Bool { isIdentity }
  package var notice: Notice? { nil }
  package func runsInTargetPrimaries(with mapping: GamutMapping) -> Bool { false }
  package var componentFunction: (@Sendable (Double) -> Double)? { nil }
}

extension SIMD3<Double> {
  /// Replaces NaN by 0, and infinities by plus or minus `infinity`.
  func finite(infinity: Double) -> SIMD3<Double> {
    map { $0.isNaN ? 0 : $0.isInfinite ? ($0 < 0 ? -infinity : infinity) : $0 }
  }

  /// Transforms each component.
  func map(_ transform: (Double) -> Double) -> SIMD3<Double> {
    SIMD3(transform(x), transform(y), transform(z))
  }
}

/// Any operator between two headrooms.
package struct ToneMap: Hashable, Sendable {
  package let mapping: any HeadroomMapping

  package init(_ mapping: some HeadroomMapping) { self.mapping = mapping }

  package static func == (first: ToneMap, second: ToneMap) -> Bool {
    AnyHashable(first.mapping) == AnyHashable(second.mapping)
  }

  package func hash(into hasher: inout Hasher) { mapping.hash(into: &hasher) }

  /// Linear value of the display's peak, the maximum that it can show.
  package var displayPeak: Double { mapping.displayPeak }
  /// Whether the operator is the identity.
  package var isIdentity: Bool { mapping.isIdentity }
  /// The primaries of the linear values: BT.2020, or those that a file's metadata specifies.
  package var primaries: ColorPrimaries { mapping.primaries }
  /// Whether it is a `ToneCurve`: one gain for the three components, limited to the peak.
  var isCurve: Bool { mapping is any ToneCurve }

  /// Maps a color for the display.
  ///
  /// - Parameter color: Red, green, blue in `primaries`, 1.0 for reference white.
  /// - Returns: The color in the same primaries, possibly outside the display's.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> { mapping.toneMapped(color) }
}

/// A tone curve on the largest component of a color.
///
/// All three components are multiplied by the gain of the largest, which preserves hue and
/// saturation. A curve increases from 0 and maps the content's peak to the display's peak; values
/// above the content's peak are shown at the display's.
package protocol ToneCurve: HeadroomMapping {
  var range: ToneRange { get }
  /// Linear value up to which the gain is constant.
  var knee: Double { get }
  /// Maps `maximum`, above 0 and up to the content's peak, if the curve is not the identity.
  func curve(_ maximum: Double) -> Double
}

extension ToneCurve {
  package var displayPeak: Double { range.displayPeak }
  package var contentPeak: Double? { range.contentPeak }
  package var isIdentity: Bool { range.isIdentity }

  /// True with soft gamut mapping: the gain preserves hue in any primaries, and components that a
  /// target cannot show are largest in the target's own primaries.
  package func runsInTargetPrimaries(with mapping: GamutMapping) -> Bool { mapping == .soft }

  /// Returns the sampled curve.
  package func onRows(isBegun: Bool) -> RowToneMap {
    RowToneMap(.curve(SampledFunction(sampling: self)))
  }

  /// Maps the largest component of a color.
  package func mapped(_ maximum: Double) -> Double {
    guard !isIdentity, maximum > 0 else { return maximum }
    return maximum < range.contentPeak ? curve(maximum) : range.displayPeak
  }

  /// Gain of a color whose largest component is `maximum`.
  package func gain(forMaximum maximum: Double) -> Double {
    guard !isIdentity, maximum > 0 else { return 1 }
    return mapped(maximum) / maximum
  }

  /// Maps a linear color.
  ///
  /// - Parameter color: Red, green, blue, 1.0 for reference white. NaN becomes 0, infinite values
  ///   the content's peak.
  /// - Returns: The color with unchanged ratios of its components; unchanged if it does not have
  ///   positive components.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let color = color.finite(infinity: range.contentPeak)
    return color * gain(forMaximum: color.max())
  }
}

/// The headrooms of content and display of a tone curve, validated, as ratios.
package struct ToneRange: Hashable, Sendable {
  /// Linear value of the content's peak, 1.0 for reference white; at least 1.
  package let contentPeak: Double
  /// Linear value of the display's peak, at least 1.
  package let displayPeak: Double

  /// Validates the range from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; values below 1 count as 1.
  ///   - display: Headroom of the display, at least 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms above 100
  ///   stops.
  package init(content: Headroom, display: Headroom) throws(ImageError) {
    contentPeak = max(content.ratio, 1)
    displayPeak = display.ratio
    guard contentPeak <= Self.largest, displayPeak >= 1, displayPeak <= Self.largest else {
      throw ImageError(
        .invalidArgument, "cannot map headroom {content} to {display}",
        ["content": content.ratio, "display": display.ratio])
    }
  }

  /// Limit of headrooms, 100 stops, which exceeds any content.
  private static let largest = 0x1p100

  /// Whether the display has enough headroom for the content.
  package var isIdentity: Bool { contentPeak / displayPeak < 1 + 1e-6 }
}
