internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

extension ComparisonReport {
  private static let column = 16
  /// Number of entries up to which parts of a file are listed.
  private static let longestList = 5

  /// The report as text: the answer, pixels, differences, then common properties.
  var lines: [String] {
    var lines = ["A  \(first)", "B  \(second)", answer]
    if let pixels { lines += pixels.lines.map { Self.row($0.name, $0.value) } }
    if let limit, let pixels { lines.append(Self.row("limit", pixels.verdict(limit: limit))) }
    let different = metadata.filter { !$0.isSame }
    for entry in different {
      lines.append(Self.row(entry.name, "A  \(entry.first ?? "-")"))
      lines.append(Self.row("", "B  \(entry.second ?? "-")"))
    }
    let same = metadata.filter(\.isSame).map(\.name)
    if !same.isEmpty { lines.append(Self.row("same", same.joined(separator: ", "))) }
    lines += payloadLines + structureLines
    for (letter, notices) in [("A", firstNotices), ("B", secondNotices)] {
      lines += notices.map { Self.row("note", "\(letter)  \($0.severity): \($0.message)") }
    }
    return lines
  }

  /// The answer in one sentence.
  private var answer: String {
    guard !areIdentical else { return "The files are identical." }
    let names = metadata.filter { !$0.isSame }.map(\.name)
    let others =
      switch names.count {
      case 0: "metadata are the same"
      case 1...5: "different: \(names.joined(separator: ", "))"
      default: "\(names.count) properties differ"
      }
    guard let pixels else { return "The files differ; \(others)." }
    let seen =
      switch pixels.deltaEITP.mean {
      case 0 where pixels.deltaEITP.maximum == 0: "The pixels are equal"
      case ..<1: "The images look the same (mean Delta E ITP below 1)"
      case ..<5: "The images differ slightly"
      default: "The images differ visibly"
      }
    return "\(seen); \(others)."
  }

  private static func row(_ name: String, _ value: String) -> String {
    "  " + name + String(repeating: " ", count: max(column - name.count, 1)) + value
  }

  /// A line for each piece that moved or differs, and one for the others.
  private var payloadLines: [String] {
    let payloads = payloads ?? []
    let (same, others) = (payloads.filter(\.hasStayed), payloads.filter { !$0.hasStayed })
    var lines: [String] = []
    if let only = same.first {
      let bytes = same.reduce(0) { $0 + $1.bytes }
      let name = same.count == 1 ? only.first ?? "" : "\(same.count) pieces"
      lines.append(Self.row("coded data", "\(name) equal, \(byteText(bytes))"))
    }
    lines += others.prefix(Self.longestList).map { payload in
      let text: String =
        switch (payload.first, payload.second) {
        case (let first?, let second?): "\(first) of A is \(second) of B"
        case (let first?, nil): "\(first) only in A"
        case (nil, let second): "\(second ?? "") only in B"
        }
      return Self.row("coded data", "\(text), \(byteText(payload.bytes))")
    }
    let rest = others.count - Self.longestList
    if rest > 0 { lines.append(Self.row("coded data", "... and \(rest) more that differ")) }
    return lines
  }

  private var structureLines: [String] {
    guard let structure else { return [] }
    var lines: [String] = []
    for (letter, parts) in [("A", structure.onlyInFirst), ("B", structure.onlyInSecond)] {
      lines += parts.prefix(Self.longestList).map { part in
        let facts = part.facts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
          .joined(separator: "; ")
        let count = part.count > 1 ? "\(part.count) times " : ""
        return Self.row(
          "only in \(letter)", count + part.path + (facts.isEmpty ? "" : "  " + facts))
      }
      let rest = parts.count - Self.longestList
      if rest > 0 { lines.append(Self.row("only in \(letter)", "... and \(rest) more parts")) }
    }
    return lines
  }
}

extension PayloadReport {
  /// Whether both files contain the data under the same name.
  fileprivate var hasStayed: Bool { first != nil && first == second }
}

extension PixelComparisonReport {
  /// The result of comparing the mean with the limit, and different counts of invalid pixels.
  fileprivate func verdict(limit: Double) -> String {
    let mean =
      "mean Delta E ITP \(deltaEITP.mean <= limit ? "is within" : "is above") \(short(limit))"
    guard firstNotNumbers != secondNotNumbers else { return mean }
    let counts = "\(firstNotNumbers) pixels of A and \(secondNotNumbers) of B are not a number"
    return mean + (deltaEITP.mean <= limit ? ", but " : ", and ") + counts
  }

  fileprivate var lines: [(name: String, value: String)] {
    func digits(_ value: Double) -> String { value.formatted(as: "%.3g") }
    func decibels(_ value: Double?) -> String { value.map { digits($0) + " dB" } ?? "equal" }
    let (mean, maximum) = (digits(deltaEITP.mean), digits(deltaEITP.maximum))
    let percentiles =
      "95 % \(digits(deltaEITP.percentile95)), 99 % \(digits(deltaEITP.percentile99))"
    var lines = [
      ("Delta E ITP", "mean \(mean), \(percentiles), max \(maximum)"),
      ("PU21-PSNR", decibels(pu21PSNR)),
      ("PQ-PSNR", decibels(pqPSNR)),
      ("light levels", "A  \(firstLight.text)"),
      ("", "B  \(secondLight.text)"),
    ]
    for (letter, map) in [("A", firstGainMap), ("B", secondGainMap)] {
      guard let map else { continue }
      lines.append(("applied", "\(letter)  gain map (\(map.flavor))"))
    }
    return lines
  }
}
