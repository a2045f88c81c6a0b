internal import ArgumentParser
internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers

extension Convert {
  /// Cuts, sizes and turns a picture and its gain map, coded as they were; one that is only turned is
  /// not coded again.
  func keepGainMap() throws {
    try checkKeeping()
    let format = try outputFormat(output, to: to)
    let target = OutputFile(path: output, mayReplace: force)
    try during(.writing, output) { () throws(ImageError) in try target.check() }
    let opening = try opening()
    let edit = try geometry.edit()
    let encoder = EncoderOptions(
      quality: coding.quality, isLossless: coding.lossless, speed: coding.speed,
      threads: try inputs.threads())
    let result = try during(.reading, input) { () throws(ImageError) in
      let source = try openInput(input, limits: opening.limits)
      let document = try PictureDocument.open(source, options: opening)
      guard document.format == format, [.heif, .avif, .jpeg].contains(format) else {
        throw ImageError(
          .invalidArgument,
          "a gain map is kept in the kind of file it is in, \(document.format.rawValue)",
          remedy: "give the output that suffix, and move it with hdrconvert remux --allow-reencode")
      }
      let file = try ContainerFile(parsing: source, limits: opening.limits)
      if document.gainMap != nil, edit.turn != .upright, edit == GeometryEdit(turn: edit.turn) {
        return try file.turning(
          by: edit.turn, describingGainMapIn: nil, appleCurve: opening.appleCurve,
          limits: opening.limits
        ) { image, orientation throws(ImageError) in
          try JPEGTurning.turned(image, by: orientation, limits: opening.limits)
        }
      }
      return try GainMapKeeping(geometry: edit, encoder: encoder, limits: opening.limits)
        .run(document, from: file)
    }
    let byteCount = try during(.writing, output) { () throws(ImageError) in
      try target.write { sink throws(ImageError) in try sink.append(result.bytes) }
    }
    if !reporting.quiet { Console.report(result.notices) }
    guard reporting.json else { return }
    try printJSON(
      try during(.reading, input) { () throws(ImageError) in
        try RearrangingReport(
          verb: "convert-keep", input: input, output: output, bytes: byteCount, result)
      })
  }

  /// Refuses options that would change what base and map are.
  private func checkKeeping() throws {
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
    if let option = given.first(where: { $0.isGiven }) {
      throw Failure(
        usage: "with --gainmap keep the picture stays what it is, so \(option.name) has no place",
        remedy: "leave out \(option.name), or change metadata with hdrconvert tag")
    }
    try reporting.check(output: output)
  }
}
