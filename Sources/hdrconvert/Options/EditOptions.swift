// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Changes of `tag` other than those of the metadata options.
struct EditOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Item of HEIF or AVIF, or image of JPEG counted from 0 (default: the primary image).",
      valueName: "n", visibility: .inFull))
  var item: UInt32?

  @Option(help: ArgumentHelp("CICP code points (nclx, cICP).", valueName: "keep|none|P/T/M[/R]"))
  var cicp = "keep"

  @Option(
    help: ArgumentHelp(
      "Orientation, as in Exif.", valueName: "keep|none|1...8"))
  var orientation = "keep"

  @Option(
    help: ArgumentHelp(
      "Metadata to remove: gps (all location data), video (of a motion photo), clli, mdcv, cclv, "
        + "ndwt, reve, amve, cicp, icc, exif, xmp, orientation.",
      valueName: "name,..."))
  var drop: [String] = []

  /// A value that is measured from the image.
  enum Measurement: String, Hashable {
    case clli
    case cclv
    case ndwt
    case icc
  }

  /// The requested edit, and the values that remain to be measured.
  ///
  /// - Parameters:
  ///   - options: Metadata to write.
  ///   - strip: Private metadata that are left out as well.
  /// - Returns: The edit, and the values.
  /// - Throws: `ValidationError` for values that cannot be read or that contradict each other.
  func edit(
    _ options: MetadataOptions, strip: [ConversionRequest.Metadata.Private]? = nil
  ) throws -> (MetadataEdit, Set<Measurement>) {
    var request = ConversionRequest()
    try options.apply(to: &request.metadata)
    request.metadata.strip = strip
    do { try request.check() } catch { throw Failure(error) }
    let metadata = request.metadata
    var edit = MetadataEdit()
    var measured: Set<Measurement> = []
    edit.item = item
    func change<Value>(
      _ item: ConversionRequest.Item<Value>?, _ measurement: Measurement? = nil
    ) throws(ValidationError) -> MetadataEdit.Change<Value> {
      switch item {
      case nil, .keep: return .keep
      case .drop: return .drop
      case .value(let value): return .set(value)
      case .measure:
        guard let measurement else {
          throw ValidationError("'auto' is for --clli, --cclv, --ndwt and --icc")
        }
        measured.insert(measurement)
        return .keep
      }
    }
    edit.contentLightLevel = try change(metadata.contentLightLevel, .clli)
    edit.masteringDisplay = try change(metadata.masteringDisplay)
    edit.contentColorVolume = try change(metadata.contentColorVolume, .cclv)
    edit.diffuseWhite = try change(metadata.diffuseWhite, .ndwt)
    edit.referenceEnvironment = try change(metadata.referenceEnvironment)
    edit.ambientEnvironment = try change(metadata.ambientEnvironment)
    edit.profile = try change(
      try bytes(metadata.icc) { bytes throws(ImageError) in try ICCProfile(parsing: bytes).bytes },
      .icc)
    edit.exif = try change(
      try bytes(metadata.exif) { bytes throws(ImageError) in try ExifBlock(parsing: bytes).bytes })
    edit.xmp = try change(
      try bytes(metadata.xmp) { bytes throws(ImageError) in try XMPPacket(parsing: bytes).bytes })
    edit.codePoints = try word(cicp) { text throws(ValidationError) in
      try value(of: "--cicp") { () throws(ValidationError) in try parseCICP(text) }
    }
    edit.orientation = try word(orientation) { text throws(ValidationError) in
      guard let orientation = Int(text).flatMap(Orientation.init) else {
        throw ValidationError("--orientation takes keep, none or 1...8")
      }
      return orientation
    }
    for name in drop.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      try remove(name, from: &edit, measured)
    }
    guard !edit.isEmpty || !measured.isEmpty || strip != nil else {
      throw ValidationError("nothing to change; set a value or use --drop")
    }
    return (edit, measured)
  }

  /// The bytes of a given item, which are checked.
  private func bytes(
    _ item: ConversionRequest.Item<ConversionRequest.FileContent>?,
    _ check: ([UInt8]) throws(ImageError) -> [UInt8]
  ) throws(Failure) -> ConversionRequest.Item<[UInt8]>? {
    switch item {
    case nil: return nil
    case .keep: return .keep
    case .measure: return .measure
    case .drop: return .drop
    case .value(.bytes(let bytes)): return .value(bytes)
    case .value(.name(let name)):
      return .value(
        try during(.reading, name) { () throws(ImageError) in
          try check(try ByteSource(path: name).allBytes())
        })
    }
  }

  private func word<Value>(
    _ text: String, _ parse: (String) throws(ValidationError) -> Value
  ) throws(ValidationError) -> MetadataEdit.Change<Value> {
    switch text {
    case "keep": .keep
    case "none", "drop": .drop
    default: .set(try parse(text))
    }
  }

  private func remove(
    _ name: Substring, from edit: inout MetadataEdit, _ measured: Set<Measurement>
  ) throws(ValidationError) {
    func drop<Value>(_ change: inout MetadataEdit.Change<Value>) throws(ValidationError) {
      guard change == .keep || change == .drop,
        !measured.contains(where: { $0.rawValue == name })
      else { throw ValidationError("'\(name)' cannot be both set and dropped") }
      change = .drop
    }
    switch name {
    case "gps": edit.dropsLocation = true
    case "video": edit.dropsVideo = true
    case "clli": try drop(&edit.contentLightLevel)
    case "mdcv": try drop(&edit.masteringDisplay)
    case "cclv": try drop(&edit.contentColorVolume)
    case "ndwt": try drop(&edit.diffuseWhite)
    case "reve": try drop(&edit.referenceEnvironment)
    case "amve": try drop(&edit.ambientEnvironment)
    case "cicp": try drop(&edit.codePoints)
    case "icc": try drop(&edit.profile)
    case "exif": try drop(&edit.exif)
    case "xmp": try drop(&edit.xmp)
    case "orientation": try drop(&edit.orientation)
    default:
      throw ValidationError(
        "--drop takes gps, video, clli, mdcv, cclv, ndwt, reve, amve, cicp, icc, exif, "
          + "xmp and orientation, not '\(name)'")
    }
  }
}
