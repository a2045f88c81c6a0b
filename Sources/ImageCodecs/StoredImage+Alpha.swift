package import HDRCore

extension StoredImage {
  /// The components and the alpha plane as images of their own.
  package func separatingAlpha() -> (main: StoredImage, alpha: StoredImage?) {
    guard format.hasAlpha, case .integer(var planes) = planes else { return (self, nil) }
    var main = format
    (main.hasAlpha, main.isAlphaPremultiplied) = (false, false)
    let alphaFormat = ImageLayout(
      width: format.width, height: format.height, components: .gray, samples: format.samples)
    let alpha = planes.removeLast()
    return (
      StoredImage(format: main, planes: .integer(planes)),
      StoredImage(format: alphaFormat, planes: .integer([alpha]))
    )
  }
}
