// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import RAWDevelop

/// Changes of the metadata of a file whose coded images are kept.
struct MetadataChanges: Sendable {
  private var edit = MetadataEdit()
  /// Light metadata that are measured from the samples, or follow from other values.
  private var measured: [any LightItem.Type] = []
  /// Whether a profile is generated for the code points.
  private var generatesProfile = false

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
    let given = metadata.light()
    for (item, light) in MetadataItem.light {
      switch item.choice(metadata) {
      case nil, .keep: break
      case .measure: measured.append(light)
      case .drop, .value: light.set(given, in: &edit)
      }
    }
    edit.codePoints = change(metadata.codePoints)
    edit.orientation = change(metadata.orientation)
    let profile = try metadata.icc?.bytes(open) { bytes throws(ImageError) in
      try ICCProfile(parsing: bytes).bytes
    }
    edit.profile = change(profile)
    generatesProfile = profile == .measure
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

  private func change<Value>(
    _ item: ConversionRequest.Item<Value>?
  ) -> MetadataEdit.Change<Value> {
    switch item {
    case nil, .keep, .measure: .keep
    case .drop: .drop
    case .value(let value): .set(value)
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
    if !measured.isEmpty || generatesProfile {
      // The image is measured according to its new color description.
      edited = try file.editedWithDecodableGainMap(try measuredEdit(of: edited))
    }
    if edited.isUnchanged {
      let needed: [NoticeCode] = [.xmpOfOthersKept, .xmpPropertiesKept]
      let isNeeded = edited.notices.contains { needed.contains($0.code) }
      edited.notices.append(
        Notice(
          .irregular,
          isNeeded
            ? "not changed: all XMP in the file is for its gain map, mattes or other images"
            : "not changed: the file already is as requested"))
    }
    edited.notices += try edited.remainingLocation(isRemoved: edit.dropsLocation)
    return edited
  }

  /// The edit with the values that are measured.
  private func measuredEdit(of edited: EditedFile) throws(ImageError) -> MetadataEdit {
    var edit = edit
    if generatesProfile {
      guard let cicp = edited.after.codePoints else { throw ImageError(.tagNoCodePoints) }
      edit.profile = .set(try ICCProfile.generate(for: cicp))
    }
    guard !measured.isEmpty else { return edit }
    var file = edited.file
    if let item = edit.item {
      file = try ImageFile(
        parsing: ByteSource(try file.standaloneFile(ofItem: item)), options: file.options)
    }
    let image = try SourceImage.open(file).image
    var light = LightMetadata(diffuseWhite: image.color.referenceWhite)
    if measured.contains(where: { !$0.isPresent(in: light) }) {
      light = LightMetadata(try image.lightLevels(), white: image.color.referenceWhite)
    }
    for item in measured { item.set(light, in: &edit) }
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

extension ConversionPlan {
  /// Notices about metadata and images that the output will not contain, as the work of the plan gives them.
  ///
  /// They follow from the structure of the file: no sample is decoded. Raw files have none.
  ///
  /// - Returns: The notices.
  /// - Throws: Errors of metadata that cannot be parsed or edited; `.invalidArgument` for what the format cannot store.
  package func foreseenLosses() throws(ImageError) -> [Notice] {
    guard try !source.isRaw else { return [] }
    return try WorkExecution(self, source, work).losses()
  }
}

extension WorkExecution {
  fileprivate func losses() throws(ImageError) -> [Notice] {
    switch work {
    case .convert(let options, let development, _):
      return try losses(of: try opened(development), options)
    case .create(let options, let standard): return try losses(ofPair: standard, options)
    case .transcode(let options):
      let file = source.requiredFile
      let isKept = options.geometry == GeometryEdit() && !options.reencodes
      if isKept, try file.stillCodec == format.traits.gainMapCodec { return try location(of: file) }
      return try losses(ofBaseline: file, options)
    case .swap(let options): return try losses(ofBaseline: source.requiredFile, options)
    case .sameFormat(.edit(let options), _):
      let file = source.requiredFile
      return try losses(ofBaseline: file, options) + file.depthMapNotices
    case .join(_, let options?):
      let file = source.requiredFile
      let isKept = try ifReadable(try file.stillCodec) == format.traits.gainMapCodec
      return isKept ? [] : try losses(ofBaseline: file, options)
    case .join, .edit, .sameFormat: return try location(of: source.requiredFile)
    }
  }

  /// Those of one image.
  private func losses(
    of source: SourceImage, _ options: ConversionOptions
  ) throws(ImageError) -> [Notice] {
    var (document, options) = (source, options)
    var notices = try removal.apply(to: &document, &options) + document.notCopied
    options.geometry = request.geometry.edit(of: document.uprightSize).edit
    options = options.withColorOfProfile
    let geometry = try options.geometry.parameters(of: document)
    let target = try ConversionTarget(
      options, document: document, gainMap: nil, shown: geometry.orientation)
    let metadata = try DeclaredMetadata(
      options, document: document, target: target,
      layout: target.layout(like: document.image.layout))
    notices += target.notices + metadata.notices
    return notices + (ImageConverter(options).droppedAuxiliaries(of: document).map { [$0] } ?? [])
  }

  /// Those of two images with a gain map; the coded image of a kept SDR file keeps all.
  private func losses(
    ofPair standard: (source: ConversionSource, name: String)?, _ options: GainMapEncoder.Options
  ) throws(ImageError) -> [Notice] {
    var document = try opened(request.raw.development(exposure: 0, isStandard: false))
    var notices = try document.notCopied
    let removed = try removal.apply(to: &document, keepsMetadata: standard == nil)
    notices += document.image.light.notCopied(ImagePair.lightCause)
    guard standard == nil else { return notices }
    notices += removed
    notices += try document.metadataNotCopied(to: format, keepsMakerNotes: options.keepsMakerNotes)
    var copying = ConversionOptions(format: format, encoder: options.encoder)
    copying.geometry = options.geometry
    return notices + (ImageConverter(copying).droppedAuxiliaries(of: document).map { [$0] } ?? [])
  }

  /// Those of a baseline image that is encoded again.
  private func losses(
    ofBaseline file: ImageFile, _ options: GainMapTranscoder.Options
  ) throws(ImageError) -> [Notice] {
    let document = try SourceImage.open(try removal.prepared(file).file)
    return try removal.relevant(BaselineEncoder(options, document).notCopied(in: file))
      + location(of: file)
  }

  private func location(of file: ImageFile) throws(ImageError) -> [Notice] {
    let hasLocation = try ifReadable(try file.metadataSummary().hasLocation) == true
    return hasLocation && request.metadata.strip?.contains(.location) != true
      && request.metadata.strip?.contains(.all) != true && request.metadata.removedItems.isEmpty
      ? [Notice(.locationIncluded)] : []
  }
}
