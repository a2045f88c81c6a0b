// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The readable Exif and XMP of an image.
///
/// Blocks that cannot be parsed or edited are omitted with a notice, so that they are never
/// written.
package struct FileMetadata: Sendable {
  package private(set) var exif: ExifBlock?
  package private(set) var xmp: XMPPacket?
  package private(set) var notices: [Notice] = []

  init() {}

  package var orientation: Orientation { exif?.orientation ?? .upright }

  /// Parses blocks.
  ///
  /// - Throws: Errors that end the whole job.
  package init(exif: [UInt8]?, xmp: [UInt8]?) throws(ImageError) {
    try self.init { () throws(ImageError) in
      exif
    } xmp: { () throws(ImageError) in
      xmp
    }
  }

  /// Reads and parses blocks.
  ///
  /// - Parameters:
  ///   - exif: Reads Exif, with or without its prefix; returns `nil` if the file does not contain
  ///     Exif.
  ///   - xmp: Reads the XMP packet; returns `nil` if the file does not contain XMP.
  /// - Throws: Errors that end the whole job.
  package init(
    exif: () throws(ImageError) -> [UInt8]?, xmp: () throws(ImageError) -> [UInt8]?
  ) throws(ImageError) {
    self.exif = try parse("Exif", exif) { bytes throws(ImageError) in try ExifBlock(parsing: bytes)
    }
    self.xmp = try parse("XMP", xmp) { bytes throws(ImageError) in
      let packet = try XMPPacket(parsing: bytes)
      var edited = packet
      try edited.setDiffuseWhite(ColorEncoding.defaultReferenceWhite)
      return packet
    }
  }

  /// Luminance of diffuse white from XMP, in cd/m²; `nil` if not specified.
  package mutating func diffuseWhite() -> Double? { xmp?.diffuseWhite(notices: &notices) }

  /// MaxCLL and MaxFALL from XMP; `nil` if not specified.
  package mutating func lightLevel() -> LightMetadata.ContentLightLevel? {
    xmp?.lightLevel(notices: &notices)
  }

  private mutating func parse<Block>(
    _ name: String, _ read: () throws(ImageError) -> [UInt8]?,
    _ parse: ([UInt8]) throws(ImageError) -> Block
  ) throws(ImageError) -> Block? {
    do throws(ImageError) {
      guard let bytes = try read() else { return nil }
      return try parse(bytes)
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(.unreadable(name, error))
      return nil
    }
  }
}

extension Notice {
  /// The notice for unreadable metadata.
  static func unreadable(_ name: String, _ cause: ImageError) -> Notice {
    let location = cause.location.path.isEmpty ? ImageError.Location(path: [name]) : cause.location
    return Notice(.metadataUnreadable, ["name": name, "cause": cause], at: location)
  }
}
