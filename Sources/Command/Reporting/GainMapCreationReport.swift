// SPDX-License-Identifier: Apache-2.0
internal import ImageReports
internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Result of `gainmap create`, and of `convert` if it computes a gain map.
struct GainMapCreationReport: ReportObject {
  static let schemaName = "createdGainMap"

  /// A coded image.
  struct CodedImage: ReportObject {
    static let schemaName = "codedImage"
    let layout: LayoutReport
    /// `nil` for a coded image that was kept.
    let quality: Int?
    let bytes: Int

    enum CodingKeys: String, CodingKey, CaseIterable { case layout, quality, bytes }

    init(_ format: ImageLayout, quality: Int?, bytes: Int) {
      layout = LayoutReport(format, isFullRange: true)
      self.quality = quality
      self.bytes = bytes
    }

    var text: String {
      let samples = layout.chroma.map {
        "4:\($0.dropFirst().map(String.init).joined(separator: ":"))"
      }
      return "\(layout.width)x\(layout.height), \(samples ?? layout.components), "
        + "\(layout.bitsPerSample ?? 8) bits, "
        + "\(quality.map { "quality \($0)" } ?? "without loss"), \(DiagnosticTemplate.byteText(bytes))"
    }
  }

  let hdr: String
  let sdr: String?
  let output: String
  let format: String
  let bytes: Int
  let base: CodedImage
  let map: CodedImage
  let baseHeadroomStops: Double
  let alternateHeadroomStops: Double
  let minimumGainStops: Double
  let maximumGainStops: Double
  /// Between the given alternate image and that decoded from the file.
  let deltaEITP: DifferenceReport
  let pqPSNR: Double
  /// Share of the rows whose error was measured.
  let measuredShare: Double
  let encodings: Int
  let notices: [NoticeReport]

  init(
    hdr: String, sdr: String?, output: String, format: FileFormat, byteCount: Int,
    _ result: GainMapEncoder.Result, notices: [Notice]
  ) {
    self.hdr = hdr
    self.sdr = sdr
    self.output = output
    self.format = format.rawValue
    bytes = byteCount
    base = CodedImage(result.baseLayout, quality: result.baseQuality, bytes: result.baseByteCount)
    map = CodedImage(result.mapLayout, quality: result.mapQuality, bytes: result.mapByteCount)
    baseHeadroomStops = result.metadata.baseHeadroom.value
    alternateHeadroomStops = result.metadata.alternateHeadroom.value
    func gains(_ sample: Double) -> [Double] {
      (0..<3).map { result.metadata.logGain(ofSample: sample, component: $0) }
    }
    minimumGainStops = gains(0).min() ?? 0
    maximumGainStops = gains(1).max() ?? 0
    deltaEITP = DifferenceReport(
      mean: result.quality.meanDeltaE, percentile99: result.quality.deltaE99)
    pqPSNR = result.quality.pqPSNR
    measuredShare = result.quality.measuredShare
    encodings = result.trialCount
    self.notices = notices.map(NoticeReport.init)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case hdr = "input"
    case sdr = "sdrInput"
    case output, format, bytes
    case base = "baselineImage"
    case map = "gainMapImage"
    case baseHeadroomStops = "baselineHeadroomStops"
    case alternateHeadroomStops, minimumGainStops, maximumGainStops, deltaEITP
    case pqPSNR = "pqPSNRDecibels"
    case measuredShare, encodings, notices
  }

  /// The report as text.
  var lines: [String] {
    func number(_ value: Double) -> String { DiagnosticTemplate.short(value) }
    let headroom = "\(number(baseHeadroomStops)) to \(number(alternateHeadroomStops)) stops"
    let rows =
      measuredShare < 1 ? " (measured on \(number(measuredShare * 100)) % of the rows)" : ""
    let gains = "\(number(minimumGainStops)) to \(number(maximumGainStops)) stops"
    return [
      "\(output): \(DiagnosticTemplate.byteText(bytes))",
      "  baseline image: \(base.text)",
      "  gain map: \(map.text)",
      "  headroom: \(headroom); gain: \(gains)",
      "  error: mean Delta E ITP \(number(deltaEITP.mean)), at most "
        + "\(number(deltaEITP.percentile99)) for 99 % of the pixels; PQ-PSNR \(number(pqPSNR)) dB\(rows)",
    ]
  }
}
