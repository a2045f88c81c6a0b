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
    return light.clamped(lowerBound: Light(repeating: 0.0005), upperBound: Light(repeating: 4000))
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

/// The objects of the photo-like scene, from back to front.
struct PhotoObjects: Sendable {
  static let lamp = (u: 0.655, v: 0.33)

  /// Material of a sphere.
  private enum Surface {
    case matte(Light)
    case skin(Light)
    case chrome
  }

  private struct Sphere {
    var u: Double
    var v: Double
    var radius: Double
    var surface: Surface
  }

  private let spheres = [
    Sphere(u: 0.640, v: 0.845, radius: 0.075, surface: .skin(Light(0.62, 0.42, 0.30))),
    Sphere(u: 0.800, v: 0.860, radius: 0.065, surface: .skin(Light(0.25, 0.145, 0.09))),
    Sphere(u: 0.940, v: 0.870, radius: 0.058, surface: .chrome),
    Sphere(u: 1.060, v: 0.885, radius: 0.045, surface: .matte(Light(0.72, 0.012, 0.006))),
    Sphere(u: 1.155, v: 0.893, radius: 0.038, surface: .matte(Light(0.01, 0.36, 0.025))),
    Sphere(u: 1.238, v: 0.899, radius: 0.032, surface: .matte(Light(0.015, 0.03, 0.55))),
  ]

  /// Direction from the surface to the key light: upper left, in front.
  private let key = normalized(Light(-0.55, -0.6, 0.58))

  /// Draws the objects over the linear components of the background.
  func paint(over light: Light, _ u: Double, _ v: Double, environment: Landscape) -> Light {
    var light = house(over: light, u, v)
    light = lampPost(over: light, u, v)
    light = tree(over: light, u, v)
    light = board(over: light, u, v)
    light = shadows(on: light, u, v)
    for sphere in spheres {
      let (x, y) = ((u - sphere.u) / sphere.radius, (v - sphere.v) / sphere.radius)
      guard x * x + y * y < 1 else { continue }
      light = shade(sphere.surface, Light(x, y, (1 - x * x - y * y).squareRoot()), environment)
    }
    return light
  }

  /// Alpha of the spheres: 1 inside, 0 outside, with soft edges.
  func sphereCoverage(_ u: Double, _ v: Double, softness: Double) -> Double {
    spheres.map { sphere in
      let edge = hypot(u - sphere.u, v - sphere.v) - sphere.radius
      return 1 - smoothstep(-softness, softness, edge)
    }.max() ?? 0
  }

  private func shade(_ surface: Surface, _ normal: Light, _ environment: Landscape) -> Light {
    let facing = (normal * key).sum()
    let half = normalized(key + Light(0, 0, 1))
    let alignment = max((normal * half).sum(), 0)
    // Illuminance divided by pi: a white card facing the key light has 260 cd/m².
    let ambient = Light(17, 20, 27) * (0.6 - 0.4 * normal.y)
    let rim = Light(430, 240, 110) * pow(1 - normal.z, 4) * max(normal.x, 0)
    switch surface {
    case .matte(let albedo):
      let diffuse = albedo * (Light(260, 246, 225) * max(facing, 0) + ambient)
      return diffuse + Light(repeating: 1900 * pow(alignment, 220)) + rim * albedo
    case .skin(let albedo):
      // Subsurface scattering is redder and extends beyond the terminator.
      let wrapped = Light(max(facing + 0.22, 0) / 1.22, max(facing + 0.1, 0) / 1.1, max(facing, 0))
      let pores = 0.93 + 0.14 * Noise.fractal(normal.x * 24, normal.y * 24, octaves: 3, seed: 53)
      let diffuse = albedo * pores * (Light(260, 246, 225) * wrapped + ambient)
      return diffuse + Light(repeating: 110 * pow(alignment, 26)) + rim * 0.5
    case .chrome:
      let reflected = Light(0, 0, -1) + normal * (2 * normal.z)
      let lamp = 4000 * smoothstep(0.9965, 0.9985, (reflected * key).sum())
      let v = Landscape.horizon + reflected.y * 0.5
      let u = Landscape.sun.u + reflected.x * 0.9
      let around = v < Landscape.horizon ? environment.sky(u, v) : environment.light(u, v)
      return around * 0.72 + Light(repeating: lamp)
    }
  }

  private func shadows(on light: Light, _ u: Double, _ v: Double) -> Light {
    spheres.reduce(light) { light, sphere in
      let dx = (u - sphere.u - sphere.radius * 0.7) / (sphere.radius * 1.7)
      let dy = (v - sphere.v - sphere.radius * 0.95) / (sphere.radius * 0.32)
      return light * (1 - 0.93 * smoothstep(1, 0.2, hypot(dx, dy)))
    }
  }

  private func house(over light: Light, _ u: Double, _ v: Double) -> Light {
    let (x, y) = (u - 1.19, v - 0.42)
    let roof = 0.42 - 0.14 + abs(u - 1.345) * 0.75
    if v > roof, v < 0.425, u > 1.15, u < 1.54 {
      let tiles = 0.6 + 0.6 * Noise.hash(Int(u * 90), Int(v * 130), seed: 61)
      return Light(5.2, 2.4, 1.6) * tiles
    }
    guard x > 0, x < 0.31, y > 0, y < 0.262 else { return light }
    let pane = (x.truncatingRemainder(dividingBy: 0.1), y.truncatingRemainder(dividingBy: 0.125))
    if pane.0 > 0.028, pane.0 < 0.078, pane.1 > 0.035, pane.1 < 0.1 {
      let isBar = abs(pane.0 - 0.053) < 0.0022 || abs(pane.1 - 0.068) < 0.0022
      let curtain = 0.75 + 0.25 * sin(u * 700)
      return isBar ? Light(3, 2, 1.4) : Light(900, 470, 150) * curtain * (1.25 - 4 * pane.1)
    }
    let course = Int(v * 110)
    let brick = Noise.hash(Int(u * 48 + (course % 2 == 0 ? 0.5 : 0)), course, seed: 67)
    return Light(9, 5.2, 3.6) * (0.55 + 0.7 * brick)
  }

  private func lampPost(over light: Light, _ u: Double, _ v: Double) -> Light {
    let (x, y) = (u - Self.lamp.u, v - Self.lamp.v)
    let d = hypot(x, y)
    if d < 0.022 { return Light(4000, 3500, 2500) * (1 - 0.35 * smoothstep(0.012, 0.022, d)) }
    if abs(x) < 0.0042, y > 0, v < 0.76 { return Light(1.2, 1.1, 1.0) * (2 - abs(x) * 300) }
    return light
  }

  private func tree(over light: Light, _ u: Double, _ v: Double) -> Light {
    let bend = 0.19 + 0.02 * sin(v * 7)
    let bark = Noise.fractal(u * 120, v * 18, octaves: 4, seed: 71)
    let isTrunk = abs(u - bend) < 0.021 + 0.03 * smoothstep(0.6, 0.85, v) && v > 0.3 && v < 0.83
    var light = isTrunk ? Light(3.4, 2.3, 1.5) * pow(bark, 2) * 2 * (v > 0.7 ? 0.35 : 1) : light
    // Three layers of leaves, the nearest darkest.
    for layer in 0..<3 {
      let scale = 46.0 - Double(layer) * 9
      let crown = hypot((u - 0.2) / 0.34, (v - 0.24) / 0.27)
      let gaps = Noise.fractal(u * 9, v * 9, octaves: 4, seed: 73 &+ UInt32(layer) * 9)
      let (distance, id) = Noise.cells(u * scale, v * scale * 1.25, seed: 79 &+ UInt32(layer) * 9)
      guard crown + (gaps - 0.5) * 1.5 < 0.92, distance < 0.3 + 0.25 * id else { continue }
      let glow = exp(-hypot(u - Landscape.sun.u, v - Landscape.sun.v) / 0.35)
      let through = Light(1.1, 1.5, 0.1) * (2 + 60 * glow) * id * id
      let surface = Light(0.9, 1.6, 0.5) * (2.2 + 2.2 * id)
      let vein = 1 - 0.4 * smoothstep(0.05, 0, distance)
      light = (surface + through * (layer == 0 ? 1 : 0.4)) * vein * pow(0.62, Double(layer))
    }
    return light
  }

  private func board(over light: Light, _ u: Double, _ v: Double) -> Light {
    let (x, y) = (u - 1.292, v - 0.742)
    if abs(x - 0.085) < 0.006, y > 0.13, y < 0.2 { return Light(5, 3.4, 2.2) }
    guard x > 0, x < 0.17, y > 0, y < 0.14 else { return light }
    guard x > 0.006, x < 0.164, y > 0.006, y < 0.134 else { return Light(4.5, 2.6, 1.4) }
    let paper = Light(168, 158, 138) * (0.93 + 0.07 * Noise.value(u * 300, v * 300, seed: 89))
    // One glyph pixel is one pixel of an image of 512 rows, and half a pixel in the lower half.
    let isFine = y > 0.09
    let scale = isFine ? 1024.0 : 512.0
    let (px, py) = (Int((x - 0.012) * scale), Int((y - (isFine ? 0.092 : 0.014)) * scale))
    return Glyphs.isInk(px, py, lines: isFine ? Self.small : Self.large) ? Light(4, 4, 5) : paper
  }

  private static let large = ["LIGHT TO", "PQ 203 400", "HLG 1000", "PEAK 4000"].map(Array.init)
  private static let small = [
    "FINE PRINT IS THE FIRST", "THING TO GO WITH CHROMA", "AT HALF THE RESOLUTION",
  ].map(Array.init)
}

private func normalized(_ vector: Light) -> Light { vector / (vector * vector).sum().squareRoot() }

/// Reproducible noise from integer hashes, equal on all machines.
enum Noise {
  /// Uniformly distributed value in 0..<1 for integer coordinates.
  static func hash(_ x: Int, _ y: Int, seed: UInt32) -> Double {
    var h = UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1
    h ^= UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
    h ^= seed &* 0xC2B2_AE3D
    h ^= h >> 15
    h = h &* 0x2C1B_3C6D
    h ^= h >> 12
    h = h &* 0x297A_2D39
    h ^= h >> 15
    return Double(h) / 4_294_967_296
  }

  /// Smooth noise in 0...1, with features of size 1.
  static func value(_ x: Double, _ y: Double, seed: UInt32) -> Double {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let (column, row) = (Int(left), Int(top))
    let (u, v) = (smoothstep(0, 1, x - left), smoothstep(0, 1, y - top))
    let upper = hash(column, row, seed: seed) * (1 - u) + hash(column + 1, row, seed: seed) * u
    let lower =
      hash(column, row + 1, seed: seed) * (1 - u) + hash(column + 1, row + 1, seed: seed) * u
    return upper * (1 - v) + lower * v
  }

  /// Noise of several octaves in 0...1, each with half the feature size and amplitude of the
  /// previous one.
  static func fractal(_ x: Double, _ y: Double, octaves: Int, seed: UInt32) -> Double {
    var (sum, weight, total, scale) = (0.0, 1.0, 0.0, 1.0)
    for octave in 0..<octaves {
      sum += weight * value(x * scale, y * scale, seed: seed &+ UInt32(octave))
      total += weight
      weight /= 2
      scale *= 2
    }
    return sum / total
  }

  /// Cellular noise with one point per cell of size 1: distance to the nearest point, and its
  /// identifier in 0..<1.
  static func cells(_ x: Double, _ y: Double, seed: UInt32) -> (distance: Double, id: Double) {
    let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    var nearest = (distance: Double.infinity, id: 0.0)
    for j in row - 1...row + 1 {
      for i in column - 1...column + 1 {
        let dx = Double(i) + hash(i, j, seed: seed) - x
        let dy = Double(j) + hash(i, j, seed: seed &+ 1) - y
        let distance = (dx * dx + dy * dy).squareRoot()
        if distance < nearest.distance { nearest = (distance, hash(i, j, seed: seed &+ 2)) }
      }
    }
    return nearest
  }
}
