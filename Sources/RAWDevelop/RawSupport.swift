// SPDX-License-Identifier: Apache-2.0
internal import ImageFiles

/// Raw formats that this build supports.
public enum RawSupport {
  /// Libraries that decode parts of DNG files; the toolkit decodes the rest.
  public static var dngLibraries: [String] {
    CodecRegistry.current.jpegXL.map { [$0.name] } ?? []
  }

  /// The library that decodes camera raw files other than DNG; `nil` if this build has none.
  public static var cameraRawLibrary: String? { CodecRegistry.current.cameraRaw?.name }

  /// Cameras in the list of that library, which a newer one extends; empty if this build has none.
  public static var cameras: [String] { CodecRegistry.current.cameraRaw?.cameras ?? [] }
}
