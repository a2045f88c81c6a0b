// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// Changes to the metadata of a file that leave its coded images unchanged.
///
/// A new edit keeps all metadata.
public struct MetadataEdit: Hashable, Sendable {
  /// Change to one metadata value.
  public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case keep
    case drop
    case set(Value)
  }

  /// The image: an item ID in HEIF or AVIF, or the index of an image in a JPEG file, from 0.
  ///
  /// Other formats have one image, 0.
  ///
  /// `nil` is the primary image and, for orientation, Exif and XMP, its associated images: its
  /// auxiliary images are rotated with it, and metadata that describe it are removed from the file
  /// when they are dropped. In a file with a tone map (`tmap`), the baseline and the alternate
  /// image have separate HDR metadata, so the item of the alternate image must be specified to
  /// change them.
  public var item: UInt32?

  /// MaxCLL and MaxFALL, each 0...1e6 cd/m²; 0 stands for an unknown value.
  ///
  /// HEIF and AVIF store at most 65 535 cd/m², which readers of XMP accept in JPEG XL.
  public var contentLightLevel = Change<LightMetadata.ContentLightLevel>.keep
  /// Color volume of the mastering display.
  public var masteringDisplay = Change<LightMetadata.MasteringDisplay>.keep
  /// Color volume of the content.
  public var contentColorVolume = Change<LightMetadata.ContentColorVolume>.keep
  /// Luminance of diffuse white, 0...10 000 cd/m².
  ///
  /// Stored in `ndwt` in HEIF and AVIF, where 0 stands for the 203 cd/m² of ISO 22028-5, and in XMP
  /// in PNG, JPEG and JPEG XL, where 0 and 0.0001...10 000 cd/m² are read.
  public var diffuseWhite = Change<Double>.keep
  /// Reference viewing environment.
  public var referenceEnvironment = Change<LightMetadata.ReferenceEnvironment>.keep
  /// Ambient viewing environment.
  public var ambientEnvironment = Change<LightMetadata.AmbientEnvironment>.keep

  /// CICP code points: `nclx` in HEIF and AVIF, `cICP` in PNG, the header of a JPEG XL codestream.
  public var codePoints = Change<CICP>.keep
  /// An ICC profile.
  public var profile = Change<[UInt8]>.keep
  /// Orientation; if it is dropped, the image is displayed as it is stored.
  public var orientation = Change<Orientation>.keep
  /// Exif from its TIFF header on, or with the prefix of JPEG.
  ///
  /// The orientation in new Exif is replaced by the orientation of the image.
  public var exif = Change<[UInt8]>.keep
  /// An XMP packet.
  ///
  /// Properties that readers need to locate and apply a gain map are kept.
  public var xmp = Change<[UInt8]>.keep
  /// Whether locations are removed from all images of the file and from videos.
  ///
  /// Data that are not parsed are kept, unless they have signs of a location; notices name both.
  public var dropsLocation = false
  /// Whether everything is removed from all images of the file that readers do not need to show them:
  /// all metadata that `Documentation/Privacy.md` does not list, and all data that are not parsed.
  ///
  /// It is removed before other changes of the edit are made. A video is kept without its metadata.
  public var dropsPersonalData = false
  /// Whether the video of a motion photo is removed, with the metadata that announce it.
  public var dropsVideo = false
  /// Whether IPTC is removed from all images of the file; what XMP repeats of it is XMP.
  public var dropsIPTC = false
  /// Whether thumbnails are removed from all images of the file: in Exif, JFIF, XMP and Photoshop resources,
  /// thumbnail items of HEIF, and previews that a multi-picture directory lists.
  ///
  /// Previews in maker notes are kept.
  public var dropsThumbnails = false
  /// Whether everything that follows from the rest of the file is corrected.
  ///
  /// In HEIF and AVIF: the order of boxes and properties, essential flags, duplicates, sizes and
  /// depths, codec configurations, and brands. In PNG: checksums, names, order and duplicates of
  /// chunks, and an `sRGB` chunk that another one overrides. In JPEG: the multi-picture directory.
  /// In these and in JPEG XR: the ID of ICC profiles. Other metadata do not change.
  public var correctsStructure = false

  public init() {}

  /// Whether the edit changes nothing, whatever its `item`.
  public var isEmpty: Bool {
    var nothing = MetadataEdit()
    nothing.item = item
    return self == nothing
  }
}

extension MetadataEdit {
  /// The light metadata of an image after the edit.
  func applied(to light: LightMetadata) -> LightMetadata {
    var light = light
    for item in LightMetadata.items { item.apply(self, to: &light) }
    return light
  }

  /// Fails for light metadata that readers would not accept.
  func check() throws(ImageError) {
    let light = applied(to: LightMetadata())
    if let (field, values) = light.invalidField {
      throw ImageError(.editLightInvalid, ["field": field, "values": values])
    }
  }
}

extension MetadataEdit {
  /// Parts to remove after other changes.
  var droppedParts: [DroppedPart] {
    (dropsIPTC ? [.iptc] : []) + (dropsThumbnails ? [.thumbnails] : [])
  }
}

extension MetadataEdit.Change {
  /// Applies the change to a value.
  func applied(to value: Value?) -> Value? {
    switch self {
    case .keep: value
    case .drop: nil
    case .set(let new): new
    }
  }

  /// The new value; `nil` unless the change sets one.
  var newValue: Value? { applied(to: nil) }

  var isSet: Bool { newValue != nil }
}

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
    let light = applied(to: LightMetadata())
    let asked =
      LightMetadata.items.filter { $0.isPresent(in: light) }.map { $0.field }
      + (codePoints.isSet ? [.cicp] : [])
    let refused = asked.filter { !format.traits.metadataFields.contains($0) }.map(\.rawValue)
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

/// The metadata of an image that a `MetadataEdit` can change, or that can be extracted.
public struct MetadataSummary: Hashable, Sendable {
  /// HDR metadata; empty for TIFF, OpenEXR and Radiance HDR.
  public var light = LightMetadata()
  /// CICP code points; `nil` if missing.
  public var codePoints: CICP?
  /// ICC profile; `nil` if missing.
  public var profile: [UInt8]?
  /// Orientation of the stored rows and columns relative to the upright image.
  public var orientation = Orientation.upright
  /// Exif, from its TIFF header on; `nil` if missing.
  public var exif: [UInt8]?
  /// XMP packet, UTF-8; `nil` if missing.
  public var xmp: [UInt8]?
  /// Whether any metadata in the file contain a location.
  public var hasLocation = false
}

extension MetadataSummary {
  /// The metadata of an image whose file cannot be edited.
  ///
  /// - Throws: Errors of the budget.
  init(
    profile: [UInt8]?, exif: [UInt8]?, xmp: [UInt8]?, orientation: Orientation
  ) throws(ImageError) {
    self.init()
    (self.profile, self.exif, self.xmp) = (profile, exif, xmp)
    self.orientation = orientation
    if let exif { hasLocation = try ifReadable(try ExifBlock(parsing: exif).hasLocation) ?? false }
    guard !hasLocation, let xmp else { return }
    hasLocation = try ifReadable(try XMPPacket(parsing: xmp).hasLocation) ?? false
  }
}
