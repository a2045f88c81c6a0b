// SPDX-License-Identifier: Apache-2.0
/// Layout, color, light metadata and orientation of an image.
///
/// A transform is prepared from two of these, and checks them.
public struct ImageDescription: Hashable, Sendable {
  /// Size, components, sample type and alpha.
  public var layout: ImageLayout
  /// Color encoding of the samples.
  public var color: ColorEncoding
  /// Light metadata that belongs to the image.
  public var light: LightMetadata
  /// Relation of the stored rows and columns to the upright image.
  public var orientation: Orientation

  /// Describes an image.
  ///
  /// - Parameters:
  ///   - layout: Size, components, sample type and alpha.
  ///   - color: Color encoding of the samples.
  ///   - light: Light metadata.
  ///   - orientation: Relation of the stored rows and columns to the upright image.
  public init(
    layout: ImageLayout, color: ColorEncoding, light: LightMetadata = LightMetadata(),
    orientation: Orientation = .upright
  ) {
    self.layout = layout
    self.color = color
    self.light = light
    self.orientation = orientation
  }

  /// The same image as linear values: RGB in single precision, with the primaries, reference white,
  /// alpha, light metadata and orientation of this image.
  public var linear: ImageDescription {
    var linear = self
    linear.color = color.linear
    linear.layout.components = .rgb
    linear.layout.samples = .float
    return linear
  }
}
