internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// JSON report of `remux`, `gainmap flatten`, `gainmap join`, `gainmap swap`, and of `convert` if it
/// keeps a gain map.
struct RearrangingReport: ReportObject {
  static let title = "Rearranging report"

  struct Payload: ReportObject {
    static let title = "Payload"
    let name: String
    let bytes: Int
    let sha256: String
    /// Whether the bytes are those of the input.
    let isUnchanged: Bool
    /// Whether the coefficients are those of the input, in another order of rows and columns.
    let isTurned: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
      case name, bytes, sha256, isUnchanged, isTurned
    }
  }

  let schema: String
  let input: String
  let output: String
  let bytes: Int
  let before: [String]
  let after: [String]
  /// In stops.
  let worstError: Double
  let payloads: [Payload]
  let notices: [NoticeReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case schema, input, output, bytes, before, after, worstError, payloads, notices
  }

  init(
    verb: String, input: String, output: String, bytes: Int, _ result: RearrangedFile
  ) throws(ImageError) {
    schema = "hdrconvert/\(verb)/1"
    self.input = input
    self.output = output
    self.bytes = bytes
    before = result.before.map(\.rawValue)
    after = result.after.map(\.rawValue)
    worstError = result.worstError
    var payloads: [Payload] = []
    for payload in result.payloads {
      payloads.append(
        Payload(
          name: payload.name, bytes: payload.count, sha256: try payload.sha256(),
          isUnchanged: !result.codedAnew.union(result.turned).contains(payload.name),
          isTurned: result.turned.contains(payload.name)))
    }
    self.payloads = payloads
    notices = result.notices.map(NoticeReport.init)
  }

  /// The digests as text.
  var lines: [String] {
    func list(_ flavors: [String]) -> String {
      flavors.isEmpty ? "none" : flavors.joined(separator: ", ")
    }
    let head = [output, "  gain map: \(list(before)) -> \(list(after))"]
    let proof = payloads.map {
      "  \($0.name), \($0.bytes) bytes, SHA-256 \($0.sha256), "
        + ($0.isUnchanged ? "unchanged" : $0.isTurned ? "rotated" : "re-encoded")
    }
    return head + proof
  }
}
