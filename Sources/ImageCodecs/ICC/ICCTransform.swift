// SPDX-License-Identifier: Apache-2.0
#if ICC
internal import CLittleCMS
internal import HDRCore
internal import ImageFiles

/// A profile applied by Little CMS, to or from linear BT.2020.
///
/// Relative colorimetric: the media white of the profile maps to BT.2020 white at 1.0. Without
/// cache, a transform of Little CMS does not change, so that threads can share it.
@safe final class ICCTransform: ProfileTransform, @unchecked Sendable {
  private let context: cmsContext
  private let transform: cmsHTRANSFORM
  /// Components of a pixel before the transform: 1 or 3.
  private let componentCount: Int

  /// Side of the transform on which the profile is.
  private enum Side {
    case source(isGray: Bool)
    /// With black point compensation.
    case target
  }

  /// From the signal of a profile to linear BT.2020.
  ///
  /// - Throws: `.malformed` if Little CMS cannot apply the profile.
  convenience init(profile: [UInt8], isGray: Bool) throws(ImageError) {
    try self.init(
      profile, .source(isGray: isGray),
      otherwise: ErrorCode(.malformed, "Little CMS cannot apply the ICC profile"))
  }

  /// From linear BT.2020 to the device values of an RGB profile.
  ///
  /// - Throws: `.invalidArgument` if Little CMS cannot convert to the profile.
  convenience init(toDevice profile: [UInt8]) throws(ImageError) {
    try self.init(profile, .target, otherwise: .iccNotForOutput)
  }

  private init(_ profile: [UInt8], _ side: Side, otherwise code: ErrorCode) throws(ImageError) {
    // SAFETY: this transform owns both handles until `deinit`, or frees the context if creating the
    // transform fails.
    guard let context = unsafe cmsCreateContext(nil, nil) else {
      throw ImageError(.outOfMemory, ["library": "Little CMS"])
    }
    let transform = unsafe Self.makeTransform(profile, side, context)
    guard let transform = unsafe transform else {
      unsafe cmsDeleteContext(context)
      throw ImageError(code)
    }
    unsafe self.context = context
    unsafe self.transform = transform
    if case .source(isGray: true) = side { componentCount = 1 } else { componentCount = 3 }
  }

  deinit {
    // SAFETY: the handles are not shared; the transform is deleted before its context.
    unsafe cmsDeleteTransform(transform)
    unsafe cmsDeleteContext(context)
  }

  /// Converts consecutive pixels, to three components each.
  func converted(_ values: [Float]) -> [Float] {
    let pixels = values.count / componentCount
    var result = [Float](repeating: 0, count: 3 * pixels)
    // SAFETY: Little CMS reads `componentCount` and writes three floats for each pixel.
    unsafe result.withUnsafeMutableBytes { result in
      unsafe values.withUnsafeBytes { values in
        unsafe cmsDoTransform(
          transform, values.baseAddress, result.baseAddress, cmsUInt32Number(clamping: pixels))
      }
    }
    return result
  }

  private static func makeTransform(
    _ bytes: [UInt8], _ side: Side, _ context: cmsContext
  ) -> cmsHTRANSFORM? {
    // SAFETY: Little CMS copies the bytes of the profile, and a transform does not refer to its
    // profiles, which this function owns.
    let opened = unsafe bytes.withUnsafeBytes {
      unsafe cmsOpenProfileFromMemTHR(context, $0.baseAddress, cmsUInt32Number(clamping: $0.count))
    }
    guard let given = unsafe opened else { return nil }
    defer { unsafe _ = cmsCloseProfile(given) }
    guard let linear = unsafe makeLinearProfile(context) else { return nil }
    defer { unsafe _ = cmsCloseProfile(linear) }
    let rgb = floats(PT_RGB, components: 3)
    let intent = cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC)
    switch side {
    case .source(let isGray):
      return unsafe cmsCreateTransformTHR(
        context, given, isGray ? floats(PT_GRAY, components: 1) : rgb, linear, rgb, intent,
        cmsUInt32Number(cmsFLAGS_NOCACHE))
    case .target:
      return unsafe cmsCreateTransformTHR(
        context, linear, rgb, given, rgb, intent,
        cmsUInt32Number(cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION))
    }
  }

  private static func makeLinearProfile(_ context: cmsContext) -> cmsHPROFILE? {
    // SAFETY: Little CMS copies white, primaries and curves; this function owns the curve.
    let curve = unsafe cmsBuildGamma(context, 1)
    defer { unsafe cmsFreeToneCurve(curve) }
    func chromaticity(_ value: Chromaticity) -> cmsCIExyY {
      cmsCIExyY(x: value.x, y: value.y, Y: 1)
    }
    let space = ColorPrimaries.bt2020
    var white = chromaticity(space.white)
    var primaries = cmsCIExyYTRIPLE(
      Red: chromaticity(space.red), Green: chromaticity(space.green),
      Blue: chromaticity(space.blue))
    let curves = unsafe [curve, curve, curve]
    return unsafe curves.withUnsafeBufferPointer {
      unsafe cmsCreateRGBProfileTHR(context, &white, &primaries, $0.baseAddress)
    }
  }

  /// Interleaved 32-bit floats, in the notation of `lcms2.h`: FLOAT_SH(1) | COLORSPACE_SH(space) |
  /// CHANNELS_SH(components) | BYTES_SH(4).
  private static func floats(_ space: Int32, components: UInt32) -> cmsUInt32Number {
    1 << 22 | cmsUInt32Number(space) << 16 | components << 3 | 4
  }
}

/// Color management by Little CMS.
enum LittleCMS: ColorManagement {
  static func transform(
    from profile: [UInt8], isGray: Bool
  ) throws(ImageError) -> any ProfileTransform {
    try ICCTransform(profile: profile, isGray: isGray)
  }

  static func transform(to profile: [UInt8]) throws(ImageError) -> any ProfileTransform {
    try ICCTransform(toDevice: profile)
  }
}
#endif
