internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// Report of `gainmap create`.
struct GainMapCreationReport: ReportObject {
  static let title = "Creation report"

  /// Size of the file and of the coded images in it, in bytes.
  struct Bytes: ReportObject {
    static let title = "Bytes"
    let total: Int
    let base: Int
    let map: Int

    enum CodingKeys: String, CodingKey, CaseIterable { case total, base, map }
  }

  struct Picture: ReportObject {
    static let title = "Coded picture"
    let width: Int
    let height: Int
    let components: String
    let chroma: String?
    let depth: Int
    let quality: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
      case width, height, components, chroma, depth, quality
    }

    init(_ format: ImageLayout, quality: Int) {
      let layout = LayoutReport(format, isFullRange: true)
      width = layout.width
      height = layout.height
      components = layout.components
      chroma = layout.chroma
      depth = layout.depth
      self.quality = quality
    }

    var text: String {
      let samples = chroma.map { "4:\($0.dropFirst().map(String.init).joined(separator: ":"))" }
      return "\(width)x\(height), \(samples ?? components), \(depth) bits, quality \(quality)"
    }
  }

  /// Differences between the given image and that decoded from the file.
  struct Difference: ReportObject {
    static let title = "Error"
    let deltaEITPMean: Double
    let deltaEITP99: Double
    let pqPSNR: Double

    enum CodingKeys: String, CodingKey, CaseIterable { case deltaEITPMean, deltaEITP99, pqPSNR }
  }

  let schema = "hdrconvert/gainmap-create/1"
  let hdr: String
  let sdr: String?
  let output: String
  let format: String
  let bytes: Bytes
  let base: Picture
  let map: Picture
  let baseHeadroomStops: Double
  let alternateHeadroomStops: Double
  /// Smallest and largest gain, in stops.
  let gainStops: [Double]
  let error: Difference
  let trials: Int
  let notices: [NoticeReport]

  init(
    hdr: String, sdr: String?, output: String, format: FileFormat, byteCount: Int,
    _ outcome: GainMapEncoder.Result, notices: [Notice]
  ) {
    self.hdr = hdr
    self.sdr = sdr
    self.output = output
    self.format = format.rawValue
    bytes = Bytes(total: byteCount, base: outcome.baseByteCount, map: outcome.mapByteCount)
    base = Picture(outcome.baseLayout, quality: outcome.baseQuality)
    map = Picture(outcome.mapLayout, quality: outcome.mapQuality)
    baseHeadroomStops = outcome.metadata.baseHeadroom.value
    alternateHeadroomStops = outcome.metadata.alternateHeadroom.value
    func gains(_ sample: Double) -> [Double] {
      (0..<3).map { outcome.metadata.logGain(ofSample: sample, component: $0) }
    }
    gainStops = [gains(0).min() ?? 0, gains(1).max() ?? 0]
    error = Difference(
      deltaEITPMean: outcome.quality.meanDeltaE, deltaEITP99: outcome.quality.deltaE99,
      pqPSNR: outcome.quality.pqPSNR)
    trials = outcome.trialCount
    self.notices = notices.map(NoticeReport.init)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case schema, hdr, sdr, output, format, bytes, base, map, baseHeadroomStops
    case alternateHeadroomStops, gainStops, error, trials, notices
  }

  /// The report as text.
  var lines: [String] {
    func number(_ value: Double) -> String { value.formatted(as: "%.3g") }
    let headroom = "\(number(baseHeadroomStops)) to \(number(alternateHeadroomStops)) stops"
    let gains = "\(number(gainStops[0])) to \(number(gainStops[1])) stops"
    return [
      "\(output): \(byteText(bytes.total))",
      "  baseline image: \(base.text), \(byteText(bytes.base))",
      "  gain map: \(map.text), \(byteText(bytes.map))",
      "  headroom: \(headroom); gain: \(gains)",
      "  error: Delta E ITP \(number(error.deltaEITPMean)) (mean), \(number(error.deltaEITP99)) (99 %); "
        + "PQ-PSNR \(number(error.pqPSNR)) dB",
    ]
  }
}
