// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
    var reader = BitReader(
      try Self.head(of: codestream), order: .leastSignificantFirst, offset: 0)
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
