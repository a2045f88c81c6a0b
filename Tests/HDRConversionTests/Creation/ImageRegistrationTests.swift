// SPDX-License-Identifier: Apache-2.0
#if JPEG && HEIF && AVIF
import Foundation
import GainMap
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// Pairs of images with a known position of one on the other.
@Suite("Registration of SDR images") struct ImageRegistrationTests {
  /// Luminance of a scene with structures of several sizes, 0...1, at a position in pixels.
  private static func scene(_ x: Double, _ y: Double, seed: Double = 0) -> Double {
    var value = 0.0
    for (index, period) in [97.0, 61, 37, 23, 17].enumerated() {
      let (phase, rotation) = (Double(index) * 1.7 + seed, Double(index) * 0.9 + seed)
      let along = x * cos(rotation) + y * sin(rotation)
      let across = y * cos(rotation) - x * sin(rotation)
      value += sin(6.283 * along / period + phase + 0.8 * sin(across / period)) / 5
    }
    return min(max(0.5 + 0.5 * value, 0), 1)
  }

  private static func image(
    _ width: Int, _ height: Int, _ value: (_ x: Double, _ y: Double) -> Double
  ) -> ImagePlanes {
    let plane = Plane<UInt16>(width: width, height: height) { samples in
      for y in 0..<height {
        for x in 0..<width {
          samples.append(UInt16(clamping: value(Double(x) + 0.5, Double(y) + 0.5) * 65_535))
        }
      }
    }
    let layout = ImageLayout(
      width: width, height: height, components: .rgb, samples: .integer(bits: 16))
    return ImagePlanes(layout: layout, planes: .integer([plane, plane, plane]))
  }

  /// The tone of a camera: darker shadows, clipped highlights.
  private static func tone(_ value: Double) -> Double { min(pow(value, 1.4) * 1.3, 1) }

  private static let target = image(320, 240) { scene($0, $1) }

  /// An image of `width` x `height` whose pixels are at `origin + position / scale`.
  private static func companion(
    _ width: Int, _ height: Int, origin: SIMD2<Double>, scale: Double, barrel: Double = 0
  ) -> ImagePlanes {
    let middle = SIMD2(Double(width), Double(height)) / 2
    return image(width, height) { x, y in
      let offset = SIMD2(x, y) - middle
      let square = (offset * offset).sum() / (middle * middle).sum()
      let position = origin + (middle + offset * (1 + barrel * square)) / scale
      return tone(scene(position.x, position.y))
    }
  }

  @Test(
    "offset and scale are found within 0.2 pixels",
    arguments: [
      (300, 220, SIMD2(8.0, 9.0), 1.0), (320, 180, SIMD2(0.0, 31.0), 1.0),
      (160, 120, SIMD2(0.0, 0.0), 0.5), (400, 300, SIMD2(60.0, 40.0), 2.0),
      (310, 230, SIMD2(3.4, 5.7), 1.0), (326, 244, SIMD2(-3.0, -2.0), 1.0),
    ])
  func position(width: Int, height: Int, origin: SIMD2<Double>, scale: Double) throws {
    let companion = Self.companion(width, height, origin: origin, scale: scale)
    let found = try ImageRegistration(of: companion, orientation: .upright, on: Self.target)
    for (x, y) in [(0, 0), (width, 0), (0, height), (width, height)] {
      let position = found.mapping(Double(x), Double(y))
      let error = position - (origin + SIMD2(Double(x), Double(y)) / scale)
      #expect(max(abs(error.x), abs(error.y)) < 0.2, "\(x), \(y): \(error)")
    }
    #expect(found.confidence > 0.9 && found.displacement < 0.5 && found.distortion == 0)
    let isWhole = scale == 1 && origin == origin.rounded(.toNearestOrAwayFromZero)
    #expect(
      (found.mapping.wholePixels(width: width, height: height, tolerance: 0) != nil) == isWhole)
  }

  @Test("orientations that the file does not specify are found", arguments: Orientation.allCases)
  func orientation(of orientation: Orientation) throws {
    let upright = Self.companion(300, 220, origin: SIMD2(8, 9), scale: 1)
    let stored = upright.upright(from: orientation.inverse)
    let found = try ImageRegistration(of: stored, orientation: .upright, on: Self.target)
    #expect(found.orientation == orientation)
    let (width, height) = (stored.layout.width, stored.layout.height)
    let placed = try ImageRegistration.samples(
      of: Self.target, under: found.mapping, width: width, height: height)
    #expect(placed.outside == 0)
    guard case .integer(let planes) = placed.planes.planes,
      case .integer(let originals) = Self.target.planes
    else {
      Issue.record("no integers")
      return
    }
    let (own, original) = (planes[0].upright(from: orientation), originals[0])
    var differing = 0
    for x in 0..<300 where own.row(40)[x] != original.row(49)[x + 8] { differing += 1 }
    #expect(differing == 0)
  }

  @Test("a barrel distortion is corrected")
  func distortion() throws {
    let companion = Self.companion(
      320, 240, origin: SIMD2(0, 0), scale: 1, barrel: -0.02)
    let found = try ImageRegistration(of: companion, orientation: .upright, on: Self.target)
    #expect(found.distortion > 2 && found.displacement < 0.5)
  }

  @Test("other content and local displacements are refused with the number")
  func refusals() throws {
    let other = Self.image(320, 240) { Self.scene($0, $1, seed: 2.4) }
    let differs = #expect(throws: ImageError.self) {
      try ImageRegistration(of: other, orientation: .upright, on: Self.target)
    }
    #expect(differs?.code.id == "create/companion-differs")
    #expect(differs?.parameters["confidence"] != nil)
    let bent = Self.image(320, 240) { x, y in
      Self.tone(Self.scene(x + 3 * sin(y / 40), y + 3 * cos(x / 40)))
    }
    let warped = #expect(throws: ImageError.self) {
      try ImageRegistration(of: bent, orientation: .upright, on: Self.target)
    }
    #expect(warped?.code.id == "create/companion-warped")
    guard case .number(let pixels) = warped?.parameters["displacement"] else {
      Issue.record("no number")
      return
    }
    #expect((1.5...6).contains(pixels))
  }

  @Test("the coded image of a pair is kept byte for byte", arguments: [false, true])
  func kept(isRotated: Bool) throws {
    let orientation: Orientation = isRotated ? .rotated90 : .upright
    let shown = Self.companion(300, 220, origin: SIMD2(8, 9), scale: 1)
    let stored = shown.upright(from: orientation.inverse)
    let color = ColorEncoding(primaries: .bt709, transfer: .srgb, matrix: .bt601)
    var layout = stored.layout
    (layout.components, layout.samples) = (.ycbcr(.yuv420), .integer(bits: 8))
    let target = ImageDescription(layout: layout, color: color)
    let source = ImageDescription(
      layout: stored.layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb))
    let samples = try ImageTransform(from: source, to: target).run(stored).image
    var image = Image(target, samples)
    image.orientation = orientation
    let bytes = try OutputImage(image).encoded(as: .jpeg, options: EncoderOptions(quality: 92))
    let camera = try ImageFile(parsing: ByteSource(bytes))

    var hdr = SourceImage(
      format: .tiff,
      image: Image(
        Self.image(320, 240) { PQ.inverseEOTF(600 * Self.scene($0, $1)) },
        ColorEncoding(primaries: .bt2020, transfer: .pq)))
    hdr.isDeveloped = true
    var options = GainMapEncoder.Options(format: .jpeg)
    options.keepsCodedBaseline = true
    var sdr = try SourceImage(decoding: camera)
    sdr.image.orientation = orientation
    let result = try GainMapEncoder(options).run(hdr: hdr, sdr: sdr)
    let written = try ImageFile(parsing: ByteSource(result.bytes))
    let digests = try CodedPayload.sha256(of: try camera.codedPayloads())
    let kept = try CodedPayload.sha256(of: try written.codedPayloads())
    #expect(kept.first == digests.first && kept.count == 2)
    #expect(result.baseQuality == nil && result.baseLayout.width == stored.layout.width)
    #expect(result.notices.contains { $0.code.id == "create/companion-registered" })
    #expect(result.quality.meanDeltaE < 8, "\(result.quality)")
  }
}
#endif
