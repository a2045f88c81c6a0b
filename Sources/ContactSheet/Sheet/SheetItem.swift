internal import Foundation
internal import GainMap
public import HDRCore
public import ImageCodecs

/// One picture of a contact sheet: its renditions, and what is to be said about it.
public struct SheetItem: Sendable {
  /// A display that the picture is shown for.
  public enum Display: Hashable, Sendable {
    /// One that shows all there is.
    case full
    case headroom(Headroom)
  }

  /// More would not have colors of their own in the mask of what is beyond them.
  public static let mostDisplays = Views.maskColors.count

  /// Something to be said about a picture.
  public struct Fact: Hashable, Sendable {
    public var name: String
    public var value: String
    /// The value where its name does not stand beside it.
    public var phrase: String

    public init(_ name: String, _ value: String, phrase: String? = nil) {
      self.name = name
      self.value = value
      self.phrase = phrase ?? value
    }
  }

  /// What a standard's rules make of the file.
  public struct Verdict: Hashable, Sendable {
    public var standard: String
    public var failures: [String]
    public var warnings: [String]

    public init(standard: String, failures: [String], warnings: [String]) {
      self.standard = standard
      self.failures = failures
      self.warnings = warnings
    }
  }

  /// What one display shows.
  struct DisplayedRendition: Sendable {
    let display: Display
    /// Headroom that it has: that of the content for `full`.
    let headroom: Headroom
    let picture: Canvas
  }

  public let name: String
  public var facts: [Fact]
  public var verdicts: [Verdict]
  public let light: LightLevels
  let renditions: [DisplayedRendition]
  /// All the light there is, to be looked at.
  let full: Canvas
  let gainMap: Canvas?
  private let brightness: BrightnessCounts

  /// Headrooms that `Views.clipping` tells apart: those of the displays.
  var thresholds: [Headroom] {
    let stops = Set(renditions.filter { $0.display != .full }.map(\.headroom.stops))
    return stops.isEmpty ? [.standard] : stops.sorted().map(Headroom.init(stops:))
  }

  /// Share of the picture's pixels that a display of this headroom cannot show as they are.
  func share(above headroom: Headroom) -> Double { brightness.share(above: headroom) }

  /// Renders a picture for some displays.
  ///
  /// - Parameters:
  ///   - document: The picture.
  ///   - name: What to call it.
  ///   - displays: In the order of the sheet, at most `mostDisplays`.
  ///   - longSide: Pixels of the longer side of the renditions.
  ///   - threads: Bands worked on at the same time.
  ///   - progress: Called after each rendition with the share that is done.
  /// - Throws: What a decoder finds wrong.
  public init(
    _ document: PictureDocument, name: String, displays: [Display], longSide: Int, threads: Int,
    progress: ((Double) -> Void)? = nil
  ) throws(ImageError) {
    self.name = name
    let frame = (longSide, longSide)
    let source = try Self.rendered(document, for: .full, threads: threads)
    light = source.light
    let content = light.contentHeadroom
    full = Canvas(rendition: source.picture, into: frame)
    brightness = BrightnessCounts(source.picture)
    progress?(1 / Double(displays.count + 1))
    var renditions: [DisplayedRendition] = []
    for (index, display) in displays.enumerated() {
      switch display {
      case .full:
        renditions.append(DisplayedRendition(display: .full, headroom: content, picture: full))
      case .headroom(let headroom):
        let outcome = try Self.rendered(document, for: display, threads: threads)
        renditions.append(
          DisplayedRendition(
            display: display, headroom: headroom,
            picture: Canvas(rendition: outcome.picture, into: frame)))
      }
      progress?(Double(index + 2) / Double(displays.count + 1))
    }
    self.renditions = renditions
    gainMap = (try? document.decodeGainMap()).flatMap { $0 }
      .map { Canvas(map: $0, orientation: document.orientation, into: frame) }
    facts = []
    verdicts = []
  }

  /// The picture upright in PQ, which holds any light.
  private static func rendered(
    _ document: PictureDocument, for display: Display, threads: Int
  ) throws(ImageError) -> HDRConversion.Outcome {
    var options = ConversionOptions(format: .png, encoder: EncoderOptions(threads: threads))
    options.depth = 16
    options.orientation = .bake
    options.exif = .none
    options.xmp = .none
    if case .headroom(let headroom) = display {
      options.rendering = RenderingOptions(display: DisplayTarget(headroom: headroom))
    }
    return try HDRConversion(options).run(document)
  }
}

extension Canvas {
  /// A rendition in 16-bit PQ of BT.2020; 1.0 is what the file calls white.
  fileprivate init(rendition: PictureOutput, into frame: (Int, Int)) {
    let format = rendition.image.format
    let white = rendition.hdr.diffuseWhite ?? HDRDescription.defaultDiffuseWhite
    self.init(
      reducing: rendition.image, to: Canvas.fitting(format.width, format.height, into: frame),
      table: (0...65_535).map { Float(PQ.eotf(Double($0) / 65_535) / white) })
  }

  /// A gain map as a picture: its samples as if they were sRGB.
  fileprivate init(map: StoredGainMap, orientation: Orientation, into frame: (Int, Int)) {
    guard case .integer(let planes) = map.image.planes,
      case .integer(let bits) = map.image.format.samples
    else { preconditionFailure("gain maps are integers") }
    let isRGB = map.image.format.components == .rgb
    let shown = (isRGB ? planes : [planes[0]]).map { $0.upright(from: orientation) }
    let format = StoredFormat(
      width: shown[0].width, height: shown[0].height, components: isRGB ? .rgb : .gray,
      samples: .integer(bits: bits))
    let largest = Double((1 << bits) - 1)
    self.init(
      reducing: StoredImage(format: format, planes: .integer(shown)),
      to: Canvas.fitting(format.width, format.height, into: frame),
      table: (0..<1 << bits).map { Float(SRGB.eotf(Double($0) / largest)) })
  }
}

extension Headroom {
  /// In both units: `4x · 2 stops`.
  var words: String {
    func short(_ value: Double) -> String {
      let text = String(format: "%.1f", value)
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let stops = short(stops)
    return "\(short(ratio))x · \(stops) \(stops == "1" ? "stop" : "stops")"
  }
}
