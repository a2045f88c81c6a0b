#if TIFF
internal import CShims
internal import HDRCore
internal import ImageContainers

/// TIFF pictures: directories by `TIFFFile`, samples by libtiff.
enum TIFFCodec {
  /// The library that codes samples, with its version.
  static var libraries: [String] {
    // SAFETY: a string that lives as long as the program.
    let text = unsafe String(cString: tiff_library())
    // "LIBTIFF, Version 4.5.0" and a copyright notice.
    let version = text.split(separator: "\n").first?.split(separator: " ").last ?? ""
    return ["libtiff \(version)"]
  }

  /// Reads the first page.
  static func open(
    _ source: ByteSource, options: OpeningOptions
  ) throws(ImageError) -> PictureDocument {
    let file = try TIFFFile(parsing: source, limits: options.limits)
    let directory = file.directories[0]
    guard directory[.dngVersion] == nil else {
      throw ImageError(
        .unsupported, "a DNG file, whose raw samples this version does not develop",
        at: .init(path: ["tag 50706"], offset: directory.offset))
    }
    let layout = try TIFFLayout(of: file)
    try options.limits.check(
      width: layout.format.width, height: layout.format.height, in: "tag 256", at: directory.offset)
    var notices = file.notices + layout.notices
    var metadata = FileMetadata(
      exif: try exif(of: file), xmp: try bytes(of: .xmp, in: file))
    var hdr = HDRDescription(diffuseWhite: metadata.diffuseWhite())
    notices += metadata.notices

    let color = try color(of: file, layout, isMarkedSRGB: metadata.exif?.isMarkedSRGB ?? false)
    let resolved = ResolvedColor(
      color, in: .tiff, format: layout.format, diffuseWhite: hdr.diffuseWhite,
      assumed: options.assumed)
    hdr.imageState = resolved.imageState
    let memory = options.limits.memory
    let picture = Picture(format: layout.format, color: color, resolved: resolved) {
      () throws(ImageError) in
      try TIFFPictureReader(source, layout: layout, memory: memory)
    }
    let orientation = (try? file.integers(.orientation, in: directory).first)
      .flatMap { $0 }.flatMap(Orientation.init(rawValue:))
    return PictureDocument(
      format: .tiff, base: picture, hdr: hdr, orientation: orientation ?? .upright,
      exif: metadata.exif?.bytes, xmp: metadata.xmp?.bytes, notices: notices + resolved.notices)
  }

  /// A whole value of the first directory: what is cut off has lost its meaning.
  private static func bytes(
    of tag: TIFFTag, in file: TIFFFile
  ) throws(ImageError) -> [UInt8]? {
    guard let entry = file.directories[0][tag] else { return nil }
    return try file.bytes(of: entry)
  }

  private static func color(
    of file: TIFFFile, _ layout: TIFFLayout, isMarkedSRGB: Bool
  ) throws(ImageError) -> ColorDescription {
    let directory = file.directories[0]
    func numbers(_ tag: TIFFTag) -> [Double] {
      directory[tag].flatMap { try? file.numbers($0) } ?? []
    }
    var color = ColorDescription(
      icc: try bytes(of: .iccProfile, in: file),
      isMarkedSRGB: isMarkedSRGB)
    if layout.isLogarithmic {
      color.primaries = layout.format.components == .rgb ? .xyz : nil
      color.gamma = 1
      color.whiteLuminance = numbers(.sampleToNits).first.flatMap { $0 > 0 ? $0 : nil }
      return color
    }
    let (xy, white) = (numbers(.primaryChromaticities), numbers(.whitePoint))
    if xy.count == 6, white.count == 2 {
      color.primaries = ColorPrimaries(
        red: Chromaticity(x: xy[0], y: xy[1]), green: Chromaticity(x: xy[2], y: xy[3]),
        blue: Chromaticity(x: xy[4], y: xy[5]), white: Chromaticity(x: white[0], y: white[1]))
    }
    return color
  }

  /// Exif as one block, from the directories that TIFF spreads it over.
  private static func exif(of file: TIFFFile) throws(ImageError) -> [UInt8]? {
    let description = try NewTIFFDirectory.description(of: file)
    guard !description.isEmpty else { return nil }
    let header = file.byteOrder.header(firstDirectoryAt: 8)
    return header + description.serialized(at: header.count, order: file.byteOrder)
  }
}
#endif
