// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension DeclaredImage {
  /// Creates the declarations of the image of a TIFF file.
  init(_ file: TIFFFile, limits: ImageLimits) throws(ImageError) {
    let directory = file.mainDirectory
    let layout = try TIFFLayout(of: file)
    try limits.check(
      width: layout.format.width, height: layout.format.height, in: "tag 256", at: directory.offset)
    var metadata = try FileMetadata { () throws(ImageError) in
      try file.exif()
    } xmp: { () throws(ImageError) in
      try file.describingValue(of: .xmp)
    }
    let light = LightMetadata(diffuseWhite: metadata.diffuseWhite())
    self.init(
      .tiff(layout), layout: layout.format,
      color: try ColorDescription(
        of: file, layout, isMarkedSRGB: metadata.exif?.isMarkedSRGB ?? false),
      notices: layout.notices
        + (layout.isLogarithmic ? try file.declaredReferenceWhite.notices : []))
    self.metadata = metadata
    self.light = light
    orientation = try file.orientation
    auxiliaryMetadata = try AuxiliaryMetadata(
      photoshop: try ifReadable(try file.describingValue(of: .photoshop)),
      iptc: try ifReadable(try file.describingValue(of: .iptc)))
  }
}

extension TIFFFile {
  /// Orientation of the image; upright without a valid entry.
  ///
  /// - Throws: Errors that end the whole job.
  var orientation: Orientation {
    get throws(ImageError) {
      let number = try ifReadable(try integers(.orientation, in: mainDirectory).first)
      return number.flatMap(Orientation.init(rawValue:)) ?? .upright
    }
  }
}

/// Interprets the directories of TIFF, DNG and TIFF-based camera raw files.
struct TIFFInterpreter {
  private let container: ImageFile
  private let file: TIFFFile

  init(_ container: ImageFile, _ file: TIFFFile) {
    self.container = container
    self.file = file
  }

  func contents() throws(ImageError) -> FileContents {
    let candidates = try file.images
    // The primary image of raw files is the enhanced one, else the largest one that is not reduced.
    let isRaw = candidates.contains(where: \.isRaw)
    let full = candidates.filter { !$0.isReduced }
    let selected = candidates.first { $0.directory.offset == file.selectedDirectory?.offset }
    let enhanced = candidates.first(where: \.isEnhanced)
    let usual = isRaw ? enhanced ?? full.max { $0.pixels < $1.pixels } : candidates.first
    guard let primary = selected ?? usual else {
      throw ImageError(
        .malformed, "no directory describes an image", at: .init(offset: file.mainDirectory.offset))
    }
    try container.options.limits.check(
      width: primary.width, height: primary.height, in: primary.name,
      at: primary.directory.offset)
    var notices = file.notices
    let others = candidates.filter { $0.directory.offset != primary.directory.offset }
    var images: [FileImage] = []
    for candidate in [primary] + others {
      try checkData(of: candidate, isPrimary: candidate.name == primary.name, &notices)
      let role: FileImage.Role =
        if candidate.name == primary.name {
          .primary
        } else if isRaw, candidate.role == .other, candidate.isJPEG, !candidate.isRaw {
          .preview  // Cameras other than those of DNG do not mark their previews.
        } else {
          candidate.role
        }
      var image = candidate.image(role: role, color: nil)
      image.number = candidate.number
      images.append(image)
    }
    try describeColor(of: &images[0], primary, &notices)
    var contents = FileContents(
      format: .tiff, source: container.source, images: images, notices: notices)
    if let version = try file.wholeValue(of: .dngVersion) {
      contents.variant = "DNG " + version.map(String.init).joined(separator: ".")
    }
    try contents.take(
      try FileMetadata { () throws(ImageError) in
        nil
      } xmp: { () throws(ImageError) in
        try file.describingValue(of: .xmp)
      })
    let exif = try ExifSummary(file, byteCount: file.mainDirectory.entries.count * 12)
    if exif.make != nil || exif.date != nil || exif.hasLocation { contents.exif = exif }
    return contents
  }

  /// Throws an error if the file ends within the samples of the primary image.
  ///
  /// A file that is truncated to its headers results in a notice.
  private func checkData(
    of image: TIFFImage, isPrimary: Bool, _ notices: inout [Notice]
  ) throws(ImageError) {
    let parts = image.dataRanges
    guard let cut = parts.first(where: { $0.upperBound > container.source.count }) else { return }
    let place = ImageError.Location(path: [image.name], offset: cut.lowerBound)
    guard isPrimary, let first = parts.map(\.lowerBound).min(), first < container.source.count
    else {
      notices.append(Notice(.dropped, "samples are not in the file", at: place))
      return
    }
    throw ImageError(
      .truncated, "samples end at {end}, the file at {size}",
      ["end": cut.upperBound, "size": container.source.count], at: place)
  }

  /// Adds the color of the image, as resolved for decoding.
  private func describeColor(
    of image: inout FileImage, _ primary: TIFFImage, _ notices: inout [Notice]
  ) throws(ImageError) {
    guard !primary.isRaw, primary.directory.offset == file.mainDirectory.offset else { return }
    let declared: DeclaredImage
    do throws(ImageError) {
      declared = try container.primaryImage()
    } catch {
      guard !error.endsJob, error.category != .limitExceeded else { throw error }
      notices.append(Notice(.inspectNotDecodable, ["cause": error], at: error.location))
      return
    }
    image.light.diffuseWhite = declared.light.diffuseWhite
    image.layout = declared.layout
    let color = ColorInspection(
      declared, in: .tiff,
      carriers: [
        .profile("ICCProfile", declared.color.icc),
        declared.color.isMarkedSRGB ? .init("Exif ColorSpace", "sRGB") : nil,
        .primaries("PrimaryChromaticities", declared.color.primaries),
      ], options: container.options
    ) { source, _ in
      switch source {
      case .profile: "ICCProfile"
      case .mark: "Exif ColorSpace"
      case .chromaticities: "PrimaryChromaticities"
      case .gamma: "LogLuv"
      default: nil
      }
    }
    notices += declared.notices + color.notices
    image.color = color
  }
}

extension TIFFFile: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.tiff, source) }
  var asContainer: FileContainer { .tiff(self) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, limits: file.options.limits)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try TIFFInterpreter(file, self).contents()
  }

  var editingError: ImageError {
    directories[0][.dngVersion] == nil
      ? .cannotEdit(.tiff) : ImageError(.formatNotEditable, ["format": "DNG"])
  }

  func summary(of item: UInt32?, in file: ImageFile) throws(ImageError) -> MetadataSummary {
    guard item == nil else { throw .hasNoItems(.tiff) }
    return try MetadataSummary(
      profile: try wholeValue(of: .iccProfile), exif: try exif(),
      xmp: try describingValue(of: .xmp), orientation: orientation)
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] { try structure() }
}
