// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@Suite("Dither") struct DitherTests {
  private static func codes(ofSignal signal: Double, y: Int = 0) throws -> [Int] {
    let (width, height) = (64, 64)
    let light = Float(SRGB.eotf(signal))
    let plane = Plane<Float>(width: width, height: height) { samples in
      for _ in 0..<width * height { samples.append(light) }
    }
    var layout = ImageLayout(width: width, height: height, components: .rgb, samples: .float)
    let linear = ImageDescription(
      layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .linear))
    let image = ImagePlanes(layout: layout, planes: .float([plane, plane, plane]))
    layout.samples = .integer(bits: 8)
    var transform = ImageTransform(
      from: linear,
      to: ImageDescription(
        layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb)))
    transform.isDithered = true
    guard case .integer(let planes) = try transform.run(image).image.planes else {
      return []
    }
    let components = planes.map { plane in
      let samples = plane.span
      return samples.indices.map { Int(samples[$0]) }
    }
    // Gray stays neutral.
    #expect(components[0] == components[1] && components[0] == components[2])
    return components[0]
  }

  /// The mean of an area is more precise than single codes.
  @Test(arguments: [100.1, 100.25, 100.4, 100.6, 37.9]) func meanIsRight(code: Double) throws {
    let codes = try Self.codes(ofSignal: code / 255)
    #expect(Set(codes).isSubset(of: [Int(clamping: code), Int(clamping: code) + 1]))
    let mean = Double(codes.reduce(0, +)) / Double(codes.count)
    #expect(abs(mean - code) < 0.03, "\(mean)")
    // The same for each eighth of the area, so the pattern does not have visible structure.
    for part in 0..<8 {
      let rows = codes[part * 512..<(part + 1) * 512]
      #expect(abs(Double(rows.reduce(0, +)) / 512 - code) < 0.06)
    }
  }

  @Test(arguments: [0, 1, 77, 128, 254, 255]) func codesStay(code: Int) throws {
    #expect(try Set(Self.codes(ofSignal: Double(code) / 255)) == [code])
  }
}
