// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension JPEGXLFile: EditableContainer {
  var asContainer: FileContainer { .jpegXL(self) }

  func rewritten() throws(ImageError) -> SplicedBytes { try spliced() }

  func isEqual(to other: any EditableContainer) -> Bool {
    guard let other = other as? JPEGXLFile else { return false }
    return boxes == other.boxes && codestream == other.codestream
  }

  func standaloneImage(_ item: UInt32) throws(ImageError) -> SplicedBytes {
    throw .hasNoItems(.jxl)
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
    if edit.dropsPersonalData { try removePersonal() }
    let (oldExif, oldXMP) = (try exif(), try xmp())
    var (newExif, newXMP) = (oldExif, oldXMP)
    var notices: [Notice] = []
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
      newExif != oldExif || newXMP != oldXMP || edit.dropsLocation || edit.dropsPersonalData
      || cicp != nil
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
  func summary(of item: UInt32?) throws(ImageError) -> MetadataSummary {
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
