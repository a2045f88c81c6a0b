// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension JPEGTrailer {
  /// Splits a range of a file that is not an image into trailers.
  static func split(
    _ range: Range<Int>, of source: ByteSource
  ) throws(ImageError) -> [JPEGTrailer] {
    let samsung = try samsungData(in: range, of: source)
    let end = samsung?.range.lowerBound ?? range.upperBound
    var pieces = [
      JPEGTrailer(
        content: try content(of: range.lowerBound..<end, in: source), range: range.lowerBound..<end)
    ]
    if let samsung { pieces.append(samsung) }
    return pieces.filter { !$0.range.isEmpty }
  }

  private static func content(
    of range: Range<Int>, in source: ByteSource
  ) throws(ImageError) -> Content {
    let head = try source.bytes(in: range.lowerBound..<min(range.lowerBound + 8, range.upperBound))
    if head.dropFirst(4).starts(with: "ftyp".utf8) { return .video }
    // Longer runs are not padding, even if they begin with zeros.
    guard range.count <= 1 << 16 else { return .unknown }
    return try source.bytes(in: range).allSatisfy { $0 == 0 } ? .padding : .unknown
  }

  /// Returns the Samsung data at the end of the range; `nil` if missing.
  ///
  /// The file ends with a directory that begins with `SEFH`, its length, and `SEFT`. For each data
  /// block, the directory stores the distance from the block to the directory.
  ///
  /// Source: ExifTool, Samsung.pm, as documentation of the format.
  private static func samsungData(
    in range: Range<Int>, of source: ByteSource
  ) throws(ImageError) -> JPEGTrailer? {
    guard range.count >= 20 else { return nil }
    let tail = try source.bytes(in: range.upperBound - 8..<range.upperBound)
    guard tail.suffix(4) == Array("SEFT".utf8)[...] else { return nil }
    let length = Int(littleEndian(tail.prefix(4)))
    guard length >= 12, length <= range.count - 8 else { return nil }
    let directoryStart = range.upperBound - 8 - length
    let directory = try source.bytes(in: directoryStart..<range.upperBound - 8)
    guard directory.starts(with: "SEFH".utf8) else { return nil }
    var start = directoryStart
    var names: [String] = []
    for entry in stride(from: 12, to: directory.count - 11, by: 12) {
      let distance = Int(littleEndian(directory[(entry + 4)..<(entry + 8)]))
      guard distance <= directoryStart - range.lowerBound else { return nil }
      let block = directoryStart - distance
      start = min(start, block)
      if names.count < mostNames, let name = try name(ofBlock: block..<directoryStart, in: source) {
        names.append(name)
      }
    }
    return JPEGTrailer(content: .samsung, range: start..<range.upperBound, names: names)
  }

  /// Maximum number of blocks; exceeds that of any camera.
  private static let mostNames = 64

  /// Returns the name of a Samsung data block, which follows its type and the length of the name.
  private static func name(
    ofBlock range: Range<Int>, in source: ByteSource
  ) throws(ImageError) -> String? {
    let head = try source.bytes(in: range.lowerBound..<min(range.lowerBound + 72, range.upperBound))
    guard head.count > 8 else { return nil }
    let length = Int(littleEndian(head[4..<8]))
    guard (1...64).contains(length), length <= head.count - 8 else { return nil }
    let name = head[8..<8 + length]
    guard name.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
