// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import GainMap
import HDRCore
import ImageCodecs
import TestSupport

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

/// Small files that satisfy all rules.
enum Fixture: String, CaseIterable {
  /// Rotated, with alpha, metadata and all light metadata.
  case heic
  /// Not rotated, also with light metadata in the bitstream.
  case avif
  case avifFullChroma
  case avifGrid
  case avifGainMap
  case png
  case png10
  case pngScene
  case pngGainMap
  case jpeg
  /// Gain map in XMP and ISO 21496-1.
  case ultraHDR
  case ultraHDRWithXMPAlone
  case ultraHDRWithISOAlone
  /// Boxes around the header of an image.
  case jpegXL
  /// Directory and headers of an image.
  case jpegXR
  case dng

  /// Each file is made once.
  static let bytes: [Fixture: [UInt8]] = {
    var bytes: [Fixture: [UInt8]] = [:]
    for fixture in Fixture.allCases { bytes[fixture] = try? fixture.make() }
    return bytes
  }()

  func make() throws -> [UInt8] {
    switch self {
    case .heic:
      var output = TestImages.output(.ycbcr(.yuv420), hasAlpha: true)
      output.image.orientation = .rotated90
      output.exif = ExifBlock.minimal(orientation: .upright)
      output.xmp = XMPPacket.empty
      return try TestImages.encoded(output, .heif)
    case .avif:
      var output = TestImages.output(.ycbcr(.yuv420))
      output.exif = ExifBlock.minimal(orientation: .upright)
      output.xmp = XMPPacket.empty
      return try GainMapFiles.withMetadataUnit(TestImages.encoded(output, .avif))
    case .avifFullChroma:
      let bytes = try TestImages.encoded(TestImages.output(.ycbcr(.yuv444)), .avif)
      var file = try HEIFFile(parsing: ByteSource(bytes))
      let all = LayerSelectorBox(layerID: 0xFFFF)
      file.updateItem(try file.primaryItem.id) { $0.setProperty("lsel", to: .layerSelector(all)) }
      return try file.serialized()
    case .avifGrid: return try GainMapFiles.grid(tileSide: 64)
    case .avifGainMap: return try GainMapFiles.avif()
    case .png:
      var output = TestImages.output(.rgb, bits: 16)
      output.exif = ExifBlock.minimal(orientation: .upright)
      output.xmp = XMPPacket.empty
      output.icc = try ICCProfile.generate(for: output.image.color.cicp)
      return try TestImages.encoded(output, .png)
    case .png10:
      var output = TestImages.output(.rgb)
      output.image.light = LightMetadata()
      return try TestImages.encoded(output, .png)
    case .pngScene:
      var output = TestImages.output(.rgb, bits: 16, transfer: .hlg)
      output.icc = try ICCProfile.generate(for: output.image.color.cicp, imageState: .scene)
      return try TestImages.encoded(output, .png)
    case .pngGainMap: return try GainMapFiles.png()
    case .jpeg:
      var file = try JPEGFile(parsing: ByteSource(TestImages.jpeg()))
      try file.primary.setExif(ExifBlock.minimal(orientation: .upright))
      try file.primary.setXMP(GainMapFiles.longPacket)
      return try file.serialized().allBytes()
    case .ultraHDR: return try GainMapFiles.ultraHDR(xmp: true, iso: true)
    case .ultraHDRWithXMPAlone: return try GainMapFiles.ultraHDR(xmp: true, iso: false)
    case .ultraHDRWithISOAlone: return try GainMapFiles.ultraHDR(xmp: false, iso: true)
    case .jpegXL: return try JPEGXLBoxes().bytes
    case .jpegXR: return Self.halfFloats.bytes
    case .dng: return Fixture.rawFile.bytes
    }
  }
}

/// Images of the files.
enum TestImages {
  static let light = LightMetadata(
    diffuseWhite: 203,
    referenceEnvironment: LightMetadata.ReferenceEnvironment(
      surroundLuminance: 5, surroundLight: .d65, peripheryLuminance: 5, peripheryLight: .d65),
    ambientEnvironment: LightMetadata.AmbientEnvironment(illuminance: 10, light: .d65),
    masteringDisplay: LightMetadata.MasteringDisplay(
      primaries: .bt2020, maximumLuminance: 10_000, minimumLuminance: 0.0005),
    contentColorVolume: LightMetadata.ContentColorVolume(
      primaries: .bt2020, minimumLuminance: 0, maximumLuminance: 10_000, averageLuminance: 203),
    contentLightLevel: LightMetadata.ContentLightLevel(maximum: 10_000, maximumAverage: 10_000))

  /// A ramp to the largest code value.
  static func image(
    _ components: ImageLayout.Components, bits: Int, width: Int = 70, height: Int = 64,
    hasAlpha: Bool = false
  ) -> ImagePlanes {
    let format = ImageLayout(
      width: width, height: height, components: components, samples: .integer(bits: bits),
      hasAlpha: hasAlpha)
    let peak = (1 << bits) - 1
    let planes = (0..<format.planeCount).map { index in
      let size = format.planeSize(index)
      return Plane<UInt16>(width: size.width, height: size.height) { samples in
        for y in 0..<size.height {
          for x in 0..<size.width {
            let share = (x * 7 + y * 3 + index * 11) % 512
            // Chroma is neutral.
            let value =
              format.chroma == .yuv400 || components == .rgb || index == 0
              ? share * peak / 511 : (peak + 1) / 2
            samples.append(UInt16(value))
          }
        }
      }
    }
    return ImagePlanes(layout: format, planes: .integer(planes))
  }

  static func output(
    _ components: ImageLayout.Components, bits: Int = 10, transfer: CICP.Transfer = .pq,
    matrix: CICP.Matrix = .bt2020NonConstant, hasAlpha: Bool = false, isFullRange: Bool = true
  ) -> OutputImage {
    OutputImage(
      Image(
        image(components, bits: bits, hasAlpha: hasAlpha),
        CICP(
          primaries: .bt2020, transfer: transfer,
          matrix: components == .rgb ? .identity : matrix, isFullRange: isFullRange), light: light))
  }

  static func encoded(_ output: OutputImage, _ format: FileFormat) throws -> [UInt8] {
    try output.encoded(as: format, options: EncoderOptions(quality: 80, speed: 9))
  }

  static func jpeg(_ components: ImageLayout.Components = .ycbcr(.yuv444)) throws -> [UInt8] {
    let output = OutputImage(
      Image(image(components, bits: 8), CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601)),
      icc: try ICCProfile.generate(for: CICP(primaries: .displayP3, transfer: .srgb)))
    return try encoded(output, .jpeg)
  }
}
#endif
