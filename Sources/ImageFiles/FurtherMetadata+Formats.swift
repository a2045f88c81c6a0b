package import HDRCore
internal import ImageContainers

extension FurtherMetadata {
  /// What files of a format have a place for.
  ///
  /// Source: ISO/IEC 10918-1, B.2.4.5 (comments); Adobe Photoshop File Formats Specification: APP13 in
  /// JPEG, tags 34377 and 33723 in TIFF.
  package func carried(by format: FileFormat) -> FurtherMetadata {
    var carried = self
    carried.bound = []
    if format != .jpeg { carried.comments = [] }
    if format != .jpeg, format != .tiff { carried.resources = nil }
    return carried
  }

  /// Says what of this is not in a new file.
  ///
  /// - Parameters:
  ///   - format: Of the file.
  ///   - kept: What it shall say, as far as it can; `nil` for all.
  /// - Returns: A notice each for what has no place and for what holds for the old coding.
  package func lost(in format: FileFormat, keeping kept: FurtherMetadata? = nil) -> [Notice] {
    let carried = (kept ?? self).carried(by: format)
    var rest = self
    if carried.resources != nil { rest.resources = nil }
    if !carried.comments.isEmpty { rest.comments = [] }
    var notices: [Notice] = []
    if !rest.portable.isEmpty {
      notices.append(
        Notice(
          .lost,
          "metadata without a place in the new \(format.title) file: "
            + rest.portable.joined(separator: ", ")))
    }
    if !bound.isEmpty {
      notices.append(
        Notice(
          .lost,
          "metadata that belong to the old coding: " + bound.joined(separator: ", ")))
    }
    return notices
  }
}
