public import HDRCore
public import ImageCodecs
internal import ImageFiles

extension Picture {
  /// Decodes the picture and measures the light it shows, in its own primaries.
  ///
  /// - Parameter threads: Bands worked on at the same time.
  /// - Returns: Light levels in cd/m².
  /// - Throws: What the decoder finds wrong.
  public func measureLight(threads: Int) throws(ImageError) -> LightLevels {
    let source = ImageDescription(
      layout: format, color: encoding)
    var target = source
    target.color.transfer = .linear
    target.color.matrix = .identity
    target.layout.components = .rgb
    target.layout.samples = .float
    return try ImageTransform(from: source, to: target)
      .measure(try makeReader(), threads: threads)
  }
}
