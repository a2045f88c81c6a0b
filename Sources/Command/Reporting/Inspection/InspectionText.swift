// SPDX-License-Identifier: Apache-2.0
internal import ImageReports
internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import RAWDevelop

/// Report of `inspect` about one file, as text on one screen.
struct InspectionText {
  let file: String
  let inspection: FileContents
  let raw: RawInspection?
  let light: LightLevels?
  /// Those of the SDR image, if `light` is with the gain map.
  var baselineLight: LightLevels?
  /// Whether sources, contradicting values and details are shown.
  let explains: Bool

  private static let column = 18
  /// Number of entries up to which a list is printed.
  private static let longestList = 5

  private typealias Row = (name: String, value: [String])

  /// The lines, the name of the file first.
  var lines: [String] {
    var rows = LabeledRows(column: Self.column)
    for row in summary + (explains ? details : []) + noticeRows {
      rows.add(row.name, row.value, hanging: 2)
    }
    return [file] + rows.lines
  }

  /// The file in a reader's terms: what it is, how bright, and where it opens.
  private var summary: [Row] {
    let primary = inspection.primary
    var rows: [Row] = [
      ("image", [content]),
      ("format", ["\(formatText), \(DiagnosticTemplate.byteText(inspection.byteCount))"]),
    ]
    // The size in a raw file is unknown if its headers cannot be read.
    if primary.layout.width > 0 { rows.append(("size", [primary.sizeText])) }
    if let color = primary.color {
      rows.append(("color", [color.title]))
    }
    if let brightness { rows.append(("brightness", brightness)) }
    if let light, let baselineLight {
      let levels = [("HDR", light), ("SDR image", baselineLight)]
      rows.append(("measured", levels.map { "\($0): \(LightReport($1).text)" }))
    } else if let light {
      rows.append(("measured", [LightReport(light).text]))
    }
    if let viewers = Viewers.of(inspection) {
      rows.append((viewers.hdr.isEmpty ? "use" : "HDR in", [viewers.text]))
    }
    if let raw { rows += raw.rows(explains: explains) }
    if !otherNames.isEmpty || explains && !others.isEmpty {
      rows.append(("also contains", explains ? others : [otherNames]))
    }
    if let choice { rows.append(("images", choice)) }
    if let video { rows.append(("video", video)) }
    return rows + cameraRows + (inspection.hasLocation ? [("location", location)] : [])
  }

  /// The video of a motion photo, and the command that extracts it.
  private var video: [String]? {
    guard let size = inspection.videoByteCount else { return nil }
    let output = "\(file.withoutFileSuffix).mp4".asArgument
    return [
      "\(DiagnosticTemplate.byteText(size)), of a motion photo; to extract it:",
      "hdrconvert extract \(file.asArgument) -o \(output) --video",
    ]
  }

  /// The images of which `--image` selects one, if there are several; with `--verbose`, previews as well.
  private var choice: [String]? {
    let images = inspection.images.filter {
      $0.number != nil && (explains || [.primary, .other].contains($0.role))
    }
    guard images.count > 1 else { return nil }
    let most = explains ? images.count : Self.mostImages
    var lines = images.sorted { $0.number ?? 0 < $1.number ?? 0 }.prefix(most).map { image in
      "\(image.number ?? 0)  \(image.name), \(image.sizeText)"
        + (image.role == .primary ? " (shown)" : "")
    }
    if images.count > most { lines.append("\(images.count - most) more; --verbose lists them") }
    lines.append("another one: --image with its number or name")
    return lines
  }

  /// Number of images that are listed without `--verbose`.
  private static let mostImages = 12

  private var content: String {
    let primary = inspection.primary
    if primary.isRaw {
      return "sensor data of a camera (\(primary.interpretation ?? "raw")), not developed"
    }
    if primary.isHighDynamicRange {
      if inspection.gainMap != nil { return "HDR, with a gain map for SDR displays" }
      guard let maximum = knownMaximum, maximum <= referenceWhite else { return "HDR" }
      return "HDR signal, but SDR content: no pixel is brighter than white "
        + "(\(digits(maximum)) of \(digits(referenceWhite)) nits)"
    }
    guard let map = inspection.gainMap, inspection.isHighDynamicRange else { return "SDR" }
    let flavors = map.flavors.map(\.title).joined(separator: ", ")
    return "HDR with its gain map (\(flavors)), SDR without"
  }

  /// Luminance of white, in cd/m².
  private var referenceWhite: Double {
    inspection.primary.color?.encoding.referenceWhite ?? ColorEncoding.defaultReferenceWhite
  }

  /// MaxCLL, measured or declared; `nil` if neither is known.
  private var knownMaximum: Double? {
    if let light { return light.maximum }
    return inspection.primary.light.contentLightLevel.flatMap { $0.maximum > 0 ? $0.maximum : nil }
  }

  /// Brightness above white, by gain map and declared light levels; `nil` for SDR images.
  private var brightness: [String]? {
    guard inspection.isHighDynamicRange else { return nil }
    var lines: [String] = []
    if let metadata = inspection.gainMap?.metadata {
      lines.append("headroom \(metadata.fullHeadroom.text) over SDR white")
    }
    if let maximum = knownMaximum {
      let white = referenceWhite
      let headroom = Headroom(ratio: maximum / white)
      lines.append(
        "brightest pixel \(digits(maximum)) nits: headroom \(headroom.text) over white "
          + "at \(digits(white)) nits")
    } else if let display = inspection.primary.light.masteringDisplay {
      lines.append("mastered for \(digits(display.maximumLuminance)) nits")
    }
    return lines.isEmpty ? ["not declared; --measure measures it"] : lines
  }

  private func digits(_ value: Double) -> String { DiagnosticTemplate.short(value) }

  private var formatText: String {
    inspection.format.title + (inspection.variant.map { " (\($0))" } ?? "")
  }

  /// Coding, sources of color, gain maps and light metadata.
  private var details: [Row] {
    let primary = inspection.primary
    var rows: [Row] = [("encoding", [primary.codingText])]
    rows.append(("orientation", [primary.orientation.text]))
    if let color = primary.color { rows += colorRows(color) }
    rows += inspection.gainMaps.map { ("gain map", $0.lines(explains: true)) }
    if let adaptation = AdaptationReport(primary.color?.adaptations ?? []) {
      rows.append(("ST 2094-50", adaptation.lines))
    }
    rows += DescriptionReport(primary.light, primary.color?.encoding).lines.map {
      ($0.name, [$0.value])
    }
    if let software = inspection.exif?.software { rows.append(("software", [software])) }
    if let xmp = inspection.xmp {
      var text = "\(DiagnosticTemplate.byteText(xmp.byteCount)), \(xmp.namespaces.count) namespaces"
      if let tool = xmp.creatorTool { text += ", made with \(tool)" }
      rows.append(("XMP", [text]))
      rows.append(("  namespaces", xmp.namespaces))
    }
    return rows
  }

  private func colorRows(_ color: ColorInspection) -> [Row] {
    let sources = [color.primariesSource, color.transferSource, color.matrixSource].compactMap(
      \.self)
    let names = ["primaries", "transfer", "matrix"]
    let text =
      Set(sources).count == 1
      ? sources[0] : zip(names, sources).map { "\($0) from \($1)" }.joined(separator: ", ")
    var rows: [Row] = [("color source", ["\(text) (\(color.reason))"])]
    rows += color.carriers.map { ("  " + $0.name, [$0.summary]) }
    return rows
  }

  private var otherImages: [FileImage] {
    let maps = Set(inspection.gainMaps.map(\.location.name))
    return inspection.images.dropFirst().filter { !maps.contains($0.name) }
  }

  /// Roles of the other images, counted.
  private var otherNames: String {
    var counts: [(role: String, count: Int)] = []
    for image in otherImages
    where image.role != .alternate && (image.role != .other || image.number == nil) {
      let role = image.roleText
      if let index = counts.firstIndex(where: { $0.role == role }) {
        counts[index].count += 1
      } else {
        counts.append((role, 1))
      }
    }
    let texts = counts.map { role, count in
      guard role != FileImage.Role.other.rawValue else {
        return count == 1 ? "another image" : "\(count) other images"
      }
      return count == 1 ? role : "\(count) × \(role)"
    }
    guard texts.count > Self.longestList else { return texts.joined(separator: ", ") }
    return "\(counts.reduce(0) { $0 + $1.count }) other images"
  }

  /// The other images; those of the same description share a line.
  private var others: [String] {
    var lines: [(text: String, names: [String])] = []
    for image in otherImages where explains || image.role != .alternate {
      let text = image.briefText
      if let index = lines.firstIndex(where: { $0.text == text }) {
        lines[index].names.append(image.name)
      } else {
        lines.append((text, [image.name]))
      }
    }
    return lines.map { "\($0.text) (\(StructureNode.list($0.names)))" }
  }

  /// The location, and the command that removes it; files of other formats than those that `tag` edits
  /// are converted.
  private var location: [String] {
    let (name, format) = (file.asArgument, inspection.format)
    guard !format.traits.isEditable else {
      return ["yes (GPS); to remove it:", "hdrconvert tag \(name) --strip gps --backup"]
    }
    // DNG has the format of TIFF, but its suffix is not that of an output.
    let isWritten = FileFormat(suffix: file.fileSuffix)?.isWritten == true
    let output = file.named("public", suffix: isWritten ? nil : "avif").asArgument
    return [
      "yes (GPS); to leave it out:",
      "hdrconvert \(name) -o \(output) --strip gps\(optionsOfSDR)",
    ]
  }

  /// Options of `convert` that keep color and depth of an SDR image; empty for other images.
  private var optionsOfSDR: String {
    let primary = inspection.primary
    guard !inspection.isHighDynamicRange, !primary.isRaw else { return "" }
    if primary.color?.encoding.primaries == .adobeRGB { return " --set print=adobergb" }
    guard case .integer(let bits) = primary.layout.samples, bits > 8 else { return " --sdr" }
    return " --sdr --depth \(bits)"
  }

  private var cameraRows: [Row] {
    guard let exif = inspection.exif else { return [] }
    var rows: [Row] = []
    let camera = exif.camera
    if !camera.isEmpty { rows.append(("camera", [camera])) }
    if let lens = exif.lens { rows.append(("lens", [lens])) }
    let settings = exif.settings
    if !settings.isEmpty { rows.append(("exposure", [settings])) }
    if let date = exif.date { rows.append(("taken", [date.asExifDate])) }
    return rows
  }

  /// Warnings; notes are counted unless the report explains.
  private var noticeRows: [Row] {
    let notices = inspection.notices
    let shown = explains ? notices : notices.filter { $0.severity == .warning }
    let listed = explains ? shown : Array(shown.prefix(Self.longestList))
    var texts = listed.flatMap { notice in
      [notice.text]
        + [Remedies.remedy(for: notice, of: .current)?.about(file: file)].compactMap(\.self)
    }
    let rest = notices.count - listed.count
    if rest > 0 {
      let (noun, object) = rest == 1 ? ("notice", "it") : ("notices", "them")
      texts.append("\(rest) \(listed.isEmpty ? "" : "more ")\(noun); --verbose lists \(object)")
    }
    return texts.isEmpty ? [] : [("notices", texts)]
  }
}

extension Notice {
  fileprivate var text: String {
    let place = location.description
    return "\(severity.rawValue): \(message)" + (place.isEmpty ? "" : " [\(place)]")
  }
}

extension String {
  /// A date of Exif, `2023:09:28 09:44:03`, with hyphens.
  fileprivate var asExifDate: String {
    guard count >= 10, prefix(10).count(where: { $0 == ":" }) == 2 else { return self }
    return String(prefix(10).replacing(":", with: "-")) + dropFirst(10)
  }
}

extension ExifSummary {
  /// Make and model; models that begin with the make stand alone.
  fileprivate var camera: String {
    let name = model ?? make ?? ""
    guard let make, model != nil, !name.hasPrefix(make) else { return name }
    return "\(make) \(name)"
  }

  fileprivate var settings: String {
    let time = exposureTime.map { seconds in
      (1e-6..<0.4).contains(seconds)
        ? "1/\(Int(clamping: (1 / seconds).rounded())) s" : "\(short(seconds)) s"
    }
    let parts = [
      time, fNumber.map { "f/\(short($0))" }, sensitivity.map { "ISO \(short($0))" },
      focalLength.map { "\(short($0)) mm" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
