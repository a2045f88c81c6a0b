internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

extension ByteSource {
  /// The picture of a gain map: that of the file, or where the file holds a map itself, that map.
  ///
  /// - Throws: What is wrong with the file's map.
  func gainMapPicture(
    _ limits: ImageLimits
  ) throws(ImageError) -> (source: ByteSource, notices: [Notice]) {
    guard let file = try? ContainerFile(parsing: self, limits: limits),
      let found = try? file.gainMaps(appleCurve: .srgb).applicable
    else { return (self, []) }
    let notice = Notice(
      .assumed, "the file given as the map holds a gain map: that is taken, not its picture")
    return (ByteSource(try file.standalone(found.place)), [notice])
  }
}
