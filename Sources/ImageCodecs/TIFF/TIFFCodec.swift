#if TIFF
internal import CShims
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// TIFF pictures: directories by `TIFFFile`, samples by libtiff.
enum TIFFCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.tiff

  /// The library that codes samples, with its version.
  static var libraries: [String] {
    // SAFETY: a string that lives as long as the program.
    let text = unsafe String(cString: tiff_library())
    // "LIBTIFF, Version 4.5.0" and a copyright notice.
    let version = text.split(separator: "\n").first?.split(separator: " ").last ?? ""
    return ["libtiff \(version)"]
  }

  /// Reads the first page.
  static func open(_ file: ImageFile) throws(ImageError) -> PictureDocument {
    guard case .tiff(let tiff) = file.container else { throw file.format.missingCodec }
    return try document(tiff, file.options)
  }

  private static func document(
    _ file: TIFFFile, _ options: OpeningOptions
  ) throws(ImageError) -> PictureDocument {
    let directory = file.directories[0]
    guard directory[.dngVersion] == nil else {
      throw ImageError(.tiffIsDNG, at: .init(path: ["tag 50706"], offset: directory.offset))
    }
    let layout = try TIFFLayout(of: file)
    try options.limits.check(
      width: layout.format.width, height: layout.format.height, in: "tag 256", at: directory.offset)
    var notices = file.notices + layout.notices
    var metadata = FileMetadata(
      exif: try file.exif(), xmp: try file.wholeValue(of: .xmp))
    let light = LightMetadata(diffuseWhite: metadata.diffuseWhite())
    notices += metadata.notices

    let color = try ColorDescription(
      of: file, layout, isMarkedSRGB: metadata.exif?.isMarkedSRGB ?? false)
    if layout.isLogarithmic { notices += file.statedWhite.notices }
    let resolved = ResolvedColor(
      decoding: color, in: .tiff, format: layout.format, diffuseWhite: light.diffuseWhite,
      assumed: options.assumed)
    let memory = options.limits.memory
    let orientation = (try? file.integers(.orientation, in: directory).first)
      .flatMap { $0 }.flatMap(Orientation.init(rawValue:))
    let image = Image(
      layout: layout.format, resolved: resolved, light: light,
      orientation: orientation ?? .upright
    ) { () throws(ImageError) in
      try TIFFReader(file.source, as: layout, memory: memory)
    }
    var document = PictureDocument(
      format: .tiff, image: image, declaredColor: color, exif: metadata.exif?.bytes,
      xmp: metadata.xmp?.bytes, notices: notices + resolved.notices)
    document.furtherMetadata = FurtherMetadata(
      photoshop: try? file.wholeValue(of: .photoshop), iptc: try? file.wholeValue(of: .iptc))
    return document
  }
}
#endif
