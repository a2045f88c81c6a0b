// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
internal import ImageFiles

/// A depth map or matte as an extra channel, which has the size of the image.
struct JPEGXLChannel {
  let type: JxlExtraChannelType
  /// The type of the auxiliary image.
  let name: String
  let bits: Int
  /// Samples scaled to 16 bits.
  let samples: [UInt16]

  /// Prepares a channel; samples are interpolated linearly.
  ///
  /// - Throws: `.invalidArgument` for floating-point samples, errors of the decoder, `.cancelled`.
  init(_ auxiliary: AuxiliaryImage, width: Int, height: Int) throws(ImageError) {
    let image = try auxiliary.image.planes()
    guard case .integer(let planes) = image.planes, case .integer(let bits) = image.layout.samples
    else { throw ImageError(.libraryResultUnexpected, ["library": "libjxl"]) }
    let isDepth = FileImage.Role(auxiliaryType: auxiliary.type) == .depth
    type = isDepth ? JXL_CHANNEL_DEPTH : JXL_CHANNEL_SELECTION_MASK
    name = auxiliary.type
    self.bits = bits
    let plane = try planes[0].interpolated(width: width, height: height)
    let maximum = UInt32(1) << UInt32(bits) - 1
    let source = plane.span
    var samples: [UInt16] = []
    samples.reserveCapacity(width * height)
    for index in source.indices {
      let sample = min(UInt32(source[index]), maximum)
      samples.append(UInt16(truncatingIfNeeded: (sample * 65_535 + maximum / 2) / maximum))
    }
    self.samples = samples
  }
}
#endif
