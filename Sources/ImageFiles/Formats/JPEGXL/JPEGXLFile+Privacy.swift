// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
    let (used, first) = (usedBoxes, firstBoxes)
    try editBoxes { box throws(ImageError) in
      guard ![Self.reconstruction, JPEGXLJPEGRest.boxType].contains(box.type),
        !used.contains(box.offset)
      else { return box }
      guard box.missing == 0 else {
        return try findings.keeps("truncated box '\(box.type)'", box.content.bytes()) ? box : nil
      }
      if let needed = try file.neededContent(of: box, first) {
        let content = try file.content(of: box).bytes()
        guard needed != content else { return box }
        return try findings.keeps("box '\(box.type)'", content) ? box : box.replacing(needed)
      }
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
        let new = try PrivateBlock.withoutLocation(xmp: bytes, &findings)
        return new == bytes ? box : box.replacing(new)
      case "jumb":
        guard try JUMBF.mayContainLocation(bytes) else { return box }
      default: return try findings.keeps(name, bytes) ? box : nil
      }
      findings.drop(name)
      return nil
    }
    if try !findings.keeps("bytes after the codestream", surplus()) { try removeSurplus() }
    return findings.all
  }

  /// Data for the reconstruction of a JPEG file may contain the part, and are removed as well.
  mutating func remove(_ part: DroppedPart) throws(ImageError) -> [Notice] {
    var notices: [Notice] = []
    if let old = try exif() {
      let new = try part.removed(fromExif: old, &notices)
      if new != old { setExif(new) }
    }
    if let old = try xmp() {
      let new = try part.removed(fromXMP: old)
      if new != old { setXMP(new) }
    }
    return notices + dropReconstruction()
  }

  /// Removes all boxes that readers do not need to show the image.
  mutating func removePersonal() throws(ImageError) {
    let file = self
    let (used, first) = (usedBoxes, firstBoxes)
    try editBoxes { box throws(ImageError) in
      if box.type == "xml ", let bytes = try ifReadable(try file.content(of: box).bytes()) {
        return try PrivateBlock.structure(ofXMP: bytes).map(box.replacing)
      }
      guard !used.contains(box.offset) else { return box }
      guard let needed = try file.neededContent(of: box, first) else { return nil }
      return try needed == file.content(of: box).bytes() ? box : box.replacing(needed)
    }
    try removeSurplus()
  }

  /// Offsets of the first boxes of each type.
  private var firstBoxes: [FourCC: Int] {
    Dictionary(boxes.map { ($0.type, $0.offset) }) { first, _ in first }
  }

  /// The needed content of a box without codestream; `nil` if readers do not need the box.
  ///
  /// The first box of a type is used. The index of frames (`jxli`) only speeds up seeking.
  ///
  /// Source: ISO/IEC 18181-2, clause 9.
  private func neededContent(of box: Box, _ first: [FourCC: Int]) throws(ImageError) -> [UInt8]? {
    guard first[box.type] == box.offset, box.missing == 0,
      !box.isCompressed || box.type == JPEGXLGainMapBox.boxType
    else { return nil }
    switch box.type {
    case "JXL ": return try box.content.bytes()
    case "ftyp": return Self.fileType
    case "jxll": return try Array(box.content.bytes().prefix(1))
    case JPEGXLGainMapBox.boxType:
      guard let map = try ifReadable(try gainMapBox(box)),
        try ifReadable(try map.imageHeader()) != nil,
        ISO21496Payload.fieldSize(of: map.metadata) != nil
      else { return nil }
      return try map.withoutSurplus()
    default: return nil
    }
  }
}
