// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
internal import HDRConversion
public import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// The target display and the tone-mapping operator.
struct DisplayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Headroom of the display.", valueName: "4x|2st|812nit|full"),
    transform: HeadroomArgument.init(parsing:))
  var headroom: HeadroomArgument?

  @Option(
    help: ArgumentHelp(
      """
      Dynamic-range level: standard (SDR), constrained-high (at most one stop), high, or a mixture \
      such as standard=1,high=2.
      """, valueName: "level"),
    transform: LevelArgument.init(parsing:))
  var level: LevelArgument?

  @Option(
    help: ArgumentHelp(
      """
      A display by name ('list' lists them), or by its luminances in cd/m²: \
      white=203,peak=1600,black=0.005, and also primaries=p3,surround=5.
      """, valueName: "name|white=..,peak=.."))
  var display: String?

  @Option(
    name: .customLong("operator"),
    help: ArgumentHelp(
      """
      Tone-mapping operator, in place of gain maps and metadata of the file: \
      \(ToneMapOperator.listed). Default: the gain map, else SMPTE ST 2094-50 metadata, else for \
      HLG the system gamma of the --display, else \(ToneMapOperator.allCases[0].rawValue).
      """, valueName: "operator", visibility: .inFull))
  var method: ToneMapOperator?

  @Option(
    help: ArgumentHelp(
      "Out-of-gamut colors: soft desaturates, clip clips.", visibility: .inFull))
  var gamut = GamutMapping.soft

  @Option(
    help: ArgumentHelp(
      "Desaturation of compressed highlights; 0.05 gives saturated lamps more depth.",
      valueName: "0...1", visibility: .inFull))
  var highlightDesaturation = 0.0

  var wantsList: Bool { display == "list" }

  func validate() throws {
    guard !wantsList else { return }
    guard headroom != nil || level != nil || display != nil else {
      throw ValidationError(
        "choose a target display with --headroom, --level or --display (for SDR: --level standard)")
    }
    guard headroom == nil || display == nil else {
      throw ValidationError("--display and --headroom exclude each other")
    }
    guard (0...1).contains(highlightDesaturation) else {
      throw ValidationError("--highlight-desaturation takes 0...1")
    }
  }

  func renderingOptions() throws -> RenderingOptions {
    var options = RenderingOptions(display: try target(), method: method)
    options.gamutMapping = gamut
    options.highlightDesaturation = highlightDesaturation
    return options
  }

  private func target() throws -> DisplayTarget {
    let range = level?.mix ?? DynamicRange.Mix(.high)
    if let display {
      if let custom = try DisplayPreset.custom(parsing: display) {
        return DisplayTarget(custom, range: range)
      }
      do throws(ImageError) {
        return DisplayTarget(try DisplayPreset(named: display), range: range)
      } catch {
        throw Failure(error)
      }
    }
    guard case .value(let headroom)? = headroom else {
      return DisplayTarget(headroom: .unlimited, range: range)
    }
    return DisplayTarget(headroom: headroom, range: range)
  }
}

extension Headroom {
  /// More than any image has.
  static let unlimited = Headroom(stops: 64)
}

/// A level of dynamic range, or a mixture of levels.
struct LevelArgument {
  let mix: DynamicRange.Mix

  /// Reads the name of a level, or names with weights.
  ///
  /// - Throws: `ValidationError` for other text.
  init(parsing text: String) throws(ValidationError) {
    guard let mix = Self.mix(text) else {
      let names = DynamicRange.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--level takes \(names), or a mixture such as standard=1,high=2")
    }
    self.mix = mix
  }

  private static func mix(_ text: String) -> DynamicRange.Mix? {
    if let level = DynamicRange(rawValue: text) { return DynamicRange.Mix(level) }
    var weights: [DynamicRange: Double] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count == 2, let level = DynamicRange(rawValue: String(words[0])),
        let weight = Double(words[1]), weights.updateValue(weight, forKey: level) == nil
      else { return nil }
    }
    return try? DynamicRange.Mix(
      standard: weights[.standard] ?? 0, constrainedHigh: weights[.constrainedHigh] ?? 0,
      high: weights[.high] ?? 0)
  }
}

extension ToneMapOperator: ExpressibleByArgument {
  /// All operators, for help.
  static let listed = allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: ", ")
}

extension GamutMapping: ExpressibleByArgument {}
