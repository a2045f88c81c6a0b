// SPDX-License-Identifier: Apache-2.0
#if AVIF
internal import CLibAVIF
internal import HDRCore
internal import ImageFiles

/// Encodes images as AV1 key frames, using libaom through libavif.
@safe struct AV1Encoder: ~Copyable {
  private let handle: UnsafeMutablePointer<avifEncoder>
  private let isLossless: Bool

  /// - Throws: `.missingCodec` without libavif, or if it was built without libaom.
  init(options: EncoderOptions) throws(ImageError) {
    // SAFETY: the codec name is only tested, not read; this encoder owns `handle` until `deinit`.
    let canEncode = unsafe avifCodecName(AVIF_CODEC_CHOICE_AOM, AVIF_CODEC_FLAG_CAN_ENCODE.rawValue)
    guard unsafe canEncode != nil else {
      throw ImageError(.missingCodec, "this libavif was built without libaom")
    }
    guard let handle = unsafe avifEncoderCreate() else {
      throw ImageError(.outOfMemory, ["library": "libavif"])
    }
    unsafe self.handle = handle
    let quantizer = options.isLossless ? 0 : Self.quantizer(quality: options.quality)
    isLossless = quantizer == 0
    unsafe handle.pointee.codecChoice = AVIF_CODEC_CHOICE_AOM
    // libaom makes different decisions with a single thread; with two or more, the bytes do not
    // depend on the number.
    unsafe handle.pointee.maxThreads = Int32(min(max(Execution.current.threads, 2), 64))
    unsafe handle.pointee.speed = Int32(min(max(options.speed, 0), 10))
    unsafe handle.pointee.minQuantizer = quantizer
    unsafe handle.pointee.maxQuantizer = quantizer
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe avifEncoderDestroy(handle)
  }

  /// libaom's quantizer: 0 is lossless, 63 the coarsest.
  ///
  /// The scale is that of `avifenc --qcolor`. Quality 98 and 99 have the finest lossy quantizer.
  static func quantizer(quality: Int) -> Int32 {
    let best = EncoderOptions.bestQuality
    return Int32(((best - min(max(quality, 0), best)) * 63 + 50) / 100)
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

  /// Encodes an image.
  ///
  /// - Throws: `.invalidArgument` for samples that AV1 does not support, `.codecFailure` if libaom
  ///   fails.
  consuming func encode(
    _ image: ImagePlanes, cicp: CICP, chromaLocation: ChromaLocation
  ) throws(ImageError) -> CodedItem {
    guard case .integer(let bits) = image.layout.samples, [8, 10, 12].contains(bits) else {
      throw ImageError(.invalidArgument, "AV1 encodes integer samples of 8, 10 or 12 bits")
    }
    let input = try AV1EncoderInput(
      format: image.layout, bits: bits, cicp: cicp, chromaLocation: chromaLocation)
    let tiles = Self.tiles(width: image.layout.width, height: image.layout.height)
    // SAFETY: this encoder owns `handle` until `deinit`.
    unsafe handle.pointee.tileColsLog2 = Int32(tiles.columns)
    unsafe handle.pointee.tileRowsLog2 = Int32(tiles.rows)
    let planes = try image.planesInCodingOrder()
    if !isLossless, let plane = planes.first, plane.width * plane.height >= Self.largePixelCount,
      !plane.hasGraphics(bits: bits)
    {
      omitSlowTools()
    }
    let file =
      if bits > 8 {
        try input.withPlanes(planes) { (input) throws(ImageError) in try write(input) }
      } else {
        try input.withPlanes(planes.map { $0.narrowed() }) { (input) throws(ImageError) in
          try write(input)
        }
      }
    var coded = try CodedItem(takenFrom: file, type: "av01")
    // Samples and items should not contain a temporal delimiter; libavif keeps the empty one of
    // libaom.
    // Source: AV1 Codec ISO Media File Format Binding, 2.4.
    if coded.bytes.starts(with: [0x12, 0]) { coded.bytes.removeFirst(2) }
    return coded
  }

  /// The size from which images are encoded without slow tools.
  private static let largePixelCount = 1 << 21

  /// Leaves out tools that take 30 to 60 % of the time for photographs, and make them hardly smaller.
  ///
  /// Source: Decision 55.
  private func omitSlowTools() {
    // For graphics.
    omit("enable-palette")
    omit("enable-intrabc")
    // Faster speeds leave these out as well; slower ones are for the smallest files.
    if unsafe handle.pointee.speed == 6 { omit("enable-rect-partitions") }
  }

  private func omit(_ tool: String) {
    // SAFETY: this encoder owns `handle` until `deinit`; libavif copies both texts.
    _ = unsafe avifEncoderSetCodecSpecificOption(handle, tool, "0")
  }

  private func write(_ image: borrowing AV1EncoderInput) throws(ImageError) -> [UInt8] {
    // SAFETY: `image` outlives the call; libavif owns the `size` bytes of `output` until they are
    // freed after the copy.
    var output = unsafe avifRWData()
    defer { unsafe avifRWDataFree(&output) }
    let result = unsafe avifEncoderWrite(handle, image.handle, &output)
    guard result == AVIF_RESULT_OK else {
      throw ImageError(
        .libraryFailed,
        ["library": "libavif", "detail": unsafe String(cString: avifResultToString(result))])
    }
    return unsafe Array(UnsafeBufferPointer(start: output.data, count: output.size))
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
#endif
