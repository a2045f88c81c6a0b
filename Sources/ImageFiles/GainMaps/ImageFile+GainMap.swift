public import GainMap
public import HDRCore
public import ImageContainers

/// A file whose gain map is described in other words, or gone, with the coded pictures as they were.
public struct RearrangedFile: Sendable {
  /// The rearranged file.
  public let bytes: SplicedBytes
  /// The new file, parsed.
  public let file: ImageFile
  /// Flavors that the file had.
  public private(set) var before: [GainMapFlavor]
  /// Flavors that it has now.
  public let after: [GainMapFlavor]
  /// Largest difference between what is said and what is meant, in stops.
  public private(set) var worstError: Double
  /// What could not be said, and what had to be fitted.
  public var notices: [Notice]
  /// Coded data of the new file.
  package let payloads: [CodedPayload]
  /// Names of those that are not as they were; none but where coding again was asked for.
  public internal(set) var codedAnew: Set<String>
  /// Names of those whose coefficients were turned, and not changed otherwise.
  public internal(set) var turned: Set<String> = []

  /// Adds what is known from before the file was put together.
  ///
  /// - Parameters:
  ///   - news: Comes first.
  ///   - error: What was lost then, in stops.
  ///   - source: The map as it was found, if it comes from a file that is not this one's base.
  public mutating func add(
    _ news: [Notice], worstError error: Double, from source: FoundGainMap? = nil
  ) {
    notices = news + notices
    worstError += error
    if let source { before = source.flavors }
  }
}

extension ImageFile {
  /// Describes the gain map of the primary picture in these flavors and no others.
  ///
  /// - Parameter flavors: What the file shall have.
  /// - Returns: The file; coded pictures are compared with those of the old one.
  /// - Throws: `.unsuitable` without a map that can be applied, `.invalidArgument` where a flavor has
  ///   no words for the map, with the reason.
  public func describingGainMap(
    in flavors: Set<GainMapFlavor>
  ) throws(ImageError) -> RearrangedFile {
    let inventory = try gainMaps()
    let found = try inventory.requireApplicable()
    let description = try GainMapMetadataSet(of: found, in: flavors, base: basePrimaries)
    var notices = inventory.notices + description.notices
    let hasColor = found.alternate.cicp != nil || found.alternate.icc != nil
    if description.iso == nil, found.toneMapItem != nil, hasColor {
      notices.append(
        Notice(.gainMapAlternateColorDropped))
    }
    if description.apple == nil { notices += staleAppleNumbers }
    var edited = container
    switch (edited, found.place) {
    case (.jpeg(var file), .image(let index)):
      notices += try file.setGainMap(file.images[index], description)
      edited = .jpeg(file)
    case (.heif(var file), .item(let id)):
      notices += try file.setGainMap(id, description)
      edited = .heif(file)
    default: preconditionFailure("a map is where its container keeps maps")
    }
    return try rearranged(
      edited, inventory, worstError: description.worstError, notices, known: wholePayloads())
  }

  /// The primaries of the base, where the container tells them; JPEG without a profile is sRGB.
  var basePrimaries: ColorPrimaries? {
    switch container {
    case .heif(let file):
      let item = try? file.primaryItem
      return FoundGainMap.AlternateImage(cicp: item?.cicp, icc: item?.icc).specifiedPrimaries
    case .jpeg(let file):
      var ignored: [Notice] = []
      guard let icc = file.primary.profile(notices: &ignored) else { return .bt709 }
      return FoundGainMap.AlternateImage(icc: icc).specifiedPrimaries
    default: return nil
    }
  }

  /// Drops the gain maps of the primary picture, and what is left of broken ones; what remains is the
  /// base as it is.
  ///
  /// - Returns: The file; coded pictures are compared with those of the old one.
  /// - Throws: `.unsuitable` without a gain map.
  public func droppingGainMaps() throws(ImageError) -> RearrangedFile {
    let inventory = try gainMaps()
    var edited = container
    var notices = inventory.applicable == nil ? inventory.notices : []
    switch edited {
    case .jpeg(var file):
      notices += try file.removeGainMaps()
      edited = .jpeg(file)
    case .heif(var file):
      let cut = file.cutItems
      notices += try file.removeGainMaps()
      notices += cut.filter { file.item($0.id) == nil }.map {
        Notice(.gainMapPropertyDropped, ["type": "\($0.type)"], at: .init(path: ["item \($0.id)"]))
      }
      edited = .heif(file)
    default: break
    }
    guard !inventory.maps.isEmpty || !edited.isEqual(to: container) else {
      throw ImageError(.gainMapNone)
    }
    return try rearranged(
      edited, inventory, worstError: 0, notices + staleAppleNumbers, known: wholePayloads())
  }

  /// What Apple's maker note beside the primary picture says about headroom.
  package var appleMakerNote: AppleMakerNote? {
    switch container {
    case .jpeg(let file): AppleMakerNote(of: file)
    case .heif(let file): AppleMakerNote(of: file)
    default: nil
    }
  }

  /// What is left of Apple's words where its flavor goes.
  var staleAppleNumbers: [Notice] {
    guard appleMakerNote != nil else { return [] }
    return [
      Notice(.gainMapStaleMakerNote)
    ]
  }

  /// The XMP that lies with a gain map; `nil` if there is none.
  ///
  /// - Throws: `.malformed` if it cannot be read.
  public func xmp(of map: FoundGainMap) throws(ImageError) -> XMPPacket? {
    switch (container, map.place) {
    case (.jpeg(let file), .image(let index)): return file.images[index].xmpPacket
    case (.heif(let file), .item(let id)):
      guard let carrier = file.xmpItems(describing: id).first else { return nil }
      return try XMPPacket(parsing: try file.data(of: carrier.id))
    default: return nil
    }
  }

  /// Lays the file out, reads it back, and compares what must be the same: its coded data are among
  /// those that are known, unless they may differ.
  func rearranged(
    _ edited: FileContainer, _ inventory: GainMapInventory, worstError: Double,
    _ notices: [Notice], known: [CodedPayload], mayDiffer: Bool = false
  ) throws(ImageError) -> RearrangedFile {
    let bytes = try edited.withPropertiesInOrder.serialized()
    let written = try parsing(bytes)
    let payloads = try written.codedPayloads().filter { !$0.name.hasSuffix("'tmap'") }
    var digests: Set<String> = []
    for payload in known { digests.insert(try payload.sha256()) }
    var codedAnew: Set<String> = []
    for payload in payloads where !digests.contains(try payload.sha256()) {
      guard mayDiffer else {
        throw ImageError(.gainMapCodedDataChanged, ["name": payload.name])
      }
      codedAnew.insert(payload.name)
    }
    func flavors(_ inventory: GainMapInventory) -> [GainMapFlavor] {
      inventory.applicable?.flavors ?? []
    }
    return RearrangedFile(
      bytes: bytes, file: written, before: flavors(inventory),
      after: flavors(try written.gainMaps()), worstError: worstError,
      notices: damage + notices, payloads: payloads, codedAnew: codedAnew)
  }
}
