// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import CShims
internal import GainMap
internal import HDRCore
internal import ImageFiles
internal import Platform

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

/// The mapping of coded JPEG components to planes.
struct JPEGLayout {
  /// Layout of the decoded image.
  let format: ImageLayout
  /// Factor by which width and height of the decoded image are less than the coded ones.
  let reduction: Int
  /// Whether planes are decoded as coded; if not, libjpeg converts to RGB.
  let takesPlanes: Bool
  /// Number of pixel rows that are decoded together.
  let blockHeight: Int
  /// For each component, width in whole blocks and height of one row of blocks, in samples.
  let blocks: [(width: Int, height: Int)]
  /// Size of libjpeg's coefficients of the whole image, in bytes.
  let coefficientMemory: Int
  /// Number of blocks of 64 samples within the image, at least.
  let blockCount: Int

  /// Maps the components of an image.
  ///
  /// - Parameters:
  ///   - layout: The frame header, as interpreted by libjpeg.
  ///   - reduction: The factor by which it reduces the image.
  /// - Throws: `.unsupported` for other components than gray, Y'CbCr and RGB.
  init(_ layout: jpeg_layout, reducedBy reduction: Int) throws(ImageError) {
    self.reduction = reduction
    let (width, height) = (Int(layout.width), Int(layout.height))
    let horizontal = layout.horizontal_sampling
    let vertical = layout.vertical_sampling
    let across = [horizontal.0, horizontal.1, horizontal.2].map(Int.init)
    let down = [vertical.0, vertical.1, vertical.2].map(Int.init)
    let components: ImageLayout.Components
    switch (layout.color_space, layout.components) {
    case (1, 1): components = .gray
    case (2, 3): components = .rgb
    case (3, 3): components = Self.chroma(across, down).map { .ycbcr($0) } ?? .rgb
    case (4, _), (5, _): throw .cmyk
    default:
      throw ImageError(
        .unsupported, "{count component} without a known color space", ["count": layout.components])
    }
    takesPlanes = components != .rgb
    format = ImageLayout(
      width: width, height: height, components: components, samples: .integer(bits: 8))
    let count = Int(layout.components)
    let (most, highest) = (across.prefix(count).max() ?? 1, down.prefix(count).max() ?? 1)
    let (lengths, counts) = (layout.row_length, layout.row_count)
    blocks = Array(
      zip(
        [lengths.0, lengths.1, lengths.2].map(Int.init),
        [counts.0, counts.1, counts.2].map(Int.init)
      ).prefix(count))
    blockHeight = blocks.map(\.height).max() ?? 8
    blockCount = (0..<count).reduce(0) {
      $0 + width * across[$1] / most * (height * down[$1] / highest) / 64
    }
    coefficientMemory = Int(clamping: layout.coefficient_memory)
  }

  /// The chroma subsampling, if it is a common one.
  private static func chroma(_ across: [Int], _ down: [Int]) -> ChromaSubsampling? {
    guard across[1] == across[2], down[1] == down[2] else { return nil }
    switch (across[0], across[1], down[0], down[1]) {
    case (1, 1, 1, 1), (2, 2, 1, 1), (1, 1, 2, 2), (2, 2, 2, 2): return .yuv444
    case (2, 1, 1, 1), (2, 1, 2, 2): return .yuv422
    case (2, 1, 2, 1): return .yuv420
    default: return nil
    }
  }
}

/// Quantization tables of a JPEG image.
///
/// The tables of T.81, annex K, were designed for displays of 1990 at a large viewing distance:
/// fine for low frequencies of luma, very coarse for high ones and for chroma. This encoder
/// minimizes color differences of single pixels after a gain map has brightened them. For that,
/// steps with half the spread in octaves, and finer ones for chroma than for luma, give files of
/// the same size a mean Delta E ITP that is 10 to 25 percent lower on photographs.
struct JPEGQuantization: Hashable {
  /// 64 quantizer steps, row by row starting at the lowest frequencies.
  let luma: [UInt16]
  let chroma: [UInt16]

  /// The tables for a quality that yields about the same size as that quality of libjpeg.
  ///
  /// - Parameter quality: 1...100; 100 has steps of 1.
  init(quality: Int) {
    let quality = Double(min(max(quality, 1), 100))
    let scale = quality < 50 ? 50 / quality : 2 - quality / 50
    func table(_ share: Double) -> [UInt16] {
      Self.annexK.map { step in
        let even = Self.lowestStep * (step / Self.annexK[0]).squareRoot()
        return UInt16(clamping: min(max((even * share * scale).rounded(), 1), 255))
      }
    }
    luma = table(1)
    chroma = table(Self.chromaShare)
  }

  /// Step of the DC coefficient at quality 50.
  private static let lowestStep = 24.0
  /// Ratio of chroma steps to luma steps.
  private static let chromaShare = 0.8

  /// Source: ITU-T T.81, table K.1.
  private static let annexK: [Double] = [
    16, 11, 10, 16, 24, 40, 51, 61,
    12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77,
    24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
  ]
}
#endif
