// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import RAWDevelop

/// Changes of the metadata of a file whose coded images are kept.
struct MetadataChanges: Sendable {
  /// Values that are measured from the samples, or follow from other values.
  private enum Measurement {
    case contentLightLevel
    case contentColorVolume
    case diffuseWhite
    case profile
  }

  private var edit = MetadataEdit()
  private var measured: Set<Measurement> = []

  /// Completes the changes that a request states.
  ///
  /// - Parameters:
  ///   - metadata: Metadata of the output.
  ///   - open: Opens another file that the request names.
  /// - Throws: `.invalidArgument` for values that cannot be measured; errors of Exif, XMP and profiles.
  init(
    _ metadata: ConversionRequest.Metadata, _ open: ConversionPlanner.Opener
  ) throws(ImageError) {
    edit.item = metadata.item.map(UInt32.init(clamping:))
    edit.contentLightLevel = change(metadata.contentLightLevel, .contentLightLevel)
    edit.masteringDisplay = change(metadata.masteringDisplay)
    edit.contentColorVolume = change(metadata.contentColorVolume, .contentColorVolume)
    edit.diffuseWhite = change(metadata.diffuseWhite, .diffuseWhite)
    edit.referenceEnvironment = change(metadata.referenceEnvironment)
    edit.ambientEnvironment = change(metadata.ambientEnvironment)
    edit.codePoints = change(metadata.codePoints)
    edit.orientation = change(metadata.orientation)
    let profile = try metadata.icc?.bytes(open) { bytes throws(ImageError) in
      try ICCProfile(parsing: bytes).bytes
    }
    edit.profile = change(profile, .profile)
    edit.exif = change(
      try metadata.exif?.bytes(open) { bytes throws(ImageError) in
        try ExifBlock(parsing: bytes).bytes
      })
    edit.xmp = change(
      try metadata.xmp?.bytes(open) { bytes throws(ImageError) in
        try XMPPacket(parsing: bytes).bytes
      })
    RemovedMetadata(metadata).apply(to: &edit)
  }

  private mutating func change<Value>(
    _ item: ConversionRequest.Item<Value>?, _ measurement: Measurement? = nil
  ) -> MetadataEdit.Change<Value> {
    switch item {
    case nil, .keep: return .keep
    case .drop: return .drop
    case .value(let value): return .set(value)
    case .measure:
      if let measurement { measured.insert(measurement) }
      return .keep
    }
  }

  /// Makes the changes.
  ///
  /// - Parameter file: The file.
  /// - Returns: The edited file.
  /// - Throws: `.invalidArgument` for metadata that the file cannot store, `.malformed` for metadata that
  ///   cannot be edited; errors of decoders for values that are measured.
  func applied(to file: ImageFile) throws(ImageError) -> EditedFile {
    var edited = try file.editedWithDecodableGainMap(edit)
    if !measured.isEmpty {
      // The image is measured according to its new color description.
      edited = try file.editedWithDecodableGainMap(try measuredEdit(of: edited))
    }
    if edited.isUnchanged {
      edited.notices.append(
        Notice(
          .irregular, "not changed: the file already is as requested"))
    }
    edited.notices += try edited.remainingLocation(isRemoved: edit.dropsLocation)
    return edited
  }

  /// The edit with the values that are measured.
  private func measuredEdit(of edited: EditedFile) throws(ImageError) -> MetadataEdit {
    var edit = edit
    if measured.contains(.profile) {
      guard let cicp = edited.after.codePoints else { throw ImageError(.tagNoCodePoints) }
      edit.profile = .set(try ICCProfile.generate(for: cicp))
    }
    guard measured != [.profile] else { return edit }
    var file = edited.file
    if let item = edit.item {
      file = try ImageFile(
        parsing: ByteSource(try file.standaloneFile(ofItem: item)), options: file.options)
    }
    let image = try SourceImage.open(file).image
    if measured.contains(.diffuseWhite) { edit.diffuseWhite = .set(image.color.referenceWhite) }
    guard !measured.isDisjoint(with: [.contentLightLevel, .contentColorVolume]) else {
      return edit
    }
    let light = try image.lightLevels()
    if measured.contains(.contentLightLevel) {
      edit.contentLightLevel = .set(light.contentLightLevel)
    }
    if measured.contains(.contentColorVolume) {
      edit.contentColorVolume = .set(light.contentColorVolume)
    }
    return edit
  }
}

extension ConversionPlan {
  /// The file with the changed metadata, before it is written; only for a plan that keeps coded images and changes nothing else.
  ///
  /// - Throws: Errors of the edit, and of decoders for values that are measured.
  package func editedFile() throws(ImageError) -> EditedFile {
    guard case .edit(let changes) = work else {
      throw .withoutEffect("request", "only metadata change")
    }
    return try changes.applied(to: source.requiredFile)
  }
}
