internal import HDRCore
internal import ImageCodecs

/// What `inspect --json` prints.
struct InspectionReports: Encodable {
  let schema = "hdrconvert/inspect/1"
  let files: [InspectionReport]

  private enum CodingKeys: String, CodingKey { case schema, files }
}

/// What `inspect` tells of one file.
struct InspectionReport: Encodable {
  struct Color: Encodable {
    let cicp: String?
    let iccBytes: Int?
    let primaries: String
    let transfer: String
    let matrix: Int
    let referenceWhite: Double
  }

  let file: String
  let bytes: Int
  let format: String
  let picture: LayoutReport
  let isHighDynamicRange: Bool
  let color: Color
  let orientation: Int
  let hdr: DescriptionReport
  let light: LightReport?
  let exifBytes: Int?
  let xmpBytes: Int?
  let notices: [NoticeReport]

  init(file: String, byteCount: Int, document: PictureDocument, light: LightLevels?) {
    self.file = file
    bytes = byteCount
    format = document.format.rawValue
    picture = LayoutReport(document.base.format)
    isHighDynamicRange = document.isHighDynamicRange
    let encoding = document.base.encoding
    color = Color(
      cicp: document.base.color.cicp?.description, iccBytes: document.base.color.icc?.count,
      primaries: encoding.primaries.name, transfer: encoding.transfer.name,
      matrix: Int(encoding.matrix.rawValue), referenceWhite: encoding.referenceWhite)
    orientation = document.orientation.rawValue
    hdr = DescriptionReport(document.hdr)
    self.light = light.map(LightReport.init)
    exifBytes = document.exif?.count
    xmpBytes = document.xmp?.count
    notices = document.notices.map(NoticeReport.init)
  }

  /// One screen for people.
  var text: String {
    let depth = picture.depth == 0 ? "float" : "\(picture.depth) bit"
    let chroma = picture.chroma.map { " \($0)" } ?? ""
    let layout =
      "\(picture.width)x\(picture.height), \(picture.components)\(chroma), \(depth), "
      + "\(picture.range) range" + (picture.alpha ? ", alpha" : "")
    var carriers: [String] = []
    if let cicp = color.cicp { carriers.append("CICP \(cicp)") }
    if let count = color.iccBytes { carriers.append("ICC (\(count) bytes)") }
    let said = carriers.isEmpty ? "" : "  [\(carriers.joined(separator: ", "))]"
    var lines = [
      ("format", "\(format), \(bytes) bytes"),
      ("picture", layout),
      ("color", "\(color.primaries), \(color.transfer)\(said)"),
      ("dynamic range", isHighDynamicRange ? "high" : "standard"),
    ]
    if orientation != 1 { lines.append(("orientation", "Exif \(orientation)")) }
    lines += hdr.lines
    if let light {
      lines.append(
        (
          "measured",
          "MaxCLL \(short(light.maxCLL)), MaxFALL \(short(light.maxFALL)), 99.99 % "
            + "\(short(light.percentile9999)) cd/m², colors within \(light.usedPrimaries)"
        ))
    }
    if let exifBytes { lines.append(("Exif", "\(exifBytes) bytes")) }
    if let xmpBytes { lines.append(("XMP", "\(xmpBytes) bytes")) }
    lines += notices.map { ("note", "\($0.kind): \($0.message)") }
    let body = lines.map { name, value in
      "  " + name + String(repeating: " ", count: max(19 - name.count, 1)) + value
    }
    return ([file] + body).joined(separator: "\n")
  }
}
