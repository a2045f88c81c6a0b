// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageReports
internal import RAWDevelop

extension RawInspection {
  /// Labels and lines about a raw file.
  func rows(explains: Bool) -> [(name: String, value: [String])] {
    var rows: [(name: String, value: [String])] = []
    if let rawType { rows.append(("raw", [rawType.text])) }
    if let selectionReason { rows.append(("  selected", [selectionReason])) }
    if let decoder { rows.append(("  decoded by", [decoder])) }
    if let recipe { rows += recipe.rows(explains: explains) }
    if explains, let levels {
      rows.append(("  black", [levels.black.map(short).joined(separator: ", ")]))
      rows.append(("  white", [levels.white.map(short).joined(separator: ", ")]))
    }
    if !mattes.isEmpty { rows.append(("mattes", [mattes.map(\.name).joined(separator: ", ")])) }
    if !previews.isEmpty {
      let shown = explains || previews.count <= 5 ? previews[...] : previews.prefix(1)
      let others = previews.count - shown.count
      rows.append(
        ("preview", shown.map(\.text) + (others > 0 ? ["\(others) smaller previews"] : [])))
    }
    return rows
  }
}

extension DNGFile.RawType {
  fileprivate var text: String {
    switch self {
    case .bayer: "Bayer mosaic"
    case .mosaic: "mosaic other than Bayer"
    case .proRAW: "Apple ProRAW (linear RGB, merged from several exposures)"
    case .linear: "linear RGB"
    }
  }
}

extension RawPreview {
  fileprivate var text: String {
    let size = DiagnosticTemplate.byteText(bytes.count)
    return "\(width)x\(height), \(isJPEGXL ? "JPEG XL" : "JPEG"), \(size)"
  }
}

extension RenderingRecipe {
  fileprivate func rows(explains: Bool) -> [(name: String, value: [String])] {
    var rows: [(name: String, value: [String])] = []
    if let kelvin = asShotTemperature, let tint = asShotTint {
      rows.append(
        ("  white", ["\(Int(clamping: kelvin.rounded())) K, tint \(Int(clamping: tint.rounded()))"])
      )
    }
    rows.append(("  exposure", ["BaselineExposure \(short(baselineExposure)) stops"]))
    rows += profiles.map { ("  profile", [$0.text]) }
    let corrections = opcodes.joined()
    if !corrections.isEmpty {
      rows.append(("  corrections", [corrections.joined(separator: ", ")]))
    }
    return rows
  }
}

extension RenderingRecipe.Profile {
  fileprivate var text: String {
    let kelvins = calibrations.compactMap(\.kelvin).map { "\(Int(clamping: $0.rounded())) K" }
    let parts: [String?] = [
      name ?? "unnamed", isHDR ? "HDR" : nil,
      kelvins.isEmpty ? nil : kelvins.joined(separator: " and "),
      toneCurvePoints.map { "tone curve of \($0) points" },
      gainTable.map { "local tone curves of \($0.columns)x\($0.rows)" },
      lookTable == nil ? nil : "look table",
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
