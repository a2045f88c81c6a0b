package import HDRCore
package import ImageContainers

/// The Exif and XMP of an image, as far as they can be read.
///
/// Blocks that cannot be read or edited are left out with a notice, so that no writer meets them.
package struct FileMetadata: Sendable {
  package private(set) var exif: ExifBlock?
  package private(set) var xmp: XMPPacket?
  package private(set) var notices: [Notice] = []

  package var orientation: Orientation { exif?.orientation ?? .upright }

  /// Parses blocks.
  package init(exif: [UInt8]?, xmp: [UInt8]?) {
    self.init { () throws(ImageError) in
      exif
    } xmp: { () throws(ImageError) in
      xmp
    }
  }

  /// Reads and parses blocks.
  ///
  /// - Parameters:
  ///   - exif: Reads Exif, with or without its prefix; `nil` if the file has none.
  ///   - xmp: Reads the XMP packet; `nil` if the file has none.
  package init(
    exif: () throws(ImageError) -> [UInt8]?, xmp: () throws(ImageError) -> [UInt8]?
  ) {
    self.exif = parse("Exif", exif) { bytes throws(ImageError) in try ExifBlock(parsing: bytes) }
    self.xmp = parse("XMP", xmp) { bytes throws(ImageError) in
      let packet = try XMPPacket(parsing: bytes)
      var edited = packet
      try edited.setDiffuseWhite(LightMetadata.defaultDiffuseWhite)
      return packet
    }
  }

  /// Luminance of diffuse white from XMP, cd/m².
  package mutating func diffuseWhite() -> Double? { xmp?.diffuseWhite(notices: &notices) }

  private mutating func parse<Block>(
    _ name: String, _ read: () throws(ImageError) -> [UInt8]?,
    _ parse: ([UInt8]) throws(ImageError) -> Block
  ) -> Block? {
    do throws(ImageError) {
      guard let bytes = try read() else { return nil }
      return try parse(bytes)
    } catch {
      notices.append(.unreadable(name, error))
      return nil
    }
  }
}

extension Notice {
  /// The notice about metadata that cannot be read.
  static func unreadable(_ name: String, _ cause: ImageError) -> Notice {
    let location = cause.location.path.isEmpty ? ImageError.Location(path: [name]) : cause.location
    return Notice(.metadataUnreadable, ["name": name, "cause": cause], at: location)
  }
}
