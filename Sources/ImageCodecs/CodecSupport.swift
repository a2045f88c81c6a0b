public import ImageFiles

/// What this build can do with a format.
public struct CodecSupport: Sendable {
  public let format: FileFormat
  public let canRead: Bool
  public let canWrite: Bool
  /// The libraries that code its samples, with their versions.
  public let libraries: [String]

  /// All formats, in the order of `FileFormat`.
  public static var all: [CodecSupport] { FileFormat.allCases.map(\.support) }
}

extension FileFormat {
  fileprivate var support: CodecSupport {
    switch self {
    #if HEIF
    case .heif:
      .init(format: self, canRead: true, canWrite: true, libraries: HEIFCodec.libraries)
    #endif
    #if AVIF
    case .avif:
      .init(format: self, canRead: true, canWrite: true, libraries: AVIFCodec.libraries)
    #endif
    #if PNG
    case .png:
      .init(format: self, canRead: true, canWrite: true, libraries: PNGCodec.libraries)
    #endif
    #if JPEG
    case .jpeg:
      .init(format: self, canRead: true, canWrite: true, libraries: JPEGCodec.libraries)
    #endif
    #if TIFF
    case .tiff:
      .init(format: self, canRead: true, canWrite: true, libraries: TIFFCodec.libraries)
    #endif
    #if EXR
    case .exr:
      .init(format: self, canRead: true, canWrite: true, libraries: EXRCodec.libraries)
    #endif
    case .radiance: .init(format: self, canRead: true, canWrite: false, libraries: [])
    default: .init(format: self, canRead: false, canWrite: false, libraries: [])
    }
  }
}
