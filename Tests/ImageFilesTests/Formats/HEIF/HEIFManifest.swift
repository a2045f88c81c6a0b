// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// The manifest of the corpus.
enum HEIFManifest {
  struct Entry: @unchecked Sendable, CustomTestStringConvertible {
    var name: String
    var dimensions: String
    var depth: String
    var color: String
    var brands: [String]
    var types: [String: Int]
    var primary: [String: Any]

    var testDescription: String { name }

    /// The `nclx` part of the color, for example `bt2020/pq/bt2020ncl/full`.
    var codePoints: String? {
      color.components(separatedBy: "; ").first { $0.hasPrefix("nclx:") }.map {
        String($0.dropFirst(5))
      }
    }
  }

  static let entries: [Entry] = {
    let path = Corpus.path("MANIFEST.json")
    guard let data = FileManager.default.contents(atPath: path),
      let manifest = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let files = manifest["files"] as? [[String: Any]]
    else { return [] }
    return files.compactMap { file in
      guard let name = file["name"] as? String, readableFiles.contains(name),
        let details = file["details"] as? [String: Any],
        let primary = details["primary_item"] as? [String: Any]
      else { return nil }
      return Entry(
        name: name, dimensions: file["dimensions"] as? String ?? "",
        depth: file["bit_depth"] as? String ?? "", color: file["colour"] as? String ?? "",
        brands: details["brands"] as? [String] ?? [],
        types: details["types"] as? [String: Int] ?? [:], primary: primary)
    }
  }()

  static func text(_ cicp: CICP) -> String {
    let primaries: [UInt16: String] = [1: "bt709", 2: "unspec", 9: "bt2020", 12: "p3"]
    let transfers: [UInt16: String] = [2: "unspec", 13: "srgb", 16: "pq", 18: "hlg"]
    let matrices: [UInt16: String] = [
      0: "identity", 1: "bt709", 2: "unspec", 6: "bt601", 9: "bt2020ncl", 10: "bt2020cl",
      12: "chroma-ncl",
    ]
    return [
      primaries[cicp.primaries.rawValue], transfers[cicp.transfer.rawValue],
      matrices[cicp.matrix.rawValue], cicp.isFullRange ? "full" : "limited",
    ].map { $0 ?? "?" }.joined(separator: "/")
  }
}
