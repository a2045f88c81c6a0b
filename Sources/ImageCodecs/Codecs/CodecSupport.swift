public import ImageFiles

/// What this build can do with a format.
public struct CodecSupport: Sendable {
  public let format: FileFormat
  public let canRead: Bool
  public let canWrite: Bool
  /// The libraries that code its samples, with their versions.
  public let libraries: [String]

  /// All formats, in the order of `FileFormat`.
  public static var all: [CodecSupport] {
    FileFormat.allCases.map { format in
      let codec = format.codec
      return CodecSupport(
        format: format, canRead: codec is any ImageDecoder.Type,
        canWrite: codec is any ImageEncoder.Type, libraries: codec?.libraries ?? [])
    }
  }
}
