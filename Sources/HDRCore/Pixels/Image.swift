// SPDX-License-Identifier: Apache-2.0

/// An image: samples with their layout, color, light metadata and orientation.
///
/// The samples are planes in memory, or rows that are decoded on demand, so that an image of any
/// size can be passed on before its samples are read; functions that read them throw the errors of
/// their decoder. Linear values are an image with a linear color encoding.
///
///     let layout = PixelLayout(.rgbFloat, width: 4000, height: 3000)
///     let color = ColorEncoding(primaries: .bt2020, transfer: .linear)
///     let image = try Image(pixels: floats.span, layout: layout, color: color)
///     let levels = try image.lightLevels()            // MaxCLL, percentiles, headroom
///     let pq = try image.transformed(to: target)      // code values
public struct Image: Sendable {
  private enum Samples: Sendable {
    case planes(ImagePlanes)
    case rows(
      @Sendable () throws(ImageError) -> any RowReader,
      reduced: (@Sendable (_ factor: Int) -> Image?)? = nil, leastRest: Double = Image.usualRest)
  }

  /// Layout, color, light metadata and orientation.
  public private(set) var description: ImageDescription
  private let samples: Samples

  /// Makes an image from planes in memory.
  ///
  /// - Parameters:
  ///   - description: Layout, color, light metadata and orientation.
  ///   - planes: The samples, in the order of `ImageLayout.Components`, alpha last.
  /// - Throws: `.invalidArgument` for planes whose number, sample type or sizes are not those of
  ///   the layout, and for a depth outside 1...16 bits.
  public init(_ description: ImageDescription, planes: ImagePlanes.Planes) throws(ImageError) {
    if let mismatch = planes.mismatch(with: description.layout) { throw mismatch }
    self.init(description, ImagePlanes(layout: description.layout, planes: planes))
  }

  /// Makes an image whose rows are produced on demand.
  ///
  /// The description is checked when rows are read or a transform is prepared.
  ///
  /// - Parameters:
  ///   - description: Layout, color, light metadata and orientation.
  ///   - rows: Starts a reader of the samples, which have the layout of `description`; called for
  ///     each `makeReader()`, on any thread.
  public init(
    _ description: ImageDescription, rows: @escaping @Sendable () throws -> any RowReader
  ) {
    self.description = description
    samples = .rows { () throws(ImageError) in
      try callingProgram { () throws(any Error) in try rows() }
    }
  }

  /// Makes an image whose rows are produced on demand, also at a smaller size.
  ///
  /// - Parameters:
  ///   - description: Layout, color, light metadata and orientation.
  ///   - reduced: Returns the image at 1/2, 1/4 or 1/8 of its size, sides rounded up, if its decoder
  ///     yields that faster; pixel `x` has the content of the pixels from `factor * x`. Only its layout
  ///     and rows count.
  ///   - leastRest: The least factor of the resampling that remains: 1 if the decoder averages linear
  ///     values.
  ///   - rows: Starts a reader of the samples, which have the layout of `description`.
  package init(
    _ description: ImageDescription, reduced: @escaping @Sendable (_ factor: Int) -> Image?,
    leastRest: Double = Image.usualRest,
    rows: @escaping @Sendable () throws(ImageError) -> any RowReader
  ) {
    self.description = description
    samples = .rows(rows, reduced: reduced, leastRest: leastRest)
  }

  /// The least rest for decoders that average encoded values, so that most of the filtering is in linear
  /// light.
  package static var usualRest: Double { 7 / 4 }

  /// Makes an image from planes in memory that match its description.
  ///
  /// - Precondition: The layouts are equal.
  package init(_ description: ImageDescription, _ planes: ImagePlanes) {
    precondition(description.layout == planes.layout, "planes of another layout")
    self.description = description
    samples = .planes(planes)
  }

  /// Size, components, sample type and alpha.
  public var layout: ImageLayout { description.layout }

  /// Color encoding of the samples; setting it reinterprets the same samples.
  public var color: ColorEncoding {
    get { description.color }
    set { description.color = newValue }
  }

  /// Light metadata that belongs to the image; setting it does not change samples.
  public var light: LightMetadata {
    get { description.light }
    set { description.light = newValue }
  }

  /// Relation of the stored rows and columns to the upright image; setting it reinterprets them.
  public var orientation: Orientation {
    get { description.orientation }
    set { description.orientation = newValue }
  }

  /// Whether the samples are in memory.
  public var isInMemory: Bool {
    if case .planes = samples { return true }
    return false
  }

  /// Starts a reader of the samples.
  ///
  /// For an image with rows on demand, each call starts a separate decoder.
  ///
  /// - Throws: `.invalidArgument` for an invalid size and for rows of another layout; errors of the
  ///   decoder.
  public func makeReader() throws(ImageError) -> any RowReader {
    switch samples {
    case .planes(let planes): return PlanesReader(planes)
    case .rows(let open, _, _):
      try layout.checkSize()
      let reader = try open()
      try reader.require(layout)
      return reader is FileReader ? reader : FileReader(reader, nil)
    }
  }

  /// The samples, of all rows; rows on demand are decoded with each call.
  ///
  /// - Throws: `.limitExceeded` if the budget does not suffice for the samples; errors of
  ///   `makeReader()` and of the decoder.
  public func planes() throws(ImageError) -> ImagePlanes {
    switch samples {
    case .planes(let planes): planes
    case .rows: try readAll()
    }
  }

  private func readAll() throws(ImageError) -> ImagePlanes {
    let reader = try makeReader()
    try layout.requireMemory()
    return try reader.checkedRows(0..<layout.height)
  }

  /// Returns the same image, whose decoder throws errors with the name of its file.
  ///
  /// - Parameter file: The name.
  /// - Returns: The image; that of an image in memory is unchanged.
  package func inFile(_ file: String) -> Image {
    guard case .rows(let open, let reduced, let leastRest) = samples else { return self }
    return Image(description, reduced: { reduced?($0)?.inFile(file) }, leastRest: leastRest) {
      () throws(ImageError) in
      do throws(ImageError) {
        return FileReader(try open(), file)
      } catch {
        throw error.inFile(file)
      }
    }
  }

  /// The same image at a fraction of its size, if its decoder yields that faster.
  ///
  /// - Parameter factor: 2, 4 or 8.
  /// - Returns: The image with sides rounded up; `nil` if all rows have to be decoded.
  package func reduced(by factor: Int) -> Image? {
    guard case .rows(_, let reduced?, _) = samples, let smaller = reduced(factor) else {
      return nil
    }
    var result = smaller
    result.description = description
    result.description.layout = smaller.layout
    return result
  }

  /// The same image decoded at the least size that suffices for a resampling.
  ///
  /// - Parameter resampling: Part and size of the result.
  /// - Returns: The smaller image and the remaining resampling; this image if its decoder yields nothing
  ///   smaller, or the edges of the part are between pixels of it.
  package func reduced(for resampling: Resampling) -> (image: Image, resampling: Resampling) {
    guard case .rows(_, _?, let leastRest) = samples else { return (self, resampling) }
    for factor in [8, 4, 2] {
      if let rest = resampling.reduced(
        by: factor, width: layout.width, height: layout.height, leaving: leastRest),
        let image = reduced(by: factor)
      {
        return (image, rest)
      }
    }
    return (self, resampling)
  }

  /// The image at the least size whose light levels are those of a part of it, for measurements.
  ///
  /// That is half the size if the decoder averages linear values, and the brightest ten-thousandth of the
  /// pixels is then still an area of a hundred.
  ///
  /// - Parameter part: The part.
  /// - Returns: The smaller image, and the part of it.
  package func reduced(forLightOf part: PixelRectangle) -> (image: Image, part: PixelRectangle) {
    guard case .rows(_, _?, leastRest: 1) = samples, part.width * part.height >= 1 << 22,
      let image = reduced(by: 2)
    else { return (self, part) }
    let (x, y) = (part.x / 2, part.y / 2)
    return (
      image,
      PixelRectangle(
        x: x, y: y, width: (part.x + part.width + 1) / 2 - x,
        height: (part.y + part.height + 1) / 2 - y)
    )
  }

  /// The same image in memory; an image in memory shares its samples.
  ///
  /// - Throws: As `planes()`.
  public func loaded() throws(ImageError) -> Image { Image(description, try planes()) }

  /// The same image with its rows and columns upright; rows on demand are read.
  ///
  /// - Throws: `.invalidArgument` for subsampled chroma, whose location would rotate, unless the
  ///   image is upright; as `planes()`.
  public func upright() throws(ImageError) -> Image {
    guard orientation != .upright else { return self }
    guard layout.chroma == .yuv444 || layout.chroma == .yuv400 else {
      throw ImageError(.invalidArgument, "images with subsampled chroma cannot be rotated")
    }
    var upright = description
    upright.layout = layout.upright(from: orientation)
    upright.orientation = .upright
    return Image(upright, try planes().upright(from: orientation))
  }
}

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

/// A decoder of the rows of a file: requests are checked, and errors have the name of the file.
package final class FileReader: SequentialRowReader, PartReader {
  package let layout: ImageLayout
  package let decoder: any RowReader
  private let file: String?

  init(_ reader: any RowReader, _ file: String?) {
    layout = reader.layout
    decoder = reader
    self.file = file
  }

  package var isSequential: Bool { decoder.canReadAhead }

  package func limit(to part: PixelRectangle?) { decoder.limitIfPossible(to: part) }

  package func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    do throws(ImageError) {
      try layout.require(rows)
      return try decoder.read(rows: rows)
    } catch {
      throw file.map { error.inFile($0) } ?? error
    }
  }
}
