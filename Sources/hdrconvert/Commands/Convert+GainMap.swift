// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

// Outputs of `convert` with a gain map, and JPEG files that stay JPEG.

extension ConversionArguments {
  /// Writes a file with the gain map of the input, cropped, resized and rotated like its baseline
  /// image.
  ///
  /// Coded images stay as they are where the output can store them.
  ///
  /// - Parameters:
  ///   - file: The input, which has an applicable gain map.
  ///   - flavors: Flavors of its metadata; `nil` for those of the input in its own format, otherwise
  ///     for the usual ones.
  ///   - notice: Reported first.
  /// - Throws: The failure that ends the command.
  func keepGainMap(
    of file: ImageFile, _ flavors: FlavorList?, reporting notice: Notice? = nil
  ) throws {
    try checkKeepsSamples()
    let format = try format()
    guard format.traits.gainMapCodec != nil else {
      throw Failure(
        ImageError(.convertNoGainMapInFormat, ["format": format.title], at: .init(file: input)))
    }
    let (edit, unchanged) = try editWithoutEnlarging(file)
    let encoder = coding.encoder(for: format)
    let progress = try Progress.encoding(file, input, as: format, encoder, reporting.progress)
    defer { progress.finish() }
    var result = try during(.reading, input) { () throws(ImageError) in
      // In its own format, a file keeps its flavors, and HEIF and AVIF are re-encoded at the quality
      // that was asked for.
      let isSame = file.format == format
      guard isSame, flavors == nil, reencodes(edit) || !format.traits.isLimitedTo8Bits else {
        return try transcoded(file, as: format, flavors, encoder, edit)
      }
      return try edited(file, by: edit, encoder)
    }
    result.notices += unchanged
    if let notice { result.notices.insert(notice, at: 0) }
    try write(result, progress)
  }

  /// Writes a JPEG file that is cropped, resized or rotated, and JPEG again; without an edit or a
  /// quality, its coded images are copied.
  ///
  /// - Parameters:
  ///   - file: The input, a JPEG file.
  ///   - dropsGainMap: Whether a gain map is left out.
  ///   - notice: Reported first.
  /// - Throws: The failure that ends the command.
  func resizeJPEG(
    _ file: ImageFile, dropsGainMap: Bool = false, reporting notice: Notice? = nil
  ) throws {
    try checkKeepsSamples()
    var (file, dropped) = (file, [Notice]())
    if let whole = try during(
      .reading, input,
      { () throws(ImageError) in
        try file.withoutUnreadableGainMaps
      })
    {
      (file, dropped) = whole
    }
    let (edit, unchanged) = try editWithoutEnlarging(file)
    let encoder = coding.encoder(for: .jpeg)
    let progress = try Progress.encoding(file, input, as: .jpeg, encoder, reporting.progress)
    defer { progress.finish() }
    let maps = try during(.reading, input) { () throws(ImageError) in try file.gainMaps().maps }
    var result = try during(.reading, input) { [file] () throws(ImageError) in
      guard dropsGainMap, !maps.isEmpty else { return try edited(file, by: edit, encoder) }
      let flat = try file.droppingGainMaps()
      var result = try edited(flat.file, by: edit, encoder)
      result.add(
        flat.notices + [Notice(.convertGainMapDropped)], worstError: 0, from: maps.first)
      return result
    }
    result.notices += dropped + unchanged
    if let notice { result.notices.insert(notice, at: 0) }
    try write(result, progress)
  }

  /// Writes a file of 8 bits with the gain map of the input, or without one that cannot be decoded.
  ///
  /// - Parameters:
  ///   - file: The input, which has an applicable gain map.
  ///   - flavors: Flavors of its metadata.
  /// - Throws: The failure that ends the command.
  func keepDecodableGainMap(of file: ImageFile, _ flavors: FlavorList?) throws {
    do {
      try keepGainMap(of: file, flavors)
    } catch let failure as Failure where failure.error.code.id == "gain-map/samples-not-decodable" {
      // The parameter is the cause.
      let notice = Notice(.gainMapNotDecodable, failure.error.parameters)
      guard try file.format == format() else {
        return try run(gainMap: .none, of: file, isStandard: true, notices: [notice])
      }
      try resizeJPEG(file, dropsGainMap: true, reporting: notice)
    }
  }

  /// Writes a file of 8 bits: with a computed gain map, or SDR if no pixels are brighter than
  /// reference white.
  ///
  /// - Parameters:
  ///   - file: The input, without a gain map.
  ///   - flavors: Flavors of the gain map metadata; `nil` for the usual ones.
  /// - Throws: The failure that ends the command.
  func createGainMapIfBright(of file: ImageFile, _ flavors: FlavorList?) throws {
    let contents = try during(.reading, input) { () throws(ImageError) in try file.contents() }
    let isAssumed = try opening().assumed != nil
    guard file.isRaw || isAssumed || contents.isHighDynamicRange else {
      return try run(
        gainMap: .none, of: file, isStandard: true, primaries: contents.widePrimaries)
    }
    do {
      try createGainMap(of: file, flavors)
    } catch let failure as Failure where failure.error.code.id == "create/no-headroom" {
      try run(
        gainMap: .full, of: file, isStandard: true, notices: [Notice(.convertWithoutHeadroom)])
    }
  }

  /// Writes a file with the SDR image of a raw file and a computed gain map, or the SDR image alone
  /// if no pixels are brighter than reference white.
  ///
  /// - Parameters:
  ///   - file: The raw file.
  ///   - base: The file with the SDR image.
  ///   - flavors: Flavors of the gain map metadata; `nil` for the usual ones.
  /// - Throws: The failure that ends the command.
  func combine(_ file: ImageFile, with base: String, _ flavors: FlavorList?) throws {
    do {
      try createGainMap(of: file, base: base, flavors)
    } catch let failure as Failure where failure.error.code.id == "create/no-headroom" {
      var companion = self
      companion.files = [base]
      // These options are for the raw file.
      companion.raw = try RAWOptions.parse([])
      companion.inputs.assume = nil
      (companion.coding.exposure, companion.coding.chroma) = (0, nil)
      try companion.writeStandard(Notice(.convertCompanionAlone, ["file": base]))
    }
  }

  /// Writes the input as an SDR image; JPEG stays JPEG, with its gain map.
  private func writeStandard(_ notice: Notice) throws {
    let (file, format) = (try openInput(), try format())
    guard file.format == format, format.traits.isLimitedTo8Bits else {
      return try run(
        gainMap: .none, of: file, isStandard: true,
        primaries: (try? file.contents())?.widePrimaries, notices: [notice])
    }
    try resizeJPEG(file, reporting: notice)
  }

  /// Writes a file with a gain map that is computed from the HDR image of the input.
  ///
  /// - Parameters:
  ///   - file: The input.
  ///   - base: The file with its SDR image; `nil` to compute it.
  ///   - flavors: Flavors of the gain map metadata; `nil` for the usual ones.
  /// - Throws: The failure that ends the command.
  func createGainMap(of file: ImageFile, base: String? = nil, _ flavors: FlavorList?) throws {
    if let option = optionChangingSamples(except: ["--exposure"], allowsRaw: true) {
      // These name the PQ or HLG image that the format cannot store.
      guard base == nil, ["--transfer", "--cicp"].contains(option) else {
        throw Self.changesSamples(option, input, computesGainMap: true)
      }
      return try run(gainMap: .full, of: file)
    }
    let (edit, unchanged) = try editWithoutEnlarging(file)
    let format = try format()
    var options = GainMapEncoder.Options(format: format, encoder: coding.encoder(for: format))
    options.chroma = coding.chroma
    if let flavors { options.flavors = flavors.all }
    options.keepsMakerNotes = keeping.keepsMakerNotes
    options.keepsCodedBaseline = base != nil && coding.quality == nil && coding.chroma == nil
    (options.geometry, options.limits) = (edit, try inputs.limits())
    try GainMapCreationRun(
      hdr: input, sdr: base, output: target.output, mayReplace: target.force, options: options,
      opening: try opening(), reporting: reporting, privacy: privacy, raw: raw,
      exposure: coding.exposure, file: file, printsMeasurements: Invocation.current.isVerbose,
      notices: unchanged
    ).run()
  }

  /// Whether the output is cropped, resized or rotated.
  var changesGeometry: Bool { get throws { try geometry.edit() != GeometryEdit() } }

  /// Whether an option was given that changes samples, their color or the metadata about them.
  var changesSamples: Bool { optionChangingSamples() != nil }

  /// The geometry, and the notice about a size that was not enlarged.
  private func editWithoutEnlarging(_ file: ImageFile) throws -> (GeometryEdit, [Notice]) {
    let edit = try geometry.edit()
    guard edit.size != nil, !geometry.enlarge else { return (edit, []) }
    let size = try during(.reading, input) { () throws(ImageError) in
      try file.contents().primary.shownSize
    }
    let smaller = edit.withoutEnlarging(size)
    guard smaller != edit else { return (edit, []) }
    return (
      smaller, [Notice(.geometryNotEnlarged, ["size": .size(size.width, size.height)])]
    )
  }

  /// Whether images that the output can store are changed: by geometry, or by a given quality.
  private func reencodes(_ edit: GeometryEdit) -> Bool {
    edit != GeometryEdit() || coding.quality != nil
  }

  /// The file after cropping, resizing and rotation; one that is only rotated is not re-encoded
  /// unless a quality is given.
  private func edited(
    _ file: ImageFile, by edit: GeometryEdit, _ encoder: EncoderOptions
  ) throws(ImageError) -> RewrittenFile {
    guard reencodes(edit) else { return try file.transcoded(as: file) }
    let limits = file.options.limits
    if coding.quality == nil, edit == GeometryEdit(rotation: edit.rotation) {
      return try file.rotating(by: edit.rotation, describingGainMapIn: nil) {
        image, orientation throws(ImageError) in
        try JPEGRotation.rotated(image, by: orientation, limits: limits)
      }
    }
    var editor = GeometryEditor(geometry: edit, encoder: encoder, limits: limits)
    editor.keepsMakerNotes = keeping.keepsMakerNotes
    return try editor.run(file)
  }

  /// The file after cropping, resizing and rotation in another format, or with the usual flavors of
  /// its own.
  private func transcoded(
    _ file: ImageFile, as format: FileFormat, _ flavors: FlavorList?, _ encoder: EncoderOptions,
    _ edit: GeometryEdit
  ) throws(ImageError) -> RewrittenFile {
    var map = encoder
    map.quality = EncoderOptions.usualGainMapQuality
    var options = GainMapTranscoder.Options(format: format, base: encoder, map: map)
    let (usual, notices) = try usualFlavors(of: file, in: format)
    options.flavors = flavors?.all ?? usual
    (options.geometry, options.limits) = (edit, file.options.limits)
    options.keepsMakerNotes = keeping.keepsMakerNotes
    if format.traits.isLimitedTo8Bits, try file.gainMaps().applicable?.metadata?.baseIsHDR == true {
      // The usual flavors, unless the gain is in the primaries of the alternate image.
      (options.flavors, options.isExact) = (flavors?.all, true)
      return try GainMapTranscoder(file, options).swapped()
    }
    var result = try GainMapTranscoder(file, options).transcoded()
    if flavors == nil { result.notices += notices }
    return result
  }

  /// The usual flavors of a format that represent the gain map of a file, with a notice about the other
  /// ones.
  private func usualFlavors(
    of file: ImageFile, in format: FileFormat
  ) throws(ImageError) -> (flavors: Set<GainMapFlavor>, notices: [Notice]) {
    let usual = format.traits.usualGainMapFlavors
    guard let found = try file.gainMaps().applicable, let metadata = found.metadata,
      !metadata.isApple, usual.contains(.xmp),
      let obstacle = GainMapXMP.obstacle(
        to: metadata, mapIsGray: found.layout?.componentCount == 1)
    else { return (usual, []) }
    return (usual.subtracting([.xmp]), [Notice(.convertXMPNotWritten, ["cause": obstacle])])
  }

  private func write(_ result: RewrittenFile, _ progress: Progress) throws {
    var result = result
    if try opening().assumed != nil { result.notices.append(Notice(.convertAssumptionNotUsed)) }
    if coding.quality != nil, result.reencodedPayloads.isEmpty {
      result.notices.append(.nothingCoded)
    }
    try target.write(
      result, from: [input], privacy, reporting.report, isVerbose: false, progress: progress)
  }

  /// Refuses options that would change samples which the gain map belongs to.
  private func checkKeepsSamples() throws {
    guard let option = optionChangingSamples() else { return }
    throw Self.changesSamples(option, input)
  }

  private static func changesSamples(
    _ option: String, _ input: String, computesGainMap: Bool = false
  ) -> Failure {
    Failure(
      ImageError(
        .convertOptionChangesSamples,
        ["option": option, "gainMap": computesGainMap ? "computed" : "kept"],
        at: .init(file: input)))
  }

  /// An option that was given and that changes samples, their color or the metadata about them.
  ///
  /// - Parameters:
  ///   - exceptions: Options that are not reported.
  ///   - allowsRaw: Whether options for raw files and `--yuv` are not reported either.
  /// - Returns: The name of the option; `nil` for none.
  private func optionChangingSamples(
    except exceptions: Set<String> = [], allowsRaw: Bool = false
  ) -> String? {
    let given: [(name: String, isGiven: Bool)] = [
      ("--depth", coding.depth != nil),
      ("--yuv", coding.chroma != nil && !allowsRaw), ("--range", coding.range != nil),
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
    return given.first { $0.isGiven && !exceptions.contains($0.name) }?.name
      ?? (allowsRaw ? nil : raw.given)
  }
}

extension FileContents {
  /// Display P3, which SDR outputs store as such; `nil` for other primaries.
  var widePrimaries: ColorPrimaries? {
    primary.color?.encoding.primaries == .displayP3 ? .displayP3 : nil
  }
}
