// SPDX-License-Identifier: Apache-2.0
internal import ImageCodecs
internal import ImageFiles

/// Raw formats that this build supports.
public enum RawSupport {
  /// Libraries that decode parts of DNG files; the toolkit decodes the rest.
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

  /// Cameras in the list of that library, which a newer one extends; empty if this build has none.
  public static var cameras: [String] {
    #if RAW
    LibRawReader.cameras
    #else
    []
    #endif
  }
}
