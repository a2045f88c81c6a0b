package import HDRCore
internal import ImageContainers

extension AuxiliaryMetadata {
  /// What files of a format have a place for.
  package func carried(by format: FileFormat) -> AuxiliaryMetadata {
    var carried = self
    carried.bound = []
    if !format.traits.carriesComments { carried.comments = [] }
    if !format.traits.carriesImageResources { carried.resources = nil }
    return carried
  }

  /// Says what of this is not in a new file.
  ///
  /// - Parameters:
  ///   - format: Of the file.
  ///   - kept: What it shall say, as far as it can; `nil` for all.
  /// - Returns: A notice each for what has no place and for what holds for the old coding.
  package func lost(in format: FileFormat, keeping kept: AuxiliaryMetadata? = nil) -> [Notice] {
    let carried = (kept ?? self).carried(by: format)
    var rest = self
    if carried.resources != nil { rest.resources = nil }
    if !carried.comments.isEmpty { rest.comments = [] }
    var notices: [Notice] = []
    if !rest.portable.isEmpty {
      notices.append(
        Notice(.metadataNotPortable, ["format": format.title, "items": rest.portable]))
    }
    if !bound.isEmpty {
      notices.append(
        Notice(.metadataOfOldCoding, ["items": bound]))
    }
    return notices
  }
}
