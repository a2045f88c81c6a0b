// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers

extension JPEGFile {
  /// Whether the readable metadata of any image contain a location.
  var hasLocation: Bool { images.contains(where: \.hasLocation) }

  /// Removes the location from the metadata of all images.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  mutating func removeLocation() throws(ImageError) -> [Notice] {
    var notices: [Notice] = []
    try primary.removeLocation(&notices)
    for index in appendices.indices {
      guard case .image(var image) = appendices[index] else { continue }
      try image.removeLocation(&notices)
      appendices[index] = .image(image)
    }
    for trailer in trailers where trailer.content != .padding {
      notices.append(
        Notice(
          .locationTrailerKept, ["size": trailer.range.count, "content": trailer.content.rawValue],
          at: .init(offset: trailer.range.lowerBound)))
    }
    return notices
  }
}

extension JPEGImage {
  fileprivate var hasLocation: Bool {
    segments(.exif).contains { (try? ExifBlock(parsing: $0.body))?.hasLocation ?? false }
      || segments(.xmp).contains { (try? XMPPacket(parsing: $0.body))?.hasLocation ?? false }
      || extendedXMPHasLocation || photoshop?.hasLocation ?? false
  }

  private var extendedXMPHasLocation: Bool {
    guard !segments(.extendedXMP).isEmpty else { return false }
    var ignored: [Notice] = []
    guard let bytes = (try? xmp(notices: &ignored)) ?? nil else { return false }
    return (try? XMPPacket(parsing: bytes))?.hasLocation ?? false
  }

  /// Photoshop image resources, joined from all segments.
  private var photoshop: PhotoshopResources? {
    let bodies = segments(.photoshop).map(\.body)
    guard !bodies.isEmpty else { return nil }
    return try? PhotoshopResources(parsing: Array(bodies.joined()))
  }

  fileprivate mutating func removeLocation(_ notices: inout [Notice]) throws(ImageError) {
    do throws(ImageError) {
      try removeLocationFromExif()
      try removeLocationFromXMP(&notices)
    } catch {
      throw error.unreadableLocation
    }
    guard var resources = photoshop, resources.hasLocation else { return }
    resources.removeLocation()
    let longest = JPEGSegment.Role.photoshop.longestBody
    let bytes = resources.bytes
    try replace(
      .photoshop,
      with: stride(from: 0, to: bytes.count, by: longest).map {
        Array(bytes[$0..<min($0 + longest, bytes.count)])
      })
  }

  private mutating func removeLocationFromExif() throws(ImageError) {
    var bodies: [[UInt8]] = []
    var hadLocation = false
    for segment in segments(.exif) {
      var block = try ExifBlock(parsing: segment.body)
      if try block.removeLocation() { hadLocation = true }
      bodies.append(block.bytes)
    }
    if hadLocation { try replace(.exif, with: bodies) }
  }

  private mutating func removeLocationFromXMP(_ notices: inout [Notice]) throws(ImageError) {
    let packets = segments(.xmp).map(\.body)
    guard let main = packets.first else { return try removeLoneExtendedXMP(&notices) }
    var ignored: [Notice] = []
    let hasExtended = try XMPPacket(parsing: main)[XMPPacket.hasExtended] != nil
    if !hasExtended { try removeLoneExtendedXMP(&notices) }
    guard let whole = try xmp(notices: &ignored) else { return }
    let isBroken = ignored.contains { $0.category == .dropped }
    var packet = try XMPPacket(parsing: whole)
    var others: [[UInt8]] = []
    var hadLocation = try packet.removeLocation()
    for other in packets.dropFirst() {
      var packet = try XMPPacket(parsing: other)
      if try packet.removeLocation() { hadLocation = true }
      others.append(packet.bytes)
    }
    guard hadLocation || isBroken else { return }
    if isBroken { notices.append(Self.lostExtendedXMP) }
    try setXMP(packet.bytes)
    if !others.isEmpty {
      try replace(.xmp, with: segments(.xmp).prefix(1).map(\.body) + others)
    }
  }

  /// Removes extended XMP that no packet refers to; readers ignore it, but it may contain a
  /// location.
  private mutating func removeLoneExtendedXMP(_ notices: inout [Notice]) throws(ImageError) {
    guard !segments(.extendedXMP).isEmpty else { return }
    try replace(.extendedXMP, with: [])
    notices.append(Self.lostExtendedXMP)
  }

  private static var lostExtendedXMP: Notice {
    Notice(.xmpExtendedDropped, at: .init(path: ["APP1", "XMP"]))
  }
}
