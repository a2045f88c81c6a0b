#if ICC
internal import CLittleCMS
internal import HDRCore
internal import ImageFiles

/// A profile applied by Little CMS: signal in, linear BT.2020 out.
///
/// Relative colorimetric: the media white of the profile maps to BT.2020 white at 1.0.
@safe final class ICCTransform {
  private let context: cmsContext
  private let transform: cmsHTRANSFORM
  /// Components of a pixel before the transform: 1 or 3.
  private let componentCount: Int

  /// - Throws: `.malformed` if Little CMS cannot apply the profile.
  init(profile: [UInt8], isGray: Bool) throws(ImageError) {
    // SAFETY: this transform owns both handles until `deinit`, or frees the context if creating the
    // transform fails.
    guard let context = unsafe cmsCreateContext(nil, nil) else {
      throw ImageError(.outOfMemory, ["library": "Little CMS"])
    }
    let transform = unsafe Self.makeTransform(profile, isGray: isGray, context)
    guard let transform = unsafe transform else {
      unsafe cmsDeleteContext(context)
      throw ImageError(.iccNotApplicable)
    }
    unsafe self.context = context
    unsafe self.transform = transform
    componentCount = isGray ? 1 : 3
  }

  deinit {
    // SAFETY: the handles are not shared; the transform is deleted before its context.
    unsafe cmsDeleteTransform(transform)
    unsafe cmsDeleteContext(context)
  }

  /// Linear values of consecutive pixels, three components each.
  func light(ofSignal signal: [Float]) -> [Float] {
    let pixels = signal.count / componentCount
    var light = [Float](repeating: 0, count: 3 * pixels)
    // SAFETY: Little CMS reads `componentCount` and writes three floats for each pixel.
    unsafe light.withUnsafeMutableBytes { light in
      unsafe signal.withUnsafeBytes { signal in
        unsafe cmsDoTransform(
          transform, signal.baseAddress, light.baseAddress, cmsUInt32Number(clamping: pixels))
      }
    }
    return light
  }

  private static func makeTransform(
    _ bytes: [UInt8], isGray: Bool, _ context: cmsContext
  ) -> cmsHTRANSFORM? {
    // SAFETY: Little CMS copies the bytes of the profile, and a transform does not refer to its
    // profiles, which this function owns.
    let opened = unsafe bytes.withUnsafeBytes {
      unsafe cmsOpenProfileFromMemTHR(context, $0.baseAddress, cmsUInt32Number(clamping: $0.count))
    }
    guard let input = unsafe opened else { return nil }
    defer { unsafe _ = cmsCloseProfile(input) }
    guard let output = unsafe makeLinearProfile(context) else { return nil }
    defer { unsafe _ = cmsCloseProfile(output) }
    return unsafe cmsCreateTransformTHR(
      context, input, floats(isGray ? PT_GRAY : PT_RGB, components: isGray ? 1 : 3), output,
      floats(PT_RGB, components: 3), cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
      cmsUInt32Number(cmsFLAGS_NOCACHE))
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
#endif
