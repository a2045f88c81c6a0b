internal import ArgumentParser
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

extension ConversionArguments {
  /// Cuts, sizes and turns a picture and its gain map, coded as they were; one that is only turned is
  /// not coded again.
  ///
  /// - Parameters:
  ///   - file: The input, where it is open already.
  ///   - isDropped: Whether the base stays without its map.
  ///   - news: What people who did not ask for it should know.
  /// - Throws: Whatever ends the command.
  func keepGainMap(
    of file: ImageFile?, dropping isDropped: Bool = false, saying news: Notice? = nil
  ) throws {
    if isDropped { try checkStaysJPEG() } else { try checkKeeping() }
    let format = try format()
    try target.file.ensureWritable()
    let edit = try geometry.edit()
    let encoder = coding.encoder()
    let file = if let file { file } else { try openInput() }
    let kept = try during(.reading, input) { () throws(ImageError) in
      isDropped ? try file.withoutGainMaps() : Flattened(file: file)
    }
    var result = try during(.reading, input) { () throws(ImageError) in
      let document = try SourceImage.open(kept.file)
      guard document.format == format, format.traits.gainMapCodec != nil else {
        throw elsewhere(document, format)
      }
      let limits = kept.file.options.limits
      if edit.turn != .upright, edit == GeometryEdit(turn: edit.turn) {
        return try kept.file.turning(by: edit.turn, describingGainMapIn: nil) {
          image, orientation throws(ImageError) in
          try JPEGTurning.turned(image, by: orientation, limits: limits)
        }
      }
      return try GeometryEditor(geometry: edit, encoder: encoder, limits: limits)
        .run(document, from: kept.file)
    }
    let byteCount = try during(.writing, target.output) { () throws(ImageError) in
      try target.file.write { sink throws(ImageError) in try sink.append(result.bytes) }
    }
    result.add(kept.notices, worstError: 0, from: kept.dropped)
    if coding.quality != nil, result.codedAnew.isEmpty { result.notices.append(.nothingCoded) }
    if let news, !result.after.isEmpty { result.notices.insert(news, at: 0) }
    if !reporting.quiet { Console.report(result.notices) }
    guard reporting.json else { return }
    try printJSON(
      try during(.reading, input) { () throws(ImageError) in
        try RearrangingReport(
          verb: "convert-keep", input: input, output: target.output, bytes: byteCount, result)
      })
  }

  /// Whether a picture is to be cut, sized or turned, and else to stay what it is.
  func asksForGeometryAlone() throws -> Bool {
    try geometry.edit() != GeometryEdit() && optionAgainstKeeping == nil
  }

  /// The error for an output of another format than the file with the gain map.
  private func elsewhere(_ document: SourceImage, _ format: FileFormat) -> ImageError {
    guard document.gainMap != nil, let codec = document.format.traits.gainMapCodec else {
      return ImageError(.convertKeepWithoutGainMap)
    }
    return ImageError(
      .convertKeptInItsFormat,
      [
        "format": document.format.title,
        "kept": target.output.named("kept", suffix: codec.suffix).asArgument,
        "next": format.traits.gainMapCodec == nil ? "nothing" : "remux",
      ])
  }

  /// Whether an input of the output's kind is a JPEG picture or has a gain map.
  func canStay(_ file: ImageFile) throws -> Bool {
    guard try format() == file.format else { return false }
    return file.format.traits.isLimitedTo8Bits || (try? file.gainMaps())?.applicable != nil
  }

  /// Whether input and output are JPEG, which holds no HDR picture.
  func staysJPEG(_ file: ImageFile) throws -> Bool {
    try format() == file.format && file.format.traits.isLimitedTo8Bits
  }

  /// Refuses what is done to no JPEG picture that stays one.
  func checkStaysJPEG() throws {
    try checkKeeping("cut, sized or turned as JPEG,")
    guard try geometry.edit() == GeometryEdit() else { return }
    throw Failure(
      usage: "JPEG to JPEG only cuts, sizes and turns, and nothing of that is asked for",
      remedy: "--crop, --resize, --rotate or --flip; hdrconvert gainmap flatten drops a gain map, "
        + "and HDR goes to .avif, .heic or .png")
  }

  /// Refuses options that would change what base and map are.
  private func checkKeeping(_ condition: String = "with --gainmap keep") throws {
    if let option = optionAgainstKeeping {
      throw Failure(
        usage: "\(condition) the picture stays what it is, so \(option) has no place",
        remedy: "leave out \(option), or change metadata with hdrconvert tag")
    }
    try reporting.check(output: target.output)
  }

  /// An option that was given and that would change what base and map are.
  private var optionAgainstKeeping: String? {
    let given: [(name: String, isGiven: Bool)] = [
      ("--depth", coding.depth != nil),
      ("--yuv", coding.chroma != nil), ("--range", coding.range != nil),
      ("--transfer", coding.transfer != nil), ("--primaries", coding.primaries != nil),
      ("--cicp", coding.cicp != nil), ("--image-state", coding.imageState != nil),
      ("--signal", coding.signal != nil), ("--reference-white", coding.referenceWhite != nil),
      ("--exposure", coding.exposure != 0), ("--orientation", coding.orientation != .keep),
      ("--adaptation", adaptation != .keep), ("--clli", metadata.clli != nil),
      ("--cclv", metadata.cclv != nil), ("--ndwt", metadata.ndwt != nil),
      ("--icc", metadata.icc != nil), ("--mdcv", metadata.mdcv != "keep"),
      ("--reve", metadata.reve != "keep"), ("--amve", metadata.amve != "keep"),
      ("--exif", metadata.exif != "keep"), ("--xmp", metadata.xmp != "keep"),
    ]
    return given.first { $0.isGiven }?.name ?? raw.given
  }
}

/// A file, and what was dropped from it.
private struct Flattened {
  var file: ImageFile
  var dropped: FoundGainMap?
  var notices: [Notice] = []
}

extension ImageFile {
  /// The file without its gain maps, if it has any.
  fileprivate func withoutGainMaps() throws(ImageError) -> Flattened {
    let maps = try gainMaps().maps
    guard !maps.isEmpty else { return Flattened(file: self) }
    let flat = try droppingGainMaps()
    return Flattened(
      file: flat.file, dropped: maps.first,
      notices: flat.notices + [Notice(.convertGainMapDropped)])
  }
}
