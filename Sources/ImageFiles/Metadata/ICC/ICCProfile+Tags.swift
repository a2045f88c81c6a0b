// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Values of individual tags.
extension ICCProfile {
  /// Returns the entry of the tag table with a signature; `nil` if it is missing.
  package func tag(_ signature: Signature) -> Tag? { tags.first { $0.signature == signature } }

  /// Description of the profile for display to people; `nil` if missing.
  package var description: String? { text(.profileDescription) }

  /// Text of the copyright tag; `nil` if missing.
  package var copyright: String? { text(.copyright) }

  /// Whether the image is scene-referred or output-referred; `nil` if unspecified.
  ///
  /// Source: ICC.1:2022, 9.2.16: `ciis`.
  package var imageState: ColorEncoding.ImageState? {
    value(of: .imageState, types: .signatureType) { _, reader throws(ImageError) in
      switch Signature(rawValue: try reader.readBigEndian()) {
      case .sceneColorimetry, .sceneAppearance: .scene
      default: .display
      }
    }
  }

  /// Returns the tone mapping for displays of any headroom; `nil` if the profile does not contain
  /// it, or not completely.
  ///
  /// - Throws: Errors of `HeadroomAdaptation.init(parsing:)`.
  ///
  /// Source: SMPTE ST 2094-50; `HAGC` as written by Apple and Skia: the size of application_info
  /// and its bytes.
  package func headroomAdaptation() throws(ImageError) -> HeadroomAdaptation? {
    let payload = value(of: .headroomAdaptation, types: .headroomAdaptationType) {
      _, reader throws(ImageError) in
      let size: UInt32 = try reader.readBigEndian()
      return try reader.readBytes(Int(size))
    }
    guard let payload else { return nil }
    do throws(ImageError) {
      return try HeadroomAdaptation(parsing: payload)
    } catch {
      throw error.inside("HAGC").inside("ICC")
    }
  }

  /// Absolute luminance of the device (`lumi`), in cd/m²; `nil` if unspecified.
  package var luminance: Double? { xyz(.luminance)?.y }

  /// Returns the value of an XYZ tag; `nil` if it is missing or invalid.
  package func xyz(_ signature: Signature) -> SIMD3<Double>? {
    value(of: signature, types: .xyz) { _, reader throws(ImageError) in try reader.readXYZ() }
  }

  /// Matrix of the chromatic adaptation from the image's white point to D50.
  ///
  /// Source: 9.2.15: `chad`.
  package var chromaticAdaptation: Matrix3x3? {
    value(of: .chromaticAdaptation, types: .fixedArray) { _, reader throws(ImageError) in
      let row0 = try reader.readXYZ()
      let row1 = try reader.readXYZ()
      return Matrix3x3(row0, row1, try reader.readXYZ())
    }
  }

  /// Returns the text of a tag of any of the three text types; `nil` if it is missing or invalid.
  ///
  /// The English one of localized texts, else the first.
  package func text(_ signature: Signature) -> String? {
    value(of: signature, types: .multiLocalizedText, .textDescription, .plainText) {
      type, reader throws(ImageError) in
      switch type {
      case .multiLocalizedText:
        return try reader.readLocalizedText()
      case .textDescription:
        let count: UInt32 = try reader.readBigEndian()
        return Self.text(try reader.readBytes(Int(count)))
      default:
        return Self.text(reader.readRest())
      }
    }
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Parses the data of a tag after type and reserved field.
  ///
  /// `nil` if the tag is missing, too short, or of a type that is not in `types`.
  func value<Value>(
    of signature: Signature, types: Signature...,
    body: (_ type: Signature, _ reader: inout ByteReader) throws(ImageError) -> Value?
  ) -> Value? {
    guard let tag = tag(signature) else { return nil }
    let data = Array(bytes[tag.range])
    do throws(ImageError) {
      var reader = ByteReader(data.span, fileOffset: tag.range.lowerBound)
      let type = Signature(rawValue: try reader.readBigEndian())
      try reader.skip(4)
      return types.contains(type) ? try body(type, &reader) : nil
    } catch {
      return nil
    }
  }
}

extension ByteReader {
  /// Reads an s15Fixed16Number.
  @_lifetime(self: copy self)
  mutating func readS15Fixed16() throws(ImageError) -> Double {
    Double(try readBigEndian(as: Int32.self)) / 65_536
  }

  @_lifetime(self: copy self)
  mutating func readXYZ() throws(ImageError) -> SIMD3<Double> {
    let x = try readS15Fixed16()
    let y = try readS15Fixed16()
    return SIMD3(x, y, try readS15Fixed16())
  }

  /// Reads the English text of a `mluc` tag, or its first text.
  ///
  /// Source: ICC.1:2022, 10.15; offsets are relative to the start of the tag data.
  @_lifetime(self: copy self)
  fileprivate mutating func readLocalizedText() throws(ImageError) -> String? {
    let start = fileOffset - 8
    let count: UInt32 = try readBigEndian()
    let recordSize: UInt32 = try readBigEndian()
    guard count > 0, recordSize == 12 else { return nil }
    var chosen = (length: 0, offset: 0)
    for index in 0..<count {
      let language: UInt16 = try readBigEndian()
      try skip(2)
      let length = Int(try readBigEndian(as: UInt32.self))
      let offset = Int(try readBigEndian(as: UInt32.self))
      let isEnglish = language == 0x656E
      if index == 0 || isEnglish { chosen = (length, offset) }
      if isEnglish { break }
    }
    try skip(chosen.offset - (fileOffset - start))
    var text = try readSlice(chosen.length)
    var units: [UInt16] = []
    while text.remaining >= 2 { units.append(try text.readBigEndian()) }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }
}
