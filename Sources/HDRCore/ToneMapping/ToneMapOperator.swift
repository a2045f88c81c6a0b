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
