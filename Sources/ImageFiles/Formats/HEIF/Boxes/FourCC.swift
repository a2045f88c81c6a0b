// SPDX-License-Identifier: Apache-2.0
/// A four-character code of a box, an item type, a brand or a reference.
///
/// Source: ISO/IEC 14496-12, 4.2.
package struct FourCC: RawRepresentable, Hashable, Sendable {
  /// The four characters as a big-endian number, the first one in the most significant byte.
  package var rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Whether all characters are printable ASCII, as in every registered code.
  package var isPrintable: Bool { bytes.allSatisfy { (0x20...0x7E).contains($0) } }

  private var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) } }
}

extension FourCC: ExpressibleByStringLiteral {
  /// Creates a code from at most four ASCII characters.
  ///
  /// Further characters are ignored; missing ones are spaces, so that `"uri"` is `'uri '`.
  package init(stringLiteral text: StaticString) {
    rawValue = text.withUTF8Buffer { characters in
      (0..<4).reduce(0) { value, index in
        // SAFETY: the index is within the buffer.
        let character = unsafe index < characters.count ? characters[index] : UInt8(ascii: " ")
        return value << 8 | UInt32(character)
      }
    }
  }
}

extension FourCC: CustomStringConvertible {
  /// The characters, or the value in hexadecimal if a character is not printable.
  package var description: String {
    guard isPrintable else { return "0x" + String(rawValue, radix: 16) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
