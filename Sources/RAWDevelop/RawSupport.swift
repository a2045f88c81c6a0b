// SPDX-License-Identifier: Apache-2.0
internal import ImageFiles

/// Raw formats that this build supports.
public enum RawSupport {
  /// Names of the libraries that decode JPEG XL in DNG files, with their versions; empty if this
  /// build does not include one.
  ///
  /// Lossy JPEG in DNG files requires libjpeg; other samples are decoded by the toolkit.
  public static var dngLibraries: [String] { CodecRegistry.current.jpegXL.map { [$0.name] } ?? [] }

  /// Name of the library that decodes camera raw files other than DNG; `nil` if this build does not
  /// include one.
  public static var cameraRawLibrary: String? { CodecRegistry.current.cameraRaw?.name }

  /// Cameras in the list of that library, which a newer one extends; empty without the library.
  public static var cameras: [String] { CodecRegistry.current.cameraRaw?.cameras ?? [] }
}
