package import HDRCore
package import ImageContainers

/// What a file shall say about a gain map, in each flavor that it shall have.
///
/// The samples stay what they are. Where a flavor has no words for what they mean, this says the
/// closest that it can, and how far off that is.
package struct GainMapDescription: Sendable {
  /// For ISO 21496-1.
  public private(set) var iso: GainMapMetadata?
  /// For Adobe's XMP.
  public private(set) var xmp: GainMapMetadata?
  /// For Apple's XMP and maker note.
  public private(set) var apple: AppleGainMap?
  /// What the file says about the rendition that is reached with full gain.
  public let alternate: AlternateRendition
  /// Largest difference between what is said and what is meant, in stops; 0 if none.
  public private(set) var worstError = 0.0
  /// What the flavors say otherwise than the source.
  public private(set) var notices: [Notice] = []
  /// Whether Apple's XMP of the map is the source's and stays as it is.
  package private(set) var keepsAppleXMP = false
  /// Whether Apple's maker note beside the base is the source's and stays as it is.
  package private(set) var keepsMakerNote = false
  /// The numbers that Apple's maker note gets; `nil` for those that suit the headroom.
  package private(set) var makerNote: AppleMakerNote?
  /// XMP that the map gets, in place of its own, before its flavors are described.
  package private(set) var mapXMP: [UInt8]?

  /// The largest difference that is written down without being asked for: 9 % of light.
  public static let tolerance = 0.125

  /// Puts the meaning of a map into the words of some flavors.
  ///
  /// - Parameters:
  ///   - meaning: What the samples mean.
  ///   - flavors: What the file shall have; at least one.
  ///   - mapIsGray: Whether the samples have one component.
  ///   - alternate: The rendition that is not the base.
  ///   - bits: Depth of the samples, whose codes are compared.
  /// - Throws: `.invalidArgument`, with the reason, where a flavor cannot say it for these samples.
  public init(
    of meaning: GainMapMeaning, in flavors: Set<GainMapFlavor>, mapIsGray: Bool,
    alternate: AlternateRendition = AlternateRendition(), bits: Int = 8
  ) throws(ImageError) {
    precondition(!flavors.isEmpty, "a description has a flavor")
    self.alternate = alternate
    switch meaning {
    case .parameters(let metadata):
      if flavors.contains(.iso) { iso = metadata }
      if flavors.contains(.xmp) {
        xmp = try Self.xmp(metadata, mapIsGray: mapIsGray, among: flavors)
        // Both shall say the same, and gain without color has no primaries of its own.
        if iso != nil { iso = metadata.usingBaseColorSpace(mapIsGray: mapIsGray) }
      }
      if flavors.contains(.apple) {
        if let obstacle = AppleGainMap.obstacle(to: metadata, mapIsGray: mapIsGray) {
          throw Self.refusal(.apple, obstacle, among: flavors)
        }
        let map = try AppleGainMap(fullGainOf: metadata)
        try addFit(
          of: .apple(map), to: meaning, bits: bits, what: "Apple curve",
          otherwise: GainMapFlavor.apple.alternatives(among: flavors))
        notices += AppleGainMap.differences(from: metadata)
        apple = map
      }
    case .apple(let map):
      if flavors.contains(.apple) { apple = map }
      guard !flavors.isDisjoint(with: [.iso, .xmp]) else { return }
      let fit = try AppleFit(to: map)
      try addFit(
        of: .parameters(fit.metadata), to: meaning, bits: bits, what: "gain map parameters",
        otherwise: [GainMapFlavor.apple.rawValue])
      if flavors.contains(.iso) { iso = fit.metadata }
      if flavors.contains(.xmp) { xmp = fit.metadata }
    }
  }

  /// Describes a map of a file anew.
  ///
  /// Apple's words stay what they are where the file has them and shall have them; the others follow
  /// from the description that counts.
  ///
  /// - Parameters:
  ///   - found: The map.
  ///   - flavors: What the file shall have; at least one.
  ///   - base: The primaries of the base, if they are known.
  /// - Throws: `.invalidArgument`, with the reason, where a flavor cannot say it for these samples,
  ///   and for a map that no description explains.
  public init(
    of found: FoundGainMap, in flavors: Set<GainMapFlavor>, base: ColorPrimaries? = nil
  ) throws(ImageError) {
    guard var meaning = found.reading?.meaning else {
      throw ImageError(.gainMapDescriptionMissing)
    }
    // Where both images have the same primaries, those of the gain can be called either's; those of
    // the base are taken for the alternate's where nothing tells them.
    if flavors.contains(.xmp), case .parameters(let metadata) = meaning,
      found.alternate.hasUnstatedPrimaries
        || base.flatMap({ found.alternate.statedPrimaries?.isClose(to: $0, tolerance: 2e-3) })
          == true
    {
      meaning = .parameters(metadata.inPrimariesOfBase)
    }
    var others = flavors
    let authored = found.spellings.lazy.compactMap { spelling in
      if case .apple(let map)? = spelling.reading?.meaning { map } else { nil }
    }.first
    if authored != nil { others.remove(.apple) }
    if others.isEmpty {
      self.init(alternate: found.alternate)
    } else {
      try self.init(
        of: meaning, in: others, mapIsGray: found.layout?.componentCount == 1,
        alternate: found.alternate, bits: found.layout?.bits ?? 8)
    }
    guard let authored, flavors.contains(.apple) else { return }
    (apple, keepsAppleXMP, keepsMakerNote) = (authored, true, true)
    guard others.isEmpty else { return }
    worstError = Self.difference(
      of: .apple(authored), from: meaning, bits: found.layout?.bits ?? 8)
    guard worstError > 0 else { return }
    notices.append(
      Notice(.gainMapAppleMetadataUsed, ["error": worstError]))
  }

  private init(alternate: AlternateRendition) { self.alternate = alternate }

  /// Describes a map as a record of another file does.
  ///
  /// - Parameters:
  ///   - record: What the samples mean, and in which words.
  ///   - flavors: What the file shall have; at least one.
  ///   - note: Apple's maker note beside the base, as it is.
  ///   - base: The primaries of the base, if they are known.
  /// - Throws: As `init(of:in:base:)`.
  public init(
    of record: GainMapRecord, in flavors: Set<GainMapFlavor>, besides note: AppleMakerNote?,
    base: ColorPrimaries? = nil
  ) throws(ImageError) {
    try self.init(of: FoundGainMap(record), in: flavors, base: base)
    mapXMP = record.xmp
    guard keepsAppleXMP else { return }
    let packet = record.xmp.flatMap { try? XMPPacket(parsing: $0) }
    keepsAppleXMP = packet.flatMap { AppleGainMapXMP($0) } != nil
    makerNote = record.makerNote
    keepsMakerNote = note == makerNote && (note != nil || keepsAppleXMP)
  }

  /// Repeats what a file says about a map, each flavor in its own words.
  ///
  /// - Parameters:
  ///   - found: The map; its samples may be others by now, if they mean the same.
  ///   - alternate: What is known about the rendition that is not the base.
  ///   - mapXMP: The map's own XMP, whose words of Apple's stay as they are.
  /// - Precondition: One of its descriptions can be read.
  public init(keeping found: FoundGainMap, alternate: AlternateRendition, mapXMP: [UInt8]?) {
    self.alternate = alternate
    self.mapXMP = mapXMP
    for spelling in found.spellings.reversed() {
      switch (spelling.flavor, spelling.reading?.meaning) {
      case (.iso, .parameters(let metadata)): iso = metadata
      case (.xmp, .parameters(let metadata)): xmp = metadata
      case (.apple, .apple(let map)): apple = map
      default: continue
      }
    }
    precondition(iso != nil || xmp != nil || apple != nil, "a description has a flavor")
    (keepsAppleXMP, keepsMakerNote) = (apple != nil, apple != nil)
  }

  /// Whether a packet says the same in Adobe's words, so that it may stay as somebody wrote it.
  package func isSaid(inAdobesWordsOf packet: XMPPacket?) -> Bool {
    var oddities: [Notice] = []
    guard let xmp, let packet, GainMapXMP.describesMap(packet),
      let reading = try? GainMapXMP.reading(packet, notices: &oddities), oddities.isEmpty,
      case .parameters(let stated) = reading.meaning
    else { return false }
    return xmp.equals(stated, within: Self.decimals)
  }

  /// What decimals of others and fractions of ours may differ by.
  private static let decimals = 1e-5

  private static func xmp(
    _ metadata: GainMapMetadata, mapIsGray: Bool, among flavors: Set<GainMapFlavor>
  ) throws(ImageError) -> GainMapMetadata {
    if let obstacle = GainMapXMP.obstacle(to: metadata, mapIsGray: mapIsGray) {
      throw refusal(.xmp, obstacle, among: flavors)
    }
    return (metadata.usingBaseColorSpace(mapIsGray: mapIsGray) ?? metadata).collapsed
  }

  private static func refusal(
    _ flavor: GainMapFlavor, _ obstacle: ImageError, among flavors: Set<GainMapFlavor>
  ) -> ImageError {
    ImageError(
      .gainMapFlavorNotPossible,
      [
        "flavor": flavor.title, "cause": obstacle,
        "usable": flavor.alternatives(among: flavors),
      ])
  }

  /// The largest difference of gain that any code has by two meanings, in stops.
  package static func difference(
    of said: GainMapMeaning, from meant: GainMapMeaning, bits: Int
  ) -> Double {
    let largest = Double(1 << bits - 1)
    return (0...Int(largest)).reduce(0.0) { worst, code in
      let sample = Double(code) / largest
      let difference =
        said.logGain(ofSample: sample, component: 0) - meant.logGain(ofSample: sample, component: 0)
      return max(worst, abs(difference))
    }
  }

  /// Measures how far off the closest words are.
  ///
  /// - Parameters:
  ///   - said: What they say.
  ///   - meant: What the samples mean.
  ///   - bits: Depth of the samples.
  ///   - what: Their name, for people.
  ///   - alternatives: Flavors that describe the samples as they are.
  /// - Throws: `.invalidArgument` where they are too far off.
  private mutating func addFit(
    of said: GainMapMeaning, to meant: GainMapMeaning, bits: Int, what: String,
    otherwise alternatives: [String]
  ) throws(ImageError) {
    let error = Self.difference(of: said, from: meant, bits: bits)
    guard error <= Self.tolerance else {
      throw ImageError(.gainMapFitTooFar, ["what": what, "error": error, "usable": alternatives])
    }
    worstError = max(worstError, error)
    guard error > 0 else { return }
    notices.append(
      Notice(.gainMapApproximated, ["what": what, "error": error]))
  }
}
