// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Generation of embedded profiles: version 4.4, three curves and a matrix, reproducible byte for
/// byte.
extension ICCProfile {
  /// Generates a profile that is equivalent to code points.
  ///
  /// For PQ and HLG, color management that does not support the `cicp` tag uses a curve of 4096
  /// entries that is exact up to diffuse white, 203 cd/m², and clips above it.
  ///
  /// - Parameters:
  ///   - cicp: Code points; matrix and range of the profile are those of full-range RGB.
  ///   - imageState: State of the image; `scene` is stored in the `ciis` tag, other states are not.
  ///   - headroomAdaptation: Tone mapping for displays of any headroom.
  /// - Returns: The bytes of the profile.
  /// - Throws: `.unsupported` for code points that a profile cannot describe, `.invalidArgument`
  ///   for `headroomAdaptation` with more than four alternates.
  package static func generate(
    for cicp: CICP, imageState: ColorEncoding.ImageState? = nil,
    headroomAdaptation: HeadroomAdaptation? = nil
  ) throws(ImageError) -> [UInt8] {
    guard let primaries = ColorPrimaries(cicp.primaries), primaries.isUsable,
      let curve = ICCCurve(cicp.transfer)
    else {
      throw ImageError(.unsupported, "an ICC profile cannot describe {cicp}", ["cicp": "\(cicp)"])
    }
    let tag = CICP(primaries: cicp.primaries, transfer: cicp.transfer)
    return generate(
      primaries: primaries, curve: curve, description: name(of: tag), cicp: tag,
      imageState: imageState,
      headroomAdaptation: try headroomAdaptation.map { value throws(ImageError) in
        try value.serialized()
      })
  }

  /// Generates a profile of any RGB color space.
  ///
  /// - Parameters:
  ///   - primaries: Usable primaries and their white point.
  ///   - curve: Tone curve of all three components.
  ///   - description: Description for display to people.
  ///   - cicp: Equivalent code points; `nil` if they do not exist.
  ///   - imageState: Image state; `nil` for unspecified.
  ///   - headroomAdaptation: application_info of SMPTE ST 2094-50; `nil` for none.
  /// - Returns: The bytes of the profile.
  package static func generate(
    primaries: ColorPrimaries, curve: ICCCurve, description: String, cicp: CICP? = nil,
    imageState: ColorEncoding.ImageState? = nil, headroomAdaptation: [UInt8]? = nil
  ) -> [UInt8] {
    let colorants = ICCMatrixModel.colorants(of: primaries).transposed
    let curveData = ICCTagData.curve(curve)
    var tags: [(Signature, [UInt8])] = [
      (.profileDescription, ICCTagData.text(description)),
      (.copyright, ICCTagData.text("CC0")),
      (.mediaWhite, ICCTagData.xyz(connectionWhite)),
      (
        .chromaticAdaptation,
        ICCTagData.matrix(ICCMatrixModel.chromaticAdaptation(from: primaries.white))
      ),
      (.redColorant, ICCTagData.xyz(colorants[row: 0])),
      (.greenColorant, ICCTagData.xyz(colorants[row: 1])),
      (.blueColorant, ICCTagData.xyz(colorants[row: 2])),
      (.redCurve, curveData), (.greenCurve, curveData), (.blueCurve, curveData),
    ]
    if let cicp { tags.append((.cicp, ICCTagData.codePoints(cicp))) }
    if imageState == .scene { tags.append((.imageState, ICCTagData.signature(.sceneColorimetry))) }
    if let headroomAdaptation {
      tags.append((.headroomAdaptation, ICCTagData.headroomAdaptation(headroomAdaptation)))
    }
    return assemble(tags)
  }

  /// A profile of Adobe RGB (1998): its primaries, white point and gamma of 563/256.
  ///
  /// Source: Adobe RGB (1998) Color Image Encoding, 4.3.1.1, 4.3.1.2.
  package static let adobeRGB = generate(
    primaries: .adobeRGB, curve: .parametric(function: 0, parameters: [563 / 256]),
    description: "Compatible with Adobe RGB (1998)")

  private static func name(of cicp: CICP) -> String {
    switch (cicp.primaries, cicp.transfer) {
    case (.bt709, .srgb): return "sRGB"
    case (.displayP3, .srgb): return "Display P3"
    default: break
    }
    let primaries =
      switch cicp.primaries {
      case .bt709: "BT.709"
      case .bt2020: "BT.2020"
      case .displayP3: "P3 D65"
      default: "H.273 primaries \(cicp.primaries.rawValue)"
      }
    let transfer =
      switch cicp.transfer {
      case .pq: "PQ"
      case .hlg: "HLG"
      case .linear: "linear"
      case .srgb: "sRGB curve"
      case .bt709, .bt601, .bt2020TenBit, .bt2020TwelveBit: "BT.1886"
      default: "H.273 transfer \(cicp.transfer.rawValue)"
      }
    return "\(primaries) \(transfer)"
  }

  /// Serializes header, tag table and tag data.
  ///
  /// Source: ICC.1:2022, 7.2 and 7.3.
  private static func assemble(_ tags: [(Signature, [UInt8])]) -> [UInt8] {
    var data = ByteWriter()
    var table = ByteWriter()
    var places: [[UInt8]: Int] = [:]
    let dataStart = 128 + 4 + 12 * tags.count
    table.writeBigEndian(UInt32(tags.count))
    for (signature, content) in tags {
      // Tags with equal data share one copy.
      let offset = places[content] ?? dataStart + data.count
      if places.updateValue(offset, forKey: content) == nil {
        data.write(content)
        data.write(repeatElement(0, count: -content.count & 3))
      }
      table.writeBigEndian(signature.rawValue)
      table.writeBigEndian(UInt32(offset))
      table.writeBigEndian(UInt32(content.count))
    }

    var profile = header(size: dataStart + data.count)
    profile.write(table.bytes)
    profile.write(data.bytes)
    var bytes = profile.bytes
    bytes.replaceSubrange(84..<100, with: identifier(of: bytes))
    return bytes
  }

  /// Returns a profile header without a profile ID.
  private static func header(size: Int) -> ByteWriter {
    var writer = ByteWriter()
    writer.writeBigEndian(UInt32(size))
    writer.writeBigEndian(0 as UInt32)  // No preferred color management module.
    writer.writeBigEndian(0x0440_0000 as UInt32)
    for signature: Signature in [.displayDevice, .rgb, .xyz] {
      writer.writeBigEndian(signature.rawValue)
    }
    // A fixed date, so that equal input produces an equal file.
    for part: UInt16 in [2026, 1, 1, 0, 0, 0] { writer.writeBigEndian(part) }
    writer.write("acsp")
    writer.write(repeatElement(0, count: 24))  // Platform, flags, device, attributes.
    writer.writeBigEndian(1 as UInt32)  // Media-relative colorimetry.
    writer.write(ICCTagData.xyzNumber(connectionWhite))
    writer.write(repeatElement(0, count: 48))  // Creator, identifier, reserved.
    return writer
  }
}

extension ICCCurve {
  /// Creates the curve of a code point; for PQ and HLG relative to diffuse white and clipped to 1.
  init?(_ transfer: CICP.Transfer) {
    guard let function = TransferFunction(transfer) else { return nil }
    switch function {
    case .linear: self = .identity
    case .srgb: self = .srgb
    case .bt1886: self = .parametric(function: 0, parameters: [2.4])
    case .gamma(let exponent): self = .parametric(function: 0, parameters: [exponent])
    case .pq, .hlg, .sampled:
      let last = 4095
      self = .table(
        (0...last).map { index in
          let light = function.linearValue(
            ofSignal: Double(index) / Double(last),
            referenceWhite: ColorEncoding.defaultReferenceWhite)
          return UInt16(clamping: (min(max(light, 0), 1) * 65_535).rounded())
        })
    }
  }
}

/// Serialization of tag data, including the type signature.
///
/// Source: ICC.1:2022, clause 10.
enum ICCTagData {
  static func text(_ text: String) -> [UInt8] {
    let units = Array(text.utf16)
    return data(.multiLocalizedText) { writer in
      writer.writeBigEndian(1 as UInt32)  // One record.
      writer.writeBigEndian(12 as UInt32)  // Record size.
      writer.write("enUS")
      writer.writeBigEndian(UInt32(2 * units.count))
      writer.writeBigEndian(28 as UInt32)  // Offset of the text.
      for unit in units { writer.writeBigEndian(unit) }
    }
  }

  static func xyz(_ color: SIMD3<Double>) -> [UInt8] { data(.xyz) { $0.write(xyzNumber(color)) } }

  static func matrix(_ matrix: Matrix3x3) -> [UInt8] {
    data(.fixedArray) { writer in
      for element in matrix.elements { writer.writeBigEndian(s15Fixed16(element)) }
    }
  }

  static func curve(_ curve: ICCCurve) -> [UInt8] {
    switch curve {
    case .identity:
      data(.curve) { $0.writeBigEndian(0 as UInt32) }
    case .table(let samples):
      data(.curve) { writer in
        writer.writeBigEndian(UInt32(samples.count))
        for sample in samples { writer.writeBigEndian(sample) }
      }
    case .parametric(let function, let parameters):
      data(.parametricCurve) { writer in
        writer.writeBigEndian(UInt16(function))
        writer.writeBigEndian(0 as UInt16)
        for parameter in parameters { writer.writeBigEndian(s15Fixed16(parameter)) }
      }
    }
  }

  static func codePoints(_ cicp: CICP) -> [UInt8] {
    data(.cicp) { writer in
      writer.write([
        UInt8(clamping: cicp.primaries.rawValue), UInt8(clamping: cicp.transfer.rawValue),
        UInt8(clamping: cicp.matrix.rawValue), cicp.isFullRange ? 1 : 0,
      ])
    }
  }

  static func headroomAdaptation(_ payload: [UInt8]) -> [UInt8] {
    data(.headroomAdaptationType) { writer in
      writer.writeBigEndian(UInt32(payload.count))
      writer.write(payload)
    }
  }

  static func signature(_ signature: ICCProfile.Signature) -> [UInt8] {
    data(.signatureType) { $0.writeBigEndian(signature.rawValue) }
  }

  static func xyzNumber(_ color: SIMD3<Double>) -> [UInt8] {
    var writer = ByteWriter()
    for component in [color.x, color.y, color.z] { writer.writeBigEndian(s15Fixed16(component)) }
    return writer.bytes
  }

  private static func s15Fixed16(_ value: Double) -> Int32 {
    let scaled = (value * 65_536).rounded()
    return Int32(exactly: scaled) ?? (scaled > 0 ? Int32.max : Int32.min)
  }

  private static func data(
    _ type: ICCProfile.Signature, _ body: (inout ByteWriter) -> Void
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeBigEndian(type.rawValue)
    writer.writeBigEndian(0 as UInt32)
    body(&writer)
    return writer.bytes
  }
}
