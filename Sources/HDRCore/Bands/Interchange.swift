// SPDX-License-Identifier: Apache-2.0
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
