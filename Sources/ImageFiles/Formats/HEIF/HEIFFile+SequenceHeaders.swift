// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Headers of coded images, which the configuration records of their items summarize.
extension HEIFFile {
  /// Parses the sequence header of an AV1 item; only the start of the data is read.
  ///
  /// - Throws: Errors of `data(of:)`; `.malformed` if the sequence header is missing.
  package func av1SequenceHeader(of id: UInt32) throws(ImageError) -> AV1SequenceHeader {
    try startOfData(of: id) { bytes throws(ImageError) in try AV1SequenceHeader(ofItem: bytes) }
  }

  /// Parses the sequence parameter set of an HEVC item: of its configuration record, else of its
  /// data, which may contain it in items of type `hev1`.
  ///
  /// - Throws: Errors of `data(of:)`; `.malformed` if the parameter set is missing.
  package func hevcSequenceParameterSet(
    of id: UInt32
  ) throws(ImageError) -> HEVCSequenceParameterSet {
    guard let item = item(id), let configuration = item.property(HEVCConfigurationBox.self) else {
      throw ImageError(.missingElement, ["element": "'hvcC' of the HEVC image"])
    }
    do throws(ImageError) {
      return try configuration.sequenceParameterSet
    } catch {
      guard error.code == .missingElement else { throw error }
      let size = try nalLengthSize(of: id) ?? configuration.nalLengthSize
      let units = try startOfData(of: id) { bytes throws(ImageError) in
        try HEVCNALUnit.beforePicture(
          bytes, lengthSize: size, limits: limits)
      }
      guard let unit = units.first(where: { $0.type == .sequenceParameterSet && $0.layerID == 0 })
      else { throw error }
      return try HEVCSequenceParameterSet(parsing: unit)
    }
  }

  /// Size of the lengths in the data of an HEVC item, in bytes: that of its configuration record
  /// unless only lengths of 4 bytes are possible; `nil` without a record.
  ///
  /// - Throws: Errors of `data(of:)`.
  package func nalLengthSize(of id: UInt32) throws(ImageError) -> Int? {
    let declared = item(id)?.property(HEVCConfigurationBox.self)?.nalLengthSize
    guard let declared, declared != 4 else { return declared }
    return try withData(of: id) { bytes throws(ImageError) in
      try HEVCNALUnit.lengthSize(in: bytes, declared: declared, limits: limits)
    }
  }

  /// Parses the start of the data of an item with `read`, which is called with more data if they
  /// are truncated.
  func startOfData<Result>(
    of id: UInt32, _ read: ([UInt8]) throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    let total = try dataParts(of: id).reduce(0) { $0 + $1.count }
    var length = 1 << 12
    while true {
      do throws(ImageError) {
        return try withData(of: id, prefix: length, read)
      } catch {
        guard error.category == .truncated, length < total else { throw error }
        length *= 16
      }
    }
  }
}

extension HEIFItem {
  /// Whether one layer of a layered AV1 image is shown, which may be smaller than the sequence header
  /// specifies.
  ///
  /// Source: AV1 Image File Format, 2.3.2.1; ISO/IEC 23008-12, 6.5.11: 0xFFFF selects all layers.
  package var selectsLayer: Bool {
    property(AV1OperatingPointBox.self) != nil
      || property(LayerSelectorBox.self).map { $0.layerID != 0xFFFF } ?? false
  }
}
