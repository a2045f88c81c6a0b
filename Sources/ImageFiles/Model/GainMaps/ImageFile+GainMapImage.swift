// SPDX-License-Identifier: Apache-2.0
public import HDRCore

extension ImageFile {
  /// Extracts the image of a gain map into a separate file without re-encoding.
  ///
  /// - Parameter map: Location of the gain map in this file.
  /// - Returns: The file.
  /// - Throws: `.unsupported` for a gain map that is not in this file, and for formats without gain
  ///   maps; errors of `standalone(_:)` for images.
  public func standalone(_ map: FoundGainMap.Location) throws(ImageError) -> SplicedBytes {
    switch map {
    case .image(let index):
      return try standalone(UInt32(exactly: index) ?? .max)
    case .item(let id): return try standalone(id)
    case .box, .chunk: return try container.requireGainMaps().standaloneGainMap(map)
    case .file: throw ImageError(.gainMapNotAnImage)
    }
  }
}
