// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension JPEGXRFile: EditableContainer {
  /// The metadata of an edited file.
  struct Edited: Hashable, Sendable {
    /// Metadata of the image that is read.
    var metadata: JPEGXRMetadata
    /// Other entries of its directory that are removed; `nil` for all that decoders do not need.
    var removed: Set<TIFFTag>? = []
    /// Whether other images keep their metadata.
    var keepsOthers = true
    /// Whether the resolution is that of new Exif, not that of the container.
    var replacesResolution = false
    /// Whether entries that decoders need are limited to the size of their fields.
    var trimsFields = false
  }

  var asContainer: FileContainer { .jpegXR(self) }

  /// Changes metadata of the image that is read.
  ///
  /// If locations or personal data are removed, other images keep only what decoders need.
  ///
  /// - Returns: Notices about dropped metadata.
  /// - Throws: `.invalidArgument` for metadata that the container cannot store, `.malformed` for
  ///   metadata that cannot be edited.
  mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
    guard edit.item == nil || edit.item == 0 else { throw .hasNoItems(.jpegXR) }
    let image = try image(selected)
    try edit.requireFields(in: .jpegXR)
    try edit.checkNewMetadata(components: image.pixelFormat.isGray ? 1 : 3)
    var new = try current(image)
    var notices: [Notice] = []
    // Directories that cannot be read, and bytes that nothing refers to, are not part of the metadata.
    var isRewritten = edit.dropsPersonalData || edit.exif != .keep
    if edit.dropsPersonalData {
      new = Edited(
        metadata: JPEGXRMetadata(
          profile: new.metadata.profile.flatMap(ICCProfile.trimmed),
          orientation: new.metadata.orientation),
        removed: nil, keepsOthers: false, trimsFields: true)
    }
    if let profile = edit.profile.newValue, directories.mainDirectory[.ptmColorInfo] != nil {
      new.removed?.insert(.ptmColorInfo)
      new.metadata.profile = profile
      notices.append(
        Notice(
          .dropped, "dropped: PTM_COLOR_INFO, which takes precedence over the ICC profile",
          at: .init(path: ["PTM_COLOR_INFO"])))
    }
    new.metadata.profile = edit.profile.applied(to: new.metadata.profile)
    if edit.correctsStructure {
      new.metadata.profile = new.metadata.profile.map { ICCProfile.correctingIdentifier(of: $0) }
    }
    if edit.exif != .keep {
      new.metadata.exif = edit.exif.newValue.map { ExifBlock.withoutPrefix($0) }
      new.replacesResolution = true
    }
    if edit.xmp != .keep {
      new.metadata.xmp = try XMPPacket.replacing(
        new.metadata.xmp, with: edit.xmp.newValue, notices: &notices)
    }
    if edit.orientation != .keep {
      let orientation = edit.orientation.newValue ?? .upright
      new.metadata.orientation = orientation
      if let bytes = new.metadata.xmp, var xmp = try ifReadable(try XMPPacket(parsing: bytes)),
        try xmp.updateOrientation(orientation)
      {
        new.metadata.xmp = xmp.bytes
      }
      // The orientation of T.832 is the one that is edited.
      new.removed?.insert(.orientation)
    }
    if edit.dropsLocation, !edit.dropsPersonalData {
      notices += try removeLocation(&new, &isRewritten)
    }
    if !isRewritten, try new == current(image) { return notices }
    edited = new
    let parts = try partsNotKept()
    if !parts.isEmpty, !edit.dropsLocation, !edit.dropsPersonalData {
      notices.append(Notice(.dropped, "not kept: {items item}", ["items": parts]))
    }
    return notices
  }

  /// The metadata with the edits that were made.
  private func current(_ image: JPEGXRImage) throws(ImageError) -> Edited {
    if let edited { return edited }
    let file = directories
    return Edited(
      metadata: JPEGXRMetadata(
        exif: try exif(image), xmp: try ifReadable(try file.wholeValue(of: .xmp)),
        profile: try ifReadable(try file.wholeValue(of: .iccProfile)),
        photoshop: try ifReadable(try file.wholeValue(of: .photoshop)),
        iptc: try ifReadable(try file.wholeValue(of: .iptc)),
        orientation: image.orientation ?? .upright))
  }

  /// The metadata of the image that is read.
  ///
  /// - Throws: `.invalidArgument` for any item other than `nil` and 0.
  func summary(of item: UInt32?) throws(ImageError) -> MetadataSummary {
    guard item == nil || item == 0 else { throw .hasNoItems(.jpegXR) }
    let metadata = try current(try image(selected)).metadata
    var summary = try MetadataSummary(
      profile: metadata.profile, exif: metadata.exif, xmp: metadata.xmp,
      orientation: metadata.orientation)
    if let bytes = metadata.photoshop,
      let resources = try ifReadable(try PhotoshopResources(parsing: bytes)),
      try resources.hasLocation
    {
      summary.hasLocation = true
    }
    if let bytes = metadata.iptc, try PhotoshopResources(iptc: bytes).hasLocation {
      summary.hasLocation = true
    }
    guard edited == nil, !summary.hasLocation else { return summary }
    let main = directories.mainDirectory.offset
    for directory in try allDirectories
    where directory.offset != main && directory[.gpsDirectory] != nil {
      summary.hasLocation = true
    }
    for (index, directory) in directories.directories.enumerated() where index != selected {
      guard let entry = directory[.xmp],
        let bytes = try ifReadable(try directories.bytes(of: entry)),
        try ifReadable(try XMPPacket(parsing: bytes).hasLocation) == true
      else { continue }
      summary.hasLocation = true
    }
    return summary
  }
}
