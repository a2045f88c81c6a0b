// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore

/// A gain map of a file: its metadata, their provenance, and the place of its samples.
public struct FoundGainMap: Hashable, Sendable {
  /// Place of the encoded samples.
  public enum Location: Hashable, Sendable {
    /// An image of a JPEG file: its index; the first image of the file has 0.
    case image(Int)
    /// An item of a HEIF or AVIF file: an encoded image or a grid.
    case item(UInt32)
    /// A gain map box of a JPEG XL file: its offset in the file.
    case box(Int)
    /// The gain map chunk (`gdAT`) of a PNG file.
    case chunk
    /// The image of another file.
    case file
  }

  /// Layout of the encoded samples, as far as the container specifies it.
  public struct Layout: Hashable, Sendable {
    /// Width in samples.
    public var width: Int
    /// Height in samples.
    public var height: Int
    /// Number of components; `nil` if unspecified.
    public var componentCount: Int?
    /// Bits per sample; `nil` if unspecified.
    public var bits: Int?

    package init(width: Int, height: Int, componentCount: Int? = nil, bits: Int? = nil) {
      self.width = width
      self.height = height
      self.componentCount = componentCount
      self.bits = bits
    }
  }

  /// Color and light metadata that a file specifies for the alternate image.
  public struct AlternateImage: Hashable, Sendable {
    /// Code points of its color.
    public var cicp: CICP?
    /// Its ICC profile, verbatim.
    public var icc: [UInt8]?
    /// Its ICC profile in the compression of JPEG XL, which only the codec decodes to `icc`.
    package var compressedICC: [UInt8]?
    /// Its light levels and mastering display.
    public var light: LightMetadata

    package init(cicp: CICP? = nil, icc: [UInt8]? = nil, light: LightMetadata = LightMetadata()) {
      self.cicp = cicp
      self.icc = icc
      self.light = light
    }

    /// Whether its primaries are unspecified.
    var hasUnspecifiedPrimaries: Bool {
      icc == nil && compressedICC == nil && cicp?.primaries ?? .unspecified == .unspecified
    }

    /// The primaries that its profile or its code points specify, if they are known.
    package var specifiedPrimaries: ColorPrimaries? {
      if let icc, let profile = try? ICCProfile(parsing: icc) {
        if let cicp = profile.cicp, TransferFunction(cicp.transfer) != nil,
          let primaries = ColorPrimaries(cicp.primaries)
        {
          return primaries
        }
        if case .matrix(let model) = profile.model { return model.primaries }
      }
      return cicp.flatMap { ColorPrimaries($0.primaries) }
    }
  }

  /// Place of the encoded samples.
  public let location: Location
  /// Layout of the samples; `nil` if only the bitstream specifies it.
  public package(set) var layout: Layout?
  /// All metadata of the gain map in the file, in order of precedence; never empty.
  public private(set) var carriers: [Carrier]
  /// ID of the `tmap` item that derives the alternate image with this gain map; `nil` without one.
  public let toneMapItem: UInt32?
  /// Type of the auxiliary image, if the gain map is one.
  package let auxiliary: GainMapAuxiliary?
  /// Color and light metadata of the alternate image.
  public package(set) var alternate: AlternateImage
  /// Reason why the gain map must not be applied to the baseline image, although it can be read;
  /// `nil` without such a reason.
  public let objection: ImageError?
  /// Flavors that the file announces, so that other readers use their metadata; `nil` for a file that
  /// does not have to announce them.
  package var announcedFlavors: Set<GainMapFlavor>?
  /// Orientation of the samples; only in detached gain maps, `nil` for that of the baseline image.
  package var orientation: Orientation?
  /// XMP of the gain map, verbatim; only in detached gain maps.
  package var xmp: [UInt8]?
  /// Apple maker note of the baseline image; only in detached gain maps.
  package var makerNote: AppleMakerNote?

  package init(
    location: Location, layout: Layout?, carriers: [Carrier], toneMapItem: UInt32? = nil,
    auxiliary: GainMapAuxiliary? = nil, alternate: AlternateImage = AlternateImage(),
    objection: ImageError? = nil
  ) {
    self.location = location
    self.layout = layout
    self.carriers = GainMapFlavor.allCases.flatMap { flavor in
      carriers.filter { $0.flavor == flavor }
    }
    self.toneMapItem = toneMapItem
    self.auxiliary = auxiliary
    self.alternate = alternate
    self.objection = objection
  }

  /// The metadata in effect, with their flavor and values: the first that can be read; `nil` if none
  /// can.
  public var description: Description? { carriers.lazy.compactMap(\.description).first }

  /// The metadata in effect; `nil` if none can be read.
  public var metadata: GainMapMetadata? { description?.metadata }

  /// The flavor of the metadata in effect; `nil` if none can be read.
  public var flavor: GainMapFlavor? { description?.flavor }

  /// The flavors of all metadata that can be read, in order of precedence.
  package var flavors: [GainMapFlavor] { carriers.compactMap { $0.description?.flavor } }

  /// The flavors that other readers use.
  package var usableFlavors: [GainMapFlavor] {
    flavors.filter { announcedFlavors?.contains($0) ?? true }
  }

  /// Whether the gain map can be applied to the baseline image.
  public var isApplicable: Bool { description != nil && objection == nil }
}

// MARK: Gain maps whose samples are in another file

extension FoundGainMap {
  /// Creates a gain map whose samples are the image of another file.
  ///
  /// - Parameters:
  ///   - descriptions: Its metadata, of different flavors.
  ///   - layout: Layout of the samples, if it is known.
  ///   - alternate: Color and light metadata of the alternate image.
  package init(
    _ descriptions: [Description], layout: Layout? = nil,
    alternate: AlternateImage = AlternateImage()
  ) {
    self.init(
      location: .file, layout: layout,
      carriers: descriptions.map { Carrier($0, at: .init(path: ["metadata"])) },
      alternate: alternate)
  }

  /// The metadata that can be read, one of each flavor, without their places; `nil` if there are none.
  package var detached: FoundGainMap? {
    var flavors: Set<GainMapFlavor> = []
    let descriptions = carriers.compactMap(\.description).filter {
      flavors.insert($0.flavor).inserted
    }
    guard !descriptions.isEmpty else { return nil }
    return FoundGainMap(descriptions, layout: layout, alternate: alternate)
  }

  /// Replaces the metadata in effect.
  ///
  /// - Parameters:
  ///   - metadata: The new metadata.
  ///   - flavor: Their flavor; `nil` for that of the old ones.
  ///   - dropsOthers: Whether XMP and the metadata of other flavors, which describe other samples, are
  ///     dropped.
  package mutating func replaceMetadata(
    with metadata: GainMapMetadata, flavor: GainMapFlavor? = nil, dropsOthers: Bool
  ) {
    guard var replaced = description else { return }
    let others = carriers.filter { $0.description.map { $0.flavor != replaced.flavor } ?? false }
    replaced.metadata = metadata
    replaced.flavor = flavor ?? replaced.flavor
    carriers = [Carrier(replaced, at: carriers[0].location)] + (dropsOthers ? [] : others)
    if dropsOthers { xmp = nil }
  }
}
