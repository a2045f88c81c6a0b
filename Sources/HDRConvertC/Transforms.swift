// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs

@c @implementation
public func hdr_image_transform(
  _ image: OpaquePointer, _ options: UnsafePointer<hdr_transform_options>,
  _ execution: OpaquePointer?, _ transformed: UnsafeMutablePointer<OpaquePointer?>,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let image = unsafe image.object(ImageHandle.self)
    let edit = try unsafe GeometryEdit(hdr_transform_options(reading: options))
    let (layout, orientation) = (image.description.layout, image.description.orientation)
    let upright = layout.upright(from: orientation)
    let result = try image.document.expandedToHDR(
      geometry: edit.withoutEnlarging((upright.width, upright.height)))
    unsafe transformed.pointee = OpaquePointer(
      retaining: ImageHandle(result, isHighDynamicRange: image.isHighDynamicRange))
  }
}

extension GeometryEdit {
  /// Reads the options of a caller.
  ///
  /// - Throws: `.invalidArgument` for one of width and height without the other, for sizes that
  ///   exclude each other, and for rotations that are not multiples of 90 degrees.
  fileprivate init(_ options: hdr_transform_options) throws(ImageError) {
    self.init()
    let part = PixelRectangle(
      x: Int(options.crop_x), y: Int(options.crop_y), width: Int(options.crop_width),
      height: Int(options.crop_height))
    if part != PixelRectangle(x: 0, y: 0, width: 0, height: 0) { crop = part }
    let (width, height) = (Int(options.width), Int(options.height))
    guard (width == 0) == (height == 0) else {
      throw ImageError(.optionMissing, ["option": width == 0 ? "width" : "height"])
    }
    let longSide = Int(options.long_side)
    guard longSide == 0 || width == 0 else {
      throw ImageError(.optionInvalid, ["option": "long_side", "value": longSide])
    }
    if width > 0 { size = .exact(width: width, height: height) }
    if longSide > 0 { size = .longSide(longSide) }
    let degrees = Int(options.rotation)
    guard degrees.isMultiple(of: 90) else {
      throw ImageError(.optionInvalid, ["option": "rotation", "value": degrees])
    }
    rotation = .rotation(clockwise: degrees)
  }
}
