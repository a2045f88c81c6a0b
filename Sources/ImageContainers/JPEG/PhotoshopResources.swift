// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Photoshop image resources, which contain IPTC metadata among others.
///
/// Source: Adobe Photoshop File Formats Specification, "Image Resources Section"; IPTC-NAA
/// Information Interchange Model 4.2, 1.6 and chapter 6.
package struct PhotoshopResources {
  private struct Resource {
    package var id: UInt16
    package var range: Range<Int>
    package var data: Range<Int>
  }

  package private(set) var bytes: [UInt8]
  private var resources: [Resource]

  private static let iptc: UInt16 = 0x0404
  private static let exif: ClosedRange<UInt16> = 0x0422...0x0423
  private static let xmp: UInt16 = 0x0424
  private static let iptcDigest: UInt16 = 0x0425

  /// Parses image resources.
  ///
  /// - Throws: `.malformed` or `.truncated` if the resources cannot be separated.
  package init(parsing bytes: [UInt8]) throws(ImageError) {
    try Execution.current.budget.debit(steps: bytes.count >> 6, for: "Photoshop resources")
    self.bytes = bytes
    var found: [Resource] = []
    var reader = ByteReader(bytes.span)
    // Some writers pad the segment with zeros.
    while reader.remaining >= 12 {
      let start = bytes.count - reader.remaining
      let signature: UInt32 = try reader.readBigEndian()
      if signature == 0 { break }
      let id: UInt16 = try reader.readBigEndian()
      let nameLength: UInt8 = try reader.readBigEndian()
      try reader.skip(Int(nameLength) | 1)
      let size: UInt32 = try reader.readBigEndian()
      let data = bytes.count - reader.remaining
      try reader.skip(Int(size))
      if size % 2 == 1, reader.remaining > 0 { try reader.skip(1) }
      found.append(
        Resource(
          id: id, range: start..<bytes.count - reader.remaining, data: data..<data + Int(size)))
    }
    resources = found
  }

  /// Creates resources with IPTC data sets alone.
  package init(iptc data: [UInt8]) {
    (bytes, resources) = ([], [])
    append(iptc: data)
  }

  /// Resources that do not depend on the coded image: resolution, IPTC, copyright flag, URL, IPTC
  /// digest.
  private static let lasting: Set<UInt16> = [0x03ED, iptc, 0x040A, 0x040B, iptcDigest]
  /// Resources that duplicate other metadata: ICC profile, Exif, XMP.
  private static let repeated: Set<UInt16> = [0x040F, 0x0422, 0x0423, xmp]

  /// The IPTC data sets.
  package var iptc: [UInt8]? {
    resources.first { $0.id == Self.iptc }.map { Array(bytes[$0.data]) }
  }

  /// Thumbnails of Photoshop 4 and 5.
  private static let thumbnails: Set<UInt16> = [0x0409, 0x040C]

  /// Removes resources that depend on the coded image: thumbnails, paths, guides.
  ///
  /// - Returns: Numbers of removed thumbnails and of other removed resources, excluding those that
  ///   duplicate other metadata.
  package mutating func removeBound() -> (thumbnails: Int, others: Int) {
    let kept = resources.filter { Self.lasting.contains($0.id) }
    let thumbnails = resources.count { Self.thumbnails.contains($0.id) }
    let others = resources.count {
      !Self.lasting.union(Self.repeated).union(Self.thumbnails).contains($0.id)
    }
    let source = bytes
    (bytes, resources) = ([], [])
    for resource in kept {
      append(
        head: source[resource.range.lowerBound..<resource.data.lowerBound - 4], id: resource.id,
        source[resource.data])
    }
    return (thumbnails, others)
  }

  /// Adds IPTC data sets.
  package mutating func append(iptc data: [UInt8]) {
    append(head: [0x38, 0x42, 0x49, 0x4D, 0x04, 0x04, 0, 0], id: Self.iptc, data[...])
  }

  /// Appends a resource; `head` contains everything before its size.
  private mutating func append(head: ArraySlice<UInt8>, id: UInt16, _ data: ArraySlice<UInt8>) {
    var writer = ByteWriter()
    writer.write(head)
    writer.writeBigEndian(UInt32(clamping: data.count))
    let start = bytes.count
    bytes += writer.bytes
    let place = bytes.count..<bytes.count + data.count
    bytes += data
    if data.count % 2 == 1 { bytes.append(0) }
    resources.append(Resource(id: id, range: start..<bytes.count, data: place))
  }

  /// Whether IPTC or a copy of Exif or XMP contains a location.
  package var hasLocation: Bool {
    get throws(ImageError) {
      for resource in resources where try hasLocation(resource) { return true }
      return false
    }
  }

  private func hasLocation(_ resource: Resource) throws(ImageError) -> Bool {
    let data = Array(bytes[resource.data])
    return switch resource.id {
    case Self.iptc: Self.withoutLocation(iptc: data) != data
    case Self.exif: try ifReadable(try ExifBlock(parsing: data).hasLocation) ?? false
    case Self.xmp: try ifReadable(try XMPPacket(parsing: data).hasLocation) ?? false
    default: false
    }
  }

  /// Removes names and codes of places from IPTC, and the copies of Exif and XMP.
  ///
  /// The IPTC digest is removed as well: a wrong digest signals to readers that IPTC is newer than
  /// XMP.
  package mutating func removeLocation() {
    var edited: [UInt8] = []
    var position = 0
    for resource in resources {
      edited += bytes[position..<resource.range.lowerBound]
      position = resource.range.upperBound
      switch resource.id {
      case Self.exif, Self.xmp, Self.iptcDigest: continue
      case Self.iptc:
        let data = Self.withoutLocation(iptc: Array(bytes[resource.data]))
        var writer = ByteWriter()
        writer.write(bytes[resource.range.lowerBound..<resource.data.lowerBound - 4])
        writer.writeBigEndian(UInt32(clamping: data.count))
        writer.write(data)
        if data.count % 2 == 1 { writer.write([0]) }
        edited += writer.bytes
      default: edited += bytes[resource.range]
      }
    }
    bytes = edited + bytes[position...]
  }

  /// Data sets of record 2 that name a place: content location, city, sublocation, province,
  /// country.
  private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// Returns IPTC data sets without those that name a place; bytes after the last valid one are
  /// kept.
  private static func withoutLocation(iptc bytes: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    var position = 0
    while bytes.count - position >= 5, bytes[position] == 0x1C {
      let length = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
      // Extended data sets are used only for objects embedded in IPTC.
      guard length < 0x8000, length <= bytes.count - position - 5 else { break }
      let end = position + 5 + length
      if bytes[position + 1] != 2 || !places.contains(bytes[position + 2]) {
        kept += bytes[position..<end]
      }
      position = end
    }
    return kept + bytes[position...]
  }
}
