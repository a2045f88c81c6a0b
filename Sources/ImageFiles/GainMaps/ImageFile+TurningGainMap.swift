public import GainMap
public import HDRCore
public import ImageContainers

extension ImageFile {
  /// Turns the coded data of a JPEG picture, so that its rows and columns are upright once they are
  /// read by this orientation; fails where that is not possible exactly.
  public typealias JPEGTurner = (JPEGImage, Orientation) throws(ImageError) -> JPEGImage

  /// Turns or mirrors the picture and its gain map as they are shown, and describes the map in these
  /// flavors.
  ///
  /// HEIF and AVIF say it in the properties of their items. The pictures of JPEG files are turned in
  /// their coefficients, all or none: where one of them cannot be, the Exif of the first picture says
  /// how all are to be turned, and a notice tells why.
  ///
  /// - Parameters:
  ///   - turn: Applied to the picture as it is shown now.
  ///   - flavors: What the file shall have; `nil` for what it has.
  ///   - turner: Turns the coefficients of JPEG pictures.
  /// - Returns: The file; coded pictures are compared with those of the old one.
  /// - Throws: As `turned(by:)` and `describingGainMap(in:)`.
  public func turning(
    by turn: Orientation, describingGainMapIn flavors: Set<GainMapFlavor>?,
    _ turner: JPEGTurner
  ) throws(ImageError) -> RearrangedFile {
    let turned = try turning(by: turn, turner)
    guard let flavors else { return turned }
    var described = try turned.file.describingGainMap(in: flavors)
    described.add(turned.notices, worstError: 0)
    described.turned = turned.turned
    return described
  }

  private func turning(
    by turn: Orientation, _ turner: JPEGTurner
  ) throws(ImageError) -> RearrangedFile {
    var notices: [Notice] = []
    if case .jpeg(var file) = container {
      do throws(ImageError) {
        let losses = try file.turnCoefficients(by: turn, turner) + depthMapNotices
        var result = try rearranged(
          .jpeg(file), try gainMaps(), worstError: 0, losses + filmNotices,
          known: wholePayloads(), mayDiffer: true)
        (result.turned, result.codedAnew) = (result.codedAnew, [])
        return result
      } catch  where error.category == .unsupported || error.category == .missingCodec {
        notices = [
          Notice(.orientationRotatedByExif, ["cause": error], at: error.location)
        ]
      }
    }
    let turned = try self.turned(by: turn)
    return try rearranged(
      turned.file.container, try gainMaps(), worstError: 0,
      notices + turned.notices + filmNotices, known: wholePayloads())
  }
}

extension ImageFile {
  /// What turning a picture does not turn.
  private var filmNotices: [Notice] {
    guard holdsFilm else { return [] }
    return [
      Notice(.orientationVideoNotRotated)
    ]
  }

  /// What says in XMP how far things are, as cameras of Google wrote it, in rows and columns.
  public var depthMapNotices: [Notice] {
    guard case .jpeg(let file) = container, let packet = file.primary.xmpPacket,
      packet.properties.contains(where: { $0.name.namespace == Self.depthMapNamespace })
    else { return [] }
    return [
      Notice(.orientationDepthNotRotated)
    ]
  }

  private static let depthMapNamespace = "http://ns.google.com/photos/1.0/depthmap/"
}

extension JPEGFile {
  /// Turns all pictures in their coefficients, and makes their metadata say so.
  ///
  /// - Returns: What was lost.
  /// - Throws: `.unsupported` if one of them cannot be turned exactly; nothing is changed then.
  fileprivate mutating func turnCoefficients(
    by turn: Orientation, _ turner: ImageFile.JPEGTurner
  ) throws(ImageError) -> [Notice] {
    let maps = GainMapInventory(of: self).maps.map(\.place)
    let stored = Self.orientation(of: primary) ?? .upright
    var copy = self
    var notices: [Notice] = []
    for (index, image) in images.enumerated() {
      // What the Exif of a map says about turning does not count.
      let own = index == 0 || maps.contains(.image(index)) ? nil : Self.orientation(of: image)
      let orientation = (own ?? stored).followed(by: turn)
      var turned: JPEGImage
      do throws(ImageError) {
        turned = try turner(image, orientation)
      } catch {
        throw error.inside("picture \(index)")
      }
      notices += try turned.describeAsUpright(keepsThumbnail: orientation == .upright)
      copy.replaceImage(index, with: turned)
    }
    self = copy
    return notices
  }

  private static func orientation(of image: JPEGImage) -> Orientation? {
    image.exif.flatMap { try? ExifBlock(parsing: $0) }?.orientation
  }
}
