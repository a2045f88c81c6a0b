internal import GainMap
package import HDRCore

extension PictureCodec {
  /// The codec of pictures in a format that holds gain maps; `nil` for others.
  public init?(of format: FileFormat) {
    switch format {
    case .jpeg: self = .jpeg
    case .heif: self = .hevc
    case .avif: self = .av1
    default: return nil
    }
  }
}

extension FileFormat {
  /// Refuses what files of this kind cannot hold.
  ///
  /// - Parameters:
  ///   - baseIsHDR: Whether the picture beside the gain map is the rendition with headroom.
  ///   - otherwise: What helps beside another format.
  /// - Throws: `.invalidArgument`.
  package func checkHoldsGainMap(
    baseIsHDR: Bool, otherwise: String? = nil
  ) throws(ImageError) {
    guard PictureCodec(of: self) != nil else {
      throw ImageError(
        .invalidArgument, "\(title) files hold no gain maps here",
        remedy: "write .jpg, .heic or .avif")
    }
    guard self == .jpeg, baseIsHDR else { return }
    throw ImageError(
      .invalidArgument, "JPEG has 8 bits, too few for an HDR base",
      remedy: (["write .heic or .avif"] + [otherwise].compactMap { $0 }).joined(separator: ", or "))
  }

  /// The name that people know.
  public var title: String {
    switch self {
    case .jxl: "JPEG XL"
    case .radiance: "Radiance"
    case .exr: "OpenEXR"
    default: rawValue.uppercased()
    }
  }
}
