public import HDRCore
internal import ImageContainers

extension ImageFile {
  /// The file with its picture turned or mirrored, and all that belongs to it, as they are shown.
  ///
  /// No coded data changes: HEIF and AVIF say it in the properties of their items, JPEG in the Exif
  /// of its first picture, which holds for the map behind it too.
  ///
  /// - Parameter turn: Applied to the picture as it is shown now.
  /// - Returns: The file; coded data are compared with those of the old one.
  /// - Throws: `.invalidArgument` for PNG, whose readers mostly do not look for an orientation;
  ///   `.malformed` for Exif or XMP that cannot be edited.
  public func turned(by turn: Orientation) throws(ImageError) -> EditedFile {
    if case .png = container {
      throw ImageError(.pngOrientationNotSupported)
    }
    var edit = MetadataEdit()
    edit.orientation = .set(try summary().orientation.followed(by: turn))
    return try edited(edit)
  }
}
