internal import Foundation
public import GainMap
public import HDRCore
public import ImageCodecs
internal import ImageContainers
public import ImageFiles

/// Takes a picture with its gain map into another codec, another curve of the map, or another role of
/// its renditions: what cannot stay as it is coded is coded again, and nothing else.
public struct GainMapTranscoder: Sendable {
  public struct Options: Sendable {
    /// `.jpeg`, `.heif` or `.avif`.
    public var format: FileFormat
    /// How the map shall be described; `nil` for what suits map and format.
    public var flavors: Set<GainMapFlavor>?
    /// Whether samples of the map are coded again where a flavor has no words for what they mean.
    public var isExact = false
    /// Of the base, where it has to be coded.
    public var base: EncoderOptions
    /// Of a base that is another rendition than before; `nil` for 4:4:4 where it has headroom, otherwise
    /// for the chroma of the old base.
    public var chroma: ChromaSubsampling?
    /// Of the map, where it has to be coded.
    public var map: EncoderOptions

    public init(format: FileFormat, base: EncoderOptions, map: EncoderOptions) {
      self.format = format
      self.base = base
      self.map = map
    }
  }

  let options: Options
  let file: ImageFile
  let document: SourceImage
  let record: GainMapRecord
  let map: GainMapImage
  let place: FoundGainMap.Place
  /// What is odd about the map and its words.
  let inventoryNotices: [Notice]

  /// Prepares to move a file with a gain map.
  ///
  /// - Throws: `.invalidArgument` for a format that cannot hold a gain map here, `.unsuitable` for a
  ///   file without one; otherwise what is wrong with the file.
  public init(_ file: ImageFile, _ options: Options) throws(ImageError) {
    try options.format.checkHoldsGainMap(baseIsHDR: false)
    self.options = options
    self.file = file
    document = try SourceImage.open(file)
    let inventory = try file.gainMaps()
    let found = try inventory.requireApplicable()
    guard let record = try GainMapRecord(found, in: file), let map = try document.decodeGainMap()
    else {
      throw ImageError(.gainMapSamplesNotDecodable)
    }
    self.record = record
    // Apple's flavor has one component; what codes one as three can say so without loss.
    self.map =
      options.flavors?.contains(.apple) == true
      ? try map.withOneComponent() ?? map : map
    place = found.place
    inventoryNotices = inventory.notices
  }

  /// The same base and the same gain in another container, in other words, or both.
  ///
  /// - Returns: The file.
  /// - Throws: `.invalidArgument` for what the format cannot hold and what no flavor can say, otherwise
  ///   what the encoders say.
  public func transcoded() throws(ImageError) -> RearrangedFile {
    let isKept = try file.stillCodec == options.format.traits.gainMapCodec
    if isKept, let flavors = options.flavors, try exactMeaning(isFree: false) == nil {
      return try file.describingGainMap(in: flavors)
    }
    let base =
      isKept
      ? ReencodedImage(file: file)
      : try BaselineEncoder(options, document).base(of: file)
    let coded = try codedMap(mayStay: isKept)
    var result = try base.file.joining(
      coded.file, coded.record, in: options.flavors, originals: file.wholePayloads())
    result.add(
      inventoryNotices + base.notices + coded.notices, worstError: coded.worstError,
      from: document.gainMap)
    return result
  }

  /// Puts a base and a map from two files into one.
  ///
  /// - Parameters:
  ///   - base: A picture of any kind that is read here.
  ///   - map: A picture that is read as a gain map.
  ///   - record: What its samples mean.
  ///   - options: What to make; pictures that the format holds as they are stay byte for byte.
  /// - Returns: The file.
  /// - Throws: As `moved()`.
  public static func joined(
    base: ImageFile, map: ImageFile, _ record: GainMapRecord, _ options: Options
  ) throws(ImageError) -> RearrangedFile {
    let wanted = options.format.traits.gainMapCodec
    let picture: ReencodedImage
    if (try? base.stillCodec) == wanted {
      picture = ReencodedImage(file: base)
    } else {
      picture = try BaselineEncoder(options, try SourceImage.open(base)).base(of: base)
    }
    let coded: EncodedMap
    if (try? map.stillCodec) == wanted {
      coded = EncodedMap(file: map, record: record)
    } else {
      let document = try SourceImage.open(map)
      coded = try Self.coded(
        try document.decodeAsGainMap(record), record, options, encoder: options.map)
    }
    var result = try picture.file.joining(
      coded.file, coded.record, in: options.flavors,
      originals: base.wholePayloads() + map.wholePayloads())
    result.add(picture.notices + coded.notices, worstError: coded.worstError)
    return result
  }

  // MARK: The map

  struct EncodedMap {
    var file: ImageFile
    var record: GainMapRecord
    var worstError = 0.0
    var notices: [Notice] = []
  }

  /// The map as it is coded, or coded again.
  ///
  /// - Parameter mayStay: Whether the new file can hold the map as it is coded.
  /// - Returns: The map in a file of its own.
  /// - Throws: What `exactMeaning(isFree:)` and the codecs throw.
  func codedMap(mayStay: Bool) throws(ImageError) -> EncodedMap {
    let wanted = try exactMeaning(isFree: !mayStay)
    if mayStay, wanted == nil {
      return EncodedMap(file: try alone(), record: record)
    }
    var encoder = options.map
    // Rounding is all that an exact map may lose; JPEG loses a little more.
    if wanted != nil, mayStay {
      (encoder.isLossless, encoder.quality) = (options.format.traits.isVideoCoded, 100)
    }
    return try Self.coded(map, record, as: wanted, options, encoder: encoder)
  }

  /// A map coded again.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - record: What its samples mean.
  ///   - wanted: What they shall mean; `nil` for the same.
  ///   - options: The format.
  ///   - encoder: How well to code it.
  /// - Returns: The map in a file of its own, and how far off its gain is now.
  /// - Throws: What the codecs say.
  static func coded(
    _ map: GainMapImage, _ record: GainMapRecord, as wanted: GainMapMeaning? = nil,
    _ options: Options, encoder: EncoderOptions
  ) throws(ImageError) -> EncodedMap {
    let meaning = wanted ?? record.meaning
    let codes = try map.codes()
    let needsEight: Bool =
      if case .apple = meaning { true } else { options.format.traits.isLimitedTo8Bits }
    let depths = needsEight ? [8] : wanted == nil ? [8, 10, 12] : [10]
    let recoding = GainMapRecoding(
      from: record.meaning, bits: codes.bits, to: meaning,
      bits: depths.first { $0 >= codes.bits } ?? depths[depths.count - 1])
    let bytes = try BaselineEncoder.mapFile(
      recoding.apply(to: codes), format: options.format, encoder: encoder)
    var said = record
    // Words about other samples than these.
    if wanted != nil { (said.others, said.xmp) = ([], nil) }
    said.reading = FoundGainMap.Description(
      flavor: meaning.usualFlavor, meaning: meaning, numbers: record.reading.numbers)
    let file = try ImageFile(
      parsing: ByteSource(bytes))
    let difference = try LogGainDifference(
      codes, meaning: record.meaning, SourceImage.open(file).decodeAsGainMap(said))
    return EncodedMap(
      file: file, record: said,
      worstError: difference.worst,
      notices: [
        Notice(
          wanted == nil ? .gainMapReEncodedForFormat : .gainMapReEncodedForFlavors,
          ["format": options.format.title, "worst": difference.worst, "mean": difference.mean])
      ])
  }

  /// The map in a file of its own, with its coded bytes.
  private func alone() throws(ImageError) -> ImageFile {
    try file.parsing(try file.standalone(place))
  }

  /// What the samples shall mean, where the flavors that are wanted cannot say what they mean now.
  ///
  /// - Parameter isFree: Whether the samples are coded again anyway.
  /// - Returns: `nil` if they stay what they are.
  /// - Throws: `.invalidArgument` for a flavor that cannot say the map, exactly or at all.
  private func exactMeaning(isFree: Bool) throws(ImageError) -> GainMapMeaning? {
    guard isFree || options.isExact else { return nil }
    let flavors =
      options.flavors
      ?? (isFree && !record.meaning.isHeld(by: options.format)
        ? [.iso] : [record.reading.flavor])
    let isMixed = flavors.contains(.apple) && flavors.count > 1
    switch record.meaning {
    case .apple(let map):
      guard flavors != [.apple] else { return nil }
      guard !isMixed else {
        guard options.isExact else { return nil }
        throw Self.mixed(try AppleFit.isTolerable(for: map) ? "approximation" : "apple")
      }
      return .parameters(try GainMapMetadata(fullGainOf: map))
    case .parameters(let metadata):
      guard flavors.contains(.apple) else { return nil }
      if let obstacle = AppleGainMap.obstacle(to: metadata, mapIsGray: map.isGray) {
        // Numbers for one component and samples that differ: nothing that a list of flavors changes.
        let differs = !map.isGray && metadata.channels.all.count == 1
        throw ImageError(
          differs ? .gainMapFlavorNotPossiblePerComponent : .gainMapFlavorNotPossible,
          [
            "flavor": GainMapFlavor.apple.title, "cause": obstacle,
            "usable": GainMapFlavor.apple.alternatives(among: flavors),
          ])
      }
      guard !isMixed || options.isExact else { return nil }
      let map = try AppleGainMap(fullGainOf: metadata)
      // Samples that mean exactly the same to Apple; the others' words are fitted to them.
      let fitsOthers = try AppleFit.isTolerable(for: map)
      guard !isMixed || fitsOthers else {
        throw Self.mixed("apple")
      }
      return .apple(map)
    }
  }

  // The alternative is what is possible beside ISO 21496-1 alone.
  private static func mixed(_ alternative: String) -> ImageError {
    ImageError(.gainMapExactConflict, ["alternative": alternative])
  }
}

/// A picture in a file of its own, and what was lost on the way.
struct ReencodedImage {
  var file: ImageFile
  var notices: [Notice] = []
}

extension GainMapMeaning {
  fileprivate var usualFlavor: GainMapFlavor {
    if case .apple = self { .apple } else { .iso }
  }

  /// Whether a map of this kind is found in files of a format.
  fileprivate func isHeld(by format: FileFormat) -> Bool {
    if case .apple = self { format.traits.gainMapCodec != .av1 } else { true }
  }
}

extension ImagePlanes {
  fileprivate var bits: Int {
    guard case .integer(let bits) = layout.samples else {
      preconditionFailure("a gain map has integer samples")
    }
    return bits
  }
}

extension Double {
  /// Three digits, for people.
  var short: String { String(format: "%.3g", self) }
}
