// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ImagePlanes {
  /// Returns the components and the alpha plane as separate images.
  package func separatingAlpha() -> (main: ImagePlanes, alpha: ImagePlanes?) {
    guard layout.hasAlpha, case .integer(var planes) = planes else { return (self, nil) }
    var main = layout
    (main.hasAlpha, main.isAlphaPremultiplied) = (false, false)
    let alphaFormat = ImageLayout(
      width: layout.width, height: layout.height, components: .gray, samples: layout.samples)
    let alpha = planes.removeLast()
    return (
      ImagePlanes(layout: main, planes: .integer(planes)),
      ImagePlanes(layout: alphaFormat, planes: .integer([alpha]))
    )
  }
}
