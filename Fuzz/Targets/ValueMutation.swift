// SPDX-License-Identifier: Apache-2.0

/// A mutation of the numbers of a file to extremes: the largest and smallest of their type, denormals,
/// infinity, NaN, fractions over zero, and neighbors whose difference overflows.
///
/// Mutations of bytes hardly find them: one number of eight bytes in 2^52 is that close to overflow.
public struct ValueMutation {
  private var random: SplitMix

  /// Makes the mutations of a seed.
  ///
  /// - Parameter seed: The same seed gives the same mutation.
  public init(seed: UInt64) { random = SplitMix(state: seed) }

  private static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.5, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, 1e300, -1e300,
    0x1p-1063,
    1e19, -1e19, 0x1p31, 0x1p32, 0x1p63, 0x1p64, 65_536, 1e30,
  ]
  private static let floats: [Float] = [
    0, -0.0, 1, -1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, 3.4e38, -3.4e38, 1e19, -1e19, 0x1p31, 0x1p32, 65_536,
  ]
  private static let integers: [UInt32] = [
    0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001,
    0xFFFF_FFFE, .max,
  ]
  private static let texts = [
    "0", "-0", "-1", "1e300", "-1e300", "1e-320", "1e400", "NaN", "inf", "-inf", "0/0", "1/0",
    "4294967295/1", "-2147483648/1", "9223372036854775807", "-9223372036854775808",
    "18446744073709551616", "340282346638528859811704183484516925440",
  ]

  /// Returns the bytes with one or two numbers changed.
  ///
  /// - Parameter bytes: A file, or a part of one.
  /// - Returns: The mutated bytes; as many as before, except for text.
  public mutating func apply(to bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 16 else { return bytes }
    let isText = bytes[0] == UInt8(ascii: "<") || bytes[0] == UInt8(ascii: "{")
    if isText || random.below(8) == 0, let changed = withText(bytes) { return changed }
    let isTIFF = bytes.starts(with: "II*\0".utf8) || bytes.starts(with: "MM\0*".utf8)
    if isTIFF, random.below(2) == 0, let changed = withTIFFValue(bytes) { return changed }
    var changed = bytes
    var position = random.below(bytes.count - 8)
    // Most formats align numbers, or begin them at even offsets.
    if random.below(4) != 0 { position &= ~1 }
    let isBig = isTIFF ? bytes[0] == UInt8(ascii: "M") : random.below(4) != 0
    for _ in 0...random.below(2) {
      let number = anyNumber(isBig: isBig)
      guard position + number.count <= bytes.count else { break }
      changed.replaceSubrange(position..<position + number.count, with: number)
      position += number.count
    }
    return changed
  }

  private mutating func element<Element>(_ list: [Element]) -> Element {
    list[random.below(list.count)]
  }

  private mutating func anyNumber(isBig: Bool) -> [UInt8] {
    switch random.below(4) {
    case 0: Self.bytes(element(Self.doubles).bitPattern, isBig)
    case 1: Self.bytes(element(Self.floats).bitPattern, isBig)
    case 2: Self.bytes(element(Self.integers), isBig)
    default: Self.bytes(UInt16(truncatingIfNeeded: element(Self.integers)), isBig)
    }
  }

  /// Replaces a number of text; `nil` without one.
  private mutating func withText(_ bytes: [UInt8]) -> [UInt8]? {
    func isDigit(_ index: Int) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= bytes[index] }
    let start = random.below(bytes.count)
    guard let first = (start..<bytes.count).first(where: isDigit) else { return nil }
    let end = (first..<bytes.count).first { !isDigit($0) && bytes[$0] != UInt8(ascii: ".") }
    return bytes[..<first] + Array(element(Self.texts).utf8) + bytes[(end ?? bytes.count)...]
  }

  /// Changes a number of an entry of a directory to an extreme of its type.
  ///
  /// Source: TIFF 6.0, section 2.
  private mutating func withTIFFValue(_ bytes: [UInt8]) -> [UInt8]? {
    let isBig = bytes[0] == UInt8(ascii: "M")
    func number(_ start: Int, _ count: Int) -> Int? {
      guard start >= 0, start <= bytes.count - count else { return nil }
      let part = bytes[start..<start + count]
      return (isBig ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    var directories: [Int] = []
    var next = number(4, 4)
    while let directory = next, directory > 0, directories.count < 8,
      let count = number(directory, 2)
    {
      directories.append(directory)
      // Directories of raw images are those of tag 330.
      for entry in 0..<min(count, 200) where number(directory + 2 + 12 * entry, 2) == 330 {
        if let child = number(directory + 10 + 12 * entry, 4), number(child, 2) != nil {
          directories.append(child)
        }
      }
      next = number(directory + 2 + 12 * count, 4)
    }
    guard !directories.isEmpty else { return nil }
    let directory = element(directories)
    guard let entries = number(directory, 2), entries > 0 else { return nil }
    let entry = directory + 2 + 12 * random.below(entries)
    guard let type = number(entry + 2, 2), let count = number(entry + 4, 4), count > 0,
      let place = number(entry + 8, 4)
    else { return nil }
    let size = [3: 2, 4: 4, 5: 8, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8][type] ?? 1
    let value: [UInt8] =
      switch type {
      case 3, 8: Self.bytes(UInt16(truncatingIfNeeded: element(Self.integers)), isBig)
      case 4, 9: Self.bytes(element(Self.integers), isBig)
      case 5, 10:
        Self.bytes(element(Self.integers), isBig) + Self.bytes(element(Self.integers), isBig)
      case 11: Self.bytes(element(Self.floats).bitPattern, isBig)
      case 12: Self.bytes(element(Self.doubles).bitPattern, isBig)
      // Bytes contain numbers of their own, such as those of opcodes, which are always big-endian.
      default: anyNumber(isBig: type == 7 || isBig)
      }
    let isInline = count <= 4 / size
    let start = isInline ? entry + 8 : place
    // The first numbers matter more than the thousandth.
    let index = random.below(2) == 0 ? random.below(min(count, 32)) : random.below(count)
    let position = start + index * size
    guard position <= bytes.count - value.count, !isInline || index * size + value.count <= 4 else {
      return nil
    }
    var changed = bytes
    changed.replaceSubrange(position..<position + value.count, with: value)
    return changed
  }

  private static func bytes<T: FixedWidthInteger>(_ number: T, _ isBig: Bool) -> [UInt8] {
    let shifts = stride(from: 0, to: T.bitWidth, by: 8)
    let little = shifts.map { UInt8(truncatingIfNeeded: number >> T($0)) }
    return isBig ? little.reversed() : little
  }
}
