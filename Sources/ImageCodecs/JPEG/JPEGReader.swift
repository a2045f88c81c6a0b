// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import HDRCore
internal import ImageFiles

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

  init(
    _ image: JPEGImage, as coded: JPEGLayout, notices: DecodingNotices
  ) throws(ImageError) {
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
      try samples.readBlocks(
        into: &block, strides: coded.blocks.map(\.width), offsets: offsets)
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
        let start =
          offsets[index] + (y - first / step) * coded.blocks[index].width
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
