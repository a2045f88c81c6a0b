// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The coded data of a file, to be found by their bytes.
///
/// Data are compared with the only known data of their size, and otherwise by digest, so that no
/// number of equal sizes makes a search slow.
struct KnownPayloads {
  private let bySize: [Int: [CodedPayload]]
  /// Digests of all known data of a size.
  private var digests: [Int: Set<String>] = [:]
  /// Results for data that several items share; identities are valid while the data are kept.
  private var found: [[SourceBytes.Identity]: (payload: CodedPayload, isKnown: Bool)] = [:]

  init(_ payloads: [CodedPayload]) { bySize = Dictionary(grouping: payloads, by: \.count) }

  /// Whether the same bytes are known.
  ///
  /// - Throws: Errors of reading the data.
  mutating func contains(_ payload: CodedPayload) throws(ImageError) -> Bool {
    guard let candidates = bySize[payload.count] else { return false }
    let identity = payload.parts.identities
    if let earlier = found[identity] { return earlier.isKnown }
    let isKnown: Bool
    if candidates.count == 1 {
      try Execution.current.budget.debit(steps: payload.count >> 10, for: "coded data")
      isKnown = try candidates[0].hasSameBytes(as: payload)
    } else {
      if digests[payload.count] == nil {
        digests[payload.count] = Set(try CodedPayload.sha256(of: candidates))
      }
      isKnown = digests[payload.count]?.contains(try payload.sha256()) == true
    }
    found[identity] = (payload, isKnown)
    return isKnown
  }
}
