// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore

extension JPEGXLFile {
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

extension GainMapInventory {
  /// Finds the gain map of a JPEG XL file, which is in a `jhgm` box.
  ///
  /// Compressed boxes are reported, but not read, in a build without Brotli.
  ///
  /// - Parameter file: The file.
  /// - Throws: Errors that end the whole job.
  package init(of file: JPEGXLFile) throws(ImageError) {
    var maps: [FoundGainMap] = []
    var notices: [Notice] = []
    // Above the number in real files, and a bound for malicious ones.
    for box in file.boxes(JPEGXLGainMapBox.boxType).prefix(16) {
      let location = ImageError.Location(path: ["jhgm"], offset: box.offset)
      if box.isCompressed, !Brotli.isAvailable {
        notices.append(
          Notice(
            .irregular, "gain map in a compressed box (brob), which this build does not decompress",
            at: location))
        continue
      }
      do throws(ImageError) {
        maps.append(try Self.map(try file.gainMapBox(box), at: box.offset, location, &notices))
      } catch {
        guard !error.endsJob else { throw error }
        notices.append(Notice(.gainMapUnreadable, ["cause": error], at: location))
      }
    }
    self.init(maps, notices: notices)
  }

  private static func map(
    _ box: JPEGXLGainMapBox, at offset: Int, _ location: ImageError.Location,
    _ notices: inout [Notice]
  ) throws(ImageError) -> FoundGainMap {
    var found: [Notice] = []
    let carrier = try FoundGainMap.Carrier(.iso, at: location) { () throws(ImageError) in
      guard box.version == 0 else {
        throw ImageError(.unsupportedValue, ["field": "version of 'jhgm'", "value": box.version])
      }
      return try ISO21496Payload(parsing: box.metadata, notices: &found).description
    }
    notices += found.map { $0.inside(location) }
    let header = try ifReadable(try box.imageHeader())
    let color = try? JPEGXLColorEncoding(parsing: box.colorEncoding)
    var alternate = FoundGainMap.AlternateImage(cicp: color?.cicp)
    if !box.compressedProfile.isEmpty {
      alternate.compressedICC = try ifReadable(try box.compressedProfile.bytes())
    }
    return FoundGainMap(
      location: .box(offset),
      layout: header.map { .init($0) },
      carriers: [carrier], alternate: alternate,
      objection: header == nil ? ImageError(.unsuitable, "its codestream is not readable") : nil)
  }
}

/// The gain map of a JPEG XL file: metadata, color of the alternate image, and gain map image.
///
/// Source: ISO/IEC 18181-2:2026, `jhgm`; libjxl, gain_map.h.
package struct JPEGXLGainMapBox: Sendable {
  package static let boxType: FourCC = "jhgm"

  package let version: UInt8
  /// Gain map metadata of ISO 21496-1.
  package let metadata: [UInt8]
  /// Serialized color encoding of the alternate image; empty if missing.
  package let colorEncoding: [UInt8]
  /// ICC profile of the alternate image, in JPEG XL's own compression; empty if missing.
  package let compressedProfile: SourceBytes
  /// Bare codestream of the gain map.
  package let codestream: SourceBytes

  /// Parses a box that is not compressed.
  ///
  /// - Throws: `.truncated` if a length exceeds the box.
  package init(parsing content: SourceBytes) throws(ImageError) {
    do throws(ImageError) {
      let head = try content.slice(0..<min(content.count, Self.longestHead)).bytes()
      var reader = ByteReader(head.span, fileOffset: content.offset)
      version = try reader.readBigEndian()
      metadata = try reader.readBytes(Int(try reader.readBigEndian(as: UInt16.self)))
      colorEncoding = try reader.readBytes(Int(try reader.readBigEndian(as: UInt8.self)))
      let profileSize = Int(try reader.readBigEndian(as: UInt32.self))
      let start = reader.fileOffset - content.offset
      guard profileSize <= content.count - start else {
        throw reader.error(
          .truncated, "truncated: profile of {size byte}, {available byte} available",
          ["size": profileSize, "available": content.count - start])
      }
      compressedProfile = content.slice(start..<start + profileSize)
      codestream = content.slice(start + profileSize..<content.count)
    } catch {
      throw error.inside(Self.boxType.description)
    }
  }

  /// Returns the content of a box.
  ///
  /// - Parameters:
  ///   - metadata: Gain map metadata of ISO 21496-1.
  ///   - colorEncoding: Serialized color encoding of the alternate image; may be empty.
  ///   - compressedProfile: ICC profile of the alternate image, in JPEG XL's own compression; may be
  ///     empty.
  ///   - codestream: Bare codestream of the gain map.
  /// - Returns: The content.
  /// - Throws: `.invalidArgument` for metadata that exceed their field.
  package static func serialized(
    metadata: [UInt8], colorEncoding: [UInt8], compressedProfile: [UInt8] = [],
    codestream: [UInt8]
  ) throws(ImageError) -> [UInt8] {
    guard let size = UInt16(exactly: metadata.count),
      let colorSize = UInt8(exactly: colorEncoding.count),
      let profileSize = UInt32(exactly: compressedProfile.count)
    else {
      throw ImageError(
        .invalidArgument, "gain map metadata of {size byte} exceed a gain map box",
        ["size": metadata.count])
    }
    var writer = ByteWriter()
    writer.writeBigEndian(UInt8(0))  // Version.
    writer.writeBigEndian(size)
    writer.write(metadata)
    writer.writeBigEndian(colorSize)
    writer.write(colorEncoding)
    writer.writeBigEndian(profileSize)
    writer.write(compressedProfile)
    writer.write(codestream)
    return writer.bytes
  }

  /// Maximum size of the fields before the profile.
  private static let longestHead = 1 + 2 + Int(UInt16.max) + 1 + Int(UInt8.max) + 4

  /// The content of a box without bytes after the last frame, if that is known.
  ///
  /// - Throws: `.inputOutput`; `.limitExceeded` if the budget does not suffice.
  package func withoutSurplus() throws(ImageError) -> [UInt8] {
    let count = try codestream.count - JPEGXLFile.surplusSize(of: [codestream])
    return try Self.serialized(
      metadata: metadata, colorEncoding: colorEncoding,
      compressedProfile: try compressedProfile.bytes(),
      codestream: try codestream.slice(0..<count).bytes())
  }

  /// Parses the image header of the gain map.
  ///
  /// - Throws: `.malformed` or `.truncated` if the codestream does not begin with a valid header.
  package func imageHeader() throws(ImageError) -> JPEGXLImageHeader {
    try JPEGXLImageHeader(parsing: try JPEGXLFile.head(of: [codestream]))
  }

  /// The codestream after its header, which changes of the orientation do not change.
  ///
  /// - Throws: Errors that end the whole job.
  package var codedData: SourceBytes {
    get throws(ImageError) {
      let header = try ifReadable(try imageHeader().byteCount) ?? 0
      return codestream.slice(min(header, codestream.count)..<codestream.count)
    }
  }
}
