// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Rules of light metadata: ranges, and agreement with the samples.
enum LightRules {
  static let all: [Rule] = [
    hdr(
      "H5-DW-1", .should, "ISO 22028-5, diffuse white",
      "Diffuse white is specified if the container can store it", diffuseWhite),
    hdr(
      "H5-DW-2", .ours, "ISO 22028-5; SMPTE ST 2084",
      "Diffuse white is 1 to 10000 cd/m², and does not exceed the mastering display",
      effect: "readers that tone map from it show another brightness",
      except: "above the mastering display",
      diffuseWhiteRange),
    hdr(
      "H5-DW-3", .must, "ISO/IEC 23008-12:2025, amendment 1", "'ndwt' is a full box of 16 bytes",
      effect: "libheif cannot parse it", size("ndwt")),
    hdr(
      "H5-REVE-1", .must, "ISO/IEC 23008-12:2025, amendment 1",
      "'reve' is a full box of 28 bytes with chromaticities up to 1",
      effect: "ImageSharp rejects it", referenceEnvironment),
    hdr(
      "H5-MD-1", .must, "SMPTE ST 2086; ITU-T H.274",
      "The mastering display has plausible primaries in order, and its maximum exceeds its minimum",
      effect: "libheif rejects other sizes; players map colors by the primaries",
      except: "values that H.274 defines as unknown", mastering),
    hdr(
      "H5-CLL-1", .must, "CTA-861.3",
      "MaxFALL is at most MaxCLL, which is at most 10000 cd/m²",
      effect: "libavif and libheif reject other sizes", except: "values", levels),
    hdr(
      "H5-CLL-2", .must, "CTA-861.3; ITU-T H.274 (upper bounds)",
      "Measured light levels do not exceed MaxCLL and MaxFALL (for lossy images: 99.99th percentile by "
        + "8 % of the signal, average by 1 %)",
      effect: "Chromium and libplacebo clip or tone map above MaxCLL", except: "MaxFALL",
      measuredLevels),
    hdr(
      "H5-CCV-1", .must, "ISO/IEC 14496-12, 12.1.8; ITU-T H.274",
      "The content color volume is not empty, and its luminances are in order", colorVolume),
    hdr(
      "H5-AMV-1", .must, "ISO/IEC 14496-12, 12.1.9; ITU-T H.274",
      "The ambient environment has an illuminance, and chromaticities up to 1",
      effect: "libheif rejects other sizes", except: "values", ambient),
  ]

  private static func hdr(
    _ id: String, _ level: Rule.Level, _ source: String, _ title: String, effect: String? = nil,
    except exception: String? = nil, _ check: @escaping Rule.Check
  ) -> Rule {
    Rule(
      "22028-5/\(id)", .iso22028, level, source, title, effect: effect, except: exception,
      check: check)
  }

  private static func size(_ type: String) -> Rule.Check {
    { (checked) throws(ImageError) -> [Finding]? in sizeFindings(type, checked) }
  }

  private static func sizeFindings(_ type: String, _ checked: CheckedFile) -> [Finding]? {
    guard let primary = checked.heif?.primary,
      primary.properties.contains(where: { $0.type.description == type })
    else { return nil }
    return checked.light.unreadable[type].map { size in
      let hint =
        type == "ndwt" && size.value == 12 || type == "reve" && size.value == 24
        ? ", without version and flags" : ""
      return [
        Finding("\(size.value) bytes\(hint)", at: size.location, fix: fix(type, checked))
      ]
    } ?? []
  }

  /// The fix that rewrites or drops a box.
  private static func fix(_ type: String, _ checked: CheckedFile) -> Fix {
    switch type {
    case "ndwt":
      .setDiffuseWhite(
        checked.light.diffuseWhite.map(\.value).flatMap { (1...10_000).contains($0) ? $0 : nil }
          ?? ColorEncoding.defaultReferenceWhite)
    case "clli": .measureLightLevel
    case "mdcv": .dropMasteringDisplay
    case "amve": .dropAmbientEnvironment
    default: .dropReferenceEnvironment
    }
  }

  private static func diffuseWhite(_ checked: CheckedFile) -> [Finding]? {
    if checked.light.diffuseWhite != nil { return [] }
    // Only HEIF and AVIF can store it.
    guard let heif = checked.heif, let primary = heif.primary else { return nil }
    return [
      Finding(
        "not specified; readers assume \(ColorEncoding.defaultReferenceWhite.formattedShort) cd/m²",
        at: heif.location(primary), fix: .setDiffuseWhite(ColorEncoding.defaultReferenceWhite))
    ]
  }

  private static func diffuseWhiteRange(_ checked: CheckedFile) -> [Finding]? {
    guard let white = checked.light.diffuseWhite else { return nil }
    let declared = "\(white.value.formattedShort) cd/m²"
    guard white.value == 0 || (1...10_000).contains(white.value) else {
      return [
        Finding(
          "invalid luminance of diffuse white", at: white.location, declared: declared,
          fix: .setDiffuseWhite(ColorEncoding.defaultReferenceWhite))
      ]
    }
    guard let display = checked.light.mastering?.value, display.maximum > 0,
      white.value > display.maximum
    else { return [] }
    return [
      Finding(
        "exceeds the mastering display (\(display.maximum.formattedShort) cd/m²)",
        at: white.location, declared: declared, isHarmless: true)
    ]
  }

  private static func referenceEnvironment(_ checked: CheckedFile) -> [Finding]? {
    guard let findings = sizeFindings("reve", checked), let heif = checked.heif,
      let primary = heif.primary
    else { return nil }
    guard let box = primary.property(ReferenceViewingEnvironmentBox.self) else { return findings }
    let coordinates = [
      box.surroundLightX, box.surroundLightY, box.peripheryLightX, box.peripheryLightY,
    ]
    guard let largest = coordinates.max(), largest > 10_000 else { return findings }
    return findings + [
      Finding(
        "chromaticity \((Double(largest) / 10_000).formattedShort)",
        at: heif.location(primary, "reve"), fix: .dropReferenceEnvironment)
    ]
  }

  private static func mastering(_ checked: CheckedFile) -> [Finding]? {
    let sizes = sizeFindings("mdcv", checked) ?? []
    guard let mastering = checked.light.mastering else { return sizes.isEmpty ? nil : sizes }
    let display = mastering.value
    func finding(_ message: String, isHarmless: Bool = false) -> Finding {
      Finding(message, at: mastering.location, fix: .dropMasteringDisplay, isHarmless: isHarmless)
    }
    var findings = sizes
    // Source: ITU-T H.274: x of 5...37000, y of 5...42000 steps of 0.00002; other values mean
    // unknown.
    for point in display.primaries + [display.white]
    where !(0.0001...0.74).contains(point.x) || !(0.0001...0.84).contains(point.y) {
      findings.append(
        finding(
          "chromaticity \(point.x.formattedShort), \(point.y.formattedShort)", isHarmless: true))
    }
    if display.minimum >= display.maximum {
      findings.append(
        finding(
          "luminance from \(display.minimum.threeDigits) to \(display.maximum.threeDigits) cd/m²"))
    }
    if !(5...10_000).contains(display.maximum) || !(0.0001...5).contains(display.minimum) {
      findings.append(
        finding(
          "luminance of \(display.minimum.threeDigits) to \(display.maximum.threeDigits) cd/m² counts as "
            + "unknown (minimum of 0.0001 to 5, maximum of 5 to 10000)", isHarmless: true))
    }
    let points = display.primaries
    let green = points.indices.max { points[$0].y < points[$1].y }
    let red = points.indices.filter { $0 != green }.max { points[$0].x < points[$1].x }
    if green != display.order.green || red != display.order.red {
      findings.append(finding("primaries in the wrong order"))
    }
    return findings
  }

  private static func levels(_ checked: CheckedFile) -> [Finding]? {
    let sizes = sizeFindings("clli", checked) ?? []
    guard let contentLight = checked.light.level else { return sizes.isEmpty ? nil : sizes }
    let level = contentLight.value
    var findings = sizes
    func add(_ message: String) {
      findings.append(
        Finding(
          message, at: contentLight.location, declared: text(level), fix: .measureLightLevel,
          isHarmless: true))
    }
    if level.maximum > 0, level.maximumAverage > level.maximum { add("MaxFALL above MaxCLL") }
    if level.maximum > 10_000 { add("MaxCLL above the peak of PQ") }
    return findings
  }

  static func text(_ level: LightMetadata.ContentLightLevel) -> String {
    "MaxCLL \(level.maximum.threeDigits) cd/m², MaxFALL \(level.maximumAverage.threeDigits) cd/m²"
  }

  private static func measuredLevels(_ checked: CheckedFile) throws(ImageError) -> [Finding]? {
    guard let contentLight = checked.light.level, let color = checked.color.effective?.value,
      color.isHighDynamicRange,
      contentLight.value.maximum > 0 || contentLight.value.maximumAverage > 0
    else { return nil }
    let light = try checked.measuredLight()
    let isLossy = try checked.isLossy
    let brightest = isLossy ? light.percentile(0.9999) : light.maximum
    let code = 1 / (exp2(Double(min(max(checked.color.leastDepth, 8), 16))) - 1)
    let peak = SignalStep(transfer: color.transfer, step: isLossy ? lossyPeak : code)
    let mean = SignalStep(transfer: color.transfer, step: isLossy ? lossyMean : code)
    let (declared, level) = (text(contentLight.value), contentLight.value)
    func finding(_ name: String, _ measured: Double) -> Finding {
      Finding(
        "measured light level exceeds \(name)", at: contentLight.location, declared: declared,
        measured: "\(name) \(measured.threeDigits) cd/m²", fix: .measureLightLevel,
        isHarmless: name == "MaxFALL")
    }
    var findings: [Finding] = []
    if level.maximum > 0, brightest > peak.above(level.maximum) {
      findings.append(finding("MaxCLL", brightest))
    }
    if level.maximumAverage > 0, light.average > mean.above(level.maximumAverage) {
      findings.append(finding("MaxFALL", light.average))
    }
    return findings
  }

  /// Tolerance for lossy encoding and chroma subsampling, as a share of the signal.
  ///
  /// Measured with other encoders and images, see `Documentation/Decisions`.
  private static let lossyPeak = 0.08
  private static let lossyMean = 0.01

  private static func colorVolume(_ checked: CheckedFile) -> [Finding]? {
    guard let heif = checked.heif, let primary = heif.primary,
      let property = primary.properties.first(where: { $0.type == "cclv" })
    else { return nil }
    let place = heif.location(primary, "cclv")
    func finding(_ message: String) -> Finding {
      Finding(message, at: place, fix: .measureColorVolume)
    }
    let bytes = property.contentBytes
    guard let flags = bytes.first, let box = property.box.content as? ContentColorVolumeBox else {
      return [finding("\(bytes.count) unreadable bytes")]
    }
    var findings: [Finding] = []
    if flags & 0xC3 != 0 { findings.append(finding("reserved bits are set: \(flags)")) }
    if flags & 0x3C == 0 { findings.append(finding("is empty")) }
    let parts = [(0x20, 24), (0x10, 4), (0x08, 4), (0x04, 4)] as [(UInt8, Int)]
    let size = parts.reduce(1) { $0 + (flags & $1.0 != 0 ? $1.1 : 0) }
    if bytes.count != size { findings.append(finding("\(bytes.count) bytes instead of \(size)")) }
    let order = [box.minimumLuminance, box.averageLuminance, box.maximumLuminance]
      .compactMap { $0 }
    if order != order.sorted() {
      findings.append(finding("minimum, average and maximum are not in order"))
    }
    return findings
  }

  private static func ambient(_ checked: CheckedFile) -> [Finding]? {
    guard var findings = sizeFindings("amve", checked), let heif = checked.heif,
      let primary = heif.primary
    else { return nil }
    guard let box = primary.property(AmbientViewingEnvironmentBox.self) else { return findings }
    let place = heif.location(primary, "amve")
    if box.illuminance == 0 {
      findings.append(
        Finding("illuminance 0", at: place, fix: .dropAmbientEnvironment, isHarmless: true))
    }
    if max(box.lightX, box.lightY) > 50_000 {
      findings.append(
        Finding(
          "chromaticity above 1", at: place, fix: .dropAmbientEnvironment, isHarmless: true))
    }
    return findings
  }
}

extension DeclaredColor {
  /// The least declared number of bits.
  fileprivate var leastDepth: Int { depths.map(\.value).min() ?? 10 }
}

/// A step of the signal of a transfer function.
private struct SignalStep {
  let transfer: CICP.Transfer
  /// Step of a signal in 0...1.
  let step: Double

  /// The luminance of gray one step above that of `luminance`, in cd/m².
  func above(_ luminance: Double) -> Double {
    if transfer == .pq { return PQ.eotf(PQ.inverseEOTF(luminance) + step) }
    let display = HLG.Display.reference
    let (peak, gamma) = (display.peakLuminance, display.gamma)
    let scene = HLG.inverseOOTF(SIMD3(repeating: luminance), peak: peak, gamma: gamma).x
    let next = HLG.inverseOETF(HLG.oetf(scene) + step)
    return HLG.ootf(SIMD3(repeating: next), peak: peak, gamma: gamma).x
  }
}
