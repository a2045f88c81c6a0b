// SPDX-License-Identifier: Apache-2.0

extension RandomAccessCollection<UInt8> where Index == Int {
  /// The code units of text in UTF-16; an odd last byte is ignored.
  ///
  /// - Parameter isBigEndian: Whether the first byte of a unit is the high one.
  /// - Returns: The units.
  func utf16Units(isBigEndian: Bool) -> [UInt16] {
    stride(from: startIndex, to: endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(self[index]), UInt16(self[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
  }
}
