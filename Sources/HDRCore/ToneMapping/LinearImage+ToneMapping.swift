extension LinearImage {
  /// The picture as a display of less headroom shows it.
  ///
  /// On a display with the headroom of the content, or more, nothing changes.
  ///
  ///     let laptop = try picture.toneMapped(to: Headroom(ratio: 2))
  ///     let standard = try picture.toneMapped(to: .standard, using: .bt2390)
  ///
  /// - Parameters:
  ///   - display: Headroom of the display, at least 1.
  ///   - method: The operator.
  ///   - content: Headroom of the picture; `nil` to measure it.
  ///   - threads: Bands worked on at the same time; `nil` for one on each core.
  /// - Returns: Light in the same primaries; nothing of it is above the display's peak, unless the
  ///   content's headroom is within the display's, so that the picture stays as it is.
  /// - Throws: `.invalidArgument` for a display below reference white and for what is not a number.
  public func toneMapped(
    to display: Headroom, using method: ToneMapOperator = .shoulder, content: Headroom? = nil,
    threads: Int? = nil
  ) throws(ImageError) -> LinearImage {
    let toneMap = try method.toneMap(
      content: content ?? contentHeadroom(threads: threads), display: display,
      referenceWhite: referenceWhite)
    return toneMap.isIdentity ? self : rendered(Rendition(toneMap), threads: threads)
  }

  /// The picture as `rendition` shows it.
  ///
  /// - Parameters:
  ///   - rendition: What a display shows.
  ///   - target: Primaries of the result; `nil` for those of the picture.
  ///   - threads: Bands worked on at the same time; `nil` for one on each core.
  /// - Returns: Light for the display.
  public func rendered(
    _ rendition: Rendition, in target: ColorPrimaries? = nil, threads: Int? = nil
  ) -> LinearImage {
    var coding = coding
    coding.color.primaries = target ?? primaries
    return LinearImage(
      light: stored(as: coding, rendition: rendition, threads: threads).image,
      encoding: coding.color)
  }

  /// Headroom that the picture uses, as operators count it: in BT.2020.
  ///
  /// - Parameter threads: Bands worked on at the same time; `nil` for one on each core.
  /// - Returns: The 99.99th percentile of the largest component over reference white, at least 1.
  public func contentHeadroom(threads: Int? = nil) -> Headroom {
    var target = coding
    target.color.primaries = .bt2020
    return ImageTransform(from: coding, to: target)
      .measure(samples, threads: threads ?? coreCount).contentHeadroom
  }
}
