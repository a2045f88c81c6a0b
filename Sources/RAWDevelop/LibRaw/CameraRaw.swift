// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Detects and opens camera raw files other than DNG.
enum CameraRaw {
  /// Whether a file other than DNG is camera raw.
  ///
  /// - Throws: Errors that end the whole job.
  static func isRaw(_ file: ImageFile) throws(ImageError) -> Bool {
    switch file.container {
    case .cameraRaw: true
    case .tiff(let structure): try hasRawImage(structure)
    default: false
    }
  }

  /// Most raw files are TIFF structures: a directory has a mosaic, or the header has Canon's
  /// signature.
  private static func hasRawImage(_ file: TIFFFile) throws(ImageError) -> Bool {
    if try file.source.prefix(11).suffix(3) == [0x43, 0x52, 2] { return true }
    for directory in file.directories {
      let below = try directory[.subdirectories].map { entry throws(ImageError) in
        try file.subdirectories(entry)
      }
      for directory in [directory] + (below ?? []) {
        let photometric = try ifReadable(try file.integers(.photometric, in: directory).first)
        if photometric == DNGImage.Photometric.colorFilterArray.rawValue { return true }
      }
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
    image.exif = try CameraRawExif.read(file, &image.notices) {
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
  ///
  /// - Throws: Errors that end the whole job.
  static func colorMatrix(
    _ source: ByteSource, limits: ImageLimits
  ) throws(ImageError) -> Matrix3x3? {
    guard let reader = try ifReadable(try LibRawReader.open(source, limits: limits)) else {
      return nil
    }
    return CameraRawImage.colorMatrix(reader.description)
  }

  /// The largest preview, as JPEG.
  static func preview(
    _ source: ByteSource, limits: ImageLimits
  ) throws(ImageError) -> [UInt8] {
    try LibRawReader.open(source, limits: limits).preview()
  }
}
