// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension JPEGFile {
  /// Changes the metadata of an image.
  ///
  /// Diffuse white is stored in XMP, orientation in Exif. Image directories are updated when the
  /// file is serialized.
  ///
  /// - Returns: Notices about dropped and about contradictory metadata.
  /// - Throws: `.invalidArgument` if the image does not exist and for metadata that JPEG cannot
  ///   store, `.malformed` for metadata that cannot be edited.
  package mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
    var notices: [Notice] = []
    let note = try AppleMakerNote(of: self)
    if edit.dropsVideo { try removeVideo() }
    if edit.dropsPersonalData { notices += try removePersonal() }
    let old = try ExifBlock.orientation(of: primary.exif)
    try changeImage(edit.item) { image throws(ImageError) in
      try edit.requireFields(in: .jpeg)
      try edit.checkNewMetadata(components: image.frame.components.count)
      try image.apply(edit, &notices)
    }
    if edit.orientation != .keep, edit.item == nil {
      try rotateCompanions(old.inverse.followed(by: edit.orientation.newValue ?? .upright))
    }
    if edit.dropsLocation { notices += try removeLocation() }
    notices += try keepAppleHeadroom(of: note)
    if edit.correctsStructure {
      arrangesDirectory = true
      try correctProfiles()
    }
    return notices
  }

  /// Corrects the IDs of the ICC profiles of all images.
  private mutating func correctProfiles() throws(ImageError) {
    for (index, image) in images.enumerated() {
      var ignored: [Notice] = []
      guard let profile = image.profile(notices: &ignored) else { continue }
      let corrected = ICCProfile.correctingIdentifier(of: profile)
      guard corrected != profile else { continue }
      var image = image
      try image.setProfile(corrected)
      replaceImage(index, with: image)
    }
  }

  /// The editable metadata of an image; of the first image for `nil`.
  ///
  /// - Parameters:
  ///   - item: Index in `images`.
  ///   - file: The file with this structure.
  /// - Returns: The metadata; those that are unreadable are missing.
  /// - Throws: `.invalidArgument` if the image does not exist; errors that end the whole job.
  func summary(of item: UInt32?, in file: ImageFile) throws(ImageError) -> MetadataSummary {
    let image = images[try index(of: item)]
    var ignored: [Notice] = []
    var summary = MetadataSummary()
    summary.profile = image.profile(notices: &ignored)
    summary.exif = image.exif
    summary.orientation = try ExifBlock.orientation(of: image.exif)
    summary.xmp = try ifReadable(try image.xmp(notices: &ignored))
    summary.light.diffuseWhite = try image.readableXMP()?.diffuseWhite(notices: &ignored)
    summary.hasLocation = try hasLocation
    return summary
  }

  private func index(of item: UInt32?) throws(ImageError) -> Int {
    let count = images.count
    guard let item else { return 0 }
    guard item < count else {
      throw ImageError(.imageIndexInvalid, ["number": item, "count": count])
    }
    return Int(item)
  }

  /// Rotates the other images that store an orientation, so that it stays the same relative to the
  /// first image.
  private mutating func rotateCompanions(_ rotation: Orientation) throws(ImageError) {
    guard rotation != .upright else { return }
    for (index, image) in images.enumerated().dropFirst() {
      guard let exif = image.exif, var block = try ifReadable(try ExifBlock(parsing: exif)),
        let previous = block.orientation
      else { continue }
      try block.setOrientation(previous.followed(by: rotation))
      var image = image
      try image.setExif(block.bytes)
      replaceImage(index, with: image)
    }
  }

  private mutating func changeImage(
    _ item: UInt32?, _ change: (inout JPEGImage) throws(ImageError) -> Void
  ) throws(ImageError) {
    let index = try index(of: item)
    var image = images[index]
    try change(&image)
    replaceImage(index, with: image)
  }
}

extension JPEGImage {
  fileprivate mutating func apply(
    _ edit: MetadataEdit, _ notices: inout [Notice]
  ) throws(ImageError) {
    if edit.profile != .keep { try setProfile(edit.profile.newValue) }
    if edit.exif != .keep || edit.orientation != .keep {
      let new = try ExifBlock.edited(exif, by: edit, notices: &notices)
      if new != exif || edit.exif != .keep { try setExif(new) }
    }
    if edit.xmp != .keep {
      let main = segments(.xmp).first?.body
      try setXMP(try XMPPacket.replacing(main, with: edit.xmp.newValue, notices: &notices))
    }
    if edit.orientation != .keep {
      let orientation = edit.orientation.newValue ?? .upright
      try editXMP { packet throws(ImageError) in _ = try packet.updateOrientation(orientation) }
    }
    try changeDiffuseWhite(edit)
  }

  private mutating func changeDiffuseWhite(_ edit: MetadataEdit) throws(ImageError) {
    guard edit.diffuseWhite != .keep else { return }
    if segments(.xmp).isEmpty {
      guard let luminance = edit.diffuseWhite.newValue else { return }
      return try setXMP(XMPPacket.packet(diffuseWhite: luminance))
    }
    try editXMP { packet throws(ImageError) in
      try packet.setDiffuseWhite(edit.diffuseWhite.newValue)
    }
  }
}

extension JPEGFile {
  /// Images without EOI, which is written.
  var damage: [Notice] { images.flatMap(\.notices).filter { $0.code == .jpegEndMissing } }

  /// Readers locate images by MPF, which is corrected if it does not list a gain map or lists a missing
  /// image.
  func rewritten() throws(ImageError) -> SplicedBytes {
    var copy = self
    if try listsMissingImages { copy.hasStaleDirectory = true }
    for map in try GainMapInventory(of: self).maps where try !map.isListed(in: self) {
      copy.hasStaleDirectory = true
    }
    return try copy.serialized()
  }

  func isEqual(to other: any ParsedContainer) -> Bool {
    guard let other = other as? JPEGFile else { return false }
    return images.map(\.parts) == other.images.map(\.parts) && trailers == other.trailers
      && hasStaleDirectory == other.hasStaleDirectory
  }

  func standaloneImage(_ item: UInt32) throws(ImageError) -> SplicedBytes {
    try standalone(item).serialized()
  }
}
