public import HDRCore
public import ImageContainers

extension ContainerFile {
  /// Turns or mirrors the picture and its gain map as they are shown, and describes the map in these
  /// flavors.
  ///
  /// - Parameters:
  ///   - turn: Applied to the picture as it is shown now.
  ///   - flavors: What the file shall have; `nil` for what it has.
  ///   - appleCurve: How samples of Apple's maps relate to gain, which no file says.
  ///   - limits: For the new file, which is parsed again.
  /// - Returns: The file; coded pictures are compared with those of the old one.
  /// - Throws: As `turned(by:limits:)` and `describingGainMap(in:appleCurve:limits:)`.
  public func turning(
    by turn: Orientation, describingGainMapIn flavors: Set<GainMapFlavor>?,
    appleCurve: AppleGainMap.Curve = .srgb, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> RearrangedFile {
    let turned = try self.turned(by: turn, limits: limits)
    let file = try ContainerFile(parsing: ByteSource(turned.bytes), limits: limits)
    if let flavors {
      let described = try file.describingGainMap(
        in: flavors, appleCurve: appleCurve, limits: limits)
      return RearrangedFile(
        bytes: described.bytes, before: described.before, after: described.after,
        worstError: described.worstError, notices: turned.notices + described.notices,
        payloads: described.payloads, codedAnew: described.codedAnew)
    }
    let found = try file.gainMaps(appleCurve: appleCurve).applicable
    let spelled = found?.spellings.compactMap { $0.reading?.flavor } ?? []
    return RearrangedFile(
      bytes: turned.bytes, before: spelled, after: spelled, worstError: 0,
      notices: turned.notices, payloads: turned.payloads.map(\.after), codedAnew: [])
  }
}
