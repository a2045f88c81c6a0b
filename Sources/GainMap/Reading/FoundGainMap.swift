public import HDRCore
internal import ImageContainers

/// A gain map as it lies in a file: where its samples are, and all that the file says about them.
public struct FoundGainMap: Sendable {
  /// Where the coded samples are.
  public enum Place: Hashable, Sendable {
    /// A picture of a JPEG file: an index into `JPEGFile.images`.
    case image(Int)
    /// An item of a HEIF or AVIF file: a coded picture or a grid.
    case item(UInt32)
    /// A JPEG XL codestream: a range of the file.
    case codestream(Range<Int>)
    /// The picture of a file of its own.
    case file
  }

  /// The layout of the coded samples, as far as the container says it.
  public struct Layout: Hashable, Sendable {
    public var width: Int
    public var height: Int
    public var componentCount: Int?
    public var bits: Int?

    public init(width: Int, height: Int, componentCount: Int? = nil, bits: Int? = nil) {
      self.width = width
      self.height = height
      self.componentCount = componentCount
      self.bits = bits
    }
  }

  public let place: Place
  /// `nil` if only the bitstream says it.
  public let layout: Layout?
  /// All descriptions of the map in the file, the one that counts first; at least one.
  public let spellings: [FoundGainMap.Carrier]
  /// The `tmap` item that derives the alternate rendition with this map.
  public let toneMapItem: UInt32?
  /// The kind of auxiliary picture that the map is, if it is one.
  package let auxiliary: GainMapAuxiliary?
  /// What the file says about the rendition that is not the base.
  public let alternate: AlternateRendition
  /// Why the map must not be applied to the base picture, although it can be read.
  public let objection: ImageError?

  package init(
    place: Place, layout: Layout?, spellings: [FoundGainMap.Carrier], toneMapItem: UInt32? = nil,
    auxiliary: GainMapAuxiliary? = nil, alternate: AlternateRendition = AlternateRendition(),
    objection: ImageError? = nil
  ) {
    self.place = place
    self.layout = layout
    self.spellings = spellings.inRankingOrder
    self.toneMapItem = toneMapItem
    self.auxiliary = auxiliary
    self.alternate = alternate
    self.objection = objection
  }

  /// The description that counts; `nil` if none can be read.
  public var reading: FoundGainMap.Description? { spellings.lazy.compactMap(\.reading).first }

  /// Whether the map can be applied to the base picture.
  public var isApplicable: Bool { reading != nil && objection == nil }
}

extension [FoundGainMap.Carrier] {
  /// ISO 21496-1 before XMP before Apple's, as most readers rank them.
  ///
  /// Source: libultrahdr, Skia, Chromium and tev alike.
  fileprivate var inRankingOrder: [FoundGainMap.Carrier] {
    GainMapFlavor.allCases.flatMap { flavor in filter { $0.flavor == flavor } }
  }
}

/// What a file says about the rendition that is reached with full gain.
public struct AlternateRendition: Hashable, Sendable {
  /// Code points of its color.
  public var cicp: CICP?
  /// Its ICC profile, verbatim.
  public var icc: [UInt8]?
  /// Its light levels and mastering display.
  public var hdr: LightMetadata

  public init(cicp: CICP? = nil, icc: [UInt8]? = nil, hdr: LightMetadata = LightMetadata()) {
    self.cicp = cicp
    self.icc = icc
    self.hdr = hdr
  }

  /// Whether nothing tells the primaries.
  var hasUnstatedPrimaries: Bool { icc == nil && cicp?.primaries ?? .unspecified == .unspecified }

  /// The primaries that the profile or the code points tell, if they are known.
  package var statedPrimaries: ColorPrimaries? {
    if let icc, let profile = try? ICCProfile(parsing: icc) {
      if let cicp = profile.cicp { return ColorPrimaries(cicp.primaries) }
      if case .matrix(let model) = profile.model { return model.primaries }
    }
    return cicp.flatMap { ColorPrimaries($0.primaries) }
  }
}
