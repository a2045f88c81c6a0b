// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
internal import HDRConversion
public import HDRCore
internal import ImageReports

/// The target display and the tone-mapping operator.
struct DisplayOptions: ParsableArguments {
  @Option(
    help: .text("Headroom of the display.", "4x|2st|812nit|full"),
    transform: HeadroomArgument.init(parsing:))
  var headroom: HeadroomArgument?

  @Option(
    help: .text(
      """
      Dynamic-range level: standard (SDR), constrained-high (at most one stop), high, or with \
      --headroom a mixture such as standard=1,high=2.
      """, "level"),
    transform: ConversionRequest.Rendition.Level.init(argument:))
  var level: ConversionRequest.Rendition.Level?

  @Option(
    help: .text(
      """
      A display by name ('list' lists them), or by its luminances in cd/m²: \
      white=203,peak=1600,black=0.005, and also primaries=p3,surround=5.
      """, "name|white=..,peak=.."))
  var display: String?

  @Option(
    name: .customLong("operator"),
    help: .full(
      """
      Tone-mapping operator, in place of gain maps and metadata of the file: \
      \(ToneMapOperator.listed). Default: the gain map, else SMPTE ST 2094-50 metadata, else for \
      HLG the system gamma of the --display, else \(ToneMapOperator.allCases[0].rawValue).
      """, "operator"))
  var method: ToneMapOperator?

  @Option(help: .full("Out-of-gamut colors: soft desaturates, clip clips (default: soft)."))
  var gamut: GamutMapping?

  @Option(
    help: .full(
      """
      Desaturation of compressed highlights, which gives saturated lamps depth (default: 0.05 for \
      \(ToneMapOperator.allCases[0].rawValue), else 0).
      """, "0...1"))
  var highlightDesaturation: Double?

  var wantsList: Bool { display == "list" }

  /// Whether a display is chosen.
  var isGiven: Bool { headroom != nil || level != nil || display != nil }

  /// Sets the fields whose options are given.
  func apply(to rendition: inout ConversionRequest.Rendition) throws {
    if let level { rendition.level = level }
    if let display { rendition.display = try .init(argument: display) }
    switch headroom {
    case .value(let headroom): rendition.headroomStops = headroom.stops
    case .full: rendition.headroomStops = Headroom.unlimited.stops
    case nil: break
    }
    if let method { rendition.toneMapping = method }
    if let gamut { rendition.gamutMapping = gamut }
    if let highlightDesaturation { rendition.highlightDesaturation = highlightDesaturation }
  }
}

extension ConversionRequest.Rendition.Level {
  /// Reads the name of a level, or names with weights.
  ///
  /// - Throws: `ValidationError` for other text.
  init(argument text: String) throws(ValidationError) {
    let names = DynamicRange.allCases.map(\.rawValue).joined(separator: ", ")
    let malformed = ValidationError(
      "--level takes \(names), or a mixture such as standard=1,high=2")
    var shares: [DynamicRange: Double] = [:]
    let mixture = DynamicRange(rawValue: text) == nil ? text : "\(text)=1"
    for part in mixture.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count == 2, let level = DynamicRange(rawValue: String(words[0])),
        let weight = Double(words[1]), shares.updateValue(weight, forKey: level) == nil
      else { throw malformed }
    }
    self.init()
    (standard, constrainedHigh, high) = (shares[.standard], shares[.constrainedHigh], shares[.high])
    guard
      (try? DynamicRange.Mix(
        standard: standard ?? 0, constrainedHigh: constrainedHigh ?? 0, high: high ?? 0)) != nil
    else { throw malformed }
  }
}

extension ToneMapOperator: ExpressibleByArgument {
  /// All operators, for help.
  static let listed = allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: ", ")
}

extension GamutMapping: ExpressibleByArgument {}

extension ConversionRequest.Rendition.Display {
  /// Reads the name of a display, or its luminances in cd/m²:
  /// `white=203,peak=1600,black=0.005,primaries=p3,surround=5`.
  ///
  /// - Parameter text: `white` and `peak` are required for a display without a name.
  /// - Throws: `ValidationError` for other keys, and for values that are not numbers or primaries.
  init(argument text: String) throws(ValidationError) {
    guard text.contains("=") else {
      self.init(name: text)
      return
    }
    self.init()
    var keys: Set<Substring> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count == 2, keys.insert(words[0]).inserted else { throw Self.malformed(part) }
      guard words[0] != "primaries" else {
        guard let named = ColorPrimaries(named: words[1]) else { throw Self.malformed(part) }
        primaries = named
        continue
      }
      guard let value = Double(words[1]) else { throw Self.malformed(part) }
      switch words[0] {
      case "white": referenceWhite = value
      case "peak": peakLuminance = value
      case "black": blackLuminance = value
      case "surround": surroundLuminance = value
      default: throw Self.malformed(part)
      }
    }
    guard referenceWhite != nil, peakLuminance != nil else { throw Self.malformed(text[...]) }
  }

  private static func malformed(_ part: Substring) -> ValidationError {
    ValidationError(
      """
      --display takes a name, or white=203,peak=1600[,black=0.005][,primaries=p3][,surround=5], \
      not '\(part)'
      """)
  }
}

/// Headroom on the command line; a bare number is a ratio.
enum HeadroomArgument: Equatable {
  /// The headroom of the content.
  case full
  case value(Headroom)

  /// Reads `4x`, `4`, `2st`, `812nit` or `full`.
  ///
  /// - Throws: `ValidationError` for other text.
  init(parsing text: String) throws(ValidationError) {
    guard text != "full" else {
      self = .full
      return
    }
    let unit = text.drop { $0.isNumber || ".+-".contains($0) }
    let headroom: Headroom? = Double(text.dropLast(unit.count)).flatMap { number in
      switch unit {
      case "", "x": Headroom(ratio: number)
      case "st": Headroom(stops: number)
      case "nit", "nits": Headroom(ratio: number / ColorEncoding.defaultReferenceWhite)
      default: nil
      }
    }
    guard let headroom else {
      throw ValidationError(
        "headroom is a ratio (4x or 4), stops (2st), a peak for reference white at 203 cd/m² "
          + "(812nit), or full")
    }
    guard headroom.stops >= 0 else { throw ValidationError("headroom is 1x or more") }
    guard headroom.stops <= GainMapMetadata.largestStops else {
      throw ValidationError("headroom is at most \(short(GainMapMetadata.largestStops)) stops")
    }
    self = .value(headroom)
  }
}
