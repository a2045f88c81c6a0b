// SPDX-License-Identifier: Apache-2.0
package import GainMap
public import HDRCore

extension ImageFile {
  /// Adds the image of another file as the gain map, replacing existing gain maps.
  ///
  /// The coded data of both images are copied unchanged.
  ///
  /// - Parameters:
  ///   - map: A file whose first or primary image is the gain map, with the codec of this file.
  ///   - detached: Metadata of the gain map.
  ///   - flavors: Flavors to write; `nil` for those that suit the container and represent the
  ///     metadata exactly.
  ///   - originals: Coded data to compare with; `nil` for those of the two files, which must not
  ///     change.
  /// - Returns: The new file, whose coded images were compared with the originals.
  /// - Throws: `.invalidArgument` for images of different codecs, or if a flavor cannot represent
  ///   the gain map.
  package func joining(
    _ map: ImageFile, _ detached: FoundGainMap, in flavors: Set<GainMapFlavor>? = nil,
    originals: [CodedPayload]? = nil
  ) throws(ImageError) -> RewrittenFile {
    var detached = detached
    detached.layout = try map.container.structure.primaryLayout() ?? detached.layout
    let isGray = detached.layout?.componentCount == 1
    let description = try GainMapMetadataSet(
      of: detached, in: flavors ?? usualFlavors(for: detached, mapIsGray: isGray),
      baseMakerNote: try appleMakerNote, base: try basePrimaries)
    return try joining(map, description, originals: originals)
  }

  /// Adds the image of another file as the gain map, with the given metadata.
  ///
  /// - Parameters:
  ///   - map: A file whose first or primary image is the gain map, with the codec of this file.
  ///   - description: Gain map metadata to write.
  ///   - originals: Coded data to compare with; `nil` for those of the two files, which must not
  ///     change.
  /// - Returns: The new file, whose coded images were compared with the originals.
  /// - Throws: `.invalidArgument` for images of different codecs, `.malformed` for XMP that cannot
  ///   be edited.
  package func joining(
    _ map: ImageFile, _ description: GainMapMetadataSet, originals: [CodedPayload]? = nil
  ) throws(ImageError) -> RewrittenFile {
    let inventory = try gainMaps()
    let (base, coding) = (try stillCodec, try map.stillCodec)
    guard base == coding else {
      throw ImageError(
        .invalidArgument,
        "the gain map is {map}, the baseline image {base}; one file uses one codec for both",
        ["map": coding.rawValue, "base": base.rawValue])
    }
    var notices = description.notices
    if description.apple == nil { notices += try staleAppleNumbers }
    var edited = container
    notices += try edited.structure.addGainMap(imageOf: map, description)
    let known = if let originals { originals } else { try wholePayloads() + map.wholePayloads() }
    return try rearranged(
      edited, inventory, worstError: description.worstError, notices, known: known,
      mayDiffer: originals != nil)
  }

  /// Serializes a file with a re-encoded image and without a gain map.
  ///
  /// - Parameter originals: Coded data to compare with.
  /// - Returns: The new file, whose coded images were compared with the originals.
  /// - Throws: Errors of the structure of the new file.
  package func withoutGainMap(originals: [CodedPayload]) throws(ImageError) -> RewrittenFile {
    try rearranged(container, try gainMaps(), worstError: 0, [], known: originals, mayDiffer: true)
  }

  /// The most widely supported flavors of this container that represent a gain map exactly, and the
  /// flavors of its present metadata.
  private func usualFlavors(for detached: FoundGainMap, mapIsGray: Bool) -> Set<GainMapFlavor> {
    let possible = format.traits.gainMapFlavors
    guard possible.count > 1 else { return possible }
    let stored = Set(detached.flavors)
    guard let metadata = detached.metadata, !metadata.isApple else { return stored }
    let suitsXMP = GainMapXMP.obstacle(to: metadata, mapIsGray: mapIsGray) == nil
    switch container {
    case .jpeg: return stored.union(suitsXMP ? [.iso, .xmp] : [.iso])
    // The auxiliary type of an image is that of one vendor, Adobe or Apple.
    default: return stored.subtracting(stored.contains(.apple) ? [.xmp] : []).union([.iso])
    }
  }

  /// The codec of the primary image, which its gain map must use as well.
  ///
  /// - Throws: `.malformed` without a primary image, `.unsupported` for formats without gain maps.
  package var stillCodec: StillCodec {
    get throws(ImageError) { try container.structure.stillCodec }
  }
}

extension ImageFile {
  /// Returns the metadata of a gain map for use with samples in another file.
  ///
  /// They include its XMP and the Apple maker note, verbatim.
  ///
  /// - Parameter found: The gain map.
  /// - Returns: The detached gain map; `nil` if no metadata are readable.
  /// - Throws: Errors of the XMP of the gain map.
  package func detached(_ found: FoundGainMap) throws(ImageError) -> FoundGainMap? {
    guard var detached = found.detached else { return nil }
    detached.orientation = try contents().primary.orientation
    detached.xmp = try xmp(of: found)?.bytes
    if detached.flavors.contains(.apple) { detached.makerNote = try appleMakerNote }
    return detached
  }

  /// Returns the metadata of the gain map of this file, or of its image if that is a gain map.
  ///
  /// - Throws: `.unsuitable` without gain map metadata.
  package func detachedGainMap() throws(ImageError) -> FoundGainMap {
    var found = try gainMaps().applicable
    let isAlone = found == nil
    if isAlone {
      switch container {
      case .jpeg(let jpeg):
        found = try FoundGainMap(imageOf: jpeg, appleCurve: options.appleCurve)
      case .png(let png): found = try FoundGainMap(imageOf: png)
      default: break
      }
    }
    guard let found, var detached = try detached(found) else {
      throw ImageError(.gainMapMetadataMissing)
    }
    // Without an orientation of its own, a gain map has that of its baseline image.
    if isAlone, detached.orientation == .upright { detached.orientation = nil }
    return detached
  }
}

extension ImageFile {
  /// Extracts the image of a gain map into a separate file without re-encoding.
  ///
  /// - Parameter location: Location of the gain map in this file.
  /// - Returns: The file.
  /// - Throws: `.unsupported` for a gain map that is not in this file, and for formats without gain
  ///   maps; errors of `standaloneFile(ofItem:)` for images.
  public func standaloneFile(ofGainMapAt location: FoundGainMap.Location) throws(ImageError)
    -> SplicedBytes
  {
    switch location {
    case .image(let index):
      return try standaloneFile(ofItem: UInt32(exactly: index) ?? .max)
    case .item(let id): return try standaloneFile(ofItem: id)
    case .box, .chunk: return try container.structure.standaloneGainMap(location)
    case .file: throw ImageError(.gainMapNotAnImage)
    }
  }
}
