// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("HDR metadata of an item") struct HEIFItemLightMetadataTests {
  static let bt2020 = ColorPrimaries(
    red: .init(x: 0.708, y: 0.292), green: .init(x: 0.170, y: 0.797),
    blue: .init(x: 0.131, y: 0.046), white: .d65)

  static let full = LightMetadata(
    diffuseWhite: 203,
    referenceEnvironment: LightMetadata.ReferenceEnvironment(
      surroundLuminance: 5, surroundLight: .d65, peripheryLuminance: 5, peripheryLight: .d65),
    ambientEnvironment: LightMetadata.AmbientEnvironment(illuminance: 10, light: .d65),
    masteringDisplay: LightMetadata.MasteringDisplay(
      primaries: bt2020, maximumLuminance: 1000, minimumLuminance: 0.0005),
    contentColorVolume: LightMetadata.ContentColorVolume(
      primaries: bt2020, minimumLuminance: 0, maximumLuminance: 1000, averageLuminance: 203),
    contentLightLevel: LightMetadata.ContentLightLevel(maximum: 1000, maximumAverage: 203))

  func item(_ transfer: CICP.Transfer = .pq) -> HEIFItem {
    HEIFItem(
      id: 1, type: "av01",
      properties: [
        ItemProperty(.imageSpatialExtents(.init(width: 1, height: 1))),
        ItemProperty(.colorInformation(.nclx(CICP(primaries: .bt2020, transfer: transfer)))),
        ItemProperty(.imageRotation(.init(quarterTurns: 1))),
      ])
  }

  /// Bytes computed by hand from the standards and read back by libheif 1.23.
  @Test func workedBoxes() throws {
    var item = item()
    item.setLightMetadata(Self.full)
    let expected = [
      "0000000C 636C6C69 03E8 00CB",
      "00000020 6D646376 2134 9BAA 1996 08FC 8A48 3908 3D13 4042 00989680 00000005",
      "0000002D 63636C76 3C 00002134 00009BAA 00001996 000008FC 00008A48 00003908 00000000"
        + "000F4240 000318F8",
      "00000010 616D7665 000186A0 3D13 4042",
      "00000010 6E647774 00000000 001EF9B0",
      "0000001C 72657665 00000000 0000C350 0C37 0CDA 0000C350 0C37 0CDA",
    ]
    let written = item.properties[2..<8].map { property -> [UInt8] in
      var writer = ByteWriter()
      property.write(to: &writer)
      return writer.bytes
    }
    #expect(written == expected.map { hex($0) })
    #expect(item.properties.last?.type == "irot")
    #expect(item.properties[2..<8].allSatisfy { !$0.isEssential })
    var notices: [Notice] = []
    #expect(item.lightMetadata(notices: &notices) == Self.full)
    #expect(notices.isEmpty)
  }

  @Test func replacingAndRemoving() {
    var item = item()
    item.setLightMetadata(Self.full)
    item.setLightMetadata(LightMetadata(diffuseWhite: 100))
    #expect(item.properties.map(\.type) == ["ispe", "colr", "ndwt", "irot"])
    item.setLightMetadata(LightMetadata())
    #expect(item.properties == self.item().properties)
  }

  /// Light levels are rounded up; other values are rounded to nearest and clamped.
  @Test func rounding() {
    func written(_ hdr: LightMetadata) -> LightMetadata {
      var item = item()
      item.setLightMetadata(hdr)
      var notices: [Notice] = []
      return item.lightMetadata(notices: &notices)
    }
    for (level, expected) in [
      (0, 0), (0.2, 1), (1000, 1000), (1000.01, 1001), (999.99, 1000), (70_000, 65535), (-5, 0),
    ] as [(Double, Double)] {
      let hdr = LightMetadata(
        contentLightLevel: LightMetadata.ContentLightLevel(maximum: level, maximumAverage: level))
      #expect(written(hdr).contentLightLevel?.maximum == expected)
      #expect(written(hdr).contentLightLevel?.maximumAverage == expected)
    }
    for (white, expected) in [
      (203.00004, 203.0), (203.00006, 203.0001), (0, 0), (1e9, 429_496.7295),
    ] as [(Double, Double)] {
      #expect(written(LightMetadata(diffuseWhite: white)).diffuseWhite == expected)
    }
    var odd = Self.full
    odd.contentColorVolume?.primaries?.blue = Chromaticity(x: -0.5, y: 200)
    #expect(
      written(odd).contentColorVolume?.primaries?.green == Chromaticity(x: -0.5, y: 100))
  }

  /// A scene-linear value of 0.5 corresponds to 1000 * 0.5^1.2 cd/m² on the reference display.
  @Test func contentVolumeOfHLG() throws {
    var item = item(.hlg)
    item.setProperty(
      "cclv",
      to: .metadata(
        ContentColorVolumeBox(
          minimumLuminance: 0, maximumLuminance: 10_000_000, averageLuminance: 5_000_000)))
    var notices: [Notice] = []
    let volume = try #require(item.lightMetadata(notices: &notices).contentColorVolume)
    #expect(volume.minimumLuminance == 0 && volume.maximumLuminance == 1000)
    #expect(abs((volume.averageLuminance ?? 0) - 435.275_281_648) < 1e-6)
    let box = item.property(ContentColorVolumeBox.self)
    item.setLightMetadata(LightMetadata(contentColorVolume: volume))
    #expect(item.property(ContentColorVolumeBox.self) == box)
  }

  @Test func primariesInAnyOrder() throws {
    let points = [(35400, 14600), (6550, 2300), (8500, 39850)].map {
      MasteringDisplayColorVolumeBox.Point(x: $0.0, y: $0.1)
    }
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let box = MasteringDisplayColorVolumeBox(
        primaries: order.map { points[$0] }, white: .init(x: 15635, y: 16450),
        maximumLuminance: 10_000_000, minimumLuminance: 5)
      let display = try box.value(scale: ContentVolumeScale(.pq))
      #expect(display.primaries == Self.bt2020)
    }
  }

  @Test func unknownValues() {
    var item = item()
    let point = MasteringDisplayColorVolumeBox.Point(x: 0, y: 0)
    item.properties += [
      ItemProperty(
        .metadata(
          MasteringDisplayColorVolumeBox(
            primaries: [point, point, point], white: point, maximumLuminance: 0,
            minimumLuminance: 0))),
      ItemProperty(.metadata(AmbientViewingEnvironmentBox(illuminance: 0, lightX: 1, lightY: 1))),
      ItemProperty(.unknown("clli", userType: nil, content: [1])),
    ]
    var notices: [Notice] = []
    #expect(item.lightMetadata(notices: &notices) == LightMetadata())
    #expect(notices.map(\.category) == [.irregular, .irregular, .irregular])
    #expect(notices.map { $0.location.path.last } == ["mdcv", "amve", "clli"])
  }

  @Test func color() {
    var item = item()
    let cicp = CICP(primaries: .displayP3, transfer: .hlg, matrix: .bt601)
    item.setColor(cicp: cicp, icc: [1, 2])
    #expect(item.cicp == cicp && item.icc == [1, 2])
    #expect(item.properties.map(\.type) == ["ispe", "colr", "colr", "irot"])
    item.setColor(cicp: nil, icc: nil)
    #expect(item.cicp == nil && item.icc == nil)
    item.setColor(cicp: cicp, icc: nil)
    #expect(item.properties.map(\.type) == ["ispe", "colr", "irot"])
  }
}
