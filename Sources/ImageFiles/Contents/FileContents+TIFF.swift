internal import HDRCore
internal import ImageContainers

/// Interprets the directories of TIFF and DNG files, and of camera files that are built like them.
struct TIFFInterpreter {
  private let source: ByteSource
  private let file: TIFFFile
  private let options: OpeningOptions

  init(_ container: ImageFile, _ file: TIFFFile) {
    (source, options) = (container.source, container.options)
    self.file = file
  }

  /// More directories than people ask about; the structure lists all.
  private static let mostPictures = 128

  func contents() throws(ImageError) -> FileContents {
    var candidates: [TIFFImage] = []
    let turned = rawOrientation
    for (index, directory) in file.directories.prefix(Self.mostPictures).enumerated() {
      candidates.append(TIFFImage(of: directory, named: "IFD \(index)", in: file))
      guard let entry = directory[.subdirectories] else { continue }
      let below = file.subdirectories(entry).prefix(Self.mostPictures - candidates.count)
      for (number, directory) in below.enumerated() {
        candidates.append(
          TIFFImage(
            of: directory, named: "IFD \(index), SubIFD \(number)", in: file, turned: turned))
      }
      if candidates.count >= Self.mostPictures { break }
    }
    candidates = candidates.filter(\.isPicture)
    // The picture is the largest that is no copy; of a plain file, the first page.
    let isRaw = candidates.contains(where: \.isRaw)
    let full = candidates.filter { !$0.isReduced }
    guard
      let primary = isRaw ? full.max(by: { $0.pixels < $1.pixels }) : full.first ?? candidates.first
    else {
      throw ImageError(.tiffNoImage, at: .init(offset: file.directories[0].offset))
    }
    try options.limits.check(
      width: primary.width, height: primary.height, in: primary.name,
      at: primary.directory.offset)
    var notices = file.notices
    let others = candidates.filter { $0.directory.offset != primary.directory.offset }
    var pictures: [FileImage] = []
    for candidate in [primary] + others {
      try checkData(of: candidate, isPrimary: candidate.name == primary.name, &notices)
      let role = candidate.name == primary.name ? .primary : candidate.role
      pictures.append(candidate.image(role: role, color: nil))
    }
    try describeColor(of: &pictures[0], primary, &notices)
    var contents = FileContents(
      format: .tiff, source: source, images: pictures, notices: notices)
    if let version = try file.wholeValue(of: .dngVersion) {
      contents.variant = "DNG " + version.map(String.init).joined(separator: ".")
    }
    contents.take(exif: nil, xmp: try file.wholeValue(of: .xmp))
    let exif = ExifSummary(file, byteCount: file.directories[0].entries.count * 12)
    if exif.make != nil || exif.date != nil { contents.exif = exif }
    return contents
  }

  /// How all pictures of a DNG file are turned, as its first directory says it for them; `nil` for
  /// other files.
  ///
  /// Source: DNG 1.7.1, chapter 2, "Orientation".
  private var rawOrientation: Orientation? {
    let main = file.directories[0]
    guard main[.dngVersion] != nil else { return nil }
    let number = (try? file.integers(.orientation, in: main))?.first
    return number.flatMap(Orientation.init(rawValue:)) ?? .upright
  }

  /// Fails if the file ends within the samples of its picture; a file that was cut down to its
  /// headers gives a notice.
  private func checkData(
    of picture: TIFFImage, isPrimary: Bool, _ notices: inout [Notice]
  ) throws(ImageError) {
    let parts = picture.dataRanges
    guard let cut = parts.first(where: { $0.upperBound > source.count }) else { return }
    let place = ImageError.Location(path: [picture.name], offset: cut.lowerBound)
    guard isPrimary, let first = parts.map(\.lowerBound).min(), first < source.count else {
      notices.append(Notice(.tiffSamplesMissing, at: place))
      return
    }
    throw ImageError(
      .tiffSamplesTruncated, ["end": cut.upperBound, "size": source.count], at: place)
  }

  /// Color is read as the codec reads it, from the first directory.
  private func describeColor(
    of picture: inout FileImage, _ primary: TIFFImage, _ notices: inout [Notice]
  ) throws(ImageError) {
    guard !primary.isRaw, primary.directory.offset == file.directories[0].offset else { return }
    let layout: TIFFLayout
    do throws(ImageError) {
      layout = try TIFFLayout(of: file)
    } catch {
      guard error.category != .limitExceeded else { throw error }
      notices.append(Notice(.inspectNotDecodable, ["cause": error], at: error.location))
      return
    }
    let exif = ExifSummary.colorSpace(of: file)
    let description = try ColorDescription(of: file, layout, isMarkedSRGB: exif == 1)
    let packet = (try? file.wholeValue(of: .xmp)).flatMap { $0 }
      .flatMap { try? XMPPacket(parsing: $0) }
    picture.hdr.diffuseWhite = packet?.diffuseWhite(notices: &notices)
    picture.format = layout.format
    let color = ColorInspection(
      description, in: .tiff, format: layout.format,
      carriers: [
        .profile("ICCProfile", description.icc),
        description.isMarkedSRGB ? .init("Exif ColorSpace", "sRGB") : nil,
        .primaries("PrimaryChromaticities", description.primaries),
      ], diffuseWhite: picture.hdr.diffuseWhite, assumed: options.assumed
    ) { source, _ in
      switch source {
      case .profile: "ICCProfile"
      case .mark: "Exif ColorSpace"
      case .chromaticities: "PrimaryChromaticities"
      case .gamma: "LogLuv"
      default: nil
      }
    }
    notices += layout.notices + color.notices
    picture.color = color
    picture.hdr.imageState = color.imageState
  }
}

extension ExifSummary {
  /// Exif's ColorSpace: 1 for sRGB.
  fileprivate static func colorSpace(of file: TIFFFile) -> UInt64? {
    let directory = file.directories[0]
    let exposure = directory[.exifDirectory].flatMap { file.subdirectories($0).first }
    return exposure?[.colorSpace].flatMap { try? file.unsigned($0).first }
  }
}
