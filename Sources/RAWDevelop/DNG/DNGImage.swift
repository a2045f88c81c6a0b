// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// An image of a DNG file: a directory that describes samples.
package struct DNGImage: Sendable {
  /// Purpose of an image, from NewSubFileType.
  ///
  /// Source: DNG 1.7.1, chapter 2, "NewSubFileType".
  package enum Role: Int, Hashable, Sendable {
    case raw = 0
    /// A preview, or a raw image of lower resolution.
    case reduced = 1
    case transparencyMask = 4
    case transparencyPreview = 5
    case depth = 8
    case depthPreview = 9
    case enhanced = 16
    case alternatePreview = 65_537
    case semanticMask = 65_540
    case semanticMaskPreview = 65_541
  }

  /// Interpretation of raw samples, from PhotometricInterpretation.
  package enum Photometric: Int, Hashable, Sendable {
    case colorFilterArray = 32_803
    case linearRaw = 34_892
  }

  let directory: DNGDirectory
  /// Purpose of the image; `nil` for an unknown value.
  package let role: Role?
  /// Interpretation of the samples; `nil` for images that are not raw.
  package let photometric: Photometric?
  /// Columns as stored.
  package let width: Int
  /// Rows as stored.
  package let height: Int

  /// Path of the image in the tree of directories: `IFD0/SubIFD 1`.
  package var directoryPath: String { directory.path.joined(separator: "/") }

  /// - Returns: `nil` for a directory without the size of an image.
  init?(_ directory: DNGDirectory) throws(ImageError) {
    guard let width = try directory.integer(.imageWidth),
      let height = try directory.integer(.imageLength)
    else { return nil }
    self.directory = directory
    self.width = width
    self.height = height
    role = Role(rawValue: try directory.integer(.newSubfileType) ?? 0)
    photometric = try directory.integer(.photometric).flatMap(Photometric.init(rawValue:))
  }

  var pixelCount: Int {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : count
  }
}
