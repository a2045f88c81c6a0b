// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore

/// Changes of `tag` other than those of the metadata options.
struct EditOptions: ParsableArguments {
  @Option(
    help: .full(
      "Item of HEIF or AVIF, or image of JPEG counted from 0 (default: the primary image).", "n"))
  var item: UInt32?

  @Option(help: .text("CICP code points (nclx, cICP).", "keep|none|P/T/M[/R]"))
  var cicp = "keep"

  @Option(help: .text("Orientation, as in Exif.", "keep|none|1...8"))
  var orientation = "keep"

  @Option(
    help: .text(
      "Metadata to remove: gps (all location data), video (of a motion photo), clli, mdcv, cclv, "
        + "ndwt, reve, amve, cicp, icc, exif, xmp, orientation.", "name,..."))
  var drop: [String] = []

  /// Sets the fields whose options are given, after those of the metadata options.
  ///
  /// - Throws: `ValidationError` for values that cannot be read, and for values that are set and dropped.
  func apply(to metadata: inout ConversionRequest.Metadata) throws(ValidationError) {
    if let item { metadata.item = Int(item) }
    metadata.codePoints = try word(cicp) { text throws(ValidationError) in
      try value(of: "--cicp", parseCICP(text))
    }
    metadata.orientation = try word(orientation) { text throws(ValidationError) in
      guard let orientation = Int(text).flatMap(Orientation.init) else {
        throw ValidationError("--orientation takes keep, none or 1...8")
      }
      return orientation
    }
    for name in drop.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      try remove(name, from: &metadata)
    }
  }

  private func word<Value>(
    _ text: String, _ parse: (String) throws(ValidationError) -> Value
  ) throws(ValidationError) -> ConversionRequest.Item<Value>? {
    switch text {
    case "keep": nil
    case "none", "drop": .drop
    default: .value(try parse(text))
    }
  }

  private func remove(
    _ name: Substring, from metadata: inout ConversionRequest.Metadata
  ) throws(ValidationError) {
    func drop<Value>(_ item: inout ConversionRequest.Item<Value>?) throws(ValidationError) {
      guard item == nil || item == .keep || item == .drop else {
        throw ValidationError("'\(name)' cannot be both set and dropped")
      }
      item = .drop
    }
    switch name {
    case "gps": metadata.strip = (metadata.strip ?? []) + [.location]
    case "video": metadata.strip = (metadata.strip ?? []) + [.video]
    case "clli": try drop(&metadata.contentLightLevel)
    case "mdcv": try drop(&metadata.masteringDisplay)
    case "cclv": try drop(&metadata.contentColorVolume)
    case "ndwt": try drop(&metadata.diffuseWhite)
    case "reve": try drop(&metadata.referenceEnvironment)
    case "amve": try drop(&metadata.ambientEnvironment)
    case "cicp": try drop(&metadata.codePoints)
    case "icc": try drop(&metadata.icc)
    case "exif": try drop(&metadata.exif)
    case "xmp": try drop(&metadata.xmp)
    case "orientation": try drop(&metadata.orientation)
    default:
      throw ValidationError(
        "--drop takes gps, video, clli, mdcv, cclv, ndwt, reve, amve, cicp, icc, exif, "
          + "xmp and orientation, not '\(name)'")
    }
  }
}
