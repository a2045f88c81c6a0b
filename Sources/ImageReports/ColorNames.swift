// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
package import HDRCore
internal import ImageFiles

extension ColorPrimaries {
  /// The name in options, or the chromaticities.
  package var name: String {
    let named: [(ColorPrimaries, String)] = [
      (.bt2020, "bt2020"), (.displayP3, "p3"), (.bt709, "bt709"), (.adobeRGB, "adobergb"),
      (.proPhoto, "prophoto"), (.acesAP0, "aces"), (.acesAP1, "acescg"),
    ]
    // Files store four or five digits, and ICC profiles are adapted to D50 and back.
    if let match = named.first(where: { $0.0.isClose(to: self, tolerance: 5e-4) }) {
      return match.1
    }
    return [red, green, blue, white]
      .map { "\(($0.x * 1e4).rounded() / 1e4),\(($0.y * 1e4).rounded() / 1e4)" }
      .joined(separator: " ")
  }
}

/// The common name of primaries.
///
/// - Parameter name: Their name in options, or chromaticities.
/// - Returns: Text for people.
package func primariesTitle(_ name: String) -> String {
  switch name {
  case "bt2020": "BT.2020"
  case "p3": "Display P3"
  case "bt709": "BT.709 primaries"
  case "adobergb": "Adobe RGB"
  case "prophoto": "ProPhoto RGB"
  case "aces": "ACES"
  case "acescg": "ACEScg"
  default: "primaries " + name
  }
}

extension TransferFunction {
  package var name: String {
    switch self {
    case .linear: "linear"
    case .pq: "pq"
    case .hlg: "hlg"
    case .srgb: "srgb"
    case .bt1886: "bt1886"
    case .gamma(let exponent): "gamma \(exponent)"
    case .sampled(let curves): curves.isBT709 ? "bt709" : "icc curves"
    }
  }
}

extension ProfileCurves {
  /// Whether the curves are the inverse OETF of BT.709, rounded as in profiles.
  package var isBT709: Bool {
    (0...256).allSatisfy { step in
      let signal = Double(step) / 256
      return (0..<3).allSatisfy { component in
        abs(self[component].linearValue(ofSignal: signal) - BT709.inverseOETF(signal)) <= 5e-4
      }
    }
  }
}
