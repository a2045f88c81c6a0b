public import HDRCore

/// Diffuse white, for the containers that have no place of their own for it.
extension XMPPacket {
  /// The property that holds the luminance of diffuse white in cd/m², as a decimal number.
  public static let diffuseWhite = XMPName("urn:x-hdrconvert:xmp:1.0/", "DiffuseWhite")

  /// A packet that gives diffuse white this luminance in cd/m², and says nothing else.
  public static func packet(diffuseWhite luminance: Double) -> [UInt8] {
    var packet = String(decoding: empty, as: UTF8.self)
    packet.replace(
      " rdf:about=\"\"",
      with: " rdf:about=\"\" xmlns:hdrc=\"\(diffuseWhite.namespace)\""
        + " hdrc:\(diffuseWhite.local)=\"\(decimal(luminance))\"")
    return Array(packet.utf8)
  }

  /// The luminance of diffuse white in cd/m², 0 or at least 0.0001; `nil` if the packet is silent or
  /// makes no sense.
  public func diffuseWhite(notices: inout [Notice]) -> Double? {
    guard let value = self[Self.diffuseWhite] else { return nil }
    guard let luminance = value.text.flatMap(Double.init),
      luminance == 0 || (1e-4...10_000).contains(luminance)
    else {
      notices.append(
        Notice(
          .xmpDiffuseWhiteInvalid, ["value": "\(value)"], at: .init(path: ["XMP", "DiffuseWhite"]))
      )
      return nil
    }
    return luminance
  }

  /// Sets the luminance of diffuse white in cd/m², or makes the packet silent about it.
  ///
  /// - Throws: `.malformed` if the packet holds no RDF.
  public mutating func setDiffuseWhite(_ luminance: Double?) throws(ImageError) {
    if let luminance {
      try set(Self.decimal(luminance), for: Self.diffuseWhite, prefix: "hdrc")
    } else {
      try remove(Self.diffuseWhite)
    }
  }

  /// With as many of four digits after the point as are not zero, the resolution of `ndwt`.
  private static func decimal(_ luminance: Double) -> String {
    let scaled: UInt32 = FixedPoint.unsigned(luminance, unit: 1e-4)
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: 10_000)
    guard rest > 0 else { return "\(whole)" }
    var digits = String("\(rest + 10_000)".dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
