// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Metadata that some containers cannot store, by their names in the command.
package enum MetadataField: String, CaseIterable, Sendable {
  case clli
  case mdcv
  case cclv
  case ndwt
  case reve
  case amve
  case cicp
}

extension MetadataEdit {
  /// Throws an error if the edit sets metadata that a container cannot store.
  ///
  /// Dropping such metadata does not change the file and is not an error.
  func requireFields(in format: FileFormat) throws(ImageError) {
    let asked: [(MetadataField, Bool)] = [
      (.clli, contentLightLevel.isSet), (.mdcv, masteringDisplay.isSet),
      (.cclv, contentColorVolume.isSet), (.ndwt, diffuseWhite.isSet),
      (.reve, referenceEnvironment.isSet), (.amve, ambientEnvironment.isSet),
      (.cicp, codePoints.isSet),
    ]
    let refused = asked.filter { $0.1 && !format.traits.metadataFields.contains($0.0) }.map(
      \.0.rawValue)
    guard !refused.isEmpty else { return }
    throw ImageError(.metadataNotStorable, ["container": format.title, "items": refused])
  }

  /// Throws an error unless new metadata can be parsed and are consistent.
  ///
  /// - Parameter components: Number of components of the image, without alpha; `nil` if unknown.
  /// - Throws: `.invalidArgument`.
  func checkNewMetadata(components: Int?) throws(ImageError) {
    if let exif = exif.newValue {
      try Self.check("Exif") { () throws(ImageError) in _ = try ExifBlock(parsing: exif) }
    }
    if let xmp = xmp.newValue {
      try Self.check("XMP") { () throws(ImageError) in _ = try XMPPacket(parsing: xmp) }
    }
    if let profile = profile.newValue {
      try Self.check("ICC profile") { () throws(ImageError) in
        try Self.check(profile, components: components)
      }
    }
  }

  private static func check(
    _ item: String, _ body: () throws(ImageError) -> Void
  ) throws(ImageError) {
    do { try body() } catch {
      guard error.category != .invalidArgument else { throw error }
      throw ImageError(
        .invalidArgument, "given {item}: {cause}", ["item": item, "cause": error],
        at: error.location)
    }
  }

  private static func check(_ bytes: [UInt8], components: Int?) throws(ImageError) {
    let space = try ICCProfile(parsing: bytes).header.colorSpace
    let expected: [Int: ICCProfile.Signature] = [1: .gray, 3: .rgb, 4: .cmyk]
    guard let expected = components.flatMap({ expected[$0] }), space != expected else { return }
    throw ImageError(
      .invalidArgument, "a profile for '{profile}' does not fit an image of '{image}'",
      ["profile": "\(space)", "image": "\(expected)"],
      at: .init(path: ["ICC"]))
  }
}

extension ICCProfile.Signature {
  fileprivate static let cmyk = Self("CMYK")
}
