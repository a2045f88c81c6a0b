// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Makes an ICC profile of the bytes that predict it: its size, commands, and data for them.
///
/// Source: ISO/IEC 18181-1, E.4.2 to E.4.5.
struct JPEGXLProfilePrediction {
  private let bytes: [UInt8]
  /// Position in the commands.
  private var position = 0
  private var commandsEnd = 0
  /// Position in the data.
  private var dataPosition = 0
  private var size = 0
  private var profile: [UInt8] = []

  /// Returns the profile.
  ///
  /// - Parameters:
  ///   - bytes: The decoded bytes.
  ///   - limit: Maximum size of the profile, in bytes.
  /// - Returns: The profile.
  /// - Throws: `.malformed` if the bytes do not make a profile of the size that they declare;
  ///   `.limitExceeded` for a larger profile.
  static func profile(_ bytes: [UInt8], limit: Int) throws(ImageError) -> [UInt8] {
    var prediction = Self(bytes: bytes)
    return try prediction.run(limit: limit)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func run(limit: Int) throws(ImageError) -> [UInt8] {
    commandsEnd = bytes.count
    size = try readNumber()
    guard size <= limit else {
      throw ImageError(.tooManyElements, ["limit": limit, "elements": "bytes of the ICC profile"])
    }
    let commandSize = try readNumber()
    guard commandSize <= bytes.count - position else { throw .invalidProfilePrediction }
    commandsEnd = position + commandSize
    dataPosition = commandsEnd
    try appendHeader()
    if profile.count < size {
      try appendTags()
      while position < commandsEnd { try appendContent() }
    }
    guard profile.count == size, position == commandsEnd, dataPosition == bytes.count else {
      throw .invalidProfilePrediction
    }
    return profile
  }

  // MARK: Reading

  private mutating func readCommand() throws(ImageError) -> UInt8 {
    guard position < commandsEnd else { throw .invalidProfilePrediction }
    position += 1
    return bytes[position - 1]
  }

  private mutating func readNumber() throws(ImageError) -> Int {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      let byte = try readCommand()
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return Int(clamping: value) }
    }
    throw .invalidProfilePrediction
  }

  private mutating func readData(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> {
    guard count <= bytes.count - dataPosition, count <= size - profile.count else {
      throw .invalidProfilePrediction
    }
    dataPosition += count
    return bytes[dataPosition - count..<dataPosition]
  }

  /// Reads data whose bytes of the same significance are adjacent.
  private mutating func readShuffled(_ count: Int, width: Int) throws(ImageError) -> [UInt8] {
    let data = Array(try readData(count))
    guard width > 1 else { return data }
    let rows = (count + width - 1) / width
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for row in 0..<rows {
      for index in stride(from: row, to: count, by: rows) { result.append(data[index]) }
    }
    return result
  }

  // MARK: Parts of the profile

  private static func predictedHeader(size: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(0..<4, with: bigEndian(size))
    header[8] = 4
    header.replaceSubrange(12..<24, with: "mntrRGB XYZ ".utf8)
    header.replaceSubrange(36..<40, with: "acsp".utf8)
    header.replaceSubrange(70..<80, with: [246, 214, 0, 1, 0, 0, 0, 0, 211, 45])
    return header
  }

  private mutating func appendHeader() throws(ImageError) {
    var header = Self.predictedHeader(size: size)
    for difference in try readData(min(header.count, size)) {
      let place = profile.count
      switch place {
      case 8: header.replaceSubrange(80..<84, with: profile[4..<8])
      case 41 where profile[40] == UInt8(ascii: "A"):
        header.replaceSubrange(41..<44, with: "PPL".utf8)
      case 41 where profile[40] == UInt8(ascii: "M"):
        header.replaceSubrange(41..<44, with: "SFT".utf8)
      case 42 where profile[40..<42].elementsEqual("SG".utf8):
        header.replaceSubrange(42..<44, with: "I ".utf8)
      case 42 where profile[40..<42].elementsEqual("SU".utf8):
        header.replaceSubrange(42..<44, with: "NW".utf8)
      default: break
      }
      profile.append(header[place] &+ difference)
    }
  }

  private static let tagNames = [
    "cprt", "wtpt", "bkpt", "rXYZ", "gXYZ", "bXYZ", "kXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "chad",
    "desc", "chrm", "dmnd", "dmdd", "lumi",
  ].map { Array($0.utf8) }
  /// Tags of 20 bytes.
  private static let shortTags = ["rXYZ", "gXYZ", "bXYZ", "kXYZ", "wtpt", "bkpt", "lumi"].map {
    Array($0.utf8)
  }
  private static let typeNames = ["XYZ ", "desc", "text", "mluc", "para", "curv", "sf32", "gbd "]

  private mutating func appendTags() throws(ImageError) {
    let countPlusOne = try readNumber()
    guard countPlusOne > 0 else { return }
    append(Self.bigEndian(countPlusOne - 1))
    var (start, length) = (Self.clamped(128, 12, countPlusOne - 1), 0)
    while position < commandsEnd {
      let command = try readCommand()
      let code = Int(command & 63)
      guard code > 0 else { return }
      let name: [UInt8]
      switch code {
      case 1: name = Array(try readData(4))
      case 2: name = Array("rTRC".utf8)
      case 3: name = Array("rXYZ".utf8)
      case 4..<4 + Self.tagNames.count: name = Self.tagNames[code - 4]
      default: throw .invalidProfilePrediction
      }
      start = Self.clamped(start, 1, length)
      if Self.shortTags.contains(name) { length = 20 }
      if command & 64 != 0 { start = try readNumber() }
      if command & 128 != 0 { length = try readNumber() }
      appendTag(name, start, length)
      if code == 2 {
        for name in ["gTRC", "bTRC"] { appendTag(Array(name.utf8), start, length) }
      } else if code == 3 {
        for (index, name) in ["gXYZ", "bXYZ"].enumerated() {
          appendTag(Array(name.utf8), Self.clamped(start, index + 1, length), length)
        }
      }
      guard profile.count <= size else { throw .invalidProfilePrediction }
    }
  }

  private mutating func appendTag(_ name: [UInt8], _ start: Int, _ length: Int) {
    append(name + Self.bigEndian(start) + Self.bigEndian(length))
  }

  private mutating func appendContent() throws(ImageError) {
    let command = Int(try readCommand())
    switch command {
    case 1: append(try readData(try readNumber()))
    case 2, 3: append(try readShuffled(try readNumber(), width: command == 2 ? 2 : 4))
    case 4: try appendPredicted()
    case 10:
      append(Array("XYZ ".utf8) + [0, 0, 0, 0])
      append(try readData(12))
    case 16..<16 + Self.typeNames.count:
      append(Array(Self.typeNames[command - 16].utf8) + [0, 0, 0, 0])
    default: throw .invalidProfilePrediction
    }
    guard profile.count <= size else { throw .invalidProfilePrediction }
  }

  /// Appends integers as differences from a polynomial through earlier ones.
  private mutating func appendPredicted() throws(ImageError) {
    let flags = Int(try readCommand())
    let (width, order) = (flags & 3 + 1, flags >> 2 & 3)
    let stride = flags & 16 != 0 ? try readNumber() : width
    guard width != 3, order < 3, stride >= width, profile.count / 4 >= stride,
      profile.count > 4 * stride
    else { throw .invalidProfilePrediction }
    let differences = try readShuffled(try readNumber(), width: width)
    let start = profile.count
    for (index, difference) in differences.enumerated() {
      let first = start + index - index % width
      func earlier(_ count: Int) -> Int {
        let place = first - count * stride
        return profile[place..<place + width].reduce(0) { $0 << 8 | Int($1) }
      }
      let predicted =
        switch order {
        case 0: earlier(1)
        case 1: 2 * earlier(1) - earlier(2)
        default: 3 * earlier(1) - 3 * earlier(2) + earlier(3)
        }
      let shift = 8 * (width - 1 - index % width)
      profile.append(UInt8(truncatingIfNeeded: predicted >> shift) &+ difference)
    }
  }

  private mutating func append(_ bytes: some Sequence<UInt8>) { profile.append(contentsOf: bytes) }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    let value = UInt32(truncatingIfNeeded: value)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Returns `start + count * length`, at most the largest integer.
  private static func clamped(_ start: Int, _ count: Int, _ length: Int) -> Int {
    let (product, overflow) = count.multipliedReportingOverflow(by: length)
    let (sum, overflows) = start.addingReportingOverflow(product)
    return overflow || overflows ? .max : sum
  }
}

extension ImageError {
  fileprivate static let invalidProfilePrediction = ImageError(
    .invalidValue, ["field": "ICC profile", "value": "not the declared size"])
}

/// The ICC profile of a codestream: entropy-coded bytes, from which `JPEGXLProfilePrediction` makes
/// it.
///
/// Source: ISO/IEC 18181-1, E.4.
struct JPEGXLCodedProfile {
  /// Number of coded bytes.
  private let count: Int
  private let start: Int
  private let decoder: JPEGXLEntropyDecoder

  /// Reads the distributions that precede the coded bytes.
  init(_ reader: inout BitReader) throws(ImageError) {
    start = reader.position
    count = Int(clamping: try reader.readVariable())
    decoder = try JPEGXLEntropyDecoder(&reader, contexts: 41)
  }

  /// Reads the coded bytes.
  ///
  /// - Throws: `.malformed` or `.truncated` if they are invalid.
  func read(_ reader: inout BitReader) throws(ImageError) -> [UInt8] {
    var decoder = decoder
    var bytes: [UInt8] = []
    var last: (UInt8, UInt8) = (0, 0)
    for index in 0..<count {
      last = (try Self.byte(index, after: last, &decoder, &reader), last.0)
      bytes.append(last.0)
      guard index & 0xFFFF == 0xFFFF else { continue }
      // Bytes that hardly take any bits must not make the work exceed the file; as in libjxl.
      guard index / 32 < reader.position - start else { throw .invalidEntropyCode }
      try Execution.current.budget.debit(steps: 1 << 14, for: "ICC profile")
    }
    try decoder.finish()
    return bytes
  }

  /// Reads the size of the decoded profile, which precedes it.
  ///
  /// - Throws: `.malformed` or `.truncated` if it is invalid.
  func size(_ reader: inout BitReader) throws(ImageError) -> Int {
    var decoder = decoder
    var last: (UInt8, UInt8) = (0, 0)
    var size: UInt64 = 0
    for index in 0..<min(count, 9) {
      last = (try Self.byte(index, after: last, &decoder, &reader), last.0)
      size |= UInt64(last.0 & 0x7F) << UInt64(7 * index)
      if last.0 < 0x80 { return Int(clamping: size) }
    }
    throw .invalidEntropyCode
  }

  private static func byte(
    _ index: Int, after last: (UInt8, UInt8), _ decoder: inout JPEGXLEntropyDecoder,
    _ reader: inout BitReader
  ) throws(ImageError) -> UInt8 {
    let context = index > 128 ? 1 + classOfLast(last.0) + 8 * classOfEarlier(last.1) : 0
    guard let byte = UInt8(exactly: try decoder.read(&reader, context: context)) else {
      throw .invalidEntropyCode
    }
    return byte
  }

  /// Class of the byte before the coded one.
  private static func classOfLast(_ byte: UInt8) -> Int {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A: 0
    case 0x30...0x39, 0x2C, 0x2E: 1
    case 0...1: 2 + Int(byte)
    case 2...15: 4
    case 241...254: 5
    case 255: 6
    default: 7
    }
  }

  /// Class of the byte before that.
  private static func classOfEarlier(_ byte: UInt8) -> Int {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A: 0
    case 0x30...0x39, 0x2C, 0x2E: 1
    case 0...15: 2
    case 241...255: 3
    default: 4
    }
  }
}

extension JPEGXLFile {
  /// Returns the size of the ICC profile of the codestream, in bytes; `nil` without one.
  ///
  /// - Throws: `.malformed` or `.truncated` if it is invalid, `.inputOutput` if it cannot be read.
  package func profileSize() throws(ImageError) -> Int? {
    let header = try imageHeader()
    guard header.color.hasProfile, let end = header.layout.end else { return nil }
    var reader = BitReader(try Self.head(of: codestream), order: .leastSignificantFirst, offset: 0)
    try reader.skip(end)
    return try JPEGXLCodedProfile(&reader).size(&reader)
  }

  /// Returns the ICC profile of the codestream; `nil` without one.
  ///
  /// - Parameter limit: Maximum size of the profile, in bytes.
  /// - Returns: The profile.
  /// - Throws: `.malformed` or `.truncated` if it is invalid, `.limitExceeded` if it is larger,
  ///   `.inputOutput` if it cannot be read.
  package func profile(limit: Int = 1 << 24) throws(ImageError) -> [UInt8]? {
    let header = try imageHeader()
    guard header.color.hasProfile else { return nil }
    return try JPEGXLFrames(codestream, header: header).profile(limit: limit)
  }
}
