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
      "Private data to remove: gps (location data), all (all metadata that readers do not need) or "
        + "video (of a motion photo).",
      valueName: "gps|all|video"))
  var strip: [Strip] = []

  /// Private data, separated by commas.
  struct Strip: ExpressibleByArgument {
    enum Part: String, CaseIterable {
      case gps
      case all
      case video
    }

    let parts: Set<Part>

    init?(argument: String) {
      let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        .map { Part(rawValue: String($0)) }
      guard !parts.isEmpty, !parts.contains(nil) else { return nil }
      self.parts = Set(parts.compactMap { $0 })
    }

    static var allValueStrings: [String] { Part.allCases.map(\.rawValue) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  }

  private func strips(_ part: Strip.Part) -> Bool { strip.contains { $0.parts.contains(part) } }

  /// Whether something is to be removed.
  var isActive: Bool { !strip.isEmpty }
  /// Whether all metadata are to be removed.
  var removesAll: Bool { strips(.all) }
  private var removesLocation: Bool { removesAll || strips(.gps) }

  /// Metadata to remove from videos; `nil` to copy them as they are.
  var removalInVideos: VideoMetadata.Removal? {
    removesAll ? .all : removesLocation ? .location : nil
  }

  /// Fails if metadata are given that are to be removed as well.
  func check(_ metadata: MetadataOptions) throws(ValidationError) {
    let given = [metadata.exif, metadata.xmp].contains { !["keep", "drop", "none"].contains($0) }
    guard !removesAll || !given else {
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
    var findings = PrivacyFindings()
    if case .value(let bytes) = options.exif {
      options.exif = .value(try applied(toExif: bytes, &findings))
    }
    if case .value(let bytes) = options.xmp { options.xmp = .value(try applied(toXMP: bytes)) }
    var written = document
    written.exif = options.exif.value(kept: document.exif, automatic: document.exif)
    written.xmp = options.xmp.value(kept: document.xmp, automatic: document.xmp)
    if options.xmp != .keep { written.auxiliaryMetadata = AuxiliaryMetadata() }
    let notices = try apply(to: &document, keepsMetadata: false)
    return findings.all + notices
      + (!removesLocation && written.hasLocation ? [Notice(.locationIncluded)] : [])
  }

  /// Removes metadata from a document before it is encoded.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - keepsMetadata: Whether the output gets Exif and XMP of the input.
  /// - Returns: A notice if location data remains, and notices about metadata that are not read.
  /// - Throws: `.malformed` for Exif or XMP that cannot be edited.
  func apply(
    to document: inout SourceImage, keepsMetadata: Bool
  ) throws(ImageError) -> [Notice] {
    if removesAll {
      (document.exif, document.xmp) = (nil, nil)
      document.auxiliaryMetadata = AuxiliaryMetadata()
      return []
    }
    if removesLocation { return try document.removeLocation() }
    return keepsMetadata && document.hasLocation ? [Notice(.locationIncluded)] : []
  }

  /// Removes metadata from a file whose coded images are complete.
  ///
  /// - Parameter file: The file.
  /// - Returns: The edited file, or `nil` if it stays as it is; and what the edit reports.
  /// - Throws: `.malformed` for metadata that cannot be edited.
  func apply(to file: ImageFile) throws(ImageError) -> (edited: EditedFile?, notices: [Notice]) {
    let summary = try file.summary(of: nil)
    guard isActive else {
      return (nil, summary.hasLocation ? [Notice(.locationIncluded)] : [])
    }
    var edit = MetadataEdit()
    apply(to: &edit)
    let edited = try file.edited(edit)
    return (edited, edited.notices + (edited.after.hasLocation ? [Notice(.locationIncluded)] : []))
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
    guard file.isEditable || isActive else { return (image, []) }
    let (edited, notices) = try apply(to: file)
    return (edited?.bytes ?? image, notices)
  }

  /// Adds the removal of metadata to an edit of a file.
  func apply(to edit: inout MetadataEdit) {
    edit.dropsLocation = edit.dropsLocation || removesLocation
    edit.dropsPersonal = removesAll
    edit.dropsVideo = edit.dropsVideo || strips(.video)
  }

  /// Exif, without location data if `--strip` was given.
  func applied(
    toExif bytes: [UInt8], _ findings: inout PrivacyFindings
  ) throws(ImageError) -> [UInt8] {
    try removesLocation ? PrivateBlock.withoutLocation(exif: bytes, &findings) : bytes
  }

  /// XMP, without location data if `--strip` was given.
  func applied(toXMP bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    try removesLocation ? PrivateBlock.withoutLocation(xmp: bytes) : bytes
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

  fileprivate mutating func removeLocation() throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    exif = try exif.map { bytes throws(ImageError) in
      try PrivateBlock.withoutLocation(exif: bytes, &findings)
    }
    xmp = try xmp.map(PrivateBlock.withoutLocation(xmp:))
    if let bytes = auxiliaryMetadata.resources {
      var resources = try PhotoshopResources(parsing: bytes)
      resources.removeLocation()
      auxiliaryMetadata.resources = resources.bytes
    }
    auxiliaryMetadata.comments.removeAll { comment in
      guard LocationEvidence.isPresent(in: comment) else { return false }
      findings.drop("comment")
      return true
    }
    return findings.all
  }
}

/// Metadata that re-encoded files get only on request.
struct KeepOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Data of the old file to copy to a re-encoded one: makernotes (of more than 16 kB).",
      valueName: "makernotes", visibility: .inFull))
  var keep: Kept?

  enum Kept: String, ExpressibleByArgument, CaseIterable {
    case makernotes
  }

  var keepsMakerNotes: Bool { keep == .makernotes }
}
