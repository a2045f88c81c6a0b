// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
