// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Photoshop image resources, which contain IPTC metadata among others.
///
/// Source: Adobe Photoshop File Formats Specification, "Image Resources Section"; IPTC-NAA
/// Information Interchange Model 4.2, 1.6 and chapter 6.
package struct PhotoshopResources {
  struct Resource {
    var id: UInt16
    var range: Range<Int>
    var data: Range<Int>
  }

  package private(set) var bytes: [UInt8]
  private(set) var resources: [Resource]

  static let iptc: UInt16 = 0x0404
  static let exif: ClosedRange<UInt16> = 0x0422...0x0423
  static let xmp: UInt16 = 0x0424
  static let iptcDigest: UInt16 = 0x0425

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

  /// Numbers and data of the data sets of record 2, which describes the image.
  var applicationRecord: [(number: UInt8, data: ArraySlice<UInt8>)] {
    iptc.map { IPTCDataSets($0).applicationRecord } ?? []
  }

  /// Thumbnails of Photoshop 4 and 5.
  static let thumbnails: Set<UInt16> = [0x0409, 0x040C]

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

  /// Replaces the data of resources; those for which `edit` returns `nil` are removed.
  ///
  /// Bytes after the resources stay if a resource stays.
  ///
  /// - Throws: Errors of `edit` and of parsing.
  mutating func edit(
    _ edit: (_ id: UInt16, _ data: [UInt8]) throws(ImageError) -> [UInt8]?
  ) throws(ImageError) {
    var edited = try edited { (resource, data) throws(ImageError) in try edit(resource.id, data) }
    if !edited.isEmpty || resources.isEmpty { edited += tail }
    if edited != bytes { self = try PhotoshopResources(parsing: edited) }
  }

  /// The bytes of the resources with the data that `edit` returns; without those for which it is `nil`.
  private func edited(
    _ edit: (Resource, _ data: [UInt8]) throws(ImageError) -> [UInt8]?
  ) throws(ImageError) -> [UInt8] {
    var edited: [UInt8] = []
    for resource in resources {
      let old = Array(bytes[resource.data])
      guard let new = try edit(resource, old) else { continue }
      guard new != old else {
        edited += bytes[resource.range]
        continue
      }
      var writer = ByteWriter()
      writer.write(bytes[resource.range.lowerBound..<resource.data.lowerBound - 4])
      writer.writeBigEndian(UInt32(clamping: new.count))
      writer.write(new)
      if new.count % 2 == 1 { writer.write([0]) }
      edited += writer.bytes
    }
    return edited
  }
}

/// Locations in image resources.
extension PhotoshopResources {
  private enum Finding {
    case nothing
    case location
    /// Data that are not parsed and do not have signs of a location.
    case unread
  }

  /// Whether a resource or the bytes after the resources contain a location.
  ///
  /// - Throws: Errors that end the whole job.
  package var hasLocation: Bool {
    get throws(ImageError) {
      for resource in resources where try finding(in: resource) == .location { return true }
      return try finding(in: tail) == .location
    }
  }

  /// Names of resources that may contain a location and are not read.
  package var unreadParts: [String] {
    get throws(ImageError) {
      var names: [String] = []
      for resource in resources where try finding(in: resource) == .unread {
        names.append(resource.id == Self.iptc ? "IPTC" : "Photoshop resource \(resource.id)")
      }
      return try finding(in: tail) == .unread ? names + ["bytes after Photoshop resources"] : names
    }
  }

  /// Names of IPTC data sets that do not name a place, and have signs of one.
  var textsWithLocation: [String] {
    get throws(ImageError) {
      var names: [String] = []
      for resource in resources where resource.id == Self.iptc {
        names += try IPTCDataSets(Array(bytes[resource.data])).textsWithLocation
      }
      return names
    }
  }

  /// Removes names and codes of places from IPTC, other resources with a location, and the copies of
  /// Exif and XMP.
  ///
  /// The IPTC digest is removed as well: a wrong digest signals to readers that IPTC is newer than
  /// XMP.
  package mutating func removeLocation() throws(ImageError) {
    guard try hasLocation else { return }
    var edited = try edited { (resource, data) throws(ImageError) in
      switch resource.id {
      case Self.exif, Self.xmp, Self.iptcDigest: nil
      case Self.iptc where try !hasLocation(inNameOf: resource):
        try IPTCDataSets(data).withoutLocation
      default: try finding(in: resource) == .location ? nil : data
      }
    }
    if try finding(in: tail) != .location { edited += tail }
    self = try PhotoshopResources(parsing: edited)
  }

  /// Bytes after the last resource.
  fileprivate var tail: ArraySlice<UInt8> { bytes[(resources.last?.range.upperBound ?? 0)...] }

  private func finding(in bytes: ArraySlice<UInt8>) throws(ImageError) -> Finding {
    guard bytes.contains(where: { $0 != 0 }) else { return .nothing }
    return try LocationEvidence.isPresent(in: Array(bytes)) ? .location : .unread
  }

  private func hasLocation(inNameOf resource: Resource) throws(ImageError) -> Bool {
    try LocationEvidence.isPresent(
      in: Array(bytes[resource.range.lowerBound..<resource.data.lowerBound]))
  }

  private func finding(in resource: Resource) throws(ImageError) -> Finding {
    if try hasLocation(inNameOf: resource) { return .location }
    let data = Array(bytes[resource.data])
    switch resource.id {
    case Self.iptc:
      let sets = IPTCDataSets(data)
      return try sets.hasLocation ? .location : sets.isRead ? .nothing : .unread
    case Self.exif:
      guard let block = try ifReadable(try ExifBlock(parsing: data)) else { break }
      if try block.hasLocation { return .location }
      return try block.unreadParts.isEmpty ? .nothing : .unread
    case Self.xmp:
      guard let packet = try ifReadable(try XMPPacket(parsing: data)) else { break }
      if try packet.hasLocation { return .location }
      return try packet.unreadParts.isEmpty ? .nothing : .unread
    case _ where Self.thumbnails.contains(resource.id):
      let finding = try finding(in: data[...])
      guard finding == .unread,
        let image = try ifReadable(try JPEGImage(parsing: ByteSource(Array(data.dropFirst(28)))))
      else { return finding }
      return image.segments.contains(where: \.isPrivate) ? .unread : .nothing
    case _ where Self.plain.contains(resource.id):
      return try finding(in: data[...]) == .location ? .location : .nothing
    default: break
    }
    return try finding(in: data[...])
  }

  /// Resources of numbers and of texts that do not name places.
  ///
  /// Source: Adobe Photoshop File Formats Specification, "Image Resource IDs".
  private static let plain: Set<UInt16> = [
    0x03ED, 0x03F3, 0x03F5, 0x03F8, 0x0400, 0x0402, 0x0406, 0x0408, 0x040A, 0x040B, 0x040D, 0x040F,
    0x0410, 0x0411, 0x0414, 0x0416, 0x0419, 0x0421, 0x0425, 0x0426, 0x0428, 0x042D, 0x0430, 0x2710,
  ]
}

/// Data sets of IPTC, as far as locations are concerned.
///
/// Source: IPTC-NAA Information Interchange Model 4.2, 1.5, 1.6 and chapter 6.
private struct IPTCDataSets {
  private let bytes: [UInt8]
  private var sets: [Range<Int>] = []

  /// Finds the data sets; bytes between them are skipped.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var position = 0
    while position < bytes.count {
      if let end = Self.end(of: bytes[position...]) {
        sets.append(position..<end)
        position = end
      } else {
        position += 1
      }
    }
  }

  /// End of the data set at the start of bytes; `nil` if there is not one.
  private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
    let start = bytes.startIndex
    guard bytes.count >= 5, bytes[start] == 0x1C else { return nil }
    var length = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    var header = 5
    // An extended data set contains the size of its length.
    if length >= 0x8000 {
      let size = length & 0x7FFF
      guard (1...4).contains(size), bytes.count >= 5 + size else { return nil }
      length = bytes[start + 5..<start + 5 + size].reduce(0) { $0 << 8 | Int($1) }
      header += size
    }
    return length <= bytes.count - header ? start + header + length : nil
  }

  var applicationRecord: [(number: UInt8, data: ArraySlice<UInt8>)] {
    sets.filter { bytes[$0.lowerBound + 1] == 2 }.map { set in
      let start = set.lowerBound
      let header = bytes[start + 3] < 0x80 ? 5 : 5 + Int(bytes[start + 4])
      return (bytes[start + 2], bytes[start + header..<set.upperBound])
    }
  }

  var hasLocation: Bool {
    get throws(ImageError) {
      for set in sets where try isLocation(set) { return true }
      return try LocationEvidence.isPresent(in: rest)
    }
  }

  /// Whether all bytes are in data sets of records that are read, and those of the application record are
  /// texts, also in Latin-1.
  var isRead: Bool {
    sets.allSatisfy { (1...3).contains(bytes[$0.lowerBound + 1]) }
      && rest.allSatisfy { $0 == 0 }
      && applicationRecord.allSatisfy { number, data in
        // The version of the record, which is binary.
        number == 0 || LocationEvidence.isText(String(latin1: data).utf8)
      }
  }

  /// The bytes without data sets that name a place.
  var withoutLocation: [UInt8] {
    get throws(ImageError) {
      var kept: [UInt8] = []
      var position = 0
      let keepsRest = try !LocationEvidence.isPresent(in: rest)
      for range in sets {
        if keepsRest { kept += bytes[position..<range.lowerBound] }
        if try !isLocation(range) { kept += bytes[range] }
        position = range.upperBound
      }
      return keepsRest ? kept + bytes[position...] : kept
    }
  }

  /// Bytes outside of data sets.
  private var rest: [UInt8] {
    SortedRanges(joining: sets).removed(from: bytes.indices).flatMap { bytes[$0] }
  }

  private func isLocation(_ set: Range<Int>) throws(ImageError) -> Bool {
    if isPlace(set) { return true }
    return try LocationEvidence.isPresent(in: Array(bytes[set]))
  }

  /// Whether a data set names a place.
  private func isPlace(_ set: Range<Int>) -> Bool {
    // Records after 3 are not used for photographs and may copy record 2.
    let record = bytes[set.lowerBound + 1]
    return (record == 2 || record > 3) && Self.places.contains(bytes[set.lowerBound + 2])
  }

  /// Names of other data sets that have signs of a location.
  var textsWithLocation: [String] {
    get throws(ImageError) {
      var names: [String] = []
      for set in sets where !isPlace(set) {
        guard try isLocation(set) else { continue }
        names.append("IPTC \(bytes[set.lowerBound + 1]):\(bytes[set.lowerBound + 2])")
      }
      return names
    }
  }

  /// Data sets of record 2 that name a place: content location, city, sublocation, province,
  /// country.
  private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]
}
