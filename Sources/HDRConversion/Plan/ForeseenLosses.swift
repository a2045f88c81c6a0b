// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

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
    guard standard == nil else { return notices }
    notices += try removal.apply(to: &document, keepsMetadata: true)
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
