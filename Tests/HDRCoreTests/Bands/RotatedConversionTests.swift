// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

/// Images rotated during conversion, compared with images rotated after conversion.
@Suite("Rotated conversion") struct RotatedConversionTests {
  private static let pq = ColorEncoding(
    primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
  private static let linear = ColorEncoding(primaries: .displayP3, transfer: .linear)

  /// Dimensions that are not multiples of a band.
  private static let source = ImageLayout(
    width: 45, height: 70, components: .rgb, samples: .float)

  private func conversion(
    _ source: ImageLayout, to target: ImageLayout, _ encoding: ColorEncoding,
    isFullRange: Bool = true, chromaLocation: ChromaLocation = .left, from orientation: Orientation
  ) -> ImageTransform {
    var format = target
    (format.width, format.height) = (source.width, source.height)
    return ImageTransform(
      from: .init(layout: source, color: Self.linear),
      to: .init(
        layout: format.upright(from: orientation),
        color: encoding.coded(isFullRange: isFullRange, chroma: chromaLocation)),
      orientation: orientation)
  }

  /// The sample at `storedPosition` in one plane is at (x, y) in the other.
  private func expectRotated<Sample: Equatable>(
    _ rotated: [Plane<Sample>], from stored: [Plane<Sample>], _ orientation: Orientation
  ) {
    #expect(rotated.count == stored.count)
    for (rotated, stored) in zip(rotated, stored) {
      #expect(rotated == stored.upright(from: orientation), "\(orientation)")
    }
  }

  @Test(arguments: Orientation.allCases, [1, 3])
  func codesAreTheSame(orientation: Orientation, threads: Int) throws {
    for hasAlpha in [false, true] {
      var source = Self.source
      source.hasAlpha = hasAlpha
      let image = randomImage(source, seed: 3, floats: 0...60)
      for components in [ImageLayout.Components.rgb, .gray, .ycbcr(.yuv444)] {
        let target = ImageLayout(
          width: 1, height: 1, components: components, samples: .integer(bits: 12),
          hasAlpha: hasAlpha)
        var encoding = Self.pq
        if components == .rgb { encoding.matrix = .identity }
        let (plain, rotated) = try Execution(threads: threads).perform {
          (
            try conversion(source, to: target, encoding, from: .upright).run(image),
            try conversion(source, to: target, encoding, from: orientation)
              .run(PlanesReader(image))
          )
        }
        expectRotated(
          try #require(rotated.image.integerPlanes), from: try #require(plain.image.integerPlanes),
          orientation)
        #expect(rotated.lightLevels.maximum == plain.lightLevels.maximum)
        #expect(abs(rotated.lightLevels.average / plain.lightLevels.average - 1) < 1e-9)
        #expect(rotated.clipping == plain.clipping)
      }
    }
  }

  @Test(arguments: Orientation.allCases)
  func floatsAreTheSame(orientation: Orientation) throws {
    var linear = Self.pq
    (linear.transfer, linear.matrix) = (.linear, .identity)
    let image = randomImage(Self.source, seed: 4, floats: 0...60)
    for samples in [ImageLayout.Samples.float, .half] {
      let target = ImageLayout(width: 1, height: 1, components: .rgb, samples: samples)
      let plain = try conversion(Self.source, to: target, linear, from: .upright)
        .run(image).image
      let rotated = try conversion(Self.source, to: target, linear, from: orientation)
        .run(image).image
      switch (rotated.planes, plain.planes) {
      case (.float(let rotated), .float(let plain)):
        expectRotated(rotated, from: plain, orientation)
      case (.half(let rotated), .half(let plain)): expectRotated(rotated, from: plain, orientation)
      default: Issue.record("planes of an unexpected sample type")
      }
    }
  }

  /// Chroma is sited as in the upright image, which equals rotating linear values first.
  ///
  /// A code may round differently, because full-resolution chroma has 16 bits.
  @Test(
    arguments: Orientation.allCases, [ChromaSubsampling.yuv422, .yuv420])
  func chromaIsSitedAfterTheRotation(orientation: Orientation, chroma: ChromaSubsampling) throws {
    let image = randomImage(Self.source, seed: 5, floats: 0...60)
    let upright = image.upright(from: orientation)
    for chromaLocation in [ChromaLocation.left, .center] {
      for isFullRange in [true, false] {
        let target = ImageLayout(
          width: 1, height: 1, components: .ycbcr(chroma), samples: .integer(bits: 10))
        let expected = try #require(
          conversion(
            upright.layout, to: target, Self.pq, isFullRange: isFullRange,
            chromaLocation: chromaLocation, from: .upright
          )
          .run(upright).image.integerPlanes)
        let found = try #require(
          conversion(
            Self.source, to: target, Self.pq, isFullRange: isFullRange,
            chromaLocation: chromaLocation, from: orientation
          )
          .run(image).image.integerPlanes)
        #expect(found[0] == expected[0])
        for index in 1...2 {
          let differences = zip(samples(found[index]), samples(expected[index]))
            .map { abs(Int($0) - Int($1)) }
          #expect(differences.max() ?? 9 <= 1)
          #expect(differences.count { $0 > 0 } * 50 < differences.count)
        }
      }
    }
  }

  @Test func definitionOfRotation() {
    let stored = plane([1, 2, 3, 4, 5, 6] as [UInt16], width: 3)
    #expect(samples(stored.upright(from: .mirrored)) == [3, 2, 1, 6, 5, 4])
    #expect(samples(stored.upright(from: .rotated180)) == [6, 5, 4, 3, 2, 1])
    #expect(samples(stored.upright(from: .flipped)) == [4, 5, 6, 1, 2, 3])
    #expect(samples(stored.upright(from: .transposed)) == [1, 4, 2, 5, 3, 6])
    #expect(samples(stored.upright(from: .rotated90)) == [4, 1, 5, 2, 6, 3])
    #expect(samples(stored.upright(from: .transversed)) == [6, 3, 5, 2, 4, 1])
    #expect(samples(stored.upright(from: .rotated270)) == [3, 6, 2, 5, 1, 4])
    for orientation in Orientation.allCases {
      #expect(stored.upright(from: orientation).upright(from: orientation.inverse) == stored)
    }
  }
}
