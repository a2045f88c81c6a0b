public import HDRCore
internal import ImageContainers

/// What shall become of the metadata of a file whose coded pictures stay as they are.
///
/// A new edit keeps everything.
public struct MetadataEdit: Hashable, Sendable {
  /// What shall become of one metadatum.
  public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case keep
    case drop
    case set(Value)
  }

  /// Which picture: an item of HEIF or AVIF, or a picture of a JPEG file counted from 0.
  ///
  /// `nil` means the primary picture, and for orientation, Exif and XMP all that belongs to it: its
  /// auxiliary pictures are turned along, and metadata that describe it leave the file when they are
  /// dropped. In a file with a tone map (`tmap`), the light of the base and that of the alternate are
  /// different things, so that the alternate has to be named.
  public var item: UInt32?

  /// MaxCLL and MaxFALL.
  public var contentLightLevel = Change<LightMetadata.ContentLightLevel>.keep
  /// Color volume of the mastering display.
  public var masteringDisplay = Change<LightMetadata.MasteringDisplay>.keep
  /// Color volume of the content.
  public var contentColorVolume = Change<LightMetadata.ContentColorVolume>.keep
  /// cd/m².
  public var diffuseWhite = Change<Double>.keep
  /// Reference viewing environment.
  public var referenceEnvironment = Change<LightMetadata.ReferenceEnvironment>.keep
  /// Ambient viewing environment.
  public var ambientEnvironment = Change<LightMetadata.AmbientEnvironment>.keep

  /// `nclx` or `cICP`.
  public var codePoints = Change<CICP>.keep
  /// An ICC profile.
  public var profile = Change<[UInt8]>.keep
  /// Dropping it makes the picture show as it is stored.
  public var orientation = Change<Orientation>.keep
  /// Exif from its TIFF header on, or with the prefix of JPEG.
  ///
  /// New Exif says the orientation that the picture had or gets, whatever it said before.
  public var exif = Change<[UInt8]>.keep
  /// An XMP packet.
  ///
  /// What tells readers where a gain map is and how to apply it survives.
  public var xmp = Change<[UInt8]>.keep
  /// Whether everything goes that says where the picture was taken, in all pictures of the file.
  public var dropsLocation = false
  /// Whether what stands in a wrong place, or is not marked as it must be, is put right.
  ///
  /// The order of properties, and which of them are essential; the order of boxes in `meta`; where a
  /// multi-picture directory says that pictures lie. No value changes.
  public var arranges = false

  public init() {}

  /// Whether the edit asks for nothing.
  public var isEmpty: Bool {
    var nothing = MetadataEdit()
    nothing.item = item
    return self == nothing
  }
}

extension MetadataEdit.Change {
  /// What a value becomes.
  func applied(to value: Value?) -> Value? {
    switch self {
    case .keep: value
    case .drop: nil
    case .set(let new): new
    }
  }

  /// The new value, if there is one.
  var newValue: Value? { applied(to: nil) }

  var isSet: Bool { newValue != nil }
}
