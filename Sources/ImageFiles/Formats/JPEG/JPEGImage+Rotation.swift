// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension JPEGImage {
  /// Updates orientation and size in the metadata of an image whose samples were rotated upright.
  ///
  /// The size in Exif and XMP becomes that of the frame.
  ///
  /// - Parameter keepsThumbnail: Whether the Exif thumbnail still matches the image; it is removed
  ///   otherwise.
  /// - Returns: Notices about dropped metadata.
  /// - Throws: `.malformed` for Exif or XMP that cannot be edited.
  package mutating func describeAsUpright(keepsThumbnail: Bool) throws(ImageError) -> [Notice] {
    var notices: [Notice] = []
    let (width, height) = (frame.width, frame.height)
    if let exif {
      let fitted = try ExifBlock.fitted(
        exif, width: width, height: height, keepsThumbnail: keepsThumbnail, notices: &notices)
      try setExif(try ExifBlock.consistent(fitted, with: .upright))
    }
    try editXMP { packet throws(ImageError) in
      _ = try packet.updateOrientation(.upright)
      try packet.updatePixelSize(width: width, height: height)
    }
    return notices
  }
}
