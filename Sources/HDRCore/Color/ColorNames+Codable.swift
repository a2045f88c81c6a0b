// SPDX-License-Identifier: Apache-2.0

// Names of primaries and transfer functions, as options and requests use them.

extension ColorPrimaries {
  private static let byName: [(name: String, others: [String], primaries: ColorPrimaries)] = [
    ("bt2020", ["bt2100", "rec2020"], .bt2020), ("p3", ["displayp3", "p3-d65"], .displayP3),
    ("bt709", ["srgb", "rec709"], .bt709), ("adobergb", [], .adobeRGB),
    ("prophoto", [], .proPhoto), ("aces", ["ap0"], .acesAP0), ("acescg", ["ap1"], .acesAP1),
  ]

  /// The common names of primaries.
  public static var knownNames: [String] { byName.map(\.name) }

  /// The primaries of a name, in upper or lower case; `nil` for other names.
  public init?(named name: some StringProtocol) {
    let wanted = name.lowercased()
    guard let found = Self.byName.first(where: { $0.name == wanted || $0.others.contains(wanted) })
    else { return nil }
    self = found.primaries
  }

  /// The common name; `nil` for primaries without one.
  public var commonName: String? { Self.byName.first { $0.primaries == self }?.name }
}

extension ColorPrimaries: Codable {
  private enum CodingKeys: CodingKey {
    case red, green, blue, white
  }

  /// Reads a name, or an object with four chromaticities.
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
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription:
            "'\(name)' is not one of \(Self.knownNames.joined(separator: ", "))"))
    }
    self = named
  }

  /// Writes the common name, or four chromaticities.
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
  public init?(named name: some StringProtocol) {
    let wanted = name.lowercased()
    guard let found = Self.byName.first(where: { $0.name == wanted }) else { return nil }
    self = found.transfer
  }

  /// The common name; `nil` for functions without one.
  public var commonName: String? { Self.byName.first { $0.transfer == self }?.name }
}

extension TransferFunction: Codable {
  /// Reads a name.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let named = Self(named: name) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "'\(name)' is not one of pq, hlg, srgb, linear"))
    }
    self = named
  }

  /// Writes the name; functions without one cannot be written.
  public func encode(to encoder: any Encoder) throws {
    guard let commonName else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "it is without a name"))
    }
    var value = encoder.singleValueContainer()
    try value.encode(commonName)
  }
}
