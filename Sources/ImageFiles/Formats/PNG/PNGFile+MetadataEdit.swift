// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension PNGFile {
  /// Changes metadata.
  ///
  /// Diffuse white is stored in XMP, orientation in Exif.
  ///
  /// - Returns: Notices about dropped and about contradictory metadata.
  /// - Throws: `.invalidArgument` for metadata that PNG cannot store and for an item other than 0,
  ///   `.malformed` for metadata that cannot be edited.
  package mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
    try requireOnlyImage(edit.item)
    try edit.requireFields(in: .png)
    try edit.checkNewMetadata(components: header.colorType.colorComponents)
    var notices: [Notice] = []
    if edit.dropsVideo { try removeVideo() }
    if edit.dropsPersonalData { try removePersonal() }
    try changeColor(edit, &notices)
    change(.contentLightLevel, edit.contentLightLevel) { PNGChunk(PNGContentLightLevel($0)) }
    change(.masteringDisplay, edit.masteringDisplay) { PNGChunk(PNGMasteringDisplay($0)) }
    try changeExif(edit, &notices)
    try changeXMP(edit, &notices)
    if edit.dropsLocation { notices += try removeLocation() }
    if edit.correctsStructure { try correctStructure() }
    if edit.masteringDisplay.isSet || edit.codePoints == .drop,
      chunk(.masteringDisplay) != nil, chunk(.codePoints) == nil
    {
      notices.append(
        Notice(
          .nonconforming, "readers ignore mDCV without cICP (PNG Third Edition, 11.3.2.7)",
          at: .init(path: ["mDCV"])))
    }
    return notices
  }

  /// The editable metadata of the image.
  ///
  /// - Parameter item: `nil` or 0.
  /// - Returns: The metadata; those that are unreadable are missing.
  /// - Throws: `.invalidArgument` for another item; errors that end the whole job.
  package func summary(of item: UInt32? = nil) throws(ImageError) -> MetadataSummary {
    try requireOnlyImage(item)
    var ignored: [Notice] = []
    var summary = MetadataSummary()
    summary.light = try lightMetadata(notices: &ignored)
    summary.codePoints = try content(PNGCodePoints.self, notices: &ignored)?.cicp
    summary.profile = try ifReadable(try profile()?.bytes)
    summary.exif = try ifReadable(try exif())
    summary.orientation = try ExifBlock.orientation(of: summary.exif)
    summary.xmp = try ifReadable(try xmp())
    summary.hasLocation = try hasLocation
    return summary
  }

  private func requireOnlyImage(_ item: UInt32?) throws(ImageError) {
    guard item == nil || item == 0 else {
      throw .hasNoItems(.png)
    }
  }
}

extension PNGFile {
  private mutating func change<Value>(
    _ type: PNGChunk.ChunkType, _ change: MetadataEdit.Change<Value>, _ chunk: (Value) -> PNGChunk
  ) {
    switch change {
    case .keep: break
    case .drop: remove(type)
    case .set(let value): set(chunk(value))
    }
  }

  private mutating func changeColor(
    _ edit: MetadataEdit, _ notices: inout [Notice]
  ) throws(ImageError) {
    if let cicp = edit.codePoints.newValue {
      guard cicp.primaries.rawValue <= UInt8.max, cicp.transfer.rawValue <= UInt8.max else {
        throw ImageError(
          .invalidArgument, "PNG stores code points of one byte each, not {cicp}",
          ["cicp": "\(cicp)"])
      }
      if cicp.matrix != .identity {
        notices.append(
          Notice(
            .dropped, "matrix {matrix} written as 0 (PNG stores RGB)",
            ["matrix": cicp.matrix.rawValue], at: .init(path: ["cICP"])))
      }
    }
    change(.codePoints, edit.codePoints) { PNGChunk(PNGCodePoints($0)) }
    switch edit.profile {
    case .keep: break
    case .drop: try setProfile(nil)
    case .set(let profile):
      try setProfile(profile)
      guard chunk(.standardRGB) != nil else { return }
      remove(.standardRGB)
      notices.append(
        Notice(
          .dropped, "dropped: sRGB chunk (not allowed together with an ICC profile)",
          at: .init(path: ["sRGB"])))
    }
  }

  private mutating func changeExif(
    _ edit: MetadataEdit, _ notices: inout [Notice]
  ) throws(ImageError) {
    guard edit.exif != .keep || edit.orientation != .keep else { return }
    let old = edit.exif == .keep ? try exif() : try ifReadable(try exif())
    let new = try ExifBlock.edited(old, by: edit, notices: &notices)
    if new != old || edit.exif != .keep { setExif(new) }
  }

  private mutating func changeXMP(
    _ edit: MetadataEdit, _ notices: inout [Notice]
  ) throws(ImageError) {
    let old = try xmp()
    var packet = old
    if edit.xmp != .keep {
      packet = try XMPPacket.replacing(old, with: edit.xmp.newValue, notices: &notices)
    }
    if edit.diffuseWhite != .keep {
      packet = try XMPPacket.consistent(
        packet, withDiffuseWhite: edit.diffuseWhite.newValue)
    }
    if edit.orientation != .keep, let bytes = packet,
      var xmp = try ifReadable(try XMPPacket(parsing: bytes)),
      try xmp.updateOrientation(edit.orientation.newValue ?? .upright)
    {
      packet = xmp.bytes
    }
    if packet != old || edit.xmp != .keep { setXMP(packet) }
  }
}

extension PNGHeader.ColorType {
  /// Number of color components, without alpha; palettes are RGB.
  fileprivate var colorComponents: Int {
    switch self {
    case .gray, .grayAlpha: 1
    case .rgb, .rgbAlpha, .palette: 3
    }
  }
}
