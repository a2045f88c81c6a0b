// SPDX-License-Identifier: Apache-2.0
import Foundation
import GainMap
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import RAWDevelop
import TestSupport
import Testing

/// Extreme numbers for all public initializers and functions that take numbers: none ends the process, and
/// what is made of them is not a number only if an argument is.
@Suite("Hostile numbers") struct HostileNumbersTests {
  /// Numbers in an order that a seed determines.
  private struct Numbers {
    private static let numbers: [Double] = [
      .nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      -.greatestFiniteMagnitude, 0, -0.0, -1, 1, 0.5, 2, 32, 33, 203, 10_000, 1e-300, 1e18, 1e300,
    ]
    private static let integers: [Int] = [
      .min, .min + 1, -1 << 32, -1, 0, 1, 2, 3, 8, 16, 33, 255, 256, 65_535, 65_536, 1 << 31,
      1 << 32,
      1 << 62, .max - 1, .max,
    ]

    private var generator: SplitMix

    init(seed: UInt64) { generator = SplitMix(seed: seed) }

    mutating func number() -> Double { Self.numbers.randomElement(using: &generator) ?? 0 }

    mutating func integer() -> Int { Self.integers.randomElement(using: &generator) ?? 0 }

    mutating func vector() -> SIMD3<Double> { [number(), number(), number()] }

    mutating func light() -> Chromaticity { Chromaticity(x: number(), y: number()) }

    mutating func primaries() -> ColorPrimaries {
      ColorPrimaries(red: light(), green: light(), blue: light(), white: light())
    }

    mutating func rectangle() -> PixelRectangle {
      PixelRectangle(x: integer(), y: integer(), width: integer(), height: integer())
    }

    mutating func range() -> Range<Int> {
      let (first, second) = (integer(), integer())
      return min(first, second)..<max(first, second)
    }

    mutating func flag() -> Bool { Bool.random(using: &generator) }
  }

  private static let image: SourceImage? = try? {
    let samples = (0..<16 * 16 * 3).map { Float($0) / 256 }
    return SourceImage(
      try Image(
        pixels: samples.span, layout: PixelLayout(.rgbFloat, width: 16, height: 16),
        color: ColorEncoding(primaries: .bt2020, transfer: .linear)))
  }()

  @Test(arguments: 0..<40) func color(seed: UInt64) {
    var numbers = Numbers(seed: seed)
    for _ in 0..<100 {
      let (value, white) = (numbers.number(), numbers.number())
      for transfer in [TransferFunction.linear, .pq, .hlg, .srgb] {
        _ = transfer.linearValue(
          ofSignal: value, component: numbers.integer(), referenceWhite: white)
        _ = transfer.signal(ofLinear: value, component: numbers.integer(), referenceWhite: white)
      }
      _ = [PQ.eotf(value), PQ.inverseEOTF(value), SRGB.eotf(value), SRGB.inverseEOTF(value)]
      _ = [HLG.oetf(value), HLG.inverseOETF(value)]
      _ = HLG.linearValue(ofSignal: numbers.vector(), referenceWhite: white)
      _ = HLG.signal(ofLinear: numbers.vector(), referenceWhite: white)
      _ = HLG.pqSignal(ofHLG: numbers.vector())
      _ = HLG.hlgSignal(ofPQ: numbers.vector())
      _ = HLG.ootf(numbers.vector(), peak: value, gamma: white, weights: numbers.vector())
      _ = HLG.inverseOOTF(numbers.vector(), peak: value, gamma: white, weights: numbers.vector())
      _ = HLG.systemGamma(peak: value, ambient: white)
      let display = HLG.Display(
        peakLuminance: value, blackLuminance: white, ambientLuminance: numbers.number())
      _ = HLG.eotf(numbers.vector(), display: display)
      let primaries = numbers.primaries()
      _ = primaries.isClose(to: .bt2020, tolerance: value)
      _ = Headroom(ratio: value).stops + Headroom(stops: white).ratio
      _ = try? DynamicRange.Mix(
        standard: value, constrainedHigh: white, high: numbers.number())
    }
  }

  @Test(arguments: 0..<40) func toneMapping(seed: UInt64) {
    var numbers = Numbers(seed: seed)
    for _ in 0..<50 {
      let (content, display) = (
        Headroom(stops: numbers.number()), Headroom(ratio: numbers.number())
      )
      for method in ToneMapOperator.allCases {
        let rendition = try? Rendition(
          method, content: content, key: numbers.flag() ? numbers.number() : nil, display: display,
          referenceWhite: numbers.number())
        if let mapped = rendition?.toneMapped([0.2, 0.5, 3]) {
          #expect(
            mapped.x.isFinite && mapped.y.isFinite && mapped.z.isFinite,
            "\(method) from \(content) to \(display): \(mapped)")
        }
        _ = rendition?.toneMapped(numbers.vector(), for: numbers.primaries())
      }
      _ = try? AdaptiveToneMap.shoulder(content: content, alternateCount: numbers.integer())
      _ = try? DisplayPreset(
        referenceWhite: numbers.number(), peakLuminance: numbers.number(),
        primaries: numbers.primaries(), surroundLuminance: numbers.number(),
        blackLuminance: numbers.number())
      _ = try? AdaptiveToneMap.GainCurve([
        .init(light: numbers.number(), gain: numbers.number(), slope: numbers.number()),
        .init(light: numbers.number(), gain: numbers.number(), slope: numbers.number()),
      ]).gain(ofLinear: numbers.number())
    }
  }

  @Test(arguments: 0..<40) func pixels(seed: UInt64) throws {
    var numbers = Numbers(seed: seed)
    let image = try #require(Self.image)
    for _ in 0..<20 {
      let (width, height) = (numbers.integer(), numbers.integer())
      let layout = ImageLayout(
        width: width, height: height, components: .rgb,
        samples: numbers.flag() ? .integer(bits: numbers.integer()) : .float)
      _ = try? ImageLimits().check(width: width, height: height)
      _ = try? Plane<UInt8>(width: width, height: height, samples: [1, 2, 3])
      _ = PixelRectangle(x: 0, y: 0, width: 4, height: 4).lies(inWidth: width, height: height)
      let resampling = Resampling(part: numbers.rectangle(), width: width, height: height)
      _ = resampling.isIdentity(forWidth: numbers.integer(), height: numbers.integer())
      _ = try? Image(
        pixels: [UInt8](repeating: 0, count: 64).span,
        layout: PixelLayout(.rgb8, width: width, height: height), color: .data)
      var geometry = GeometryEdit()
      geometry.crop = numbers.flag() ? numbers.rectangle() : nil
      geometry.size =
        numbers.flag()
        ? .longSide(numbers.integer())
        : .exact(width: numbers.integer(), height: numbers.integer())
      _ = try? geometry.parameters(
        width: width, height: height, orientation: .upright,
        limits: ImageLimits(pixels: numbers.integer(), side: numbers.integer()))
      _ = geometry.withoutEnlarging((width, height))
      let exposure = numbers.number()
      let moved = try? image.image.transformed(to: image.image.description, exposure: exposure)
      #expect(moved == nil || exposure.isFinite, "exposure of \(exposure)")
      var target = image.image.description
      target.layout = layout
      _ = try? ImageTransform(
        validating: image.image.description, to: target, exposure: exposure, resampling: resampling)
      _ = try? image.image.lightLevels().percentile(numbers.number())
    }
  }

  /// Rows of images in memory and in files: those that readers do not yield are errors.
  @Test func rows() throws {
    let layout = ImageLayout(
      width: 8, height: 6, components: .ycbcr(.yuv420), samples: .integer(bits: 8))
    let planes = try (0..<3).map { plane in
      let size = layout.planeSize(plane)
      return try Plane<UInt16>(
        width: size.width, height: size.height,
        samples: [UInt16](repeating: 100, count: size.width * size.height))
    }
    let image = try Image(
      ImageDescription(
        layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb, matrix: .bt709)),
      planes: .integer(planes))
    var images = [image]
    #if AVIF
    var request = ConversionRequest(format: .avif)
    request.coding.chroma = .yuv420
    let file = try SourceImage(image).converted(request).bytes
    images.append(try SourceImage.open(ByteSource(file)).image)
    #endif
    for image in images {
      #expect(image.layout.components == .ycbcr(.yuv420))
      for rows in [0..<0, 6..<8, 0..<7, -2..<2, .min..<0, 0..<Int.max] {
        let error = #expect(throws: ImageError.self) { try image.makeReader().read(rows: rows) }
        #expect(error?.code.id == "rows-outside", "\(rows)")
      }
      let error = #expect(throws: ImageError.self) { try image.makeReader().read(rows: 1..<3) }
      #expect(error?.code.english == "rows from {first} on begin within a row of subsampled chroma")
    }
  }

  @Test(arguments: [(0, 0), (-1, 4), (4, -1), (4, .min), (.max, .max)])
  func buffers(width: Int, height: Int) {
    let bytes = [UInt8](repeating: 0, count: 64)
    let layout = PixelLayout(.rgb8, width: width, height: height)
    let error = #expect(throws: ImageError.self) {
      // SAFETY: the buffer lives for the call.
      try unsafe bytes.withUnsafeBytes {
        try unsafe ImagePlanes(unsafePixels: [$0], layout: layout)
      }
    }
    #expect(error?.category == .invalidArgument)
  }

  @Test(arguments: 0..<40) func gainMaps(seed: UInt64) throws {
    var numbers = Numbers(seed: seed)
    for _ in 0..<100 {
      func signed() -> SignedRational {
        SignedRational(
          Int32(truncatingIfNeeded: numbers.integer()),
          UInt32(truncatingIfNeeded: numbers.integer()))
          ?? SignedRational(approximating: numbers.number()) ?? SignedRational(0)
      }
      func unsigned() -> UnsignedRational {
        UnsignedRational(approximating: numbers.number(), tolerance: numbers.number())
          ?? UnsignedRational(1)
      }
      let channel = GainMapMetadata.Channel(
        minimum: signed(), maximum: signed(), gamma: unsigned(), baseOffset: signed(),
        alternateOffset: signed())
      guard
        let metadata = try? GainMapMetadata(
          channels: .one(channel), baseHeadroom: unsigned(), alternateHeadroom: unsigned(),
          usesBaseColorSpace: numbers.flag())
      else { continue }
      let component = numbers.integer()
      _ = metadata.logGain(ofSample: numbers.number(), component: component)
      _ = metadata.sample(ofLogGain: numbers.number(), component: component)
      _ = metadata.applied(
        to: numbers.number(), logGain: numbers.number(), weight: numbers.number(),
        component: component)
      _ = metadata.weight(for: Headroom(stops: numbers.number()))
    }
  }

  @Test(arguments: 0..<40) func bytes(seed: UInt64) {
    var numbers = Numbers(seed: seed)
    for _ in 0..<100 {
      let source = ByteSource(count: numbers.integer()) { _ in Data() }
      _ = try? source.prefix(numbers.integer())
      _ = try? ByteSource([1, 2, 3]).bytes(in: numbers.range())
      let sink = MemorySink()
      sink.append([1, 2, 3])
      _ = try? sink.overwrite([1], at: numbers.integer())
      _ = Execution(
        threads: numbers.integer(),
        limits: ImageLimits(
          pixels: numbers.integer(), side: numbers.integer(), memory: numbers.integer(),
          items: numbers.integer(), nesting: numbers.integer()),
        budget: Execution.Budget(
          memory: numbers.integer(), steps: numbers.integer(),
          timeLimit: .seconds(numbers.integer())))
    }
  }

  private typealias Field<Value> = WritableKeyPath<ConversionRequest, Value?>

  private static var numberFields: [Field<Double>] {
    [
      \.gainMap.headroomStops, \.gainMap.targetError, \.rendition.headroomStops,
      \.rendition.highlightDesaturation, \.rendition.exposure, \.color.referenceWhite,
      \.raw.baselineExposure, \.raw.sceneExposure, \.raw.temperature, \.raw.tint, \.raw.shadowBias,
      \.raw.boost, \.raw.boostShadow, \.raw.localToneMap, \.raw.extendedDynamicRange,
      \.raw.sharpness,
      \.raw.luminanceNoiseReduction, \.raw.colorNoiseReduction, \.raw.moireReduction,
      \.raw.contrast,
      \.raw.detail, \.raw.scaleFactor,
    ]
  }

  private static var integerFields: [Field<Int>] {
    [
      \.gainMap.quality, \.gainMap.scale, \.gainMap.componentCount, \.gainMap.depth,
      \.geometry.longSide, \.geometry.width, \.geometry.height, \.geometry.rotation,
      \.coding.quality,
      \.coding.speed, \.coding.depth, \.metadata.item,
    ]
  }

  /// A request with an extreme number ends with an error or with a file of the image, not with a trap.
  @Test(arguments: 0..<30) func requests(seed: UInt64) throws {
    var numbers = Numbers(seed: seed)
    let image = try #require(Self.image)
    #if PNG
    _ = try image.converted(ConversionRequest(format: .png))
    #endif
    for field in Self.numberFields {
      try convert(image) { $0[keyPath: field] = numbers.number() }
    }
    for field in Self.integerFields {
      try convert(image) { $0[keyPath: field] = numbers.integer() }
    }
    try convert(image) { $0.geometry.crop = numbers.rectangle() }
    try convert(image) { request in
      var display = ConversionRequest.Rendition.Display()
      display.referenceWhite = numbers.number()
      display.peakLuminance = numbers.number()
      display.blackLuminance = numbers.flag() ? numbers.number() : nil
      display.primaries = numbers.flag() ? numbers.primaries() : nil
      request.rendition.display = display
    }
  }

  private func convert(
    _ image: SourceImage, _ change: (inout ConversionRequest) -> Void
  ) throws {
    for content in [ConversionRequest.Content.automatic, .gainMap] {
      var request = ConversionRequest(format: .png, content: content)
      #if JPEG
      request.coding.format = .jpeg
      #endif
      change(&request)
      guard let made = try? image.converted(request) else { continue }
      _ = try SourceImage.open(ByteSource(made.bytes)).image.lightLevels()
    }
  }
}
