// SPDX-License-Identifier: Apache-2.0
import Dispatch
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if JPEGXL
@Suite("JPEG XL writer") struct JPEGXLWriterTests {
  private func output(
    _ samples: ImageLayout.Samples, components: ImageLayout.Components = .rgb,
    hasAlpha: Bool = false, _ color: ColorEncoding
  ) throws -> OutputImage {
    let layout = ImageLayout(
      width: 40, height: 20, components: components, samples: samples, hasAlpha: hasAlpha)
    func integers(_ mask: UInt16, _ set: UInt16 = 0) -> [Plane<UInt16>] {
      (0..<layout.planeCount).map { component in
        Plane(width: 40, height: 20) { plane in
          for index in 0..<800 { plane.append(UInt16(index * 79 + component * 501) & mask | set) }
        }
      }
    }
    let planes: ImagePlanes.Planes =
      switch samples {
      case .integer(let bits): .integer(integers(UInt16(truncatingIfNeeded: 1 << bits - 1)))
      // Finite, not negative, and not subnormal, which libjxl does not keep.
      case .half: .half(integers(0x4FFF, 0x0400))
      case .float:
        .float(
          (0..<layout.planeCount).map { component in
            Plane(width: 40, height: 20) { plane in
              for index in 0..<800 { plane.append(Float(index * (component + 1)) / 300) }
            }
          })
      }
    return OutputImage(
      try Image(ImageDescription(layout: layout, color: color), planes: planes))
  }

  private func read(
    _ output: OutputImage, _ options: EncoderOptions = EncoderOptions(isLossless: true)
  ) throws -> SourceImage {
    try SourceImage(decoding: ByteSource(try output.encoded(as: .jxl, options: options)))
  }

  private static let pq = ColorEncoding(primaries: .bt2020, transfer: .pq)

  @Test(arguments: [8, 10, 12, 16], [false, true])
  func losslessIntegers(bits: Int, hasAlpha: Bool) throws {
    let output = try output(.integer(bits: bits), hasAlpha: hasAlpha, Self.pq)
    let read = try read(output).image
    #expect(read.layout == output.image.layout)
    #expect(read.color.transfer == .pq && read.color.primaries == .bt2020)
    guard case .integer(let found) = try read.planes().planes,
      case .integer(let wanted) = try output.image.planes().planes
    else {
      Issue.record("no integers")
      return
    }
    #expect(found == wanted)
  }

  @Test(arguments: [ImageLayout.Samples.half, .float], [ImageLayout.Components.gray, .rgb])
  func losslessLinear(
    samples: ImageLayout.Samples, components: ImageLayout.Components
  ) throws {
    let color = ColorEncoding(primaries: .bt2020, transfer: .linear, referenceWhite: 300)
    let output = try output(samples, components: components, color)
    let read = try read(output).image
    #expect(read.color.transfer == .linear && abs(read.color.referenceWhite - 300) < 0.5)
    guard case .float(let found) = try read.planes().planes else {
      Issue.record("no floating point")
      return
    }
    switch try output.image.planes().planes {
    case .float(let wanted): #expect(found == wanted)
    case .half(let wanted):
      for (found, wanted) in zip(found, wanted) {
        for y in 0..<20 {
          let (a, b) = (found.row(y), wanted.row(y))
          let difference = (0..<40).first { a[$0] != Float(Float16(bitPattern: b[$0])) }
          #expect(difference == nil)
        }
      }
    case .integer: Issue.record("no floating point")
    }
  }

  @Test(
    arguments: [TransferFunction.pq, .hlg, .srgb], [ColorPrimaries.bt709, .displayP3, .bt2020])
  func enumeratedColor(transfer: TransferFunction, primaries: ColorPrimaries) throws {
    let color = ColorEncoding(primaries: primaries, transfer: transfer)
    var output = try output(.integer(bits: 10), color)
    output.icc = [1, 2, 3]
    let read = try read(output)
    #expect(read.declaredColor.cicp == color.cicp && read.declaredColor.icc == nil)
  }

  @Test func metadata() throws {
    var output = try output(.integer(bits: 12), Self.pq)
    output.image.orientation = .rotated90
    output.image.light.diffuseWhite = 250
    output.image.light.contentColorVolume = .init(maximumLuminance: 1500)
    let level = LightMetadata.ContentLightLevel(maximum: 1400, maximumAverage: 90)
    output.image.light.contentLightLevel = level
    output.exif = ExifBlock.minimal(orientation: .upright)
    let read = try read(output)
    #expect(read.image.orientation == .rotated90)
    #expect(read.image.light.diffuseWhite == 250)
    #expect(read.image.light.contentColorVolume?.maximumLuminance == 1500)
    #expect(read.image.light.contentLightLevel == level)
    let exif = try ExifBlock(parsing: try #require(read.exif))
    #expect(exif.orientation == .rotated90)
    #expect(try #require(read.file).edited(by: MetadataEdit()).isUnchanged)
  }

  /// Distances of cjxl: 1 at quality 90, 0.1 at 100, 6.4 at 30.
  @Test(arguments: [(90, 1), (99, 0.19), (30, 6.4), (0, 15), (20, 9.067)] as [(Int, Float)])
  func distances(quality: Int, distance: Float) {
    #expect(abs(EncoderOptions(quality: quality).jpegXLDistance - distance) < 0.001)
    #expect(!EncoderOptions(quality: quality).isJPEGXLLossless)
  }

  @Test func lossySizes() throws {
    let output = try output(.integer(bits: 12), Self.pq)
    let sizes = try [30, 90].map {
      try output.encoded(as: .jxl, options: EncoderOptions(quality: $0, speed: 8)).count
    }
    #expect(sizes[0] < sizes[1])
  }

  private static func gray(_ width: Int, _ height: Int, bits: Int) throws -> Image {
    let plane = Plane<UInt16>(width: width, height: height) { plane in
      for index in 0..<width * height {
        plane.append(UInt16(truncatingIfNeeded: index * 37 & (1 << bits - 1)))
      }
    }
    let layout = ImageLayout(
      width: width, height: height, components: .gray, samples: .integer(bits: bits))
    return try Image(ImageDescription(layout: layout, color: .data), planes: .integer([plane]))
  }

  /// Depth and mattes are channels of the size of the image, with alpha and without.
  @Test(arguments: [false, true])
  func auxiliaries(hasAlpha: Bool) throws {
    let matte = "urn:com:apple:photo:2019:aux:semanticskinmatte"
    var output = try output(.integer(bits: 10), hasAlpha: hasAlpha, Self.pq)
    output.auxiliaries = [
      AuxiliaryImage(type: AuxiliaryTypeBox.hevcDepth, image: try Self.gray(40, 20, bits: 12)),
      AuxiliaryImage(type: matte, image: try Self.gray(20, 10, bits: 8)),
    ]
    let read = try read(output)
    #expect(read.image.layout == output.image.layout)
    #expect(read.auxiliaries.map(\.type) == output.auxiliaries.map(\.type))
    for (found, wanted) in zip(read.auxiliaries, output.auxiliaries) {
      guard case .integer(let samples) = try found.image.planes().planes,
        case .integer(let original) = try wanted.image.planes().planes
      else {
        Issue.record("no integers")
        continue
      }
      #expect(found.image.layout.samples == wanted.image.layout.samples)
      let expected = try original[0].interpolated(width: 40, height: 20)
      #expect(samples == [expected])
    }
    let file = try #require(read.file)
    #expect(try file.auxiliaryChannels().map(\.name) == ["depth", "skin"])
    for (index, wanted) in output.auxiliaries.enumerated() {
      let channel = try SourceImage(
        decoding: ByteSource(try file.reencodedChannel(ofItem: UInt32(index))))
      guard case .integer(let found) = try channel.image.planes().planes,
        case .integer(let expected) = try read.auxiliaries[index].image.planes().planes
      else {
        Issue.record("no integers")
        continue
      }
      #expect(found == expected)
      #expect(channel.image.layout.samples == wanted.image.layout.samples)
    }
    #expect(throws: ImageError.self) { try file.reencodedChannel(ofItem: 2) }
    let roles = try file.contents().images.map(\.role)
    #expect(roles == [.primary] + (hasAlpha ? [.alpha] : []) + [.depth, .matte])
  }

  /// Level 10 is declared where the codestream exceeds level 5, and only there.
  @Test(
    arguments: [
      (.integer(bits: 12), true, 4, 5), (.integer(bits: 12), true, 5, 10),
      (.integer(bits: 16), true, 0, 10), (.integer(bits: 16), false, 0, 5),
      (.half, true, 0, 10), (.float, true, 0, 10), (.float, false, 0, 10),
    ] as [(ImageLayout.Samples, Bool, Int, Int)])
  func level(
    samples: ImageLayout.Samples, isLossless: Bool, channels: Int, level: Int
  ) throws {
    var isInteger = false
    if case .integer = samples { isInteger = true }
    var output = try output(
      samples, isInteger ? Self.pq : ColorEncoding(primaries: .bt2020, transfer: .linear))
    output.auxiliaries = try (0..<channels).map { _ in
      AuxiliaryImage(type: AuxiliaryTypeBox.hevcDepth, image: try Self.gray(40, 20, bits: 8))
    }
    let bytes = try output.encoded(
      as: .jxl, options: EncoderOptions(quality: 90, isLossless: isLossless, speed: 8))
    let file = try JPEGXLFile(parsing: ByteSource(bytes))
    #expect(try file.level() == level)
    #expect(file.boxes("jxll").count == (level == 10 ? 1 : 0))
    let header = try file.imageHeader()
    let exceeds =
      header.extraChannels.count > 4 || header.depth.bits > 16 || !header.fits16BitBuffers
    #expect(exceeds == (level == 10))
  }

  @Test func premultipliedAlphaIsRefused() throws {
    let image = try output(.integer(bits: 8), hasAlpha: true, Self.pq).image
    var layout = image.layout
    layout.isAlphaPremultiplied = true
    let premultiplied = try Image(
      ImageDescription(layout: layout, color: Self.pq), planes: try image.planes().planes)
    let error = #expect(throws: ImageError.self) {
      try OutputImage(premultiplied).encoded(as: .jxl, options: EncoderOptions())
    }
    #expect(error?.code.english == "premultiplied alpha is not written in JPEG XL")
  }

  @Test func samplesThatAreNotStored() throws {
    var output = try output(.integer(bits: 10), Self.pq)
    output.image.color.isFullRange = false
    #expect(throws: ImageError.self) { try output.encoded(as: .jxl, options: EncoderOptions()) }
  }

  /// A cancelled operation ends, and the work of libjxl, which would end the process if it failed, goes on.
  @Test(arguments: [1, 20, 50, 100, 200]) func cancellation(milliseconds: Int) throws {
    let image = TestImage.make(.rgb, bits: 16, width: 1200, height: 1000)
    let output = OutputImage(Image(image, CICP(primaries: .bt2020, transfer: .pq)))
    let execution = Execution(threads: 2)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      execution.cancel()
    }
    let error = #expect(throws: ImageError.self) {
      try execution.run { () throws(ImageError) in
        while true { _ = try output.encoded(as: .jxl, options: EncoderOptions()) }
      }
    }
    #expect(error?.category == .cancelled)
  }
}
#endif
