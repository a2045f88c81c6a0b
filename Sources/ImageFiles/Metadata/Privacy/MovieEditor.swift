// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Removes metadata from the content of a movie box (`moov`), in place.
///
/// Boxes that cannot be separated are left unchanged, and reported as unread.
struct MovieEditor {
  private(set) var bytes: [UInt8]
  private(set) var isEdited = false
  var hasLocation = false
  var unread: [String] = []
  private(set) var tracks: [VideoTrack] = []
  let removal: VideoMetadata.Removal

  init(_ content: [UInt8], _ removal: VideoMetadata.Removal) {
    bytes = content
    self.removal = removal
  }

  /// Edits all boxes.
  ///
  /// - Throws: Errors that end the whole job.
  mutating func edit() throws(ImageError) { try edit(bytes.indices, in: "moov", depth: 0) }

  // MARK: - Boxes

  struct Box {
    let type: FourCC
    let start: Int
    let content: Range<Int>
  }

  /// Separates the boxes of a range; also returns the bytes after the last one.
  func boxes(in range: Range<Int>) -> (boxes: [Box], rest: Range<Int>) {
    var boxes: [Box] = []
    var position = range.lowerBound
    while range.upperBound - position >= 8 {
      // Zeros are padding, or erased bytes.
      guard number(at: position, 8) != 0 else { break }
      let size = Int(number(at: position, 4) ?? 0)
      let large = size == 1 ? number(at: position + 8, 8).flatMap { Int(exactly: $0) } : nil
      let (header, length) =
        switch size {
        case 0: (8, range.upperBound - position)
        case 1: (16, large ?? 0)
        default: (8, size)
        }
      guard length >= header, length <= range.upperBound - position else { break }
      boxes.append(
        Box(
          type: FourCC(rawValue: UInt32(truncatingIfNeeded: number(at: position + 4, 4) ?? 0)),
          start: position, content: position + header..<position + length))
      position += length
    }
    return (boxes, position..<range.upperBound)
  }

  func number(at offset: Int, _ size: Int) -> UInt64? {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    return bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Boxes that contain only boxes.
  private static let containers: Set<FourCC> = [
    "trak", "mdia", "minf", "stbl", "edts", "dinf", "tref", "mvex", "gmhd", "tapt", "traf",
  ]
  /// Boxes without metadata, which players need.
  private static let structural: Set<FourCC> = [
    "mvhd", "tkhd", "elst", "mdhd", "hdlr", "vmhd", "smhd", "nmhd", "hmhd", "sthd",
    "gmin", "dref", "stsd", "stts", "ctts", "stss", "stps", "stsz", "stz2", "stsc", "stco",
    "co64", "saiz", "saio", "trex", "mehd", "trep", "mfhd", "tfhd", "tfdt", "trun", "senc",
  ]
  /// Boxes that describe the tables of samples, and that players can do without.
  private static let optional: Set<FourCC> = [
    "iods", "elng", "cslg", "sdtp", "sgpd", "sbgp", "subs", "load", "clef", "prof", "enof",
  ]
  /// Boxes that contain numbers of other tracks.
  private static let references: Set<FourCC> = [
    "cdsc", "hint", "sync", "chap", "tmcd", "cdep", "vdep", "text", "auxl", "thmb", "prem", "dpnd",
    "font", "hind", "vplx", "subt", "fall", "folw",
  ]

  private mutating func edit(
    _ range: Range<Int>, in parent: FourCC, depth: Int
  ) throws(ImageError) {
    let (boxes, rest) = boxes(in: range)
    for box in boxes {
      switch box.type {
      case "trak" where depth < 8:
        tracks.append(VideoTrack())
        try edit(box.content, in: box.type, depth: depth + 1)
        finishTrack()
      case _ where Self.containers.contains(box.type) && depth < 8:
        try edit(box.content, in: box.type, depth: depth + 1)
      case _ where parent == "tref" && Self.references.contains(box.type):
        let numbers = box.content.count / 4 * 4
        try editSurplus(box.content.dropFirst(numbers), of: box.type)
      case _ where Self.structural.contains(box.type):
        try editStructural(box, in: parent)
      case _ where Self.optional.contains(box.type):
        try editOptional(box)
      case _ where removal == .all: remove(box)
      case "udta" where depth < 8: try editUserData(box.content, depth: depth + 1)
      case "meta": try editMeta(box)
      default: try examine(box)
      }
    }
    try editSurplus(rest, of: parent)
  }

  /// Erases bytes after the fields of a box: all of them, or those with a location.
  mutating func editSurplus(_ range: Range<Int>, of type: FourCC) throws(ImageError) {
    guard range.contains(where: { bytes[$0] != 0 }) else { return }
    let isFound = try LocationEvidence.isPresent(in: Array(bytes[range]))
    hasLocation = hasLocation || isFound
    if removal == .all || isFound {
      erase(range)
    } else {
      unread.append("\(range.count) bytes in '\(type)'")
    }
  }

  /// Removes a box that players do not need if it contains text: a location, or with all metadata
  /// whatever does not have the size of its fields.
  private mutating func editOptional(_ box: Box) throws(ImageError) {
    let isFound = try LocationEvidence.isPresent(in: Array(bytes[box.content]))
    hasLocation = hasLocation || isFound
    if isFound || removal == .all && !isNeeded(box) { return remove(box) }
    if box.type == "sdtp" { dependencies = box }
  }

  /// User data: of QuickTime, 3GPP and MP4.
  private mutating func editUserData(_ range: Range<Int>, depth: Int) throws(ImageError) {
    let (boxes, rest) = boxes(in: range)
    for box in boxes {
      switch box.type {
      case _ where Self.locations.contains(box.type):
        hasLocation = true
        remove(box)
      case "meta": try editMeta(box)
      default: try examine(box)
      }
    }
    // QuickTime ends user data with a zero.
    try editSurplus(rest, of: "udta")
  }

  /// Types of user data with a location: `©xyz`, `loci`, `©gps`, Kodak's, GoPro's and dash cameras'.
  private static let locations: Set<FourCC> = [
    FourCC(rawValue: 0xA978_797A), "loci", FourCC(rawValue: 0xA967_7073), "gps ", "GPS ", "gps0",
    "GPMF", FourCC(rawValue: 0xA96C_6F63),
  ]

  /// Metadata of QuickTime (`keys` and `ilst`) and of MP4 (`ilst` alone).
  private mutating func editMeta(_ box: Box) throws(ImageError) {
    // The box of QuickTime does not have version and flags.
    let isPlain = number(at: box.content.lowerBound + 4, 4) == 0x6864_6C72
    let start = min(box.content.lowerBound + (isPlain ? 0 : 4), box.content.upperBound)
    let (children, rest) = boxes(in: start..<box.content.upperBound)
    try editSurplus(rest, of: box.type)
    var removed: Set<UInt32> = []
    for keys in children where keys.type == "keys" { removed.formUnion(removeKeys(keys.content)) }
    for child in children {
      switch child.type {
      case "keys": break
      case "hdlr": try editStructural(child, in: box.type)
      case "ilst":
        let (items, rest) = boxes(in: child.content)
        try editSurplus(rest, of: child.type)
        for item in items {
          if removed.contains(item.type.rawValue) || Self.locations.contains(item.type) {
            hasLocation = true
            remove(item)
          } else {
            try examine(item)
          }
        }
      default: try examine(child)
      }
    }
  }

  /// Erases the names of keys for locations; returns their numbers.
  private mutating func removeKeys(_ content: Range<Int>) -> Set<UInt32> {
    guard let count = number(at: content.lowerBound + 4, 4), content.count >= 8 else { return [] }
    var removed: Set<UInt32> = []
    var position = content.lowerBound + 8
    var index: UInt32 = 0
    while UInt64(index) < count, content.upperBound - position >= 8 {
      index += 1
      let size = Int(number(at: position, 4) ?? 0)
      guard size >= 8, size <= content.upperBound - position else { break }
      let name = position + 8..<position + size
      if Self.namesLocation(bytes[name]) {
        removed.insert(index)
        erase(name)
      }
      position += size
    }
    return removed
  }

  private static func namesLocation(_ name: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: name, as: UTF8.self).lowercased()
    return ["location", "gps", "latitude", "longitude", "iso6709", "xyz"].contains {
      text.contains($0)
    }
  }

  /// Removes a box of another kind if it contains a location; XMP is edited.
  mutating func examine(_ box: Box) throws(ImageError) {
    let content = Array(bytes[box.content])
    if let start = content.firstRange(of: Array("<x:xmpmeta".utf8))?.lowerBound
      ?? content.firstRange(of: Array("<rdf:RDF".utf8))?.lowerBound,
      var packet = try ifReadable(try XMPPacket(parsing: Self.trimmed(content[start...])))
    {
      guard try ifReadable(try packet.removeLocation()) == true else { return }
      hasLocation = true
      let size = content.count - start
      guard packet.bytes.count <= size else { return remove(box) }
      let padding = [UInt8](repeating: UInt8(ascii: " "), count: size - packet.bytes.count)
      replace(box.content.lowerBound + start..<box.content.upperBound, with: packet.bytes + padding)
      return
    }
    if try LocationEvidence.isPresent(in: content) {
      hasLocation = true
      remove(box)
    } else if ["free", "skip", "wide"].contains(box.type)
      ? content.contains(where: { $0 != 0 }) : !Self.isText(content, of: box.type)
    {
      unread.append("'\(box.type)'")
    }
  }

  /// Whether the content of a box is text, after the fields of the formats that store text.
  ///
  /// Source: QuickTime File Format, user data and metadata item values; 3GPP TS 26.244, 8.
  private static func isText(_ content: [UInt8], of type: FourCC) -> Bool {
    let head =
      switch true {
      // The size of a box, its type, and those of UTF-8; then the language.
      case content.dropFirst(4).starts(with: Array("data".utf8) + [0, 0, 0, 1]): 16
      // Size and language.
      case type.rawValue >> 24 == 0xA9: 4
      // Version, flags and language.
      case content.starts(with: [0, 0, 0, 0]): 6
      default: 0
      }
    return LocationEvidence.isText(content.dropFirst(head))
  }

  /// A packet without the bytes after its end.
  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let ends = ["</x:xmpmeta>", "</rdf:RDF>"].map { Array($0.utf8) }
    guard let end = ends.lazy.compactMap({ bytes.firstRange(of: $0)?.upperBound }).first else {
      return Array(bytes)
    }
    return Array(bytes[..<end])
  }

  // MARK: - Tracks

  /// Collects the properties of the track from a structural box; removes times and names from it.
  private mutating func editStructural(_ box: Box, in parent: FourCC) throws(ImageError) {
    let end = box.content.upperBound
    try editSurplus((endOfFields(of: box) ?? end)..<end, of: box.type)
    let start = box.content.lowerBound
    switch box.type {
    case "mvhd", "tkhd", "mdhd":
      guard removal == .all, let version = number(at: start, 1) else { return }
      // Times of creation and modification.
      let times = start + 4..<start + 4 + (version == 1 ? 16 : 8)
      if times.upperBound <= box.content.upperBound { erase(times) }
    case "hdlr":
      if parent == "mdia", !tracks.isEmpty, let handler = number(at: start + 8, 4) {
        tracks[tracks.count - 1].handler = FourCC(rawValue: UInt32(truncatingIfNeeded: handler))
      }
      guard box.content.count > 24 else { return }
      let name = start + 24..<box.content.upperBound
      let isFound = try LocationEvidence.isPresent(in: Array(bytes[name]))
      hasLocation = hasLocation || isFound
      if removal == .all || isFound { erase(name) }
    case "stsd":
      try editSampleDescriptions(box.content, of: tracks.last?.handler)
      guard !tracks.isEmpty, box.content.count >= 16 else { return }
      let format = number(at: start + 12, 4) ?? 0
      tracks[tracks.count - 1].format = FourCC(rawValue: UInt32(truncatingIfNeeded: format))
      guard tracks[tracks.count - 1].isMetadata else { return }
      let names = bytes[box.content]
      tracks[tracks.count - 1].describesLocation = Self.namesLocation(names)
      let keys = names.ranges(of: "keyd".utf8).count
      tracks[tracks.count - 1].hasKnownKeys =
        keys > 0 && keys == names.ranges(of: "keydmdtacom.apple.quicktime.".utf8).count
    case "stco", "co64", "stsz", "stz2", "stsc":
      guard !tracks.isEmpty else { return }
      tables[box.type] = box.content
    default:
      if try LocationEvidence.isPresent(in: Array(bytes[box.content])) {
        unread.append("'\(box.type)'")
      }
    }
  }

  /// Tables of the present track.
  private var tables: [FourCC: Range<Int>] = [:]
  /// The box with the dependencies of the samples of the present track: a byte for each.
  private var dependencies: Box?

  private mutating func finishTrack() {
    guard !tracks.isEmpty else { return }
    tracks[tracks.count - 1].chunks = chunks()
    if removal == .all, let dependencies,
      dependencies.content.count != sampleSizes().map({ $0.count + 4 })
    {
      remove(dependencies)
    }
    (tables, dependencies) = ([:], nil)
  }

  /// The ranges of the chunks of the present track; `nil` if the tables do not agree.
  private func chunks() -> [Range<Int>]? {
    let isWide = tables["co64"] != nil
    guard let offsets = tables["co64"] ?? tables["stco"], let runs = tables["stsc"],
      let chunkCount = number(at: offsets.lowerBound + 4, 4).map({ Int($0) }),
      chunkCount <= (offsets.count - 8) / (isWide ? 8 : 4),
      let runCount = number(at: runs.lowerBound + 4, 4).map({ Int($0) }),
      runCount <= (runs.count - 8) / 12, let sizes = sampleSizes()
    else { return nil }
    var chunks: [Range<Int>] = []
    chunks.reserveCapacity(chunkCount)
    var sample = 0
    var run = 0
    for chunk in 0..<chunkCount {
      func first(_ run: Int) -> Int? {
        run < runCount ? number(at: runs.lowerBound + 8 + 12 * run, 4).map { Int($0) } : nil
      }
      while let next = first(run + 1), next <= chunk + 1 { run += 1 }
      guard run < runCount,
        let perChunk = number(at: runs.lowerBound + 12 + 12 * run, 4).map({ Int($0) }),
        let start = number(
          at: offsets.lowerBound + 8 + (isWide ? 8 : 4) * chunk, isWide ? 8 : 4
        ).flatMap({ Int(exactly: $0) }),
        let size = sizes.total(from: sample, count: perChunk)
      else { return nil }
      let (end, overflow) = start.addingReportingOverflow(size)
      guard !overflow else { return nil }
      chunks.append(start..<end)
      sample += perChunk
    }
    return chunks
  }

  private struct SampleSizes {
    /// Size of all samples; 0 if they differ.
    let all: Int
    let count: Int
    /// Sums of the sizes before each sample; empty if they do not differ.
    var sums: [Int] = []

    func total(from sample: Int, count: Int) -> Int? {
      guard count <= self.count - sample else { return nil }
      if all > 0 {
        let (size, overflow) = all.multipliedReportingOverflow(by: count)
        return overflow ? nil : size
      }
      return sums[sample + count] - sums[sample]
    }
  }

  private func sampleSizes() -> SampleSizes? {
    if let table = tables["stsz"], let all = number(at: table.lowerBound + 4, 4),
      let count = number(at: table.lowerBound + 8, 4)
    {
      guard all == 0 else { return SampleSizes(all: Int(all), count: Int(count)) }
      guard Int(count) <= (table.count - 12) / 4 else { return nil }
      return sums(Int(count)) { number(at: table.lowerBound + 12 + 4 * $0, 4) }
    }
    guard let table = tables["stz2"], let bits = number(at: table.lowerBound + 7, 1),
      let count = number(at: table.lowerBound + 8, 4), [8, 16].contains(bits)
    else { return nil }
    let size = Int(bits) / 8
    guard Int(count) <= (table.count - 12) / size else { return nil }
    return sums(Int(count)) { number(at: table.lowerBound + 12 + size * $0, size) }
  }

  private func sums(_ count: Int, _ size: (Int) -> UInt64?) -> SampleSizes? {
    var sums = [0]
    sums.reserveCapacity(count + 1)
    var total = 0
    for index in 0..<count {
      guard let size = size(index) else { return nil }
      total += Int(size)
      sums.append(total)
    }
    return SampleSizes(all: 0, count: count, sums: sums)
  }

  // MARK: - Edits

  /// Turns a box into a `free` box of zeros.
  mutating func remove(_ box: Box) {
    replace(box.start + 4..<box.start + 8, with: Array("free".utf8))
    erase(box.content)
  }

  mutating func erase(_ range: Range<Int>) {
    replace(range, with: [UInt8](repeating: 0, count: range.count))
  }

  private mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    guard range.upperBound <= bytes.count, range.count == new.count,
      !bytes[range].elementsEqual(new)
    else { return }
    bytes.replaceSubrange(range, with: new)
    isEdited = true
  }
}
