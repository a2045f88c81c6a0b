// SPDX-License-Identifier: Apache-2.0
internal import Platform

extension Double {
  /// Formats the number as `printf` does, with a period, whatever the user's language.
  ///
  /// - Parameter format: One conversion of a `double`, such as `%.3g`.
  /// - Returns: The text, at most 400 characters.
  package func formatted(as format: String) -> String {
    // SAFETY: the C library writes at most the size of the buffer, with a terminating zero.
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 401) { buffer in
      _ = unsafe withVaList([self]) {
        unsafe vsnprintf(buffer.baseAddress, buffer.count, format, $0)
      }
      return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  package var trimmed: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}

/// The mark of errors of decoding that contain text for people.
///
/// Those of Swift's enumerations contain names of types instead.
package struct ExplainedDecoding: Error {}

extension DecodingError {
  /// The error of text that a type of this toolkit refuses.
  package static func explained(_ text: String, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(
      Context(codingPath: path, debugDescription: text, underlyingError: ExplainedDecoding()))
  }
}
