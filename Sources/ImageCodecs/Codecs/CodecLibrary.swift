// SPDX-License-Identifier: Apache-2.0
internal import CShims
#if HEIF
internal import CLibHEIF
#endif
package import HDRCore
internal import Synchronization

/// A codec library that an installed command loads on first use (Decision 54).
package enum CodecLibrary: String, CaseIterable {
  case libheif
  case libde265
  case libavif
  case libjxl
  case libtiff
  case libraw = "LibRaw"

  /// Work that may not use these libraries.
  package final class Refusal: Sendable {
    @TaskLocal fileprivate static var current: Refusal?
    private let wasUsed = Mutex(false)

    /// Whether the work ended without a library, whose use is an error there.
    package static func allows(_ work: () -> Void) -> Bool {
      let refusal = Refusal()
      $current.withValue(refusal, operation: work)
      return !refusal.wasUsed.withLock { $0 }
    }

    fileprivate func note() { wasUsed.withLock { $0 = true } }
  }

  /// Loads the library, before any other function of it is called.
  ///
  /// - Throws: `.missingCodec` if it cannot be loaded, or may not be used here.
  package func load() throws(ImageError) {
    if let refusal = Refusal.current {
      refusal.note()
      throw ImageError(
        .codecLibraryMissing, ["library": rawValue, "detail": "not in this process"])
    }
    // SAFETY: the reason is a string that lives as long as the process.
    guard let reason = unsafe reason else { return }
    throw ImageError(
      .codecLibraryMissing, ["library": rawValue, "detail": unsafe String(cString: reason)])
  }

  /// Loads what a process without access to files cannot load later.
  package static func loadAll() {
    // The calls of a missing library throw.
    for library in allCases { try? library.load() }
    #if HEIF
    // Loads its plugins.
    if libheif.isAvailable { _ = unsafe heif_init(nil) }
    #endif
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
