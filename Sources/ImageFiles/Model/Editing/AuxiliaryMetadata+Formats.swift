// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension AuxiliaryMetadata {
  /// The part of the metadata that files of a format can store.
  package func carried(by format: FileFormat) -> AuxiliaryMetadata {
    var carried = self
    carried.bound = []
    if !format.traits.carriesComments { carried.comments = [] }
    if !format.traits.carriesImageResources { carried.resources = nil }
    return carried
  }

  /// Lists metadata that are not copied to a new file.
  ///
  /// - Parameters:
  ///   - format: Format of the new file.
  ///   - kept: Metadata to copy, as far as the format can store them; `nil` for all.
  /// - Returns: One notice for metadata that the format cannot store, and one for metadata that are
  ///   bound to the previous encoding.
  package func dropped(in format: FileFormat, keeping kept: AuxiliaryMetadata? = nil) -> [Notice] {
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
