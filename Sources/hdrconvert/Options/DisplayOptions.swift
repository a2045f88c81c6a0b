public import ArgumentParser
internal import HDRConversion
public import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// The display to render for, and the operator.
struct DisplayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Headroom of the display.", valueName: "4x|2st|812nit|full"),
    transform: HeadroomArgument.init(parsing:))
  var headroom: HeadroomArgument?

  @Option(
    help: ArgumentHelp(
      """
      How much of the headroom to use: standard (none), constrained-high (at most one stop), high, \
      or a mixture like standard=1,high=2.
      """, valueName: "level"),
    transform: LevelArgument.init(parsing:))
  var level: LevelArgument?

  @Option(help: ArgumentHelp("A display by its name; 'list' lists them.", valueName: "name"))
  var display: String?

  @Option(
    name: .customLong("operator"),
    help: ArgumentHelp(
      """
      Tone-mapping operator, whatever the file itself asks for: \(ToneMapOperator.listed). \
      Without it gain maps count first, then SMPTE ST 2094-50 metadata, then for HLG and \
      a --display with headroom the system gamma of that display, else \
      \(ToneMapOperator.allCases[0].rawValue) is used.
      """, valueName: "operator"))
  var method: ToneMapOperator?

  @Option(help: "Out-of-gamut colors: \(GamutMapping.listed).")
  var gamut = GamutMapping.soft

  @Option(
    help: ArgumentHelp(
      "How fast compressed highlights go to white; 0.05 keeps saturated lamps from looking flat.",
      valueName: "0...1"))
  var highlightDesaturation = 0.0

  var wantsList: Bool { display == "list" }

  func validate() throws {
    guard !wantsList else { return }
    guard headroom != nil || level != nil || display != nil else {
      throw ValidationError("say for which display: --headroom, --level or --display")
    }
    guard headroom == nil || display == nil else {
      throw ValidationError("--display says the headroom already")
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
  /// More than any picture has.
  static let unlimited = Headroom(stops: 64)
}

/// A level of dynamic range, or a mixture of levels.
struct LevelArgument {
  let mix: DynamicRange.Mix

  /// Reads the name of a level, or names with weights.
  ///
  /// - Throws: What there is, for other words.
  init(parsing text: String) throws(ValidationError) {
    guard let mix = Self.mix(text) else {
      let names = DynamicRange.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("levels are \(names), or a mixture like standard=1,high=2")
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

extension GamutMapping: ExpressibleByArgument {
  /// All mappings, for help.
  static let listed = allCases.map { "\($0.rawValue) \($0.summary)" }.joined(separator: ", ")
}
