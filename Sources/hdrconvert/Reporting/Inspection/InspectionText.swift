internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles
internal import RAWDevelop

/// Report of `inspect` about one file, as text on one screen.
struct InspectionText {
  let file: String
  let inspection: FileContents
  let raw: RawInspection?
  let light: LightLevels?
  /// Whether sources and contradicting values are shown.
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
      ("image", [primary.layoutText]),
    ]
    if explains { rows.append(("encoding", [primary.codingText])) }
    if let color = primary.color { rows += colorRows(color) }
    if primary.isRaw, let interpretation = primary.interpretation {
      rows.append(("color", ["\(interpretation): sensor values before development"]))
    }
    rows.append(("dynamic range", [dynamicRange]))
    rows += inspection.gainMaps.map { ("gain map", $0.lines(explains: explains)) }
    if let adaptation = AdaptationReport(primary.color?.adaptations ?? []) {
      rows.append(("ST 2094-50", adaptation.lines))
    }
    if primary.orientation != .upright {
      rows.append(("orientation", [primary.orientation.text]))
    }
    rows += DescriptionReport(primary.hdr, primary.color?.encoding).lines.map {
      ($0.name, [$0.value])
    }
    if let raw { rows += raw.rows(explains: explains) }
    if let light { rows.append(("measured", [LightReport(light).text])) }
    if !others.isEmpty { rows.append(("also contains", explains ? others : otherNames)) }
    rows += metadataRows
    if !inspection.notices.isEmpty { rows.append(("notices", inspection.notices.map(\.text))) }
    return rows
  }

  private func colorRows(_ color: ColorInspection) -> [Row] {
    let (primaries, transfer) = (color.primariesFrom, color.transferFrom)
    let sources = primaries == transfer ? primaries : "\(primaries), \(transfer)"
    let text = "\(color.encoding.primaries.title), \(color.encoding.transfer.title)"
    var rows: [Row] = [("color", [text])]
    if explains {
      rows.append(("  source", ["\(sources) (\(color.reason))"]))
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
    if inspection.primary.isRaw { return "that of the sensor (not developed)" }
    if inspection.primary.isHighDynamicRange { return "HDR" }
    return inspection.isHighDynamicRange
      ? "HDR with the gain map, SDR without" : "SDR"
  }

  /// Roles of the other images, counted.
  private var otherNames: [String] {
    let maps = inspection.gainMaps.map(\.place.name)
    var counts: [(role: String, count: Int)] = []
    for image in inspection.images.dropFirst() where !maps.contains(image.name) {
      let role = image.auxiliaryType ?? image.role.rawValue
      if let index = counts.firstIndex(where: { $0.role == role }) {
        counts[index].count += 1
      } else {
        counts.append((role, 1))
      }
    }
    let texts = counts.map { $0.count == 1 ? $0.role : "\($0.count) \($0.role)" }
    guard texts.count > 5 else { return [texts.joined(separator: ", ")] }
    return ["\(counts.reduce(0) { $0 + $1.count }) other images"]
  }

  /// The other images; those of the same description share a line.
  private var others: [String] {
    var lines: [(text: String, names: [String])] = []
    let maps = inspection.gainMaps.map(\.place.name)
    for image in inspection.images.dropFirst() where !maps.contains(image.name) {
      let text = image.briefText
      if let index = lines.firstIndex(where: { $0.text == text }) {
        lines[index].names.append(image.name)
      } else {
        lines.append((text, [image.name]))
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
      if !settings.isEmpty { rows.append(("exposure", [settings])) }
      if explains, let software = exif.software { rows.append(("software", [software])) }
      rows.append(("location", [exif.hasLocation ? "yes (GPS in Exif)" : "no"]))
    }
    if explains, let xmp = inspection.xmp {
      var text = "\(byteText(xmp.byteCount)), \(xmp.namespaces.count) namespaces"
      if let tool = xmp.creatorTool { text += ", made with \(tool)" }
      rows.append(("XMP", [text]))
      rows.append(("  namespaces", xmp.namespaces))
    }
    return rows
  }
}

/// A size in bytes, kB or MB.
func byteText(_ count: Int) -> String {
  switch count {
  case ..<1000: "\(count) bytes"
  case ..<1_000_000: "\((Double(count) / 1e3).formatted(as: "%.3g")) kB"
  default: "\((Double(count) / 1e6).formatted(as: "%.3g")) MB"
  }
}

extension Notice {
  fileprivate var text: String {
    let place = location.description
    return "\(severity.rawValue): \(message)" + (place.isEmpty ? "" : " [\(place)]")
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
