public import GainMap
public import HDRCore
public import ImageContainers

extension ImageFile {
  /// The picture of a gain map as a file of its own, its coded data untouched.
  ///
  /// - Parameter map: Where this file has the map.
  /// - Returns: The file.
  /// - Throws: `.unsupported` for a map that is no picture of its own here, otherwise as
  ///   `standalone(_:)` of a picture.
  public func standalone(_ map: FoundGainMap.Place) throws(ImageError) -> SplicedBytes {
    switch map {
    case .image(let index): return try standalone(UInt32(clamping: index))
    case .item(let id): return try standalone(id)
    case .codestream, .file:
      throw ImageError(.gainMapNotAnImage)
    }
  }
}
