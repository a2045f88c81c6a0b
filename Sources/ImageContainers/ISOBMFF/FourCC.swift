/// The four characters that name a box, an item type, a brand or a reference.
///
/// Source: ISO/IEC 14496-12, 4.2.
public struct FourCC: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Whether all four are printable ASCII, as every registered code is.
  public var isPrintable: Bool { bytes.allSatisfy { (0x20...0x7E).contains($0) } }

  private var bytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
  }
}

extension FourCC: ExpressibleByStringLiteral {
  /// A code spelled in the source: four ASCII characters; others than the first four do not count,
  /// and missing ones are spaces.
  public init(stringLiteral text: StaticString) {
    let characters = Array(text.description.utf8.prefix(4)) + [32, 32, 32, 32]
    rawValue = characters.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension FourCC: CustomStringConvertible {
  /// The characters, or the number in hexadecimal if not all are printable.
  public var description: String {
    guard isPrintable else { return "0x" + String(rawValue, radix: 16) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
