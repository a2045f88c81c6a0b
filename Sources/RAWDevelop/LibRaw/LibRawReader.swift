#if RAW
internal import CShims
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// A camera raw file opened with LibRaw.
@safe struct LibRawReader: ~Copyable {
  private let handle: OpaquePointer
  private let limits: ImageLimits
  /// The memory of LibRaw: the file, its samples, and those of a demosaiced image.
  private var memory: Execution.Reservation?

  private static let blockSize = 1 << 20

  private init(handle: OpaquePointer, limits: ImageLimits) {
    // SAFETY: the reader owns the handle until `deinit`.
    unsafe self.handle = handle
    self.limits = limits
  }

  deinit {
    // SAFETY: the reader owns the handle.
    unsafe raw_reader_free(handle)
  }

  /// Name and version of the library.
  static var library: String {
    // SAFETY: a static string.
    unsafe String(cString: raw_library())
  }

  /// Reads the headers of a file.
  ///
  /// - Throws: `.unsupported` for an unknown file, `.malformed` for a damaged one, `.limitExceeded`
  ///   for an image beyond the limits.
  static func open(
    _ source: ByteSource, limits: ImageLimits
  ) throws(ImageError) -> LibRawReader {
    let megabytes = UInt32(clamping: max(limits.memory >> 20, 1))
    guard source.count <= limits.memory,
      let handle = unsafe raw_reader_create(source.count, megabytes)
    else {
      throw ImageError(
        .sizeLimitExceeded, ["element": "raw file", "size": source.count, "limit": limits.memory])
    }
    var reader = unsafe LibRawReader(handle: handle, limits: limits)
    let budget = Execution.current.budget
    reader.memory = try budget.reserve(memory: source.count, for: "raw file")
    for start in stride(from: 0, to: source.count, by: Self.blockSize) {
      let block = try source.bytes(in: start..<min(start + Self.blockSize, source.count))
      // SAFETY: the block has `count` bytes, which LibRaw copies.
      unsafe block.withUnsafeBufferPointer { block in
        guard let bytes = block.baseAddress else { return }
        unsafe raw_reader_append(reader.handle, bytes, block.count)
      }
    }
    try reader.check(unsafe raw_reader_open(reader.handle))
    let description = reader.description
    let (width, height) = (Int(description.width), Int(description.height))
    try limits.check(width: width, height: height)
    // LibRaw allocates up to four samples of 16 bits per pixel.
    guard width * height <= limits.memory / 8 else {
      throw ImageError(.rawSamplesLimitExceeded, ["limit": limits.memory])
    }
    reader.memory = nil
    reader.memory = try budget.reserve(
      memory: source.count + 10 * width * height, for: "raw samples")
    return reader
  }

  /// Description of the file; samples and levels are complete once samples are decoded.
  var description: raw_description {
    var description = raw_description()
    // SAFETY: the description outlives the call.
    unsafe raw_reader_describe(handle, &description)
    return description
  }

  /// Decodes the samples.
  ///
  /// - Throws: `.truncated` if the file has no samples, `.malformed` if they are damaged.
  func unpack() throws(ImageError) { try check(unsafe raw_reader_unpack(handle)) }

  /// Black level of an exposed photosite.
  func black(row: Int, column: Int, plane: Int) -> Int {
    // SAFETY: the pattern of LibRaw repeats for any row and column.
    Int(
      unsafe raw_reader_black(
        handle, UInt32(clamping: row), UInt32(clamping: column), UInt32(clamping: plane)))
  }

  /// All samples, interleaved.
  func samples() throws(ImageError) -> RawSamples {
    let description = description
    let planes = Int(description.planes)
    let (width, height) = (Int(description.width), Int(description.height))
    guard planes == 1 || planes == 3 else {
      throw ImageError(.rawLibRawSampleType)
    }
    return try unsafe copy(width: width, height: height, planes: planes) { samples, count in
      // SAFETY: the buffer has `count` samples; the shim checks that LibRaw has as many.
      unsafe raw_reader_samples(handle, samples, count)
    }
  }

  /// Red, green and blue of any mosaic, demosaiced by LibRaw.
  ///
  /// - Parameter gains: White-balance gains.
  /// - Returns: The colors times `gains`, divided by the largest of them; white is 65535.
  /// - Throws: `.malformed` for an image that LibRaw does not demosaic, `.unsupported` for one that
  ///   is too small.
  func demosaiced(gains: SIMD3<Float>) throws(ImageError) -> RawSamples {
    // LibRaw clears the description when it fails.
    let before = description
    var (width, height) = (UInt32(0), UInt32(0))
    let factors = [gains.x, gains.y, gains.z]
    // SAFETY: LibRaw reads three gains.
    let status = unsafe factors.withUnsafeBufferPointer { factors in
      guard let factors = factors.baseAddress else { return RAW_FAILED }
      return unsafe raw_reader_demosaic(handle, factors, &width, &height)
    }
    do throws(ImageError) {
      try check(status)
    } catch {
      throw Self.isTooSmall(before) ? Self.tooSmall(before) : error
    }
    let colors = try unsafe copy(width: Int(width), height: Int(height), planes: 3) {
      samples, count in
      // SAFETY: as above.
      unsafe raw_reader_colors(handle, samples, count)
    }
    return Self.fillingCorners(colors)
  }

  /// Side of the tiles in which LibRaw demosaics X-Trans, and the least size of an image.
  private static let xTransTileSide = 512

  private static func isTooSmall(_ description: raw_description) -> Bool {
    description.pattern_rows == 6
      && min(description.visible_width, description.visible_height) < xTransTileSide
  }

  private static func tooSmall(_ description: raw_description) -> ImageError {
    let side = xTransTileSide
    return ImageError(
      .rawXTransTooSmall,
      [
        "library": library, "limit": .size(side, side),
        "size": .size(Int(description.visible_width), Int(description.visible_height)),
      ])
  }

  /// Fills the corners of an X-Trans image, around which all photosites may be green, with red and
  /// blue of the adjacent pixels.
  private static func fillingCorners(_ colors: RawSamples) -> RawSamples {
    guard case .integer(var plane) = colors.rows, colors.width > 1, colors.height > 1 else {
      return colors
    }
    for (y, nextY) in [(0, 1), (plane.height - 1, plane.height - 2)] {
      for (x, nextX) in [(0, 1), (colors.width - 1, colors.width - 2)] {
        let neighbor = (0..<3).map { plane.row(nextY)[3 * nextX + $0] }
        var row = plane.mutableRow(y)
        guard row[3 * x] == 0, row[3 * x + 2] == 0 else { continue }
        (row[3 * x], row[3 * x + 2]) = (neighbor[0], neighbor[2])
      }
    }
    return RawSamples(planes: 3, rows: .integer(plane))
  }

  private func copy(
    width: Int, height: Int, planes: Int,
    _ body: (UnsafeMutablePointer<UInt16>, Int) -> raw_status
  ) throws(ImageError) -> RawSamples {
    try limits.check(width: width, height: height)
    var plane = Plane<UInt16>(width: width * planes, height: height, filledWith: 0)
    var samples = plane.mutableSpan()
    let status = unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return RAW_FAILED }
      return unsafe body(start, samples.count)
    }
    try check(status)
    return RawSamples(planes: planes, rows: .integer(plane))
  }

  /// The largest preview, if it is a JPEG.
  func preview() throws(ImageError) -> [UInt8] {
    var start: UnsafePointer<UInt8>?
    var size = 0
    try check(unsafe raw_reader_preview(handle, &start, &size))
    guard let start = unsafe start, size > 0 else {
      throw ImageError(.missingElement, ["element": "data of the preview"])
    }
    // SAFETY: the preview has `size` bytes and lives as long as the reader.
    return unsafe Array(UnsafeBufferPointer(start: start, count: size))
  }

  private func check(_ status: raw_status) throws(ImageError) {
    guard status != RAW_OK else { return }
    // SAFETY: the message lives as long as the reader.
    let message = unsafe String(cString: raw_reader_message(handle))
    let detail: DiagnosticParameters = [
      "library": Self.library, "detail": message.isEmpty ? "not enough memory" : message,
    ]
    switch status {
    case RAW_UNSUPPORTED: throw ImageError(.rawLibRawUnsupported, detail)
    case RAW_DAMAGED: throw ImageError(.rawLibRawDamaged, detail)
    case RAW_SAMPLES_MISSING: throw ImageError(.rawSamplesMissing, ["library": Self.library])
    case RAW_OUT_OF_MEMORY: throw ImageError(.rawLibRawLimitExceeded, detail)
    default: throw ImageError(.libraryFailed, detail)
    }
  }
}
#endif
