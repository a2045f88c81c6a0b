// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore
internal import Platform

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

extension FoundGainMap {
  /// Metadata of one flavor in a file, readable or not.
  public struct Carrier: Hashable, Sendable {
    /// Flavor of the metadata.
    public let flavor: GainMapFlavor
    /// Place of the metadata.
    public let location: ImageError.Location
    /// The metadata, or the reason why they cannot be read.
    public let result: Result<Description, ImageError>

    /// The metadata with their stored values; `nil` if they cannot be read.
    public var description: Description? { try? result.get() }
    /// The metadata without their stored values; `nil` if they cannot be read.
    public var metadata: GainMapMetadata? { description?.metadata }
    /// The reason why the metadata cannot be read; `nil` if they can.
    public var failure: ImageError? {
      if case .failure(let error) = result { error } else { nil }
    }

    package init(_ description: Description, at location: ImageError.Location) {
      flavor = description.flavor
      self.location = location
      result = .success(description)
    }

    /// Parses metadata; errors are kept, since the baseline image can be shown without them.
    ///
    /// - Throws: Errors that end the whole job.
    package init(
      _ flavor: GainMapFlavor, at location: ImageError.Location,
      _ parse: () throws(ImageError) -> Description
    ) throws(ImageError) {
      self.flavor = flavor
      self.location = location
      do throws(ImageError) {
        result = .success(try parse())
      } catch {
        guard !error.endsJob else { throw error }
        result = .failure(error)
      }
    }
  }

  /// Metadata of one flavor, with the stored values that they follow from.
  public struct Description: Hashable, Sendable {
    /// A stored value as text, and its source.
    public struct Number: Hashable, Sendable {
      /// Metadata that contain a number; raw values are stable.
      public enum Source: String, Hashable, Sendable, CaseIterable {
        case isoPayload = "iso-payload"
        case xmp
        case makerNote = "maker-note"
        /// The format's default for a missing value.
        case formatDefault = "default"
        /// This reader's assumption for a value that files do not specify.
        case assumed
      }

      /// Name of the value.
      public var name: String
      /// The value.
      public var text: String
      /// Metadata that contain the number.
      public var source: Source
      /// The source itself: a property, a field, or tags and the branch of a rule.
      public var origin: String

      package init(_ name: String, _ text: String, _ source: Source, from origin: String) {
        self.name = name
        self.text = text
        self.source = source
        self.origin = origin
      }
    }

    /// Flavor of the metadata.
    public var flavor: GainMapFlavor
    /// The relation of the samples to gain.
    public var metadata: GainMapMetadata
    /// All values, in the order of the format; empty for metadata that were not read from a file.
    public var numbers: [Number]

    package init(flavor: GainMapFlavor, metadata: GainMapMetadata, numbers: [Number]) {
      self.flavor = flavor
      self.metadata = metadata
      self.numbers = numbers
    }
  }
}

/// Metadata of a detached gain map as JSON: see `Documentation/JSON.md`.
///
/// ```json
/// {
///   "schema": "hdrconvert/gainmap-metadata/1",
///   "flavor": "iso",
///   "map": {"width": 1008, "height": 756, "componentCount": 1, "bitsPerSample": 8,
///           "orientation": 6},
///   "iso21496": {
///     "base_hdr_headroom": "0/1",
///     "alternate_hdr_headroom": "531343/200000",
///     "use_base_colour_space": true,
///     "channels": [
///       {"gain_map_min": "0/1", "gain_map_max": "531343/200000", "gain_map_gamma": "1/1",
///        "base_offset": "1/64", "alternate_offset": "1/64"}
///     ]
///   },
///   "alternate": {"cicp": [9, 16, 9, 1], "maxCLLNits": 1200, "maxFALLNits": 80},
///   "numbers": [{"name": "...", "value": "...", "source": "iso-payload", "origin": "..."}]
/// }
/// ```
///
/// Fractions are those of the file; decimals are parsed as well, as text or as numbers. An Apple gain
/// map has `"apple": {"headroomRatio": 4.88, "curve": "srgb"}` instead of `iso21496`. Only `schema` and one
/// of these two are required. `others` contains the metadata of other flavors, `xmp` the XMP of the
/// gain map, `makerNote` the numbers of the Apple maker note.
extension FoundGainMap {
  /// Name and version of the JSON schema.
  package static let jsonSchema = "hdrconvert/gainmap-metadata/1"

  /// Largest JSON that is parsed, in bytes: more than any metadata with an ICC profile.
  package static let largestJSON = 1 << 25

  /// Returns the metadata as JSON text in UTF-8.
  ///
  /// - Throws: `.invalidArgument` if no metadata can be read.
  package func json() throws(ImageError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let json = try GainMapJSON(self)
    guard let data = try? encoder.encode(json) else {
      throw ImageError(.codecFailure, "the gain map metadata cannot be written as JSON")
    }
    return Array(data) + [UInt8(ascii: "\n")]
  }

  /// Creates a gain map from JSON; its samples are the image of another file.
  ///
  /// - Parameter bytes: JSON text in UTF-8.
  /// - Throws: `.malformed` with the key that is missing or invalid, `.limitExceeded` for more than
  ///   `largestJSON` bytes.
  package init(json bytes: [UInt8]) throws(ImageError) {
    guard bytes.count <= Self.largestJSON else {
      throw ImageError(
        .sizeLimitExceeded,
        ["element": "gain map metadata", "size": bytes.count, "limit": Self.largestJSON])
    }
    let json: GainMapJSON
    do {
      json = try JSONDecoder().decode(GainMapJSON.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw ImageError(error)
    } catch {
      throw ImageError(.jsonInvalid, ["detail": "not JSON"])
    }
    self = try json.gainMap
  }

  /// Whether bytes begin like JSON and not like an image file.
  package static func isJSON(_ prefix: [UInt8]) -> Bool {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    return prefix.first { !blanks.contains($0) } == UInt8(ascii: "{")
  }

  /// Notices about metadata that JSON has no key for.
  package var notInJSON: [Notice] {
    var notices: [Notice] = []
    var light = alternate.light
    light.contentLightLevel = nil
    if light != LightMetadata() {
      notices.append(
        Notice(
          .dropped,
          "not copied: light metadata of the alternate image other than its content light level "
            + "(the JSON has no keys for them)"
        ))
    }
    if let xmp, String(bytes: xmp, encoding: .utf8) == nil {
      notices.append(Notice(.dropped, "not copied: XMP of the gain map (not UTF-8)"))
    }
    return notices
  }
}

extension ImageError {
  /// Creates the error of an invalid JSON text.
  fileprivate init(_ error: DecodingError) {
    let (message, context): (String, DecodingError.Context) =
      switch error {
      case .keyNotFound(let key, let context):
        ("'\(key.stringValue)' is missing", context)
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        (context.debugDescription, context)
      @unknown default: ("no JSON of this schema", .init(codingPath: [], debugDescription: ""))
      }
    self.init(
      .jsonInvalid, ["detail": message], at: .init(path: context.codingPath.map(\.stringValue)))
  }
}
