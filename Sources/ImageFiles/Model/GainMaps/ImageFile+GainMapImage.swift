// SPDX-License-Identifier: Apache-2.0
public import HDRCore

extension ImageFile {
  /// Extracts the image of a gain map into a separate file without re-encoding.
  ///
  /// - Parameter location: Location of the gain map in this file.
  /// - Returns: The file.
  /// - Throws: `.unsupported` for a gain map that is not in this file, and for formats without gain
  ///   maps; errors of `standaloneFile(ofItem:)` for images.
  public func standaloneFile(ofGainMapAt location: FoundGainMap.Location) throws(ImageError)
    -> SplicedBytes
  {
    switch location {
    case .image(let index):
      return try standaloneFile(ofItem: UInt32(exactly: index) ?? .max)
    case .item(let id): return try standaloneFile(ofItem: id)
    case .box, .chunk: return try container.requireGainMaps().standaloneGainMap(location)
    case .file: throw ImageError(.gainMapNotAnImage)
    }
  }
}
