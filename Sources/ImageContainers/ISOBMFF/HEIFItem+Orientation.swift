public import HDRCore

extension HEIFItem {
  /// How the transformations of the item turn it.
  public var orientation: Orientation {
    var transformation = SquareTransformation.identity
    for property in properties { transformation.apply(property.box) }
    return transformation.orientation
  }
}
