// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import HDRCore
import ImageCodecs

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

/// Files that violate ISO 22028-5.
extension Break {
  static let hdr: [Break] = [
    png(["22028-5/H5-TF-1"], .png10) { $0.set(PNGCodePoints(cicp(9, 13))) },
    png(["22028-5/H5-PRI-1"], .png10) { $0.set(PNGCodePoints(cicp(1, 16))) },
    png(["22028-5/H5-PRI-1", "22028-5/H5-PRI-2"], .png10) {
      $0.set(PNGCodePoints(cicp(12, 16)))
    },
    made(["22028-5/H5-BIT-1"], .png10) {
      var output = TestImages.output(.rgb, bits: 9)
      output.image.light = LightMetadata()
      return try TestImages.encoded(output, .png)
    },
    png(["22028-5/H5-BIT-2"], .png) { $0.set(PNGSignificantBits(bits: [10, 10, 10])) },
    png(["22028-5/H5-SIG-1", "22028-5/H5-TF-1"], .png10) { $0.remove(.codePoints) },
    png(["22028-5/H5-SIG-2"], .png) { $0.set(PNGCodePoints(cicp(9, 18))) },
    heif(["22028-5/H5-SIG-3", "heif/color-bitstream"], .avif) { file in
      update(&file) {
        $0.setColor(
          cicp: CICP(
            primaries: .bt2020, transfer: .hlg, matrix: .bt2020NonConstant), icc: nil)
      }
    },
    heif(["22028-5/H5-SIG-4", "heif/color-once"], .avif) { file in
      update(&file) { item in
        let index = item.properties.firstIndex { $0.type == "colr" } ?? 0
        item.properties.insert(item.properties[index], at: index)
      }
    },
    made(["22028-5/H5-MTX-1"], .avif) {
      try TestImages.encoded(TestImages.output(.ycbcr(.yuv420), matrix: .bt709), .avif)
    },
    made(["22028-5/H5-RNG-1"], .avif) {
      try TestImages.encoded(TestImages.output(.ycbcr(.yuv420), isFullRange: false), .avif)
    },
    heif(["22028-5/H5-BRAND-1", "heif/brand-hevc"], .heic) {
      $0.fileType = FileTypeBox(majorBrand: "heic", compatibleBrands: ["mif1", "heic", "miaf"])
    },
    heif(["22028-5/H5-PROP-1", "heif/property-order"], .heic) { file in
      update(&file) { item in
        let rotation = item.properties.firstIndex { $0.type == "irot" } ?? 0
        let light = item.properties.firstIndex { $0.type == "clli" } ?? 0
        item.properties.insert(item.properties.remove(at: rotation), at: light)
      }
    },
    png(["22028-5/H5-SCENE-1", "22028-5/H5-SIG-2"], .pngScene) {
      $0.set(PNGCodePoints(cicp(9, 16)))
    },
    made(["22028-5/H5-BIT-1", "22028-5/H5-SDR-1"], .png10) {
      var output = TestImages.output(.rgb, bits: 8)
      output.image.light = LightMetadata()
      return try TestImages.encoded(output, .png)
    },
    light(["22028-5/H5-DW-1"], "ndwt", nil),
    light(["22028-5/H5-DW-2"], "ndwt", .metadata(NominalDiffuseWhiteBox(luminance: 5000))),
    light(
      ["22028-5/H5-DW-3"], "ndwt", .unknown("ndwt", userType: nil, content: [0, 0x1E, 0xF9, 0xB0])),
    light(
      ["22028-5/H5-REVE-1"], "reve",
      .metadata(
        ReferenceViewingEnvironmentBox(
          surroundLuminance: 50_000, surroundLightX: 20_000, surroundLightY: 3290,
          peripheryLuminance: 50_000, peripheryLightX: 3127, peripheryLightY: 3290))),
    light(
      ["22028-5/H5-MD-1"], "mdcv",
      .metadata(
        MasteringDisplayColorVolumeBox(
          primaries: [
            .init(x: 35_400, y: 14_600), .init(x: 8500, y: 39_850), .init(x: 6550, y: 2300),
          ], white: .init(x: 15_635, y: 16_450), maximumLuminance: 100_000_000,
          minimumLuminance: 5))),
    light(
      ["22028-5/H5-CLL-1"], "clli",
      .metadata(ContentLightLevelBox(maximum: 10_000, maximumAverage: 20_000)), in: .avifFullChroma),
    light(
      ["22028-5/H5-CLL-2"], "clli",
      .metadata(ContentLightLevelBox(maximum: 1000, maximumAverage: 500)),
      in: .avifFullChroma),
    light(
      ["22028-5/H5-CCV-1"], "cclv",
      .metadata(ContentColorVolumeBox(minimumLuminance: 10, maximumLuminance: 5))),
    light(
      ["22028-5/H5-AMV-1"], "amve",
      .metadata(AmbientViewingEnvironmentBox(illuminance: 0, lightX: 15_635, lightY: 16_450))),
  ]

  static func cicp(_ primaries: UInt16, _ transfer: UInt16) -> CICP {
    CICP(primaries: .init(rawValue: primaries), transfer: .init(rawValue: transfer))
  }

  /// A changed or removed light property.
  private static func light(
    _ rules: Set<String>, _ type: FourCC, _ box: ItemProperty.Box?, in fixture: Fixture = .avif
  ) -> Break {
    heif(rules, fixture) { file in update(&file) { $0.setProperty(type, to: box) } }
  }

  static func made(
    _ rules: Set<String>, _ fixture: Fixture, _ make: @escaping @Sendable () throws -> [UInt8]
  ) -> Break { Break(rules, fixture, bytes: make) }

  /// A valid file with changed bytes.
  static func bytes(
    _ rules: Set<String>, _ fixture: Fixture,
    _ change: @escaping @Sendable (inout [UInt8]) throws -> Void
  ) -> Break {
    Break(rules, fixture) {
      var bytes = Fixture.bytes[fixture] ?? []
      try change(&bytes)
      return bytes
    }
  }

  static func heif(
    _ rules: Set<String>, _ fixture: Fixture,
    _ change: @escaping @Sendable (inout HEIFFile) throws -> Void
  ) -> Break {
    Break(rules, fixture) {
      var file = try HEIFFile(parsing: ByteSource(Fixture.bytes[fixture] ?? []))
      try change(&file)
      return try file.serialized()
    }
  }

  static func png(
    _ rules: Set<String>, _ fixture: Fixture,
    _ change: @escaping @Sendable (inout PNGFile) throws -> Void
  ) -> Break {
    Break(rules, fixture) {
      var file = try PNGFile(parsing: ByteSource(Fixture.bytes[fixture] ?? []))
      try change(&file)
      return try file.serialized().allBytes()
    }
  }

  static func jpeg(
    _ rules: Set<String>, _ fixture: Fixture,
    _ change: @escaping @Sendable (inout JPEGFile) throws -> Void
  ) -> Break {
    Break(rules, fixture) {
      var file = try JPEGFile(parsing: ByteSource(Fixture.bytes[fixture] ?? []))
      try change(&file)
      return try file.serialized().allBytes()
    }
  }

  /// Changes the primary item.
  static func update(_ file: inout HEIFFile, _ change: (inout HEIFItem) -> Void) {
    if let id = file.primaryItemID { file.updateItem(id, change) }
  }

  /// Changes the first item of a type that is not the primary one.
  static func updateOther(
    _ file: inout HEIFFile, _ type: FourCC, _ change: (inout HEIFItem) -> Void
  ) {
    let id = file.items.first { $0.type == type && $0.id != file.primaryItemID }?.id
    if let id { file.updateItem(id, change) }
  }
}
#endif
