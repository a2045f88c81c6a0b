// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

/// Images resampled in bands, compared with the definition along each side.
@Suite("Resampling in bands") struct ResamplingTests {

  struct Case: Sendable, CustomTestStringConvertible {
    var size: (Int, Int)
    var part: PixelRectangle
    var target: (Int, Int)
    var testDescription: String { "\(size) \(part) \(target)" }

    init(_ size: (Int, Int), _ target: (Int, Int)) {
      self.init(size, (0, 0, size.0, size.1), target)
    }

    init(_ size: (Int, Int), _ part: (Int, Int, Int, Int), _ target: (Int, Int)) {
      self.size = size
      self.part = PixelRectangle(x: part.0, y: part.1, width: part.2, height: part.3)
      self.target = target
    }

    var resampling: Resampling {
      Resampling(part: part, width: target.0, height: target.1)
    }
  }

  static let cases = [
    Case((97, 201), (40, 83)), Case((97, 201), (200, 333)), Case((97, 201), (97, 40)),
    Case((97, 201), (31, 201)), Case((1, 1), (9, 7)), Case((33, 300), (1, 1)),
    Case((300, 3), (64, 64)), Case((97, 201), (13, 33, 51, 147), (51, 147)),
    Case((97, 201), (13, 33, 51, 147), (33, 60)), Case((97, 201), (96, 200, 1, 1), (1, 1)),
    Case((64, 700), (1, 3, 60, 691), (17, 70)), Case((20, 20), (3, 5, 1, 7), (4, 2)),
  ]

  /// A dark image with highlights of up to 10 000 cd/m² and colors outside the primaries.
  static func image(_ width: Int, _ height: Int, hasAlpha: Bool = false) -> ImagePlanes {
    let format = ImageLayout(
      width: width, height: height, components: .rgb, samples: .float, hasAlpha: hasAlpha)
    let planes = (0..<format.planeCount).map { index in
      Plane<Float>(width: width, height: height) { output in
        for y in 0..<height {
          for x in 0..<width {
            let hash = (x &* 73_856_093) ^ (y &* 19_349_663) ^ (index &* 83_492_791)
            let noise = Float(hash & 1023) / 1023
            let value = index == 3 ? noise : noise > 0.95 ? 49 : noise - 0.02
            output.append(value)
          }
        }
      }
    }
    return ImagePlanes(layout: format, planes: .float(planes))
  }

  static func light(_ image: ImagePlanes) -> ImageDescription {
    ImageDescription(
      layout: image.layout, color: ColorEncoding(primaries: .bt2020, transfer: .linear))
  }

  static func planes(_ image: ImagePlanes) -> [[Float]] {
    guard case .float(let planes) = image.planes else { return [] }
    return planes.map { plane in plane.span.indices.map { plane.span[$0] } }
  }

  static func resampled(
    _ image: ImagePlanes, _ resampling: Resampling
  ) throws -> ImagePlanes {
    var target = light(image)
    (target.layout.width, target.layout.height) = (resampling.width, resampling.height)
    return try ImageTransform(from: light(image), to: target, resampling: resampling)
      .run(image).image
  }

  /// Definition in double precision, horizontally, then vertically.
  static func definition(_ samples: [Double], _ test: Case) -> [Double] {
    func taps(_ count: Int, _ target: Int) -> ([Double]) -> [Double] {
      if count == target { return { $0 } }
      let taps = FilterTaps(from: count, to: target)
      return { taps.filtered($0) }
    }
    let part = test.part
    let (along, across) = (taps(part.width, test.target.0), taps(part.height, test.target.1))
    let rows = (part.y..<part.y + part.height).map { y in
      along((part.x..<part.x + part.width).map { samples[y * test.size.0 + $0] })
    }
    let columns = (0..<test.target.0).map { x in across(rows.map { $0[x] }) }
    return (0..<test.target.1).flatMap { y in columns.map { $0[y] } }
  }

  @Test(arguments: cases) func isTheDefinition(test: Case) throws {
    let image = Self.image(test.size.0, test.size.1)
    let result = Self.planes(try Self.resampled(image, test.resampling))
    for (plane, source) in zip(result, Self.planes(image)) {
      let expected = Self.definition(source.map { Double($0) }, test)
      #expect(plane.count == expected.count)
      for (value, expected) in zip(plane, expected) {
        // Sums of values up to 49 in single precision.
        #expect(abs(Double(value) - expected) <= 2e-5 + 2e-6 * abs(expected))
      }
    }
  }

  @Test(arguments: cases) func isTheSameForAnyNumberOfThreads(test: Case) throws {
    let image = Self.image(test.size.0, test.size.1, hasAlpha: true)
    let expected = try Execution(threads: 1).perform {
      Self.planes(try Self.resampled(image, test.resampling))
    }
    for threads in [2, 3, 7] {
      let other = try Execution(threads: threads).perform {
        Self.planes(try Self.resampled(image, test.resampling))
      }
      #expect(other == expected)
    }
    var target = Self.light(image)
    (target.layout.width, target.layout.height) = test.target
    let conversion = ImageTransform(
      from: Self.light(image), to: target, resampling: test.resampling)
    let read = try conversion.run(PlanesReader(image))
    #expect(Self.planes(read.image) == expected, "strips of a reader")
    var pieces: [[Float]] = [[], [], [], []]
    let findings = try conversion.run(PlanesReader(image)) {
      piece throws(ImageError) in
      for (index, plane) in Self.planes(piece).enumerated() { pieces[index] += plane }
    }
    #expect(pieces == expected, "pieces for a writer")
    #expect(findings.lightLevels.contentLightLevel == read.lightLevels.contentLightLevel)
  }

  @Test(arguments: cases) func keepsConstantsExactly(test: Case) throws {
    let format = ImageLayout(
      width: test.size.0, height: test.size.1, components: .rgb, samples: .float)
    let values: [Float] = [0.1, 33.333, 1e-6]
    let planes = values.map {
      Plane(width: test.size.0, height: test.size.1, filledWith: $0)
    }
    let image = ImagePlanes(layout: format, planes: .float(planes))
    for (plane, value) in zip(try Self.planes(Self.resampled(image, test.resampling)), values) {
      #expect(plane.allSatisfy { $0 == value })
    }
  }

  /// Colors of transparent pixels do not bleed into opaque ones.
  @Test func hiddenLightDoesNotBleed() throws {
    let format = ImageLayout(
      width: 64, height: 64, components: .rgb, samples: .float, hasAlpha: true)
    let left = Plane<Float>(width: 64, height: 64) { output in
      for index in 0..<64 * 64 { output.append(index % 64 < 32 ? 1000 : 0.5) }
    }
    let alpha = Plane<Float>(width: 64, height: 64) { output in
      for index in 0..<64 * 64 { output.append(index % 64 < 32 ? 0 : 1) }
    }
    let image = ImagePlanes(layout: format, planes: .float([left, left, left, alpha]))
    let result = try Self.resampled(
      image, Resampling(part: .init(x: 0, y: 0, width: 64, height: 64), width: 20, height: 20))
    let planes = Self.planes(result)
    for index in planes[3].indices where planes[3][index] > 0 {
      #expect(abs(planes[0][index] - 0.5) <= 1e-5, "pixel \(index)")
    }
    #expect(planes[3].contains { $0 > 0 && $0 < 1 }, "an edge lies between two pixels")
  }

  /// Chroma of a crop that starts between the samples of 4:2:0.
  @Test func cropsSubsampledImages() throws {
    let encoding = ColorEncoding(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    let format = ImageLayout(
      width: 61, height: 203, components: .ycbcr(.yuv420), samples: .integer(bits: 10))
    let planes = (0..<3).map { index in
      let size = format.planeSize(index)
      return Plane<UInt16>(width: size.width, height: size.height) { output in
        for place in 0..<size.width * size.height {
          output.append(UInt16(400 + (place &* 2_654_435_761 >> 7) % 100))
        }
      }
    }
    let image = ImagePlanes(layout: format, planes: .integer(planes))
    let source = ImageDescription(layout: format, color: encoding)
    var whole = source
    whole.color.matrix = .identity
    whole.color.transfer = .linear
    whole.layout = ImageLayout(width: 61, height: 203, components: .rgb, samples: .float)
    let all = try ImageTransform(from: source, to: whole).run(image).image
    let part = PixelRectangle(x: 7, y: 35, width: 41, height: 151)
    var cut = whole
    (cut.layout.width, cut.layout.height) = (part.width, part.height)
    let result = try ImageTransform(
      from: source, to: cut,
      resampling: Resampling(part: part, width: part.width, height: part.height)
    ).run(PlanesReader(image)).image
    for (plane, expected) in zip(Self.planes(result), Self.planes(all)) {
      for y in 0..<part.height {
        for x in 0..<part.width {
          #expect(plane[y * part.width + x] == expected[(y + part.y) * 61 + x + part.x])
        }
      }
    }
  }

  /// A map of a ramp, cropped with its image between samples, equals the ramp of the image.
  @Test(arguments: [
    ((300, 200), (75, 50), (41, 30, 201, 111), (201, 111)),
    ((300, 200), (75, 50), (41, 30, 201, 111), (100, 55)),
    ((300, 200), (150, 200), (1, 1, 298, 198), (149, 99)),
    ((300, 200), (600, 100), (7, 9, 31, 61), (93, 183)),
    ((301, 203), (76, 51), (3, 5, 99, 97), (99, 97)),
  ])
  func companionsStayAligned(
    image: (Int, Int), map: (Int, Int), part: (Int, Int, Int, Int), target: (Int, Int)
  ) throws {
    let format = ImageLayout(width: map.0, height: map.1, components: .gray, samples: .float)
    let scale = (Float(image.0) / Float(map.0), Float(image.1) / Float(map.1))
    /// Position of a sample of the map in the image.
    func position(_ index: Int, _ scale: Float) -> Float { (Float(index) + 0.5) * scale }
    let ramp = Plane<Float>(width: map.0, height: map.1) { output in
      for y in 0..<map.1 {
        for x in 0..<map.0 { output.append(position(x, scale.0) + position(y, scale.1)) }
      }
    }
    let resampling = Resampling(
      part: PixelRectangle(x: part.0, y: part.1, width: part.2, height: part.3),
      width: target.0, height: target.1
    ).following(image: image, companion: map)
    let result = try Self.resampled(
      ImagePlanes(layout: format, planes: .float([ramp])), resampling)
    let samples = Self.planes(result)[0]
    let step = (
      Float(part.2) / Float(resampling.width), Float(part.3) / Float(resampling.height)
    )
    for y in 4..<resampling.height - 4 {
      for x in 4..<resampling.width - 4 {
        let place =
          Float(part.0) + position(x, step.0) + Float(part.1) + position(y, step.1)
        // The error of Lanczos3 between the samples of a ramp is at most 1.998 % of their distance.
        let slack = 0.02 * (scale.0 + scale.1) + 1e-3
        #expect(abs(samples[y * resampling.width + x] - place) <= slack, "\(x), \(y)")
      }
    }
  }

  /// Light levels are those of the result.
  @Test func measuresWhatComesOut() throws {
    let image = Self.image(97, 201)
    let part = PixelRectangle(x: 5, y: 7, width: 40, height: 50)
    let resampling = Resampling(part: part, width: 11, height: 13)
    var target = Self.light(image)
    (target.layout.width, target.layout.height) = (11, 13)
    let conversion = ImageTransform(
      from: Self.light(image), to: target, resampling: resampling)
    let result = try conversion.run(image)
    let again = try ImageTransform(from: target, to: target).measure(result.image)
    for light in try [result.lightLevels, conversion.measure(image)] {
      #expect(light.contentLightLevel == again.contentLightLevel)
      #expect(light.contentHeadroom == again.contentHeadroom)
    }
  }
}
