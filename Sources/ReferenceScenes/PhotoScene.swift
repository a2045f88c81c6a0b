// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A photo-like scene at sunset: sky, lake, trees, a house with lit windows, a lamp, some spheres.
///
/// Positions are in image heights from the top left corner; the image is 1.5 wide.
struct PhotoScene: Sendable {
  static let aspect = 1.5

  private let landscape = Landscape()
  private let objects = PhotoObjects()

  /// Linear BT.2020 components at a position, 0.0005 to 4000 cd/m².
  func light(_ u: Double, _ v: Double) -> Light {
    var light = landscape.light(u, v)
    light = objects.paint(over: light, u, v, environment: landscape)
    light += Light(1, 0.78, 0.5) * lampGlow(u, v)
    return light.clamped(
      lowerBound: Light(repeating: 0.0005), upperBound: Light(repeating: 4000))
  }

  private func lampGlow(_ u: Double, _ v: Double) -> Double {
    let d = hypot(u - PhotoObjects.lamp.u, v - PhotoObjects.lamp.v)
    return 60 * exp(-d / 0.03) + 6 * exp(-d / 0.12)
  }

  /// The scene as an image.
  static func scene(height: Int) -> Scene {
    let photo = PhotoScene()
    let width = Int(Double(height) * aspect)
    return Scene(width: width, height: height) { x, y in
      Scene.Sample(light: photo.mean(x, y, height: height))
    }
  }

  /// The spheres with alpha and soft edges.
  static func cutout(height: Int) -> Scene {
    let photo = PhotoScene()
    let width = Int(Double(height) * aspect)
    return Scene(width: width, height: height, hasCoverage: true) { x, y in
      let (u, v) = ((Double(x) + 0.5) / Double(height), (Double(y) + 0.5) / Double(height))
      return Scene.Sample(
        light: photo.mean(x, y, height: height),
        coverage: photo.objects.sphereCoverage(u, v, softness: 1.5 / Double(height)))
    }
  }

  /// Linear components at a pixel, filtered with a triangular kernel that extends one pixel.
  private func mean(_ x: Int, _ y: Int, height: Int) -> Light {
    var (sum, total) = (Light(), 0.0)
    for j in -2...2 {
      for i in -2...2 {
        let weight = Double((3 - abs(i)) * (3 - abs(j)))
        let u = (Double(x) + 0.5 + Double(i) / 3) / Double(height)
        let v = (Double(y) + 0.5 + Double(j) / 3) / Double(height)
        sum += light(u, v) * weight
        total += weight
      }
    }
    return sum / total
  }
}
