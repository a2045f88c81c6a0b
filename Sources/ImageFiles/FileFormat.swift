internal import ImageContainers

/// The kinds of file the toolkit knows.
public enum FileFormat: String, Hashable, Sendable, CaseIterable {
  case heif
  case avif
  case png
  case jpeg
  case tiff
  case exr
  case radiance
  case jxl
  /// Canon's raw files of the third kind.
  case cr3
  /// Camera raw files that are built neither as TIFF nor as CR3.
  case raw

  /// Tells the kind of a file from its first bytes (32 suffice).
  public static func sniff(_ prefix: [UInt8]) -> FileFormat? {
    func has(_ magic: [UInt8], at offset: Int = 0) -> Bool {
      prefix.count >= offset + magic.count
        && Array(prefix[offset..<offset + magic.count]) == magic
    }
    if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if has([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if has([0x76, 0x2F, 0x31, 0x01]) { return .exr }
    if has(Array("#?".utf8)) { return .radiance }
    if has([0xFF, 0x0A]) || has(Array("JXL ".utf8), at: 4) { return .jxl }
    if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) { return .tiff }
    if has([0x49, 0x49, 0x2B, 0]) || has([0x4D, 0x4D, 0, 0x2B]) { return .tiff }
    if rawMarks.contains(where: { has($0.bytes, at: $0.offset) }) { return .raw }
    guard has(Array("ftyp".utf8), at: 4) else { return nil }
    if CR3File.begins(prefix) { return .cr3 }
    // A low-overhead file has the brand of its codec in place of a minor version.
    let isMinimized = has(Array("mif3".utf8), at: 8)
    let brands = stride(from: 8, to: prefix.count - 3, by: 4).filter { $0 != 12 || isMinimized }
      .map { Array(prefix[$0..<$0 + 4]) }
    return brands.contains(Array("avif".utf8)) || brands.contains(Array("avis".utf8))
      ? .avif : .heif
  }

  /// Fujifilm, Olympus, Panasonic, Canon's second kind, Sigma and Minolta.
  ///
  /// Source: ExifTool's table of file types.
  private static let rawMarks: [(bytes: [UInt8], offset: Int)] = [
    (Array("FUJIFILMCCD-RAW ".utf8), 0), (Array("IIRO".utf8), 0), (Array("IIRS".utf8), 0),
    (Array("MMOR".utf8), 0), (Array("IIU\0".utf8), 0), (Array("HEAPCCDR".utf8), 6),
    (Array("FOVb".utf8), 0), (Array("\0MRM".utf8), 0),
  ]
}
