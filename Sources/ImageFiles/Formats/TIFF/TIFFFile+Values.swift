// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Values of entries.
extension TIFFFile {
  /// Returns the bytes of an entry's values, in the byte order of the file.
  ///
  /// - Parameter entry: An entry of one of the directories.
  /// - Returns: `count` values of the size of their type.
  /// - Throws: `.truncated` if the values exceed the file, `.unsupported` for an unknown type;
  ///   errors of reading the source.
  package func bytes(of entry: TIFFEntry) throws(ImageError) -> [UInt8] {
    do throws(ImageError) {
      guard entry.type != nil else { throw ImageError(.unsupported, "unknown type of value") }
      return try source.bytes(in: entry.values)
    } catch {
      throw error.inside("tag \(entry.tag.rawValue)")
    }
  }

  /// Returns values of any unsigned integer type, including offsets and undefined bytes.
  ///
  /// - Parameter entry: An entry of one of the directories.
  /// - Returns: The values, in order.
  /// - Throws: `.truncated` if the values exceed the file, `.malformed` if they are not unsigned
  ///   integers or of an unknown type; errors of reading the source.
  package func unsigned(_ entry: TIFFEntry) throws(ImageError) -> [UInt64] {
    switch entry.type {
    case .byte, .short, .long, .long8, .ifd, .ifd8, .undefined:
      let size = entry.type?.size ?? 1
      let bytes = try bytes(of: entry)
      var reader = ByteReader(bytes.span, fileOffset: entry.values.lowerBound, byteOrder: byteOrder)
      var values: [UInt64] = []
      values.reserveCapacity(entry.count)
      while !reader.isAtEnd { values.append(try reader.readUnsigned(bytes: size)) }
      return values
    default:
      throw ImageError(
        .malformed, "values are not unsigned integers",
        at: .init(path: ["tag \(entry.tag.rawValue)"], offset: entry.offset))
    }
  }

  /// Returns values of any numeric type; a rational with denominator 0 is infinite or NaN.
  ///
  /// Integers of 64 bits are rounded to `Double`.
  ///
  /// - Parameter entry: An entry of one of the directories.
  /// - Returns: The values, in order.
  /// - Throws: `.truncated` if the values exceed the file, `.malformed` if they are text or of an
  ///   unknown type; errors of reading the source.
  package func numbers(_ entry: TIFFEntry) throws(ImageError) -> [Double] {
    guard let type = entry.type, type != .ascii else {
      throw ImageError(
        .malformed, "values are not numbers",
        at: .init(path: ["tag \(entry.tag.rawValue)"], offset: entry.offset))
    }
    let bytes = try bytes(of: entry)
    var reader = ByteReader(bytes.span, fileOffset: entry.values.lowerBound, byteOrder: byteOrder)
    var values: [Double] = []
    values.reserveCapacity(entry.count)
    while !reader.isAtEnd { values.append(try reader.readNumber(type)) }
    return values
  }

  /// Returns the text up to the first zero byte, without surrounding whitespace; `nil` if empty.
  ///
  /// - Parameter entry: An entry of one of the directories.
  /// - Returns: The text, decoded as UTF-8 with invalid bytes replaced; `nil` also for types other
  ///   than `.ascii`, `.byte` and `.undefined`, and for values that cannot be read.
  /// - Throws: Errors that end the whole job.
  package func text(_ entry: TIFFEntry) throws(ImageError) -> String? {
    guard entry.type == .ascii || entry.type == .byte || entry.type == .undefined,
      let bytes = try ifReadable(try bytes(of: entry))
    else { return nil }
    var text = Substring(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    while text.last?.isWhitespace == true { text.removeLast() }
    while text.first?.isWhitespace == true { text.removeFirst() }
    return text.isEmpty ? nil : String(text)
  }
}

extension ByteReader {
  @_lifetime(self: copy self)
  fileprivate mutating func readNumber(_ type: TIFFEntry.ValueType) throws(ImageError) -> Double {
    switch type {
    case .byte, .ascii, .undefined: Double(try readUnsigned(bytes: 1))
    case .signedByte: Double(Int8(truncatingIfNeeded: try readUnsigned(bytes: 1)))
    case .short: Double(try readUnsigned(bytes: 2))
    case .signedShort: Double(Int16(truncatingIfNeeded: try readUnsigned(bytes: 2)))
    case .long, .ifd: Double(try readUnsigned(bytes: 4))
    case .signedLong: Double(Int32(truncatingIfNeeded: try readUnsigned(bytes: 4)))
    case .long8, .ifd8: Double(try readUnsigned(bytes: 8))
    case .signedLong8: Double(Int64(truncatingIfNeeded: try readUnsigned(bytes: 8)))
    case .float: Double(Float(bitPattern: UInt32(truncatingIfNeeded: try readUnsigned(bytes: 4))))
    case .double: Double(bitPattern: try readUnsigned(bytes: 8))
    case .rational: Double(try readUnsigned(bytes: 4)) / Double(try readUnsigned(bytes: 4))
    case .signedRational:
      Double(Int32(truncatingIfNeeded: try readUnsigned(bytes: 4)))
        / Double(Int32(truncatingIfNeeded: try readUnsigned(bytes: 4)))
    }
  }
}

/// Sizes of the strips or tiles of uncompressed samples.
struct TIFFChunkSizes {
  let isTiled: Bool
  /// Size of a strip or tile, in pixels.
  let width: Int
  let height: Int
  /// Number of strips or tiles.
  let count: Int
  /// Number of bytes of a whole strip or tile.
  var whole: Int { rowSize * height }
  private let rowSize: Int
  private let imageHeight: Int
  private let columns: Int

  /// Computes the sizes from the tags of an image.
  ///
  /// - Returns: `nil` if the samples are compressed, or a tag is missing or out of range.
  /// - Throws: Errors that end the whole job.
  init?(of directory: TIFFDirectory, in file: TIFFFile) throws(ImageError) {
    func integer(_ tag: TIFFTag) throws(ImageError) -> Int? {
      let value = try ifReadable(try file.integers(tag, in: directory).first) ?? 0
      return value > 0 ? value : nil
    }
    isTiled = directory[.tileWidth] != nil
    let isPlanar = try integer(.planarConfiguration) == 2
    let (channels, bits) = (try integer(.samplesPerPixel) ?? 1, try integer(.bitsPerSample) ?? 1)
    let rowsPerStrip = try integer(.rowsPerStrip)
    guard try integer(.compression) ?? 1 == 1, let imageWidth = try integer(.imageWidth),
      let imageHeight = try integer(.imageLength),
      let width = isTiled ? try integer(.tileWidth) : imageWidth,
      let height = isTiled
        ? try integer(.tileLength) : min(rowsPerStrip ?? imageHeight, imageHeight),
      // So that sizes cannot overflow; larger images exceed the limit on memory.
      max(imageWidth, imageHeight, width, height) < 1 << 23, max(bits, channels) < 1 << 10
    else { return nil }
    (self.width, self.height, self.imageHeight) = (width, height, imageHeight)
    rowSize = (width * (isPlanar ? 1 : channels) * bits + 7) / 8
    columns = (imageWidth - 1) / width + 1
    count = columns * ((imageHeight - 1) / height + 1) * (isPlanar ? channels : 1)
  }

  /// Number of bytes of the rows of a strip or tile that are within the image.
  func needed(_ index: Int) -> Int {
    let rows = (imageHeight - 1) / height + 1
    return rowSize * min(height, imageHeight - index / columns % rows * height)
  }
}

extension TIFFFile {
  /// Describes the directories, their entries and subdirectories; at most 16383 entries.
  ///
  /// - Parameter base: Offset of the TIFF structure in its file; 0 by default, for a TIFF file.
  /// - Returns: A node for each directory of the chain.
  /// - Throws: Errors that end the whole job.
  package func structure(base: Int = 0) throws(ImageError) -> [StructureNode] {
    var tree = TIFFStructure(file: self, base: base)
    var nodes: [StructureNode] = []
    for (index, directory) in directories.enumerated() {
      nodes.append(try tree.node(of: directory, named: "IFD \(index)", group: .main))
    }
    return nodes
  }
}

/// Describes each directory once, within a limit on entries.
private struct TIFFStructure {
  let file: TIFFFile
  let base: Int
  private var visited: Set<Int> = []
  private var budget = 1 << 14

  init(file: TIFFFile, base: Int) {
    self.file = file
    self.base = base
  }

  mutating func node(
    of directory: TIFFDirectory, named name: String, group: TIFFTag.Group
  ) throws(ImageError) -> StructureNode {
    let size = file.isBig ? 8 + 20 * directory.entries.count + 8 : 6 + 12 * directory.entries.count
    let range = shifted(directory.offset..<min(directory.offset + size, file.source.count))
    var node = StructureNode(name, range)
    guard visited.insert(directory.offset).inserted else {
      node.fields.add("again", "listed above")
      return node
    }
    for entry in directory.entries {
      budget -= 1
      guard budget > 0 else { break }
      node.children.append(try self.node(of: entry, group: group))
    }
    return node
  }

  private mutating func node(
    of entry: TIFFEntry, group: TIFFTag.Group
  ) throws(ImageError) -> StructureNode {
    let name = entry.tag.name(in: group) ?? "tag \(entry.tag.rawValue)"
    let isWithin = entry.values.upperBound <= file.source.count
    var node = StructureNode(name, isWithin ? shifted(entry.values) : nil)
    node.fields.add("tag", entry.tag.rawValue)
    node.fields.add("type", entry.type.map { "\($0)" } ?? "unknown")
    if entry.count != 1 { node.fields.add("count", entry.count) }
    if !isWithin {
      node.fields.addUnreadable("the values lie beyond the end")
      return node
    }
    if let subdirectory = entry.tag.subdirectory(in: group) {
      for (index, directory) in try file.subdirectories(entry).enumerated() {
        node.children.append(
          try self.node(
            of: directory, named: subdirectory.name(index), group: subdirectory.group))
      }
    } else {
      node.fields.add("value", try value(of: entry))
    }
    return node
  }

  /// Returns the first values as text.
  private func value(of entry: TIFFEntry) throws(ImageError) -> String? {
    guard let type = entry.type, entry.count > 0 else { return nil }
    var some = entry
    let longest = type == .ascii ? 120 : StructureNode.longestList
    some.count = min(entry.count, longest)
    some.values = entry.values.lowerBound..<entry.values.lowerBound + some.count * type.size
    let rest = entry.count > some.count ? " ..." : ""
    if type == .ascii { return try file.text(some).map { $0 + rest } }
    guard type != .undefined, let numbers = try ifReadable(try file.numbers(some)) else {
      return nil
    }
    return numbers.map(Self.text).joined(separator: ", ") + rest
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15
      ? String(Int(clamping: number)) : "\((number * 1e6).rounded() / 1e6)"
  }

  private func shifted(_ range: Range<Int>) -> Range<Int> {
    base + range.lowerBound..<base + range.upperBound
  }
}
