// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore

/// Options for opening an image file.
public struct OpeningOptions: Sendable {
  /// Limits on sizes and counts that the file declares.
  public var limits: ImageLimits
  /// Color to assume if the file does not specify it.
  public var assumed: AssumedColor?
  /// Transfer curve of Apple gain map samples, which no file specifies.
  public var appleCurve: GainMapMetadata.AppleCurve
  /// Whether critical chunks of PNG files may have a wrong CRC; other readers reject such files.
  public var acceptsWrongChecksums = false

  public init(
    limits: ImageLimits = ImageLimits(), assumed: AssumedColor? = nil,
    appleCurve: GainMapMetadata.AppleCurve = .srgb
  ) {
    self.limits = limits
    self.assumed = assumed
    self.appleCurve = appleCurve
  }
}

/// Color to assume for an image whose file does not specify it.
public struct AssumedColor: Hashable, Sendable {
  /// Transfer function.
  public var transfer: TransferFunction?
  /// Color primaries.
  public var primaries: ColorPrimaries?
  /// Luminance of linear value 1.0, in cd/m².
  public var referenceWhite: Double?

  public init(
    transfer: TransferFunction? = nil, primaries: ColorPrimaries? = nil,
    referenceWhite: Double? = nil
  ) {
    self.transfer = transfer
    self.primaries = primaries
    self.referenceWhite = referenceWhite
  }
}
