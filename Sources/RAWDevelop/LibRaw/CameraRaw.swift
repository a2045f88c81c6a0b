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
  static func preview(_ source: ByteSource, limits: ImageLimits) throws(ImageError) -> [UInt8] {
    try LibRawReader.open(source, limits: limits).preview()
  }
}

/// Reads Exif of camera raw files, whose location depends on the format.
enum CameraRawExif {
  /// - Parameters:
  ///   - file: The file.
  ///   - notices: Receives a notice if there is no Exif.
  ///   - preview: Reads the JPEG preview, which may contain Exif.
  /// - Returns: Exif from its TIFF header on.
  /// - Throws: Errors that end the whole job.
  static func read(
    _ file: ImageFile, _ notices: inout [Notice], preview: () throws(ImageError) -> [UInt8]
  ) throws(ImageError) -> [UInt8]? {
    if let exif = try ifReadable(try stored(file)) { return exif }
    if let exif = try ifReadable(try inPreview(preview)) { return exif }
    notices.append(Notice(.dropped, "no Exif in the file"))
    return nil
  }

  private static func stored(_ file: ImageFile) throws(ImageError) -> [UInt8]? {
    let source = file.source
    let traits = file.format.traits
    if traits.isCameraRaw, !traits.hasOpaqueHeaders { return try file.cr3().wholeExif() }
    let head = try source.prefix(4)
    // Olympus and Panasonic store other version numbers than TIFF's 42.
    let versions: [[UInt8]: [UInt8]] = [
      Array("IIRO".utf8): [42, 0], Array("IIRS".utf8): [42, 0], Array("MMOR".utf8): [0, 42],
      Array("IIU\0".utf8): [42, 0],
    ]
    guard let version = versions[head] else {
      guard case .tiff(let structure) = file.container else { return nil }
      return try structure.exif()
    }
    var patched = SplicedBytes(source: source)
    patched.append(0..<2)
    patched.append(version)
    patched.append(4..<source.count)
    return try TIFFFile(parsing: ByteSource(patched)).exif()
  }

  private static func inPreview(
    _ preview: () throws(ImageError) -> [UInt8]
  ) throws(ImageError) -> [UInt8]? {
    try JPEGFile(parsing: ByteSource(try preview())).primary.exif
  }
}
