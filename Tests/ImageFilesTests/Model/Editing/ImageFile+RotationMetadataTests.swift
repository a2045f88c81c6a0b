// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Rotation without decoding") struct RotationMetadataTests {
  private static func item(_ boxes: [ItemProperty.Box]) -> HEIFItem {
    HEIFItem(id: 1, type: "av01", properties: boxes.map { ItemProperty($0) })
  }

  private static let aperture = ItemProperty.Box.cleanAperture(
    CleanApertureBox(
      width: .init(20), height: .init(10), horizontalOffset: .init(-3), verticalOffset: .init(2)))
  private static let rotation = ItemProperty.Box.imageRotation(ImageRotationBox(quarterTurns: 1))

  /// In the order of MIAF, rotation and mirror are replaced.
  @Test(arguments: Orientation.allCases) func replaces(orientation: Orientation) throws {
    var item = Self.item([Self.aperture, Self.rotation])
    let before = try ItemGeometry(width: 40, height: 40, properties: item.properties)
    item.setOrientation(orientation)
    let after = try ItemGeometry(width: 40, height: 40, properties: item.properties)
    #expect(after.orientation == orientation)
    #expect((after.left, after.top) == (before.left, before.top))
    #expect(item.properties.count == 1 + HEIFItem.transformations(for: orientation).count)
  }

  /// An image that is cropped after rotation keeps its cropped region.
  @Test(arguments: Orientation.allCases) func keepsCuts(orientation: Orientation) throws {
    var item = Self.item([Self.rotation, Self.aperture])
    let before = try ItemGeometry(width: 40, height: 40, properties: item.properties)
    item.setOrientation(orientation)
    let after = try ItemGeometry(width: 40, height: 40, properties: item.properties)
    #expect(after.orientation == orientation)
    #expect((after.left, after.top) == (before.left, before.top))
    #expect((after.width, after.height) == (before.width, before.height))
  }

  /// Apple's `tmap` item stores the displayed size, which is swapped when the image is rotated.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func toneMapsKeepSayingTheShownSize() throws {
    func toneMapSize(_ file: ImageFile) throws -> [Int] {
      guard case .heif(let heif) = file.container else {
        throw ImageError(ErrorCode("test", .unsupported, "no HEIF file"))
      }
      let tone = try #require(heif.items.first { $0.type == "tmap" })
      let size = try #require(tone.property(ImageSpatialExtentsBox.self))
      return [Int(size.width), Int(size.height)]
    }
    let file = try ImageFile(
      parsing: Corpus.source("heic-apple-tmap/iphone15pro-18-7-portrait.heic"))
    #expect(try toneMapSize(file) == [3024, 4032])
    let rotated = try ImageFile(
      parsing: ByteSource(try file.rotated(by: .rotated90).bytes))
    #expect(try toneMapSize(rotated) == [4032, 3024])
    let back = try ImageFile(parsing: ByteSource(try rotated.rotated(by: .rotated270).bytes))
    #expect(try toneMapSize(back) == [3024, 4032])
  }

  @Test func refusesPNG() throws {
    let png =
      PNGFile.signature + hex("0000000D 49484452 00000001 00000001 08000000 003A7E9B55")
      + hex("0000000A 49444154 789C6360 00000002 000148AF A471") + hex("00000000 49454E44 AE426082")
    let file = try ImageFile(parsing: ByteSource(png))
    let error = #expect(throws: ImageError.self) { try file.rotated(by: .rotated90) }
    #expect(error?.category == .invalidArgument)
  }
}
