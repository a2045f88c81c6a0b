// SPDX-License-Identifier: Apache-2.0
internal import ImageReports
internal import Platform
internal import GainMap
internal import HDRCore

/// Report of `compare` as text: the answer, then the differences.
struct ComparisonText {
  let report: ComparisonReport
  /// Whether coded data, parts of the files and digests are listed instead of counted.
  let isVerbose: Bool

  private static let column = 18

  var lines: [String] {
    let answer = answer.flatMap { $0.wrapped(to: LabeledRows.width) }
    return ["A  \(report.first)", "B  \(report.second)"] + answer + rows.lines
  }

  /// The visible difference, and the names of the metadata that differ.
  private var answer: [String] {
    guard !report.areIdentical else { return ["The files are identical."] }
    let different = report.metadata.filter { !$0.isSame }.map(\.name)
    let metadata =
      switch different.count {
      case 0: "The metadata are the same."
      case 1...5: "Different: \(different.joined(separator: ", "))."
      case let count:
        "Different: \(different.prefix(5).joined(separator: ", ")) and \(count - 5) more."
      }
    guard let first = report.firstSize, let second = report.secondSize else {
      return ["The files differ; the pixels were not compared.", metadata]
    }
    let sizes = "\(first.text) and \(second.text)"
    guard let pixels = report.pixels else {
      return ["Different images: sizes \(sizes), with different aspect ratios.", metadata]
    }
    guard report.isResized == true else { return [pixels.answer, metadata] }
    return [
      "Different sizes: \(sizes); compared at \(pixels.width)x\(pixels.height).", pixels.answer,
      metadata,
    ]
  }

  private var rows: LabeledRows {
    var rows = LabeledRows(column: Self.column)
    for (name, values) in report.pixels?.rows ?? [] { rows.add(name, values, hanging: 3) }
    if let limit = report.limit, let pixels = report.pixels {
      rows.add("limit", [pixels.verdict(limit: limit)])
    }
    for property in report.metadata where !property.isSame {
      let values = [property.first, property.second].map { shown($0 ?? "-") }
      guard property.name != MetadataComparison.gainMapNumbers || isVerbose else {
        if property.first != nil, property.second != nil {
          rows.add(property.name, ["differ; --verbose lists them"])
        }
        continue
      }
      let second = values[0] == values[1] ? "\(values[1]), other content" : values[1]
      rows.add(property.name, ["A  \(values[0])", "B  \(second)"], hanging: 3)
    }
    let same = report.metadata.filter(\.isSame).map(\.name)
    if !same.isEmpty { rows.add("same", [same.joined(separator: ", ")]) }
    if let payloads = report.payloads { add(payloads, to: &rows) }
    if let structure = report.structure { add(structure, to: &rows) }
    for (letter, notices) in [("A", report.firstNotices), ("B", report.secondNotices)] {
      for notice in notices {
        rows.add(notice.severity, ["\(letter)  \(notice.message)"], hanging: 3)
      }
    }
    return rows
  }

  /// The text of a property, without a digest unless the report is verbose.
  private func shown(_ text: String) -> String {
    guard !isVerbose, let digest = text.firstRange(of: ", SHA-256 ") else { return text }
    return String(text[..<digest.lowerBound])
  }

  private func add(_ payloads: [PayloadReport], to rows: inout LabeledRows) {
    func total(_ payloads: [PayloadReport]) -> String {
      "\(payloads.count) (\(DiagnosticTemplate.byteText(payloads.reduce(0) { $0 + $1.bytes })))"
    }
    let equal = payloads.filter { $0.first != nil && $0.second != nil }
    let groups = [
      ("equal", equal), ("only in A", payloads.filter { $0.second == nil }),
      ("only in B", payloads.filter { $0.first == nil }),
    ]
    let counts = groups.filter { !$0.1.isEmpty }.map { "\(total($0.1)) \($0.0)" }
    if !counts.isEmpty { rows.add("coded data", [counts.joined(separator: ", ")]) }
    guard isVerbose else { return }
    for payload in payloads {
      let text: String =
        switch (payload.first, payload.second) {
        case (let first?, let second?) where first == second: "\(first), equal"
        case (let first?, let second?): "\(first) of A is \(second) of B"
        case (let first?, nil): "\(first) only in A"
        case (nil, let second): "\(second ?? "") only in B"
        }
      rows.add(
        "",
        [
          "\(text), \(DiagnosticTemplate.byteText(payload.bytes)), SHA-256 \(payload.sha256.prefix(12))"
        ])
    }
  }

  private func add(_ structure: StructureDifferenceReport, to rows: inout LabeledRows) {
    let sides = [("only in A", structure.onlyInFirst), ("only in B", structure.onlyInSecond)]
    for (name, parts) in sides where !parts.isEmpty {
      let count = parts.reduce(0) { $0 + $1.count }
      rows.add(name, ["\(count) \(count == 1 ? "part" : "parts") of the structure"])
      guard isVerbose else { continue }
      for part in parts {
        let fields = part.fields.map { "\($0.name): \($0.value)" }
          .joined(separator: "; ")
        let times = part.count > 1 ? "\(part.count) times " : ""
        rows.add("", [times + part.path + (fields.isEmpty ? "" : "  " + fields)], hanging: 2)
      }
    }
  }
}

extension PixelComparisonReport {
  /// The visible difference in one sentence, with its numbers.
  fileprivate var answer: String {
    let words =
      switch visibility {
      case .equal: "The pixels are equal."
      case .imperceptible: "The images look the same"
      case .slight: "The images differ slightly"
      case .clear: "The images differ visibly"
      }
    guard visibility != .equal else { return words }
    let most = deltaEITP.percentile95.map { "at most \(digits($0)) in 95 %, " } ?? ""
    return "\(words): Delta E ITP \(most)at most \(digits(deltaEITP.percentile99)) in 99 % of the "
      + "pixels (1 is just noticeable)."
  }

  /// The result of comparing the mean with the limit, and different counts of invalid pixels.
  fileprivate func verdict(limit: Double) -> String {
    let mean =
      "mean Delta E ITP \(deltaEITP.mean <= limit ? "is within" : "is above") \(short(limit))"
    guard firstNotNumbers != secondNotNumbers else { return mean }
    let counts = "\(firstNotNumbers) pixels of A and \(secondNotNumbers) of B are not a number"
    return mean + (deltaEITP.mean <= limit ? ", but " : ", and ") + counts
  }

  fileprivate var rows: [(name: String, values: [String])] {
    guard visibility != .equal else { return [] }
    func decibels(_ value: Double?) -> String { value.map { digits($0) + " dB" } ?? "equal" }
    let values = [
      ("mean", deltaEITP.mean), ("95 %", deltaEITP.percentile95), ("99 %", deltaEITP.percentile99),
      ("maximum", deltaEITP.maximum),
    ]
    var rows = [
      (
        "Delta E ITP",
        [values.map { "\($0.0) \($0.1.map(digits) ?? "-")" }.joined(separator: ", ")]
      ),
      ("PSNR", ["\(decibels(pu21PSNR)) (PU21), \(decibels(pqPSNR)) (PQ)"]),
    ]
    let levels = [firstLight.text, secondLight.text]
    rows.append(
      ("measured", levels[0] == levels[1] ? [levels[0]] : ["A  \(levels[0])", "B  \(levels[1])"]))
    for (letter, map) in [("A", firstGainMap), ("B", secondGainMap)] {
      guard let map else { continue }
      let flavor = GainMapFlavor(rawValue: map.flavor)?.title ?? map.flavor
      rows.append(("applied", ["\(letter)  gain map (\(flavor))"]))
    }
    return rows
  }

  private func digits(_ value: Double) -> String { DiagnosticTemplate.short(value) }
}
