// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Interprets the boxes and the codestream header of JPEG XL files.
struct JPEGXLInterpreter {
  private let container: ImageFile
  private let file: JPEGXLFile
  private let header: JPEGXLImageHeader
  private var profile: [UInt8]?
  private var profileError: ImageError?

  init(_ container: ImageFile, _ file: JPEGXLFile) throws(ImageError) {
    self.container = container
    self.file = file
    header = try file.imageHeader()
    do throws(ImageError) { profile = try file.profile() } catch {
      guard !error.endsJob else { throw error }
      profileError = error
    }
  }

  func contents() throws(ImageError) -> FileContents {
    let declared = try container.primaryImage()
    let depth = header.depth
    let image = FileImage(
      name: "codestream", role: .primary, layout: declared.layout,
      floatBits: depth.isFloat ? depth.bits : nil, orientation: declared.orientation,
      coding: CodecConfiguration(
        "JPEG XL", profile: header.isXYB ? "XYB" : "in its own color space",
        lumaDepth: depth.bits),
      interpretation: header.isCMYK ? FileImage.inks : nil, color: color(declared),
      light: declared.light)
    var contents = FileContents(
      format: .jxl, source: container.source,
      images: [image] + header.channelImages
        + [header.previewImage].compactMap(\.self),
      notices: declared.notices + (image.color?.notices ?? []) + unread)
    contents.take(try container.gainMaps())
    try contents.take(declared.metadata)
    return contents
  }

  /// Notices about compressed metadata that cannot be read.
  private var unread: [Notice] {
    var names: [FourCC: String] = ["jumb": "JUMBF metadata"]
    if !Brotli.isAvailable { names.merge(["Exif": "Exif", "xml ": "XMP"]) { first, _ in first } }
    var notices = file.boxes.filter(\.isCompressed).compactMap { box in
      names[box.type].map {
        Notice(
          .irregular, "{content} in a compressed box (brob) is not read", ["content": $0],
          at: .init(path: ["brob"], offset: box.offset))
      }
    }
    if let profileError {
      notices.append(
        Notice(.jpegxlProfileUnreadable, ["cause": profileError], at: .init(path: ["codestream"])))
    }
    return notices
  }

  /// The color of the codestream; `nil` if it is an ICC profile that cannot be read.
  private func color(_ declared: DeclaredImage) -> ColorInspection? {
    guard !header.color.hasProfile else { return profileColor(declared) }
    let description = declared.color
    let curve = description.gamma.map { "gamma \($0)" } ?? header.color.transfer.name
    let values = [
      header.color.cicp?.title ?? curve,
      "intensity target \(header.toneMapping.intensityTarget) cd/m²",
    ]
    return ColorInspection(
      declared, in: .jxl,
      carriers: [
        .init("codestream", values.joined(separator: ", "), cicp: description.cicp),
        .primaries("chromaticities", description.primaries),
      ], options: container.options
    ) { source, _ in
      switch source {
      case .codePoints, .gamma: "codestream"
      case .chromaticities: "chromaticities"
      default: nil
      }
    }
  }

  private func profileColor(_ declared: DeclaredImage) -> ColorInspection? {
    guard let icc = profile else { return nil }
    var description = declared.color
    description.icc = icc
    return ColorInspection(
      description, in: .jxl, format: declared.layout, carriers: [.profile("ICC profile", icc)],
      diffuseWhite: declared.light.diffuseWhite, options: container.options
    ) { source, _ in
      if case .profile = source { "ICC profile" } else { nil }
    }
  }
}
