internal import ImageCodecs
internal import ImageFiles

/// What this build can do with raw files.
public enum RawSupport {
  /// The libraries that decode parts of DNG files; what they do not decode is decoded here.
  public static var dngLibraries: [String] {
    #if JPEGXL
    [JPEGXLTile.library]
    #else
    []
    #endif
  }

  /// The library that decodes camera raw files other than DNG; `nil` if this build has none.
  public static var cameraRawLibrary: String? {
    #if RAW
    LibRawReader.library
    #else
    nil
    #endif
  }
}
