// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension TIFFFile {
  /// The integers of an entry; empty if the directory does not contain it.
  package func integers(_ tag: TIFFTag, in directory: TIFFDirectory) throws(ImageError) -> [Int] {
    guard let entry = directory[tag] else { return [] }
    return try unsigned(entry).map { Int(clamping: $0) }
  }

  /// The bytes of the file with other integers in an entry; unchanged if their type cannot store
  /// them.
  func replacing(_ entry: TIFFEntry, with integers: [Int]) -> ByteSource {
    let size = entry.values.count / max(integers.count, 1)
    guard entry.values.count == size * integers.count, entry.values.upperBound <= source.count,
      integers.allSatisfy({ size >= 8 || $0 >> (8 * size) == 0 })
    else { return source }
    var file = SplicedBytes(source: source)
    file.append(0..<entry.values.lowerBound)
    file.append(
      integers.flatMap { integer in
        let bytes = byteOrder.bytes(of: UInt64(integer))
        return byteOrder == .bigEndian ? bytes.suffix(size) : bytes.prefix(size)
      })
    file.append(entry.values.upperBound..<source.count)
    return ByteSource(file)
  }
}
