// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// A JPEG file with the gain map metadata of its images.
struct CheckedJPEG: Sendable {
  /// An image of the file.
  struct Image: Sendable {
    let image: JPEGImage
    /// Gain map metadata of ISO 21496-1; `nil` for a version only.
    let isoPayload: [UInt8]?
    let hasISOVersion: Bool
    let xmp: XMPPacket?
    let hdrgm: HDRGMProperties?
    let profileNotices: [Notice]
    let profile: [UInt8]?

    var range: Range<Int> { image.stored ?? 0..<0 }
    /// Whether it has gain map metadata.
    var isGainMap: Bool { isoPayload != nil || hdrgm?.isMap == true }
  }

  let file: JPEGFile
  let byteCount: Int
  let images: [Image]
  let items: [XMPPacket.ContainerItem]
  /// The directories that have the gain map.
  let directories: JPEGImageDirectories
  /// Whether MPF has an entry for a gain map that has Apple's flavor only; `nil` without one.
  let appleMapIsListed: Bool?
  /// Flavors of the gain map whose metadata other readers use.
  private let usableFlavors: Set<GainMapFlavor>

  var primary: Image { images[0] }
  /// The first secondary image with gain map metadata.
  var gainMap: Image? { images.dropFirst().first(where: \.isGainMap) }
  /// Whether any metadata declares a gain map of Ultra HDR or ISO 21496-1.
  var declaresGainMap: Bool {
    gainMap != nil || primary.hdrgm != nil || primary.hasISOVersion || primary.isoPayload != nil
      || items.contains { $0.semantic == "GainMap" }
  }

  init(_ file: JPEGFile) throws(ImageError) {
    self.file = file
    byteCount = file.source.count
    let images = try file.images.map(Image.init)
    self.images = images
    items = images[0].xmp?.containerItems ?? []
    let index = images.indices.dropFirst().first { images[$0].isGainMap } ?? 0
    directories = try JPEGImageDirectories(ofImage: index, in: file)
    let maps = try GainMapInventory(of: file).maps
    let found = maps.first { $0.location == .image(index) }
    appleMapIsListed = try maps.first { $0.flavors == [.apple] }.map { map throws(ImageError) in
      try map.isListed(in: file)
    }
    usableFlavors = Set(found?.usableFlavors ?? [])
  }

  /// Whether other readers use the metadata of a flavor of the gain map.
  func isAnnounced(by flavor: GainMapFlavor) -> Bool { usableFlavors.contains(flavor) }

  func location(_ image: Image, _ role: JPEGSegment.Role) -> ImageError.Location {
    let segment = image.image.segments(role).first
    let place = images.firstIndex { $0.range == image.range } ?? 0
    return ImageError.Location(
      path: [JPEGFile.nameOfImage(place), role.rawValue], offset: segment?.stored?.lowerBound)
  }

  func location(_ image: Image) -> ImageError.Location {
    let place = images.firstIndex { $0.range == image.range } ?? 0
    return ImageError.Location(path: [JPEGFile.nameOfImage(place)], offset: image.range.lowerBound)
  }
}

extension CheckedJPEG.Image {
  init(_ image: JPEGImage) throws(ImageError) {
    self.image = image
    let payload = image.isoGainMap
    hasISOVersion = payload.map(ISO21496Payload.isVersionOnly) ?? false
    isoPayload = hasISOVersion ? nil : payload
    xmp = try image.readableXMP()
    hdrgm = xmp.flatMap(HDRGMProperties.init)
    var profileNotices: [Notice] = []
    profile = image.profile(notices: &profileNotices)
    self.profileNotices = profileNotices
  }
}

/// Gain map properties in the XMP of an image (namespace hdrgm).
///
/// Source: Ultra HDR Image Format v1.0, "HDR gain map metadata".
struct HDRGMProperties: Sendable {
  let version: String?
  let isBaseHDR: String?
  /// Whether the properties describe a gain map, instead of announcing one.
  let isMap: Bool
  private let packet: XMPPacket

  /// - Returns: `nil` for a packet without properties of the namespace.
  init?(_ packet: XMPPacket) {
    guard packet.properties.contains(where: { $0.name.namespace == GainMapXMP.namespace }) else {
      return nil
    }
    self.packet = packet
    version = packet[GainMapXMP.versionName]?.text
    isBaseHDR = packet[XMPName(GainMapXMP.namespace, "BaseRenditionIsHDR")]?.text
    isMap = GainMapXMP.describesMap(packet)
  }

  /// The gain map metadata of ISO 21496-1.
  ///
  /// - Throws: `.malformed` for invalid numbers, `.unsupported` for another version.
  func metadata() throws(ImageError) -> GainMapMetadata {
    var notices: [Notice] = []
    return try GainMapXMP.description(of: packet, notices: &notices).metadata
  }
}
