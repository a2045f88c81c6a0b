// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// Brands, profiles, sizes and color of written files.
@Suite("HEIF and AVIF signaling") struct HEIFSignalingTests {
  private func file(
    _ codec: ItemCodec, _ components: ImageLayout.Components, bits: Int
  ) throws -> HEIFFile {
    let image = TestImage.make(components, bits: bits, width: 70, height: 50)
    let cicp = CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    return try HEIFFile(
      parsing: ByteSource(
        RoundTripTests.written(
          OutputImage(Image(image, cicp)), codec,
          options: EncoderOptions(quality: 50, speed: 10))))
  }

  /// If a profile cannot be used, the bitstream specifies the color.
  @Test(arguments: [ItemCodec.av1, .hevc], [[], [UInt8](repeating: 7, count: 40)])
  func unusableProfile(codec: ItemCodec, profile: [UInt8]) throws {
    let image = TestImage.make(.ycbcr(.yuv420), bits: 10, width: 70, height: 50)
    let cicp = CICP(primaries: .displayP3, transfer: .pq, matrix: .bt2020NonConstant)
    var file = try HEIFFile(
      parsing: ByteSource(
        RoundTripTests.written(OutputImage(Image(image, cicp)), codec)))
    file.updateItem(try file.primaryItem.id) { item in
      item.setColor(cicp: nil, icc: profile)
    }
    let bytes = try file.serialized()
    let document = try RoundTripTests.opened(bytes)
    #expect(document.image.color.primaries == .displayP3)
    #expect(document.image.color.transfer == .pq)
    #expect(document.image.color.matrix == .bt2020NonConstant)
    #expect(
      document.notices.contains {
        ["icc/empty", "color/profile-ignored", "color/profile-unreadable"].contains($0.code.id)
      })
    #expect((document.declaredColor.icc == nil) == profile.isEmpty)
    // Rewriting the container does not need the profile either.
    #expect(try HEIFFile(parsing: ByteSource(bytes)).serialized() == bytes)
  }

  @Test func tenBit420IsMain10() throws {
    let file = try file(.hevc, .ycbcr(.yuv420), bits: 10)
    let configuration = try #require(file.primaryItem.property(HEVCConfigurationBox.self))
    #expect(configuration.profileTierLevel.profileIDC == 2)
    #expect(configuration.profileTierLevel.isCompatible(with: 2))
    #expect(file.fileType.majorBrand == "heix")
    #expect(file.fileType.compatibleBrands == ["mif1", "heix", "miaf"])
  }

  @Test func otherFormatsAreRangeExtensions() throws {
    let file = try file(.hevc, .ycbcr(.yuv444), bits: 12)
    let configuration = try #require(file.primaryItem.property(HEVCConfigurationBox.self))
    #expect(configuration.profileTierLevel.profileIDC == 4)
    #expect(file.fileType.majorBrand == "heix")
  }

  @Test(arguments: [
    (ChromaSubsampling.yuv420, 10, ["avif", "mif1", "miaf", "MA1B"] as [FourCC]),
    (.yuv444, 10, ["avif", "mif1", "miaf", "MA1A"]), (.yuv444, 12, ["avif", "mif1", "miaf"]),
  ])
  func avifBrands(chroma: ChromaSubsampling, bits: Int, brands: [FourCC]) throws {
    #expect(
      try file(.av1, .ycbcr(chroma), bits: bits).fileType
        == FileTypeBox(majorBrand: "avif", compatibleBrands: brands))
  }

  /// The size that a decoder yields is written once, without `clap` if the conformance window
  /// suffices.
  @Test func sizeIsWrittenOnce() throws {
    for components in [ImageLayout.Components.gray, .ycbcr(.yuv444)] {
      let image = TestImage.make(components, bits: 10, width: 71, height: 33)
      let cicp = CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
      let file = try HEIFFile(
        parsing: ByteSource(
          RoundTripTests.written(OutputImage(Image(image, cicp)), .hevc)))
      let types = try file.primaryItem.properties.map(\.type)
      #expect(types == ["hvcC", "ispe", "colr", "pixi"])
      let size = try #require(file.primaryItem.property(ImageSpatialExtentsBox.self))
      #expect(size == ImageSpatialExtentsBox(width: 71, height: 33))
      let configuration = try #require(file.primaryItem.property(HEVCConfigurationBox.self))
      let set = try configuration.sequenceParameterSet
      #expect((set.width, set.height) == (71, 33))
    }
  }
}
#endif
