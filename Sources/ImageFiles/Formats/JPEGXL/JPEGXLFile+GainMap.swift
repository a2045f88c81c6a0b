// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore

extension JPEGXLFile: GainMapContainer {
  func gainMaps(_ options: OpeningOptions) throws(ImageError) -> GainMapInventory {
    try GainMapInventory(of: self)
  }

  var basePrimaries: ColorPrimaries? {
    get throws(ImageError) { try ifReadable(try imageHeader().color.chromaticities) }
  }

  var stillCodec: StillCodec { .jpegXL }

  func standaloneGainMap(_ place: FoundGainMap.Location) throws(ImageError) -> SplicedBytes {
    guard case .box(let offset) = place else { throw ImageError(.gainMapNotAnImage) }
    return ByteSource(try gainMapBox(at: offset).codestream.bytes()).whole
  }

  func primaryLayout() throws(ImageError) -> FoundGainMap.Layout? {
    FoundGainMap.Layout(try imageHeader())
  }

  mutating func describeGainMap(
    at place: FoundGainMap.Location, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] {
    guard case .box(let offset) = place else { throw .notEditable }
    return try setGainMap(try gainMapBox(at: offset).codestream.bytes(), description)
  }

  mutating func addGainMap(
    imageOf other: ImageFile, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] {
    guard case .jpegXL(let file) = other.container else {
      throw ImageError(.gainMapContainerUnsupported)
    }
    return try setGainMap(try file.wholeCodestream(), description)
  }

  mutating func dropGainMaps() -> [Notice] {
    setBox(JPEGXLGainMapBox.boxType, nil)
    return []
  }

  mutating func dropUnreadableGainMaps() throws(ImageError) -> [Notice] {
    let found = boxes(JPEGXLGainMapBox.boxType)
    let inventory = try GainMapInventory(of: self)
    let undescribed = inventory.undescribedMapNotices
    guard undescribed.isEmpty else { return dropGainMaps() + undescribed }
    guard !found.isEmpty, inventory.maps.isEmpty,
      !found.contains(where: { $0.isCompressed && !Brotli.isAvailable })
    else { return [] }
    let size = found.reduce(0) { $0 + $1.content.count }
    return dropGainMaps() + [
      Notice(.gainMapUnreadableBytesDropped, ["size": size], at: .init(offset: found[0].offset))
    ]
  }

  /// Inserts a gain map, replacing existing ones.
  ///
  /// - Parameters:
  ///   - codestream: Bare codestream of the gain map.
  ///   - description: Gain map metadata to write.
  /// - Returns: Notices about metadata that cannot be stored.
  /// - Throws: `.invalidArgument` without metadata of ISO 21496-1.
  mutating func setGainMap(
    _ codestream: [UInt8], _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] {
    guard let metadata = description.iso, description.xmp == nil, description.apple == nil else {
      throw ImageError(.jpegxlGainMapFlavors)
    }
    let alternate = description.alternate
    let color = alternate.codePoints.flatMap(JPEGXLColorEncoding.serialized)
    setBox(
      JPEGXLGainMapBox.boxType,
      try JPEGXLGainMapBox.serialized(
        metadata: ISO21496Payload(metadata).serialized, colorEncoding: color ?? [],
        compressedProfile: alternate.compressedICC ?? [], codestream: codestream),
      followsCodestream: true)
    try setGainMapOrientation(try imageHeader().orientation)
    guard color == nil, alternate.compressedICC == nil else { return [] }
    if alternate.icc != nil || alternate.cicp != nil {
      return [Notice(.gainMapAlternateColorDropped)]
    }
    return metadata.usesBaseColorSpace ? [] : [Notice(.gainMapAlternatePrimariesUnknown)]
  }

  /// The codestream, and those of the gain maps, after their headers.
  ///
  /// - Throws: Errors of the budget.
  func codedPayloads() throws(ImageError) -> [CodedPayload] {
    let maps = try boxes(JPEGXLGainMapBox.boxType).map { box throws(ImageError) in
      try ifReadable(try gainMapBox(box))?.codedData
    }
    return [CodedPayload("codestream", try codedData)]
      + maps.compactMap(\.self).map { CodedPayload("codestream of the gain map", [$0]) }
  }
}

extension FoundGainMap.Layout {
  init(_ header: JPEGXLImageHeader) {
    self.init(
      width: header.width, height: header.height,
      componentCount: header.color.colorSpace == .gray ? 1 : 3, bits: header.depth.bits)
  }
}

extension FoundGainMap.AlternateImage {
  /// Code points of the color, also those that the ICC profile contains.
  fileprivate var codePoints: CICP? {
    if let cicp { return cicp }
    guard let icc, let profile = try? ICCProfile(parsing: icc) else { return nil }
    let color = ProfileColor(profile, isGray: false)
    guard let primaries = color.primaries?.nearestCodePoint, let transfer = color.transfer?.cicp
    else { return nil }
    return CICP(primaries: primaries, transfer: transfer, matrix: .identity, isFullRange: true)
  }
}

extension ColorPrimaries {
  /// Code point of the primaries that JPEG XL names, within the precision of ICC profiles.
  fileprivate var nearestCodePoint: CICP.Primaries? {
    let named: [CICP.Primaries] = [.bt709, .bt2020, .displayP3]
    return named.first { ColorPrimaries($0)?.isClose(to: self, tolerance: 2e-3) == true }
  }
}
