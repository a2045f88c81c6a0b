// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Edits the metadata of HEIF, AVIF, PNG and JPEG files; coded data must not change.
func exerciseEdits(_ bytes: [UInt8]) throws {
  let file = try ImageFile(parsing: ByteSource(bytes))
  _ = try file.namedAuxiliaries
  _ = try? file.preview()
  for item in [0, 1, 2] as [UInt32] { _ = try? file.standaloneFile(ofItem: item).allBytes() }
  let structure = try? file.structure()
  for edit in edits {
    do {
      let edited = try file.edited(by: edit)
      let again = try ImageFile(parsing: ByteSource(try edited.bytes.allBytes()))
      let summary = try again.metadataSummary()
      try require(summary == edited.after, "an edited file is read as reported")
      if let structure { _ = try? StructureDifference(structure, again.structure()) }
      try require(
        edit.isSatisfied(by: summary, inGrayJPEGXL: again.isGrayJPEGXL),
        "metadata are read as they were set")
    } catch let error as ImageError {
      try require(error.category != .codecFailure, "\(error)")
    }
  }
}

extension ImageFile {
  fileprivate var isGrayJPEGXL: Bool {
    guard case .jpegXL(let file) = container else { return false }
    return (try? file.imageHeader())?.color.colorSpace == .gray
  }
}

extension MetadataEdit {
  /// Whether metadata of a file are those that the edit sets, and without those that it drops.
  fileprivate func isSatisfied(by summary: MetadataSummary, inGrayJPEGXL isGray: Bool) -> Bool {
    orientation.isSatisfied(by: summary.orientation == .upright ? nil : summary.orientation)
      && contentLightLevel.isSatisfied(by: summary.light.contentLightLevel)
      && masteringDisplay.isSatisfied(by: summary.light.masteringDisplay)
      && storesCodePoints(summary.codePoints, inGrayJPEGXL: isGray)
      && diffuseWhite.isSatisfied(by: summary.light.diffuseWhite)
      && (profile != .drop || summary.profile == nil)
      && !(dropsLocation && summary.hasLocation)
  }

  /// A gray JPEG XL image stores only the white of its primaries.
  private func storesCodePoints(_ stored: CICP?, inGrayJPEGXL isGray: Bool) -> Bool {
    guard isGray, case .set(let new) = codePoints else {
      return codePoints.isSatisfied(by: stored)
    }
    return new.transfer == stored?.transfer
  }
}

extension MetadataEdit.Change {
  fileprivate func isSatisfied(by value: Value?) -> Bool {
    switch self {
    case .keep: true
    case .drop: value == nil
    case .set(let new): value == new
    }
  }
}

/// Edits that set metadata, drop metadata, and remove the location.
private let edits: [MetadataEdit] = {
  var set = MetadataEdit()
  set.exif = .set(ExifBlock.minimal(orientation: .upright))
  set.xmp = .set(XMPPacket.empty)
  set.orientation = .set(.rotated90)
  var light = MetadataEdit()
  light.contentLightLevel = .set(
    LightMetadata.ContentLightLevel(maximum: 1000, maximumAverage: 200))
  light.codePoints = .set(
    CICP(primaries: .bt2020, transfer: .pq, matrix: .identity, isFullRange: true))
  light.diffuseWhite = .set(203)
  var drop = MetadataEdit()
  drop.contentLightLevel = .drop
  drop.masteringDisplay = .drop
  drop.exif = .drop
  drop.xmp = .drop
  drop.profile = .drop
  drop.orientation = .drop
  var hide = MetadataEdit()
  hide.dropsLocation = true
  return [set, light, drop, hide]
}()
