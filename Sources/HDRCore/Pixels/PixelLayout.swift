// SPDX-License-Identifier: Apache-2.0
/// Layout of pixels in a buffer of the caller: packing, size, row offsets and strides.
public struct PixelLayout: Hashable, Sendable {
  /// Order and width of samples.
  ///
  /// Multibyte values are little-endian.
  public enum Packing: Hashable, Sendable, CaseIterable {
    /// Red, green, blue of 8 bits.
    ///
    /// `kCVPixelFormatType_24RGB`, `VK_FORMAT_R8G8B8_UNORM`.
    case rgb8
    /// Red, green, blue of 16 bits.
    ///
    /// `VK_FORMAT_R16G16B16_UNORM`.
    case rgb16
    /// Red, green, blue in half precision.
    ///
    /// `VK_FORMAT_R16G16B16_SFLOAT`.
    case rgbHalf
    /// Red, green, blue in single precision.
    ///
    /// `VK_FORMAT_R32G32B32_SFLOAT`.
    case rgbFloat
    /// Red, green, blue, alpha of 8 bits.
    ///
    /// `kCVPixelFormatType_32RGBA`, `MTLPixelFormat.rgba8Unorm`, `VK_FORMAT_R8G8B8A8_UNORM`.
    case rgba8
    /// Red, green, blue, alpha of 16 bits.
    ///
    /// `kCVPixelFormatType_64RGBALE`, `MTLPixelFormat.rgba16Unorm`, `VK_FORMAT_R16G16B16A16_UNORM`.
    case rgba16
    /// Red, green, blue, alpha in half precision.
    ///
    /// `kCVPixelFormatType_64RGBAHalf`, `CIFormat.RGBAh`, `MTLPixelFormat.rgba16Float`,
    /// `VK_FORMAT_R16G16B16A16_SFLOAT`.
    case rgbaHalf
    /// Red, green, blue, alpha in single precision.
    ///
    /// `kCVPixelFormatType_128RGBAFloat`, `CIFormat.RGBAf`, `MTLPixelFormat.rgba32Float`,
    /// `VK_FORMAT_R32G32B32A32_SFLOAT`.
    case rgbaFloat
    /// 32-bit words: red in bits 0...9, green in 10...19, blue in 20...29, alpha in 30...31.
    ///
    /// `MTLPixelFormat.rgb10a2Unorm`, `VK_FORMAT_A2B10G10R10_UNORM_PACK32`,
    /// `DXGI_FORMAT_R10G10B10A2_UNORM`.
    case rgb10a2
    /// 32-bit words: blue in bits 0...9, green in 10...19, red in 20...29, alpha in 30...31.
    ///
    /// `kCVPixelFormatType_ARGB2101010LEPacked` (`l10r`), `MTLPixelFormat.bgr10a2Unorm`,
    /// `VK_FORMAT_A2R10G10B10_UNORM_PACK32`.
    case bgr10a2
    /// Two planes of 16-bit words with 10 bits at the top: luma, then a pair of Cb and Cr for every
    /// two by two pixels (4:2:0).
    ///
    /// P010 (`DXGI_FORMAT_P010`), `kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange` (`x420`,
    /// narrow range) and `kCVPixelFormatType_420YpCbCr10BiPlanarFullRange` (`xf20`).
    case p010
  }

  /// Interpretation of the fourth sample of a pixel; ignored by packings without one.
  public enum Alpha: Hashable, Sendable, CaseIterable {
    /// Straight alpha: the components are not multiplied by it.
    case straight
    /// Premultiplied alpha: the signal components are multiplied by it.
    case premultiplied
    /// Ignored on reading, and written as alpha 1.
    case opaque
  }

  /// Position of the rows of one plane.
  public struct Rows: Hashable, Sendable {
    /// Bytes from the start of the buffer to the first row, at least 0.
    public var offset: Int
    /// Bytes from one row to the next, at least those of a row.
    public var stride: Int

    public init(offset: Int, stride: Int) {
      self.offset = offset
      self.stride = stride
    }
  }

  /// Order and width of samples.
  public let packing: Packing
  /// Columns of the image.
  public let width: Int
  /// Rows of the image.
  public let height: Int
  /// Interpretation of the fourth sample; ignored by packings without one.
  public var alpha: Alpha
  /// One entry for each plane: two for P010, otherwise one.
  public var rows: [Rows]

  /// Makes a layout without gaps between rows or planes; `rows` may be changed afterwards.
  ///
  /// Sizes are not checked here: `byteCount()` and the functions that copy pixels throw.
  ///
  /// - Parameters:
  ///   - packing: Order and width of samples.
  ///   - width: Width of the image in pixels, at least 1.
  ///   - height: Height of the image in pixels, at least 1.
  ///   - alpha: Interpretation of the fourth sample.
  public init(_ packing: Packing, width: Int, height: Int, alpha: Alpha = .straight) {
    self.packing = packing
    self.width = width
    self.height = height
    self.alpha = alpha
    rows = []
    for plane in 0..<planeCount {
      let start =
        rows.last.map { saturatingSum($0.offset, saturatingProduct($0.stride, height)) }
        ?? 0
      rows.append(Rows(offset: start, stride: rowBytes(ofPlane: plane)))
    }
  }

  /// Layout of the planes of an image with this pixel layout.
  ///
  /// Half precision becomes single precision, and 2-bit alpha has the depth of the components.
  public var imageLayout: ImageLayout {
    switch packing {
    case .rgb8, .rgba8: rgb(.integer(bits: 8))
    case .rgb16, .rgba16: rgb(.integer(bits: 16))
    case .rgbHalf, .rgbFloat, .rgbaHalf, .rgbaFloat: rgb(.float)
    case .rgb10a2, .bgr10a2: rgb(.integer(bits: 10))
    case .p010:
      ImageLayout(
        width: width, height: height, components: .ycbcr(.yuv420), samples: .integer(bits: 10))
    }
  }

  private func rgb(_ samples: ImageLayout.Samples) -> ImageLayout {
    ImageLayout(
      width: width, height: height, components: .rgb, samples: samples,
      hasAlpha: hasAlpha, isAlphaPremultiplied: hasAlpha && alpha == .premultiplied)
  }

  /// Whether pixels have alpha that is not ignored.
  var hasAlpha: Bool {
    switch packing {
    case .rgb8, .rgb16, .rgbHalf, .rgbFloat, .p010: false
    case .rgba8, .rgba16, .rgbaHalf, .rgbaFloat, .rgb10a2, .bgr10a2: alpha != .opaque
    }
  }

  /// Number of bytes from the start of the buffer to the end of the last row.
  ///
  /// - Returns: The number of bytes, without padding after the last row.
  /// - Throws: `.invalidArgument` for a width or height below 1, for another number of `rows` than
  ///   planes, and for an offset below 0, a stride below a row, or a size beyond `Int`.
  public func byteCount() throws(ImageError) -> Int {
    try requireSize()
    var count = 0
    for plane in 0..<planeCount {
      let (end, overflow) = try byteCount(ofPlane: plane).addingReportingOverflow(
        rows[plane].offset)
      guard rows[plane].offset >= 0, !overflow else {
        throw ImageError(
          .invalidArgument, "plane {plane} starts at byte {offset}",
          ["plane": plane, "offset": rows[plane].offset])
      }
      count = max(count, end)
    }
    return count
  }

  /// Fails for sizes below 1.
  func requireSize() throws(ImageError) {
    guard width > 0, height > 0 else {
      throw ImageError(.imageSizeInvalid, ["size": .size(width, height)])
    }
  }

  var planeCount: Int { packing == .p010 ? 2 : 1 }

  /// Number of bytes of a plane from the start of its first row to the end of its last row.
  func byteCount(ofPlane plane: Int) throws(ImageError) -> Int {
    guard rows.count == planeCount else {
      throw ImageError(
        .invalidArgument, "row layouts of {count plane} for an image of {planes plane}",
        ["count": rows.count, "planes": planeCount])
    }
    let (stride, rowBytes) = (rows[plane].stride, rowBytes(ofPlane: plane))
    let (before, overflow) = stride.multipliedReportingOverflow(by: rowCount(ofPlane: plane) - 1)
    let (count, overflows) = before.addingReportingOverflow(rowBytes)
    guard stride >= rowBytes, !overflow, !overflows else {
      throw ImageError(
        .invalidArgument, "rows of {size byte} are {stride byte} apart in plane {plane}",
        ["size": rowBytes, "stride": stride, "plane": plane])
    }
    return count
  }

  func rowCount(ofPlane plane: Int) -> Int { plane == 0 ? height : height / 2 + height % 2 }

  private func rowBytes(ofPlane plane: Int) -> Int {
    switch packing {
    case .rgb8: saturatingProduct(width, 3)
    case .rgb16, .rgbHalf: saturatingProduct(width, 6)
    case .rgbFloat: saturatingProduct(width, 12)
    case .rgba8, .rgb10a2, .bgr10a2: saturatingProduct(width, 4)
    case .rgba16, .rgbaHalf: saturatingProduct(width, 8)
    case .rgbaFloat: saturatingProduct(width, 16)
    case .p010: saturatingProduct(plane == 0 ? width : width / 2 + width % 2, plane == 0 ? 2 : 4)
    }
  }
}

// Overflowing sizes saturate at the largest integer, which `byteCount()` rejects.

private func saturatingProduct(_ first: Int, _ second: Int) -> Int {
  let (product, overflow) = first.multipliedReportingOverflow(by: second)
  return overflow ? .max : product
}

private func saturatingSum(_ first: Int, _ second: Int) -> Int {
  let (sum, overflow) = first.addingReportingOverflow(second)
  return overflow ? .max : sum
}
