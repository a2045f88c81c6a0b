// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import GainMap
internal import HDRCore
internal import ImageFiles

extension FoundGainMap {
  /// Flavors, size and headrooms; with the source of each value if `explains`.
  func lines(explains: Bool) -> [String] {
    let readable = flavors.map(\.title)
    let size = layout.map { ", \($0.width)x\($0.height)" } ?? ""
    let names = readable.isEmpty ? "unreadable metadata" : readable.joined(separator: " and ")
    var lines = [explains ? "\(names)\(size) (\(location.name))" : names + size]
    if let metadata { lines.append(metadata.text) }
    if let objection { lines.append("not applied: \(objection)") }
    guard explains else { return lines }
    for carrier in carriers {
      lines.append("\(carrier.flavor.title):")
      if let failure = carrier.failure { lines.append("  cannot be read: \(failure)") }
      lines += (carrier.description?.numbers ?? []).map {
        "  \($0.name) = \($0.text)  from \($0.origin)"
      }
    }
    return lines
  }
}

extension GainMapMetadata {
  /// Both headrooms in both units: `headroom 1x (0 stops) to 6.9x (2.79 stops)`.
  fileprivate var text: String {
    let components = channels.all.count == 1 ? "one component" : "three components"
    let headrooms = [baseHeadroom, alternateHeadroom].map { Headroom($0).text }
    return "headroom \(headrooms[0]) to \(headrooms[1]), \(components)"
  }
}
