internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Personal metadata to leave out of the output.
struct PrivacyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Metadata to remove: gps (location data) or all (Exif, XMP and location data).",
      valueName: "gps|all"))
  var strip: Strip?

  enum Strip: String, ExpressibleByArgument, CaseIterable {
    case gps
    case all
  }

  /// Removes metadata from a document before it is encoded.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - keepsMetadata: Whether the output gets Exif and XMP of the input.
  /// - Returns: A notice if location data remains.
  /// - Throws: `.malformed` for Exif or XMP that cannot be edited.
  func apply(
    to document: inout SourceImage, keepsMetadata: Bool
  ) throws(ImageError) -> [Notice] {
    switch strip {
    case .all:
      (document.exif, document.xmp) = (nil, nil)
      document.auxiliaryMetadata = AuxiliaryMetadata()
      return []
    case .gps:
      try document.removeLocation()
      return []
    case nil:
      return keepsMetadata && document.hasLocation ? [Notice(.locationIncluded)] : []
    }
  }

  /// Removes metadata from a file whose coded images are complete.
  ///
  /// - Parameter file: The file.
  /// - Returns: The edited file, or `nil` if it stays as it is; and what the edit reports.
  /// - Throws: `.malformed` for metadata that cannot be edited.
  func apply(to file: ImageFile) throws(ImageError) -> (edited: EditedFile?, notices: [Notice]) {
    let summary = try file.summary(of: nil)
    guard let strip else {
      return (nil, summary.hasLocation ? [Notice(.locationIncluded)] : [])
    }
    var edit = MetadataEdit()
    edit.dropsLocation = true
    if strip == .all {
      (edit.exif, edit.xmp) = (.drop, .drop)
      // Dropping Exif would drop the orientation as well.
      if summary.orientation != .upright { edit.orientation = .set(summary.orientation) }
    }
    let edited = try file.edited(edit)
    return (edited, edited.notices)
  }
}

extension SourceImage {
  /// Whether Exif, XMP or IPTC contain location data.
  fileprivate var hasLocation: Bool {
    (exif.flatMap { try? ExifBlock(parsing: $0) }?.hasLocation ?? false)
      || (xmp.flatMap { try? XMPPacket(parsing: $0) }?.hasLocation ?? false)
      || (auxiliaryMetadata.resources.flatMap { try? PhotoshopResources(parsing: $0) }?.hasLocation
        ?? false)
  }

  fileprivate mutating func removeLocation() throws(ImageError) {
    if let bytes = exif {
      var block = try ExifBlock(parsing: bytes)
      if try block.removeLocation() { exif = block.bytes }
    }
    if let bytes = xmp {
      var packet = try XMPPacket(parsing: bytes)
      if try packet.removeLocation() { xmp = packet.bytes }
    }
    if let bytes = auxiliaryMetadata.resources {
      var resources = try PhotoshopResources(parsing: bytes)
      resources.removeLocation()
      auxiliaryMetadata.resources = resources.bytes
    }
  }
}
