// SPDX-License-Identifier: Apache-2.0
public import HDRCore

extension ImageFile {
  /// Rotates or mirrors the primary image and its associated images losslessly.
  ///
  /// Coded data do not change. HEIF and AVIF store the orientation in item properties, JPEG in the
  /// Exif of the first image, which also applies to the gain map, JPEG XL in the header of the
  /// codestream and in that of the gain map, JPEG XR in the directory of the image.
  ///
  /// - Parameter rotation: Rotation and mirroring relative to the present orientation.
  /// - Returns: The edited file, whose coded data were compared with those of the original.
  /// - Throws: `.invalidArgument` for PNG, since most PNG readers ignore the orientation;
  ///   `.unsuitable` for formats that cannot be edited, `.malformed` for Exif or XMP that cannot be
  ///   edited.
  public func rotated(by rotation: Orientation) throws(ImageError) -> EditedFile {
    if case .png = container {
      throw ImageError(.pngOrientationNotSupported)
    }
    var edit = MetadataEdit()
    edit.orientation = .set(try metadataSummary().orientation.followed(by: rotation))
    return try edited(by: edit)
  }
}
