// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
package import ImageContainers

extension JPEGXLFile: EditableContainer {
  var asContainer: FileContainer { .jpegXL(self) }

  func rewritten() throws(ImageError) -> SplicedBytes { try spliced() }

  func isEqual(to other: any EditableContainer) -> Bool { boxes == (other as? JPEGXLFile)?.boxes }

  /// Changes Exif, XMP and diffuse white.
  ///
  /// Color and orientation are part of the codestream, which stays unchanged.
  ///
  /// - Returns: Notices about dropped metadata.
  /// - Throws: `.invalidArgument` for metadata that cannot be changed, `.malformed` for metadata that
  ///   cannot be edited.
  mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
    try requireOnlyImage(edit.item)
    try edit.requireFields(in: .jxl)
    try edit.checkNewMetadata(components: nil)
    guard !edit.profile.isSet, edit.profile != .drop, edit.codePoints == .keep,
      edit.orientation == .keep
    else { throw ImageError(.jpegxlCodestreamMetadata) }
    let (oldExif, oldXMP) = (try exif(), try xmp())
    var (newExif, newXMP) = (oldExif, oldXMP)
    var notices: [Notice] = []
    if edit.exif != .keep {
      newExif = try ExifBlock.consistent(
        edit.exif.applied(to: oldExif), with: try imageHeader().orientation)
      if edit.exif == .drop { newExif = nil }
    }
    if edit.xmp != .keep {
      newXMP = try XMPPacket.replacing(oldXMP, with: edit.xmp.newValue, notices: &notices)
    }
    if edit.diffuseWhite != .keep {
      newXMP = try XMPPacket.consistent(newXMP, withDiffuseWhite: edit.diffuseWhite.newValue)
    }
    if edit.dropsLocation { try removeLocation(&newExif, &newXMP) }
    let isUnreadable = !Brotli.isAvailable && boxes.contains(where: \.isCompressed)
    guard !edit.dropsLocation || !isUnreadable else { throw ImageError(.jpegxlCompressedMetadata) }
    if newExif != oldExif { setExif(newExif) }
    if newXMP != oldXMP { setXMP(newXMP) }
    // Exif and XMP are part of the JPEG file that these data reconstruct.
    if newExif != oldExif || newXMP != oldXMP || edit.dropsLocation,
      !boxes(Self.reconstruction).isEmpty
    {
      setBox(Self.reconstruction, nil)
      notices.append(Notice(.jpegxlReconstructionDropped, at: .init(path: ["jbrd"])))
    }
    return notices
  }

  private func removeLocation(
    _ exif: inout [UInt8]?, _ xmp: inout [UInt8]?
  ) throws(ImageError) {
    do throws(ImageError) {
      if let bytes = exif {
        var block = try ExifBlock(parsing: bytes)
        if try block.removeLocation() { exif = block.bytes }
      }
      if let bytes = xmp {
        var packet = try XMPPacket(parsing: bytes)
        if try packet.removeLocation() { xmp = packet.bytes }
      }
    } catch {
      throw error.unreadableLocation
    }
  }

  /// The editable metadata of the image.
  ///
  /// - Throws: `.invalidArgument` for any item other than `nil` and 0; errors of the header.
  func summary(of item: UInt32?) throws(ImageError) -> MetadataSummary {
    try requireOnlyImage(item)
    let header = try imageHeader()
    var metadata = FileMetadata(exif: try? exif(), xmp: try? xmp())
    var summary = MetadataSummary()
    summary.hdr.diffuseWhite = metadata.diffuseWhite()
    summary.codePoints = header.color.cicp
    summary.orientation = header.orientation
    summary.exif = try? exif()
    summary.xmp = try? xmp()
    summary.hasLocation =
      metadata.exif?.hasLocation ?? false || metadata.xmp?.hasLocation ?? false
    return summary
  }

  private func requireOnlyImage(_ item: UInt32?) throws(ImageError) {
    guard item == nil || item == 0 else { throw ImageError(.jpegxlHasNoItems) }
  }

  /// Type of the box with data for the reconstruction of a JPEG file.
  package static let reconstruction: FourCC = "jbrd"
}
