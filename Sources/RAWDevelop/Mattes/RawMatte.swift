// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A semantic mask of a DNG file: pixels of skin, hair, sky and others.
///
/// Source: DNG 1.7.1, chapter 2, "Semantic masks".
package struct RawMatte: Sendable {
  /// Name in the file; a URN in Apple's files.
  package let name: String
  /// Identifier that distinguishes masks of the same name; `nil` if missing.
  package let instance: String?
  /// Width over the active area, including parts that are not stored.
  package let width: Int
  /// Height over the active area, including parts that are not stored.
  package let height: Int
  /// The stored part; the mask is 0 outside.
  let storedPart: RawArea
  let image: DNGImage

  /// A short name: `portraiteffects`, `skin`, `hair`, `sky`, `teeth`, `glasses`; of an unknown name
  /// the part after the last colon, in lowercase.
  package var shortName: String { ImageFile.NamedAuxiliary(item: 0, type: name).name }

  /// Whether a name denotes this mask: the full name, its last part, or the short name, in any
  /// case; `portrait` denotes `portraiteffects`.
  package func isNamed(_ wanted: String) -> Bool {
    let wanted = wanted.lowercased()
    let name = name.lowercased()
    return name == wanted || name.hasSuffix(":\(wanted)") || shortName == wanted
      || wanted == "portrait" && shortName == "portraiteffects"
  }

  /// - Returns: `nil` for an image other than a semantic mask.
  /// - Throws: `.malformed` for a mask without a name, or with a stored part outside of the mask.
  init?(_ image: DNGImage, limits: ImageLimits) throws(ImageError) {
    guard image.role == .semanticMask else { return nil }
    let directory = image.directory
    guard let name = try directory.text(.semanticName) else {
      throw directory.error(.missingElement, .semanticName, ["element": "name of the mask"])
    }
    self.name = name
    self.image = image
    instance = try directory.text(.semanticInstanceID)
    // Top and left of the stored part, then width and height of the mask.
    let area = try directory.integers(.maskSubArea, atMost: 4)
    if let area {
      guard area.count == 4, image.width <= area[2], area[1] <= area[2] - image.width,
        image.height <= area[3], area[0] <= area[3] - image.height
      else {
        throw directory.error(
          .malformed, "mask of {area} with a stored part of {size}", .maskSubArea,
          ["area": "\(area)", "size": .size(image.width, image.height)])
      }
      (width, height) = (area[2], area[3])
      storedPart = RawArea(x: area[1], y: area[0], width: image.width, height: image.height)
    } else {
      (width, height) = (image.width, image.height)
      storedPart = RawArea(x: 0, y: 0, width: image.width, height: image.height)
    }
    do throws(ImageError) {
      try limits.check(width: width, height: height)
    } catch {
      throw directory.located(error, area == nil ? .imageWidth : .maskSubArea)
    }
  }
}

/// Tags of semantic masks.
///
/// Source: DNG 1.7.1.
extension TIFFTag {
  static let semanticName = TIFFTag(rawValue: 52_526)
  static let semanticInstanceID = TIFFTag(rawValue: 52_528)
  static let maskSubArea = TIFFTag(rawValue: 52_536)
}
