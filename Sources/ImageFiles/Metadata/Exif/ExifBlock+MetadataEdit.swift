// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension ExifBlock {
  /// Applies an edit to the Exif of an image whose container stores the orientation only in Exif.
  ///
  /// - Parameters:
  ///   - old: The present block.
  ///   - edit: The edit.
  ///   - notices: Receives a notice if the orientation must be kept.
  /// - Returns: The block to write; `nil` for none.
  /// - Throws: `.malformed` if the block cannot be edited.
  static func edited(
    _ old: [UInt8]?, by edit: MetadataEdit, notices: inout [Notice]
  ) throws(ImageError) -> [UInt8]? {
    guard edit.exif != .keep || edit.orientation != .keep else { return old }
    let stored = try orientation(of: old)
    let orientation: Orientation =
      switch edit.orientation {
      case .keep: stored
      case .drop: .upright
      case .set(let new): new
      }
    if edit.exif == .drop, orientation != .upright {
      notices.append(
        Notice(.irregular, "kept: orientation in Exif", at: .init(path: ["Exif"])))
    }
    return try consistent(edit.exif.applied(to: old), with: orientation)
  }

  /// The orientation of a block; upright if the block is missing or unreadable.
  ///
  /// - Throws: Errors that end the whole job.
  static func orientation(of exif: [UInt8]?) throws(ImageError) -> Orientation {
    guard let exif else { return .upright }
    return try ifReadable(try ExifBlock(parsing: exif))?.orientation ?? .upright
  }
}
