// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@Suite("Image") struct ImageTests {
  private static let pq = ColorEncoding(primaries: .bt2020, transfer: .pq)
  private static let layout = ImageLayout(
    width: 37, height: 41, components: .rgb, samples: .integer(bits: 12), hasAlpha: true)

  /// Code values to linear values and back, in memory and by rows.
  @Test(arguments: [false, true]) func roundTrip(readsRows: Bool) throws {
    let planes = randomImage(Self.layout, seed: 4, codes: 0...0.7)
    let description = ImageDescription(layout: Self.layout, color: Self.pq)
    let image =
      readsRows
      ? Image(description) { () throws(ImageError) in PlanesReader(planes) }
      : try Image(description, planes: planes.planes)
    #expect(image.isInMemory == !readsRows)
    let linear = try image.linear()
    #expect(linear.color == Self.pq.linear && linear.layout.samples == .float)
    #expect(try linear.transformed(to: description).planes().integerPlanes == planes.integerPlanes)
    #expect(try image.loaded().isInMemory)
    let transform = try ImageTransform(validating: description, to: linear.description)
    #expect(
      try transform.measure(image).contentLightLevel == image.lightLevels().contentLightLevel)
  }

  /// Interleaved linear values to code values for a buffer.
  @Test func buffers() throws {
    let layout = PixelLayout(.rgbaFloat, width: 2, height: 1, alpha: .opaque)
    let values: [Float] = [1, 0.5, 0, 1, 2, 1, 0.25, 1]
    let bytes = values.flatMap { value in (0..<4).map { UInt8(value.bitPattern >> ($0 * 8) & 255) }
    }
    let image = try Image(
      pixels: bytes.span, layout: layout,
      color: ColorEncoding(primaries: .bt2020, transfer: .linear)
    )
    #expect(try image.pixels(as: layout) == bytes)
    #expect(abs(try image.contentHeadroom().ratio - 2) < 0.04)
    let words = PixelLayout(.rgb10a2, width: 2, height: 1, alpha: .opaque)
    let coded = try image.pixels(as: words, color: Self.pq)
    let red = Int(coded[0]) | Int(coded[1]) << 8
    #expect(red & 1023 == Int(clamping: (PQ.inverseEOTF(203) * 1023).rounded()))
    let quiet = try image.toneMapped(to: .standard)
    #expect(try quiet.lightLevels().maximum <= 203.01)
  }

  /// Linear values that a decoder averages have the same light levels at half the size.
  @Test func reducedForLight() {
    func image(_ width: Int, _ height: Int, leastRest: Double) -> Image {
      @Sendable func description(_ factor: Int) -> ImageDescription {
        ImageDescription(
          layout: ImageLayout(
            width: width / factor, height: height / factor, components: .rgb, samples: .float),
          color: Self.pq.linear)
      }
      @Sendable func reader() throws(ImageError) -> any RowReader { throw ImageError(.cancelled) }
      return Image(
        description(1), reduced: { Image(description($0), rows: reader) }, leastRest: leastRest,
        rows: reader)
    }
    func size(_ image: Image, _ part: PixelRectangle) -> [Int] {
      let found = image.reduced(forLightOf: part)
      return [found.image.layout.width, found.image.layout.height]
        + [found.part.x, found.part.y, found.part.width, found.part.height]
    }
    let large = image(3000, 2000, leastRest: 1)
    let whole = PixelRectangle(x: 0, y: 0, width: 3000, height: 2000)
    #expect(size(large, whole) == [1500, 1000, 0, 0, 1500, 1000])
    let part = PixelRectangle(x: 1, y: 3, width: 2999, height: 1996)
    #expect(size(large, part) == [1500, 1000, 0, 1, 1500, 999])
    let small = PixelRectangle(x: 0, y: 0, width: 2000, height: 2000)
    #expect(size(large, small) == [3000, 2000, 0, 0, 2000, 2000])
    let encoded = image(3000, 2000, leastRest: Image.usualRest)
    #expect(size(encoded, whole) == [3000, 2000, 0, 0, 3000, 2000])
  }

  @Test func upright() throws {
    let layout = ImageLayout(width: 3, height: 2, components: .gray, samples: .integer(bits: 8))
    var image = try Image(
      ImageDescription(layout: layout, color: .data),
      planes: .integer([plane([1, 2, 3, 4, 5, 6] as [UInt16], width: 3)]))
    image.orientation = .rotated90
    let rotated = try image.upright()
    #expect(rotated.orientation == .upright && rotated.layout.width == 2)
    #expect(try rotated.planes().integerPlanes.map { samples($0[0]) } == [4, 1, 5, 2, 6, 3])
  }

  /// Invalid arguments throw.
  @Test func mistakes() throws {
    let description = ImageDescription(layout: Self.layout, color: Self.pq)
    func expectRefusal(_ body: () throws -> Void) {
      let error = #expect(throws: ImageError.self, performing: body)
      #expect(error?.category == .invalidArgument)
    }
    let small = Plane<UInt16>(width: 2, height: 2, filledWith: 0)
    expectRefusal { _ = try Image(description, planes: .integer([small, small, small, small])) }
    expectRefusal { _ = try Image(description, planes: .integer([small])) }
    expectRefusal { _ = try Image(description, planes: .float([])) }
    let planes = randomImage(Self.layout, seed: 4)
    let image = try Image(description, planes: planes.planes)
    var target = description
    target.layout.width = 36
    expectRefusal { _ = try image.transformed(to: target) }
    target = description
    target.layout.components = .ycbcr(.yuv420)
    expectRefusal { _ = try image.transformed(to: target) }
    target.color.matrix = .bt2020NonConstant
    target.color.chromaLocation = .topLeft
    expectRefusal { _ = try image.transformed(to: target) }
    target = description
    target.layout.samples = .integer(bits: 17)
    expectRefusal { _ = try image.transformed(to: target) }
    expectRefusal { _ = try image.transformed(to: description, exposure: .nan) }
    target = description
    target.color.referenceWhite = 0
    expectRefusal { _ = try image.transformed(to: target) }
    expectRefusal {
      let part = PixelRectangle(x: 30, y: 0, width: 8, height: 8)
      _ = try ImageTransform(
        validating: description, to: description,
        resampling: Resampling(part: part, width: 37, height: 41))
    }
    expectRefusal {
      var other = description
      other.layout.hasAlpha = false
      _ = try ImageTransform(validating: other, to: other).run(image)
    }
    expectRefusal {
      let liar = Image(description) { () throws(ImageError) in
        PlanesReader(
          ImagePlanes(
            layout: ImageLayout(
              width: 2, height: 2, components: .gray, samples: .integer(bits: 8)),
            planes: .integer([small])))
      }
      _ = try liar.linear()
    }
    expectRefusal {
      _ = try Image(
        pixels: [UInt8]().span, layout: PixelLayout(.rgba8, width: 0, height: 4),
        color: Self.pq)
    }
  }
}
