// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers

extension JPEGXLFile {
  /// Whether readable Exif or XMP contains a location.
  var hasLocation: Bool {
    boxes.contains { box in
      guard let bytes = try? content(of: box).bytes(), box.missing == 0 else { return false }
      switch box.type {
      case "Exif":
        guard let exif = try? ExifBlock.content(ofDataBlock: bytes, at: .init()) else {
          return false
        }
        return (try? ExifBlock(parsing: exif))?.hasLocation ?? false
      case "xml ": return (try? XMPPacket(parsing: bytes))?.hasLocation ?? false
      default: return false
      }
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
        return new == old ? box : box.replacing([0, 0, 0, 0] + new)
      case "xml ":
        let new = try PrivateBlock.withoutLocation(xmp: bytes)
        return new == bytes ? box : box.replacing(new)
      case "jumb":
        guard JUMBF.mayContainLocation(bytes) else { return box }
      default:
        guard LocationEvidence.isPresent(in: bytes) else {
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
      if box.type == "xml ", let bytes = try? file.content(of: box).bytes() {
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
