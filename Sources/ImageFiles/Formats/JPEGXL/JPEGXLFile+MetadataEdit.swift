// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension JPEGXLFile {
  func rewritten() throws(ImageError) -> SplicedBytes { try spliced() }

  func isEqual(to other: any ParsedContainer) -> Bool {
    guard let other = other as? JPEGXLFile else { return false }
    return boxes == other.boxes && codestream == other.codestream
  }

  /// Changes Exif, XMP, diffuse white, light levels, and orientation and color in the header of the codestream.
  ///
  /// Exif and XMP of a file that was transcoded from JPEG keep their orientation, since they are
  /// those of the JPEG file.
  ///
  /// - Returns: Notices about dropped metadata.
  /// - Throws: `.invalidArgument` for metadata that cannot be changed, `.malformed` for metadata that
  ///   cannot be edited.
  mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
    try requireOnlyImage(edit.item)
    try edit.requireFields(in: .jxl)
    try edit.checkNewMetadata(components: nil)
    let header = try imageHeader()
    let cicp = try newCodePoints(edit, header)
    let orientation =
      edit.orientation == .keep ? header.orientation : edit.orientation.newValue ?? .upright
    let isTranscoded = !boxes(Self.reconstruction).isEmpty
    var notices: [Notice] = []
    if edit.dropsPersonalData {
      notices += dropReconstruction()
      try removePersonal()
    }
    let (oldExif, oldXMP) = (try exif(), try xmp())
    var (newExif, newXMP) = (oldExif, oldXMP)
    if orientation != header.orientation || cicp != nil {
      try setHeader(orientation: orientation, cicp: cicp)
    }
    if orientation != header.orientation {
      try setGainMapOrientation(orientation)
      if !isTranscoded { try setOrientation(orientation, &newExif, &newXMP) }
    }
    if edit.exif != .keep {
      newExif = try ExifBlock.consistent(edit.exif.applied(to: oldExif), with: orientation)
      if edit.exif == .drop { newExif = nil }
    }
    if edit.xmp != .keep {
      newXMP = try XMPPacket.replacing(newXMP, with: edit.xmp.newValue, notices: &notices)
    }
    if edit.diffuseWhite != .keep {
      newXMP = try XMPPacket.consistent(newXMP, withDiffuseWhite: edit.diffuseWhite.newValue)
    }
    if edit.contentLightLevel != .keep {
      newXMP = try XMPPacket.consistent(newXMP, withLightLevel: edit.contentLightLevel.newValue)
    }
    if newExif != oldExif { setExif(newExif) }
    if newXMP != oldXMP { setXMP(newXMP) }
    let isUnreadable = !Brotli.isAvailable && boxes.contains(where: \.isCompressed)
    guard !edit.dropsLocation || !isUnreadable else {
      throw ImageError(
        .unsupported,
        "compressed metadata may contain a location, and this build does not include Brotli")
    }
    if edit.dropsLocation { notices += try removeLocation() }
    // Exif, XMP and color are part of the JPEG file that these data reconstruct.
    let changesJPEG =
      newExif != oldExif || newXMP != oldXMP || edit.dropsLocation || cicp != nil
    return changesJPEG ? notices + dropReconstruction() : notices
  }

  /// Removes the data that reconstruct a JPEG file of other metadata.
  mutating func dropReconstruction() -> [Notice] {
    guard !boxes(Self.reconstruction).isEmpty else { return [] }
    setBox(Self.reconstruction, nil)
    setBox(JPEGXLJPEGRest.boxType, nil)
    return [
      Notice(
        .dropped,
        "dropped: data for the exact reconstruction of the JPEG file, with its metadata",
        at: .init(path: ["jbrd"]))
    ]
  }

  /// Returns the code points to write; `nil` to keep the color.
  ///
  /// The color encoding of an XYB image does not change how samples are interpreted.
  private func newCodePoints(
    _ edit: MetadataEdit, _ header: JPEGXLImageHeader
  ) throws(ImageError) -> CICP? {
    guard !edit.profile.isSet, edit.profile != .drop, edit.codePoints != .drop else {
      throw ImageError(.jpegxlCodestreamMetadata)
    }
    guard let cicp = edit.codePoints.newValue, cicp != header.color.cicp else { return nil }
    guard !header.isXYB else { throw ImageError(.jpegxlColorOfXYB) }
    guard !header.color.hasProfile else { throw ImageError(.jpegxlColorInProfile) }
    guard header.color.canStore(cicp) else {
      throw ImageError(.jpegxlCodePointsNotStorable, ["cicp": "\(cicp)"])
    }
    return cicp
  }

  private func setOrientation(
    _ orientation: Orientation, _ exif: inout [UInt8]?, _ xmp: inout [UInt8]?
  ) throws(ImageError) {
    if let bytes = exif, var block = try ifReadable(try ExifBlock(parsing: bytes)) {
      try block.setOrientation(orientation)
      exif = block.bytes
    }
    if let bytes = xmp, var packet = try ifReadable(try XMPPacket(parsing: bytes)),
      try packet.updateOrientation(orientation)
    {
      xmp = packet.bytes
    }
  }

  /// The editable metadata of the image.
  ///
  /// - Throws: `.invalidArgument` for any item other than `nil` and 0; errors of the header.
  func summary(of item: UInt32?, in file: ImageFile) throws(ImageError) -> MetadataSummary {
    try requireOnlyImage(item)
    let header = try imageHeader()
    let (exif, xmp) = (
      try ifReadable(try self.exif()), try ifReadable(try self.xmp())
    )
    var metadata = try FileMetadata(exif: exif, xmp: xmp)
    var summary = MetadataSummary()
    summary.light.diffuseWhite = metadata.diffuseWhite()
    summary.light.contentLightLevel = metadata.lightLevel()
    summary.codePoints = header.color.cicp
    summary.orientation = header.orientation
    (summary.exif, summary.xmp) = (exif, xmp)
    summary.hasLocation = try hasLocation
    return summary
  }

  private func requireOnlyImage(_ item: UInt32?) throws(ImageError) {
    guard item == nil || item == 0 else { throw .hasNoItems(.jxl) }
  }

  /// Type of the box with data for the reconstruction of a JPEG file.
  package static let reconstruction: FourCC = "jbrd"
}

extension JPEGXLFile {
  /// Serializes the file with its edits; the contents of other boxes are copied.
  ///
  /// - Throws: `.truncated` if the file ends in a box that was not removed, or in the codestream.
  package func spliced() throws(ImageError) -> SplicedBytes {
    if let box = boxes.first(where: { $0.missing > 0 }) {
      throw ImageError(
        .jpegxlBoxTruncated, ["type": "\(box.type)"],
        at: .init(path: [box.type.description], offset: box.offset))
    }
    guard !isCodestreamTruncated else {
      throw ImageError(
        .jpegxlFrameIncomplete, at: damage.last?.location ?? .init(path: ["codestream"]))
    }
    var output = SplicedBytes(source: source)
    func append(_ bytes: SourceBytes) throws(ImageError) {
      if bytes.origin === origin {
        output.append(bytes.range)
      } else {
        output.append(try bytes.bytes())
      }
    }
    if isBareCodestream {
      for part in codestream { try append(part) }
    }
    var header = newHeader
    for box in boxes {
      let content = contents(of: box, replacing: &header)
      output.append(box.header(contentSize: content.reduce(0) { $0 + $1.count }))
      for part in content { try append(part) }
    }
    return output
  }

  /// Replaces all boxes of a type, compressed or not, by one; `nil` removes them.
  ///
  /// A bare codestream is put into boxes if a box is added.
  ///
  /// - Parameters:
  ///   - type: Type of a box that does not order the codestream.
  ///   - content: Content of the box.
  ///   - followsCodestream: Whether a new box follows the codestream.
  package mutating func setBox(
    _ type: FourCC, _ content: [UInt8]?, followsCodestream: Bool = false
  ) {
    let place = boxes.firstIndex { $0.type == type }
    boxes.removeAll { $0.type == type }
    guard let content else { return }
    if boxes.isEmpty { boxes = newBoxes }
    let firstPart = boxes.firstIndex { $0.isCodestream } ?? boxes.count
    let end = followsCodestream ? boxes.count : firstPart
    boxes.insert(Box(type, newContent: content), at: min(place ?? end, boxes.count))
  }

  /// Replaces boxes one by one; those for which `edit` returns `nil` are removed.
  ///
  /// - Throws: Errors of `edit`.
  package mutating func editBoxes(
    _ edit: (Box) throws(ImageError) -> Box?
  ) throws(ImageError) {
    var edited: [Box] = []
    for box in boxes { if let new = try edit(box) { edited.append(new) } }
    boxes = edited
  }

  /// Replaces Exif, from its TIFF header on; `nil` removes it.
  package mutating func setExif(_ exif: [UInt8]?) { setBox("Exif", exif.map(ExifBlock.dataBlock)) }

  /// Replaces the XMP packet; `nil` removes it.
  package mutating func setXMP(_ xmp: [UInt8]?) { setBox("xml ", xmp) }

  /// The boxes of a file that contains only the codestream.
  private var newBoxes: [Box] {
    let signature = Box("JXL ", newContent: Array(Self.signature.dropFirst(8)))
    let fileType = Box("ftyp", newContent: Self.fileType)
    return [signature, fileType] + storedCodestream.map { Box("jxlc", $0) }
  }

  /// Content of the file type box.
  package static let fileType = Array("jxl \0\0\0\0jxl ".utf8)
}

extension JPEGXLFile.Box {
  /// The box with other content, which is not compressed.
  package func replacing(_ content: [UInt8]) -> Self { Self(type, newContent: content) }

  /// A box with new content.
  fileprivate init(_ type: FourCC, newContent: [UInt8]) { self.init(type, SourceBytes(newContent)) }

  /// A new box.
  fileprivate init(_ type: FourCC, _ content: SourceBytes) {
    self.init(type: type, isCompressed: false, content: content, offset: 0)
  }

  /// Size and type; for a compressed box, also the type of its content.
  fileprivate func header(contentSize: Int) -> [UInt8] {
    var writer = ByteWriter()
    let type: FourCC = isCompressed ? "brob" : self.type
    let rest = contentSize + (isCompressed ? 4 : 0)
    if let size = UInt32(exactly: rest + 8) {
      writer.writeBigEndian(size)
      writer.writeBigEndian(type.rawValue)
    } else {
      writer.writeBigEndian(UInt32(1))
      writer.writeBigEndian(type.rawValue)
      writer.writeBigEndian(UInt64(rest + 16))
    }
    if isCompressed { writer.writeBigEndian(self.type.rawValue) }
    return writer.bytes
  }
}

extension JPEGXLFile.Box: Equatable {
  package static func == (a: Self, b: Self) -> Bool {
    a.type == b.type && a.isCompressed == b.isCompressed && a.content == b.content
  }
}
