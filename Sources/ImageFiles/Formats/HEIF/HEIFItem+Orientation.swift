// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFItem {
  /// Orientation that results from `irot` and `imir` of the item, in their order.
  package var orientation: Orientation {
    var transformation = SquareTransformation.identity
    for property in properties { transformation.apply(property.box) }
    return transformation.orientation
  }
}
