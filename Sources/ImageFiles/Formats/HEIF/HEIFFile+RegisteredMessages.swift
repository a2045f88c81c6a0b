// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFFile {
  /// Returns the ITU-T T.35 messages in the bitstream of a coded image, from the country code on.
  ///
  /// Messages are read from the decoder configuration and from the units before the coded picture.
  /// Only the start of the item's data is read.
  ///
  /// - Parameter id: Identifier of the item.
  /// - Returns: The messages; empty for an item that does not exist or is not coded with HEVC or
  ///   AV1.
  /// - Throws: Errors of `data(of:)`; errors of parsing bitstream headers.
  ///
  /// Source: ITU-T H.265, D.2.6; AV1 bitstream specification, 5.8.2.
  package func registeredMessages(of id: UInt32) throws(ImageError) -> [[UInt8]] {
    guard let item = item(id) else { return [] }
    if let configuration = item.property(AV1ConfigurationBox.self) {
      var units = try AV1OBU.split(configuration.configurationOBUs, limits: limits)
      units += try startOfData(of: id) { bytes throws(ImageError) in
        try AV1OBU.beforePicture(bytes, limits: limits)
      }
      return try Self.messages(units)
    }
    if let configuration = item.property(HEVCConfigurationBox.self) {
      var units = try configuration.parameterSets
      let size = try nalLengthSize(of: id) ?? configuration.nalLengthSize
      units += try startOfData(of: id) { bytes throws(ImageError) in
        try HEVCNALUnit.beforePicture(
          bytes, lengthSize: size, limits: limits)
      }
      return try Self.messages(units)
    }
    return []
  }

  private static func messages(_ units: [AV1OBU]) throws(ImageError) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    for unit in units where unit.type == .metadata {
      if case .registered(let message) = try AV1Metadata(parsing: unit) {
        messages.append(message)
      }
    }
    return messages
  }

  private static func messages(_ units: [HEVCNALUnit]) throws(ImageError) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    for unit in units where unit.type == .prefixSEI && unit.layerID == 0 {
      for message in try HEVCSEIMessage.split(unit)
      where message.type == HEVCSEIMessage.registeredType {
        messages.append(message.payload)
      }
    }
    return messages
  }
}
