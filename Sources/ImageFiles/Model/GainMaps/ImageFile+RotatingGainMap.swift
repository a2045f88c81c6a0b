// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore

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
