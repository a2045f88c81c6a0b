public import GainMap
public import HDRCore
public import ImageCodecs
public import ImageContainers
public import ImageFiles

/// Makes one file of two renditions of a picture: a base, and the gain map that leads to the other.
///
/// Either both renditions are given, or the standard one is made of the one with headroom. The map is
/// made for the base as readers will decode it.
public struct GainMapEncoder: Sendable {
  /// What to make.
  public struct Options: Sendable {
    /// `.jpeg`, `.heif` or `.avif`.
    public var format: FileFormat
    /// Whether the base is the rendition with headroom, in PQ and BT.2020.
    public var baseIsHDR = false
    /// Of the rendition without headroom.
    public var primaries = ColorPrimaries.displayP3
    /// Makes the rendition without headroom where none is given.
    public var method = ToneMapOperator.shoulder
    /// See `Rendition.highlightDesaturation`; of the rendition that is made.
    public var highlightDesaturation = Rendition.defaultDesaturation
    /// How the map is described.
    public var flavors: Set<GainMapFlavor>
    /// Of the base; `nil` for the format's own.
    public var chroma: ChromaSubsampling?
    /// Bits of the base's samples; `nil` for the format's own.
    public var depth: Int?
    /// Quality and speed; the quality is that of the base.
    public var encoder: EncoderOptions
    public var map = Map()
    /// Delta E ITP that 99 % of the pixels shall not exceed; quality and the size of the map follow.
    public var targetError: Double?

    /// How the map shall be; `nil` for what suits base and flavors.
    public struct Map: Sendable {
      public var quality: Int?
      /// 1, 2 or 4.
      public var scale: Int?
      /// 1 or 3.
      public var componentCount: Int?
      /// 8 or 10.
      public var depth: Int?

      public init() {}
    }

    public init(format: FileFormat, encoder: EncoderOptions = EncoderOptions()) {
      self.format = format
      self.encoder = encoder
      flavors = format.traits.usualGainMapFlavors
    }
  }

  /// A file that is ready to be written, and what it is worth.
  public struct Result: Sendable {
    public let bytes: SplicedBytes
    /// Coded samples of the base, with those of alpha and mattes.
    public let baseByteCount: Int
    /// Coded samples of the map.
    public let mapByteCount: Int
    public let baseFormat: ImageLayout
    public let mapFormat: ImageLayout
    /// What the map's samples mean.
    public let meaning: GainMapMeaning
    /// How well it was coded, in the end.
    public let baseQuality: Int
    public let mapQuality: Int
    /// The other rendition as readers make it of base and map, compared with the one that was given.
    public let quality: GainMapQuality
    /// Light of the rendition with headroom.
    public let light: LightLevels
    /// Codings that were tried.
    public let trialCount: Int
    public let notices: [Notice]
  }

  public let options: Options

  /// - Throws: `.invalidArgument` for options that contradict each other or the format.
  public init(_ options: Options) throws(ImageError) {
    self.options = options
    _ = try GainMapEncodingParameters(options)
  }

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - hdr: The rendition with headroom; if it has a gain map, that is applied first.
  ///   - sdr: The rendition without; `nil` to make it by tone mapping.
  ///   - progress: Called now and then with the share that is done, 0...1.
  /// - Returns: The file, read back and compared with `hdr`, or with the standard rendition where
  ///   that is what the map leads to.
  /// - Throws: `.invalidArgument` for renditions that do not fit each other, `.unsuitable` for one with
  ///   headroom that uses none, and what decoders and encoders find wrong.
  public func run(
    hdr: SourceImage, sdr: SourceImage? = nil, progress: ((Double) -> Void)? = nil
  ) throws(ImageError) -> Result {
    let pair = try ImagePair(hdr: hdr, sdr: sdr, options: options, progress: progress)
    let parameters = try GainMapEncodingParameters(options)
    var trials = try GainMapTrialEncoder(pair: pair, parameters: parameters, options: options)
    let best: GainMapTrial
    if let target = options.targetError {
      best = try trials.search(for: target, progress: progress)
    } else {
      best = try trials.make(.init(options))
    }
    return Result(
      bytes: best.bytes, baseByteCount: best.baseByteCount, mapByteCount: best.mapByteCount,
      baseFormat: parameters.baseFormat(like: pair.base), mapFormat: best.map.image.layout,
      meaning: best.map.meaning, baseQuality: best.settings.baseQuality,
      mapQuality: best.settings.mapQuality, quality: best.quality, light: pair.light,
      trialCount: trials.trialCount, notices: pair.notices + trials.notices + best.notices)
  }
}
