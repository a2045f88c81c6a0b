// SPDX-License-Identifier: Apache-2.0
import GainMap
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Opening files with gain maps", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct GainMapDocumentTests {
  #if JPEG
  @Test func jpeg() throws {
    let document = try Corpus.open("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    #expect(document.gainMap?.location == .image(1))
    #expect(document.gainMap?.carriers.map(\.flavor) == [.iso, .xmp])
    let stale = try Corpus.open("jpeg-uhdr-broken/iso-marker-no-map.jpg")
    #expect(stale.gainMaps.isEmpty)
    #expect(stale.notices.contains { $0.code.id == "gain-map/announced-missing" })
  }

  /// Full gain is the default; a conversion that does not apply the gain map reports it.
  @Test func conversionsApplyTheMap() throws {
    let document = try Corpus.open("jpeg-apple/handmade-makernote.jpg")
    var options = ConversionOptions(format: .png, encoder: EncoderOptions())
    let full = try ImageConverter(options).run(document)
    #expect(full.gainMap?.weight.value == 1)
    options.gainMap = .none
    let base = try ImageConverter(options).run(document)
    #expect(base.gainMap == nil && base.lightLevels.maximum <= 203.5)
    #expect(base.notices.contains { $0.code.id == "gain-map/dropped" })
    options.gainMap = .display(Headroom(stops: 1))
    let half = try ImageConverter(options).run(document)
    #expect(
      full.lightLevels.maximum > half.lightLevels.maximum
        && half.lightLevels.maximum > base.lightLevels.maximum)
  }
  #endif

  #if HEIF
  @Test func heif() throws {
    var options = OpeningOptions()
    options.appleCurve = .bt709
    let document = try Corpus.open("heic-apple/iphone15pro-17-1-portrait.heic", options: options)
    let map = try #require(document.gainMap)
    #expect(map.location == .item(51))
    #expect(map.metadata?.appleCurve == .bt709)
    #expect(abs((map.metadata?.fullHeadroom.ratio ?? 0) - 3.847906) < 1e-9)
  }
  #endif

  #if AVIF
  /// A gain map that cannot be read causes only a notice.
  @Test(arguments: [
    "libavif-min-version99", "libavif-tmap-version99", "libavif-v0-extra-bytes",
    "libavif-wrong-altr",
  ])
  func broken(name: String) throws {
    let document = try Corpus.open("avif-gainmap-broken/\(name).avif")
    #expect(document.gainMap == nil)
    #expect(document.gainMaps.count == 1)
    #expect(document.notices.contains { $0.message.contains("gain map") })
    _ = try document.image.decode()
  }
  #endif
}
