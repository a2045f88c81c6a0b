// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Diffuse white, for containers that cannot store it otherwise.
extension XMPPacket {
  /// Property with the luminance of diffuse white in cd/m², as a decimal number.
  package static let diffuseWhite = XMPName("urn:x-hdrconvert:xmp:1.0/", "DiffuseWhite")

  /// Returns a packet that contains only the luminance of diffuse white in cd/m², rounded to
  /// 0.0001.
  package static func packet(diffuseWhite luminance: Double) -> [UInt8] {
    var packet = String(decoding: empty, as: UTF8.self)
    packet.replace(
      " rdf:about=\"\"",
      with: " rdf:about=\"\" xmlns:hdrc=\"\(diffuseWhite.namespace)\""
        + " hdrc:\(diffuseWhite.local)=\"\(decimal(luminance))\"")
    return Array(packet.utf8)
  }

  /// Returns the luminance of diffuse white in cd/m²: 0 or 0.0001...10 000.
  ///
  /// `nil` if the property is missing, and with a notice if it is invalid.
  package func diffuseWhite(notices: inout [Notice]) -> Double? {
    guard let value = self[Self.diffuseWhite] else { return nil }
    guard let luminance = value.text.flatMap(Double.init),
      luminance == 0 || (1e-4...10_000).contains(luminance)
    else {
      notices.append(
        Notice(
          .irregular, "ignored: DiffuseWhite {value} is not a luminance", ["value": "\(value)"],
          at: .init(path: ["XMP", "DiffuseWhite"]))
      )
      return nil
    }
    return luminance
  }

  /// Sets the luminance of diffuse white in cd/m², rounded to 0.0001; `nil` removes it.
  ///
  /// - Throws: `.malformed` if the packet does not contain RDF.
  package mutating func setDiffuseWhite(_ luminance: Double?) throws(ImageError) {
    if let luminance {
      try set(Self.decimal(luminance), for: Self.diffuseWhite, prefix: "hdrc")
    } else {
      try remove(Self.diffuseWhite)
    }
  }

  /// Formats a luminance with at most four decimals, the resolution of `ndwt`.
  static func decimal(_ luminance: Double) -> String {
    let scaled: UInt32 = FixedPoint.unsigned(luminance, unit: 1e-4)
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: 10_000)
    guard rest > 0 else { return "\(whole)" }
    var digits = String("\(rest + 10_000)".dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
