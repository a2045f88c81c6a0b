// SPDX-License-Identifier: Apache-2.0
internal import ImageFiles

/// A mutation of the structure of a file: boxes, segments, chunks or directory entries.
///
/// Lengths and checksums fit the new contents, so that mutated files reach code that reads contents.
public struct StructuredMutation {
  /// Largest size of a mutated file, in bytes.
  public let limit: Int
  private var random: SplitMix
  /// Mutates the bytes of a content; the number of bytes may change.
  private let mutateContent: ([UInt8]) -> [UInt8]

  /// Makes the mutations of a seed.
  ///
  /// - Parameters:
  ///   - seed: The same seed gives the same mutation.
  ///   - limit: Largest size of a mutated file, in bytes.
  ///   - mutateContent: Mutates the content of a box, a segment or a chunk.
  public init(
    seed: UInt64, limit: Int, mutateContent: @escaping ([UInt8]) -> [UInt8]
  ) {
    random = SplitMix(state: seed)
    self.limit = limit
    self.mutateContent = mutateContent
  }

  /// Returns a mutated file; `nil` if the structure is unknown, or the result is too large.
  ///
  /// - Parameter bytes: A file, or a part of one.
  /// - Returns: The mutated file, or `nil`.
  public mutating func apply(to bytes: [UInt8]) -> [UInt8]? {
    let result: [UInt8]? =
      if bytes.starts(with: Self.pngSignature) {
        mutatedPNG(bytes)
      } else if bytes.starts(with: [0xFF, 0xD8]) {
        mutatedJPEG(bytes)
      } else if bytes.starts(with: Array("II*\0".utf8)) || bytes.starts(with: Array("MM\0*".utf8)) {
        mutatedTIFF(bytes)
      } else if bytes.count > 8, bytes[4..<8].elementsEqual("ftyp".utf8) {
        mutatedBoxes(bytes)
      } else {
        nil
      }
    return result.flatMap { $0.count <= limit && $0 != bytes ? $0 : nil }
  }

  // MARK: Parts in sequence

  /// A part of a file, with its type: the name of a chunk or the marker of a segment.
  private struct Part {
    var type: [UInt8]
    var content: [UInt8]
  }

  /// Removes, repeats, exchanges or changes one part.
  private mutating func mutate(_ parts: inout [Part]) {
    guard !parts.isEmpty else { return }
    let index = random.below(parts.count)
    switch random.below(8) {
    case 0: parts.remove(at: index)
    case 1: parts.insert(parts[index], at: random.below(parts.count + 1))
    case 2: parts.swapAt(index, random.below(parts.count))
    case 3: parts[index].type = parts[random.below(parts.count)].type
    default: parts[index].content = mutateContent(parts[index].content)
    }
  }

  private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Source: PNG (Third Edition), 5.3.
  private mutating func mutatedPNG(_ bytes: [UInt8]) -> [UInt8] {
    var parts: [Part] = []
    var position = 8
    while position + 12 <= bytes.count {
      let length = Int(Self.number(bytes[position..<position + 4]))
      guard length <= bytes.count - position - 12 else { break }
      parts.append(
        Part(
          type: Array(bytes[position + 4..<position + 8]),
          content: Array(bytes[position + 8..<position + 8 + length])))
      position += 12 + length
    }
    mutate(&parts)
    var result = Self.pngSignature
    for part in parts {
      let checked = part.type + part.content
      result += Self.bytes(UInt32(part.content.count)) + checked
      result += Self.bytes(Zlib.crc32(checked))
    }
    return result + bytes[min(position, bytes.count)...]
  }

  /// Mutates the segments before the first scan.
  ///
  /// Source: ITU-T T.81, B.1.1.4.
  private mutating func mutatedJPEG(_ bytes: [UInt8]) -> [UInt8] {
    var parts: [Part] = []
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] != 0xDA {
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      guard length >= 2, length <= bytes.count - position - 2 else { break }
      parts.append(
        Part(
          type: [0xFF, bytes[position + 1]],
          content: Array(bytes[position + 4..<position + 2 + length])))
      position += 2 + length
    }
    mutate(&parts)
    var result: [UInt8] = [0xFF, 0xD8]
    for part in parts {
      let content = part.content.prefix(0xFFFD)
      let length = content.count + 2
      result += part.type + [UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }
    return result + bytes[position...]
  }

  /// Changes a field of an entry of the first directory.
  ///
  /// Source: TIFF 6.0, section 2.
  private mutating func mutatedTIFF(_ bytes: [UInt8]) -> [UInt8]? {
    let isBig = bytes[0] == UInt8(ascii: "M")
    func number(_ range: Range<Int>) -> Int {
      let part = Array(bytes[range])
      return Int(Self.number((isBig ? part : part.reversed())[...]))
    }
    guard bytes.count >= 8 else { return nil }
    let directory = number(4..<8)
    guard directory <= bytes.count - 2 else { return nil }
    let count = min(number(directory..<directory + 2), (bytes.count - directory - 2) / 12)
    guard count > 0 else { return nil }
    let entry = directory + 2 + 12 * random.below(count)
    let other = directory + 2 + 12 * random.below(count)
    var result = bytes
    // Tag, type, number of values, and value or offset.
    let fields = [0..<2, 2..<4, 4..<8, 8..<12, 0..<12]
    let field = fields[random.below(fields.count)]
    if random.below(2) == 0 {
      for index in field { result[entry + index] = bytes[other + index] }
    } else {
      let changed = mutateContent(Array(bytes[entry + field.lowerBound..<entry + field.upperBound]))
      for (index, byte) in zip(field, changed) { result[entry + index] = byte }
    }
    return result
  }

  // MARK: Boxes

  /// A box of ISOBMFF: its header without the size, and its content or its boxes.
  private struct Box {
    var type: [UInt8]
    /// Content before the boxes, or all content.
    var content: [UInt8]
    var boxes: [Box] = []

    var serialized: [UInt8] {
      let inner = content + boxes.flatMap(\.serialized)
      return StructuredMutation.bytes(UInt32(8 + inner.count)) + type + inner
    }

    /// Number of boxes, with this one.
    var count: Int { 1 + boxes.reduce(0) { $0 + $1.count } }
  }

  /// Number of bytes before the boxes inside a box; `nil` for types that contain no boxes.
  private static let containers: [String: Int] = [
    "meta": 4, "iprp": 0, "ipco": 0, "iref": 4, "grpl": 0, "dinf": 0, "iinf": 6, "moov": 0,
    "trak": 0,
  ]

  /// Nesting of boxes that is mutated.
  private static let nesting = 8

  private static func boxes(_ bytes: ArraySlice<UInt8>, depth: Int = 0) -> [Box]? {
    var boxes: [Box] = []
    var rest = bytes
    while !rest.isEmpty {
      guard rest.count >= 8 else { return nil }
      let size = Int(number(rest.prefix(4)))
      guard size >= 8, size <= rest.count else { return nil }
      let type = Array(rest.dropFirst(4).prefix(4))
      let content = rest.prefix(size).dropFirst(8)
      if depth < nesting, let skipped = containers[String(decoding: type, as: UTF8.self)],
        content.count >= skipped,
        let inner = Self.boxes(content.dropFirst(skipped), depth: depth + 1)
      {
        boxes.append(Box(type: type, content: Array(content.prefix(skipped)), boxes: inner))
      } else {
        boxes.append(Box(type: type, content: Array(content)))
      }
      rest = rest.dropFirst(size)
    }
    return boxes
  }

  /// Mutates one box at any depth.
  ///
  /// Offsets in `iloc` remain, and point to other bytes if boxes before the data change their size.
  ///
  /// Source: ISO/IEC 14496-12, 4.2.
  private mutating func mutatedBoxes(_ bytes: [UInt8]) -> [UInt8]? {
    guard let boxes = Self.boxes(bytes[...]) else { return nil }
    var root = Box(type: [], content: [], boxes: boxes)
    var index = random.below(max(root.count - 1, 1))
    mutate(&root, at: &index)
    return root.boxes.flatMap(\.serialized)
  }

  /// Mutates the box at an index in order of the file, and counts down to it.
  private mutating func mutate(_ parent: inout Box, at index: inout Int) {
    for position in parent.boxes.indices {
      guard index > 0 else {
        mutate(&parent.boxes, at: position)
        index = -1
        return
      }
      index -= 1
      mutate(&parent.boxes[position], at: &index)
      if index < 0 { return }
    }
  }

  private mutating func mutate(_ boxes: inout [Box], at position: Int) {
    switch random.below(8) {
    case 0: boxes.remove(at: position)
    case 1: boxes.insert(boxes[position], at: random.below(boxes.count + 1))
    case 2: boxes.swapAt(position, random.below(boxes.count))
    case 3: boxes[position].type = boxes[random.below(boxes.count)].type
    default: boxes[position].content = mutateContent(boxes[position].content)
    }
  }

  // MARK: Numbers

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

/// Pseudorandom numbers: SplitMix64.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 31) % UInt64(limit))
  }
}
