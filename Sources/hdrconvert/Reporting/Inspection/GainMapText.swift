internal import Foundation
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

extension FoundGainMap {
  /// Flavors, size and headrooms; with the source of each value if `explains`.
  func lines(explains: Bool) -> [String] {
    let readable = spellings.filter { $0.reading != nil }.map(\.flavor.title)
    let size = layout.map { ", \($0.width)x\($0.height)" } ?? ""
    let names = readable.isEmpty ? "unreadable metadata" : readable.joined(separator: " and ")
    var lines = ["\(names)\(size) (\(place.name))"]
    if let meaning = reading?.meaning { lines.append(meaning.text) }
    if let objection { lines.append("not applied: \(objection)") }
    guard explains else { return lines }
    for spelling in spellings {
      lines.append("\(spelling.flavor.title):")
      if let failure = spelling.failure { lines.append("  cannot be read: \(failure)") }
      lines += (spelling.reading?.numbers ?? []).map {
        "  \($0.name) = \($0.text)  from \($0.origin)"
      }
    }
    return lines
  }
}

extension GainMapMeaning {
  /// Both headrooms in both units: `headroom 1x (0 stops) to 6.9x (2.79 stops)`.
  fileprivate var text: String {
    let components = channelCount == 1 ? "one component" : "three components"
    return "headroom \(baseHeadroom.inWords) to \(alternateHeadroom.inWords), \(components)"
  }
}
