internal import HDRCore
internal import ImageContainers

extension ExifBlock {
  /// Exif of a picture whose container says nothing else about orientation.
  ///
  /// - Parameters:
  ///   - old: The block that the picture has.
  ///   - edit: What to change.
  ///   - notices: Gets what had to stay.
  /// - Returns: The block to write; `nil` for none.
  /// - Throws: `.malformed` if the block cannot be edited.
  static func edited(
    _ old: [UInt8]?, by edit: MetadataEdit, notices: inout [Notice]
  ) throws(ImageError) -> [UInt8]? {
    guard edit.exif != .keep || edit.orientation != .keep else { return old }
    let stored = orientation(of: old)
    let orientation: Orientation =
      switch edit.orientation {
      case .keep: stored
      case .drop: .upright
      case .set(let new): new
      }
    if edit.exif == .drop, orientation != .upright {
      notices.append(
        Notice(.exifOrientationKept, at: .init(path: ["Exif"])))
    }
    return try consistent(edit.exif.applied(to: old), with: orientation)
  }

  /// The orientation of a block that may be absent or unreadable.
  static func orientation(of exif: [UInt8]?) -> Orientation {
    exif.flatMap { try? ExifBlock(parsing: $0) }?.orientation ?? .upright
  }
}
