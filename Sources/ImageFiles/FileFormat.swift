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

  /// The format of a file by its first bytes, of which 32 suffice; `nil` for unknown ones.
  public static func sniff(_ prefix: [UInt8]) -> FileFormat? {
    if let format = allCases.first(where: { format in
      format.traits.signatures.contains { $0.matches(prefix) }
    }) {
      return format
    }
    guard prefix.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
    if CR3File.begins(prefix) { return .cr3 }
    // A low-overhead file has the brand of its codec in place of a minor version.
    let isMinimized = prefix.dropFirst(8).starts(with: "mif3".utf8)
    let brands = stride(from: 8, to: prefix.count - 3, by: 4).filter { $0 != 12 || isMinimized }
      .map { Array(prefix[$0..<$0 + 4]) }
    return brands.contains(Array("avif".utf8)) || brands.contains(Array("avis".utf8))
      ? .avif : .heif
  }
}
