// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore

/// Metadata of one gain map in each flavor that a file is written with.
///
/// The samples stay unchanged. A flavor that cannot describe them exactly gets the closest
/// approximation, whose error is reported.
package struct GainMapMetadataSet: Sendable {
  /// Metadata for ISO 21496-1.
  package private(set) var iso: GainMapMetadata?
  /// Metadata for Adobe XMP.
  package private(set) var xmp: GainMapMetadata?
  /// Metadata for Apple XMP and maker note.
  package private(set) var apple: GainMapMetadata?
  /// Color and light metadata of the alternate image.
  package let alternate: FoundGainMap.AlternateImage
  /// Largest difference between the gain of any flavor and that of the samples, in stops.
  package private(set) var worstError = 0.0
  /// Differences between the flavors and the source.
  package private(set) var notices: [Notice] = []
  /// Whether the Apple XMP of the gain map is kept.
  package private(set) var keepsAppleXMP = false
  /// Whether the Apple maker note of the baseline image is kept.
  package private(set) var keepsMakerNote = false
  /// Apple maker note to write; `nil` for one made from the headroom.
  package private(set) var makerNote: AppleMakerNote?
  /// XMP that replaces that of the gain map before the metadata are written into it.
  package private(set) var mapXMP: [UInt8]?

  /// Converts metadata to flavors.
  ///
  /// - Parameters:
  ///   - metadata: Relation of the samples to gain.
  ///   - flavors: Flavors to write; at least one.
  ///   - mapIsGray: Whether the samples have one component.
  ///   - alternate: Color and light metadata of the alternate image.
  ///   - bits: Bits per sample, whose code values are compared.
  ///   - counts: Number of samples of each 8-bit code value, which approximations of an Apple gain map
  ///     are fitted to; `nil` for all code values alike.
  /// - Throws: `.invalidArgument`, with the reason, if a flavor cannot describe these samples.
  package init(
    of metadata: GainMapMetadata, in flavors: Set<GainMapFlavor>, mapIsGray: Bool,
    alternate: FoundGainMap.AlternateImage = FoundGainMap.AlternateImage(), bits: Int = 8,
    counts: [Int]? = nil
  ) throws(ImageError) {
    guard !flavors.isEmpty else { throw ImageError(.gainMapFlavorsMissing) }
    self.alternate = alternate
    guard !metadata.isApple else {
      if flavors.contains(.apple) { apple = metadata }
      guard !flavors.isDisjoint(with: [.iso, .xmp]) else { return }
      let fit = try AppleFit(to: metadata, counts: counts).metadata
      try addApproximation(
        fit, of: metadata, bits: bits, what: "gain map parameters",
        alternatives: [GainMapFlavor.apple.rawValue])
      if flavors.contains(.iso) { iso = fit }
      if flavors.contains(.xmp) { xmp = fit }
      return
    }
    if flavors.contains(.iso) { iso = metadata }
    if flavors.contains(.xmp) {
      xmp = try Self.xmp(metadata, mapIsGray: mapIsGray, among: flavors)
      // The flavors must agree; primaries do not affect a gain without color.
      if iso != nil { iso = metadata.usingBaseColorSpace(mapIsGray: mapIsGray) }
    }
    if flavors.contains(.apple) {
      if let obstacle = metadata.obstacleToApple(mapIsGray: mapIsGray) {
        throw Self.refusal(.apple, obstacle, among: flavors)
      }
      let apple = try metadata.withAppleCurve()
      try addApproximation(
        apple, of: metadata, bits: bits, what: "Apple curve",
        alternatives: GainMapFlavor.apple.alternatives(among: flavors))
      notices += metadata.differencesFromApple
      self.apple = apple
    }
  }

  /// Converts the metadata of a gain map of a file.
  ///
  /// Apple metadata that the file has are kept; the other flavors follow from the metadata in effect.
  ///
  /// - Parameters:
  ///   - found: The gain map.
  ///   - flavors: Flavors to write; at least one.
  ///   - base: Primaries of the baseline image, if they are known.
  /// - Throws: `.invalidArgument`, with the reason, if a flavor cannot describe these samples, and if
  ///   no metadata can be read.
  package init(
    of found: FoundGainMap, in flavors: Set<GainMapFlavor>, base: ColorPrimaries? = nil
  ) throws(ImageError) {
    guard !flavors.isEmpty else { throw ImageError(.gainMapFlavorsMissing) }
    guard var metadata = found.metadata else { throw ImageError(.gainMapDescriptionMissing) }
    // If both images have the same primaries, the gain is in those of either. Unspecified primaries
    // of the alternate image are those of the baseline image.
    if flavors.contains(.xmp), !metadata.isApple,
      found.alternate.hasUnspecifiedPrimaries
        || base.flatMap({ found.alternate.specifiedPrimaries?.isClose(to: $0, tolerance: 2e-3) })
          == true
    {
      metadata = metadata.inPrimariesOfBase
    }
    var others = flavors
    let stored = found.carriers.lazy.compactMap(\.description?.metadata).first(where: \.isApple)
    if stored != nil { others.remove(.apple) }
    if others.isEmpty {
      self.init(alternate: found.alternate)
    } else {
      try self.init(
        of: metadata, in: others, mapIsGray: found.layout?.componentCount == 1,
        alternate: found.alternate, bits: found.layout?.bits ?? 8)
    }
    guard let stored, flavors.contains(.apple) else { return }
    (apple, keepsAppleXMP, keepsMakerNote) = (stored, true, true)
    guard others.isEmpty else { return }
    worstError = Self.difference(of: stored, from: metadata, bits: found.layout?.bits ?? 8)
    guard worstError > 0 else { return }
    notices.append(
      Notice(
        .conflict,
        "Apple metadata of the file are used; they differ by at most {error stop} from those "
          + "used before",
        ["error": worstError]))
  }

  private init(alternate: FoundGainMap.AlternateImage) { self.alternate = alternate }

  /// Converts the metadata of a detached gain map.
  ///
  /// - Parameters:
  ///   - detached: The gain map, whose samples are the image of another file.
  ///   - flavors: Flavors to write; at least one.
  ///   - baseMakerNote: Apple maker note that the baseline image has.
  ///   - base: Primaries of the baseline image, if they are known.
  /// - Throws: As `init(of:in:base:)`.
  package init(
    of detached: FoundGainMap, in flavors: Set<GainMapFlavor>, baseMakerNote: AppleMakerNote?,
    base: ColorPrimaries? = nil
  ) throws(ImageError) {
    try self.init(of: detached, in: flavors, base: base)
    mapXMP = detached.xmp
    guard keepsAppleXMP else { return }
    let packet = try detached.xmp.flatMap { xmp throws(ImageError) in
      try ifReadable(try XMPPacket(parsing: xmp))
    }
    keepsAppleXMP = packet.flatMap { AppleGainMapXMP($0) } != nil
    makerNote = detached.makerNote
    keepsMakerNote = baseMakerNote == makerNote && (baseMakerNote != nil || keepsAppleXMP)
  }

  /// Copies all metadata of a gain map of a file.
  ///
  /// - Parameters:
  ///   - found: The gain map; its samples may be new ones of the same gain.
  ///   - alternate: Color and light metadata of the alternate image.
  ///   - mapXMP: XMP of the gain map, whose Apple metadata are kept.
  /// - Precondition: Some metadata can be read.
  package init(
    keeping found: FoundGainMap, alternate: FoundGainMap.AlternateImage, mapXMP: [UInt8]?
  ) {
    self.alternate = alternate
    self.mapXMP = mapXMP
    for carrier in found.carriers.reversed() {
      guard let metadata = carrier.description?.metadata else { continue }
      switch carrier.flavor {
      case .iso: iso = metadata
      case .xmp: xmp = metadata
      case .apple: apple = metadata
      }
    }
    precondition(iso != nil || xmp != nil || apple != nil, "at least one flavor is written")
    (keepsAppleXMP, keepsMakerNote) = (apple != nil, apple != nil)
  }

  /// Whether a packet contains the metadata for Adobe XMP, so that it need not be rewritten.
  package func isContained(in packet: XMPPacket?) -> Bool {
    var irregularities: [Notice] = []
    guard let xmp, let packet, GainMapXMP.describesMap(packet),
      let found = try? GainMapXMP.description(of: packet, notices: &irregularities),
      irregularities.isEmpty
    else { return false }
    return xmp.equals(found.metadata, within: Self.decimalTolerance)
  }

  /// Largest difference between decimals of other writers and fractions of this one.
  private static let decimalTolerance = 1e-5

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

  /// Returns the largest difference of the gain of any code value, in stops.
  package static func difference(
    of written: GainMapMetadata, from metadata: GainMapMetadata, bits: Int
  ) -> Double {
    let largest = Double(1 << bits - 1)
    return (0...Int(clamping: largest)).reduce(0.0) { worst, code in
      let sample = Double(code) / largest
      let difference =
        written.logGain(ofSample: sample, component: 0)
        - metadata.logGain(ofSample: sample, component: 0)
      return max(worst, abs(difference))
    }
  }

  /// Adds the error of an approximation.
  ///
  /// - Parameters:
  ///   - written: The approximation.
  ///   - metadata: Relation of the samples to gain.
  ///   - bits: Bits per sample.
  ///   - what: Name of the approximation.
  ///   - alternatives: Flavors that describe the samples exactly.
  /// - Throws: `.invalidArgument` if the error exceeds `AppleFit.tolerance`.
  private mutating func addApproximation(
    _ written: GainMapMetadata, of metadata: GainMapMetadata, bits: Int, what: String,
    alternatives: [String]
  ) throws(ImageError) {
    let error = Self.difference(of: written, from: metadata, bits: bits)
    guard error <= AppleFit.tolerance else {
      throw ImageError(.gainMapFitTooFar, ["what": what, "error": error, "usable": alternatives])
    }
    worstError = max(worstError, error)
    guard error > 0 else { return }
    notices.append(Notice(.gainMapApproximated, ["what": what, "error": error]))
  }
}

extension FoundGainMap {
  /// Flavors that would describe the gain map exactly if its samples were requantized for them.
  ///
  /// - Parameter flavors: Flavors to write.
  /// - Returns: Some of them; none if approximated metadata are close enough for the samples as they
  ///   are, or if no samples would help.
  package func flavorsIfRequantized(for flavors: Set<GainMapFlavor>) -> Set<GainMapFlavor> {
    guard let metadata else { return [] }
    let bits = layout?.bits ?? 8
    func isTooFarOff(_ written: GainMapMetadata) -> Bool {
      GainMapMetadataSet.difference(of: written, from: metadata, bits: bits)
        > AppleFit.tolerance
    }
    if metadata.isApple {
      let others = flavors.subtracting([.apple])
      guard !others.isEmpty, let fit = try? AppleFit(to: metadata), isTooFarOff(fit.metadata) else {
        return []
      }
      return others
    }
    // Apple metadata of the file are kept. Three components that share one channel may have equal
    // samples.
    guard flavors.contains(.apple),
      !carriers.contains(where: { $0.flavor == .apple && $0.description != nil }),
      metadata.obstacleToApple(mapIsGray: true) == nil,
      let apple = try? metadata.withAppleCurve(),
      layout?.componentCount == 1 ? isTooFarOff(apple) : metadata.channels.all.count == 1
    else { return [] }
    let fitsOthers = (try? AppleFit(to: apple).isTolerable) ?? false
    return flavors == [.apple] || fitsOthers ? flavors : [.apple]
  }
}

/// Kinds of auxiliary images of HEIF and AVIF that are gain maps.
///
/// Specified by the type in the `auxC` property; Apple's is also in the XMP of JPEG gain maps.
package enum GainMapAuxiliary: Hashable, Sendable {
  /// With Apple XMP and maker note.
  case apple
  /// With Adobe XMP; announced in the XMP of the baseline image.
  case adobe
  /// With Adobe XMP and a `tmap` item.
  case samsung
  /// A gain map of an unknown vendor.
  case other(String)

  static let appleType = "urn:com:apple:photo:2020:aux:hdrgainmap"
  static let adobeType = "urn:com:photo:aux:hdrgainmap"
  static let samsungType = "urn:com:samsung:photo:2024:aux:hdrgainmap"

  /// Flavor of an auxiliary image; `nil` if it is not a gain map.
  package init?(auxiliaryType: String) {
    switch auxiliaryType {
    case Self.appleType: self = .apple
    case Self.adobeType: self = .adobe
    case Self.samsungType: self = .samsung
    case let type where type.hasSuffix(":aux:hdrgainmap"): self = .other(type)
    default: return nil
    }
  }

  /// Type in the `auxC` property.
  package var auxiliaryType: String {
    switch self {
    case .apple: Self.appleType
    case .adobe: Self.adobeType
    case .samsung: Self.samsungType
    case .other(let type): type
    }
  }
}
