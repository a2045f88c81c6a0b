// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Detects and opens camera raw files other than DNG.
enum CameraRaw {
  /// Whether a file other than DNG is camera raw.
  static func isRaw(_ file: ImageFile) -> Bool {
    switch file.container {
    case .cameraRaw: true
    case .tiff(let structure): hasRawImage(structure)
    default: false
    }
  }

  /// Most raw files are TIFF structures: a directory has a mosaic, or the header has Canon's
  /// signature.
  private static func hasRawImage(_ file: TIFFFile) -> Bool {
    if let header = try? file.source.prefix(11), header.suffix(3) == [0x43, 0x52, 2] {
      return true
    }
    func isMosaic(_ directory: TIFFDirectory) -> Bool {
      let photometric = directory[.photometric].flatMap { try? file.unsigned($0).first }
      return photometric.map(Int.init(clamping:))
        == DNGImage.Photometric.colorFilterArray.rawValue
    }
    for directory in file.directories {
      if isMosaic(directory) { return true }
      guard let entry = directory[.subdirectories] else { continue }
      guard let below = try? file.subdirectories(entry) else { return false }
      if below.contains(where: isMosaic) { return true }
    }
    return false
  }

  /// Opens a file as a DNG file in memory, with its parameters in DNG tags.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - decodes: Whether to decode samples, which also determine levels.
  /// - Returns: A DNG file in memory.
  /// - Throws: `.unsupported` for a file or a camera that LibRaw does not support, `.malformed` and
  ///   `.truncated` for a damaged file, `.limitExceeded` for more samples than the limits allow,
  ///   `.missingCodec` without LibRaw.
  static func open(_ file: ImageFile, decodes: Bool) throws(ImageError) -> DNGFile {
    let limits = file.options.limits
    let reader = try LibRawReader.open(file.source, limits: limits)
    if decodes { try reader.unpack() }
    var image = try CameraRawImage(reader, decodes: decodes)
    image.exif = CameraRawExif.read(file, &image.notices) {
      () throws(ImageError) in try reader.preview()
    }
    return try image.dng(limits: limits)
  }

  /// A DNG file with an X-Trans mosaic, demosaiced by LibRaw; `nil` for other files and without LibRaw.
  ///
  /// Color is that of its own tags.
  static func interpolated(
    _ dng: DNGFile, _ source: ByteSource, limits: ImageLimits, decodes: Bool
  ) throws(ImageError) -> DNGFile? {
    guard dng.rawType == .mosaic, try ColorFilterArray(dng.raw.directory).isXTrans,
      RawSupport.cameraRawLibrary != nil
    else { return nil }
    let reader = try LibRawReader.open(source, limits: limits)
    if decodes { try reader.unpack() }
    var image = try CameraRawImage(reader, decodes: decodes, tags: dng)
    image.exif = try dng.structure.exif()
    return try image.dng(limits: limits)
  }

  /// CIE XYZ to the colors of the camera of a DNG file without matrices; `nil` if LibRaw does not
  /// know the camera.
  static func colorMatrix(_ source: ByteSource, limits: ImageLimits) -> Matrix3x3? {
    guard let reader = try? LibRawReader.open(source, limits: limits) else { return nil }
    return CameraRawImage.colorMatrix(reader.description)
  }

  /// The largest preview, as JPEG.
  static func preview(
    _ source: ByteSource, limits: ImageLimits
  ) throws(ImageError) -> [UInt8] {
    try LibRawReader.open(source, limits: limits).preview()
  }
}
