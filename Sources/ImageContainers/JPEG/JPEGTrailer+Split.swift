internal import HDRCore

extension JPEGTrailer {
  /// What lies in a stretch of a file that is not a picture.
  static func split(
    _ range: Range<Int>, of source: ByteSource
  ) throws(ImageError) -> [JPEGTrailer] {
    let samsung = try samsungStart(in: range, of: source) ?? range.upperBound
    let pieces = [
      JPEGTrailer(
        kind: try kind(of: range.lowerBound..<samsung, in: source),
        range: range.lowerBound..<samsung),
      JPEGTrailer(kind: .samsung, range: samsung..<range.upperBound),
    ]
    return pieces.filter { !$0.range.isEmpty }
  }

  private static func kind(
    of range: Range<Int>, in source: ByteSource
  ) throws(ImageError) -> Kind {
    let head = try source.bytes(in: range.lowerBound..<min(range.lowerBound + 8, range.upperBound))
    if head.dropFirst(4).starts(with: "ftyp".utf8) { return .video }
    // Longer runs are not padding but something that happens to begin with zeros.
    guard range.count <= 1 << 16 else { return .unknown }
    return try source.bytes(in: range).allSatisfy { $0 == 0 } ? .padding : .unknown
  }

  /// Where Samsung's data begin, if they are at the end of the range.
  ///
  /// The file ends with a directory from `SEFH`, its length, and `SEFT`; the directory gives the
  /// distance of each block of data before it.
  ///
  /// Source: ExifTool, Samsung.pm, as documentation of the format.
  private static func samsungStart(
    in range: Range<Int>, of source: ByteSource
  ) throws(ImageError) -> Int? {
    guard range.count >= 20 else { return nil }
    let tail = try source.bytes(in: range.upperBound - 8..<range.upperBound)
    guard tail.suffix(4) == Array("SEFT".utf8)[...] else { return nil }
    let length = Int(littleEndian(tail.prefix(4)))
    guard length >= 12, length <= range.count - 8 else { return nil }
    let directoryStart = range.upperBound - 8 - length
    let directory = try source.bytes(in: directoryStart..<range.upperBound - 8)
    guard directory.starts(with: "SEFH".utf8) else { return nil }
    var start = directoryStart
    for entry in stride(from: 12, to: directory.count - 11, by: 12) {
      let distance = Int(littleEndian(directory[(entry + 4)..<(entry + 8)]))
      guard distance <= directoryStart - range.lowerBound else { return nil }
      start = min(start, directoryStart - distance)
    }
    return start
  }

  private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
