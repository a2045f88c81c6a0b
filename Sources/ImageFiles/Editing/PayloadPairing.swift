package import HDRCore
internal import ImageContainers

/// Which coded data two files share, byte for byte.
package struct PayloadPairing: Sendable {
  /// Coded data of one file or of both.
  package struct Entry: Hashable, Sendable {
    /// What the data belong to in the first file; `nil` if it does not have them.
    package let first: String?
    /// Name of the data in the second file.
    package let second: String?
    /// Number of bytes.
    package let byteCount: Int
    /// In hexadecimal.
    package let sha256: String
  }

  /// The first file's data in their order, then those that only the second file has.
  package let entries: [Entry]

  /// Pairs the data of two files; equal data of one file are paired in their order.
  ///
  /// - Parameters:
  ///   - first: Data of the first file.
  ///   - second: Data of the second.
  /// - Throws: What reading the data throws.
  package init(_ first: [CodedPayload], _ second: [CodedPayload]) throws(ImageError) {
    var unpaired: [String: [CodedPayload]] = [:]
    var order: [(digest: String, payload: CodedPayload)] = []
    for payload in second {
      let digest = try payload.sha256()
      unpaired[digest, default: []].append(payload)
      order.append((digest, payload))
    }
    var entries: [Entry] = []
    for payload in first {
      let digest = try payload.sha256()
      let partner = unpaired[digest].flatMap { $0.isEmpty ? nil : $0[0] }
      if partner != nil { unpaired[digest]?.removeFirst() }
      entries.append(
        Entry(
          first: payload.name, second: partner?.name, byteCount: payload.count, sha256: digest))
    }
    for (digest, payload) in order {
      guard let index = unpaired[digest]?.firstIndex(where: { $0.name == payload.name }) else {
        continue
      }
      unpaired[digest]?.remove(at: index)
      entries.append(
        Entry(first: nil, second: payload.name, byteCount: payload.count, sha256: digest))
    }
    self.entries = entries
  }
}
