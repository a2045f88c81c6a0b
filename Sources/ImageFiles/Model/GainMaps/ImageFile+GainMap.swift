// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore

/// The result of changing or removing gain map metadata without re-encoding images.
public struct RewrittenFile: Sendable {
  /// The new file.
  public let bytes: SplicedBytes
  /// The new file, parsed.
  public let file: ImageFile
  /// Gain map flavors of the original file.
  public private(set) var before: [GainMapFlavor]
  /// Gain map flavors of the new file.
  public let after: [GainMapFlavor]
  /// Largest difference between the written and the original gain, in stops: the sum of those of
  /// several steps.
  public private(set) var worstError: Double
  /// Notices about dropped and approximated metadata.
  public var notices: [Notice]
  /// Coded data of the new file.
  package let payloads: [CodedPayload]
  /// Names of coded data that differ from the original; empty unless re-encoding was requested.
  public internal(set) var reencodedPayloads: Set<String>
  /// Names of coded data that were losslessly rotated in their DCT coefficients.
  public internal(set) var rotatedPayloads: Set<String> = []
  /// Names of coded data whose coefficients were losslessly coded in another format.
  public package(set) var transcodedPayloads: Set<String> = []

  /// Adds the notices and errors of earlier steps.
  ///
  /// - Parameters:
  ///   - first: Notices to insert before the others.
  ///   - error: Error of the earlier steps, in stops.
  ///   - source: The original gain map, if it comes from another file than the baseline image.
  package mutating func add(
    _ first: [Notice], worstError error: Double, from source: FoundGainMap? = nil
  ) {
    notices = first + notices
    worstError += error
    if let source { before = source.flavors }
  }
}

extension ImageFile {
  /// Rewrites the metadata of the gain map of the primary image in the given flavors only.
  ///
  /// - Parameter flavors: Flavors of the new file, at least one.
  /// - Returns: The new file, whose coded images were compared with those of the original.
  /// - Throws: `.unsuitable` without an applicable gain map, `.invalidArgument` without flavors,
  ///   and with the reason if a flavor cannot represent the gain map; `.unsupported` for formats
  ///   without gain maps.
  public func describingGainMap(
    in flavors: Set<GainMapFlavor>
  ) throws(ImageError) -> RewrittenFile {
    let inventory = try gainMaps()
    return try describing(try inventory.requireApplicable(), inventory, in: flavors)
  }

  /// Changes the metadata of the gain map of the primary image; all coded images are kept byte for
  /// byte.
  ///
  /// ```swift
  /// var metadata = try file.gainMaps().requireApplicable().metadata
  /// try metadata?.change { $0.channels.change { $0.gamma = UnsignedRational(2) } }
  /// ```
  ///
  /// - Parameters:
  ///   - metadata: The new relation of the samples to gain.
  ///   - flavors: Flavors of the new file; `nil` for those of this one that can represent `metadata`.
  /// - Returns: As `describingGainMap(in:)`.
  /// - Throws: As `describingGainMap(in:)`.
  public func describingGainMap(
    as metadata: GainMapMetadata, in flavors: Set<GainMapFlavor>? = nil
  ) throws(ImageError) -> RewrittenFile {
    let inventory = try gainMaps()
    var found = try inventory.requireApplicable()
    let usual: GainMapFlavor = metadata.isApple ? .apple : .iso
    let kept = Set(found.usableFlavors).filter { ($0 == .apple) == metadata.isApple }
    found.replaceMetadata(with: metadata, flavor: usual, dropsOthers: true)
    return try describing(found, inventory, in: flavors ?? (kept.isEmpty ? [usual] : kept))
  }

  private func describing(
    _ found: FoundGainMap, _ inventory: GainMapInventory, in flavors: Set<GainMapFlavor>
  ) throws(ImageError) -> RewrittenFile {
    let description = try GainMapMetadataSet(of: found, in: flavors, base: try basePrimaries)
    var notices = inventory.notices + description.notices
    let hasColor = found.alternate.cicp != nil || found.alternate.icc != nil
    if description.iso == nil, found.toneMapItem != nil, hasColor {
      notices.append(Notice(.gainMapAlternateColorDropped))
    }
    if description.apple == nil { notices += try staleAppleNumbers }
    var edited = container
    notices += try edited.structure.describeGainMap(at: found.location, description)
    return try rearranged(
      edited, inventory, worstError: description.worstError, notices,
      known: wholePayloads())
  }

  /// The primaries of the baseline image, if the container specifies them; JPEG without a profile
  /// is sRGB.
  ///
  /// - Throws: Errors that end the whole job.
  var basePrimaries: ColorPrimaries? {
    get throws(ImageError) { try container.structure.basePrimaries }
  }

  /// Removes the gain maps of the primary image, including remains of invalid ones, and keeps the
  /// baseline image.
  ///
  /// - Returns: The new file, whose coded images were compared with those of the original.
  /// - Throws: `.unsuitable` without a gain map, `.unsupported` for formats without gain maps.
  public func droppingGainMaps() throws(ImageError) -> RewrittenFile {
    let inventory = try gainMaps()
    var edited = container
    var notices = inventory.applicable == nil ? inventory.notices : []
    notices += try edited.structure.dropGainMaps()
    guard !inventory.maps.isEmpty || !edited.structure.isEqual(to: container.structure) else {
      throw ImageError(.noGainMap)
    }
    return try rearranged(
      edited, inventory, worstError: 0, notices + staleAppleNumbers, known: wholePayloads())
  }

  /// The headroom values in the Apple maker note of the primary image; `nil` if missing.
  ///
  /// - Throws: Errors that end the whole job.
  package var appleMakerNote: AppleMakerNote? {
    get throws(ImageError) {
      switch container {
      case .jpeg(let file): try AppleMakerNote(of: file)
      case .heif(let file): try AppleMakerNote(of: file)
      default: nil
      }
    }
  }

  /// The notice for an Apple maker note that is kept when the Apple flavor is removed.
  ///
  /// - Throws: Errors that end the whole job.
  var staleAppleNumbers: [Notice] {
    get throws(ImageError) { try appleMakerNote != nil ? [Notice(.gainMapStaleMakerNote)] : [] }
  }

  /// The XMP of a gain map in HEIF, AVIF and JPEG; `nil` if missing, and for other formats.
  ///
  /// - Parameter map: A gain map of this file.
  /// - Returns: The packet.
  /// - Throws: `.malformed` if the XMP is unreadable.
  package func xmp(of map: FoundGainMap) throws(ImageError) -> XMPPacket? {
    switch (container, map.location) {
    case (.jpeg(let file), .image(let index)) where file.images.indices.contains(index):
      return try file.images[index].readableXMP()
    case (.heif(let file), .item(let id)):
      guard let carrier = file.xmpItems(describing: id).first else { return nil }
      return try XMPPacket(parsing: try file.data(of: carrier.id))
    default: return nil
    }
  }

  /// The file as it is copied: EOI that is missing is added, and MPF lists the images.
  ///
  /// - Throws: Errors of serializing the structure.
  package var completed: ImageFile {
    get throws(ImageError) {
      guard case .jpeg(let file) = container else { return self }
      let bytes = try file.rewritten()
      return bytes.pieces == source.whole.pieces ? self : try parsing(bytes)
    }
  }

  /// A file that was losslessly transcoded from this one, as it is.
  ///
  /// - Throws: Errors of the structure of the new file.
  package func transcoded(as written: ImageFile) throws(ImageError) -> RewrittenFile {
    let payloads = try written.codedPayloads()
    var result = RewrittenFile(
      bytes: written.source.whole, file: written,
      before: try ifReadable(try gainMaps())?.applicable?.flavors ?? [],
      after: try written.gainMaps().applicable?.flavors ?? [], worstError: 0, notices: damage,
      payloads: payloads, reencodedPayloads: [])
    result.transcodedPayloads = Set(payloads.map(\.name))
    return result
  }

  /// Serializes and re-parses the file, and checks that its coded data are among the known ones,
  /// unless they may differ.
  func rearranged(
    _ edited: FileContainer, _ inventory: GainMapInventory, worstError: Double,
    _ notices: [Notice], known: [CodedPayload], mayDiffer: Bool = false
  ) throws(ImageError) -> RewrittenFile {
    var edited = edited
    edited.arrangeProperties()
    let corrected = try edited.correctConfigurations()
    let bytes = try edited.serialized()
    let written = try parsing(bytes)
    let payloads = try written.codedPayloads().filter { !$0.name.hasSuffix("'tmap'") }
    var originals = KnownPayloads(known)
    var reencodedPayloads: Set<String> = []
    for payload in payloads where try !originals.contains(payload) {
      guard mayDiffer else {
        throw ImageError(
          .unsupported, "{name} would change; nothing was written", ["name": payload.name])
      }
      reencodedPayloads.insert(payload.name)
    }
    func flavors(_ inventory: GainMapInventory) -> [GainMapFlavor] {
      inventory.applicable?.flavors ?? []
    }
    return RewrittenFile(
      bytes: bytes, file: written, before: flavors(inventory),
      after: flavors(try written.gainMaps()), worstError: worstError,
      notices: damage + notices + corrected, payloads: payloads,
      reencodedPayloads: reencodedPayloads)
  }
}

extension ImageFile {
  /// Rotates or mirrors the primary image and its gain map, and rewrites the gain map metadata in
  /// the given flavors.
  ///
  /// HEIF and AVIF store the orientation in item properties, JPEG XL in headers. The images of JPEG
  /// files are rotated in their DCT coefficients. If that is not possible for one of them, none is
  /// rotated: the orientation is stored in the Exif of the first image instead, and a notice
  /// contains the reason.
  ///
  /// - Parameters:
  ///   - rotation: Rotation and mirroring relative to the present orientation.
  ///   - flavors: Flavors of the new file; `nil` for those of the original.
  /// - Returns: The new file, whose coded images were compared with those of the original.
  /// - Throws: As `rotated(by:)`; as `describingGainMap(in:)` if `flavors` are given;
  ///   `.unsupported` for formats without gain maps.
  public func rotating(
    by rotation: Orientation, describingGainMapIn flavors: Set<GainMapFlavor>?
  ) throws(ImageError) -> RewrittenFile {
    let rotated = try rotating(by: rotation)
    guard let flavors else { return rotated }
    var described = try rotated.file.describingGainMap(in: flavors)
    described.add(rotated.notices, worstError: 0)
    described.rotatedPayloads = rotated.rotatedPayloads
    return described
  }

  /// Rotates the first image of a JPEG file in its DCT coefficients.
  ///
  /// - Parameter rotation: Orientation of its samples, which become upright.
  /// - Returns: The file; `nil` for another format, and if that is not possible exactly.
  /// - Throws: Errors of the codec and of Exif.
  package func rotatingImage(by rotation: Orientation) throws(ImageError) -> ImageFile? {
    guard case .jpeg(var file) = container else { return nil }
    do throws(ImageError) {
      var image = try JPEGRotation.rotated(file.primary, by: rotation, limits: options.limits)
      _ = try image.describeAsUpright(keepsThumbnail: false)
      file.primary = image
    } catch  where error.category == .unsupported || error.category == .missingCodec {
      return nil
    }
    return try parsing(try file.serialized())
  }

  private func rotating(by rotation: Orientation) throws(ImageError) -> RewrittenFile {
    if let (file, dropped) = try withoutUnreadableGainMaps {
      var rotated = try file.rotating(by: rotation)
      rotated.notices += dropped
      return rotated
    }
    var notices: [Notice] = []
    if case .jpeg(var file) = container {
      do throws(ImageError) {
        let losses = try file.rotateCoefficients(by: rotation, options.limits) + depthMapNotices
        var result = try rearranged(
          .jpeg(file), try gainMaps(), worstError: 0, losses + videoNotices,
          known: wholePayloads(), mayDiffer: true)
        (result.rotatedPayloads, result.reencodedPayloads) = (result.reencodedPayloads, [])
        return result
      } catch  where error.category == .unsupported || error.category == .missingCodec {
        notices = [
          Notice(.orientationRotatedByExif, ["cause": error], at: error.location)
        ]
      }
    }
    let rotated = try self.rotated(by: rotation)
    return try rearranged(
      rotated.file.container, try gainMaps(), worstError: 0,
      notices + rotated.notices + videoNotices, known: wholePayloads())
  }
}

extension ImageFile {
  /// The notice for a video, which is not rotated with the image.
  private var videoNotices: [Notice] {
    get throws(ImageError) {
      try containsVideo ? [Notice(.orientationVideoNotRotated)] : []
    }
  }

  /// The notice for a Google depth map (GDepth) in XMP, which is not rotated with the image.
  ///
  /// - Throws: Errors that end the whole job.
  package var depthMapNotices: [Notice] {
    get throws(ImageError) {
      guard case .jpeg(let file) = container, let packet = try file.primary.readableXMP(),
        packet.properties.contains(where: { $0.name.namespace == Self.depthMapNamespace })
      else { return [] }
      return [
        Notice(.irregular, "not rotated: depth map in XMP (GDepth); it no longer matches the image")
      ]
    }
  }

  private static let depthMapNamespace = "http://ns.google.com/photos/1.0/depthmap/"
}

extension JPEGFile {
  /// Rotates all images in their DCT coefficients, and updates their orientation metadata.
  ///
  /// - Returns: Notices about dropped metadata.
  /// - Throws: `.unsupported` if one of them cannot be rotated exactly; the file is then unchanged.
  fileprivate mutating func rotateCoefficients(
    by rotation: Orientation, _ limits: ImageLimits
  ) throws(ImageError) -> [Notice] {
    let maps = try GainMapInventory(of: self).maps.map(\.location)
    let stored = try Self.orientation(of: primary) ?? .upright
    var copy = self
    var notices: [Notice] = []
    for (index, image) in images.enumerated() {
      // The orientation in the Exif of a gain map is ignored.
      let own = index == 0 || maps.contains(.image(index)) ? nil : try Self.orientation(of: image)
      let orientation = (own ?? stored).followed(by: rotation)
      var rotated: JPEGImage
      do throws(ImageError) {
        rotated = try JPEGRotation.rotated(image, by: orientation, limits: limits)
      } catch {
        throw error.inside(JPEGFile.nameOfImage(index))
      }
      notices += try rotated.describeAsUpright(keepsThumbnail: orientation == .upright)
      copy.replaceImage(index, with: rotated)
    }
    self = copy
    return notices
  }

  private static func orientation(of image: JPEGImage) throws(ImageError) -> Orientation? {
    guard let exif = image.exif else { return nil }
    return try ifReadable(try ExifBlock(parsing: exif))?.orientation
  }
}
