internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// What `tag --json` prints.
struct TagReport: ReportObject {
  static let title = "Tag report"

  /// One metadatum that is not what it was.
  struct Change: ReportObject {
    static let title = "Change"
    let name: String
    let before: String?
    let after: String?

    enum CodingKeys: String, CodingKey, CaseIterable { case name, before, after }
  }

  /// Coded data with their digests.
  struct Payload: ReportObject {
    static let title = "Payload"
    let name: String
    let bytes: Int
    let before: String
    let after: String

    enum CodingKeys: String, CodingKey, CaseIterable { case name, bytes, before, after }
  }

  let schema = "hdrconvert/tag/1"
  let input: String
  let output: String?
  let item: UInt32?
  let bytes: Int
  let changes: [Change]
  let payloads: [Payload]
  let notices: [NoticeReport]

  init(
    input: String, output: String?, item: UInt32?, edited: EditedFile
  ) throws(ImageError) {
    self.input = input
    self.output = output
    self.item = item
    bytes = edited.bytes.count
    changes = zip(edited.before.words, edited.after.words).compactMap { before, after in
      before == after ? nil : Change(name: before.name, before: before.value, after: after.value)
    }
    payloads = try edited.proof().map {
      Payload(name: $0.name, bytes: $0.count, before: $0.before, after: $0.after)
    }
    notices = edited.notices.map(NoticeReport.init)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case schema, input, output, item, bytes, changes, payloads, notices
  }

  /// For people: each change in a line, then each coded picture.
  func lines(withPayloads: Bool) -> [String] {
    var lines = [input]
    lines += changes.map { change in
      "  \(change.name): \(change.before ?? "-") -> \(change.after ?? "-")"
    }
    if changes.isEmpty { lines.append("  nothing changes") }
    guard withPayloads else { return lines }
    lines += payloads.map { payload in
      "  \(payload.name), \(payload.bytes) bytes, SHA-256 \(payload.before) before, "
        + (payload.before == payload.after ? "the same after" : "\(payload.after) after")
    }
    return lines
  }
}

extension MetadataSummary {
  fileprivate struct Word: Equatable {
    let name: String
    let value: String?
  }

  /// Each metadatum as the options of the command spell it.
  fileprivate var words: [Word] {
    [
      Word(
        name: "clli",
        value: hdr.contentLightLevel.map { "\(short($0.maximum)),\(short($0.maximumAverage))" }),
      Word(
        name: "mdcv",
        value: hdr.masteringDisplay.map {
          "\($0.primaries.name),\(short($0.maximumLuminance)),\(short($0.minimumLuminance))"
        }),
      Word(
        name: "cclv",
        value: hdr.contentColorVolume.map { volume in
          ([volume.primaries?.name ?? "?"]
            + [volume.minimumLuminance, volume.maximumLuminance, volume.averageLuminance]
            .map { $0.map(short) ?? "?" }).joined(separator: ",")
        }),
      Word(name: "ndwt", value: hdr.diffuseWhite.map(short)),
      Word(
        name: "reve",
        value: hdr.referenceEnvironment.map {
          "\(short($0.surroundLuminance)),\(short($0.peripheryLuminance))"
        }),
      Word(name: "amve", value: hdr.ambientEnvironment.map { short($0.illuminance) }),
      Word(name: "cicp", value: codePoints?.description),
      Word(name: "icc", value: Self.digest(profile)),
      Word(name: "orientation", value: "\(orientation.rawValue)"),
      Word(name: "exif", value: Self.digest(exif)),
      Word(name: "xmp", value: Self.digest(xmp)),
      Word(name: "location", value: hasLocation ? "yes" : nil),
    ]
  }

  private static func digest(_ bytes: [UInt8]?) -> String? {
    bytes.map { "\($0.count) bytes (SHA-256 \(SHA256.hexadecimal($0).prefix(12)))" }
  }
}
