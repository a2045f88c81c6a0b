public import HDRCore

extension JPEGImage {
  /// Makes the metadata of a picture whose rows and columns were turned upright say so, and of which
  /// size they are now.
  ///
  /// - Parameter keepsThumbnail: Whether the one in Exif still shows the same.
  /// - Returns: What was lost.
  /// - Throws: `.malformed` for Exif or XMP that cannot be edited.
  public mutating func describeAsUpright(keepsThumbnail: Bool) throws(ImageError) -> [Notice] {
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
