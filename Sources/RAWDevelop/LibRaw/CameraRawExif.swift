// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

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
