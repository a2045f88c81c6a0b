// SPDX-License-Identifier: Apache-2.0
internal import CShims
package import HDRCore

/// A codec library that an installed command loads on first use (Decision 54).
package enum CodecLibrary: String {
  case libheif
  case libde265
  case libavif
  case libjxl
  case libtiff
  case libraw = "LibRaw"

  /// Loads the library, before any other function of it is called.
  ///
  /// - Throws: `.missingCodec` if it cannot be loaded.
  package func load() throws(ImageError) {
    // SAFETY: the reason is a string that lives as long as the process.
    guard let reason = unsafe reason else { return }
    throw ImageError(
      .codecLibraryMissing, ["library": rawValue, "detail": unsafe String(cString: reason)])
  }

  /// Whether the library can be loaded.
  package var isAvailable: Bool { (try? load()) != nil }

  /// Returns the name of the library with its version.
  ///
  /// - Parameter version: Calls the library.
  /// - Returns: The result of `version`, or that the library cannot be loaded.
  package func description(_ version: () -> String) -> String {
    isAvailable ? version() : "\(rawValue) (cannot be loaded)"
  }

  private var reason: UnsafePointer<CChar>? {
    switch self {
    case .libheif: unsafe library_load_heif()
    case .libde265: unsafe library_load_de265()
    case .libavif: unsafe library_load_avif()
    case .libjxl: unsafe library_load_jxl()
    case .libtiff: unsafe library_load_tiff()
    case .libraw: unsafe library_load_raw_r()
    }
  }
}
