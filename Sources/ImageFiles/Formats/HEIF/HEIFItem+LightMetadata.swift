// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Mapping of HDR metadata to item properties of HEIF and AVIF.
extension HEIFItem {
  /// Returns all HDR metadata of the item.
  ///
  /// Properties that cannot be parsed, or whose values the standards define as unknown, are omitted
  /// with a notice. Of several properties of a type, the last one is used.
  ///
  /// - Parameters:
  ///   - transfer: Transfer function, which scales `cclv`; if `nil`, that of `nclx` or of the ICC
  ///     profile.
  ///   - notices: Receives a notice for each omitted property.
  /// - Returns: The HDR metadata.
  package func lightMetadata(
    transfer: CICP.Transfer? = nil, notices: inout [Notice]
  ) -> LightMetadata {
    var hdr = LightMetadata()
    let scale = ContentVolumeScale(transfer.known ?? declaredTransfer)
    for property in properties {
      do throws(ImageError) {
        switch property.box {
        case .nominalDiffuseWhite(let box):
          hdr.diffuseWhite = Double(box.luminance) / 10_000
        case .contentLightLevel(let box):
          hdr.contentLightLevel = LightMetadata.ContentLightLevel(
            maximum: Double(box.maximum), maximumAverage: Double(box.maximumAverage))
        case .masteringDisplayColorVolume(let box):
          hdr.masteringDisplay = try LightMetadata.MasteringDisplay(box)
        case .contentColorVolume(let box):
          hdr.contentColorVolume = LightMetadata.ContentColorVolume(box, scale: scale)
        case .ambientViewingEnvironment(let box):
          hdr.ambientEnvironment = try LightMetadata.AmbientEnvironment(box)
        case .referenceViewingEnvironment(let box):
          hdr.referenceEnvironment = LightMetadata.ReferenceEnvironment(box)
        case .unknown(let type, _, let content) where Self.lightTypes.contains(type):
          throw ImageError(
            .invalidValue, ["field": "'\(type)'", "value": "\(content.count) bytes"])
        default: break
        }
      } catch {
        notices.append(
          Notice(
            .irregular, "ignored: {cause}", ["cause": error],
            at: .init(path: ["item \(id)", property.type.description])))
      }
    }
    return hdr
  }

  /// Replaces all HDR metadata of the item.
  ///
  /// - Parameters:
  ///   - hdr: Metadata to store; missing values are removed.
  ///   - transfer: Transfer function, which scales `cclv`; if `nil`, that of `nclx` or of the ICC
  ///     profile.
  package mutating func setLightMetadata(_ hdr: LightMetadata, transfer: CICP.Transfer? = nil) {
    let scale = ContentVolumeScale(transfer.known ?? declaredTransfer)
    setProperty("clli", to: hdr.contentLightLevel.map { .contentLightLevel(.init($0)) })
    setProperty("mdcv", to: hdr.masteringDisplay.map { .masteringDisplayColorVolume(.init($0)) })
    setProperty(
      "cclv", to: hdr.contentColorVolume.map { .contentColorVolume(.init($0, scale: scale)) })
    setProperty("amve", to: hdr.ambientEnvironment.map { .ambientViewingEnvironment(.init($0)) })
    setProperty("ndwt", to: hdr.diffuseWhite.map { .nominalDiffuseWhite(.init(cdPerM2: $0)) })
    setProperty(
      "reve", to: hdr.referenceEnvironment.map { .referenceViewingEnvironment(.init($0)) })
  }

  /// The transfer function of `nclx`, or else that of the ICC profile.
  var declaredTransfer: CICP.Transfer? {
    (cicp?.transfer).known ?? icc.flatMap { try? ICCProfile(parsing: $0) }?.cicp?.transfer
  }

  private static let lightTypes: Set<FourCC> = ["clli", "mdcv", "cclv", "amve", "ndwt", "reve"]
}

/// Scale of the luminances in `cclv`.
///
/// Source: ITU-T H.274, content colour volume SEI message: linear values of the transfer function.
package struct ContentVolumeScale {
  private let transfer: CICP.Transfer?

  package init(_ transfer: CICP.Transfer?) { self.transfer = transfer }

  /// Returns the luminance in cd/m² of a stored value.
  ///
  /// For HLG, scene-linear values are converted with the OOTF of the reference display. Linear
  /// values of transfer functions other than PQ and HLG are relative to reference white.
  func luminance(_ stored: UInt32) -> Double {
    let steps = Double(stored)
    switch transfer {
    case .pq?: return steps * 10_000 / 1e7
    case .hlg?: return HLG.ootf(.init(repeating: steps / 1e7), peak: peak, gamma: gamma).x
    default: return steps * ColorEncoding.defaultReferenceWhite / 1e7
    }
  }

  /// Returns the nearest stored value of a luminance in cd/m².
  func stored(_ luminance: Double) -> UInt32 {
    let light: Double =
      switch transfer {
      case .pq?: luminance / 10_000
      case .hlg?: HLG.inverseOOTF(.init(repeating: luminance), peak: peak, gamma: gamma).x
      default: luminance / ColorEncoding.defaultReferenceWhite
      }
    return FixedPoint.unsigned(light, unit: 1e-7)
  }

  private var peak: Double { HLG.Display.reference.peakLuminance }
  private var gamma: Double { HLG.Display.reference.gamma }
}

extension CICP.Transfer? {
  /// The transfer function; `nil` for one that is unspecified.
  fileprivate var known: CICP.Transfer? { self == .unspecified ? nil : self }
}
