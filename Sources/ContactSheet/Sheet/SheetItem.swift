// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
public import HDRCore
public import ImageFiles
internal import Platform

/// An image of a contact sheet with its renditions and details.
public struct SheetItem: Sendable {
  /// A display for a rendition.
  public enum Display: Hashable, Sendable {
    /// A display that shows the whole range.
    case full
    case headroom(Headroom)
  }

  /// Limit of displays: the number of false colors.
  public static let maximumDisplayCount = AnalysisViews.maskColors.count

  /// A detail of an image.
  public struct Detail: Hashable, Sendable {
    /// Name of the detail.
    public var name: String
    /// Value of the detail.
    public var value: String
    /// Text for use without the name.
    public var phrase: String

    /// A detail; the phrase is the value unless given.
    public init(_ name: String, _ value: String, phrase: String? = nil) {
      self.name = name
      self.value = value
      self.phrase = phrase ?? value
    }
  }

  /// Results of the rules of a standard.
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

  /// The rendition for a display.
  struct DisplayedRendition: Sendable {
    let display: Display
    /// Headroom of the display: `reach` for `full`.
    let headroom: Headroom
    let image: Canvas
  }

  /// Name of the file.
  public let name: String
  /// Details of the image, for its heading.
  public var details: [Detail]
  /// Results of validation.
  public var verdicts: [Verdict]
  /// Light levels of the whole range, with the gain map in full.
  public let lightLevels: LightLevels
  /// Headroom of the content.
  public let contentHeadroom: ContentHeadroom
  /// By headroom.
  let renditions: [DisplayedRendition]
  /// The rendition for a display without headroom; `nil` if it is not asked for.
  var ordinary: Canvas? { renditions.first { $0.headroom.stops == 0 }?.image }
  /// Rendition of the whole range.
  let full: Canvas
  let gainMap: Canvas?
  private let brightness: HighlightCounts

  /// Least headroom of a display that shows the whole range: that of the content, or more for
  /// single brighter pixels.
  public var reach: Headroom { brightness.reach }

  /// Headrooms of `AnalysisViews.clipping`: those of the displays.
  var thresholds: [Headroom] { Self.thresholds(renditions.map(\.display)) }

  private static func thresholds(_ displays: [Display]) -> [Headroom] {
    let stops = displays.compactMap { display in
      if case .headroom(let headroom) = display { headroom.stops } else { nil }
    }
    return stops.isEmpty ? [.standard] : Set(stops).sorted().map(Headroom.init(stops:))
  }

  /// Percentage of pixels above a headroom of `thresholds`, for people.
  func share(above headroom: Headroom) -> String { brightness.share(above: headroom) }

  /// Whether a display shows the whole range.
  func fits(_ headroom: Headroom) -> Bool { brightness.fits(headroom) }

  /// Headroom of the maximum of PQ.
  var largestInPQ: Headroom { Headroom(ratio: PQ.peakLuminance / lightLevels.referenceWhite) }

  /// Notice of values above PQ in a PQ sheet; `nil` if there are none.
  public var clippingInPQ: Notice? {
    let count = brightness.count(above: largestInPQ)
    guard count > 0, renditions.contains(where: { $0.headroom.stops > largestInPQ.stops }) else {
      return nil
    }
    return Notice(
      .sheetClippedInPQ, ["count": count, "share": brightness.percentage(above: largestInPQ)])
  }

  /// Renders an image for displays.
  ///
  /// - Parameters:
  ///   - document: The image.
  ///   - name: Name of the item.
  ///   - displays: Displays, which the sheet shows by their headroom, at most `maximumDisplayCount`.
  ///   - longSide: Longer side of the renditions in pixels.
  /// - Throws: Errors of decoding.
  public init(
    _ document: SourceImage, name: String, displays: [Display], longSide: Int
  ) throws(ImageError) {
    self = try Execution.operation { () throws(ImageError) in
      try SheetItem(rendering: document, name: name, displays, longSide: longSide)
    }
  }

  private init(
    rendering document: SourceImage, name: String, _ displays: [Display], longSide: Int
  ) throws(ImageError) {
    self.name = name
    func part<Value>(
      _ index: Int, _ body: () throws(ImageError) -> Value
    ) throws(ImageError) -> Value {
      try Execution.part(upTo: Double(index) / Double(displays.count + 1), .converting, body)
    }
    let frame = (longSide, longSide)
    let document = try Execution.part(upTo: 0.1) { () throws(ImageError) in
      try document.loaded()
    }
    let (source, light) = try part(1) { () throws(ImageError) in
      try Self.rendered(document, for: .full)
    }
    let samples = try source.planes()
    self.lightLevels = light
    contentHeadroom = try part(1) { () throws(ImageError) in try document.contentHeadroom() }
    let thresholds = Self.thresholds(displays)
    let inPQ = Headroom(ratio: PQ.peakLuminance / light.referenceWhite)
    brightness = HighlightCounts(
      samples, content: contentHeadroom.headroom, above: thresholds + [inPQ])
    let reach = brightness.reach
    full = Canvas(rendition: samples, upTo: reach, into: frame)
    var renditions: [DisplayedRendition] = []
    for (index, display) in displays.enumerated() {
      switch display {
      case .full:
        renditions.append(DisplayedRendition(display: .full, headroom: reach, image: full))
      case .headroom(let headroom):
        let rendered = try part(index + 2) { () throws(ImageError) in
          try Self.rendered(document, for: display).image
        }
        renditions.append(
          DisplayedRendition(
            display: display, headroom: headroom,
            image: Canvas(rendition: try rendered.planes(), upTo: headroom, into: frame)))
      }
    }
    self.renditions = renditions.sorted { $0.headroom.stops < $1.headroom.stops }
    gainMap = try ifReadable(try document.decodeGainMap())
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
    return try SourceTransform.run { () throws(ImageError) in
      try SourceTransform(
        linear: document, for: options, primaries: .bt2020,
        measurement: display == .full ? .all : .nothing)
    }
  }
}

extension Canvas {
  /// A canvas of linear BT.2020 values, limited to a headroom.
  fileprivate init(rendition: ImagePlanes, upTo headroom: Headroom, into frame: (Int, Int)) {
    let layout = rendition.layout
    let planes = if case .float(let planes) = rendition.planes { planes } else { [Plane<Float>]() }
    self.init(
      reducing: Array(planes.prefix(layout.componentCount)),
      to: Canvas.fitting(layout.width, layout.height, into: frame), peak: Float(headroom.ratio))
  }

  /// The samples of a gain map, displayed as sRGB.
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
  /// Ratio and stops: `4x · 2 stops`.
  var words: String {
    func short(_ value: Double) -> String {
      let text = value.formatted(as: "%.1f")
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let stops = short(stops)
    return "\(short(ratio))x · \(stops) \(stops == "1" ? "stop" : "stops")"
  }
}

/// Counts of pixels above headrooms, by their largest components.
struct HighlightCounts: Sendable {
  /// Least headroom of a display that shows the whole range: that of the content or of the
  /// brightest pixel.
  let reach: Headroom
  private let thresholds: [Float]
  private let counts: [Int]
  private let pixelCount: Int

  /// Larger values count as infinite, and are shown at the peak of the content.
  private static let largest = Float(Float16.greatestFiniteMagnitude)
  /// Tolerance of a headroom for rounding.
  private static let slack = 1.001

  /// Counts the pixels above headrooms.
  ///
  /// - Parameters:
  ///   - values: Linear RGB or gray, 1.0 for reference white.
  ///   - content: Headroom of the image.
  ///   - headrooms: Headrooms for which counts are needed.
  init(_ values: ImagePlanes, content: Headroom, above headrooms: [Headroom]) {
    guard case .float(let planes) = values.planes else {
      preconditionFailure("linear values are floating point")
    }
    let isRGB = values.layout.components == .rgb
    let (red, green, blue) = (planes[0], planes[isRGB ? 1 : 0], planes[isRGB ? 2 : 0])
    let limits = headrooms.map { Float($0.ratio * Self.slack) }
    var counts = [Int](repeating: 0, count: limits.count)
    var (brightest, unlimited) = (Float(0), 0)
    let lowest = limits.min() ?? .infinity
    for y in 0..<red.height {
      let (r, g, b) = (red.row(y), green.row(y), blue.row(y))
      for x in 0..<red.width {
        let value = max(r[x], g[x], b[x])
        guard value <= Self.largest else {
          unlimited += 1
          continue
        }
        brightest = max(brightest, value)
        guard value > lowest else { continue }
        for index in limits.indices where value > limits[index] { counts[index] += 1 }
      }
    }
    let reach =
      Double(brightest) > content.ratio * Self.slack
      ? Headroom(ratio: Double(brightest)) : content
    self.reach = reach
    thresholds = headrooms.map { Float($0.ratio) }
    self.counts = zip(limits, counts).map { limit, count in
      Double(limit) < reach.ratio ? count + unlimited : count
    }
    pixelCount = values.layout.width * values.layout.height
  }

  /// Number of pixels above one of the headrooms.
  func count(above headroom: Headroom) -> Int {
    guard let index = thresholds.firstIndex(of: Float(headroom.ratio)) else {
      preconditionFailure("pixels above \(headroom.ratio) were not counted")
    }
    return counts[index]
  }

  /// Percentage of pixels above one of the headrooms.
  func percentage(above headroom: Headroom) -> Double {
    100 * Double(count(above: headroom)) / Double(max(pixelCount, 1))
  }

  /// The percentage for people: `0.25 %`; 0 only if there are none.
  func share(above headroom: Headroom) -> String {
    let percent = percentage(above: headroom)
    return percent > 0 && percent < 0.01 ? "<0.01 %" : "\(percent.digits) %"
  }

  /// Whether a display shows the whole range.
  func fits(_ headroom: Headroom) -> Bool { reach.ratio <= headroom.ratio * Self.slack }
}

/// Simulates renditions with headroom on a display without: all are dimmed equally, so that their
/// brightness can be compared.
struct HeadroomSimulation: Sendable {
  /// Linear value of reference white.
  let dimming: Float
  private let shoulder: ToneMap

  /// Limit of dimming in stops, to keep mid-tones visible.
  private static let mostStops = 2.0

  /// A simulation.
  ///
  /// - Parameter brightest: The largest headroom to be shown.
  /// - Throws: `.invalidArgument` for invalid headrooms.
  init(brightest: Headroom) throws(ImageError) {
    let stops = min(max(brightest.stops, 0), Self.mostStops)
    dimming = Float(Headroom(stops: -stops).ratio)
    shoulder = try ToneMapOperator.shoulder.toneMap(
      content: Headroom(stops: max(brightest.stops - stops, 0)), display: .standard)
  }

  /// The image for a display without headroom.
  func shown(_ image: Canvas) -> Canvas {
    image.mapped { color in
      LinearColor(shoulder.toneMapped(SIMD3<Double>(color * dimming)))
    }
  }

  /// Whether highlights exceed the dimmed range.
  var compressesHighlights: Bool { !shoulder.isIdentity }

  /// The brightness that is meant, in a sentence.
  var explanation: String {
    guard dimming < 1 else { return "White is as bright as this screen." }
    let share = Int(clamping: Double(100 * dimming).rounded())
    return
      "White is shown at \(share) % of the brightness of this screen, to leave room for brighter highlights; "
      + "to see it as bright as it is meant, turn up the screen, or choose True HDR."
  }

  /// Stops by which white is dimmed.
  var stops: Double { -Headroom(ratio: Double(dimming)).stops }
}
