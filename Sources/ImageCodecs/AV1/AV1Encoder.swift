// SPDX-License-Identifier: Apache-2.0
#if AVIF
internal import CShims
internal import HDRCore
internal import ImageFiles

/// Encodes images as AV1 key frames, using libaom.
struct AV1Encoder {
  private let speed: Int
  private let quantizer: Int

  init(options: EncoderOptions) {
    speed = min(max(options.speed, 0), 9)
    quantizer = options.isLossless ? 0 : Self.quantizer(quality: options.quality)
  }

  /// libaom's quantizer: 0 is lossless, 63 the coarsest.
  ///
  /// The scale is that of `avifenc --qcolor`. Quality 98 and 99 have the finest lossy quantizer.
  static func quantizer(quality: Int) -> Int {
    let best = EncoderOptions.bestQuality
    return ((best - min(max(quality, 0), best)) * 63 + 50) / 100
  }

  /// A number of tiles that lets a large image be encoded on several cores, each tile at least a
  /// megapixel.
  ///
  /// The tiles depend on the size alone, so that the bytes do not depend on the number of threads.
  ///
  /// - Returns: Base-2 logarithms of the numbers of columns and rows.
  static func tiles(width: Int, height: Int) -> (columns: Int, rows: Int) {
    var (columns, rows) = (0, 0)
    while columns + rows < 4, (width >> columns) * (height >> rows) >= 1 << 21 {
      if width >> columns > height >> rows { columns += 1 } else { rows += 1 }
    }
    return (columns, rows)
  }

  /// Encodes an image without alpha.
  ///
  /// AV1 does not have a code for centered chroma, so that location is signaled as unknown.
  ///
  /// - Throws: `.invalidArgument` for samples that AV1 does not support, `.codecFailure` if libaom
  ///   fails.
  func encode(
    _ image: ImagePlanes, cicp: CICP, chromaLocation: ChromaLocation
  ) throws(ImageError) -> CodedItem {
    let layout = image.layout
    guard case .integer(let bits) = layout.samples, [8, 10, 12].contains(bits) else {
      throw ImageError(.invalidArgument, "AV1 encodes integer samples of 8, 10 or 12 bits")
    }
    let planes = try image.planesInCodingOrder()
    var input = av1_image()
    (input.width, input.height) = (UInt32(layout.width), UInt32(layout.height))
    input.bits = UInt32(bits)
    input.is_monochrome = layout.chroma == .yuv400 ? 1 : 0
    input.chroma_shift_x = layout.chroma.horizontal == 2 ? 1 : 0
    input.chroma_shift_y = layout.chroma.vertical == 2 ? 1 : 0
    input.primaries = Int32(cicp.primaries.rawValue)
    input.transfer = Int32(cicp.transfer.rawValue)
    input.matrix = Int32(cicp.matrix.rawValue)
    input.is_full_range = cicp.isFullRange ? 1 : 0
    input.chroma_sample_position =
      switch (layout.chroma, chromaLocation) {
      case (.yuv420, .left): 1
      case (.yuv420, .topLeft): 2
      default: 0
      }
    let options = options(for: planes[0], bits: bits)
    var units =
      try bits > 8
      ? units(of: &input, planes[...], options)
      : units(of: &input, planes.map { $0.narrowed() }[...], options)
    // Samples and items should not contain a temporal delimiter.
    // Source: AV1 Codec ISO Media File Format Binding, 2.4.
    if units.starts(with: [0x12, 0]) { units.removeFirst(2) }
    return CodedItem(
      configuration: .av1Configuration(.init(try AV1SequenceHeader(ofItem: units))), bytes: units,
      width: layout.width, height: layout.height)
  }

  /// The size from which images are encoded without slow tools.
  private static let largePixelCount = 1 << 21

  /// Options for an image, by its first plane.
  ///
  /// Without graphics, large images leave out tools that take 30 to 60 % of the time for
  /// photographs, and make them hardly smaller.
  ///
  /// Source: Decision 55.
  private func options(for plane: Plane<UInt16>, bits: Int) -> av1_options {
    let isLargePhoto =
      quantizer > 0 && plane.width * plane.height >= Self.largePixelCount
      && !plane.hasGraphics(bits: bits)
    let tiles = Self.tiles(width: plane.width, height: plane.height)
    return av1_options(
      quantizer: UInt32(quantizer), speed: Int32(speed),
      // libaom makes different decisions with a single thread; with two or more, the bytes do not
      // depend on the number.
      threads: UInt32(min(max(Execution.current.threads, 2), 64)),
      tile_columns: UInt32(tiles.columns), tile_rows: UInt32(tiles.rows),
      uses_graphics_tools: isLargePhoto ? 0 : 1,
      // Faster speeds leave these out as well; slower ones are for the smallest files.
      uses_rectangular_partitions: isLargePhoto && speed == 6 ? 0 : 1)
  }

  /// Adds planes to `image` and encodes it to OBUs.
  private func units<Sample>(
    of image: inout av1_image, _ planes: ArraySlice<Plane<Sample>>, _ options: av1_options
  ) throws(ImageError) -> [UInt8] {
    guard let plane = planes.first else { return try units(of: image, options) }
    // SAFETY: libaom only reads the planes, and only before this closure returns.
    return try unsafe plane.span.withUnsafeBytes { (samples) throws(ImageError) -> [UInt8] in
      let stride = plane.width * MemoryLayout<Sample>.stride
      switch planes.startIndex {
      case 0: unsafe (image.planes.0, image.row_strides.0) = (samples.baseAddress, stride)
      case 1: unsafe (image.planes.1, image.row_strides.1) = (samples.baseAddress, stride)
      default: unsafe (image.planes.2, image.row_strides.2) = (samples.baseAddress, stride)
      }
      return try units(of: &image, planes.dropFirst(), options)
    }
  }

  private func units(
    of image: av1_image, _ options: av1_options
  ) throws(ImageError) -> [UInt8] {
    var units: [UInt8] = []
    var message = [CChar](repeating: 0, count: 256)
    // SAFETY: the context is the array above; libaom's bytes are copied in the callback.
    let status = unsafe withUnsafePointer(to: image) { image in
      unsafe withUnsafePointer(to: options) { options in
        unsafe withUnsafeMutablePointer(to: &units) { units in
          unsafe av1_encode(
            image, options,
            { context, bytes, size in
              unsafe context?.assumingMemoryBound(to: [UInt8].self).pointee
                .append(contentsOf: UnsafeBufferPointer(start: bytes, count: size))
            }, units, &message, message.count)
        }
      }
    }
    guard status == 0 else {
      throw ImageError(
        .libraryFailed,
        [
          "library": "libaom",
          "detail": String(
            decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
        ])
    }
    return units
  }
}

extension Plane<UInt16> {
  /// The low 8 bits of each sample.
  fileprivate func narrowed() -> Plane<UInt8> {
    let source = span
    return Plane<UInt8>(width: width, height: height) { samples in
      for index in source.indices { samples.append(UInt8(truncatingIfNeeded: source[index])) }
    }
  }
}

extension Plane<UInt16> {
  /// Whether the image has graphics, such as text and lines: blocks of few values that differ much.
  ///
  /// One of four blocks is examined. libaom only counts values, and takes smooth areas of photographs for graphics. 5 % of the blocks
  /// of text and 10 % of those of plots are found, and at most one in ten thousand of photographs.
  ///
  /// - Parameter bits: Bits per sample.
  /// - Returns: Whether they are more than 1 % of the blocks.
  func hasGraphics(bits: Int) -> Bool {
    let contrast = UInt16(1) << UInt16(bits - 4)
    var (count, graphicCount) = (0, 0)
    for y in stride(from: 0, through: height - Self.blockSize, by: 2 * Self.blockSize) {
      for x in stride(from: 0, through: width - Self.blockSize, by: 2 * Self.blockSize) {
        count += 1
        if blockHasGraphics(x, y, contrast: contrast) { graphicCount += 1 }
      }
    }
    return 100 * graphicCount > count
  }

  private static var blockSize: Int { 16 }

  /// Whether a block has two to four values, of which two differ by `contrast`.
  private func blockHasGraphics(_ x: Int, _ y: Int, contrast: UInt16) -> Bool {
    var values = SIMD4<UInt16>(repeating: row(y)[x])
    var valueCount = 1
    for y in y..<y + Self.blockSize {
      let samples = row(y)
      for x in x..<x + Self.blockSize where !any(values .== samples[x]) {
        guard valueCount < values.scalarCount else { return false }
        values[valueCount] = samples[x]
        valueCount += 1
      }
    }
    return values.max() - values.min() >= contrast
  }
}
#endif
