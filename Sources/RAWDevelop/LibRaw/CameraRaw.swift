internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Camera raw files other than DNG: how they are told from other files, and how they are opened.
enum CameraRaw {
  /// Whether LibRaw is what reads a file that is no DNG.
  static func isRaw(_ file: ImageFile) -> Bool {
    switch file.container {
    case .cameraRaw: true
    case .tiff(let structure): hasRawImage(structure)
    default: false
    }
  }

  /// Most raw files are TIFF structures: a directory has a mosaic, or Canon's mark is in the header.
  private static func hasRawImage(_ file: TIFFFile) -> Bool {
    if let header = try? file.source.prefix(11), header.suffix(3) == [0x43, 0x52, 2] {
      return true
    }
    func isMosaic(_ directory: TIFFDirectory) -> Bool {
      let photometric = directory[.photometric].flatMap { try? file.unsigned($0).first }
      return photometric.map(Int.init(clamping:))
        == DNGImage.Photometric.colorFilterArray.rawValue
    }
    return file.directories.contains { directory in
      isMosaic(directory)
        || directory[.subdirectories].map { file.subdirectories($0).contains(where: isMosaic) }
          ?? false
    }
  }

  #if RAW
  /// Decodes a file and writes down in DNG's tags what it says, so that it is developed as one.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - decodes: Whether samples are wanted; levels come with them.
  /// - Returns: A DNG file in memory.
  /// - Throws: `.unsupported` for a file or a camera that LibRaw does not know, `.malformed` for a
  ///   damaged file, `.limitExceeded` for more samples than are allowed.
  static func open(_ file: ImageFile, decodes: Bool) throws(ImageError) -> DNGFile {
    let limits = file.options.limits
    let reader = try LibRawReader.open(file.source, limits: limits)
    if decodes { try reader.unpack() }
    var picture = try CameraRawImage(reader, decodes: decodes)
    picture.exif = CameraRawExif.read(file, &picture.notices) {
      () throws(ImageError) in try reader.preview()
    }
    return try picture.dng(limits: limits)
  }

  /// A DNG whose mosaic is X-Trans as one of colors, which LibRaw interpolates; `nil` for others.
  ///
  /// Its color stays that of its own tags.
  static func interpolated(
    _ dng: DNGFile, _ source: ByteSource, limits: ImageLimits, decodes: Bool
  ) throws(ImageError) -> DNGFile? {
    guard dng.rawType == .mosaic, try ColorFilterArray(dng.raw.directory).isXTrans else {
      return nil
    }
    let reader = try LibRawReader.open(source, limits: limits)
    if decodes { try reader.unpack() }
    var picture = try CameraRawImage(reader, decodes: decodes, tags: dng)
    picture.exif = try dng.structure.exif()
    return try picture.dng(limits: limits)
  }

  /// The largest preview, a JPEG.
  static func preview(
    _ source: ByteSource, limits: ImageLimits
  ) throws(ImageError) -> [UInt8] {
    try LibRawReader.open(source, limits: limits).preview()
  }
  #else
  static func open(_ file: ImageFile, decodes: Bool) throws(ImageError) -> DNGFile {
    throw missingCodec
  }

  static func preview(
    _ source: ByteSource, limits: ImageLimits
  ) throws(ImageError) -> [UInt8] {
    throw missingCodec
  }

  static func interpolated(
    _ dng: DNGFile, _ source: ByteSource, limits: ImageLimits, decodes: Bool
  ) throws(ImageError) -> DNGFile? { nil }

  private static var missingCodec: ImageError {
    ImageError(.missingCodec, ["codec": "LibRaw", "format": "camera raw"])
  }
  #endif
}
