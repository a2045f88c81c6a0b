// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The declarations of a file for one of its images.
///
/// They comprise layout, color, HDR metadata, orientation and descriptive metadata. Decoding,
/// inspection and conformance checks share them, so that carriers are read and ranked once for each
/// format.
package struct DeclaredImage: Sendable {
  /// The parsed form of the coded samples, for decoders.
  package enum Samples: Sendable {
    case item(ItemImage)
    case jpeg(JPEGImage)
    case png(PNGLayout)
    case tiff(TIFFLayout)
    case exr(EXRLayout)
    case radiance(RadianceHeader)
    case jpegXL(JPEGXLImageHeader)
    case jpegXR(JPEGXRSamples)
  }

  package let samples: Samples
  /// Layout of the decoded samples, before an ICC profile is applied.
  package let layout: ImageLayout
  /// The carriers of color.
  package let color: ColorDescription
  package var chromaLocation = ChromaLocation.left
  package var light = LightMetadata()
  package var orientation = Orientation.upright
  /// Pixels per inch, if the container stores them outside of Exif.
  package var pixelsPerInch: SIMD2<Double>?
  package var metadata = FileMetadata()
  package var auxiliaryMetadata = AuxiliaryMetadata()
  /// ITU-T T.35 messages in the bitstream, from the country code on.
  package var messages: [[UInt8]] = []
  /// Irregular and contradictory declarations.
  package var notices: [Notice]
  /// Parts of the file that conversions do not copy.
  package var notCopied: [Notice] = []

  init(
    _ samples: Samples, layout: ImageLayout, color: ColorDescription, notices: [Notice] = []
  ) {
    self.samples = samples
    self.layout = layout
    self.color = color
    self.notices = notices
  }
}

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
