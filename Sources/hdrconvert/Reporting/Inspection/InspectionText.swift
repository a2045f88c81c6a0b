internal import Foundation
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles
internal import RAWDevelop

/// What `inspect` tells of one file, for people: one screen.
struct InspectionText {
  let file: String
  let inspection: FileContents
  let raw: RawInspection?
  let light: LightLevels?
  /// Whether all that was weighed is told, not only what came of it.
  let explains: Bool

  /// The lines, the name of the file first.
  var lines: [String] {
    let body = rows.flatMap { name, value in
      let indentation = String(repeating: " ", count: Self.column)
      let label = "  " + name + String(repeating: " ", count: max(Self.column - 2 - name.count, 1))
      return value.enumerated().map { ($0 == 0 ? label : indentation) + $1 }
    }
    return [file] + body
  }

  private static let column = 20
  private typealias Row = (name: String, value: [String])

  private var rows: [Row] {
    let primary = inspection.primary
    var rows: [Row] = [
      ("format", ["\(formatText), \(byteText(inspection.byteCount))"]),
      ("picture", [primary.layoutText]),
      ("coded as", [primary.codingText]),
    ]
    if let color = primary.color { rows += colorRows(color) }
    if primary.isRaw, let interpretation = primary.interpretation {
      rows.append(("color", ["\(interpretation): what the sensor saw, before development"]))
    }
    rows.append(("dynamic range", [dynamicRange]))
    rows += inspection.gainMaps.map { ("gain map", $0.lines(explains: explains)) }
    if let adaptation = AdaptationReport(primary.color?.adaptations ?? []) {
      rows.append(("ST 2094-50", adaptation.lines))
    }
    if primary.orientation != .upright {
      rows.append(("orientation", [primary.orientation.text]))
    }
    rows += DescriptionReport(primary.hdr).lines.map { ($0.name, [$0.value]) }
    if let raw { rows += raw.rows(explains: explains) }
    if let light { rows.append(("measured", [LightReport(light).text])) }
    if !others.isEmpty { rows.append(("beside it", others)) }
    rows += metadataRows
    if !inspection.notices.isEmpty { rows.append(("notes", inspection.notices.map(\.text))) }
    return rows
  }

  private func colorRows(_ color: ColorInspection) -> [Row] {
    let (primaries, transfer) = (color.primariesFrom, color.transferFrom)
    let sources = primaries == transfer ? primaries : "\(primaries), \(transfer)"
    let text = "\(color.encoding.primaries.title), \(color.encoding.transfer.title)"
    var rows: [Row] = [("color", [text]), ("  says", ["\(sources): \(color.reason)"])]
    if explains {
      rows += color.carriers.map { ("  " + $0.name, [$0.says]) }
      rows.append(("  primaries from", [color.primariesFrom]))
      rows.append(("  transfer from", [color.transferFrom]))
      if let matrix = color.matrixFrom { rows.append(("  matrix from", [matrix])) }
    }
    return rows
  }

  private var formatText: String {
    inspection.format.title + (inspection.variant.map { " (\($0))" } ?? "")
  }

  private var dynamicRange: String {
    if inspection.primary.isRaw { return "that of the sensor; the picture is not developed" }
    if inspection.primary.isHighDynamicRange { return "high" }
    return inspection.isHighDynamicRange
      ? "high with the gain map, standard without" : "standard"
  }

  /// The other pictures, those alike in one line.
  private var others: [String] {
    var lines: [(text: String, names: [String])] = []
    let maps = inspection.gainMaps.map(\.place.name)
    for picture in inspection.images.dropFirst() where !maps.contains(picture.name) {
      let text = picture.briefText
      if let index = lines.firstIndex(where: { $0.text == text }) {
        lines[index].names.append(picture.name)
      } else {
        lines.append((text, [picture.name]))
      }
    }
    return lines.map { "\($0.text) (\(StructureNode.list($0.names)))" }
  }

  private var metadataRows: [Row] {
    var rows: [Row] = []
    if let exif = inspection.exif {
      let camera = [exif.make, exif.model].compactMap(\.self).joined(separator: " ")
      if !camera.isEmpty {
        rows.append(
          ("camera", [([camera] + [exif.lens].compactMap(\.self)).joined(separator: ", ")]))
      }
      let settings = exif.settings
      if !settings.isEmpty { rows.append(("taken", [settings])) }
      if let software = exif.software { rows.append(("software", [software])) }
      rows.append(("location", [exif.hasLocation ? "yes: Exif says where" : "no"]))
    }
    if let xmp = inspection.xmp {
      var text = "\(byteText(xmp.byteCount)), \(xmp.namespaces.count) namespaces"
      if let tool = xmp.creatorTool { text += ", made with \(tool)" }
      rows.append(("XMP", [text]))
      if explains { rows.append(("  namespaces", xmp.namespaces)) }
    }
    return rows
  }
}

/// A number of bytes as people read it.
func byteText(_ count: Int) -> String {
  switch count {
  case ..<1000: "\(count) bytes"
  case ..<1_000_000: String(format: "%.1f kB", Double(count) / 1e3)
  default: String(format: "%.1f MB", Double(count) / 1e6)
  }
}

extension Notice {
  fileprivate var text: String {
    let place = location.description
    return "\(kind.rawValue): \(message)" + (place.isEmpty ? "" : " [\(place)]")
  }
}

extension ExifSummary {
  fileprivate var settings: String {
    let time = exposureTime.map { seconds in
      seconds > 0 && seconds < 0.4 ? "1/\(Int((1 / seconds).rounded())) s" : "\(short(seconds)) s"
    }
    let parts = [
      date, time, fNumber.map { "f/\(short($0))" }, sensitivity.map { "ISO \(short($0))" },
      focalLength.map { "\(short($0)) mm" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
