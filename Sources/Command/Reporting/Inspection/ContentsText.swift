// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles
internal import ImageReports
internal import Platform
internal import RAWDevelop

/// Text about images, colors and codings.
extension FileImage {
  /// Size, tiles and samples.
  var layoutText: String {
    var text = "\(layout.width)x\(layout.height)"
    if uprightSize != (layout.width, layout.height) {
      text += ", shown as \(uprightSize.width)x\(uprightSize.height)"
    }
    if let tiles { text += ", \(tiles.columns)x\(tiles.rows) tiles" }
    return text + ", " + sampleText + alphaText
  }

  /// Displayed size and samples; megapixels from 0.01 on.
  var sizeText: String {
    let (width, height) = uprightSize
    let megapixels = Double(width * height) / 1e6
    let count = megapixels < 0.01 ? "" : " (\(DiagnosticTemplate.short(megapixels)) MP)"
    return "\(width)x\(height)\(count), \(sampleText)\(alphaText)"
  }

  /// The role, with the type of an auxiliary image.
  var roleText: String {
    guard let auxiliaryType, role == .auxiliary || role == .matte else { return role.rawValue }
    let name = auxiliaryType.split(separator: ":").last.map(String.init) ?? auxiliaryType
    return role == .matte ? name : "\(name) (auxiliary image)"
  }

  /// Codec, profile, level, tiles and matrix.
  var codingText: String {
    let matrix = color?.encoding.matrix ?? .identity
    let tiles = tiles.map { ", \($0.columns)x\($0.rows) tiles" } ?? ""
    return coding.text + tiles + (matrix == .identity ? "" : ", \(matrix.name)")
  }

  /// Size and purpose, for a list.
  var briefText: String {
    var text = "\(role.rawValue) \(layout.width)x\(layout.height), \(sampleText)"
    if let auxiliaryType { text += ", \(auxiliaryType)" }
    if let color, role != .preview, role != .thumbnail {
      text += ", \(color.title)"
    }
    return text
  }

  private var alphaText: String {
    guard layout.hasAlpha else { return "" }
    return layout.isAlphaPremultiplied ? ", with premultiplied alpha" : ", with alpha"
  }

  private var sampleText: String {
    let depth: String =
      switch layout.samples {
      case .integer(let bits): "\(bits) bit"
      case .float, .half: floatBits.map { "\($0)-bit float" } ?? "float"
      }
    let range = isFullRange ? "" : ", limited range"
    return "\(depth) \(isCMYK ? "CMYK" : layout.components.title)\(range)"
  }
}

extension CodecConfiguration {
  /// Codec, profile and level.
  var text: String {
    [codec, profile, level.map { "level \($0)" }].compactMap(\.self).joined(separator: ", ")
  }
}

extension ImageLayout.Components {
  fileprivate var title: String {
    switch self {
    case .gray: "gray"
    case .rgb: "RGB"
    case .ycbcr(let chroma):
      switch chroma {
      case .yuv444: "Y'CbCr 4:4:4"
      case .yuv422: "Y'CbCr 4:2:2"
      case .yuv420: "Y'CbCr 4:2:0"
      case .yuv400: "luma"
      }
    }
  }
}

extension ColorPrimaries {
  /// The common name.
  var title: String { primariesTitle(name) }
}

extension TransferFunction {
  /// The common name.
  var title: String {
    switch self {
    case .linear: "linear"
    case .pq: "PQ"
    case .hlg: "HLG"
    case .srgb: "sRGB transfer"
    case .bt1886: "BT.1886 transfer"
    case .gamma(let exponent): "gamma \(short(exponent))"
    case .sampled(let curves):
      curves.isBT709 ? "BT.709 curve of the ICC profile" : "transfer of the ICC profile"
    }
  }
}

extension ColorInspection {
  /// Primaries and transfer function, or the profile that must be applied.
  var title: String {
    guard isColorManaged else { return "\(encoding.primaries.title), \(encoding.transfer.title)" }
    let name = carriers.lazy.compactMap(\.profile?.description).first
    return "tables of the ICC profile" + (name.map { " '\($0)'" } ?? "")
  }
}

extension Orientation {
  /// The operation that makes the image upright.
  var text: String {
    switch self {
    case .upright: "upright"
    case .mirrored: "mirror left to right"
    case .rotated180: "rotate by 180 degrees"
    case .flipped: "flip top to bottom"
    case .transposed: "transpose"
    case .rotated90: "rotate by 90 degrees"
    case .transversed: "transpose at the other diagonal"
    case .rotated270: "rotate by 270 degrees"
    }
  }
}

extension LightReport {
  /// The values that light metadata are derived from.
  var text: String {
    "MaxCLL \(short(maxCLL)), MaxFALL \(short(maxFALL)), 99.99 % \(short(percentile9999)) nits, "
      + "colors within \(primariesTitle(usedPrimaries))"
  }
}

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
