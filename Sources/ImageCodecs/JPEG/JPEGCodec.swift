// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import CShims
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// JPEG images of 8 bits: segments by `JPEGFile`, samples by libjpeg.
enum JPEGCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.jpeg

  /// The library that encodes and decodes samples, with its version.
  static var libraries: [String] {
    // SAFETY: the string is a constant of the library.
    [unsafe String(cString: jpeg_library())]
  }
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .jpeg(let primary) = image.samples else { throw file.format.missingCodec }
    let layout = try layout(of: primary, limits: file.options.limits)
    let warnings = file.decodingNotices
    return Image(
      coded: layout.format,
      reduced: { factor in
        // A failure is reported by the decoding of the whole image.
        guard let samples = try? JPEGSampleReader(primary.serialized(), reducedBy: factor),
          let layout = try? JPEGLayout(samples.layout, reducedBy: factor)
        else { return nil }
        return Image(coded: layout.format) { () throws(ImageError) in
          try JPEGReader(primary, as: layout, notices: warnings)
        }
      }
    ) { () throws(ImageError) in
      try JPEGReader(primary, as: layout, notices: warnings)
    }
  }

  /// The coding of an image of a file, if it is supported.
  private static func layout(
    of image: JPEGImage, limits: ImageLimits
  ) throws(ImageError) -> JPEGLayout {
    let place = ImageError.Location(
      path: ["frame"],
      offset: image.segments.first { $0.marker == image.frame.marker }?.stored?.lowerBound)
    guard image.frame.height > 0 else {
      throw ImageError(
        .unsupported, "the height is only in a DNL marker after the samples", at: place)
    }
    guard image.frame.precision == 8, processes.contains(image.frame.marker.rawValue) else {
      throw ImageError(
        .unsupported, "{bits bit} in coding process {process} are not supported",
        ["bits": image.frame.precision, "process": image.frame.marker.rawValue - 0xC0], at: place)
    }
    try limits.check(
      width: image.frame.width, height: image.frame.height, in: "frame", at: place.offset)
    let samples = try JPEGSampleReader(image.serialized(), reducedBy: 1)
    let layout: JPEGLayout
    do throws(ImageError) {
      layout = try JPEGLayout(samples.layout, reducedBy: 1)
    } catch {
      throw error.located(in: "frame", at: place.offset)
    }
    guard layout.format.width == image.frame.width, layout.format.height == image.frame.height
    else { throw ImageError(.malformed, "two frames of different size", at: place) }
    try checkData(of: image, layout, at: place)
    guard layout.coefficientMemory <= limits.memory else {
      throw ImageError(.jpegCoefficientLimitExceeded, ["size": layout.coefficientMemory], at: place)
    }
    return layout
  }

  /// Fails if the scans are too short for the image, or too many for its size.
  ///
  /// Huffman coding takes at least one bit for each DC coefficient, and in sequential images another
  /// for the end of each block.
  ///
  /// Source: ITU-T T.81, F.1.2 and G.1.2.
  private static func checkData(
    of image: JPEGImage, _ layout: JPEGLayout, at place: ImageError.Location
  ) throws(ImageError) {
    let (width, height) = (layout.format.width, layout.format.height)
    let process = image.frame.marker.rawValue
    if process < 0xC9 {
      try ImageError.requireCodedData(
        image.codedByteCount, atLeast: layout.blockCount * (process == 0xC2 ? 1 : 2) / 8,
        width: width, height: height, at: place)
    }
    // Cameras and encoders write about ten scans; each passes through all blocks.
    let scans = image.scanCount
    let most = max(64, (1 << 27) / max(layout.blockCount, 1))
    guard scans <= most else {
      throw ImageError(.tooManyElements, ["limit": most, "elements": "scans"], at: place)
    }
    try Execution.current.budget.debit(
      steps: (scans * layout.blockCount) >> 7, for: "scans", at: place)
  }

  static func decodeGainMap(
    _ place: FoundGainMap.Location, in file: ImageFile
  ) throws(ImageError) -> Image {
    guard case .jpeg(let jpeg) = file.container else { throw file.format.missingCodec }
    let images = jpeg.images
    let number: Int? =
      switch place {
      case .image(let index): index
      case .file: 0
      default: nil
      }
    guard let index = number, images.indices.contains(index) else {
      throw ImageError(.gainMapNotInFile, ["place": "\(place)"])
    }
    do throws(ImageError) {
      let layout = try layout(of: images[index], limits: file.options.limits)
      let reader = try JPEGReader(images[index], as: layout, notices: file.decodingNotices)
      let image = try reader.read(rows: 0..<layout.format.height)
      let isYCbCr = if case .ycbcr = layout.format.components { true } else { false }
      return Image(data: image, matrix: isYCbCr ? .bt601 : .identity, chromaLocation: .center)
    } catch {
      throw error.inside(JPEGFile.nameOfImage(index))
    }
  }

  /// Baseline, extended and progressive, by Huffman or arithmetic coding.
  ///
  /// Source: ITU-T T.81, table B.1.
  private static let processes: Set<UInt8> = [0xC0, 0xC1, 0xC2, 0xC9, 0xCA]
}

/// Yields the rows of a JPEG image, Y'CbCr as coded.
///
/// Decodes from top to bottom and caches the last two rows of blocks, since consecutive strips of
/// subsampled chroma overlap; a request for an earlier row restarts decoding.
final class JPEGReader: SequentialRowReader {
  private let image: JPEGImage
  private let coded: JPEGLayout
  private var samples: JPEGSampleReader
  /// Receives warnings of libjpeg.
  private let notices: DecodingNotices
  /// Decoded planes of a row of blocks, or one row of RGB.
  private var block: [UInt8]
  private let offsets: [Int]
  /// The memory of libjpeg's coefficients.
  private let memory: Execution.Reservation
  /// The rows that are in `block`.
  private var blockRows = 0..<0
  /// The row of blocks before `block`.
  private var previousBlock: [UInt8]
  private var previousRows = 0..<0
  /// Number of times that decoding started.
  private(set) var startCount = 1

  var layout: ImageLayout { coded.format }

  init(_ image: JPEGImage, as coded: JPEGLayout, notices: DecodingNotices) throws(ImageError) {
    self.image = image
    self.notices = notices
    self.coded = coded
    let sizes = coded.blocks.map { $0.width * $0.height }
    offsets = sizes.indices.map { sizes[..<$0].reduce(0, +) }
    block = [UInt8](
      repeating: 0, count: coded.takesPlanes ? sizes.reduce(0, +) : 3 * coded.format.width)
    previousBlock = block
    memory = try Execution.current.budget.reserve(
      memory: coded.coefficientMemory, for: "coefficients")
    samples = try JPEGSampleReader(image.serialized(), reducedBy: coded.reduction)
    try samples.start(asPlanes: coded.takesPlanes)
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    if rows.lowerBound < (previousRows.isEmpty ? blockRows : previousRows).lowerBound {
      samples = try JPEGSampleReader(image.serialized(), reducedBy: coded.reduction)
      try samples.start(asPlanes: coded.takesPlanes)
      (blockRows, previousRows) = (0..<0, 0..<0)
      startCount += 1
    }
    let strip = layout.strip(height: rows.count)
    var planes = strip.zeroPlanes(of: UInt16.self)
    var row = rows.lowerBound
    while row < rows.upperBound {
      let isPrevious = previousRows.contains(row)
      while !isPrevious, !blockRows.contains(row) { try decodeNext(for: row) }
      let (source, sourceRows) = isPrevious ? (previousBlock, previousRows) : (block, blockRows)
      let end = min(sourceRows.upperBound, rows.upperBound)
      if coded.takesPlanes {
        copyPlanes(
          row..<end, of: source, sourceRows.lowerBound, into: &planes, from: rows.lowerBound)
      } else {
        copyRGB(of: source, into: &planes, at: row - rows.lowerBound)
      }
      row = end
    }
    return ImagePlanes(layout: strip, planes: .integer(planes))
  }

  /// Decodes the next row or row of blocks; samples of rows of blocks before the one of `row` are not
  /// computed.
  private func decodeNext(for row: Int) throws(ImageError) {
    let first = blockRows.upperBound
    swap(&block, &previousBlock)
    previousRows = blockRows
    blockRows = first..<first
    if coded.takesPlanes, first + coded.blockHeight <= row {
      try samples.skipBlocks()
      previousRows = first..<first
      blockRows = first + coded.blockHeight..<first + coded.blockHeight
    } else if coded.takesPlanes {
      try samples.readBlocks(into: &block, strides: coded.blocks.map(\.width), offsets: offsets)
      blockRows = first..<min(first + coded.blockHeight, layout.height)
    } else {
      try samples.readRGB(into: &block)
      blockRows = first..<first + 1
    }
    if let warning = samples.warning {
      notices.add(
        Notice(
          .libraryWarned, ["library": "libjpeg", "detail": warning], at: .init(path: ["scan"])))
    }
  }

  /// Copies rows of a row of blocks, which begins with `first`, into planes whose first row is
  /// `origin`.
  private func copyPlanes(
    _ rows: Range<Int>, of block: [UInt8], _ first: Int, into planes: inout [Plane<UInt16>],
    from origin: Int
  ) {
    for index in planes.indices {
      let step = index == 0 ? 1 : layout.chroma.vertical
      for y in rows.lowerBound / step..<(rows.upperBound + step - 1) / step {
        var target = planes[index].mutableRow(y - origin / step)
        let start = offsets[index] + (y - first / step) * coded.blocks[index].width
        block.read(from: start, every: 1, mask: 0xFF, into: &target)
      }
    }
  }

  private func copyRGB(of block: [UInt8], into planes: inout [Plane<UInt16>], at y: Int) {
    for component in 0..<3 {
      var target = planes[component].mutableRow(y)
      block.read(from: component, every: 3, mask: 0xFF, into: &target)
    }
  }
}
#endif
