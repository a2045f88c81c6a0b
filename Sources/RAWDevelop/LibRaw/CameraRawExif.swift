#if RAW
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Exif of camera raw files, which each kind of file has elsewhere.
enum CameraRawExif {
  /// - Parameters:
  ///   - file: The file.
  ///   - notices: Receives a notice if no Exif is found.
  ///   - preview: Reads the preview, a JPEG that may have Exif of its own.
  /// - Returns: Exif from its TIFF header on.
  static func read(
    _ file: ImageFile, _ notices: inout [Notice], preview: () throws(ImageError) -> [UInt8]
  ) -> [UInt8]? {
    if let exif = try? stored(file) { return exif }
    if let exif = try? inPreview(preview) { return exif }
    notices.append(Notice(.rawExifMissing))
    return nil
  }

  private static func stored(_ file: ImageFile) throws(ImageError) -> [UInt8]? {
    let source = file.source
    if file.format == .cr3 { return try file.cr3().wholeExif() }
    let head = try source.prefix(4)
    // Olympus and Panasonic have other numbers in place of TIFF's 42.
    let versions: [[UInt8]: [UInt8]] = [
      Array("IIRO".utf8): [42, 0], Array("IIRS".utf8): [42, 0], Array("MMOR".utf8): [0, 42],
      Array("IIU\0".utf8): [42, 0],
    ]
    guard let version = versions[head] else {
      guard case .tiff(let structure) = file.container else { return nil }
      return try structure.exif()
    }
    var mended = SplicedBytes(source: source)
    mended.append(0..<2)
    mended.append(version)
    mended.append(4..<source.count)
    return try TIFFFile(parsing: ByteSource(mended)).exif()
  }

  private static func inPreview(
    _ preview: () throws(ImageError) -> [UInt8]
  ) throws(ImageError) -> [UInt8]? {
    try JPEGFile(parsing: ByteSource(try preview())).primary.exif
  }
}
#endif
