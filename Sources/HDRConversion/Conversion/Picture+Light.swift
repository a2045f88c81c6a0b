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
    let source = ImageTransform.Coding(
      format: format, encoding: encoding, chromaLocation: chromaLocation)
    var target = source
    target.encoding.transfer = .linear
    target.encoding.matrix = .identity
    target.format.components = .rgb
    target.format.samples = .float
    return try ImageTransform(from: source, to: target)
      .measure(try makeReader(), threads: threads)
  }
}
