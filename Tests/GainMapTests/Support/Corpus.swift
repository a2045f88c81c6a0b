import Foundation
import HDRCore
import ImageContainers
import Testing

/// Real files, which a fresh clone does not have.
enum Corpus {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["HDR_CORPUS"] {
      return URL(filePath: path)
    }
    return URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "../shared/corpus")
      .standardized
  }()

  static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  static func heif(_ name: String) throws -> HEIFFile {
    try HEIFFile(parsing: ByteSource(path: folder.appending(path: name).path))
  }

  /// What the manifest says about a file, as far as gain maps are concerned.
  struct Entry: CustomTestStringConvertible, Sendable {
    let name: String
    let expected: String
    /// The parameters of each ISO 21496-1 payload, in order.
    let iso: [[String: [Double]]]
    /// The `hdrgm` properties of each gain map, in order.
    let hdrgm: [[String: [String]]]
    /// HDRGainMapHeadroom of the map.
    let appleHeadroom: Double?
    /// HDRHeadroom and HDRGain of the maker note.
    let makerNote: (headroom: Double?, gain: Double?)?

    var testDescription: String { name }
  }

  /// Files of the manifest whose row has something about gain maps.
  static let entries: [Entry] = {
    guard let data = try? Data(contentsOf: folder.appending(path: "MANIFEST.json")),
      let manifest = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let files = manifest["files"] as? [[String: Any]]
    else { return [] }
    return files.compactMap(entry)
  }()

  private static func entry(_ row: [String: Any]) -> Entry? {
    guard let name = row["name"] as? String, let map = row["gain_map"] as? [String: Any] else {
      return nil
    }
    let parts = ["tmap", "aux_gainmap", "images"].flatMap { map[$0] as? [[String: Any]] ?? [] }
    let iso = parts.compactMap { $0["iso"] ?? $0["iso21496"] }.compactMap { $0 as? [String: Any] }
    let xmp = parts.compactMap { $0["xmp"] as? [String: Any] }
    let note = row["apple_makernote"] as? [String: Double] ?? [:]
    guard !iso.isEmpty || !xmp.isEmpty || !note.isEmpty else { return nil }
    return Entry(
      name: name, expected: row["expected"] as? String ?? "",
      iso: iso.map { $0.compactMapValues(numbers) },
      hdrgm: xmp.filter { $0["GainMapMax"] != nil }.map { $0.compactMapValues(texts) },
      appleHeadroom: xmp.compactMap { $0["HDRGainMapHeadroom"] as? String }.first
        .flatMap(Double.init),
      makerNote: note.isEmpty ? nil : (note["HDRHeadroom"], note["HDRGain"]))
  }

  private static func numbers(_ value: Any) -> [Double]? {
    if let list = value as? [Double] { return list }
    return (value as? NSNumber).map { [$0.doubleValue] }
  }

  private static func texts(_ value: Any) -> [String]? {
    if let list = value as? [String] { return list }
    return (value as? String).map { [$0] }
  }
}

/// The application segments of all pictures in a JPEG file, found by their names.
enum JPEGSegments {
  /// Contents behind `identifier` and its zero byte.
  static func named(_ identifier: String, in file: [UInt8]) -> [[UInt8]] {
    let name = Data(identifier.utf8 + [0])
    let data = Data(file)
    var found: [[UInt8]] = []
    var start = data.startIndex
    while let range = data.range(of: name, in: start..<data.endIndex) {
      start = range.upperBound
      guard range.lowerBound >= 4, file[range.lowerBound - 4] == 0xFF else { continue }
      let length = Int(file[range.lowerBound - 2]) << 8 | Int(file[range.lowerBound - 1])
      let end = range.lowerBound - 2 + length
      guard end <= file.count, end >= range.upperBound else { continue }
      found.append(Array(file[range.upperBound..<end]))
    }
    return found
  }
}
