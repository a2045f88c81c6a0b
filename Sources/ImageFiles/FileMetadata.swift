package import HDRCore
package import ImageContainers

/// Exif and XMP of a file, as far as they can be read.
///
/// Blocks that nobody can read or edit are left out with a notice, so that no writer meets them.
package struct FileMetadata {
  package let exif: ExifBlock?
  package let xmp: XMPPacket?
  package private(set) var notices: [Notice] = []

  package var orientation: Orientation { exif?.orientation ?? .upright }

  package init(exif: [UInt8]?, xmp: [UInt8]?) {
    var notices: [Notice] = []
    self.exif = exif.flatMap { bytes in
      Self.readable("Exif", &notices) { () throws(ImageError) in try ExifBlock(parsing: bytes) }
    }
    self.xmp = xmp.flatMap { bytes in
      Self.readable("XMP", &notices) { () throws(ImageError) in
        let packet = try XMPPacket(parsing: bytes)
        var edited = packet
        try edited.setDiffuseWhite(LightMetadata.defaultDiffuseWhite)
        return packet
      }
    }
    self.notices = notices
  }

  /// Luminance of diffuse white from XMP, cd/m².
  package mutating func diffuseWhite() -> Double? { xmp?.diffuseWhite(notices: &notices) }

  private static func readable<Block>(
    _ name: String, _ notices: inout [Notice], _ parse: () throws(ImageError) -> Block
  ) -> Block? {
    do throws(ImageError) {
      return try parse()
    } catch {
      notices.append(
        Notice(.metadataUnreadable, ["name": name, "cause": error], at: .init(path: [name])))
      return nil
    }
  }
}
