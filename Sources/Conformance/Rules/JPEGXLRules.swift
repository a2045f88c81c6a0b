// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of JPEG XL files: boxes, levels and metadata.
enum JPEGXLRules {
  private static let boxes = "ISO/IEC 18181-2, clause 9"

  static let all: [Rule] = [
    jpegXL(
      "box-order", .must, boxes,
      "The signature, file type and level boxes come first; 'jbrd' precedes the image data",
      effect: "libjxl rejects the file or ignores the box", order),
    jpegXL(
      "box-size", .must, boxes, "The file does not end within a box or frame",
      effect: "readers show a part of the image, or ignore the box"
    ) { file in file.damage.map { Finding($0.message, at: $0.location) } },
    jpegXL(
      "brand", .must, "\(boxes), 9.2", "The file type box has the brand 'jxl '",
      effect: "libjxl rejects the file", brand),
    jpegXL(
      "codestream-once", .must, "\(boxes), 9.8 and 9.9",
      "The codestream is in one 'jxlc' box, or in 'jxlp' boxes that are numbered in order",
      effect: "libjxl rejects the file", codestream),
    jpegXL(
      "level", .must, "ISO/IEC 18181-1, annex M",
      "The level is 5 or 10, and the codestream is within its limits (size, extra channels, depths, "
        + "buffers, CMYK, ICC profile)", level),
    jpegXL(
      "exif", .must, "\(boxes), 9.4", "Exif boxes contain the offset of a TIFF header, and Exif",
      effect: "readers ignore Exif", exif),
    jpegXL(
      "xmp", .must, "\(boxes), 9.5; XMP part 3", "XMP is RDF in XML",
      effect: "readers ignore XMP", xmp),
    jpegXL(
      "orientation", .should, "\(boxes), 9.4", "Exif has the orientation of the codestream",
      orientation),
    jpegXL(
      "gain-map", .must, "ISO/IEC 18181-2:2026, jhgm",
      "Gain map boxes have version 0, metadata and a codestream", effect: "readers ignore it",
      gainMap),
  ]

  private static func jpegXL(
    _ id: String, _ level: Rule.Level, _ source: String, _ title: String, effect: String? = nil,
    _ check: @escaping @Sendable (JPEGXLFile) throws(ImageError) -> [Finding]?
  ) -> Rule {
    Rule("jpegxl/\(id)", .jpegXL, level, source, title, effect: effect) {
      (checked) throws(ImageError) -> [Finding]? in
      guard let file = checked.jpegXL else { return nil }
      return try check(file)
    }
  }

  private static func location(_ box: JPEGXLFile.Box) -> ImageError.Location {
    ImageError.Location(path: ["\(box.type)"], offset: box.offset)
  }

  private static func order(_ file: JPEGXLFile) -> [Finding]? {
    guard !file.isBareCodestream else { return nil }
    let places: [FourCC: Int] = ["JXL ": 0, "ftyp": 1, "jxll": 2]
    // libjxl writes the image header as the first part of the codestream, before 'jbrd'.
    let last = file.boxes.lastIndex { ["jxlc", "jxlp"].contains($0.type) } ?? file.boxes.count
    var findings: [Finding] = []
    for (index, box) in file.boxes.enumerated() {
      if let place = places[box.type], place != index {
        findings.append(Finding("box '\(box.type)' at place \(index + 1)", at: location(box)))
      } else if box.type == "jbrd", index > last {
        findings.append(Finding("'jbrd' after the codestream", at: location(box)))
      }
    }
    if file.boxes("ftyp").isEmpty { findings.append(Finding("no file type box")) }
    return findings
  }

  private static func brand(_ file: JPEGXLFile) throws(ImageError) -> [Finding]? {
    guard let box = file.boxes("ftyp").first else { return nil }
    let bytes = try box.content.slice(0..<min(box.content.count, 1 << 10)).bytes()
    let brands = stride(from: 0, to: bytes.count - 3, by: 4).filter { $0 != 4 }.map {
      Array(bytes[$0..<$0 + 4])
    }
    let wanted = Array("jxl ".utf8)
    guard brands.first == wanted, brands.dropFirst().contains(wanted) else {
      return [Finding("another brand than 'jxl '", at: location(box))]
    }
    return []
  }

  private static func codestream(_ file: JPEGXLFile) -> [Finding]? {
    guard !file.isBareCodestream else { return nil }
    var findings = file.notices.filter { !file.damage.contains($0) }.map {
      Finding($0.message, at: $0.location)
    }
    if let box = file.boxes("jxlp").first, !file.boxes("jxlc").isEmpty {
      findings.append(Finding("'jxlc' and 'jxlp' boxes", at: location(box)))
    }
    return findings
  }

  /// Limits of a level for the values in the header of a codestream, and the size of its profile.
  private struct Limits {
    let side: Int
    let area: Int
    let extraChannels: Int
    let bits: Int
    /// Size of an ICC profile, in bytes.
    let profile: Int

    static let five = Limits(
      side: 1 << 18, area: 1 << 28, extraChannels: 4, bits: 16, profile: 1 << 22)
    static let ten = Limits(
      side: 1 << 30, area: 1 << 40, extraChannels: 256, bits: 32, profile: 1 << 28)
  }

  private static func level(_ file: JPEGXLFile) throws(ImageError) -> [Finding]? {
    let (header, level) = (try file.imageHeader(), try file.level())
    let place = ImageError.Location(path: ["codestream"])
    guard level == 5 || level == 10 else {
      return [Finding("unknown level", at: .init(path: ["jxll"]), declared: "\(level)")]
    }
    let limits = level == 5 ? Limits.five : .ten
    let (area, overflow) = header.width.multipliedReportingOverflow(by: header.height)
    var violations: [String] = []
    if max(header.width, header.height) > limits.side || overflow || area > limits.area {
      violations.append("size of \(header.width)x\(header.height) pixels")
    }
    if header.extraChannels.count > limits.extraChannels {
      violations.append("\(header.extraChannels.count) extra channels")
    }
    let depths = [header.depth.bits] + header.extraChannels.map(\.depth.bits)
    if let most = depths.max(), most > limits.bits { violations.append("\(most) bits") }
    if let size = try file.profileSize(), size > limits.profile {
      violations.append("an ICC profile of \(size) bytes")
    }
    if level == 5, !header.fits16BitBuffers { violations.append("buffers of 32 bits") }
    if level == 5, header.isCMYK { violations.append("CMYK") }
    return violations.map {
      Finding("\($0) beyond the level", at: place, declared: "level \(level)")
    }
  }

  private static func exif(_ file: JPEGXLFile) throws(ImageError) -> [Finding]? {
    guard let box = file.boxes("Exif").first else { return nil }
    return try findings(at: location(box)) { () throws(ImageError) in
      if let bytes = try file.exif() { _ = try ExifBlock(parsing: bytes) }
    }
  }

  private static func xmp(_ file: JPEGXLFile) throws(ImageError) -> [Finding]? {
    guard let box = file.boxes("xml ").first else { return nil }
    return try findings(at: location(box)) { () throws(ImageError) in
      if let bytes = try file.xmp() { _ = try XMPPacket(parsing: bytes) }
    }
  }

  private static func orientation(_ file: JPEGXLFile) throws(ImageError) -> [Finding]? {
    // Exif is then that of the JPEG file, which may have another orientation.
    guard file.boxes(JPEGXLFile.reconstruction).isEmpty else { return nil }
    guard let bytes = try file.exif(),
      let found = try ifReadable(try ExifBlock(parsing: bytes))?.orientation
    else { return nil }
    let orientation = try file.imageHeader().orientation
    guard found != orientation else { return [] }
    return [
      Finding(
        "another orientation", at: .init(path: ["Exif"]),
        declared: "\(found.rawValue)", measured: "\(orientation.rawValue)")
    ]
  }

  private static func gainMap(_ file: JPEGXLFile) throws(ImageError) -> [Finding]? {
    let boxes = file.boxes(JPEGXLGainMapBox.boxType).filter {
      !$0.isCompressed || Brotli.isAvailable
    }
    return try findings(of: boxes, at: location) { box throws(ImageError) in
      let map = try file.gainMapBox(box)
      guard map.version == 0 else {
        throw ImageError(
          .unsupported, "version {version} of the gain map box is not supported",
          ["version": Int(map.version)])
      }
      _ = try map.imageHeader()
      guard !map.colorEncoding.isEmpty else { return }
      _ = try JPEGXLColorEncoding(parsing: map.colorEncoding)
    }
  }
}
