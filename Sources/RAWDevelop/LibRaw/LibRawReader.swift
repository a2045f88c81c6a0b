#if RAW
internal import CShims
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// A camera raw file as LibRaw reads it.
@safe struct LibRawReader: ~Copyable {
  private let handle: OpaquePointer
  private let limits: ImageLimits

  private static let blockSize = 1 << 20

  private init(handle: OpaquePointer, limits: ImageLimits) {
    // SAFETY: the handle is this reader's own from here on, until `deinit`.
    unsafe self.handle = handle
    self.limits = limits
  }

  deinit {
    // SAFETY: nothing else has the handle.
    unsafe raw_reader_free(handle)
  }

  /// Name and version of the library.
  static var library: String {
    // SAFETY: a string that lives as long as the program.
    unsafe String(cString: raw_library())
  }

  /// Reads the headers of a file.
  ///
  /// - Throws: `.unsupported` for a file that LibRaw does not know, `.malformed` for a damaged one,
  ///   `.limitExceeded` for a picture beyond the limits.
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
    let reader = unsafe LibRawReader(handle: handle, limits: limits)
    for start in stride(from: 0, to: source.count, by: Self.blockSize) {
      let block = try source.bytes(in: start..<min(start + Self.blockSize, source.count))
      // SAFETY: the block has `count` bytes, which are copied.
      unsafe block.withUnsafeBufferPointer { block in
        guard let bytes = block.baseAddress else { return }
        unsafe raw_reader_append(reader.handle, bytes, block.count)
      }
    }
    try reader.check(unsafe raw_reader_open(reader.handle))
    let description = reader.description
    let (width, height) = (Int(description.width), Int(description.height))
    try limits.check(width: width, height: height)
    // LibRaw keeps up to four samples of 16 bits per pixel.
    guard width * height <= limits.memory / 8 else {
      throw ImageError(.rawSamplesLimitExceeded, ["limit": limits.memory])
    }
    return reader
  }

  /// What the file says; about samples and levels all of it once they are decoded.
  var description: raw_description {
    var description = raw_description()
    // SAFETY: the description lives for the call.
    unsafe raw_reader_describe(handle, &description)
    return description
  }

  /// Decodes the samples.
  func unpack() throws(ImageError) { try check(unsafe raw_reader_unpack(handle)) }

  /// The black level of a photosite among those that see light.
  func black(row: Int, column: Int, plane: Int) -> Int {
    // SAFETY: LibRaw's pattern goes on beyond the picture.
    Int(
      unsafe raw_reader_black(
        handle, UInt32(clamping: row), UInt32(clamping: column), UInt32(clamping: plane)))
  }

  /// All samples, those of a pixel side by side.
  func samples() throws(ImageError) -> RawSamples {
    let description = description
    let planes = Int(description.planes)
    let (width, height) = (Int(description.width), Int(description.height))
    guard planes == 1 || planes == 3 else {
      throw ImageError(.rawLibRawSampleType)
    }
    return try unsafe copy(width: width, height: height, planes: planes) { samples, count in
      // SAFETY: there is room for `count` samples; LibRaw's must be as many.
      unsafe raw_reader_samples(handle, samples, count)
    }
  }

  /// Red, green and blue of a mosaic of any kind, interpolated by LibRaw.
  ///
  /// - Parameter gains: What makes white of the camera's colors.
  /// - Returns: The colors times `gains`, divided by the largest of them; white is 65535.
  /// - Throws: `.malformed` for a picture that LibRaw does not interpolate, a very small one among
  ///   them.
  func demosaiced(gains: SIMD3<Float>) throws(ImageError) -> RawSamples {
    // LibRaw forgets what it knew when it fails.
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
    return Self.withWholeCorners(colors)
  }

  /// LibRaw interpolates X-Trans in tiles of this side, and no picture that is smaller than one.
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

  /// Corners of an X-Trans picture, around which all photosites may be green, with the other colors
  /// of the pixels next to them.
  private static func withWholeCorners(_ colors: RawSamples) -> RawSamples {
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

  /// The largest preview, if that is a JPEG.
  func preview() throws(ImageError) -> [UInt8] {
    var start: UnsafePointer<UInt8>?
    var size = 0
    try check(unsafe raw_reader_preview(handle, &start, &size))
    guard let start = unsafe start, size > 0 else {
      throw ImageError(.missingElement, ["element": "data of the preview"])
    }
    // SAFETY: LibRaw's preview has `size` bytes and lives as long as the reader.
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
