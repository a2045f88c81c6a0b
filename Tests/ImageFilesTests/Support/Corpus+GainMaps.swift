// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

extension Corpus {
  static func heif(_ name: String) throws -> HEIFFile {
    try HEIFFile(parsing: source(name))
  }

  static func container(_ name: String) throws -> ImageFile {
    try ImageFile(parsing: source(name))
  }

  static func jpeg(_ name: String) throws -> JPEGFile {
    try JPEGFile(parsing: source(name))
  }

  /// The manifest entry of an image that may be a gain map.
  struct Map: Sendable {
    /// Item ID of the gain map, or offset of the image in a JPEG file.
    let place: Int
    let width: Int
    let height: Int
    /// Number of samples of a pixel, if the manifest specifies it.
    let componentCount: Int?
    /// The type of an auxiliary image.
    let auxiliaryType: String?
    let toneMapItem: Int?
    /// The parameters of ISO 21496-1.
    let iso: [String: [Double]]
    /// The `hdrgm` properties.
    let hdrgm: [String: [String]]
    /// HDRGainMapVersion, HDRGainMapHeadroom.
    let appleVersion: String?
    let appleHeadroom: Double?
  }

  /// The gain map part of a file's manifest entry.
  struct Entry: CustomTestStringConvertible, Sendable {
    let name: String
    let expected: String
    let maps: [Map]
    /// HDRHeadroom and HDRGain of the maker note.
    let makerNote: (headroom: Double?, gain: Double?)?

    var testDescription: String { name }
    var isJPEG: Bool { name.hasSuffix(".jpg") }
    /// Whether the file has a format that this module parses.
    var isHEIF: Bool {
      name.hasSuffix(".heic") || name.hasSuffix(".heif") || name.hasSuffix(".avif")
    }
    /// The parameters of each ISO 21496-1 payload, in order.
    var iso: [[String: [Double]]] { maps.map(\.iso).filter { !$0.isEmpty } }
  }

  /// All files of the manifest.
  static let entries: [Entry] = {
    guard let data = try? Data(contentsOf: folder.appending(path: "MANIFEST.json")),
      let manifest = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let files = manifest["files"] as? [[String: Any]]
    else { return [] }
    return files.compactMap(entry)
  }()

  /// Files with a gain map, valid or corrupt.
  static let mapEntries = entries.filter { !$0.maps.isEmpty && ($0.isJPEG || $0.isHEIF) }

  private static func entry(_ row: [String: Any]) -> Entry? {
    guard let name = row["name"] as? String else { return nil }
    let maps = row["gain_map"] as? [String: Any] ?? [:]
    func parts(_ key: String) -> [[String: Any]] { maps[key] as? [[String: Any]] ?? [] }
    let note = row["apple_makernote"] as? [String: Double] ?? [:]
    let found =
      parts("tmap").compactMap { toneMap in
        (toneMap["gainmap_item"] as? [String: Any]).map { map($0, toneMap: toneMap) }
      } + parts("aux_gainmap").map { map($0, toneMap: nil) }
      + parts("images").map { map($0, toneMap: nil) }
    return Entry(
      name: name, expected: row["expected"] as? String ?? "",
      maps: found.filter {
        !$0.iso.isEmpty || !$0.hdrgm.isEmpty || $0.appleVersion != nil || $0.auxiliaryType != nil
      },
      makerNote: note.isEmpty ? nil : (note["HDRHeadroom"], note["HDRGain"]))
  }

  private static func map(_ part: [String: Any], toneMap: [String: Any]?) -> Map {
    let size =
      (part["ispe"] as? String)?.split(separator: "x").compactMap { Int($0) }
      ?? part["size"] as? [Int] ?? []
    let iso = (toneMap ?? part).first { ["iso", "iso21496"].contains($0.key) }?.value
    let xmp = part["xmp"] as? [String: Any] ?? [:]
    return Map(
      place: (part["id"] ?? part["offset"]) as? Int ?? -1,
      width: size.first ?? 0, height: size.last ?? 0,
      componentCount: part["components"] as? Int ?? (part["pixi"] as? [Int])?.count,
      auxiliaryType: part["auxC"] as? String, toneMapItem: toneMap?["id"] as? Int,
      iso: (iso as? [String: Any])?.compactMapValues(numbers) ?? [:],
      hdrgm: xmp["GainMapMax"] == nil ? [:] : xmp.compactMapValues(texts),
      appleVersion: xmp["HDRGainMapVersion"] as? String,
      appleHeadroom: (xmp["HDRGainMapHeadroom"] as? String).flatMap(Double.init))
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

/// The application segments of all images in a JPEG file, found by their identifiers.
enum JPEGSegments {
  /// Source: ISO 21496-1:2025, C.4.
  static let isoGainMap = "urn:iso:std:iso:ts:21496:-1"

  /// Segment contents after `identifier` and its zero byte.
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
