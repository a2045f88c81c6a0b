// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ImageFiles

/// Brands as written by libavif 1.4, and as specified for HEVC.
@Suite("Brands") struct BrandsTests {
  func hevc(profile: UInt8, flags: UInt32) -> HEVCConfigurationBox {
    HEVCConfigurationBox(
      profileTierLevel: HEVCProfileTierLevel(
        profileIDC: profile, compatibilityFlags: flags, constraintFlags: 0, levelIDC: 93),
      chromaFormat: 1, lumaBitDepth: 8, chromaBitDepth: 8, arrays: [])
  }

  @Test(
    arguments: [
      (1, 0x6000_0000, "heic"), (3, 0x7000_0000, "heic"), (2, 0x2000_0000, "heix"),
      (4, 0x0800_0000, "heix"),
    ] as [(UInt8, UInt32, FourCC)])
  func heic(profile: UInt8, flags: UInt32, brand: FourCC) {
    let box = FileTypeBox.heic(hevc(profile: profile, flags: flags))
    #expect(box.majorBrand == brand && box.minorVersion == 0)
    #expect(box.compatibleBrands == ["mif1", brand, "miaf"])
  }

  /// Profile brands are limited to those that all images conform to, and are never added.
  @Test func promises() {
    var main = HEIFWriterTests.configuration
    (main.profile, main.level) = (0, 4)
    var (high, professional) = (main, main)
    (high.profile, professional.profile) = (1, 2)
    var box = FileTypeBox.avif(main)
    box.limitPromises(to: [main, main])
    #expect(box == FileTypeBox.avif(main))
    box.limitPromises(to: [main, high])
    #expect(box.compatibleBrands == ["avif", "mif1", "miaf", "MA1A"])
    box.limitPromises(to: [professional, main])
    #expect(box.compatibleBrands == ["avif", "mif1", "miaf"])
    box.limitPromises(to: [main])
    #expect(box.compatibleBrands == ["avif", "mif1", "miaf"])
    var named = FileTypeBox(majorBrand: "MA1B", compatibleBrands: ["MA1B", "avif"])
    named.limitPromises(to: [high])
    #expect(named.majorBrand == "avif" && named.compatibleBrands == ["MA1A", "avif"])
  }

  @Test func unknown() {
    var box = FileTypeBox(
      majorBrand: "abcd", compatibleBrands: ["abcd", "mif1", "Name", "tmap", "Text", "qt  "])
    box.removeUnknownBrands()
    #expect(box.majorBrand == "abcd" && box.compatibleBrands == ["abcd", "mif1", "tmap", "qt  "])
  }

  @Test(
    arguments: [
      (0, 13, ["MA1B"]), (0, 14, []), (1, 16, ["MA1A"]), (1, 17, []), (1, 31, []), (2, 8, []),
    ] as [(UInt8, UInt8, [FourCC])])
  func avif(profile: UInt8, level: UInt8, brands: [FourCC]) {
    var configuration = HEIFWriterTests.configuration
    configuration.profile = profile
    configuration.level = level
    let box = FileTypeBox.avif(configuration, hasGainMap: true)
    #expect(box.majorBrand == "avif")
    #expect(box.compatibleBrands == ["avif", "mif1", "miaf"] + brands + ["tmap"])
  }
}
