// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The background of the photo-like scene: sky, hills, lake and meadow.
struct Landscape: Sendable {
  static let horizon = 0.50
  static let sun = (u: 0.93, v: 0.435, radius: 0.026)
  private static let sunlight = Light(4000, 3300, 2100)

  /// Linear BT.2020 components at a position, in cd/m².
  func light(_ u: Double, _ v: Double) -> Light {
    let shore = 0.665 + 0.02 * Noise.fractal(u * 4, 1, octaves: 4, seed: 31)
    if v > shore { return meadow(u, v, shore: shore) }
    if v > Self.horizon { return lake(u, v) }
    return hills(u, v) ?? sky(u, v)
  }

  /// Linear components of the sky; `v` may be above the image, for reflections.
  func sky(_ u: Double, _ v: Double) -> Light {
    let height = min(max((Self.horizon - v) / Self.horizon, 0), 1.2)
    var light = mix(Light(560, 300, 130), Light(120, 130, 170), smoothstep(0, 0.45, height))
    light = mix(light, Light(16, 34, 95), smoothstep(0.3, 1.15, height))
    let d = hypot(u - Self.sun.u, v - Self.sun.v)
    light += Light(1, 0.66, 0.3) * (700 * exp(-d / 0.05) + 150 * exp(-d / 0.22))
    light = clouds(over: light, u, height, sunDistance: d)
    let disc = 1 - smoothstep(Self.sun.radius * 0.9, Self.sun.radius, d)
    return mix(light, Self.sunlight, disc)
  }

  private func clouds(over light: Light, _ u: Double, _ height: Double, sunDistance d: Double)
    -> Light
  {
    // Clouds are wider than high, and denser near the horizon.
    let y = 3.2 / (height + 0.35)
    let density = Noise.fractal(u * 2.2 + 5, y * 1.9, octaves: 6, seed: 7)
    let lit = Noise.fractal(u * 2.2 + 5.04, y * 1.9 + 0.12, octaves: 5, seed: 7)
    let amount = 0.85 * smoothstep(0.47, 0.68, density) * smoothstep(0.05, 0.25, height)
    let edge = smoothstep(-0.06, 0.12, density - lit)
    let warm = Light(620, 300, 150) * (0.35 + 1.3 * exp(-d / 0.35))
    return mix(light, mix(Light(42, 44, 62), warm, edge), amount)
  }

  private func hills(_ u: Double, _ v: Double) -> Light? {
    let near = 0.492 - 0.03 * Noise.fractal(u * 5 + 2, 3, octaves: 5, seed: 19)
    if v > near {
      let texture = Noise.fractal(u * 90, v * 140, octaves: 3, seed: 20)
      return Light(7, 8, 6) * (0.5 + texture) + Light(14, 7, 4) * exp(-abs(u - Self.sun.u) / 0.2)
    }
    let far = 0.475 - 0.075 * Noise.fractal(u * 2.3 + 9, 8, octaves: 5, seed: 17)
    guard v > far else { return nil }
    let haze = exp(-abs(u - Self.sun.u) / 0.3)
    return mix(Light(52, 54, 78), Light(240, 120, 62), haze)
  }

  private func lake(_ u: Double, _ v: Double) -> Light {
    let depth = v - Self.horizon
    let perspective = 1 / (depth + 0.02)
    let ripple = Noise.fractal(u * perspective * 0.9, perspective * 5.5, octaves: 4, seed: 23) - 0.5
    let mirrored = Self.horizon - depth * 1.35 - ripple * (0.05 + depth * 0.7)
    let (x, y) = (u + ripple * 0.02, min(mirrored, Self.horizon - 0.002))
    let reflected = hills(x, y) ?? sky(x, y)
    var light = reflected * (0.42 + 0.25 * exp(-depth / 0.04)) + Light(3, 5, 7)
    let path = exp(-pow((u - Self.sun.u) / (0.03 + depth * 0.45), 2))
    let (cell, id) = Noise.cells(u * 210, perspective * 34, seed: 29)
    if id < 0.55 * path { light += Self.sunlight * smoothstep(0.5, 0.12, cell) * (0.25 + id) }
    return light
  }

  private func meadow(_ u: Double, _ v: Double, shore: Double) -> Light {
    let depth = v - shore
    let scale = 1 / (0.25 + depth * 2.2)
    let x = (u - 0.75) * scale
    let blades = Noise.fractal(x * 60, scale * 30, octaves: 3, seed: 37)
    let patches = Noise.fractal(u * 9, v * 16, octaves: 4, seed: 41)
    let hue = mix(Light(1.5, 1.9, 0.32), Light(2.6, 1.7, 0.42), smoothstep(0.35, 0.7, patches))
    let sunward = 0.3 + 1.5 * exp(-hypot(u - Self.sun.u, depth * 1.6) / 0.45)
    var light = hue * (14 * sunward * (0.35 + blades) * (0.35 + patches))
    // The tips of the blades are bright in backlight.
    light += Light(90, 62, 14) * smoothstep(0.66, 0.9, blades) * sunward * exp(-depth / 0.1)
    light = flowers(over: light, u, v, depth: depth)
    // The lower left corner is in the shade of a tree, down to the black level of displays.
    let shade = smoothstep(0.62, 0.0, hypot(u, (1 - v) * 1.25))
    return light * pow(0.0006, shade)
  }

  private func flowers(over light: Light, _ u: Double, _ v: Double, depth: Double) -> Light {
    let scale = 1 / (0.25 + depth * 2.2)
    let (distance, id) = Noise.cells((u - 0.75) * scale * 26, scale * 22, seed: 43)
    guard id < 0.07, depth > 0.02 else { return light }
    let petal = [Light(70, 2, 3), Light(85, 60, 2), Light(16, 6, 75)][Int(id * 42) % 3]
    return mix(light, petal, smoothstep(0.34, 0.22, distance))
  }
}
