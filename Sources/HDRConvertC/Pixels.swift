// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import HDRCore
internal import ImageFiles

@c @implementation
public func hdr_image_create(
  _ pixels: UnsafePointer<hdr_pixels>?, _ color: UnsafePointer<hdr_color>?,
  _ execution: OpaquePointer?, _ image: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let image = try unsafe image.required("image")
    let pixels = try unsafe pixels.required("pixels").pointee
    let layout = try PixelLayout(pixels)
    let encoding = try unsafe ColorEncoding(
      color.required("color").pointee, for: layout.packing,
      referenceWhite: ColorEncoding.defaultReferenceWhite)
    let description = ImageDescription(layout: layout.imageLayout, color: encoding)
    try description.checkDecodable()
    try description.layout.requireMemory()
    let planes = try unsafe ImagePlanes(
      unsafePixels: pixels.buffers(layout).map { UnsafeRawBufferPointer($0) },
      layout: layout)
    let isHalf = [.rgbHalf, .rgbaHalf].contains(layout.packing)
    let created = ImageHandle(
      Image(description, planes), samples: isHalf ? .half : description.layout.samples)
    unsafe image.pointee = OpaquePointer(retaining: created)
  }
}

@c @implementation
public func hdr_image_decode(
  _ image: OpaquePointer?, _ color: UnsafePointer<hdr_color>?, _ pixels: UnsafePointer<hdr_pixels>?,
  _ execution: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let pixels = try unsafe pixels.required("pixels").pointee
    let image = try unsafe image.required("image").object(ImageHandle.self)
    let layout = try PixelLayout(pixels)
    let buffers = try unsafe pixels.buffers(layout)
    try image.work { () throws(ImageError) in
      let source = try image.document().image
      let target = ImageDescription(
        layout: layout.imageLayout,
        color: try unsafe source.decodedColor(color, for: layout.packing))
      let planes = try source.planes(as: target)
      try unsafe planes.write(toUnsafePixels: buffers, as: layout)
    }
  }
}

extension Image {
  /// The upright samples in another layout and color encoding; unchanged if both are equal.
  fileprivate func planes(as target: ImageDescription) throws(ImageError) -> ImagePlanes {
    if orientation == .upright, layout == target.layout, color == target.color {
      return try planes()
    }
    var transform = try ImageTransform(
      validating: description, to: target, orientation: orientation)
    transform.measurement = .nothing
    try target.layout.requireMemory()
    return try transform.run(self).image.planes()
  }

  /// The color encoding of decoded samples: that of a caller, or RGB in the color of the image.
  fileprivate func decodedColor(
    _ given: UnsafePointer<hdr_color>?, for packing: PixelLayout.Packing
  ) throws(ImageError) -> ColorEncoding {
    guard let given = unsafe given else {
      var own = color
      (own.matrix, own.isFullRange) = (.identity, true)
      return own
    }
    return try unsafe ColorEncoding(
      given.pointee, for: packing, referenceWhite: color.referenceWhite)
  }
}

extension PixelLayout {
  /// Reads the layout of pixels of a caller.
  ///
  /// - Throws: `.invalidArgument` for an unknown packing or alpha, and for rows that do not fit.
  fileprivate init(_ pixels: hdr_pixels) throws(ImageError) {
    let (code, meaning) = (Int(pixels.packing), Int(pixels.alpha))
    guard let packing = Self.packing(code) else {
      throw ImageError(.optionInvalid, ["option": "packing", "value": code])
    }
    let alpha: [Int: Alpha] = [
      HDR_ALPHA_STRAIGHT: .straight, HDR_ALPHA_PREMULTIPLIED: .premultiplied,
      HDR_ALPHA_OPAQUE: .opaque,
    ]
    guard let alpha = alpha[meaning] else {
      throw ImageError(.optionInvalid, ["option": "alpha", "value": meaning])
    }
    let (width, height) = (Int(pixels.width), Int(pixels.height))
    guard width > 0, height > 0 else {
      throw ImageError(.optionInvalid, ["option": width > 0 ? "height" : "width", "value": 0])
    }
    try Execution.current.limits.check(width: width, height: height)
    self.init(packing, width: width, height: height, alpha: alpha)
    let strides = unsafe [pixels.planes.0.stride, pixels.planes.1.stride]
    for plane in rows.indices where strides[plane] != 0 { rows[plane].stride = strides[plane] }
    _ = try byteCount()
  }

  private static func packing(_ code: Int) -> Packing? {
    switch code {
    case HDR_PACKING_RGB8: .rgb8
    case HDR_PACKING_RGB16: .rgb16
    case HDR_PACKING_RGB_HALF: .rgbHalf
    case HDR_PACKING_RGB_FLOAT: .rgbFloat
    case HDR_PACKING_RGBA8: .rgba8
    case HDR_PACKING_RGBA16: .rgba16
    case HDR_PACKING_RGBA_HALF: .rgbaHalf
    case HDR_PACKING_RGBA_FLOAT: .rgbaFloat
    case HDR_PACKING_RGB10A2: .rgb10a2
    case HDR_PACKING_BGR10A2: .bgr10a2
    case HDR_PACKING_P010: .p010
    default: nil
    }
  }
}

extension hdr_pixels {
  /// The memory of each plane.
  ///
  /// - Throws: `.invalidArgument` for a plane without an address.
  fileprivate func buffers(
    _ layout: PixelLayout
  ) throws(ImageError) -> [UnsafeMutableRawBufferPointer] {
    let all = unsafe [planes.0, planes.1]
    var buffers: [UnsafeMutableRawBufferPointer] = unsafe []
    for index in layout.rows.indices {
      let plane = unsafe all[index]
      guard let data = unsafe plane.data, unsafe plane.size >= 0 else {
        throw ImageError(.invalidArgument, "the address of plane {plane} is NULL", ["plane": index])
      }
      unsafe buffers.append(UnsafeMutableRawBufferPointer(start: data, count: plane.size))
    }
    return unsafe buffers
  }
}

extension ColorEncoding {
  /// Makes the color encoding of code points.
  ///
  /// - Parameters:
  ///   - color: The code points.
  ///   - packing: Packing of the samples, which a matrix must suit.
  ///   - referenceWhite: Luminance of linear 1.0 if `color` does not specify it, in cd/m².
  /// - Throws: `.invalidArgument` for code points that images do not use, and a reference white that
  ///   samples cannot be scaled to.
  init(
    _ color: hdr_color, for packing: PixelLayout.Packing, referenceWhite: Double
  ) throws(ImageError) {
    let hasMatrix = ![.identity, .unspecified].contains(CICP.Matrix(rawValue: color.matrix))
    guard packing == .p010 || !hasMatrix else {
      throw ImageError(
        .invalidArgument, "matrix {matrix} is for Y'CbCr; RGB has 0", ["matrix": color.matrix])
    }
    guard let primaries = ColorPrimaries(CICP.Primaries(rawValue: color.primaries)) else {
      throw ImageError(.codePointUnknown, ["field": "primaries", "value": color.primaries])
    }
    guard let transfer = TransferFunction(CICP.Transfer(rawValue: color.transfer)) else {
      throw ImageError(.codePointUnknown, ["field": "transfer", "value": color.transfer])
    }
    let white = color.reference_white == 0 ? referenceWhite : color.reference_white
    guard ColorEncoding.referenceWhites.contains(white) else {
      throw ImageError(
        .invalidArgument, "a reference white of {white cd/m²} is out of range", ["white": white])
    }
    self.init(
      primaries: primaries, transfer: transfer, matrix: CICP.Matrix(rawValue: color.matrix),
      isFullRange: color.is_full_range, referenceWhite: white)
  }
}

extension hdr_color {
  /// The color of RGB samples of an encoding; 2 for code points that do not exist.
  init(_ encoding: ColorEncoding) {
    self.init(
      primaries: (encoding.primaries.cicp ?? .unspecified).rawValue,
      transfer: (encoding.transfer.cicp ?? .unspecified).rawValue,
      matrix: CICP.Matrix.identity.rawValue, is_full_range: true,
      reference_white: encoding.referenceWhite)
  }
}
