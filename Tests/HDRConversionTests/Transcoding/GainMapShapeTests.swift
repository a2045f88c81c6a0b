// SPDX-License-Identifier: Apache-2.0
import GainMap
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Gain map shape") struct GainMapShapeTests {
  private func file(
    _ width: Int, _ height: Int, _ orientation: Orientation = .upright
  ) -> FileContents {
    let format = ImageLayout(
      width: width, height: height, components: .gray, samples: .integer(bits: 8))
    let image = FileImage(
      name: "image 0", role: .primary, layout: format, orientation: orientation,
      coding: CodecConfiguration("JPEG"))
    return FileContents(
      format: .jpeg, source: ByteSource([]), images: [image], notices: [])
  }

  /// Half or quarter of an odd side may be rounded up, down or to an even number.
  @Test(arguments: [
    (600, 400, 600, 400), (601, 401, 301, 201), (601, 401, 300, 200), (4032, 3024, 2016, 1512),
    (4000, 1848, 1000, 462), (1001, 7, 250, 2), (10_000, 1, 5000, 1), (1, 1, 1, 1),
    (4000, 3000, 2001, 1499),
  ])
  func shapesThatFit(width: Int, height: Int, mapWidth: Int, mapHeight: Int) {
    #expect(GainMapShape.isScaled((width, height), to: (mapWidth, mapHeight)))
    #expect(GainMapShape.notice(base: file(width, height), map: file(mapWidth, mapHeight)) == nil)
  }

  @Test(arguments: [
    (600, 400, 400, 600, true), (600, 400, 100, 100, false), (4000, 3000, 2000, 1490, false),
    (4032, 3024, 1512, 2016, true),
  ])
  func otherShapes(width: Int, height: Int, mapWidth: Int, mapHeight: Int, isRotated: Bool) throws {
    let notice = try #require(
      GainMapShape.notice(base: file(width, height), map: file(mapWidth, mapHeight)))
    #expect(notice.category == .conflict)
    #expect(notice.code.id == (isRotated ? "gain-map/shape-rotated" : "gain-map/shape-differs"))
    #expect(notice.parameters["base"] == .size(width, height))
    #expect(notice.parameters["map"] == .size(mapWidth, mapHeight))
  }

  private func planes(_ image: ImagePlanes) -> [Plane<UInt16>] {
    if case .integer(let planes) = image.planes { planes } else { [] }
  }

  /// Samples of any orientation become like those of the baseline image: rotated upright by their own,
  /// then back by that of the baseline image.
  @Test func rotations() throws {
    var metadata = FoundGainMap(
      [
        .init(
          flavor: .iso, metadata: try GainMapMetadata(appleHeadroom: Headroom(ratio: 2)),
          numbers: [])
      ])
    let samples = ImagePlanes(
      layout: ImageLayout(
        width: 2, height: 1, components: .gray, samples: .integer(bits: 8)),
      planes: .integer([
        Plane<UInt16>(width: 2, height: 1) {
          $0.append(1)
          $0.append(2)
        }
      ]))
    for stored in Orientation.allCases {
      for own in Orientation.allCases {
        metadata.orientation = own
        let rotation = GainMapShape.rotation(
          base: file(600, 400, stored), map: file(300, 200), metadata)
        #expect(
          planes(samples.upright(from: rotation).upright(from: stored))
            == planes(samples.upright(from: own)))
      }
    }
    metadata.orientation = nil
    let base = file(600, 400, .rotated90)
    #expect(GainMapShape.rotation(base: base, map: file(300, 200), metadata) == .upright)
    // The orientation of the file of the gain map is that of its samples.
    metadata.orientation = .rotated180
    let map = file(300, 200, .rotated90)
    #expect(GainMapShape.rotation(base: base, map: map, metadata) == .upright)
  }

  /// A gain map covers the baseline image in its stored orientation.
  @Test func orientations() {
    let rotated = file(600, 400, .rotated90)
    #expect(GainMapShape.notice(base: rotated, map: file(300, 200)) == nil)
    #expect(GainMapShape.notice(base: rotated, map: file(300, 200, .rotated90)) == nil)
    #expect(GainMapShape.notice(base: rotated, map: file(200, 300)) != nil)
    #expect(GainMapShape.notice(base: file(600, 400), map: file(200, 300, .rotated90)) == nil)
  }
}

@Suite("Gain maps with three equal components") struct OneComponentTests {
  private func map(_ planes: [[UInt16]], _ channels: GainMapMetadata.Channels) throws
    -> GainMapImage
  {
    let format = ImageLayout(
      width: 2, height: 1, components: planes.count == 1 ? .gray : .rgb,
      samples: .integer(bits: 8))
    let image = ImagePlanes(
      layout: format,
      planes: .integer(
        planes.map { values in
          Plane(width: 2, height: 1) { samples in
            for value in values { samples.append(value) }
          }
        }))
    let metadata = try GainMapMetadata(
      channels: channels, baseHeadroom: UnsignedRational(0), alternateHeadroom: UnsignedRational(2),
      usesBaseColorSpace: true)
    return GainMapImage(image, metadata: metadata)
  }

  private func channel(maximum: Int32) -> GainMapMetadata.Channel {
    .init(
      minimum: SignedRational(0), maximum: SignedRational(maximum), gamma: UnsignedRational(1),
      baseOffset: SignedRational(0), alternateOffset: SignedRational(0))
  }

  @Test func equalComponents() throws {
    let three = try map([[3, 200], [3, 200], [3, 200]], .one(channel(maximum: 2)))
    let one = try #require(try three.withOneComponent())
    #expect(one.isGray && one.hasOneGain && one.metadata == three.metadata)
    let gray = try map([[3, 200]], .one(channel(maximum: 2)))
    guard case .integer(let planes) = one.planes.planes,
      case .integer(let expected) = gray.planes.planes
    else {
      Issue.record("other samples")
      return
    }
    let isSame = planes == expected
    #expect(isSame)
  }

  @Test func othersStayWhatTheyAre() throws {
    let one = GainMapMetadata.Channels.one(channel(maximum: 2))
    #expect(try map([[3, 200]], one).withOneComponent() == nil)
    #expect(try map([[3, 200], [3, 200], [3, 201]], one).withOneComponent() == nil)
    let three = GainMapMetadata.Channels.three(
      red: channel(maximum: 2), green: channel(maximum: 2), blue: channel(maximum: 1))
    #expect(try map([[3, 9], [3, 9], [3, 9]], three).withOneComponent() == nil)
  }
}
