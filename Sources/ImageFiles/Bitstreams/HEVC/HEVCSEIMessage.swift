// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A supplemental enhancement information (SEI) message.
///
/// Source: ITU-T H.265, 7.3.5 and annex D.
package struct HEVCSEIMessage: Hashable, Sendable {
  /// payloadType.
  package var type: Int
  package var payload: [UInt8]

  /// user_data_registered_itu_t_t35.
  static let registeredType = 4

  /// Splits an SEI unit into its messages.
  ///
  /// - Throws: `.truncated` if a size exceeds the unit.
  package static func split(_ unit: HEVCNALUnit) throws(ImageError) -> [HEVCSEIMessage] {
    let bytes = unit.rbsp
    var messages: [HEVCSEIMessage] = []
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      // The last byte is rbsp_trailing_bits().
      while reader.remaining > 1 {
        try Execution.current.budget.debit(elements: 1, of: "SEI messages")
        let type = try readNumber(&reader)
        let size = try readNumber(&reader)
        messages.append(HEVCSEIMessage(type: type, payload: try reader.readBytes(size)))
      }
    } catch {
      throw error.inside("SEI")
    }
    return messages
  }

  /// Reads a sum of bytes, up to and including the first one below 255.
  private static func readNumber(_ reader: inout ByteReader) throws(ImageError) -> Int {
    var sum = 0
    while true {
      let byte: UInt8 = try reader.readBigEndian()
      sum += Int(byte)
      if byte < 0xFF { return sum }
    }
  }

  /// Returns a prefix SEI unit that contains an ITU-T T.35 message.
  ///
  /// - Throws: `.malformed` for an invalid NAL unit header, which cannot occur here.
  package static func unit(ofRegistered message: [UInt8]) throws(ImageError) -> HEVCNALUnit {
    let size = [UInt8](repeating: 0xFF, count: message.count / 0xFF) + [UInt8(message.count % 0xFF)]
    // nal_unit_type, nuh_layer_id 0, nuh_temporal_id_plus1 1.
    let header: [UInt8] = [HEVCNALUnit.UnitType.prefixSEI.rawValue << 1, 1]
    return try HEVCNALUnit(
      header: header[...], rbsp: [UInt8(registeredType)] + size + message + [0x80])
  }
}
