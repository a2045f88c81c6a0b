// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports

/// Result of `convert`, `gainmap apply` and `render`: an image that was converted.
struct ConversionReport: ReportObject {
  static let schemaName = "conversion"
  let input: String
  let output: String
  let format: String
  let bytes: Int
  let layout: LayoutReport
  let cicp: String?
  let light: LightReport
  let hdr: DescriptionReport
  let gainMap: AppliedGainMapReport?
  /// Adaptation to a display; `nil` if the image was not rendered for one.
  let rendering: DisplayRenderingReport?
  let notices: [NoticeReport]

  init(
    input: String, output: String, format: FileFormat, written: ImageConverter.Written,
    byteCount: Int, notices: [Notice]
  ) {
    self.input = input
    self.output = output
    self.format = format.rawValue
    bytes = byteCount
    layout = LayoutReport(written.image.layout, isFullRange: written.image.color.isFullRange)
    cicp = format.traits.storesLinearValues ? nil : written.image.color.cicp.description
    light = LightReport(written.lightLevels)
    hdr = DescriptionReport(written.image.light, written.image.color)
    gainMap = written.gainMap.map(AppliedGainMapReport.init)
    rendering = written.rendering.map(DisplayRenderingReport.init)
    self.notices = notices.map(NoticeReport.init)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, format, bytes, layout, cicp, rendering, notices
    case light = "lightLevels"
    case hdr = "lightMetadata"
    case gainMap = "appliedGainMap"
  }
}
