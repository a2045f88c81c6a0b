internal import GainMap
internal import HDRCore
internal import ImageContainers

/// What the output says beside its samples: the input's words, the caller's, and what is measured.
struct HDRDescriptionPlan {
  private(set) var notices: [Notice] = []
  private(set) var exif: [UInt8]?
  private(set) var xmp: [UInt8]?
  private let options: ConversionOptions
  private let source: HDRDescription
  private let target: TargetCoding

  init(_ options: ConversionOptions, document: PictureDocument, target: TargetCoding) {
    self.options = options
    self.target = target
    source = document.hdr
    exif = Self.bytes(options.exif, kept: document.exif)
    xmp = Self.bytes(options.xmp, kept: document.xmp.flatMap(Self.withoutGainMap))
    reportWhatHasNoCarrier()
  }

  /// The description to write, given the light of the coded picture.
  func resolved(measured light: LightLevels) -> HDRDescription {
    guard target.encoding.transfer == .pq || target.encoding.transfer == .hlg else {
      return HDRDescription(diffuseWhite: target.encoding.referenceWhite)
    }
    return HDRDescription(
      diffuseWhite: Self.pick(
        options.diffuseWhite, kept: source.diffuseWhite,
        automatic: target.encoding.referenceWhite),
      referenceEnvironment: Self.pick(
        options.referenceEnvironment, kept: source.referenceEnvironment, automatic: nil),
      ambientEnvironment: Self.pick(
        options.ambientEnvironment, kept: source.ambientEnvironment, automatic: nil),
      masteringDisplay: Self.pick(
        options.masteringDisplay, kept: source.masteringDisplay, automatic: nil),
      contentColorVolume: Self.pick(
        options.contentColorVolume, kept: source.contentColorVolume,
        automatic: light.contentColorVolume),
      contentLightLevel: Self.pick(
        options.contentLightLevel, kept: source.contentLightLevel,
        automatic: light.contentLightLevel),
      imageState: target.imageState)
  }

  private static func pick<Value>(
    _ choice: ConversionOptions.Metadatum<Value>, kept: Value?, automatic: Value?
  ) -> Value? {
    switch choice {
    case .automatic: automatic
    case .keep: kept
    case .none: nil
    case .value(let value): value
    }
  }

  private static func bytes(
    _ choice: ConversionOptions.Metadatum<[UInt8]>, kept: [UInt8]?
  ) -> [UInt8]? { pick(choice, kept: kept, automatic: kept) }

  /// XMP for a picture without a gain map: nothing may announce one.
  ///
  /// - Returns: `nil` if there is nothing left to say; the packet as it is if it cannot be edited.
  private static func withoutGainMap(_ bytes: [UInt8]) -> [UInt8]? {
    guard var packet = try? XMPPacket(parsing: bytes), (try? packet.removeGainMapWords()) != nil
    else { return bytes }
    return packet.bytes == bytes ? bytes : packet.properties.isEmpty ? nil : packet.bytes
  }

  /// Names what the caller or the input says and the format cannot.
  private mutating func reportWhatHasNoCarrier() {
    let format = options.format
    guard format != .heif, format != .avif else { return }
    func report<Value>(
      _ name: String, _ choice: ConversionOptions.Metadatum<Value>, _ kept: Value?
    ) {
      var isSaid = kept != nil && choice == .keep
      if case .value = choice { isSaid = true }
      guard isSaid else { return }
      notices.append(Notice(.lost, "\(format.rawValue) has no carrier for \(name)"))
    }
    report(
      "the reference environment (reve)", options.referenceEnvironment, source.referenceEnvironment)
    report("the ambient environment (amve)", options.ambientEnvironment, source.ambientEnvironment)
    report("the content color volume (cclv)", options.contentColorVolume, source.contentColorVolume)
    guard format != .png else { return }
    report("the mastering display (mdcv)", options.masteringDisplay, source.masteringDisplay)
    report("the content light level (clli)", options.contentLightLevel, source.contentLightLevel)
  }
}
