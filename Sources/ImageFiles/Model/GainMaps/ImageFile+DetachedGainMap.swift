// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore

extension ImageFile {
  /// Returns the metadata of a gain map for use with samples in another file.
  ///
  /// They include its XMP and the Apple maker note, verbatim.
  ///
  /// - Parameter found: The gain map.
  /// - Returns: The detached gain map; `nil` if no metadata are readable.
  /// - Throws: Errors of the XMP of the gain map.
  package func detached(_ found: FoundGainMap) throws(ImageError) -> FoundGainMap? {
    guard var detached = found.detached else { return nil }
    detached.orientation = try contents().primary.orientation
    detached.xmp = try xmp(of: found)?.bytes
    if detached.flavors.contains(.apple) { detached.makerNote = try appleMakerNote }
    return detached
  }

  /// Returns the metadata of the gain map of this file, or of its image if that is a gain map.
  ///
  /// - Throws: `.unsuitable` without gain map metadata.
  package func detachedGainMap() throws(ImageError) -> FoundGainMap {
    var found = try gainMaps().applicable
    let isAlone = found == nil
    if isAlone {
      switch container {
      case .jpeg(let jpeg):
        found = try FoundGainMap(imageOf: jpeg, appleCurve: options.appleCurve)
      case .png(let png): found = try FoundGainMap(imageOf: png)
      default: break
      }
    }
    guard let found, var detached = try detached(found) else {
      throw ImageError(.gainMapMetadataMissing)
    }
    // Without an orientation of its own, a gain map has that of its baseline image.
    if isAlone, detached.orientation == .upright { detached.orientation = nil }
    return detached
  }
}
