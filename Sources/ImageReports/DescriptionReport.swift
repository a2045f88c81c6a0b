// SPDX-License-Identifier: Apache-2.0
internal import Platform
package import HDRCore
internal import ImageFiles

/// Light metadata in cd/m², lux and chromaticities.
package struct DescriptionReport: ReportObject {
  package static let schemaName = "lightMetadata"
  package struct Light: ReportObject {
    package static let schemaName = "contentLightLevel"
    package let maxCLL: Double
    package let maxFALL: Double

    package enum CodingKeys: String, CodingKey, CaseIterable {
      case maxCLL = "maxCLLNits"
      case maxFALL = "maxFALLNits"
    }
  }
  package struct Display: ReportObject {
    package static let schemaName = "masteringDisplay"
    package let primaries: String
    package let maximumLuminance: Double
    package let minimumLuminance: Double

    package enum CodingKeys: String, CodingKey, CaseIterable {
      case primaries
      case maximumLuminance = "maximumLuminanceNits"
      case minimumLuminance = "minimumLuminanceNits"
    }
  }
  package struct Volume: ReportObject {
    package static let schemaName = "contentColorVolume"
    package let primaries: String?
    package let minimumLuminance: Double?
    package let maximumLuminance: Double?
    package let averageLuminance: Double?

    package enum CodingKeys: String, CodingKey, CaseIterable {
      case primaries
      case minimumLuminance = "minimumLuminanceNits"
      case maximumLuminance = "maximumLuminanceNits"
      case averageLuminance = "averageLuminanceNits"
    }
  }
  package struct Environment: ReportObject {
    package static let schemaName = "referenceEnvironment"
    package let surroundLuminance: Double
    package let surroundChromaticity: [Double]
    package let peripheryLuminance: Double
    package let peripheryChromaticity: [Double]

    package enum CodingKeys: String, CodingKey, CaseIterable {
      case surroundLuminance = "surroundLuminanceNits"
      case peripheryLuminance = "peripheryLuminanceNits"
      case surroundChromaticity, peripheryChromaticity
    }
  }
  package struct Ambient: ReportObject {
    package static let schemaName = "ambientEnvironment"
    package let illuminance: Double
    package let chromaticity: [Double]

    package enum CodingKeys: String, CodingKey, CaseIterable {
      case illuminance = "illuminanceLux"
      case chromaticity
    }
  }

  package let diffuseWhite: Double?
  package let contentLightLevel: Light?
  package let masteringDisplay: Display?
  package let contentColorVolume: Volume?
  package let referenceEnvironment: Environment?
  package let ambientEnvironment: Ambient?
  package let imageState: String?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case diffuseWhite = "diffuseWhiteNits"
    case contentLightLevel, masteringDisplay, contentColorVolume
    case referenceEnvironment, ambientEnvironment, imageState
  }

  package init(_ hdr: LightMetadata, _ color: ColorEncoding? = nil) {
    diffuseWhite = hdr.diffuseWhite
    contentLightLevel = hdr.contentLightLevel.map {
      Light(maxCLL: $0.maximum, maxFALL: $0.maximumAverage)
    }
    masteringDisplay = hdr.masteringDisplay.map {
      Display(
        primaries: $0.primaries.name, maximumLuminance: $0.maximumLuminance,
        minimumLuminance: $0.minimumLuminance)
    }
    contentColorVolume = hdr.contentColorVolume.map {
      Volume(
        primaries: $0.primaries?.name, minimumLuminance: $0.minimumLuminance,
        maximumLuminance: $0.maximumLuminance, averageLuminance: $0.averageLuminance)
    }
    referenceEnvironment = hdr.referenceEnvironment.map {
      Environment(
        surroundLuminance: $0.surroundLuminance,
        surroundChromaticity: [$0.surroundLight.x, $0.surroundLight.y],
        peripheryLuminance: $0.peripheryLuminance,
        peripheryChromaticity: [$0.peripheryLight.x, $0.peripheryLight.y])
    }
    ambientEnvironment = hdr.ambientEnvironment.map {
      Ambient(illuminance: $0.illuminance, chromaticity: [$0.light.x, $0.light.y])
    }
    imageState = color?.imageState?.rawValue
  }

  /// One line for each value.
  package var lines: [(name: String, value: String)] {
    var lines: [(String, String)] = []
    if let diffuseWhite { lines.append(("diffuse white", "\(short(diffuseWhite)) nits")) }
    if let light = contentLightLevel {
      lines.append(
        ("light level", "MaxCLL \(short(light.maxCLL)), MaxFALL \(short(light.maxFALL)) nits"))
    }
    if let display = masteringDisplay {
      lines.append(
        (
          "mastering display",
          "\(primariesTitle(display.primaries)), \(short(display.minimumLuminance))...\(short(display.maximumLuminance)) nits"
        ))
    }
    if let volume = contentColorVolume {
      let levels = [volume.minimumLuminance, volume.averageLuminance, volume.maximumLuminance]
        .map { $0.map(short) ?? "?" }.joined(separator: " / ")
      lines.append(
        (
          "color volume",
          "\(volume.primaries.map(primariesTitle) ?? "?"), min / mean / max \(levels) nits"
        ))
    }
    if let reference = referenceEnvironment {
      lines.append(
        (
          "reference environment",
          "surround \(short(reference.surroundLuminance)), periphery \(short(reference.peripheryLuminance)) nits"
        ))
    }
    if let ambient = ambientEnvironment {
      lines.append(("ambient light", "\(short(ambient.illuminance)) lux"))
    }
    if let imageState { lines.append(("image state", imageState)) }
    return lines
  }
}

/// A number with three significant digits, for people; whole numbers are exact.
package func short(_ value: Double) -> String { DiagnosticTemplate.short(value) }
