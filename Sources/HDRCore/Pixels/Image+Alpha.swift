// SPDX-License-Identifier: Apache-2.0
/// Content of an alpha channel.
package enum AlphaContent: Sendable {
  /// Every sample is the maximum.
  case opaque
  /// Every sample is 0, as in renders whose alpha was not computed.
  case empty
  case varying
}

extension Image {
  /// Reads alpha until it varies.
  ///
  /// - Throws: Errors of the decoder; `.cancelled`.
  package func alphaContent() throws(ImageError) -> AlphaContent {
    guard layout.hasAlpha else { return .opaque }
    let reader = try makeReader()
    var (isOpaque, isEmpty) = (true, true)
    var row = 0
    while row < layout.height {
      try Execution.current.checkCancellation()
      let rows = row..<min(row + Self.stripHeight, layout.height)
      let (opaque, empty) = try reader.checkedRows(rows).alphaContent
      (isOpaque, isEmpty) = (isOpaque && opaque, isEmpty && empty)
      guard isOpaque || isEmpty else { return .varying }
      row = rows.upperBound
    }
    return isOpaque ? .opaque : .empty
  }

  /// The same image without alpha: its components as stored.
  package func ignoringAlpha() -> Image {
    guard layout.hasAlpha else { return self }
    var description = self.description
    description.layout = layout.withoutAlpha
    return Image(description) { () throws(ImageError) -> any RowReader in
      AlphaIgnoringReader(try makeReader())
    }
  }

  private static let stripHeight = 128
}

/// Reader of the components of an image with alpha.
private final class AlphaIgnoringReader: SequentialRowReader {
  let layout: ImageLayout
  var isSequential: Bool { reader.canReadAhead }
  private let reader: any RowReader

  init(_ reader: any RowReader) {
    self.reader = reader
    layout = reader.layout.withoutAlpha
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    try reader.checkedRows(rows).ignoringAlpha()
  }
}

extension ImageLayout {
  fileprivate var withoutAlpha: ImageLayout {
    var layout = self
    (layout.hasAlpha, layout.isAlphaPremultiplied) = (false, false)
    return layout
  }
}

extension ImagePlanes {
  /// The components without alpha, which is the last plane.
  fileprivate func ignoringAlpha() -> ImagePlanes {
    guard layout.hasAlpha else { return self }
    let components =
      switch planes {
      case .integer(let planes): Planes.integer(planes.dropLast())
      case .float(let planes): Planes.float(planes.dropLast())
      case .half(let planes): Planes.half(planes.dropLast())
      }
    return ImagePlanes(layout: layout.withoutAlpha, planes: components)
  }

  /// Whether all samples of alpha are the maximum, and whether all are 0.
  fileprivate var alphaContent: (isOpaque: Bool, isEmpty: Bool) {
    let index = layout.planeCount - 1
    switch planes {
    case .integer(let planes):
      guard case .integer(let bits) = layout.samples else { return (false, false) }
      let highest = UInt16((1 << bits) - 1)
      return planes[index].content(isOpaque: { $0 >= highest }, isEmpty: { $0 == 0 })
    case .float(let planes):
      return planes[index].content(isOpaque: { $0 >= 1 }, isEmpty: { !($0 > 0) })
    case .half(let planes):
      // Sign and magnitude: positive numbers compare as their bit patterns; NaN counts as 0.
      let (one, infinity) = (Float16(1).bitPattern, Float16.infinity.bitPattern)
      return planes[index].content(
        isOpaque: { (one...infinity).contains($0) }, isEmpty: { $0 == 0 || $0 > infinity })
    }
  }
}

extension Plane {
  fileprivate func content(
    isOpaque: (Sample) -> Bool, isEmpty: (Sample) -> Bool
  ) -> (isOpaque: Bool, isEmpty: Bool) {
    let samples = self.span
    var (opaque, empty) = (true, true)
    for index in samples.indices {
      opaque = opaque && isOpaque(samples[index])
      empty = empty && isEmpty(samples[index])
      guard opaque || empty else { break }
    }
    return (opaque, empty)
  }
}
