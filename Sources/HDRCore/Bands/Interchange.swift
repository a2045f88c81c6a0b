// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

// Conversion of images from and to buffers of other programs and frameworks.

extension ImagePlanes {
  /// Copies an image from a buffer.
  ///
  /// Integers are unchanged; 2-bit alpha is expanded to 10 bits.
  ///
  /// - Parameters:
  ///   - pixels: The buffer.
  ///   - layout: Packing, size and row strides.
  /// - Throws: `.invalidArgument` if the layout's rows do not fit the image or the buffer;
  ///   `.cancelled`.
  public init<Element: BitwiseCopyable>(
    pixels: Span<Element>, layout: PixelLayout
  ) throws(ImageError) {
    let needed = try layout.byteCount()
    let available = pixels.count * MemoryLayout<Element>.stride
    guard needed <= available else { throw tooSmall(available, needed) }
    self = try unsafe pixels.withUnsafeBytes { (buffer) throws(ImageError) in
      // SAFETY: the buffer holds all rows of the layout.
      try unsafe PixelUnpacker(
        layout,
        from: layout.rows.map { unsafe UnsafeRawBufferPointer(rebasing: buffer[$0.offset...]) }
      ).unpacked()
    }
  }

  /// Copies an image from buffers that Swift does not own, one for each plane.
  ///
  /// - Parameters:
  ///   - planes: One for each plane, which starts with its first row; the offsets of the layout are
  ///     ignored.
  ///   - layout: Packing, size and row strides; width and height are at least 1.
  /// - Throws: `.invalidArgument` for another number of buffers than planes, and if the layout's
  ///   rows do not fit the image or the buffers; `.cancelled`.
  public init(
    unsafePixels planes: [UnsafeRawBufferPointer], layout: PixelLayout
  ) throws(ImageError) {
    try unsafe layout.check(planes.map(\.count))
    // SAFETY: the buffers hold all rows of the layout; the caller keeps them alive.
    self = try unsafe PixelUnpacker(layout, from: planes).unpacked()
  }

  /// Copies this image into a new buffer.
  ///
  /// - Parameter layout: The layout of the buffer; bytes between rows are set to 0.
  /// - Returns: `layout.byteCount()` bytes.
  /// - Throws: `.invalidArgument` if the layout's rows do not fit the image, or its `imageLayout`
  ///   is not the layout of this image; `.cancelled`.
  public func pixels(as layout: PixelLayout) throws(ImageError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: try layout.byteCount())
    var pixels = bytes.mutableSpan
    try write(to: &pixels, as: layout)
    return bytes
  }

  /// Copies this image into a buffer; bytes between rows are unchanged.
  ///
  /// - Parameters:
  ///   - pixels: The buffer.
  ///   - layout: Packing, size and row strides.
  /// - Throws: `.invalidArgument` if the layout's rows do not fit the image or the buffer, or its
  ///   `imageLayout` is not the layout of this image; `.cancelled`.
  public func write(
    to pixels: inout MutableSpan<UInt8>, as layout: PixelLayout
  ) throws(ImageError) {
    try check(layout)
    let needed = try layout.byteCount()
    guard needed <= pixels.count else { throw tooSmall(pixels.count, needed) }
    try unsafe pixels.withUnsafeMutableBytes { (buffer) throws(ImageError) in
      // SAFETY: the buffer holds all rows of the layout.
      try unsafe PixelPacker(
        layout,
        into: layout.rows.map {
          unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[$0.offset...])
        }
      ).pack(self)
    }
  }

  /// Copies this image into buffers that Swift does not own, one for each plane.
  ///
  /// - Parameters:
  ///   - planes: One for each plane, which starts with its first row; the offsets of the layout are
  ///     ignored.
  ///   - layout: Packing, size and row strides.
  /// - Throws: `.invalidArgument` if the layout's rows do not fit the image or the buffers, or its
  ///   `imageLayout` is not the layout of this image; `.cancelled`.
  public func write(
    toUnsafePixels planes: [UnsafeMutableRawBufferPointer], as layout: PixelLayout
  ) throws(ImageError) {
    try check(layout)
    try unsafe layout.check(planes.map(\.count))
    // SAFETY: the buffers hold all rows of the layout; the caller keeps them alive.
    try unsafe PixelPacker(layout, into: planes).pack(self)
  }

  private func check(_ layout: PixelLayout) throws(ImageError) {
    guard self.layout == layout.imageLayout else {
      throw ImageError(
        .packingLayoutDiffers, ["image": "\(self.layout)", "layout": "\(layout.imageLayout)"])
    }
  }
}

extension Image {
  /// Copies an image from a buffer.
  ///
  /// - Parameters:
  ///   - pixels: The pixels as bytes, integers or floats.
  ///   - layout: Packing, size and row strides.
  ///   - color: Color encoding of the samples.
  ///   - light: Light metadata.
  /// - Throws: `.invalidArgument` if the layout's rows do not fit the image or the buffer,
  ///   `.unsupported` for a matrix that cannot be decoded; `.cancelled`.
  public init<Element: BitwiseCopyable>(
    pixels: Span<Element>, layout: PixelLayout, color: ColorEncoding,
    light: LightMetadata = LightMetadata()
  ) throws(ImageError) {
    let planes = try ImagePlanes(pixels: pixels, layout: layout)
    try color.requireDecodable(planes.layout)
    self.init(ImageDescription(layout: planes.layout, color: color, light: light), planes)
  }

  /// The image in its own color encoding, in a new buffer.
  ///
  /// Components, alpha and sample type are converted if those of the layout are others. Integers
  /// hold values from 0 to 1: linear values above reference white need half or float samples, or
  /// `pixels(as:color:execution:)` with PQ or HLG.
  ///
  /// - Parameter layout: Packing, size and row strides; bytes between rows are set to 0.
  /// - Returns: `layout.byteCount()` bytes.
  /// - Throws: `.invalidArgument` if the layout has another size or its rows do not fit the image;
  ///   errors of `pixels(as:color:execution:)`.
  public func pixels(as layout: PixelLayout) throws(ImageError) -> [UInt8] {
    let wanted = layout.imageLayout
    guard wanted != self.layout, wanted.hasSize(of: self.layout) else {
      return try planes().pixels(as: layout)
    }
    return try pixels(as: layout, color: color)
  }

  /// The image in another color encoding, in a new buffer; values out of range are clipped.
  ///
  /// - Parameters:
  ///   - layout: Packing, size and row strides; bytes between rows are set to 0.
  ///   - color: Color encoding of the samples.
  ///   - execution: Threads, progress and cancellation.
  /// - Returns: `layout.byteCount()` bytes.
  /// - Throws: `.invalidArgument` if the layout has another size or its rows do not fit the image;
  ///   errors of `transformed(to:exposure:rendition:execution:)`.
  public func pixels(
    as layout: PixelLayout, color: ColorEncoding, execution: Execution = .current
  ) throws(ImageError) -> [UInt8] {
    try transformed(
      to: ImageDescription(layout: layout.imageLayout, color: color), execution: execution
    ).pixels(as: layout)
  }
}

extension PixelLayout {
  /// Fails for sizes below 1, and unless each plane has a buffer that contains its rows.
  fileprivate func check(_ byteCounts: [Int]) throws(ImageError) {
    try requireSize()
    guard byteCounts.count == planeCount else {
      throw ImageError(
        .invalidArgument, "{buffers buffer} for {planes plane}",
        ["buffers": byteCounts.count, "planes": planeCount])
    }
    for (plane, count) in byteCounts.enumerated() {
      let needed = try byteCount(ofPlane: plane)
      guard needed <= count else { throw tooSmall(count, needed) }
    }
  }
}

private func tooSmall(_ count: Int, _ needed: Int) -> ImageError {
  ImageError(
    .invalidArgument, "buffer of {size byte} for pixels of {needed byte}",
    ["size": count, "needed": needed])
}

/// Packs planes as pixels of a caller's buffers, row by row.
@safe struct PixelPacker: @unchecked Sendable {
  private let layout: PixelLayout
  private let buffers: [UnsafeMutableRawBufferPointer]

  /// Prepares to write into `buffers`, one for each plane, which contain all rows of the layout.
  @unsafe init(_ layout: PixelLayout, into buffers: [UnsafeMutableRawBufferPointer]) {
    self.layout = layout
    // SAFETY: the caller keeps the buffers alive for as long as this value is used.
    unsafe self.buffers = buffers
  }

  /// Writes an image of the layout's stored format.
  func pack(_ image: ImagePlanes) throws(ImageError) {
    let rows = 0..<layout.height
    switch image.planes {
    case .float(let planes):
      try forEachBand(of: rows) { pack($0, of: planes) }
    case .integer(let planes):
      try forEachBand(of: rows) { pack($0, of: planes) }
    case .half: preconditionFailure("no layout is stored as half")
    }
  }

  private func pack(_ band: Range<Int>, of planes: [Plane<Float>]) {
    var row = LinearRow(width: layout.width, hasAlpha: true)
    var halves = CodeRow(layout)
    for y in band {
      row.red.assign(planes[0], row: y)
      row.green.assign(planes[1], row: y)
      row.blue.assign(planes[2], row: y)
      if layout.hasAlpha { row.alpha.assign(planes[3], row: y) }
      let pixels = unsafe start(ofRow: y, plane: 0)
      let count = layout.width
      // SAFETY: the buffer holds `count` pixels from here, the rows are `count` long.
      switch layout.packing {
      case .rgbFloat: unsafe pk_pack_rgb_float(pixels, row.red, row.green, row.blue, count)
      case .rgbaFloat:
        unsafe pk_pack_rgba_float(pixels, row.red, row.green, row.blue, row.alpha, count)
      case .rgbHalf:
        row.write(to: &halves)
        unsafe pk_pack_rgb16(pixels, halves.first, halves.second, halves.third, count)
      default:
        row.write(to: &halves)
        row.alpha.writeHalves(to: &halves.alpha)
        unsafe pk_pack_rgba16(
          pixels, halves.first, halves.second, halves.third, halves.alpha, count)
      }
    }
  }

  private func pack(_ band: Range<Int>, of planes: [Plane<UInt16>]) {
    var row = CodeRow(layout)
    for y in band {
      row.first.assign(planes[0], row: y)
      if layout.packing != .p010 {
        row.second.assign(planes[1], row: y)
        row.third.assign(planes[2], row: y)
        if layout.hasAlpha { row.alpha.assign(planes[3], row: y) }
      } else if y % 2 == 0 {
        row.second.assign(planes[1], row: y / 2)
        row.third.assign(planes[2], row: y / 2)
      }
      pack(y, of: row)
    }
  }

  /// Writes row `y`, and the chroma row that starts with it.
  private func pack(_ y: Int, of row: CodeRow) {
    let pixels = unsafe start(ofRow: y, plane: 0)
    let count = layout.width
    // SAFETY: the buffer holds `count` pixels from here, the rows are `count` long.
    switch layout.packing {
    case .rgb8: unsafe pk_pack_rgb8(pixels, row.first, row.second, row.third, count)
    case .rgb16: unsafe pk_pack_rgb16(pixels, row.first, row.second, row.third, count)
    case .rgba8:
      unsafe pk_pack_rgba8(pixels, row.first, row.second, row.third, row.alpha, count)
    case .rgba16:
      unsafe pk_pack_rgba16(pixels, row.first, row.second, row.third, row.alpha, count)
    case .rgb10a2:
      unsafe pk_pack_10_10_10_2(pixels, row.first, row.second, row.third, row.alpha, count)
    case .bgr10a2:
      unsafe pk_pack_10_10_10_2(pixels, row.third, row.second, row.first, row.alpha, count)
    case .p010:
      unsafe pk_pack_high10(pixels, row.first, count)
      guard y % 2 == 0 else { return }
      // SAFETY: the chroma plane has a pair for each two pixels, as long as the rows.
      unsafe pk_pack_high10_pairs(
        start(ofRow: y / 2, plane: 1), row.second, row.third, row.second.count)
    case .rgbHalf, .rgbFloat, .rgbaHalf, .rgbaFloat:
      preconditionFailure("floating point has no codes")
    }
  }

  private func start(ofRow y: Int, plane: Int) -> UnsafeMutablePointer<UInt8> {
    let offset = y * layout.rows[plane].stride
    // SAFETY: all memory may be accessed as bytes; the layout was checked, so the row is inside the
    // buffer.
    return unsafe UnsafeMutableRawBufferPointer(rebasing: buffers[plane][offset...])
      .assumingMemoryBound(to: UInt8.self).baseAddress.unsafelyUnwrapped
  }
}

extension LinearRow {
  fileprivate func write(to halves: inout CodeRow) {
    red.writeHalves(to: &halves.first)
    green.writeHalves(to: &halves.second)
    blue.writeHalves(to: &halves.third)
  }
}
