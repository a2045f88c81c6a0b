// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Pairs of identical coded data in two files.
package struct PayloadPairing: Sendable {
  /// Coded data that one file or both files contain.
  package struct Entry: Hashable, Sendable {
    /// Name of the data in the first file; `nil` if it does not contain them.
    package let first: String?
    /// Name of the data in the second file; `nil` if it does not contain them.
    package let second: String?
    /// Number of bytes.
    package let byteCount: Int
    /// SHA-256 digest, in hexadecimal.
    package let sha256: String
  }

  /// The data of the first file in file order, then those that only the second file contains.
  package let entries: [Entry]

  /// Pairs the data of two files; if one file contains identical data repeatedly, they are paired
  /// in file order.
  ///
  /// - Parameters:
  ///   - first: Data of the first file.
  ///   - second: Data of the second file.
  /// - Throws: Errors of reading the data.
  package init(_ first: [CodedPayload], _ second: [CodedPayload]) throws(ImageError) {
    var unpaired: [String: ArraySlice<CodedPayload>] = [:]
    var order: [(digest: String, payload: CodedPayload)] = []
    for (digest, payload) in zip(try CodedPayload.sha256(of: second), second) {
      unpaired[digest, default: []].append(payload)
      order.append((digest, payload))
    }
    var entries: [Entry] = []
    for (digest, payload) in zip(try CodedPayload.sha256(of: first), first) {
      let partner = unpaired[digest]?.popFirst()
      entries.append(
        Entry(
          first: payload.name, second: partner?.name, byteCount: payload.count, sha256: digest))
    }
    for (digest, payload) in order {
      guard unpaired[digest]?.first?.name == payload.name else { continue }
      unpaired[digest]?.removeFirst()
      entries.append(
        Entry(first: nil, second: payload.name, byteCount: payload.count, sha256: digest))
    }
    self.entries = entries
  }
}
