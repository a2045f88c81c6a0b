internal import Foundation
internal import GainMap
internal import HDRConversion
public import HDRCore
public import ImageCodecs
internal import ImageFiles

/// One picture of a contact sheet: its renditions, and what is to be said about it.
public struct SheetItem: Sendable {
  /// A display that the picture is shown for.
  public enum Display: Hashable, Sendable {
    /// One that shows all there is.
    case full
    case headroom(Headroom)
  }

  /// More would not have colors of their own in the mask of what is beyond them.
  public static let maximumDisplays = AnalysisViews.maskColors.count

  /// Something to be said about a picture.
  public struct Detail: Hashable, Sendable {
    /// Name of the fact.
    public var name: String
    /// Its value.
    public var value: String
    /// The value where its name does not stand beside it.
    public var phrase: String

    /// A fact whose phrase is its value unless given.
    public init(_ name: String, _ value: String, phrase: String? = nil) {
      self.name = name
      self.value = value
      self.phrase = phrase ?? value
    }
  }

  /// What a standard's rules make of the file.
  public struct Verdict: Hashable, Sendable {
    /// Title of the standard.
    public var standard: String
    /// Rules that the file violates.
    public var failures: [String]
    /// Recommendations that it does not follow.
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
    /// Headroom that it has: the picture's `reach` for `full`.
    let headroom: Headroom
    let picture: Canvas
  }

  /// Name of the file.
  public let name: String
  /// Facts about the image, for its heading.
  public var details: [Detail]
  /// Results of validation.
  public var verdicts: [Verdict]
  /// All there is, gain map applied in full.
  public let light: LightLevels
  /// Headroom that renditions are made from.
  public let content: ContentHeadroom
  let renditions: [DisplayedRendition]
  /// All the light there is, to be looked at.
  let full: Canvas
  let gainMap: Canvas?
  private let brightness: HighlightCounts

  /// Headroom of the first display that shows all there is: that of the content, or more where
  /// single pixels are brighter.
  public var reach: Headroom { brightness.reach }

  /// Headrooms that `AnalysisViews.clipping` tells apart: those of the displays.
  var thresholds: [Headroom] { Self.thresholds(renditions.map(\.display)) }

  private static func thresholds(_ displays: [Display]) -> [Headroom] {
    let stops = displays.compactMap { display in
      if case .headroom(let headroom) = display { headroom.stops } else { nil }
    }
    return stops.isEmpty ? [.standard] : Set(stops).sorted().map(Headroom.init(stops:))
  }

  /// Share of the picture's pixels that a display of this headroom, which is one of `thresholds`,
  /// cannot show as they are, for people.
  func share(above headroom: Headroom) -> String { brightness.share(above: headroom) }

  /// Whether a display shows all there is.
  func fits(_ headroom: Headroom) -> Bool { brightness.fits(headroom) }

  /// The headroom at which PQ ends.
  var largestInPQ: Headroom { Headroom(ratio: PQ.peakLuminance / light.referenceWhite) }

  /// What is to be said of a sheet that shows the picture in PQ.
  public var clippingInPQ: Notice? {
    let count = brightness.count(above: largestInPQ)
    guard count > 0, renditions.contains(where: { $0.headroom.stops > largestInPQ.stops }) else {
      return nil
    }
    return Notice(
      .sheetClippedInPQ, ["count": count, "share": brightness.percentage(above: largestInPQ)])
  }

  /// Renders a picture for some displays.
  ///
  /// - Parameters:
  ///   - document: The picture.
  ///   - name: What to call it.
  ///   - displays: In the order of the sheet, at most `maximumDisplays`.
  ///   - longSide: Pixels of the longer side of the renditions.
  ///   - progress: Called after each rendition with the share that is done.
  /// - Throws: What a decoder finds wrong.
  public init(
    _ document: SourceImage, name: String, displays: [Display], longSide: Int,
    progress: ((Double) -> Void)? = nil
  ) throws(ImageError) {
    self.name = name
    let frame = (longSide, longSide)
    let (source, light) = try Self.rendered(document, for: .full)
    let samples = try source.planes()
    self.light = light
    content = try document.contentHeadroom()
    let thresholds = Self.thresholds(displays)
    let inPQ = Headroom(ratio: PQ.peakLuminance / light.referenceWhite)
    brightness = HighlightCounts(
      samples, content: content.headroom, above: thresholds + [inPQ])
    let reach = brightness.reach
    full = Canvas(rendition: samples, upTo: reach, into: frame)
    progress?(1 / Double(displays.count + 1))
    var renditions: [DisplayedRendition] = []
    for (index, display) in displays.enumerated() {
      switch display {
      case .full:
        renditions.append(DisplayedRendition(display: .full, headroom: reach, picture: full))
      case .headroom(let headroom):
        let shown = try Self.rendered(document, for: display).image
        renditions.append(
          DisplayedRendition(
            display: display, headroom: headroom,
            picture: Canvas(rendition: try shown.planes(), upTo: headroom, into: frame)))
      }
      progress?(Double(index + 2) / Double(displays.count + 1))
    }
    self.renditions = renditions
    gainMap = (try? document.decodeGainMap()).flatMap { $0 }
      .map { Canvas(map: $0, orientation: document.image.orientation, into: frame) }
    details = []
    verdicts = []
  }

  /// Linear values in BT.2020, upright, and their light levels.
  private static func rendered(
    _ document: SourceImage, for display: Display
  ) throws(ImageError) -> (image: Image, light: LightLevels) {
    var options: RenderingOptions?
    if case .headroom(let headroom) = display {
      options = RenderingOptions(display: DisplayTarget(headroom: headroom))
    }
    return try LinearRendition(
      document, for: options, primaries: .bt2020,
      measurement: display == .full ? .all : .nothing
    ).run()
  }
}

extension Canvas {
  /// Linear values in BT.2020; those above a headroom, as infinite ones are, count as that.
  fileprivate init(
    rendition: ImagePlanes, upTo headroom: Headroom, into frame: (Int, Int)
  ) {
    let layout = rendition.layout
    let planes = if case .float(let planes) = rendition.planes { planes } else { [Plane<Float>]() }
    self.init(
      reducing: Array(planes.prefix(layout.componentCount)),
      to: Canvas.fitting(layout.width, layout.height, into: frame), peak: Float(headroom.ratio))
  }

  /// The samples of a gain map as if they were sRGB.
  fileprivate init(map: GainMapImage, orientation: Orientation, into frame: (Int, Int)) {
    guard case .integer(let planes) = map.planes.planes,
      case .integer(let bits) = map.image.layout.samples
    else { preconditionFailure("gain maps are integers") }
    let isRGB = map.image.layout.components == .rgb
    let shown = (isRGB ? planes : [planes[0]]).map { $0.upright(from: orientation) }
    let largest = Double((1 << bits) - 1)
    self.init(
      reducing: shown, to: Canvas.fitting(shown[0].width, shown[0].height, into: frame),
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
