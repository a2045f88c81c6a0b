// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// Planes of real files, compared with independent decoders.
@Suite("HEIF and AVIF corpus", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct HEIFCorpusTests {
  /// CRC-32 of the planes that avifdec (libavif) writes as y4m, cropped to `clap`.
  ///
  /// RGB planes are reordered to red, green, blue.
  static let avif: [(path: String, checksum: UInt32)] = [
    ("avif-hdr/acr160-colors-rec2020-pq.avif", 0xF3B5_E90F),
    ("avif-hdr/acr160-colors-srgb-pq.avif", 0xCDFD_2D7B),
    ("avif-hdr/avifcoder-club-identity.avif", 0xEC35_0A8E),
    ("avif-hdr/avifcoder-mall-p3pq.avif", 0x1350_BD78),
    ("avif-hdr/ffmpeg-pq10-720p.avif", 0x3C3F_B4E6),
    ("avif-hdr/libavif-cosmos1650-p3pq.avif", 0x1C28_4A00),
    ("avif-hdr/lrc-srgbprim-pq10.avif", 0x3B3A_21C4),
    ("avif-hdr/netflix-chimera-ms-pq10-bt2020cl.avif", 0x5D72_7F3B),
    ("avif-hdr/netflix-cosmos1000-hlg10-420.avif", 0x8D94_F63C),
    ("avif-hdr/netflix-cosmos1000-pq12-444.avif", 0xBA22_CEAA),
    ("avif-hdr/sharp-pq12-bt2020.avif", 0xDC9C_69A9),
    ("avif-sdr-deep/linku-fox-p1-10b-444.avif", 0x9104_317A),
    ("avif-sdr-deep/linku-fox-p2-12b-422.avif", 0xB001_2619),
    ("avif-gainmap/libavif-grid-nogridmap.avif", 0xF98A_E590),
    ("avif-gainmap/libavif-nogrid-gridmap.avif", 0xA51C_A7D1),
    ("avif-gainmap/libavif-seine-hdrbase-smallmap.avif", 0xD1C2_B06C),
    ("avif-gainmap/libavif-seine-hdrbase.avif", 0xD1C2_B06C),
    ("avif-gainmap/libavif-seine-sdr-icc.avif", 0xDA61_394E),
    ("avif-gainmap/libavif-seine-sdr.avif", 0xC3FA_9484),
    ("peer-made/avifenc-hlg10-422.avif", 0xF97E_2DBE),
    ("peer-made/avifenc-pq10-grid.avif", 0xAE58_B52E),
    ("peer-made/avifenc-pq12-identity-lossless.avif", 0x9117_66CF),
    ("peer-made/avifgm-hdrbase.avif", 0x3DDC_8FC5),
    ("peer-made/avifgm-sdrbase-gray10-half.avif", 0x0E1F_F487),
    ("peer-made/avifgm-sdrbase.avif", 0x0E1F_F487),
    ("peer-made/uhdr202-avif-gray.avif", 0xEFA0_E620),
    ("peer-made/uhdr202-avif-rgb.avif", 0xEFA0_E620),
  ]

  /// CRC-32 of the planes that ffmpeg's HEVC decoder returns for the items, tiles assembled.
  static let heic: [(path: String, checksum: UInt32)] = [
    ("heic-hdr/canon-hdrpq.hif", 0x3F15_F7D9),
    ("heic-hdr/ios18-heix-p3-10b.heic", 0xCBC8_B652),
    ("heic-hdr/sdwebimage-pq10.heic", 0x3AFA_1B07),
    ("heic-hdr/sony-33mp-10b-o1.hif", 0x69B8_1EA0),
    ("heic-apple/iphone12pro-16-7-portrait.heic", 0xFAF6_4585),
    ("peer-made/heifenc123-hlg10-420.heic", 0xA9E2_7972),
    ("peer-made/heifenc123-pq12-444-narrow.heic", 0x3209_624F),
    ("peer-made/uhdr202-heic-gray.heic", 0x68A3_8571),
    ("peer-made/uhdr202-heic-rgb.heic", 0x68A3_8571),
  ]

  @Test(arguments: avif + heic)
  func planesAreThoseOfOtherDecoders(path: String, checksum: UInt32) throws {
    let document = try Corpus.open(path, options: OpeningOptions())
    let format = document.image.layout
    let image = try document.image.makeReader().read(rows: 0..<format.height)
    #expect(image.withoutAlpha.checksum == checksum)
  }

  @Test(arguments: ["heic-apple", "heic-apple-tmap", "heic-hdr"])
  func allDecode(folder: String) throws {
    for path in Corpus.files(in: [folder]) {
      let document = try Corpus.open(path, options: OpeningOptions())
      #expect(throws: Never.self, "\(path)") { try document.image.makeReader() }
    }
  }
}

extension ImagePlanes {
  fileprivate var withoutAlpha: ImagePlanes {
    guard layout.hasAlpha, case .integer(let planes) = planes else { return self }
    var format = layout
    format.hasAlpha = false
    return ImagePlanes(layout: format, planes: .integer(planes.dropLast()))
  }
}
#endif
