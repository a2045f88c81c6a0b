// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import ImageFiles

/// The color space of an SDR output, given by an RGB ICC profile that is embedded.
///
/// A profile of curves and a matrix is converted to in double-precision definitions, as every other
/// color space; one of tables, as of a printer, by Little CMS: relative colorimetric with black
/// point compensation.
package struct OutputProfile: Hashable, Sendable {
  /// The profile.
  package let bytes: [UInt8]
  private let model: Model

  private enum Model: Hashable {
    case space(ColorPrimaries, TransferFunction)
    case tables
  }

  /// Adobe RGB (1998).
  package static let adobeRGB = OutputProfile(
    bytes: ICCProfile.adobeRGB, model: .space(.adobeRGB, .gamma(563 / 256)))

  private init(bytes: [UInt8], model: Model) {
    self.bytes = bytes
    self.model = model
  }

  /// Reads a profile.
  ///
  /// - Parameter bytes: The bytes of the profile.
  /// - Throws: `.invalidArgument` for a profile that is not of RGB, that describes PQ or HLG, or
  ///   whose tables only convert from RGB; errors of `ICCProfile.init(parsing:)`.
  package init(parsing bytes: [UInt8]) throws(ImageError) {
    let profile = try ICCProfile(parsing: bytes)
    let color = ProfileColor(profile, isGray: false)
    if case .unusable(let cause) = color {
      throw ImageError(.printProfileUnusable, ["cause": cause])
    }
    guard case .managed = color else {
      guard let primaries = color.primaries, let transfer = color.transfer,
        transfer != .pq, transfer != .hlg
      else { throw ImageError(.printProfileNotSDR) }
      self.init(bytes: bytes, model: .space(primaries, transfer))
      return
    }
    _ = try ProfileEncoder(bytes)
    self.init(bytes: bytes, model: .tables)
  }

  /// Primaries of the color space; nominal for tables, which do not have any.
  var primaries: ColorPrimaries {
    if case .space(let primaries, _) = model { primaries } else { .adobeRGB }
  }

  /// Transfer function of the color space; nominal for tables.
  var transfer: TransferFunction {
    if case .space(_, let transfer) = model { transfer } else { .gamma(563 / 256) }
  }

  /// The encoder of linear BT.2020 values, if the profile consists of tables.
  func tableEncoder() throws(ImageError) -> ProfileEncoder? {
    guard model == .tables else { return nil }
    return try ProfileEncoder(bytes)
  }
}

extension ConversionOptions {
  /// The options with the color of their profile: SDR, signaled by the profile alone.
  var withColorOfProfile: ConversionOptions {
    guard let profile else { return self }
    var options = self
    (options.transfer, options.primaries) = (profile.transfer, profile.primaries)
    (options.signaling, options.icc) = (.icc, .value(profile.bytes))
    if options.rendering == nil {
      options.rendering = RenderingOptions(
        display: DisplayTarget(headroom: Headroom(stops: 64), range: DynamicRange.Mix(.standard)))
    }
    return options
  }
}
