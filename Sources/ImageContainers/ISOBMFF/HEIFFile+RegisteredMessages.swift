public import HDRCore

extension HEIFFile {
  /// The messages of ITU-T T.35 in the bitstream of a coded picture, from the country code on.
  ///
  /// They are those of the decoder's configuration and those before the picture. Of the item's data
  /// only the beginning is read.
  ///
  /// - Returns: None for what is not coded with HEVC or AV1.
  /// - Throws: As `data(of:)`; what is wrong with the bitstream's headers.
  public func registeredMessages(of id: UInt32) throws(ImageError) -> [[UInt8]] {
    guard let item = item(id) else { return [] }
    if let configuration = item.property(AV1ConfigurationBox.self) {
      var units = try AV1OBU.split(configuration.configurationOBUs, limits: limits)
      units += try self.units(of: id) { bytes throws(ImageError) in
        try AV1OBU.beforePicture(bytes, limits: limits)
      }
      return try Self.messages(units)
    }
    if let configuration = item.property(HEVCConfigurationBox.self) {
      var units = try configuration.parameterSets
      units += try self.units(of: id) { bytes throws(ImageError) in
        try HEVCNALUnit.beforePicture(
          bytes, lengthSize: configuration.nalLengthSize, limits: limits)
      }
      return try Self.messages(units)
    }
    return []
  }

  /// What `read` finds in the beginning of an item, of which it gets more until that is enough.
  private func units<Unit>(
    of id: UInt32, _ read: ([UInt8]) throws(ImageError) -> [Unit]
  ) throws(ImageError) -> [Unit] {
    let total = try dataParts(of: id).reduce(0) { $0 + $1.count }
    var length = 1 << 12
    while true {
      do throws(ImageError) {
        return try read(try dataPrefix(of: id, count: length))
      } catch {
        guard error.category == .truncated, length < total else { throw error }
        length *= 16
      }
    }
  }

  private static func messages(_ units: [AV1OBU]) throws(ImageError) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    for unit in units where unit.kind == .metadata {
      if case .registered(let message) = try AV1Metadata(parsing: unit) {
        messages.append(message)
      }
    }
    return messages
  }

  private static func messages(_ units: [HEVCNALUnit]) throws(ImageError) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    for unit in units where unit.kind == .prefixSEI && unit.layerID == 0 {
      for message in try HEVCSEIMessage.split(unit)
      where message.type == HEVCSEIMessage.registeredType {
        messages.append(message.payload)
      }
    }
    return messages
  }
}
