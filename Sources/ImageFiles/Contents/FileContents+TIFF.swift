// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers

extension DeclaredImage {
  /// Creates the declarations of the first image of a TIFF file.
  init(_ file: TIFFFile, limits: ImageLimits) throws(ImageError) {
    let directory = file.directories[0]
    let layout = try TIFFLayout(of: file)
    try limits.check(
      width: layout.format.width, height: layout.format.height, in: "tag 256", at: directory.offset)
    var metadata = FileMetadata { () throws(ImageError) in
      try file.exif()
    } xmp: { () throws(ImageError) in
      try file.wholeValue(of: .xmp)
    }
    let light = LightMetadata(diffuseWhite: metadata.diffuseWhite())
    self.init(
      .tiff(layout), layout: layout.format,
      color: try ColorDescription(
        of: file, layout, isMarkedSRGB: metadata.exif?.isMarkedSRGB ?? false),
      notices: layout.notices + (layout.isLogarithmic ? file.declaredReferenceWhite.notices : []))
    self.metadata = metadata
    self.light = light
    let number = (try? file.integers(.orientation, in: directory))?.first
    orientation = number.flatMap(Orientation.init(rawValue:)) ?? .upright
    auxiliaryMetadata = AuxiliaryMetadata(
      photoshop: try? file.wholeValue(of: .photoshop), iptc: try? file.wholeValue(of: .iptc))
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

  /// Maximum number of described images; the structure contains all directories.
  private static let maximumImageCount = 128

  func contents() throws(ImageError) -> FileContents {
    var candidates: [TIFFImage] = []
    let rotated = rawOrientation
    for (index, directory) in file.directories.prefix(Self.maximumImageCount).enumerated() {
      candidates.append(TIFFImage(of: directory, named: "IFD \(index)", in: file))
      guard let entry = directory[.subdirectories] else { continue }
      let below = file.subdirectories(entry).prefix(Self.maximumImageCount - candidates.count)
      for (number, directory) in below.enumerated() {
        candidates.append(
          TIFFImage(
            of: directory, named: "IFD \(index), SubIFD \(number)", in: file, rotated: rotated))
      }
      if candidates.count >= Self.maximumImageCount { break }
    }
    candidates = candidates.filter(\.isImage)
    // The primary image of raw files is the largest one that is not reduced; of other files, the
    // first page.
    let isRaw = candidates.contains(where: \.isRaw)
    let full = candidates.filter { !$0.isReduced }
    guard
      let primary = isRaw ? full.max(by: { $0.pixels < $1.pixels }) : full.first ?? candidates.first
    else {
      throw ImageError(.tiffNoImage, at: .init(offset: file.directories[0].offset))
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
      images.append(candidate.image(role: role, color: nil))
    }
    try describeColor(of: &images[0], primary, &notices)
    var contents = FileContents(
      format: .tiff, source: container.source, images: images, notices: notices)
    if let version = try file.wholeValue(of: .dngVersion) {
      contents.variant = "DNG " + version.map(String.init).joined(separator: ".")
    }
    contents.take(
      FileMetadata { () throws(ImageError) in
        nil
      } xmp: { () throws(ImageError) in
        try file.wholeValue(of: .xmp)
      })
    let exif = ExifSummary(file, byteCount: file.directories[0].entries.count * 12)
    if exif.make != nil || exif.date != nil || exif.hasLocation { contents.exif = exif }
    return contents
  }

  /// The orientation in the first directory of a DNG file, which applies to all its images; `nil`
  /// for other files.
  ///
  /// Source: DNG 1.7.1, chapter 2, "Orientation".
  private var rawOrientation: Orientation? {
    let main = file.directories[0]
    guard main[.dngVersion] != nil else { return nil }
    let number = (try? file.integers(.orientation, in: main))?.first
    return number.flatMap(Orientation.init(rawValue:)) ?? .upright
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
      notices.append(Notice(.tiffSamplesMissing, at: place))
      return
    }
    throw ImageError(
      .tiffSamplesTruncated, ["end": cut.upperBound, "size": container.source.count], at: place)
  }

  /// Adds the color of the first directory, as resolved for decoding.
  private func describeColor(
    of image: inout FileImage, _ primary: TIFFImage, _ notices: inout [Notice]
  ) throws(ImageError) {
    guard !primary.isRaw, primary.directory.offset == file.directories[0].offset else { return }
    let declared: DeclaredImage
    do throws(ImageError) {
      declared = try container.primaryImage()
    } catch {
      guard error.category != .limitExceeded else { throw error }
      notices.append(Notice(.inspectNotDecodable, ["cause": error], at: error.location))
      return
    }
    image.hdr.diffuseWhite = declared.light.diffuseWhite
    image.format = declared.layout
    let color = ColorInspection(
      declared, in: .tiff,
      carriers: [
        .profile("ICCProfile", declared.color.icc),
        declared.color.isMarkedSRGB ? .init("Exif ColorSpace", "sRGB") : nil,
        .primaries("PrimaryChromaticities", declared.color.primaries),
      ], assumed: container.options.assumed
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
