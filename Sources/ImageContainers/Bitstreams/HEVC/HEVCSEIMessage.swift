package import HDRCore

/// A message of supplemental enhancement information.
///
/// Source: ITU-T H.265, 7.3.5 and annex D.
package struct HEVCSEIMessage: Hashable, Sendable {
  /// payloadType.
  package var type: Int
  package var payload: [UInt8]

  /// user_data_registered_itu_t_t35.
  static let registeredType = 4

  /// The messages of a unit.
  ///
  /// - Throws: `.truncated` if a size leads outside.
  package static func split(_ unit: HEVCNALUnit) throws(ImageError) -> [HEVCSEIMessage] {
    let bytes = unit.rbsp
    var messages: [HEVCSEIMessage] = []
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      // What comes last is a bit and zeros.
      while reader.remaining > 1 {
        let type = try readNumber(&reader)
        let size = try readNumber(&reader)
        messages.append(HEVCSEIMessage(type: type, payload: try reader.readBytes(size)))
      }
    } catch {
      throw error.inside("SEI")
    }
    return messages
  }

  /// A sum of bytes, of which the first below 255 is the last.
  private static func readNumber(_ reader: inout ByteReader) throws(ImageError) -> Int {
    var sum = 0
    while true {
      let byte: UInt8 = try reader.readBigEndian()
      sum += Int(byte)
      if byte < 0xFF { return sum }
    }
  }

  /// The unit of a message of ITU-T T.35 that stands before the picture.
  ///
  /// - Throws: Never for a message of this program's making.
  package static func unit(ofRegistered message: [UInt8]) throws(ImageError) -> HEVCNALUnit {
    let size = [UInt8](repeating: 0xFF, count: message.count / 0xFF) + [UInt8(message.count % 0xFF)]
    // Type of the unit, layer 0, temporal layer 0.
    let header: [UInt8] = [HEVCNALUnit.Kind.prefixSEI.rawValue << 1, 1]
    return try HEVCNALUnit(
      header: header[...], rbsp: [UInt8(registeredType)] + size + message + [0x80])
  }
}
