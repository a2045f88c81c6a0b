/// A tone-mapping operator by its name in commands and reports.
///
/// The list `allCases` is what the command's help, its JSON and the verb `codecs` are made from.
public struct ToneMapOperator: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// The operators; the first is the default.
  public static let allCases: [ToneMapOperator] = [
    .shoulder,
    .referenceWhite,
    .bt2390,
    .bt2446a,
    .reinhard,
    .clip,
  ]

  /// The name.
  public let rawValue: String
  /// A short description of the effect.
  public let summary: String
  private let make:
    @Sendable (_ content: Headroom, _ display: Headroom, _ referenceWhite: Double)
      throws(ImageError) -> any HeadroomMapping

  /// An entry of the list, which the file of the operator makes.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - summary: A short description of the effect.
  ///   - make: The operator between two headrooms; throws for a display below reference white and
  ///     for what is not a number.
  init(
    _ name: String, _ summary: String,
    _ make:
      @escaping @Sendable (_ content: Headroom, _ display: Headroom, _ referenceWhite: Double)
      throws(ImageError) -> any HeadroomMapping
  ) {
    (rawValue, self.summary, self.make) = (name, summary, make)
  }

  /// The operator of a name; `nil` for other names.
  public init?(rawValue: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = found
  }

  public static func == (first: ToneMapOperator, second: ToneMapOperator) -> Bool {
    first.rawValue == second.rawValue
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// The operator between two headrooms.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; taken as 1 if less.
  ///   - display: Headroom of the display, at least 1.
  ///   - referenceWhite: Luminance of linear 1.0, in cd/m²; matters to the operators that are
  ///     defined on luminance.
  /// - Returns: The operator, ready to be applied to linear values in BT.2020.
  /// - Throws: `.invalidArgument` for a display below reference white, for headrooms above 100 stops
  ///   and for what is not a number.
  package func toneMap(
    content: Headroom, display: Headroom,
    referenceWhite: Double = LightMetadata.defaultDiffuseWhite
  ) throws(ImageError) -> ToneMap {
    guard ColorEncoding.referenceWhites.contains(referenceWhite) else {
      throw ImageError(.referenceWhiteInvalid, ["white": referenceWhite])
    }
    return ToneMap(erasing: try make(content, display, referenceWhite))
  }
}

extension ToneMap {
  fileprivate init(erasing mapping: any HeadroomMapping) { self.init(mapping) }
}
