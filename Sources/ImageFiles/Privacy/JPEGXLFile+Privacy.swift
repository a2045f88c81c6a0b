// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers

extension JPEGXLFile {
  /// Whether readable Exif or XMP contains a location.
  var hasLocation: Bool {
    get throws(ImageError) {
      for box in boxes where try ifReadable(try hasLocation(box)) == true { return true }
      return false
    }
  }

  private func hasLocation(_ box: Box) throws(ImageError) -> Bool {
    guard box.missing == 0 else { return false }
    switch box.type {
    case "Exif":
      let exif = try ExifBlock.content(ofDataBlock: try content(of: box).bytes(), at: .init())
      return try ExifBlock(parsing: exif).hasLocation
    case "xml ": return try XMPPacket(parsing: try content(of: box).bytes()).hasLocation
    default: return false
    }
  }

  /// Removes the location from all Exif and XMP boxes, compressed or not.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  mutating func removeLocation() throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    let file = self
    try editBoxes { box throws(ImageError) in
      guard !Self.needed.contains(box.type) || box.isCompressed, box.type != Self.reconstruction,
        box.missing == 0
      else { return box }
      let bytes: [UInt8]
      do throws(ImageError) {
        bytes = try file.content(of: box).bytes()
      } catch {
        throw error.unreadableLocation
      }
      let name = "box '\(box.type)'"
      switch box.type {
      case "Exif":
        let old: [UInt8]
        do throws(ImageError) {
          old = try ExifBlock.content(
            ofDataBlock: bytes, at: .init(path: ["Exif"], offset: box.offset))
        } catch {
          throw error.unreadableLocation
        }
        let new = try PrivateBlock.withoutLocation(exif: old, &findings)
        return new == old ? box : box.replacing(ExifBlock.dataBlock(new))
      case "xml ":
        let new = try PrivateBlock.withoutLocation(xmp: bytes)
        return new == bytes ? box : box.replacing(new)
      case "jumb":
        guard try JUMBF.mayContainLocation(bytes) else { return box }
      default:
        guard try LocationEvidence.isPresent(in: bytes) else {
          if !["free", "skip"].contains(box.type) { findings.keep([name]) }
          return box
        }
      }
      findings.drop(name)
      return nil
    }
    return findings.all
  }

  /// Removes all boxes that readers do not need to show the image.
  mutating func removePersonal() throws(ImageError) {
    let file = self
    try editBoxes { box throws(ImageError) in
      if box.type == "xml ", let bytes = try ifReadable(try file.content(of: box).bytes()) {
        return try PrivateBlock.structure(ofXMP: bytes).map(box.replacing)
      }
      return Self.needed.contains(box.type) && !box.isCompressed || box.type == "jhgm" ? box : nil
    }
  }

  /// Boxes that readers need.
  ///
  /// Source: ISO/IEC 18181-2, clause 9.
  private static let needed: Set<FourCC> = [
    "JXL ", "ftyp", "jxll", "jxli", "jxlc", "jxlp", "jhgm",
  ]
}
