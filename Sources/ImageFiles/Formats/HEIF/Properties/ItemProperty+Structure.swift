// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ItemProperty {
  /// Values of the property as text.
  var fields: [StructureNode.Field] {
    var fields: [StructureNode.Field] = []
    switch box {
    case .imageSpatialExtents(let box): fields.add("size", "\(box.width)x\(box.height)")
    case .pixelInformation(let box):
      fields.add("bits", box.bitsPerChannel.map(String.init).joined(separator: ", "))
    case .colorInformation(let box): fields = box.fields
    case .imageRotation(let box):
      fields.add("anticlockwise", "\(90 * Int(box.quarterTurns)) degrees")
    case .imageMirror(let box):
      fields.add("exchanges", box.exchange == .leftAndRight ? "left and right" : "top and bottom")
    case .cleanAperture(let box):
      func text(_ numerator: some BinaryInteger, _ denominator: UInt32) -> String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
      }
      fields.add(
        "size",
        text(box.width.numerator, box.width.denominator) + "x"
          + text(box.height.numerator, box.height.denominator))
      fields.add(
        "offset",
        text(box.horizontalOffset.numerator, box.horizontalOffset.denominator) + ", "
          + text(box.verticalOffset.numerator, box.verticalOffset.denominator))
    case .pixelAspectRatio(let box):
      fields.add("spacing", "\(box.horizontalSpacing):\(box.verticalSpacing)")
    case .auxiliaryType(let box): fields.add("type", box.auxiliaryType)
    case .hevcConfiguration(let box): fields = box.fields
    case .av1Configuration(let box): fields = box.fields
    case .layerSelector(let box): fields.add("layer", box.layerID)
    case .av1LayeredImageIndexing(let box):
      fields.add("layer sizes", box.layerSizes.map(String.init).joined(separator: ", "))
    case .av1OperatingPoint(let box): fields.add("operating point", box.index)
    case .metadata(let metadata): fields = metadata.content.fields
    case .unknown(_, let userType, let content):
      fields.add("uuid", userType.map(BoxFields.hexadecimal))
      fields.add("bytes", content.count)
    case .unreadable(_, _, let failure): fields.addUnreadable(failure.error.message)
    }
    if isIrregular { fields.add("irregular", "nonstandard form") }
    return fields
  }
}

extension ColorInformationBox {
  fileprivate var fields: [StructureNode.Field] {
    switch self {
    case .nclx(let cicp): return [.init("nclx", cicp.title)]
    case .unrestrictedICC(let bytes): return [.init("prof", Self.profile(bytes))]
    case .restrictedICC(let bytes): return [.init("rICC", Self.profile(bytes))]
    case .other(let type, let bytes): return [.init("\(type)", "\(bytes.count) bytes")]
    }
  }

  private static func profile(_ bytes: [UInt8]) -> String {
    let name = (try? ICCProfile(parsing: bytes))?.description
    return "ICC profile" + (name.map { " '\($0)'" } ?? "") + ", \(bytes.count) bytes"
  }
}

extension HEVCConfigurationBox {
  fileprivate var fields: [StructureNode.Field] {
    [
      .init("profile", profileTierLevel.profileName),
      .init("level", profileTierLevel.levelName),
      .init("chroma", chroma.rawValue),
      .init("depth", "\(lumaBitDepth), \(chromaBitDepth)"),
    ]
  }

  /// Chroma subsampling; `.yuv400` for an image with luma only.
  package var chroma: ChromaSubsampling {
    [.yuv400, .yuv420, .yuv422, .yuv444][Int(chromaFormat & 3)]
  }
}

extension HEVCProfileTierLevel {
  /// Name of the profile.
  ///
  /// Source: ITU-T H.265, annex A.3.
  package var profileName: String {
    switch profileIDC {
    case 1: "Main"
    case 2: "Main 10"
    case 3: "Main Still Picture"
    case 4: "Format Range Extensions"
    case 9: "Screen Content Coding"
    default: "profile \(profileIDC)"
    }
  }

  /// Level and tier, for example `5.1 High`.
  ///
  /// Source: ITU-T H.265, annex A.4.
  package var levelName: String {
    let (number, tenths) = (levelIDC / 30, levelIDC % 30 / 3)
    return (tenths == 0 ? "\(number)" : "\(number).\(tenths)") + (isHighTier ? " High" : " Main")
  }
}

extension AV1ConfigurationBox {
  fileprivate var fields: [StructureNode.Field] {
    [
      .init("profile", profileName), .init("level", levelName), .init("chroma", chroma.rawValue),
      .init("depth", "\(bitDepth)"),
    ]
  }

  /// Name of the profile: `Main`, `High` or `Professional`, else its number.
  ///
  /// Source: AV1 bitstream specification, 6.4.1.
  package var profileName: String {
    switch profile {
    case 0: "Main"
    case 1: "High"
    case 2: "Professional"
    default: "profile \(profile)"
    }
  }

  /// Level and tier, for example `5.1 High`; level 31 is unlimited.
  ///
  /// Source: AV1 bitstream specification, A.3.
  package var levelName: String {
    level == 31 ? "unlimited" : "\(2 + level / 4).\(level % 4)" + (isHighTier ? " High" : " Main")
  }
}
