// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers

extension PNGFile {
  /// Whether readable Exif, XMP or text contains a location.
  var hasLocation: Bool {
    let exif = (try? exif()).flatMap { try? ExifBlock(parsing: $0) }
    let xmp = (try? xmp()).flatMap { try? XMPPacket(parsing: $0) }
    return exif?.hasLocation ?? false || xmp?.hasLocation ?? false
      || chunks.contains(where: isLocationText)
  }

  /// Removes the location from Exif, XMP and text.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  mutating func removeLocation() throws(ImageError) {
    do throws(ImageError) {
      if let exif = try exif() {
        var block = try ExifBlock(parsing: exif)
        if try block.removeLocation() { setExif(block.bytes) }
      }
      if let packet = try xmp() {
        var xmp = try XMPPacket(parsing: packet)
        if try xmp.removeLocation() { setXMP(xmp.bytes) }
      }
    } catch {
      throw error.unreadableLocation
    }
    chunks.removeAll(where: isLocationText)
  }

  /// Whether a chunk contains a GPS entry in ImageMagick's `exif:` form, or IPTC with a location.
  private func isLocationText(_ chunk: PNGChunk) -> Bool {
    guard chunk.type.isText, case .bytes(let bytes) = chunk.content else { return false }
    var reader = ByteReader(bytes.span)
    guard let keyword = try? reader.readKeyword() else { return false }
    guard keyword == "Raw profile type iptc" || keyword == "Raw profile type 8bim" else {
      return keyword.hasPrefix("exif:GPS")
    }
    reader = ByteReader(bytes.span)
    guard let text = try? PNGText(type: chunk.type, parsing: &reader),
      let profile = Self.rawProfile(in: text.bytes)
    else { return false }
    return (try? PhotoshopResources(parsing: profile))?.hasLocation ?? false
  }
}
