// SPDX-License-Identifier: Apache-2.0
package import HDRCore
package import ImageFiles

/// Metadata that a job leaves out: private parts, and items.
package struct RemovedMetadata {
  private let parts: Set<ConversionRequest.Metadata.Private>
  private let metadata: ConversionRequest.Metadata

  package init(_ metadata: ConversionRequest.Metadata) {
    (parts, self.metadata) = (Set(metadata.strip ?? []), metadata)
  }

  /// Whether something is to be removed.
  package var isActive: Bool {
    var edit = MetadataEdit()
    apply(to: &edit)
    return !edit.isEmpty
  }
  /// Whether all metadata are to be removed.
  package var removesAll: Bool { parts.contains(.all) }
  private var removesLocation: Bool { removesAll || parts.contains(.location) }
  private var descriptiveParts: [DroppedPart] {
    (parts.contains(.iptc) ? [.iptc] : []) + (parts.contains(.thumbnail) ? [.thumbnails] : [])
  }

  /// Metadata to remove from videos; `nil` to copy them as they are.
  package var removalInVideos: VideoMetadata.Removal? {
    removesAll ? .all : removesLocation ? .location : nil
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
    if case .value(let bytes) = options.xmp {
      options.xmp = .value(try applied(toXMP: bytes, &findings))
    }
    let notices = try apply(to: &document, keepsMetadata: false)
    guard !removesLocation else { return findings.all + notices }
    var written = document
    written.exif = options.exif.value(kept: document.exif, automatic: document.exif)
    written.xmp = options.xmp.value(kept: document.xmp, automatic: document.xmp)
    if case .value = options.xmp {
      written.auxiliaryMetadata = AuxiliaryMetadata()
    } else if !document.auxiliaryMetadata.becomesXMP {
      let fitted = try document.auxiliaryMetadata.fitted(to: options.format, xmp: nil)
      written.auxiliaryMetadata = fitted.carried
    }
    let includesLocation = try written.hasLocation
    return findings.all + notices + (includesLocation ? [Notice(.locationIncluded)] : [])
  }

  /// Removes private parts, Exif, XMP and light metadata from a document before it is encoded.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - keepsMetadata: Whether the output gets Exif and XMP of the input.
  /// - Returns: A notice if location data remains, and notices about metadata that are not read.
  /// - Throws: `.malformed` for Exif or XMP that cannot be edited.
  package func apply(
    to document: inout SourceImage, keepsMetadata: Bool
  ) throws(ImageError) -> [Notice] {
    if removesAll {
      (document.exif, document.xmp) = (nil, nil)
      document.auxiliaryMetadata = AuxiliaryMetadata()
      return []
    }
    if metadata.exif == .drop { document.exif = nil }
    if metadata.xmp == .drop {
      (document.xmp, document.auxiliaryMetadata.becomesXMP) = (nil, false)
    }
    for light in declaredLight { light.drop(from: &document.image.light) }
    var notices: [Notice] = []
    for part in descriptiveParts { try document.remove(part, &notices) }
    if removesLocation { return try notices + document.removeLocation() }
    let includesLocation = keepsMetadata ? try document.hasLocation : false
    return notices + (includesLocation ? [Notice(.locationIncluded)] : [])
  }

  /// A file without the parts that would become other metadata, or would be lost, when its images are encoded again.
  ///
  /// - Returns: The file, and what the edit reports.
  /// - Throws: `.malformed` for metadata that cannot be edited.
  func prepared(_ file: ImageFile) throws(ImageError) -> (file: ImageFile, notices: [Notice]) {
    var edit = MetadataEdit()
    edit.dropsIPTC = parts.contains(.iptc)
    for light in declaredLight { light.set(LightMetadata(), in: &edit) }
    guard !edit.isEmpty, file.isEditable else { return (file, []) }
    let edited = try file.edited(by: edit)
    return edited.isUnchanged ? (file, []) : (edited.file, edited.notices)
  }

  /// Removes metadata from a file whose coded images are complete; those that a gain map needs stay.
  ///
  /// - Parameter file: The file.
  /// - Returns: The edited file, or `nil` if it stays as it is; and what the edit reports.
  /// - Throws: `.malformed` for metadata that cannot be edited; `.invalidArgument` for an ICC profile without which the
  ///   file would specify another color.
  package func apply(
    to file: ImageFile
  ) throws(ImageError) -> (edited: EditedFile?, notices: [Notice]) {
    let summary = try file.metadataSummary()
    guard isActive else { return (nil, summary.hasLocation ? [Notice(.locationIncluded)] : []) }
    var edit = MetadataEdit()
    apply(to: &edit)
    var edited = try file.edited(by: edit)
    if edit.profile == .drop, try file.colorOfPrimary != edited.file.colorOfPrimary {
      throw ImageError(.targetProfileRequired, ["format": file.format.title])
    }
    var notices = edited.notices
    for item in edited.file.toneMaps {
      var edit = MetadataEdit()
      edit.item = item
      dropLight(from: &edit)
      guard !edit.isEmpty else { break }
      edited = try edited.file.edited(by: edit)
      notices += edited.notices
    }
    notices += try edited.remainingLocation(isRemoved: removesLocation)
    return (edited, notices)
  }

  /// Removes metadata from a copied image.
  ///
  /// - Parameters:
  ///   - image: A file with this image alone.
  ///   - file: The same, parsed.
  /// - Returns: The file to write, and a notice if location data remains.
  /// - Throws: `.malformed` for metadata that cannot be edited.
  package func applied(
    to image: SplicedBytes, parsed file: ImageFile
  ) throws(ImageError) -> (SplicedBytes, [Notice]) {
    guard file.isEditable || isActive else { return (image, []) }
    let (edited, notices) = try apply(to: file)
    return (edited?.bytes ?? image, notices)
  }

  /// Notices without those about metadata that are not copied although all are to be removed.
  func relevant(_ notices: [Notice]) -> [Notice] {
    let codes = [
      NoticeCode.metadataMakerNotesDropped, .metadataNotPortable, .metadataOfOldCoding,
    ]
    return removesAll ? notices.filter { !codes.contains($0.code) } : notices
  }

  /// Adds the removal of metadata to an edit of a file.
  package func apply(to edit: inout MetadataEdit) {
    edit.dropsLocation = edit.dropsLocation || removesLocation
    edit.dropsPersonalData = removesAll
    edit.dropsVideo = edit.dropsVideo || parts.contains(.video)
    edit.dropsIPTC = edit.dropsIPTC || parts.contains(.iptc)
    edit.dropsThumbnails = edit.dropsThumbnails || parts.contains(.thumbnail)
    if metadata.exif == .drop { edit.exif = .drop }
    if metadata.xmp == .drop { edit.xmp = .drop }
    if metadata.icc == .drop { edit.profile = .drop }
    dropLight(from: &edit)
  }

  /// Light metadata to drop without which the samples mean the same; others are needed until they are written.
  private var declaredLight: [any LightItem.Type] {
    droppedLight.filter { !$0.item.isMeasurable }.map(\.light)
  }

  private var droppedLight: [(item: MetadataItem, light: any LightItem.Type)] {
    MetadataItem.light.filter { $0.item.choice(metadata) == .drop }
  }

  private func dropLight(from edit: inout MetadataEdit) {
    for (_, light) in droppedLight { light.set(LightMetadata(), in: &edit) }
  }

  /// Exif without the parts that are removed.
  package func applied(
    toExif bytes: [UInt8], _ findings: inout PrivacyFindings
  ) throws(ImageError) -> [UInt8] {
    var bytes = bytes
    for part in descriptiveParts { bytes = try part.removed(fromExif: bytes, &findings.notices) }
    return try removesLocation ? PrivateBlock.withoutLocation(exif: bytes, &findings) : bytes
  }

  /// XMP without the parts that are removed.
  package func applied(
    toXMP bytes: [UInt8], _ findings: inout PrivacyFindings
  ) throws(ImageError) -> [UInt8] {
    var bytes = bytes
    for part in descriptiveParts { bytes = try part.removed(fromXMP: bytes) }
    return try removesLocation ? PrivateBlock.withoutLocation(xmp: bytes, &findings) : bytes
  }
}

extension ImageFile {
  /// Primaries and transfer function of the primary image.
  fileprivate var colorOfPrimary: ColorEncoding? {
    get throws(ImageError) { try contents().primary.color?.encoding }
  }

  /// The items that describe alternate images of gain maps, whose light metadata are their own.
  fileprivate var toneMaps: [UInt32] {
    guard case .heif(let file) = container else { return [] }
    return file.items.filter { $0.type == "tmap" }.map(\.id)
  }
}

extension ConversionRequest.Metadata {
  /// Fields that leave something out, which every kind of work can do.
  var removingFields: Set<String> { removedItems.union(strip == nil ? [] : ["metadata.strip"]) }

  /// Fields of the items that are left out.
  var removedItems: Set<String> {
    let dropped = MetadataItem.all.filter { !$0.requiresCopying && $0.choice(self) == .drop }
    return Set(dropped.map(\.field))
  }
}

extension SourceImage {
  /// Whether Exif, XMP, IPTC or texts contain location data.
  fileprivate var hasLocation: Bool {
    get throws(ImageError) {
      if let exif, try ifReadable(try ExifBlock(parsing: exif).hasLocation) == true { return true }
      if let xmp, try ifReadable(try XMPPacket(parsing: xmp).hasLocation) == true { return true }
      if try auxiliaryMetadata.textsHaveLocation { return true }
      guard let bytes = auxiliaryMetadata.resources else { return false }
      return try ifReadable(try PhotoshopResources(parsing: bytes).hasLocation) ?? false
    }
  }

  fileprivate mutating func remove(
    _ part: DroppedPart, _ notices: inout [Notice]
  ) throws(ImageError) {
    if let exif { self.exif = try part.removed(fromExif: exif, &notices) }
    if let xmp { self.xmp = try part.removed(fromXMP: xmp) }
    try auxiliaryMetadata.remove(part, &notices)
  }

  fileprivate mutating func removeLocation() throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    exif = try exif.map { bytes throws(ImageError) in
      try PrivateBlock.withoutLocation(exif: bytes, &findings)
    }
    xmp = try xmp.map { bytes throws(ImageError) in
      try PrivateBlock.withoutLocation(xmp: bytes, &findings)
    }
    if let bytes = auxiliaryMetadata.resources {
      var resources = try PhotoshopResources(parsing: bytes)
      try resources.removeLocation(&findings)
      auxiliaryMetadata.resources = resources.bytes
    }
    var comments: [[UInt8]] = []
    for comment in auxiliaryMetadata.comments {
      if try LocationEvidence.isPresent(in: comment) {
        findings.drop("comment")
      } else {
        if !LocationEvidence.isText(comment) { findings.keep(["comment"]) }
        comments.append(comment)
      }
    }
    auxiliaryMetadata.comments = comments
    try auxiliaryMetadata.removeTextsWithLocation(&findings)
    if let profile = declaredColor.icc, try LocationEvidence.isPresent(in: profile) {
      findings.keep(["ICC profile"])
    }
    return findings.all
  }
}

extension EditedFile {
  /// Notices about a location in the edited file: one that is known, or after a removal the first sign in any byte, also of
  /// profiles and bitstreams, which are copied as they are.
  ///
  /// - Parameter isRemoved: Whether locations were removed.
  /// - Returns: At most one notice.
  /// - Throws: Errors of reading.
  func remainingLocation(isRemoved: Bool) throws(ImageError) -> [Notice] {
    guard !after.hasLocation else { return [Notice(.locationIncluded)] }
    guard isRemoved, let offset = try LocationEvidence.firstOffset(inFile: file.source) else {
      return []
    }
    var findings = PrivacyFindings()
    findings.keep(["bytes at offset \(offset) of the output"])
    return findings.all
  }
}
