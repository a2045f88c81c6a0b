// SPDX-License-Identifier: Apache-2.0
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
      "Metadata to remove: gps (location data) or all (Exif, XMP, IPTC, comments, text).",
      valueName: "gps|all"))
  var strip: Strip?

  enum Strip: String, ExpressibleByArgument, CaseIterable {
    case gps
    case all
  }

  /// Fails if metadata are given that are to be removed as well.
  func check(_ metadata: MetadataOptions) throws(ValidationError) {
    let given = [metadata.exif, metadata.xmp].contains { !["keep", "drop", "none"].contains($0) }
    guard strip != .all || !given else {
      throw ValidationError("--strip all removes Exif and XMP; leave out --exif and --xmp")
    }
  }

  /// Removes metadata from a document and from given metadata, before both are written.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - options: Options of the conversion, with given metadata.
  /// - Returns: A notice if location data remains.
  /// - Throws: `.malformed` for Exif or XMP that cannot be edited.
  func apply(
    to document: inout SourceImage, _ options: inout ConversionOptions
  ) throws(ImageError) -> [Notice] {
    if case .value(let bytes) = options.exif { options.exif = .value(try applied(toExif: bytes)) }
    if case .value(let bytes) = options.xmp { options.xmp = .value(try applied(toXMP: bytes)) }
    var written = document
    written.exif = options.exif.value(kept: document.exif, automatic: document.exif)
    written.xmp = options.xmp.value(kept: document.xmp, automatic: document.xmp)
    if options.xmp != .keep { written.auxiliaryMetadata = AuxiliaryMetadata() }
    _ = try apply(to: &document, keepsMetadata: false)
    return strip == nil && written.hasLocation ? [Notice(.locationIncluded)] : []
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
    guard strip != nil else {
      return (nil, summary.hasLocation ? [Notice(.locationIncluded)] : [])
    }
    var edit = MetadataEdit()
    apply(to: &edit, summary)
    let edited = try file.edited(edit)
    return (edited, edited.notices)
  }

  /// Removes metadata from a copied image.
  ///
  /// - Parameters:
  ///   - image: A file with this image alone.
  ///   - file: The same, parsed.
  /// - Returns: The file to write, and a notice if location data remains.
  /// - Throws: `.malformed` for metadata that cannot be edited.
  func applied(
    to image: SplicedBytes, parsed file: ImageFile
  ) throws(ImageError) -> (SplicedBytes, [Notice]) {
    guard file.isEditable || strip != nil else { return (image, []) }
    let (edited, notices) = try apply(to: file)
    return (edited?.bytes ?? image, notices)
  }

  /// Adds the removal of metadata to an edit of a file.
  func apply(to edit: inout MetadataEdit, _ summary: MetadataSummary) {
    guard let strip else { return }
    edit.dropsLocation = true
    guard strip == .all else { return }
    (edit.exif, edit.xmp, edit.dropsText) = (.drop, .drop, true)
    // Dropping Exif would drop the orientation as well.
    if edit.orientation == .keep, summary.orientation != .upright {
      edit.orientation = .set(summary.orientation)
    }
  }

  /// Exif, without location data if `--strip` was given.
  func applied(toExif bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    try strip == nil ? bytes : Self.withoutLocation(exif: bytes)
  }

  /// XMP, without location data if `--strip` was given.
  func applied(toXMP bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    try strip == nil ? bytes : Self.withoutLocation(xmp: bytes)
  }

  fileprivate static func withoutLocation(exif bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    var block = try ExifBlock(parsing: bytes)
    return try block.removeLocation() ? block.bytes : bytes
  }

  fileprivate static func withoutLocation(xmp bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    var packet = try XMPPacket(parsing: bytes)
    return try packet.removeLocation() ? packet.bytes : bytes
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
    exif = try exif.map(PrivacyOptions.withoutLocation(exif:))
    xmp = try xmp.map(PrivacyOptions.withoutLocation(xmp:))
    if let bytes = auxiliaryMetadata.resources {
      var resources = try PhotoshopResources(parsing: bytes)
      resources.removeLocation()
      auxiliaryMetadata.resources = resources.bytes
    }
  }
}
