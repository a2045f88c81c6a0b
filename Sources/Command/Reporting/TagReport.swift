// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports

/// Result of `tag`.
struct TagReport: ReportObject {
  static let schemaName = "taggedFile"

  /// A changed value.
  struct Change: ReportObject {
    static let schemaName = "change"
    let name: String
    let before: String?
    let after: String?

    enum CodingKeys: String, CodingKey, CaseIterable { case name, before, after }
  }

  let input: String
  let output: String?
  let item: Int?
  let bytes: Int
  let changes: [Change]
  let payloads: [CodedDataReport]
  let notices: [NoticeReport]

  init(input: String, output: String?, item: Int?, edited: EditedFile) throws(ImageError) {
    self.input = input
    self.output = output
    self.item = item
    bytes = edited.bytes.count
    let values = zip(edited.before.entries, edited.after.entries).compactMap { before, after in
      before == after ? nil : Change(name: before.name, before: before.value, after: after.value)
    }
    let found = values + edited.removedParts.map { Change(name: $0, before: "yes", after: nil) }
    changes =
      found.isEmpty && !edited.isUnchanged
      ? [Change(name: "other", before: nil, after: nil)] : found
    payloads = try edited.proof().map {
      CodedDataReport(
        name: $0.name, bytes: $0.count, sha256: $0.after,
        status: $0.before == $0.after ? .unchanged : .reencoded)
    }
    notices = edited.notices.map(NoticeReport.init)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, item, bytes, changes, notices
    case payloads = "codedData"
  }

  /// A line for each change, then for each coded image.
  func lines(withPayloads: Bool) -> [String] {
    var lines = [input]
    lines += changes.map { change in
      change.before == nil && change.after == nil
        ? "  changes of metadata other than those in this list"
        : "  \(change.name): \(change.before ?? "-") -> \(change.after ?? "-")"
    }
    if changes.isEmpty { lines.append("  no changes") }
    guard withPayloads else { return lines }
    return lines + payloads.map(\.line)
  }
}

extension MetadataSummary {
  fileprivate struct Entry: Equatable {
    let name: String
    let value: String?
  }

  /// Each value in the form that options take.
  fileprivate var entries: [Entry] {
    LightNotation.all.map { Entry(name: $0.key.name, value: $0.text(light)) } + [
      Entry(name: "cicp", value: codePoints?.description),
      Entry(name: "icc", value: Self.digest(profile)),
      Entry(name: "orientation", value: "\(orientation.rawValue)"),
      Entry(name: "exif", value: Self.digest(exif)),
      Entry(name: "xmp", value: Self.digest(xmp)),
      Entry(name: "location", value: hasLocation ? "yes" : nil),
    ]
  }

  private static func digest(_ bytes: [UInt8]?) -> String? {
    bytes.map { "\($0.count) bytes (SHA-256 \(SHA256.hexadecimal($0).prefix(12)))" }
  }
}
