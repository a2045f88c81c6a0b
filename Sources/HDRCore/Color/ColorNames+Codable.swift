// SPDX-License-Identifier: Apache-2.0

// Names of primaries and transfer functions, as options and requests use them.

extension ColorPrimaries {
  private static let byName: [(name: String, others: [String], primaries: ColorPrimaries)] = [
    ("bt2020", ["bt2100", "rec2020"], .bt2020), ("p3", ["displayp3", "p3-d65"], .displayP3),
    ("bt709", ["srgb", "rec709"], .bt709), ("adobergb", [], .adobeRGB),
    ("prophoto", [], .proPhoto), ("aces", ["ap0"], .acesAP0), ("acescg", ["ap1"], .acesAP1),
  ]

  /// The common names of primaries: `bt2020`, `p3`, `bt709`, `adobergb`, `prophoto`, `aces` and
  /// `acescg`.
  public static var knownNames: [String] { byName.map(\.name) }

  /// The primaries of a name, in upper or lower case; `nil` for other names.
  ///
  /// - Parameter name: One of `knownNames`, or an alternative: `bt2100`, `rec2020`, `displayp3`,
  ///   `p3-d65`, `srgb`, `rec709`, `ap0` or `ap1`.
  public init?(named name: some StringProtocol) {
    let wanted = name.lowercased()
    guard let found = Self.byName.first(where: { $0.name == wanted || $0.others.contains(wanted) })
    else { return nil }
    self = found.primaries
  }

  /// The common name, one of `knownNames`; `nil` for other primaries.
  public var commonName: String? { Self.byName.first { $0.primaries == self }?.name }
}

extension ColorPrimaries: Codable {
  private enum CodingKeys: CodingKey {
    case red, green, blue, white
  }

  /// Decodes a name, or an object with the chromaticities `red`, `green`, `blue` and `white`.
  ///
  /// Chromaticities are not checked; see `isUsable`.
  ///
  /// - Throws: `DecodingError` for an unknown name and for missing chromaticities.
  public init(from decoder: any Decoder) throws {
    guard let name = try? decoder.singleValueContainer().decode(String.self) else {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func light(_ key: CodingKeys) throws -> Chromaticity {
        try values.decode(Chromaticity.self, forKey: key)
      }
      self.init(
        red: try light(.red), green: try light(.green), blue: try light(.blue),
        white: try light(.white))
      return
    }
    guard let named = Self(named: name) else {
      throw DecodingError.explained(
        "'\(name)' is not one of \(Self.knownNames.joined(separator: ", "))",
        at: decoder.codingPath)
    }
    self = named
  }

  /// Encodes the common name, or the four chromaticities of primaries without one.
  public func encode(to encoder: any Encoder) throws {
    if let commonName {
      var value = encoder.singleValueContainer()
      return try value.encode(commonName)
    }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(red, forKey: .red)
    try values.encode(green, forKey: .green)
    try values.encode(blue, forKey: .blue)
    try values.encode(white, forKey: .white)
  }
}

extension TransferFunction {
  private static let byName: [(name: String, transfer: TransferFunction)] = [
    ("linear", .linear), ("pq", .pq), ("hlg", .hlg), ("srgb", .srgb),
  ]

  /// The transfer function of a name, in upper or lower case; `nil` for other names.
  ///
  /// - Parameter name: `linear`, `pq`, `hlg` or `srgb`.
  public init?(named name: some StringProtocol) {
    let wanted = name.lowercased()
    guard let found = Self.byName.first(where: { $0.name == wanted }) else { return nil }
    self = found.transfer
  }

  /// The common name: `linear`, `pq`, `hlg` or `srgb`; `nil` for other functions.
  public var commonName: String? { Self.byName.first { $0.transfer == self }?.name }
}

extension TransferFunction: Codable {
  /// Decodes a common name.
  ///
  /// - Throws: `DecodingError` for other names.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let named = Self(named: name) else {
      throw DecodingError.explained(
        "'\(name)' is not one of pq, hlg, srgb, linear", at: decoder.codingPath)
    }
    self = named
  }

  /// Encodes the common name.
  ///
  /// - Throws: `EncodingError` for BT.1886, gamma and profile curves, which do not have one.
  public func encode(to encoder: any Encoder) throws {
    guard let commonName else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "it is without a name"))
    }
    var value = encoder.singleValueContainer()
    try value.encode(commonName)
  }
}
