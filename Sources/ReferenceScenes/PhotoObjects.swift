// SPDX-License-Identifier: Apache-2.0
internal import Foundation

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
