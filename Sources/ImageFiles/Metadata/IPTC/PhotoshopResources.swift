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

  /// Replaces all resources by the parts of them that remain after an edit.
  ///
  /// - Throws: Errors of parsing.
  mutating func replace(with edited: [UInt8]) throws(ImageError) {
    self = try PhotoshopResources(parsing: edited)
  }
}
